#pragma once
// All sounds: read from files, rendered for the device, and kept as the files are while the game runs.
//
// A sound is the first of these that is there:
//   OWN/NAME.wav .ogg .flac, SHIPPED/NAME.wav .ogg .flac   a player's own recording: replaces the samples; pitch and [voice] stay the recipe's
//   OWN/NAME.toml, SHIPPED/NAME.toml                        its recipe
//   the recipe that is built into the program               while there is no file, or none that was ever good
// A broken file gives one error line, and the last good sound stays in use.
//
// Threads  Before watch(), call from one thread at a time; bank() does its work on that thread. watch()
//          starts the sound thread, which from then on reads, renders and writes. The game thread makes the
//          other calls. It waits only in bank() at a new rate.
// Cost     bank(): reads 60 small files and renders 60 s of sound, a third of a second.
//          update(): one atomic load while nothing is new.
//          A changed sound: 5 ms for each second of it, on the sound thread. It starts at most a quarter of
//          a second after the file was saved.
#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "audio/sound_bank.hpp"
#include "frame/defs/sound_def.hpp"
#include "frame/defs/sound_id.hpp"

namespace spellpool::app {

class SoundWorkshop;

class SoundLibrary {
 public:
  struct Folders {
    std::string shipped;  ///< DATA_DIR/assets/sounds
    std::string own;      ///< The player's; "" for none. It need not exist.
  };

  explicit SoundLibrary(Folders folders);
  ~SoundLibrary();  ///< Waits for the sound that is being rendered and for what is being saved.
  SoundLibrary(const SoundLibrary&) = delete;
  SoundLibrary& operator=(const SoundLibrary&) = delete;

  /// The sounds at this rate, 8,000 … 192,000. At first, and at a new rate, it waits until they are rendered.
  std::shared_ptr<const audio::SoundBank> bank(u32 rate_hz);
  /// bank() returns at once from now on, with silent sounds; and where no thread can be made, the first update() after
  /// watch() reads the files, and each later one renders a sound.
  void render_gradually() { renders_gradually_ = true; }
  /// Starts the sound thread. From now on changed files are reloaded, and sounds can be edited and saved. Where no
  /// thread can be made, as in a browser, update() edits, renders and saves, and changed files are not noticed.
  void watch();
  /// Before each frame. True if bank(rate) is another than before.
  bool update();
  /// The bank at another rate comes by update().
  void want_rate(u32 rate_hz);

  /// The definition in use: the file's, or the edited one.
  const frame::SoundDef& def(frame::SoundId id) const { return shown_[index(id)].def; }
  /// As its file says; differs from def() while an edit is not saved.
  const frame::SoundDef& filed(frame::SoundId id) const { return shown_[index(id)].filed; }
  /// The recording that replaces the recipe's samples, or "".
  const std::string& recording(frame::SoundId id) const { return shown_[index(id)].recording; }
  /// Edits a sound without saving it. It is in use as soon as it is rendered. "", or an error line if a
  /// number is out of range; then nothing is changed.
  std::string set_def(frame::SoundId id, const frame::SoundDef& def);
  /// The bank has the sound as def() says.
  bool is_rendered(frame::SoundId id) const { return rendered_[index(id)] >= shown_[index(id)].edits; }
  /// Writes def(id) into its file. take_notices() reports the result.
  void save(frame::SoundId id);

  /// One line for each file that is broken now. take_notices() reports errors of edits and saves.
  const std::vector<std::string>& errors() const { return errors_; }
  /// What happened since the last call, for the player: "Read bomb.toml again", "Saved …".
  std::vector<std::string> take_notices();

 private:
  friend class SoundWorkshop;
  struct Shown {
    frame::SoundDef def, filed;
    std::string recording;
    u64 edits = 0;
  };
  /// Sound thread → game thread.
  struct News {
    std::shared_ptr<const audio::SoundBank> bank;
    std::vector<std::pair<std::size_t, Shown>> changed;
    std::optional<std::array<u64, frame::kSoundCount>> rendered;  ///< Edits that the bank has.
    std::optional<std::vector<std::string>> errors;
    std::vector<std::string> notices;
  };
  /// Game thread → sound thread.
  struct Orders {
    std::array<std::optional<std::pair<frame::SoundDef, u64>>, frame::kSoundCount> edits;
    std::array<bool, frame::kSoundCount> saves{};
    u32 rate_hz = 0;
    bool any = false, stop = false;
  };
  static std::size_t index(frame::SoundId id) { return static_cast<std::size_t>(id); }
  void run();
  bool carry_out(const Orders& orders, u32& rate_hz, bool looks);
  void publish(News news);
  void take(News& news);
  void render_one();

  std::unique_ptr<SoundWorkshop> workshop_;  ///< The sounds' thread's, once there is one.
  // The game's thread.
  std::array<Shown, frame::kSoundCount> shown_;
  std::array<u64, frame::kSoundCount> rendered_{};
  std::shared_ptr<const audio::SoundBank> bank_;
  std::vector<std::string> errors_, notices_;
  bool works_in_update_ = false;  ///< No thread could be made.
  bool renders_gradually_ = false;
  u32 rendered_count_ = 0;
  // Between. No lock is held while something is read, rendered or written.
  std::mutex mutex_;
  std::condition_variable wake_, told_;
  Orders orders_;
  News news_;
  std::atomic<bool> is_news_{false};
  std::thread thread_;
};

/// Whether a player's own sounds count.
enum class Own : u8 { No, Yes };
SoundLibrary::Folders sound_folders(const std::string& data_dir, Own own);

}  // namespace spellpool::app
