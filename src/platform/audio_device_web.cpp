// Sound in a browser: an AudioWorklet plays blocks that the page's only thread renders ahead, in update() and by a
// timer while a frame takes long. The worklet reports how much it has played. Browsers allow sound after the player's
// first key, click or touch.
#include <emscripten.h>

#include "platform/audio_device.hpp"
#include "platform/events.hpp"
#include "platform/sound_lead.hpp"

namespace spellpool::platform {
namespace {

constexpr int kBlock_frames = 512;
/// Of the context; the browser converts where the device has another one.
constexpr u32 kRate_hz = 48000;

/// What the timer's call finds.
struct Pump {
  AudioFunction fill = nullptr;
  void* context = nullptr;
  u32 rate_hz = 0;
  bool begun = false;
  SoundLead lead;
} g_pump;

EM_JS(int, page_has_audio, (), { return globalThis.AudioContext && globalThis.AudioWorkletNode ? 1 : 0; });

// Makes the context, which waits for a gesture, and the node; a browser takes a fifth of a second for its first context.
// 0: there is no device.
EM_JS(int, page_audio_start, (int rate_hz), {
  if (Module.audio) return 1;
  let context;
  try {
    context = new AudioContext({latencyHint: "interactive", sampleRate: rate_hz});
  } catch {
    return 0;
  }
  const audio = Module.audio = {context, node: null, sent: 0, played: 0, played_at_s: 0, underruns: 0, timer: 0};
  const wake = () => { if (!document.hidden) context.resume(); };
  for (const gesture of ["keydown", "pointerdown", "touchend"]) addEventListener(gesture, wake, {capture: true});
  document.addEventListener("visibilitychange", () => document.hidden ? context.suspend() : context.resume());
  audio.timer = setInterval(() => Module._spellpool_pump_audio(), 15);
  audio.context.audioWorklet.addModule("audio_worklet.js").then(() => {
    const node = new AudioWorkletNode(audio.context, "spellpool", {numberOfInputs: 0, outputChannelCount: [2]});
    node.port.onmessage = ({data}) => Object.assign(audio, data);
    node.connect(audio.context.destination);
    audio.node = node;
  }, (error) => console.error("no sound: " + error));
  return 1;
});

EM_JS(void, page_audio_close, (), {
  if (!Module.audio) return;
  clearInterval(Module.audio.timer);
  Module.audio.context.close();
  Module.audio = null;
});

// Frames that were sent and not played yet; -1: nothing is played now. The worklet's last report is as old as the
// frame that kept the page from reading a newer one: what was played since then is counted by the time.
EM_JS(int, page_audio_queued, (), {
  const audio = Module.audio;
  if (!audio || !audio.node || audio.context.state !== "running") return -1;
  const since = audio.played > 0 ? (audio.context.currentTime - audio.played_at_s) * audio.context.sampleRate : 0;
  const left = audio.sent - audio.played - Math.max(0, since);
  if (left < 0) {  // all was played; what is sent from now on begins now
    audio.played = audio.sent;
    audio.played_at_s = audio.context.currentTime;
  }
  return Math.max(0, left);
});

EM_JS(void, page_audio_send, (const float* samples, int frames), {
  const audio = Module.audio;
  const block = HEAPF32.slice(samples >> 2, (samples >> 2) + 2 * frames);
  audio.sent += frames;
  audio.node.port.postMessage(block, [block.buffer]);
});

}  // namespace

/// Renders until enough is ahead. Also called by the page's timer.
extern "C" EMSCRIPTEN_KEEPALIVE void spellpool_pump_audio() {
  if (g_pump.fill == nullptr) return;
  static float samples[2 * kBlock_frames];
  int queued = page_audio_queued();
  if (queued < 0 || !(g_pump.begun || g_pump.lead.may_begin())) return;
  if (g_pump.begun) g_pump.lead.set_rest(static_cast<double>(queued) / g_pump.rate_hz);
  g_pump.begun = true;
  const int wanted = static_cast<int>(g_pump.lead.lead_s() * g_pump.rate_hz);
  for (; queued < wanted; queued += kBlock_frames) {
    g_pump.fill(g_pump.context, samples, kBlock_frames);
    page_audio_send(samples, kBlock_frames);
  }
}

AudioDevice::AudioDevice(AudioFunction fill, void* context) : fill_(fill), context_(context) {}
AudioDevice::~AudioDevice() { close(); }

bool AudioDevice::open() {
  if (page_has_audio() == 0) {
    warning_ = "no sound: this browser has no AudioWorklet here (it needs https or localhost)";
    return false;
  }
  rate_hz_ = kRate_hz;
  block_frames_ = kBlock_frames;
  rate_known_ = true;
  warning_.clear();
  return true;
}

void AudioDevice::start() {
  started_ = true;
  if (!rate_known_) return;
  if (page_audio_start(kRate_hz) == 0) {
    rate_known_ = false;
    warning_ = "no sound: the browser opens no sound device";
    return;
  }
  g_pump.fill = fill_;
  g_pump.context = context_;
  g_pump.rate_hz = rate_hz_;
}

void AudioDevice::close() {
  if (g_pump.context == context_) g_pump = {};
  page_audio_close();
  device_ = 0;
}

void AudioDevice::update(const FrameEvents&, i64 now_ns) {
  g_pump.lead.begin_frame(now_ns);
  if (started_) spellpool_pump_audio();
  // Not open before the first block: the mixer would keep what is played until then, and play it all at once.
  device_ = started_ && g_pump.begun && page_audio_queued() >= 0 ? 1 : 0;
}

void AudioDevice::describe(std::string& text) const {
  if (!rate_known_) text.assign(warning_);
  else if (device_ == 0) text.assign("silent until a key or a click");
  else text = std::to_string(rate_hz_) + " Hz, " + std::to_string(block_frames_) + " frames";
}

}  // namespace spellpool::platform
