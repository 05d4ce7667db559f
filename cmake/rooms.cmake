# Precompiled standard headers, one set for each list of options: spellpool_precompile(TARGET NAME OPTIONS…) lets TARGET, which is
# compiled with OPTIONS, share the set NAME. HEADERS and their LIBRARIES are added to the standard ones.
function(spellpool_precompile target name)
  cmake_parse_arguments(PCH "" "" "OPTIONS;HEADERS;LIBRARIES" ${ARGN})
  if(NOT SPELLPOOL_PRECOMPILE)
    return()
  endif()
  set(owner spellpool_precompiled_${name})
  if(NOT TARGET ${owner})
    add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
    target_link_libraries(${owner} PRIVATE spellpool_options ${PCH_LIBRARIES})
    target_compile_options(${owner} PRIVATE ${PCH_OPTIONS})
    target_precompile_headers(${owner} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp ${PCH_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# A room is one folder of src/ with its subfolders: a static library of its .cpp files, or an interface library when it has none.
#   spellpool_room(audio ROOMS core pool frame LIBRARIES dep::sdl2 OPTIMIZE 2)
# makes the target spellpool_audio, also named spellpool::audio. OPTIMIZE 2 compiles it with -O2 in a release: for rooms whose code
# runs a few times a frame at most.
function(spellpool_room name)
  cmake_parse_arguments(ROOM "" "OPTIMIZE" "ROOMS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  list(TRANSFORM ROOM_ROOMS PREPEND spellpool::)
  if(sources)
    add_library(spellpool_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(spellpool_${name} PRIVATE spellpool_options)
    if(ROOM_OPTIMIZE)
      set(options $<$<CONFIG:Release>:-O${ROOM_OPTIMIZE}>)
      target_compile_options(spellpool_${name} PRIVATE ${options})
      spellpool_precompile(spellpool_${name} O${ROOM_OPTIMIZE} OPTIONS ${options})
    else()
      spellpool_precompile(spellpool_${name} O3)
    endif()
  else()
    add_library(spellpool_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(spellpool::${name} ALIAS spellpool_${name})
  target_include_directories(spellpool_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/spellpool>)
  target_link_libraries(spellpool_${name} ${scope} ${ROOM_ROOMS} ${ROOM_LIBRARIES})
endfunction()

# The tests of one room: tests/NAME/*_test.cpp become one GoogleTest program named test_NAME.
function(spellpool_room_tests name)
  cmake_parse_arguments(TEST "" "" "LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE spellpool_options spellpool::${name} ${TEST_LIBRARIES}
    GTest::gtest_main GTest::gmock)
  # Tests run their own code once or a few times: what they call is optimised in its room.
  set(options $<$<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>>:-O1>)
  target_compile_options(test_${name} PRIVATE ${options} $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)  # g++ 12, in std::string
  spellpool_precompile(test_${name} tests OPTIONS ${options} HEADERS <gtest/gtest.h> LIBRARIES GTest::gtest)
  target_compile_definitions(test_${name} PRIVATE SPELLPOOL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()
