#pragma once
// The keys of a sound file: the sound's own, [voice], and those of each [[tone]] and [[noise]]. Reading, writing,
// range checks, "did you mean", the tables of docs/sounds.md and what may be typed into the sound editor are all made
// from these rows.
#include <array>

#include "frame/defs/file_key.hpp"
#include "frame/defs/sound_def.hpp"

namespace spellpool::frame {

using SoundKey = FileKey<SoundDef, float SoundDef::*, i32 SoundDef::*, bool SoundDef::*>;
using VoiceKey =
    FileKey<SoundTraits, SoundGroup SoundTraits::*, u8 SoundTraits::*, bool SoundTraits::*, u16 SoundTraits::*>;
using ToneKey = FileKey<ToneDef, float ToneDef::*, Wave ToneDef::*>;
using NoiseKey = FileKey<NoiseDef, float NoiseDef::*>;

inline constexpr std::array kSoundKeys = {
    SoundKey{"length_s", &SoundDef::length_s, 0.05, 8, true, "length of the whole sound; what is left then fades out in 20 ms"},
    SoundKey{"degree", &SoundDef::degree, -10, 30, false, "reference note of the tones, in the scale A C D E G; 0 is A2 = 110 Hz, 5 the A above"},
    SoundKey{"peak", &SoundDef::peak, 0.001, 1, false, "peak of the finished sound, linear"},
    SoundKey{"width", &SoundDef::width, 0, 1, false, "stereo width, a factor on each layer's `pan`; 0: mono"},
    SoundKey{"fixed_pitch", &SoundDef::fixed_pitch, 0, 0, false, "the game does not transpose it, so its notes may be any of the scale"},
};

inline constexpr std::array kVoiceKeys = {
    VoiceKey{"group", &SoundTraits::group, 0, 0, false, "`effects`, `music` or `interface`: volume group"},
    VoiceKey{"priority", &SoundTraits::priority, 0, 3, false, "voices of lower priority are stolen first"},
    VoiceKey{"kept", &SoundTraits::kept, 0, 0, false, "never stolen, never made virtual"},
    VoiceKey{"own", &SoundTraits::own, 0, 0, false, "the player's own: never rejected, it takes the slot of what ranks lowest"},
    VoiceKey{"most_at_once", &SoundTraits::most_at_once, 0, 4096, false, "maximum number of voices of this sound; 0: no limit"},
    VoiceKey{"retrigger_ms", &SoundTraits::retrigger_ms, 0, 1000, false, "a start within this time of the last one is merged with it; the louder one plays"},
};

inline constexpr std::array kToneKeys = {
    ToneKey{"amplitude", &ToneDef::amplitude, 0, 1, false, "peak of this layer among the others"},
    ToneKey{"pan", &ToneDef::pan, -1, 1, false, "−1 left, 1 right, times `width`"},
    ToneKey{"semitones", &ToneDef::semitones, -48, 60, false, "above the sound's degree"},
    ToneKey{"partial", &ToneDef::partial, 0.1, 16, false, "factor on that frequency: an overtone or a detune"},
    ToneKey{"start_s", &ToneDef::start_s, 0, 8, false, "start of the layer"},
    ToneKey{"attack_s", &ToneDef::attack_s, 0, 8, false, "rise, a raised cosine"},
    ToneKey{"hold_s", &ToneDef::hold_s, 0, 8, false, "at full level"},
    ToneKey{"decay_s", &ToneDef::decay_s, 0.001, 20, false, "time to fall by 60 dB"},
    ToneKey{"wave", &ToneDef::wave, 0, 0, false, "`sine`, `triangle`, `saw`, `square` or `fm`"},
    ToneKey{"glide_semitones", &ToneDef::glide_semitones, -60, 60, false, "initial offset from the note …"},
    ToneKey{"glide_s", &ToneDef::glide_s, 0, 8, false, "… and time to reach the note"},
    ToneKey{"fm_ratio", &ToneDef::fm_ratio, 0.05, 16, false, "`fm`: ratio of the modulator's frequency to the note's"},
    ToneKey{"fm_index", &ToneDef::fm_index, 0, 20, false, "`fm`: brightness, radians; it falls with the level"},
    ToneKey{"tremolo_hz", &ToneDef::tremolo_hz, 0, 100, false, "tremolo rate …"},
    ToneKey{"tremolo_depth", &ToneDef::tremolo_depth, 0, 1, false, "… and depth, as a share of the level"},
};

inline constexpr std::array kNoiseKeys = {
    NoiseKey{"amplitude", &NoiseDef::amplitude, 0, 1, false, "peak of this layer among the others"},
    NoiseKey{"pan", &NoiseDef::pan, -1, 1, false, "−1 left, 1 right, times `width`"},
    NoiseKey{"start_s", &NoiseDef::start_s, 0, 8, false, "start of the layer"},
    NoiseKey{"attack_s", &NoiseDef::attack_s, 0, 8, false, "rise, a raised cosine"},
    NoiseKey{"hold_s", &NoiseDef::hold_s, 0, 8, false, "at full level"},
    NoiseKey{"decay_s", &NoiseDef::decay_s, 0.001, 20, false, "time to fall by 60 dB"},
    NoiseKey{"from_hz", &NoiseDef::from_hz, 20, 20000, false, "centre of the band at the start, sweeping evenly in octaves …"},
    NoiseKey{"to_hz", &NoiseDef::to_hz, 20, 20000, false, "… to this one, over attack, hold and a third of the decay"},
    NoiseKey{"resonance", &NoiseDef::resonance, 0.3, 20, false, "0.5 broad, 8 whistling"},
    NoiseKey{"crackles_per_s", &NoiseDef::crackles_per_s, 0, 5000, false, "rate of single impulses; 0: continuous noise"},
};

}  // namespace spellpool::frame
