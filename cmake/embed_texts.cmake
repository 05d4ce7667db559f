# Text files as C++, so that the program has them even when the files are missing or broken.
#   spellpool_embed_texts(TARGET render shader FILES…)
# adds builtin_shaders.cpp to TARGET, with builtin_shaders(), which render/builtin_shaders.hpp declares. It is made again whenever a
# file changes. Run as a script (cmake -P, with OUTPUT, ROOM, THING and FILES) this file writes that source: one raw string literal a
# file.
if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" FILES "${FILES}")
  set(text "// Made by cmake/embed_texts.cmake. Edit the files themselves.\n#include \"${ROOM}/builtin_${THING}s.hpp\"\n\n"
           "namespace spellpool::${ROOM} {\nnamespace {\nconstexpr EmbeddedText kFiles[] = {\n")
  string(CONCAT text ${text})
  foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" body)
    string(APPEND text "    {\"${name}\", R\"text(${body})text\"},\n")
  endforeach()
  string(APPEND text "};\n}  // namespace\n\nstd::span<const EmbeddedText> builtin_${THING}s() { return kFiles; }\n\n"
                     "}  // namespace spellpool::${ROOM}\n")
  file(WRITE "${OUTPUT}" "${text}")
  return()
endif()

function(spellpool_embed_texts target room thing)
  string(REPLACE ";" "|" listed "${ARGN}")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/builtin_${thing}s.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DROOM=${room} -DTHING=${thing} "-DFILES=${listed}"
            -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${ARGN} ${CMAKE_CURRENT_FUNCTION_LIST_FILE} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
