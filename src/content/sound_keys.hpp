#pragma once
// The keys of a sound file: the sound's own, [voice], and those of each [[tone]] and [[noise]]. Reading, writing, range checks, "did you
// mean" and the tables of docs/sounds.md are all made from these rows.
#include <array>

#include "content/file_key.hpp"
#include "frame/sound_def.hpp"

namespace spellpool::content {

using SoundKey = FileKey<frame::SoundDef, float frame::SoundDef::*, i32 frame::SoundDef::*, bool frame::SoundDef::*>;
using VoiceKey = FileKey<frame::SoundTraits, frame::SoundGroup frame::SoundTraits::*, u8 frame::SoundTraits::*, bool frame::SoundTraits::*,
                         u16 frame::SoundTraits::*>;
using ToneKey = FileKey<frame::ToneDef, float frame::ToneDef::*, frame::Wave frame::ToneDef::*>;
using NoiseKey = FileKey<frame::NoiseDef, float frame::NoiseDef::*>;

inline constexpr std::array kSoundKeys = {
    SoundKey{"length_s", &frame::SoundDef::length_s, 0.05, 8, true, "of the whole sound; what still rings then fades in 20 ms"},
    SoundKey{"degree", &frame::SoundDef::degree, -10, 30, false, "note of the scale A C D E G that the tones stand on; 0 is A2 = 110 Hz, 5 the A above"},
    SoundKey{"peak", &frame::SoundDef::peak, 0.001, 1, false, "of the finished sound, linear"},
    SoundKey{"width", &frame::SoundDef::width, 0, 1, false, "0: mono; 1: layers lie as far aside as their `pan` says"},
    SoundKey{"fixed_pitch", &frame::SoundDef::fixed_pitch, 0, 0, false, "the game does not move its pitch: its notes may be any of the scale"},
};

inline constexpr std::array kVoiceKeys = {
    VoiceKey{"group", &frame::SoundTraits::group, 0, 0, false, "`effects`, `music` or `interface`: what is turned up and down together"},
    VoiceKey{"priority", &frame::SoundTraits::priority, 0, 3, false, "a voice of a lower priority gives way first"},
    VoiceKey{"kept", &frame::SoundTraits::kept, 0, 0, false, "never stolen, never made virtual"},
    VoiceKey{"most_at_once", &frame::SoundTraits::most_at_once, 0, 4096, false, "voices of this sound; 0: no limit"},
    VoiceKey{"retrigger_ms", &frame::SoundTraits::retrigger_ms, 0, 1000, false, "starts within so long of the last are heard as one, the louder"},
};

inline constexpr std::array kToneKeys = {
    ToneKey{"amplitude", &frame::ToneDef::amplitude, 0, 1, false, "peak of this layer among the others"},
    ToneKey{"pan", &frame::ToneDef::pan, -1, 1, false, "−1 left, 1 right, times `width`"},
    ToneKey{"semitones", &frame::ToneDef::semitones, -48, 60, false, "above the sound's degree"},
    ToneKey{"partial", &frame::ToneDef::partial, 0.1, 16, false, "factor on that frequency: an overtone, or a little beside the note"},
    ToneKey{"start_s", &frame::ToneDef::start_s, 0, 8, false, "silent before"},
    ToneKey{"attack_s", &frame::ToneDef::attack_s, 0, 8, false, "rise, a raised cosine"},
    ToneKey{"hold_s", &frame::ToneDef::hold_s, 0, 8, false, "at full level"},
    ToneKey{"decay_s", &frame::ToneDef::decay_s, 0.001, 20, false, "time to fall by 60 dB"},
    ToneKey{"wave", &frame::ToneDef::wave, 0, 0, false, "`sine`, `triangle`, `saw`, `square` or `fm`"},
    ToneKey{"glide_semitones", &frame::ToneDef::glide_semitones, -60, 60, false, "off the note at the start …"},
    ToneKey{"glide_s", &frame::ToneDef::glide_s, 0, 8, false, "… and eased to it for so long"},
    ToneKey{"fm_ratio", &frame::ToneDef::fm_ratio, 0.05, 16, false, "`fm`: the modulator's frequency over the note's"},
    ToneKey{"fm_index", &frame::ToneDef::fm_index, 0, 20, false, "`fm`: brightness, radians; it falls with the level"},
    ToneKey{"tremolo_hz", &frame::ToneDef::tremolo_hz, 0, 100, false, "trembles so often …"},
    ToneKey{"tremolo_depth", &frame::ToneDef::tremolo_depth, 0, 1, false, "… by this share of its level"},
};

inline constexpr std::array kNoiseKeys = {
    NoiseKey{"amplitude", &frame::NoiseDef::amplitude, 0, 1, false, "peak of this layer among the others"},
    NoiseKey{"pan", &frame::NoiseDef::pan, -1, 1, false, "−1 left, 1 right, times `width`"},
    NoiseKey{"start_s", &frame::NoiseDef::start_s, 0, 8, false, "silent before"},
    NoiseKey{"attack_s", &frame::NoiseDef::attack_s, 0, 8, false, "rise, a raised cosine"},
    NoiseKey{"hold_s", &frame::NoiseDef::hold_s, 0, 8, false, "at full level"},
    NoiseKey{"decay_s", &frame::NoiseDef::decay_s, 0.001, 20, false, "time to fall by 60 dB"},
    NoiseKey{"from_hz", &frame::NoiseDef::from_hz, 20, 20000, false, "centre of its band, sweeping evenly in octaves …"},
    NoiseKey{"to_hz", &frame::NoiseDef::to_hz, 20, 20000, false, "… over attack, hold and a third of the decay"},
    NoiseKey{"resonance", &frame::NoiseDef::resonance, 0.3, 20, false, "0.5 broad, 8 whistling"},
    NoiseKey{"crackles_per_s", &frame::NoiseDef::crackles_per_s, 0, 5000, false, "single impulses; 0: a hiss"},
};

}  // namespace spellpool::content
