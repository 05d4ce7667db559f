# The shaders of shaders/ as C++ text, so that the program draws even when the files are missing or broken.
#   spellpool_embed_shaders(spellpool_render)
# adds builtin_shaders.cpp to the target; it is made again whenever a shader changes. Run as a script (cmake -P, with
# OUTPUT and FILES) this file writes that source: one raw string literal a shader.
if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" FILES "${FILES}")
  set(text "// Made by cmake/embed_shaders.cmake from shaders/. Edit those.\n#include \"render/builtin_shaders.hpp\"\n\n"
           "namespace spellpool::render {\nnamespace {\nconstexpr BuiltinShader kFiles[] = {\n")
  string(CONCAT text ${text})
  foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" body)
    string(APPEND text "    {\"${name}\", R\"shader(${body})shader\"},\n")
  endforeach()
  string(APPEND text "};\n}  // namespace\n\nstd::span<const BuiltinShader> builtin_shaders() { return kFiles; }\n\n"
                     "}  // namespace spellpool::render\n")
  file(WRITE "${OUTPUT}" "${text}")
  return()
endif()

set(SPELLPOOL_EMBED_SHADERS_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(spellpool_embed_shaders target)
  file(GLOB shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*.vert ${PROJECT_SOURCE_DIR}/shaders/*.frag
       ${PROJECT_SOURCE_DIR}/shaders/*.glsl)
  string(REPLACE ";" "|" listed "${shaders}")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/builtin_shaders.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} "-DFILES=${listed}" -P ${SPELLPOOL_EMBED_SHADERS_SCRIPT}
    DEPENDS ${shaders} ${SPELLPOOL_EMBED_SHADERS_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
