#include "app/library/sound_library.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "audio/recipes.hpp"
#include "audio/resample.hpp"
#include "content/game/sound_file.hpp"
#include "content/media/recording_file.hpp"
#include "content/text_file.hpp"
#include "core/det_math.hpp"
#include "platform/file_watch.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;
using frame::SoundDef;
using frame::SoundId;

constexpr auto kPause = std::chrono::milliseconds(250);
constexpr std::size_t kFilesASound = 1 + content::kRecordingEndings.size();
/// A recording may stop in full swing: so long it falls at its end.
constexpr double kEndFade_s = 0.005;

void fade_end(std::vector<float>& samples, u32 rate_hz) {
  const std::size_t count = std::min(samples.size(), static_cast<std::size_t>(kEndFade_s * rate_hz));
  for (std::size_t i = 0; i < count; ++i) {
    samples[samples.size() - 1 - i] *=
        0.5f - 0.5f * cos_turns(0.5f * static_cast<float>(i) / static_cast<float>(count));
  }
}

}  // namespace

/// The files and what was made of them. One thread at a time.
class SoundWorkshop {
 public:
  explicit SoundWorkshop(SoundLibrary::Folders folders)
      : folders_{Folder{std::move(folders.own), {}, {}}, Folder{std::move(folders.shipped), {}, {}}} {}

  /// Looks at the files; the first time at all of them. Tells what changed.
  void read(SoundLibrary::News& news) {
    std::array<bool, frame::kSoundCount> touched{};
    std::vector<platform::FileChange> changes;
    for (Folder& folder : folders_) {
      if (folder.path.empty()) continue;
      std::error_code ignored;
      if (!folder.scan) {
        if (!fs::is_directory(folder.path, ignored)) continue;
        folder.files.resize(frame::kSoundCount * kFilesASound);
        folder.scan.emplace(paths_of(folder.path), content::kMaxRecording_bytes);
        folder.scan->forget();
      }
      changes.clear();
      folder.scan->scan(changes);
      for (platform::FileChange& change : changes) {
        take_file(folder.files[change.file], change, change.file % kFilesASound == 0);
        touched[change.file / kFilesASound] = true;
      }
    }
    for (std::size_t i = 0; i < frame::kSoundCount; ++i) {
      if (!read_ || touched[i]) choose(i, news);
    }
    if (!read_ || std::any_of(touched.begin(), touched.end(), [](bool b) { return b; })) news.errors = errors();
    read_ = true;
  }

  void edit(std::size_t i, const SoundDef& def, u64 edits) {
    Entry& entry = entries_[i];
    entry.edits = edits;
    if (entry.def == def) return;
    entry.def = def;
    entry.stale = true;
  }

  void save(std::size_t i, SoundLibrary::News& news) {
    const std::string name = std::string(frame::kSounds[i].name) + ".toml";
    const File* file = recipe_in_use(i);
    Folder* folder = &folders_[1];
    if (file != nullptr && file->state == File::State::Bad) {
      news.notices.push_back("Not saved: " + file->path +
                             " was changed by hand and is broken; mend it or delete it first");
      return;
    }
    if (file != nullptr && !folders_[0].files.empty() && file == &folders_[0].files[i * kFilesASound])
      folder = &folders_[0];
    const std::string text =
        content::format_sound(entries_[i].def, file != nullptr ? std::string_view(file->text) : std::string_view{});
    std::string path = folder->path + "/" + name;
    std::string wrong = content::keep_text(path, text);
    // The program's own folder may be read-only: save into the user's folder instead.
    if (!wrong.empty() && folder == &folders_[1] && !folders_[0].path.empty()) {
      path = folders_[0].path + "/" + name;
      const std::string no_folder = platform::make_folder(folders_[0].path);
      wrong = no_folder.empty() ? content::keep_text(path, text) : no_folder;
    }
    if (wrong.empty()) {
      entries_[i].filed = entries_[i].def;
      news.changed.emplace_back(i, shown(i));
    }
    news.notices.push_back(wrong.empty() ? "Saved " + path : std::move(wrong));
  }

  std::array<u64, frame::kSoundCount> edits() const {
    std::array<u64, frame::kSoundCount> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = entries_[i].edits;
    return all;
  }

  u32 rate_hz() const { return rate_hz_; }
  bool has_read() const { return read_; }
  bool is_stale() const {
    return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.stale; });
  }
  /// Renders `most` of what is stale, at a new rate everything is; a sound that was never rendered is silent until
  /// then. Null if nothing was stale.
  std::shared_ptr<const audio::SoundBank> render(u32 rate_hz, std::size_t most = frame::kSoundCount) {
    if (rate_hz != rate_hz_) {
      for (Entry& entry : entries_) {
        entry.stale = true;
        entry.sound = nullptr;
      }
    }
    rate_hz_ = rate_hz;
    bool any = false;
    audio::SoundBank::Sounds sounds;
    for (std::size_t i = 0; i < frame::kSoundCount; ++i) {
      Entry& entry = entries_[i];
      any = any || entry.stale;
      if (entry.stale && most > 0) {
        entry.sound = make(i);
        entry.stale = false;
        --most;
      }
      if (!entry.sound) entry.sound = silence(i);
      sounds[i] = entry.sound;
    }
    if (!is_stale()) renderer_ = {};  // its memory is as large as the longest sound
    return any ? std::make_shared<const audio::SoundBank>(rate_hz, std::move(sounds)) : nullptr;
  }

 private:
  struct File {
    enum class State : u8 { Missing, Good, Bad };
    State state = State::Missing;
    std::string path, text, error;
    SoundDef def;                                           ///< Good recipes.
    std::shared_ptr<const content::Recording> recording;    ///< Good recordings.
  };
  struct Folder {
    std::string path;
    std::optional<platform::FileScan> scan;
    std::vector<File> files;  ///< kFilesASound for each sound: its recipe, then its recordings.
  };
  struct Entry {
    SoundDef def, filed;
    std::shared_ptr<const content::Recording> recording;
    std::string recording_path;
    u64 edits = 0;
    bool stale = true;
    std::shared_ptr<const audio::Sound> sound;
  };

  static std::vector<fs::path> paths_of(const std::string& folder) {
    std::vector<fs::path> paths;
    for (const frame::SoundName& row : frame::kSounds) {
      const std::string stem = folder + "/" + std::string(row.name);
      paths.emplace_back(stem + ".toml");
      for (const std::string_view ending : content::kRecordingEndings) paths.emplace_back(stem + std::string(ending));
    }
    return paths;
  }

  static void take_file(File& file, platform::FileChange& change, bool is_recipe) {
    file = {};
    file.path = change.path.string();
    if (change.missing) return;
    file.state = File::State::Bad;
    file.error = std::move(change.error);
    if (!file.error.empty()) return;
    if (is_recipe) {
      content::SoundFileResult read = content::parse_sound(change.text, file.path);
      file.error = std::move(read.error);
      file.text = std::move(change.text);
      if (!read.sound) return;
      file.def = std::move(*read.sound);
    } else {
      content::RecordingResult read = content::parse_recording(change.text, file.path);
      file.error = std::move(read.error);
      if (!read.recording) return;
      file.recording = std::make_shared<const content::Recording>(std::move(*read.recording));
    }
    file.state = File::State::Good;
  }

  const File* recipe_in_use(std::size_t i) const {
    for (const Folder& folder : folders_) {
      if (!folder.files.empty() && folder.files[i * kFilesASound].state != File::State::Missing)
        return &folder.files[i * kFilesASound];
    }
    return nullptr;
  }
  const File* recording_in_use(std::size_t i) const {
    for (const Folder& folder : folders_) {
      for (std::size_t k = 1; k < kFilesASound && !folder.files.empty(); ++k) {
        if (folder.files[i * kFilesASound + k].state != File::State::Missing)
          return &folder.files[i * kFilesASound + k];
      }
    }
    return nullptr;
  }

  /// What the files say now; a bad one leaves what was.
  void choose(std::size_t i, SoundLibrary::News& news) {
    Entry& entry = entries_[i];
    const SoundId id = static_cast<SoundId>(i);
    bool changed = !read_;
    std::string read_again;
    const File* recipe = recipe_in_use(i);
    if (recipe == nullptr || recipe->state == File::State::Good || !read_) {
      const SoundDef& def =
          recipe != nullptr && recipe->state == File::State::Good ? recipe->def : content::builtin_sound(id);
      if (entry.filed != def || !read_) {
        if (entry.def != def) {
          entry.stale = true;
          read_again = recipe != nullptr ? recipe->path
                                         : std::string(frame::kSounds[i].name) + ".toml is gone: the built-in sound";
        }
        entry.def = entry.filed = def;
        changed = true;
      }
    }
    const File* recording = recording_in_use(i);
    if (recording == nullptr || recording->state == File::State::Good) {
      auto samples = recording != nullptr ? recording->recording : nullptr;
      if (samples != entry.recording) {
        entry.recording = std::move(samples);
        entry.recording_path = recording != nullptr ? recording->path : std::string{};
        entry.stale = changed = true;
        read_again =
            recording != nullptr ? recording->path : std::string(frame::kSounds[i].name) + ": the recipe again";
      }
    }
    if (!changed) return;
    news.changed.emplace_back(i, shown(i));
    if (read_ && !read_again.empty()) {
      news.notices.push_back(read_again.find('/') == std::string::npos
                                 ? read_again
                                 : "Read " + fs::path(read_again).filename().string() + " again");
    }
  }

  SoundLibrary::Shown shown(std::size_t i) const {
    const Entry& entry = entries_[i];
    return {entry.def, entry.filed, entry.recording_path, entry.edits};
  }

  std::vector<std::string> errors() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < frame::kSoundCount; ++i) {
      for (const File* file : {recipe_in_use(i), recording_in_use(i)}) {
        if (file != nullptr && file->state == File::State::Bad) lines.push_back(file->error);
      }
    }
    return lines;
  }

  std::shared_ptr<const audio::Sound> silence(std::size_t i) const {
    const SoundDef& def = entries_[i].def;
    audio::Samples samples;
    samples.left.resize(audio::Sound::kTableStepFrames);
    return std::make_shared<const audio::Sound>(samples, rate_hz_, def.degree, def.fixed_pitch, def.traits);
  }

  std::shared_ptr<const audio::Sound> make(std::size_t i) {
    const Entry& entry = entries_[i];
    const SoundId id = static_cast<SoundId>(i);
    if (!entry.recording) return renderer_.make_sound(entry.def, id, rate_hz_);
    audio::Samples samples;
    samples.left = audio::resample(entry.recording->left, entry.recording->rate_hz, rate_hz_);
    samples.right = audio::resample(entry.recording->right, entry.recording->rate_hz, rate_hz_);
    for (std::vector<float>* side : {&samples.left, &samples.right}) fade_end(*side, rate_hz_);
    return std::make_shared<const audio::Sound>(samples, rate_hz_, entry.def.degree, entry.def.fixed_pitch,
                                                entry.def.traits);
  }

  std::array<Folder, 2> folders_;  ///< The player's own first.
  std::array<Entry, frame::kSoundCount> entries_;
  audio::RecipeRenderer renderer_;
  u32 rate_hz_ = 0;
  bool read_ = false;
};

SoundLibrary::SoundLibrary(Folders folders) : workshop_(std::make_unique<SoundWorkshop>(std::move(folders))) {
  for (std::size_t i = 0; i < frame::kSoundCount; ++i)
    shown_[i].def = shown_[i].filed = content::builtin_sound(static_cast<SoundId>(i));
}

SoundLibrary::~SoundLibrary() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    orders_.stop = true;
  }
  wake_.notify_one();
  thread_.join();
}

std::shared_ptr<const audio::SoundBank> SoundLibrary::bank(u32 rate_hz) {
  if (bank_ && bank_->sample_rate_hz() == rate_hz) return bank_;
  if (!thread_.joinable()) {
    News news;
    if (!renders_gradually_) workshop_->read(news);
    news.bank = workshop_->render(rate_hz, renders_gradually_ ? 0 : frame::kSoundCount);
    take(news);
    return bank_;
  }
  want_rate(rate_hz);
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      told_.wait(lock, [this] { return is_news_.load(std::memory_order_relaxed); });
    }
    update();
    if (bank_ && bank_->sample_rate_hz() == rate_hz) return bank_;
  }
}

void SoundLibrary::watch() {
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    works_in_update_ = true;
  }
}

bool SoundLibrary::update() {
  if (works_in_update_ && orders_.any) {
    u32 rate_hz = workshop_->rate_hz();
    carry_out(std::exchange(orders_, {}), rate_hz, false);
  }
  if (renders_gradually_ && works_in_update_) render_one();
  if (!is_news_.load(std::memory_order_acquire)) return false;
  News news;
  {
    const std::lock_guard lock(mutex_);
    std::swap(news, news_);
    is_news_.store(false, std::memory_order_relaxed);
  }
  const bool other = news.bank != nullptr;
  take(news);
  return other;
}

/// The sound that is next, after the files were read. A bank is given out for several of them.
void SoundLibrary::render_one() {
  constexpr u32 kSoundsABank = 8;
  if (!workshop_->is_stale()) return;
  News news;
  if (!workshop_->has_read()) {
    workshop_->read(news);
    return publish(std::move(news));
  }
  news.bank = workshop_->render(workshop_->rate_hz(), 1);
  if (++rendered_count_ % kSoundsABank == 0 || !workshop_->is_stale()) publish(std::move(news));
}

void SoundLibrary::take(News& news) {
  if (news.bank) bank_ = std::move(news.bank);
  if (news.rendered) rendered_ = *news.rendered;
  for (auto& [i, now] : news.changed) {
    const u64 edits = shown_[i].edits;
    if (now.edits < edits) now.def = shown_[i].def;  // Edited since: the edit is on its way.
    now.edits = edits;
    shown_[i] = std::move(now);
  }
  if (news.errors) errors_ = std::move(*news.errors);
  for (std::string& line : news.notices) notices_.push_back(std::move(line));
}

void SoundLibrary::want_rate(u32 rate_hz) {
  {
    const std::lock_guard lock(mutex_);
    orders_.rate_hz = rate_hz;
    orders_.any = true;
  }
  wake_.notify_one();
}

std::string SoundLibrary::set_def(SoundId id, const SoundDef& def) {
  if (def == shown_[index(id)].def) return {};
  // A file may not say everything that a struct can hold: what cannot be saved is not played either.
  const std::string name = std::string(frame::kSounds[index(id)].name) + ".toml";
  content::SoundFileResult read = content::parse_sound(content::format_sound(def), name);
  if (!read.sound) return "not played, not saved: " + read.error;
  Shown& shown = shown_[index(id)];
  shown.def = def;
  ++shown.edits;
  {
    const std::lock_guard lock(mutex_);
    orders_.edits[index(id)] = std::pair{def, shown.edits};
    orders_.any = true;
  }
  wake_.notify_one();
  return {};
}

void SoundLibrary::save(SoundId id) {
  {
    const std::lock_guard lock(mutex_);
    orders_.saves[index(id)] = true;
    orders_.any = true;
  }
  wake_.notify_one();
}

std::vector<std::string> SoundLibrary::take_notices() { return std::exchange(notices_, {}); }

void SoundLibrary::publish(News news) {
  {
    const std::lock_guard lock(mutex_);
    if (news.bank) news_.bank = std::move(news.bank);
    if (news.rendered) news_.rendered = news.rendered;
    for (auto& changed : news.changed) news_.changed.push_back(std::move(changed));
    if (news.errors) news_.errors = std::move(news.errors);
    for (std::string& line : news.notices) news_.notices.push_back(std::move(line));
    is_news_.store(true, std::memory_order_release);
  }
  told_.notify_one();
}

void SoundLibrary::run() {
  u32 rate_hz = workshop_->rate_hz();
  // A rate of 0 means that no file was read yet: read them at once.
  auto next_look = std::chrono::steady_clock::now() + (rate_hz != 0 ? kPause : kPause * 0);
  for (;;) {
    Orders orders;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, next_look, [this] { return orders_.any || orders_.stop; });
      std::swap(orders, orders_);
    }
    const bool looks = std::chrono::steady_clock::now() >= next_look;
    if (!carry_out(orders, rate_hz, looks)) return;
    if (looks) next_look = std::chrono::steady_clock::now() + kPause;
  }
}

/// Edits, saves, reads the files if `looks`, and renders at the rate that is asked for. False: the orders are to stop.
bool SoundLibrary::carry_out(const Orders& orders, u32& rate_hz, bool looks) {
  News news;
  bool edited = false;
  if (orders.rate_hz != 0) rate_hz = orders.rate_hz;
  for (std::size_t i = 0; i < frame::kSoundCount; ++i) {
    if (orders.edits[i]) workshop_->edit(i, orders.edits[i]->first, orders.edits[i]->second);
    edited = edited || orders.edits[i];
    if (orders.saves[i]) workshop_->save(i, news);
  }
  if (orders.stop) return false;
  if (looks) workshop_->read(news);
  if (rate_hz != 0) news.bank = workshop_->render(rate_hz);
  if (edited) news.rendered = workshop_->edits();  // Also when there was nothing new to render.
  if (news.bank || news.rendered || !news.changed.empty() || news.errors || !news.notices.empty())
    publish(std::move(news));
  return true;
}

SoundLibrary::Folders sound_folders(const std::string& data_dir, Own own) {
  SoundLibrary::Folders folders{data_dir + "/assets/sounds", {}};
  const platform::PathResult data = platform::user_data_folder();
  if (own == Own::Yes && data.error.empty()) folders.own = (data.path / "sounds").string();
  return folders;
}

}  // namespace spellpool::app
