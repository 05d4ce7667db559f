#include "app/library/stage_library.hpp"

#include <algorithm>
#include <filesystem>

#include "content/game/stage_file.hpp"
#include "content/text_file.hpp"
#include "core/one_line.hpp"

namespace spellpool::app {
namespace {

const std::string kPatterns = "assets/patterns/", kStages = "assets/stages/";

bool is_pattern(const std::string& name) { return name.compare(0, kPatterns.size(), kPatterns) == 0; }

}  // namespace

std::vector<std::string> StageLibrary::stage_names(const std::string& data_dir) {
  std::vector<std::string> names;
  std::error_code gone;
  for (const auto& file : std::filesystem::directory_iterator(data_dir + "/assets/stages", gone)) {
    if (file.path().extension() == ".toml") names.push_back(file.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::string StageLibrary::stage_path(const std::string& data_dir, const std::string& stage_name) {
  return (data_dir.empty() ? "" : data_dir + "/") + kStages + stage_name + ".toml";
}

std::string StageLibrary::load(const std::string& data_dir, const std::string& stage_name) {
  content::PatternTexts read = content::read_pattern_texts(pattern_folder(data_dir));
  if (!read.error.empty()) return read.error;
  content::TextResult file = content::read_text(stage_path(data_dir, stage_name), content::kMaxStageFile_bytes);
  if (!file.text) return file.error;
  std::vector<sim::ReplayText> texts;
  for (content::NamedText& pattern : read.files)
    texts.push_back({kPatterns + std::filesystem::path(pattern.path).filename().string(), std::move(pattern.text)});
  texts.push_back({stage_path({}, stage_name), std::move(file.text)});
  stage_name_ = stage_name;
  noted_.clear();  // it was just read
  unreadable_.clear();
  return parse(data_dir, texts);
}

std::string StageLibrary::parse(const std::string& data_dir, const std::vector<sim::ReplayText>& texts) {
  data_dir_ = data_dir;
  Texts all;
  for (const sim::ReplayText& given : texts) {
    if (given.text && (is_pattern(given.name) || given.name == stage_path({}, stage_name_)))
      all[given.name] = *given.text;
  }
  return use(std::move(all), {});
}

std::string StageLibrary::update(const std::vector<sim::ReplayText>& changes, const Refuse& refuse) {
  Texts texts = texts_;
  for (const sim::ReplayText& changed : changes) {
    if (!is_pattern(changed.name) && changed.name != stage_path({}, stage_name_))
      return one_line(changed.name + ": neither a pattern nor the stage");
    if (changed.text) texts[changed.name] = *changed.text;
    else texts.erase(changed.name);
  }
  return use(std::move(texts), refuse);
}

std::string StageLibrary::use(Texts texts, const Refuse& refuse) {
  std::vector<content::NamedText> patterns;
  for (const auto& [name, text] : texts) {
    if (is_pattern(name)) patterns.push_back({path_of(name), text});
  }
  content::PatternBookResult book = content::read_patterns(patterns);
  if (!book.book) return book.error;
  const auto file = texts.find(stage_path({}, stage_name_));
  if (file == texts.end()) return stage_path() + ": no such file";
  content::StageFileResult stage = content::read_stage(file->second, stage_path(), *book.book);
  if (!stage.stage) return stage.error;
  if (const std::string wrong = refuse ? refuse(*stage.stage) : std::string{}; !wrong.empty())
    return one_line(stage_path() + ": " + wrong);
  patterns_ = std::make_shared<const frame::PatternBook>(std::move(*book.book));
  stage_ = std::make_shared<const frame::StageDef>(std::move(*stage.stage));
  texts_ = std::move(texts);
  return {};
}

void StageLibrary::note(const std::string& name, std::optional<std::string> text, const std::string& error) {
  noted_.erase(name);
  unreadable_.erase(name);
  const auto used = texts_.find(name);
  const bool same = text ? used != texts_.end() && used->second == *text : used == texts_.end();
  if (!error.empty()) unreadable_[name] = error;
  else if (!same) noted_[name] = {name, std::move(text)};
}

StageLibrary::Taken StageLibrary::take_changes(const Refuse& refuse) {
  Taken taken;
  if (!unreadable_.empty()) taken.error = unreadable_.begin()->second;
  if (noted_.empty()) return taken;
  for (const auto& [name, changed] : noted_) taken.texts.push_back(changed);
  std::string error = update(taken.texts, refuse);
  if (error.empty()) {
    noted_.clear();
    return taken;
  }
  taken.texts.clear();
  if (taken.error.empty()) taken.error = std::move(error);
  return taken;
}

std::vector<sim::ReplayFile> StageLibrary::files() const {
  std::vector<sim::ReplayFile> files;
  for (const auto& [name, text] : texts_) files.push_back({name, sim::replay_checksum(text)});
  return files;
}

StageLibrary StageLibrary::as_in_replay() const {
  StageLibrary copy = *this;
  copy.data_dir_.clear();
  return copy;
}

}  // namespace spellpool::app
