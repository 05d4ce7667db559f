#pragma once
// The particles of one picture on their way to the GPU: the snapshot's own 16 bytes, copied once and drawn with one
// call a layer. What cannot be seen is dropped by shaders/particle.vert, the shape is chosen by shaders/particle.frag;
// of bullets by shaders/bullet.vert and bullet.frag.
//
// Order   that of the snapshot, within each layer: later ones lie over earlier ones, whatever their shape.
// Memory  16 bytes a particle, three times that where the buffer is mapped (render/gl/stream_buffer.hpp).
#include <array>
#include <span>

#include "frame/render_snapshot.hpp"
#include "render/gl/shader_library.hpp"
#include "render/gl/stream_buffer.hpp"

namespace spellpool::render {

class ParticleLayers {
 public:
  enum class Layer : u8 { Alpha, Additive, Bullets };

  /// Needs a current context. `mapped` as StreamBuffer::start.
  void start(bool mapped);
  /// Room for this many particles in all layers together.
  void reserve(u32 particles);
  /// Copies all layers of a picture.
  void upload(std::span<const frame::ParticleInstance> alpha_layer,
              std::span<const frame::ParticleInstance> additive_layer,
              std::span<const frame::ParticleInstance> bullet_layer);
  /// Draws a layer with the present target, blending, Frame block and (but for bullets) textures (Light and Noise).
  void draw(ShaderLibrary& shaders, Layer layer) const;
  /// After the picture's last call to draw().
  void end();

  const StreamBuffer& stream() const { return stream_; }

 private:
  struct Part {
    std::size_t at_bytes = 0;
    std::size_t count = 0;
  };
  StreamBuffer stream_;
  VertexArray array_;
  std::array<Part, 3> parts_{};
};

}  // namespace spellpool::render
