#pragma once
// The programs that the renderer draws with, one row each in kPrograms, made from the files of shaders/.
//
// A file has no #version line: it is added at load (GLSL 3.30, or ES 3.00 under WebGL and GLES). `#include "x.glsl"` on
// a line of its own puts another file there. What a program is made of comes from the folder on disk; when a file is
// missing or does not compile, the last good program stays, at first the one built in, and warning() says which file,
// line and reason. No throw; nothing here runs in a steady frame.
#include <array>
#include <string>
#include <string_view>

#include "core/enum_table.hpp"
#include "render/gl/gl.hpp"

namespace spellpool::render {

enum class ProgramId : u8 {
  RuneStrip,
  GroundHeight,
  GroundStone,
  GroundSky,
  GardenHeight,
  GardenStone,
  GardenSky,
  Surround,
  Light,
  RuneLit,
  Dust,
  Particle,
  Bullet,
  Mage,
  Dummy,
  Crystal,
  Bolt,
  NovaRing,
  VortexCore,
  Reticle,
  Wisp,
  Arc,
  Mark,
  Meteor,
  ShockRing,
  Aura,
  Star,
  Seeker,
  Pillar,
  Ship,
  Hitbox,
  Lantern,
  Firefly,
  Umbrella,
  Crane,
  Drum,
  Carp,
  MothHeart,
  MothWing,
  Pickup,
  Beam,
  RingGlow,
  BloomGather,
  BloomShrink,
  BloomSpread,
  BloomJoin,
  BloomJoinFinale,
  Night,
  NightFinale,
  Composite,
  CompositeShifted,
  CompositeBent,
  CompositeBentShifted,
  CompositeGarden,
  CompositeGardenShifted,
  Trail,
};

/// When a program is made: at the start of the library, or when a program of the shooter is first needed.
enum class MadeFor : u8 { Start, Shooter };

struct ProgramRow {
  ProgramId id;
  std::string_view vertex;
  std::string_view fragment;
  std::string_view defines;  ///< Names that are defined while compiling, with a space between.
  MadeFor made_for = MadeFor::Start;
};

inline constexpr std::array kPrograms = {
    ProgramRow{ProgramId::RuneStrip, "screen.vert", "rune_strip.frag", ""},
    ProgramRow{ProgramId::GroundHeight, "ground.vert", "ground_height.frag", ""},
    ProgramRow{ProgramId::GroundStone, "ground.vert", "ground_stone.frag", ""},
    ProgramRow{ProgramId::GroundSky, "ground.vert", "ground_sky.frag", ""},
    ProgramRow{ProgramId::GardenHeight, "ground.vert", "garden_height.frag", ""},
    ProgramRow{ProgramId::GardenStone, "ground.vert", "garden_stone.frag", ""},
    ProgramRow{ProgramId::GardenSky, "ground.vert", "garden_sky.frag", ""},
    ProgramRow{ProgramId::Surround, "screen.vert", "surround.frag", ""},
    ProgramRow{ProgramId::Light, "light.vert", "light.frag", ""},
    ProgramRow{ProgramId::RuneLit, "rune.vert", "rune.frag", ""},
    ProgramRow{ProgramId::Dust, "dust.vert", "dust.frag", ""},
    ProgramRow{ProgramId::Particle, "particle.vert", "particle.frag", ""},
    ProgramRow{ProgramId::Bullet, "bullet.vert", "bullet.frag", ""},
    ProgramRow{ProgramId::Mage, "sprite.vert", "mage.frag", ""},
    ProgramRow{ProgramId::Dummy, "sprite.vert", "dummy.frag", ""},
    ProgramRow{ProgramId::Crystal, "sprite.vert", "crystal.frag", ""},
    ProgramRow{ProgramId::Bolt, "sprite.vert", "bolt.frag", ""},
    ProgramRow{ProgramId::NovaRing, "band.vert", "nova_ring.frag", ""},
    ProgramRow{ProgramId::VortexCore, "vortex_core.vert", "vortex_core.frag", ""},
    ProgramRow{ProgramId::Reticle, "sprite.vert", "reticle.frag", ""},
    ProgramRow{ProgramId::Wisp, "sprite.vert", "wisp.frag", ""},
    ProgramRow{ProgramId::Arc, "arc.vert", "arc.frag", ""},
    ProgramRow{ProgramId::Mark, "disc.vert", "mark.frag", ""},
    ProgramRow{ProgramId::Meteor, "flying.vert", "meteor.frag", ""},
    ProgramRow{ProgramId::ShockRing, "band.vert", "shock_ring.frag", ""},
    ProgramRow{ProgramId::Aura, "disc.vert", "aura.frag", ""},
    ProgramRow{ProgramId::Star, "flying.vert", "star.frag", ""},
    ProgramRow{ProgramId::Seeker, "flying.vert", "seeker.frag", ""},
    ProgramRow{ProgramId::Pillar, "pillar.vert", "pillar.frag", ""},
    ProgramRow{ProgramId::Ship, "sprite.vert", "ship.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Hitbox, "sprite.vert", "hitbox.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Lantern, "sprite.vert", "lantern.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Firefly, "flying.vert", "firefly.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Umbrella, "sprite.vert", "umbrella.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Crane, "flying.vert", "crane.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Drum, "sprite.vert", "drum.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Carp, "flying.vert", "carp.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::MothHeart, "sprite.vert", "moth_heart.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::MothWing, "flying.vert", "moth_wing.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Pickup, "sprite.vert", "pickup.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Beam, "beam.vert", "beam.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::RingGlow, "ring_glow.vert", "ring_glow.frag", ""},
    ProgramRow{ProgramId::BloomGather, "screen.vert", "bloom_gather.frag", ""},
    ProgramRow{ProgramId::BloomShrink, "screen.vert", "bloom_shrink.frag", ""},
    ProgramRow{ProgramId::BloomSpread, "screen.vert", "bloom_spread.frag", ""},
    ProgramRow{ProgramId::BloomJoin, "screen.vert", "night.frag", "BLOOM"},
    ProgramRow{ProgramId::BloomJoinFinale, "screen.vert", "night.frag", "BLOOM FINALE"},
    ProgramRow{ProgramId::Night, "screen.vert", "night.frag", ""},
    ProgramRow{ProgramId::NightFinale, "screen.vert", "night.frag", "FINALE"},
    ProgramRow{ProgramId::Composite, "composite.vert", "composite.frag", ""},
    ProgramRow{ProgramId::CompositeShifted, "composite.vert", "composite.frag", "SHIFTED"},
    ProgramRow{ProgramId::CompositeBent, "composite.vert", "composite.frag", "BENT"},
    ProgramRow{ProgramId::CompositeBentShifted, "composite.vert", "composite.frag", "BENT SHIFTED"},
    ProgramRow{ProgramId::CompositeGarden, "composite.vert", "composite.frag", "GARDEN"},
    ProgramRow{ProgramId::CompositeGardenShifted, "composite.vert", "composite.frag", "GARDEN SHIFTED"},
    ProgramRow{ProgramId::Trail, "screen.vert", "trail.frag", ""},
};
inline constexpr std::size_t kProgramCount = kPrograms.size();
static_assert(rows_in_order(kPrograms));

/// Texture units by the name that shaders give the sampler.
enum class TextureUnit : u8 { Source, Stone, Light, Bloom, Noise, Sky, Runes };
struct SamplerRow {
  TextureUnit id;
  const char* name;
};
inline constexpr std::array kSamplers = {
    SamplerRow{TextureUnit::Source, "u_source"}, SamplerRow{TextureUnit::Stone, "u_stone"},
    SamplerRow{TextureUnit::Light, "u_light"},   SamplerRow{TextureUnit::Bloom, "u_bloom"},
    SamplerRow{TextureUnit::Noise, "u_noise"},   SamplerRow{TextureUnit::Sky, "u_sky"},
    SamplerRow{TextureUnit::Runes, "u_runes"},
};
static_assert(rows_in_order(kSamplers));
inline constexpr GLuint kFrameBlockBinding = 0;

class ShaderLibrary {
 public:
  /// Needs a current context. `folder` may be "" (built-in shaders only).
  explicit ShaderLibrary(std::string folder);
  ~ShaderLibrary();
  ShaderLibrary(const ShaderLibrary&) = delete;
  ShaderLibrary& operator=(const ShaderLibrary&) = delete;

  /// Makes every program but the shooter's from the built-in texts, then from disk. False, with the reason in warning(),
  /// if a built-in one does not compile: then nothing can be drawn.
  bool start();
  /// Makes the shooter's programs too, the same way, once; a dozen programs take about as long as a window takes to open, so
  /// that a game of spells does without. False as above: then they draw nothing.
  bool ready_shooter();
  bool has(ProgramId id) const { return programs_[static_cast<std::size_t>(id)].id != 0; }
  /// Reads the folder again. True if every file was good; otherwise the bad programs stay as they were.
  bool reload();
  /// "" when all is well, else one line: file:line: reason; what is used instead.
  std::string_view warning() const { return warning_; }

  /// Makes the program current.
  void use(ProgramId id) const { glUseProgram(programs_[static_cast<std::size_t>(id)].id); }
  /// Sets `u_step` of the current program `id`: four numbers whose meaning its shader tells.
  void set_step(ProgramId id, float x, float y = 0, float z = 0, float w = 0) const {
    glUniform4f(programs_[static_cast<std::size_t>(id)].step, x, y, z, w);
  }

 private:
  struct Program {
    GLuint id = 0;
    GLint step = -1;
  };
  bool make(const ProgramRow& row, bool from_disk, Program& out, std::string& problem) const;
  bool compile(GLenum stage, std::string_view name, std::string_view defines, bool from_disk, GLuint& shader,
               std::string& problem) const;
  bool text_of(std::string_view name, bool from_disk, std::string& text, std::string& problem) const;
  bool wanted(const ProgramRow& row) const { return row.made_for == MadeFor::Start || shooter_; }
  bool make_built_in(MadeFor which);
  bool folder_is_as_built() const;
  static void free_program(Program& program);

  std::string folder_;
  std::string header_;
  std::string warning_;
  bool shooter_ = false;
  std::array<Program, kProgramCount> programs_{};
};

}  // namespace spellpool::render
