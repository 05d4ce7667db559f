# The files of content that a world needs, by themselves: the game's other libraries are not there for another processor.
foreach(reader colour_text game/pattern_file game/spell_file game/spell_format game/stage_file staged_file text_file toml_reading toml_writing)
  list(APPEND world_readers ${CMAKE_CURRENT_LIST_DIR}/../../src/content/${reader}.cpp)
endforeach()
