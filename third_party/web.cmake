# The dep:: targets of the browser build. SPELLPOOL_WEB_LIBRARIES is the folder that web/toolchain.bash fills: sources/ holds the source
# packages that are compiled here, include/ the header-only libraries. sndfile and cairo are left out: what needs them has a file
# NAME_web.cpp that says so.
set(SPELLPOOL_WEB_LIBRARIES "" CACHE PATH "Libraries for the browser build (web/build sets it)")
if(NOT IS_DIRECTORY ${SPELLPOOL_WEB_LIBRARIES}/sources)
  message(FATAL_ERROR "The browser build is configured by web/build, which fetches its libraries first.")
endif()
set(sources ${SPELLPOOL_WEB_LIBRARIES}/sources)

# One thread; SSE2 code becomes WebAssembly's SIMD; C++ exceptions are WebAssembly's own.
add_compile_options(-msimd128 -msse2 -fwasm-exceptions -sSUPPORT_LONGJMP=wasm)
add_link_options(-fwasm-exceptions -sSUPPORT_LONGJMP=wasm)

# spellpool_web_library(sdl2 FILES…): dep::sdl2, a static library of somebody else's code, whose warnings are not ours.
function(spellpool_web_library name)
  add_library(${name}_web STATIC EXCLUDE_FROM_ALL ${ARGN})
  target_compile_options(${name}_web PRIVATE -w $<$<CONFIG:Release>:-O2>)
  set_target_properties(${name}_web PROPERTIES UNITY_BUILD OFF)
  add_library(dep_${name} INTERFACE)
  target_link_libraries(dep_${name} INTERFACE ${name}_web)
  add_library(dep::${name} ALIAS dep_${name})
endfunction()
function(spellpool_web_headers name)
  add_library(dep_${name} INTERFACE)
  target_include_directories(dep_${name} SYSTEM INTERFACE ${SPELLPOOL_WEB_LIBRARIES}/include)
  add_library(dep::${name} ALIAS dep_${name})
endfunction()

foreach(name glm toml json cli fmt)
  spellpool_web_headers(${name})
endforeach()
target_compile_definitions(dep_fmt INTERFACE FMT_HEADER_ONLY)
foreach(name gl sndfile cairo)
  add_library(dep_${name} INTERFACE)
  add_library(dep::${name} ALIAS dep_${name})
endforeach()
target_link_options(dep_gl INTERFACE -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2)

set(sdl ${sources}/libsdl2)
set(parts)
foreach(part . atomic audio audio/disk audio/dummy audio/emscripten cpuinfo events file filesystem/emscripten haptic haptic/dummy hidapi joystick
    joystick/emscripten libm loadso/dlopen locale locale/emscripten misc misc/emscripten power power/emscripten render sensor sensor/dummy
    stdlib thread thread/generic timer timer/unix video video/dummy video/emscripten video/yuv2rgb)
  list(APPEND parts ${sdl}/src/${part}/*.c)
endforeach()
file(GLOB files ${parts})
spellpool_web_library(sdl2 ${files})
target_include_directories(sdl2_web SYSTEM PUBLIC ${sdl}/include PRIVATE ${sdl}/src ${sdl}/src/video/khronos)
# The window's pixels are drawn by OpenGL alone, and sound does not go through SDL.
target_compile_definitions(sdl2_web PRIVATE SDL_RENDER_DISABLED=1 SDL_THREADS_DISABLED=1)

file(GLOB files ${sources}/zlib/*.c)
spellpool_web_library(zlib ${files})
target_include_directories(zlib_web SYSTEM PUBLIC ${sources}/zlib)
target_compile_definitions(zlib_web PRIVATE HAVE_UNISTD_H)

file(GLOB files ${sources}/libpng1.6/png*.c)
list(FILTER files EXCLUDE REGEX "pngtest")
spellpool_web_library(png ${files})
set(png_config ${CMAKE_CURRENT_BINARY_DIR}/png)
configure_file(${sources}/libpng1.6/scripts/pnglibconf.h.prebuilt ${png_config}/pnglibconf.h COPYONLY)
target_include_directories(png_web SYSTEM PUBLIC ${sources}/libpng1.6 ${png_config})
target_link_libraries(png_web PUBLIC zlib_web)
target_compile_definitions(png_web PRIVATE PNG_INTEL_SSE_OPT=0)

set(imgui ${sources}/imgui)
file(GLOB files ${imgui}/*.cpp)
list(FILTER files EXCLUDE REGEX "imgui_demo")
spellpool_web_library(imgui ${files} ${imgui}/misc/cpp/imgui_stdlib.cpp ${imgui}/backends/imgui_impl_sdl2.cpp
  ${imgui}/backends/imgui_impl_opengl3.cpp)
target_include_directories(imgui_web SYSTEM PUBLIC ${imgui} ${imgui}/misc/cpp)
target_link_libraries(imgui_web PUBLIC sdl2_web)
target_compile_definitions(imgui_web PRIVATE IMGUI_IMPL_OPENGL_ES3)
add_library(dep_imgui_backends INTERFACE)
target_link_libraries(dep_imgui_backends INTERFACE dep::imgui dep::sdl2)
add_library(dep::imgui_backends ALIAS dep_imgui_backends)
