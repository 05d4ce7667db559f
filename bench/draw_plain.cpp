// The minimum that OpenGL 3.3 needs to draw soft round dots: an instanced quad or a point each.
#include <epoxy/gl.h>

#include <chrono>

#include "draw_sides.hpp"

namespace spellpool::bench {
namespace {

/// What is uploaded of a dot.
struct PlainDot {
  float x, y, diameter;
  u8 r, g, b, a;
};
static_assert(sizeof(PlainDot) == 16);

constexpr const char* kQuadVertex = R"(#version 330 core
layout(location = 0) in vec3 dot_;
layout(location = 1) in vec4 light;
uniform vec2 per_px;
flat out vec3 v_light;
out vec2 v_corner;
void main() {
  v_corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  vec2 place = dot_.xy + v_corner * (0.5 * dot_.z);
  gl_Position = vec4(place * per_px - 1.0, 0.0, 1.0);
  v_light = light.rgb;
})";
constexpr const char* kPointVertex = R"(#version 330 core
layout(location = 0) in vec3 dot_;
layout(location = 1) in vec4 light;
uniform vec2 per_px;
flat out vec3 v_light;
void main() {
  gl_Position = vec4(dot_.xy * per_px - 1.0, 0.0, 1.0);
  gl_PointSize = dot_.z;
  v_light = light.rgb;
})";
constexpr const char* kQuadHead = "#version 330 core\nin vec2 v_corner;\n#define CORNER v_corner\n";
constexpr const char* kPointHead = "#version 330 core\n#define CORNER (gl_PointCoord * 2.0 - 1.0)\n";
constexpr const char* kFragment = R"(
flat in vec3 v_light;
out vec4 colour;
void main() {
  vec2 corner = CORNER;
  float d2 = dot(corner, corner);
  float halo = max(0.0, 1.0 - d2);
  float core = max(0.0, 1.0 - 9.0 * d2);
  colour = vec4(v_light * (0.22 * halo * halo * halo + core * (2.0 - core)), 0.0);
})";

GLuint compile(GLenum stage, std::initializer_list<const char*> parts) {
  const GLuint shader = glCreateShader(stage);
  const std::vector<const char*> texts(parts);
  glShaderSource(shader, static_cast<GLsizei>(texts.size()), texts.data(), nullptr);
  glCompileShader(shader);
  return shader;
}

class PlainSide : public DrawSide {
 public:
  PlainSide(std::string name, PlainShape shape, std::string& error) : DrawSide(std::move(name)), quads_(shape == PlainShape::Quads) {
    error = window_.error();
    if (!error.empty()) return;
    program_ = glCreateProgram();
    glAttachShader(program_, compile(GL_VERTEX_SHADER, {quads_ ? kQuadVertex : kPointVertex}));
    glAttachShader(program_, compile(GL_FRAGMENT_SHADER, {quads_ ? kQuadHead : kPointHead, kFragment}));
    glLinkProgram(program_);
    GLint linked = GL_FALSE;
    glGetProgramiv(program_, GL_LINK_STATUS, &linked);
    if (linked != GL_TRUE) {
      error = "its shaders do not link";
      return;
    }
    glUseProgram(program_);
    glUniform2f(glGetUniformLocation(program_, "per_px"), 2.0f / kWidth_px, 2.0f / kHeight_px);
    GLuint array = 0;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(1, &buffer_);
    glBindBuffer(GL_ARRAY_BUFFER, buffer_);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(PlainDot), nullptr);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(PlainDot), reinterpret_cast<const void*>(offsetof(PlainDot, r)));
    for (const GLuint attribute : {0u, 1u}) {
      glEnableVertexAttribArray(attribute);
      glVertexAttribDivisor(attribute, quads_ ? 1 : 0);
    }
    if (!quads_) glEnable(GL_PROGRAM_POINT_SIZE);
    glViewport(0, 0, kWidth_px, kHeight_px);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
  }

  void enter() override { window_.enter(); }
  void make(const Cloud& cloud) override {
    cloud_ = cloud;
    dots_.resize(cloud.count());
    frame_ = 0;
  }
  double frame_ns() override {
    const float way = way_in(frame_++);
    for (u32 i = 0; i < cloud_.count(); ++i) {
      const Dot& dot = cloud_.dots[i];
      dots_[i] = {dot.x + way * dot.dx, dot.y + way * dot.dy, cloud_.diameter_px, dot.r, dot.g, dot.b, 255};
    }
    const auto from = std::chrono::steady_clock::now();
    glClear(GL_COLOR_BUFFER_BIT);
    const auto count = static_cast<GLsizei>(dots_.size());
    if (count > 0) {
      glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(dots_.size() * sizeof(PlainDot)), dots_.data(), GL_STREAM_DRAW);
      if (quads_) {
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
      } else {
        glDrawArrays(GL_POINTS, 0, count);
      }
    }
    glFinish();
    const auto to = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::nano>(to - from).count();
  }
  double lit() override {
    frame_ns();
    return lit_share(read_rgba());
  }

 private:
  GlWindow window_;
  bool quads_;
  GLuint program_ = 0, buffer_ = 0;
  Cloud cloud_;
  std::vector<PlainDot> dots_;
  u32 frame_ = 0;
};

}  // namespace

std::unique_ptr<DrawSide> make_plain(PlainShape shape, std::string& error) {
  auto side = std::make_unique<PlainSide>(shape == PlainShape::Quads ? "plain GL, instanced quads" : "plain GL, points", shape, error);
  if (!error.empty()) return nullptr;
  return side;
}

}  // namespace spellpool::bench
