#include "render/gl/particle_layers.hpp"

#include "frame/defs/pattern_def.hpp"

namespace spellpool::render {

using frame::BulletShape;
using frame::ParticleInstance;
using frame::ParticleShape;

// The numbers that shaders/particle.glsl and bullet.vert give the shapes.
static_assert(static_cast<int>(BulletShape::Needle) == 1 && static_cast<int>(BulletShape::Bubble) == 2);
static_assert(static_cast<int>(ParticleShape::Glow) == 0 && static_cast<int>(ParticleShape::Spark) == 1 &&
              static_cast<int>(ParticleShape::Shard) == 2 && static_cast<int>(ParticleShape::Star) == 3 &&
              static_cast<int>(ParticleShape::Smoke) == 4 && frame::kParticleShapes.size() == 5);

void ParticleLayers::start(bool mapped) {
  stream_.start(mapped);
  array_ = make_vertex_array();
  glBindVertexArray(array_.get());
  for (GLuint i = 0; i < 4; ++i) {
    glEnableVertexAttribArray(i);
    glVertexAttribDivisor(i, 1);
  }
  glBindVertexArray(0);
}

void ParticleLayers::reserve(u32 particles) { stream_.reserve(particles * sizeof(ParticleInstance)); }

void ParticleLayers::upload(std::span<const ParticleInstance> alpha_layer,
                            std::span<const ParticleInstance> additive_layer,
                            std::span<const ParticleInstance> bullet_layer) {
  stream_.begin(alpha_layer.size_bytes() + additive_layer.size_bytes() + bullet_layer.size_bytes());
  parts_ = {Part{stream_.append(std::as_bytes(alpha_layer)), alpha_layer.size()},
            Part{stream_.append(std::as_bytes(additive_layer)), additive_layer.size()},
            Part{stream_.append(std::as_bytes(bullet_layer)), bullet_layer.size()}};
}

void ParticleLayers::draw(ShaderLibrary& shaders, Layer layer) const {
  const Part& part = parts_[static_cast<std::size_t>(layer)];
  if (part.count == 0) return;
  constexpr GLsizei kStride = sizeof(ParticleInstance);
  const auto at = [&](std::size_t member) { return reinterpret_cast<const void*>(part.at_bytes + member); };
  glBindVertexArray(array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, stream_.buffer());
  glVertexAttribIPointer(0, 4, GL_SHORT, kStride, at(offsetof(ParticleInstance, x)));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, kStride, at(offsetof(ParticleInstance, r)));
  glVertexAttribIPointer(2, 1, GL_UNSIGNED_SHORT, kStride, at(offsetof(ParticleInstance, size)));
  glVertexAttribIPointer(3, 2, GL_UNSIGNED_BYTE, kStride, at(offsetof(ParticleInstance, glow_shape)));
  if (layer == Layer::Bullets) {
    shaders.use(ProgramId::Bullet);
  } else {
    shaders.use(ProgramId::Particle);
    shaders.set_step(ProgramId::Particle, layer == Layer::Alpha ? 1.0f : 0.0f);
  }
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(part.count));
}

void ParticleLayers::end() { stream_.end(); }

}  // namespace spellpool::render
