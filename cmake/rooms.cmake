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

# Compiles COUNT files of TARGET at a time, in the order of their names: what they include is parsed once, and what they instantiate is
# compiled once. So a name in an unnamed namespace belongs to its whole batch. -DSPELLPOOL_UNITY=OFF compiles each file by itself: it
# must build too, since a file includes what it uses. Files with compiler options of their own are never part of a batch.
function(spellpool_unity target count)
  if(SPELLPOOL_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  endif()
endfunction()

# Moves the files of LIST whose includes match PATTERN to its front: one batch or two parse that header instead of all.
function(spellpool_move_to_front list pattern)
  set(front)
  set(back)
  foreach(file IN LISTS ${list})
    file(STRINGS ${file} found REGEX "^#include .*(${pattern})")
    if(found)
      list(APPEND front ${file})
    else()
      list(APPEND back ${file})
    endif()
  endforeach()
  set(${list} ${front} ${back} PARENT_SCOPE)
endfunction()

# Compiles the files of TARGET that match one of the patterns as one batch, and leaves the others by themselves: for rooms where some files
# have loops that are measured. spellpool_batch(TARGET NAME PATTERN…), with the rules of spellpool_unity(). A pattern is matched from
# src/ on, wherever the tree lies: "^sim/lessons/".
function(spellpool_batch target name)
  if(NOT SPELLPOOL_UNITY)
    return()
  endif()
  set(batch)
  get_target_property(sources ${target} SOURCES)
  string(REPLACE "${CMAKE_CURRENT_SOURCE_DIR}/" "" sources "${sources}")
  foreach(pattern IN LISTS ARGN)
    set(matching ${sources})
    list(FILTER matching INCLUDE REGEX ${pattern})
    list(APPEND batch ${matching})
  endforeach()
  set_source_files_properties(${batch} PROPERTIES UNITY_GROUP ${name})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Files of a room with OPTIMIZE whose loops are measured: compiled with -O3 in a release.
function(spellpool_measured)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3> SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# NAME_web.cpp takes the place of NAME.cpp in the browser build, and is left out of every other.
function(spellpool_web_alternatives list)
  set(files ${${list}})
  foreach(file IN LISTS files)
    if(NOT file MATCHES "_web\\.cpp$")
      continue()
    elseif(EMSCRIPTEN)
      string(REGEX REPLACE "_web\\.cpp$" ".cpp" file ${file})
    endif()
    list(REMOVE_ITEM files ${file})
  endforeach()
  set(${list} ${files} PARENT_SCOPE)
endfunction()

# A room is one folder of src/ with its subfolders: a static library of its .cpp files, or an interface library when it has none.
#   spellpool_room(audio ROOMS core pool frame LIBRARIES dep::sdl2 OPTIMIZE 2 BATCH 8)
# makes the target spellpool_audio, also named spellpool::audio. OPTIMIZE 2 compiles it with -O2 in a release: for rooms whose code
# runs a few times a frame at most. SMALL compiles it for size in the browser build, because a page waits until the browser has
# compiled the program. BATCH 8 compiles 8 files at a time; FIRST json has those that include JSON share batches.
function(spellpool_room name)
  cmake_parse_arguments(ROOM "SMALL" "OPTIMIZE;BATCH;FIRST" "ROOMS;LIBRARIES" ${ARGN})
  if(ROOM_SMALL AND EMSCRIPTEN)
    set(ROOM_OPTIMIZE s)
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  spellpool_web_alternatives(sources)
  if(ROOM_FIRST)
    spellpool_move_to_front(sources "${ROOM_FIRST}")
  endif()
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
    if(ROOM_BATCH)
      spellpool_unity(spellpool_${name} ${ROOM_BATCH})
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

# Tests run their own code once or a few times, so they are compiled with -O1, or with -O0 (OPTIMIZE 0) where they instantiate much:
# what they call is optimised in its room. Debug builds stay as they are.
function(spellpool_test_options target)
  cmake_parse_arguments(TEST "" "OPTIMIZE" "" ${ARGN})
  if(NOT DEFINED TEST_OPTIMIZE)
    set(TEST_OPTIMIZE 1)
  endif()
  set(options $<$<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>>:-O${TEST_OPTIMIZE}>)
  target_compile_options(${target} PRIVATE ${options} $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)  # g++ 12, in std::string
  spellpool_precompile(${target} tests_O${TEST_OPTIMIZE} OPTIONS ${options} HEADERS <gtest/gtest.h> LIBRARIES GTest::gtest)
endfunction()

# CTest runs each suite of a GoogleTest program as one test, PREFIX.SUITE: a process for each test would make what a suite shares
# again and again, an OpenGL context for example. One test alone: tests/TARGET --gtest_filter=SUITE.TEST
function(spellpool_suite_tests target prefix)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/list_suites.cmake)
  add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS ${list} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DPREFIX=${prefix} -DLIST=${list}
      -DFOLDER=${CMAKE_CURRENT_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/list_suites.cmake)
  file(CONFIGURE OUTPUT ${target}_tests.cmake @ONLY CONTENT [[
if(EXISTS [==[@list@]==])
  include([==[@list@]==])
else()
  add_test(@target@_NOT_BUILT @target@_NOT_BUILT)
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${target}_tests.cmake)
endfunction()

# The tests of one room: tests/NAME/*_test.cpp become one GoogleTest program named test_NAME, compiled BATCH files at a time.
# OPTIONS are those of spellpool_test_options(). EACH: every test is a CTest test of its own, where suites take long.
function(spellpool_room_tests name)
  cmake_parse_arguments(TEST "EACH" "BATCH" "LIBRARIES;OPTIONS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE spellpool_options spellpool::${name} ${TEST_LIBRARIES}
    GTest::gtest_main GTest::gmock)
  spellpool_test_options(test_${name} ${TEST_OPTIONS})
  if(TEST_BATCH)
    spellpool_unity(test_${name} ${TEST_BATCH})
  endif()
  target_compile_definitions(test_${name} PRIVATE SPELLPOOL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(TEST_EACH)
    gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
  else()
    spellpool_suite_tests(test_${name} ${name})
  endif()
endfunction()
