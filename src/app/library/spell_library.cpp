#include "app/library/spell_library.hpp"

#include <algorithm>

#include "content/game/spell_file.hpp"
#include "content/text_file.hpp"

namespace spellpool::app {

std::string SpellLibrary::path(const std::string& data_dir, u32 index) {
  return data_dir + "/assets/spells/" + std::string(frame::kSpellFiles[index]) + ".toml";
}

std::string SpellLibrary::load(const std::string& data_dir) {
  data_dir_ = data_dir;
  for (u32 i = 0; i < frame::kSpellCount; ++i) {
    const content::TextResult file = content::read_text(path(i), content::kMaxSpellFile_bytes);
    if (!file.text) return file.error;
    if (std::string error = update(i, *file.text); !error.empty()) return error;
  }
  const content::TextResult file = content::read_text(arena_path(data_dir_), content::kMaxSpellFile_bytes);
  return file.text ? update_arena(*file.text) : file.error;
}

std::string SpellLibrary::parse(const std::array<std::string, frame::kSpellCount>& texts,
                                const std::string& arena_text) {
  for (u32 i = 0; i < frame::kSpellCount; ++i) {
    // A replay from before there was this spell: it is never cast, and may be any.
    const bool lacks = texts[i].empty() && i >= frame::kFirstSpellCount;
    if (std::string error = update(i, lacks ? texts[0] : texts[i]); !error.empty()) return error;
  }
  return update_arena(arena_text.empty() ? std::string(content::builtin_arena()) : arena_text);
}

std::vector<sim::ReplayFile> SpellLibrary::files() const {
  std::vector<sim::ReplayFile> files = stages_.files();
  for (u32 i = 0; i < frame::kSpellCount; ++i) {
    files.push_back({"assets/spells/" + std::string(frame::kSpellFiles[i]) + ".toml", sim::replay_checksum(texts_[i])});
  }
  files.push_back({std::string(kArenaFile), sim::replay_checksum(arena_text_)});
  std::sort(files.begin(), files.end(),
            [](const sim::ReplayFile& a, const sim::ReplayFile& b) { return a.name < b.name; });
  return files;
}

std::string SpellLibrary::update(u32 index, const std::string& text) {
  content::SpellFileResult result = content::parse_spell(text, path(index));
  if (!result.spell) return result.error;
  spells_[index] = std::make_shared<const frame::SpellDef>(std::move(*result.spell));
  texts_[index] = text;
  return {};
}

std::string SpellLibrary::update_arena(const std::string& text) {
  content::ArenaFileResult result = content::parse_arena(text, arena_path(data_dir_));
  if (!result.arena) return result.error;
  arena_ = std::make_shared<const frame::ArenaDef>(std::move(*result.arena));
  arena_text_ = text;
  return {};
}

}  // namespace spellpool::app
