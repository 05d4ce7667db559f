#pragma once
// The programs that the renderer draws with, one row each in kPrograms, made from the files of shaders/. Those of the
// shooter's enemies come from frame::kEnemyKinds.
//
// A file has no #version line: it is added at load (GLSL 3.30, or ES 3.00 under WebGL and GLES). `#include "x.glsl"` on
// a line of its own puts another file there. What a program is made of comes from the folder on disk; when a file is
// missing or does not compile, the last good program stays, at first the one built in, and warning() says which file,
// line and reason. No throw; nothing here runs in a steady frame.
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/enum_table.hpp"
#include "frame/defs/enemy_kinds.hpp"
#include "render/gl/fence.hpp"
#include "render/gl/gl.hpp"

namespace spellpool::render {

enum class ProgramId : u8 {
  GroundHeight,
  GroundStone,
  GroundSky,
  GardenHeight,
  GardenStone,
  GardenSky,
  Surround,
  Light,
  Decal,
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
  MothWing,
  Pickup,
  Beam,
  Boulder,
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
  FirstEnemy,  ///< From here on one for each row of frame::kEnemyKinds.
};

/// Which programs are asked for together. A program costs 1 MB and up to a tenth of a second where no driver has it in its
/// cache.
enum class MadeFor : u8 {
  Ground,   ///< The arena's ground and its sky.
  Arena,    ///< The figures that stand there at the start.
  Spells,   ///< Those of its spells.
  Garden,   ///< The shooter's ground and its sky.
  Shooter,  ///< The shooter's figures.
  OpenGl,   ///< What the CPU renderer does itself.
};
inline constexpr std::size_t kMadeForCount = 6;

struct ProgramRow {
  ProgramId id;
  std::string_view vertex;
  std::string_view fragment;
  std::string_view defines;  ///< Names that are defined while compiling, with a space between.
  MadeFor made_for = MadeFor::Ground;  ///< No figure's (figures.hpp).
};

inline constexpr std::array kFixedPrograms = {
    ProgramRow{ProgramId::GroundHeight, "ground.vert", "ground_height.frag", ""},
    ProgramRow{ProgramId::GroundStone, "ground.vert", "ground_stone.frag", ""},
    ProgramRow{ProgramId::GroundSky, "ground.vert", "ground_sky.frag", ""},
    ProgramRow{ProgramId::GardenHeight, "garden.vert", "garden_height.frag", "", MadeFor::Garden},
    ProgramRow{ProgramId::GardenStone, "ground.vert", "garden_stone.frag", "", MadeFor::Garden},
    ProgramRow{ProgramId::GardenSky, "ground.vert", "garden_sky.frag", "", MadeFor::Garden},
    ProgramRow{ProgramId::Surround, "screen.vert", "surround.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::Light, "light.vert", "light.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::Decal, "decal.vert", "decal.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::RuneLit, "rune.vert", "rune.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::Dust, "dust.vert", "dust.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::Particle, "particle.vert", "particle.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::Bullet, "bullet.vert", "bullet.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::Mage, "sprite.vert", "mage.frag", "", MadeFor::Arena},
    ProgramRow{ProgramId::Dummy, "sprite.vert", "dummy.frag", "", MadeFor::Arena},
    ProgramRow{ProgramId::Crystal, "sprite.vert", "crystal.frag", "", MadeFor::Arena},
    ProgramRow{ProgramId::Bolt, "sprite.vert", "bolt.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::NovaRing, "band.vert", "nova_ring.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::VortexCore, "vortex_core.vert", "vortex_core.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::Reticle, "sprite.vert", "reticle.frag", "", MadeFor::Arena},
    ProgramRow{ProgramId::Wisp, "sprite.vert", "wisp.frag", "", MadeFor::Arena},
    ProgramRow{ProgramId::Arc, "arc.vert", "arc.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::Mark, "disc.vert", "mark.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::Meteor, "flying.vert", "meteor.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::ShockRing, "band.vert", "shock_ring.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::Aura, "disc.vert", "aura.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::Star, "flying.vert", "star.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::Seeker, "flying.vert", "seeker.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::Pillar, "pillar.vert", "pillar.frag", "", MadeFor::Spells},
    ProgramRow{ProgramId::Ship, "sprite.vert", "ship.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Hitbox, "sprite.vert", "hitbox.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::MothWing, "flying.vert", "moth_wing.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Pickup, "sprite.vert", "pickup.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Beam, "beam.vert", "beam.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::Boulder, "sprite.vert", "boulder.frag", "", MadeFor::Shooter},
    ProgramRow{ProgramId::RingGlow, "ring_glow.vert", "ring_glow.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::BloomGather, "screen.vert", "bloom_gather.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::BloomShrink, "screen.vert", "bloom_shrink.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::BloomSpread, "screen.vert", "bloom_spread.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::BloomJoin, "screen.vert", "night.frag", "BLOOM", MadeFor::OpenGl},
    ProgramRow{ProgramId::BloomJoinFinale, "screen.vert", "night.frag", "BLOOM FINALE", MadeFor::OpenGl},
    ProgramRow{ProgramId::Night, "screen.vert", "night.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::NightFinale, "screen.vert", "night.frag", "FINALE", MadeFor::OpenGl},
    ProgramRow{ProgramId::Composite, "composite.vert", "composite.frag", "", MadeFor::OpenGl},
    ProgramRow{ProgramId::CompositeShifted, "composite.vert", "composite.frag", "SHIFTED", MadeFor::OpenGl},
    ProgramRow{ProgramId::CompositeBent, "composite.vert", "composite.frag", "BENT", MadeFor::OpenGl},
    ProgramRow{ProgramId::CompositeBentShifted, "composite.vert", "composite.frag", "BENT SHIFTED", MadeFor::OpenGl},
    ProgramRow{ProgramId::CompositeGarden, "composite.vert", "composite.frag", "GARDEN", MadeFor::OpenGl},
    ProgramRow{ProgramId::CompositeGardenShifted, "composite.vert", "composite.frag", "GARDEN SHIFTED",
               MadeFor::OpenGl},
    ProgramRow{ProgramId::Trail, "screen.vert", "trail.frag", "", MadeFor::OpenGl},
};
inline constexpr auto kPrograms = [] {
  std::array<ProgramRow, kFixedPrograms.size() + frame::kEnemyKindCount> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i < kFixedPrograms.size()) {
      rows[i] = kFixedPrograms[i];
    } else {
      const frame::EnemyKindRow& enemy = frame::kEnemyKinds[i - kFixedPrograms.size()];
      rows[i] = {static_cast<ProgramId>(i), enemy.shape == frame::EnemyShape::Flying ? "flying.vert" : "sprite.vert",
                 enemy.shader, "", MadeFor::Shooter};
    }
  }
  return rows;
}();
static_assert(kFixedPrograms.size() == static_cast<std::size_t>(ProgramId::FirstEnemy));
inline constexpr std::size_t kProgramCount = kPrograms.size();
static_assert(rows_in_order(kPrograms));
constexpr bool is_ground(MadeFor group) { return group == MadeFor::Ground || group == MadeFor::Garden; }
constexpr MadeFor made_for(ProgramId id) { return kPrograms[static_cast<std::size_t>(id)].made_for; }

/// The source of a figure's light in its vertex shader (shaders/figure_light.glsl).
enum class FigureLightFrom : u8 {
  Textures,    ///< Sampled from the light textures, which OpenGL has drawn.
  Attributes,  ///< Computed by the CPU renderer, one value a figure.
};
constexpr bool takes_figure_light(const ProgramRow& row) {
  return row.vertex == "sprite.vert" || row.vertex == "flying.vert";
}

/// Texture units by the name that shaders give the sampler.
enum class TextureUnit : u8 { Source, Stone, Light, Bloom, Noise, Sky, Runes, Decals };
struct SamplerRow {
  TextureUnit id;
  const char* name;
};
inline constexpr std::array kSamplers = {
    SamplerRow{TextureUnit::Source, "u_source"}, SamplerRow{TextureUnit::Stone, "u_stone"},
    SamplerRow{TextureUnit::Light, "u_light"},   SamplerRow{TextureUnit::Bloom, "u_bloom"},
    SamplerRow{TextureUnit::Noise, "u_noise"},   SamplerRow{TextureUnit::Sky, "u_sky"},
    SamplerRow{TextureUnit::Runes, "u_runes"},   SamplerRow{TextureUnit::Decals, "u_decals"},
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

  /// Where figures get their light. A change submits the programs of figures again that were submitted before.
  void set_figure_light(FigureLightFrom from);
  FigureLightFrom figure_light() const { return figure_light_; }
  /// Makes these programs from the built-in texts, then from disk, once. False, with the reason in warning(), if a
  /// built-in one does not compile: then it draws nothing.
  bool ready(std::initializer_list<MadeFor> groups);
  /// Submits these programs to the driver, from the built-in texts, and does not wait: use() does, for one of them.
  /// Some drivers compile on threads of their own.
  void begin(MadeFor group);
  /// As begin(), but one program at a time, by advance(): a driver that compiles one after another would keep a frame
  /// waiting for all of them.
  void queue(MadeFor group);
  /// After each frame: some drivers compile again at the first draw call with a program; is_idle() is false meanwhile.
  void end_frame();
  /// OpenGL compiles nothing, neither a program that advance() has submitted nor for the first draw call with one, as
  /// far as end_frame() knows. Otherwise a call that returns a value would wait for it. Does not wait. Where OpenGL
  /// runs in another process, the answer changes between frames only.
  bool is_idle();
  /// Between frames: submits one program of those in the queue, if the one that it submitted before is linked. A program
  /// that is_usable() has missed goes first.
  void advance();
  /// Its programs were asked for, by any of these functions.
  bool is_begun(MadeFor group) const { return begun_[static_cast<std::size_t>(group)]; }
  /// use() would not wait. Queues the program's group if that is not begun; a program that is still queued is the next
  /// that advance() submits.
  bool is_usable(ProgramId id);
  /// It samples the light textures, or is not linked yet, so that this is not known.
  bool reads_light(ProgramId id) const { return programs_[static_cast<std::size_t>(id)].reads_light; }
  /// There, or submitted.
  bool has(ProgramId id) const { return programs_[static_cast<std::size_t>(id)].id != 0; }
  /// Reads the folder again, and makes all programs but those of a shooter that was never asked for. True if every
  /// file was good; otherwise the bad programs stay as they were.
  bool reload();
  /// "" when all is well, else one line: file:line: reason; what is used instead.
  std::string_view warning() const { return warning_; }

  /// Makes the program current; waits for the driver if it was submitted only. Submits it, or its group, first if that
  /// is needed.
  void use(ProgramId id) {
    finish(id);
    Program& program = programs_[static_cast<std::size_t>(id)];
    any_first_use_ |= !std::exchange(program.used, true);
    glUseProgram(program.id);
  }
  /// Sets `u_step` of the current program `id`: four numbers whose meaning its shader tells.
  void set_step(ProgramId id, float x, float y = 0, float z = 0, float w = 0) const {
    glUniform4f(programs_[static_cast<std::size_t>(id)].step, x, y, z, w);
  }

 private:
  struct Program {
    GLuint id = 0;
    GLint step = -1;
    bool reads_light = true;
    bool queued = false;              // Not submitted yet: id is 0.
    bool used = false;
    GLuint vertex = 0, fragment = 0;  // While it is submitted only.
    bool is_pending() const { return vertex != 0; }
  };
  struct Source {
    std::string text;
    std::vector<std::string> files;  // By the numbers of its #line directives.
  };
  bool make(const ProgramRow& row, bool from_disk, Program& out, std::string& problem) const;
  bool submit(const ProgramRow& row, bool from_disk, Program& made, std::string& problem) const;
  bool submit(GLenum stage, std::string_view name, std::string_view defines, bool from_disk, GLuint& shader,
              std::string& problem) const;
  bool finish(const ProgramRow& row, bool from_disk, Program& made, std::string& problem) const;
  bool finish(ProgramId id);
  void submit(ProgramId id);
  std::string problem_of(const ProgramRow& row, bool from_disk, const Program& made) const;
  bool assemble(std::string_view name, std::string_view defines, bool from_disk, Source& source,
                std::string& problem) const;
  bool text_of(std::string_view name, bool from_disk, std::string& text, std::string& problem) const;
  bool is_ready(MadeFor group) const { return ready_[static_cast<std::size_t>(group)]; }
  bool folder_is_as_built() const;
  static void free_program(Program& program);

  std::string folder_;
  std::string header_;
  std::string warning_;
  FigureLightFrom figure_light_ = FigureLightFrom::Textures;
  std::array<bool, kMadeForCount> ready_{}, begun_{};
  std::array<Program, kProgramCount> programs_{};
  std::optional<ProgramId> advanced_, wanted_;  // Submitted by advance() last, and to be submitted next.
  Fence fence_;                                 // Behind the last thing that is_idle() waits for; not set: passed.
  bool any_first_use_ = true;  // Since end_frame(). True at first: the panels and the window have programs of their own.
};

}  // namespace spellpool::render
