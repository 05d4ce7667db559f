#include "app/stage_library.hpp"

#include <filesystem>

#include "content/stage_file.hpp"
#include "content/text_file.hpp"
#include "core/state_hash.hpp"
#include "sim/replay.hpp"

namespace spellpool::app {

std::string StageLibrary::load(const std::string& data_dir, const std::string& stage_name) {
  data_dir_ = data_dir;
  stage_name_ = stage_name;
  content::PatternTexts texts = content::read_pattern_texts(data_dir + "/assets/patterns");
  if (!texts.error.empty()) return texts.error;
  content::PatternBookResult book = content::read_patterns(texts.files);
  if (!book.book) return book.error;
  const std::string path = data_dir + "/assets/stages/" + stage_name + ".toml";
  content::TextResult file = content::read_text(path, content::kMaxStageFile_bytes);
  if (!file.text) return file.error;
  content::StageFileResult stage = content::read_stage(*file.text, path, *book.book);
  if (!stage.stage) return stage.error;

  patterns_ = std::make_shared<const frame::PatternBook>(std::move(*book.book));
  stage_ = std::make_shared<const frame::StageDef>(std::move(*stage.stage));
  texts.files.push_back({path, std::move(*file.text)});  // "stages/" comes after "patterns/".
  checksums_.clear();
  paths_.clear();
  for (const content::NamedText& read : texts.files) {
    const std::filesystem::path at(read.path);
    checksums_.push_back({(at.parent_path().filename() / at.filename()).string(), sim::replay_checksum(read.text)});
    paths_.push_back(read.path);
  }
  return {};
}

u64 StageLibrary::checksum() const {
  StateHash hash;
  for (const FileSum& file : checksums_) hash.add(sim::replay_checksum(file.name)).add(file.checksum);
  return hash.value();
}

}  // namespace spellpool::app
