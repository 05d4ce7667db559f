#include <emscripten.h>

#include "render/gl/gl.hpp"

namespace spellpool::render {
namespace {

EM_JS(void, page_get_buffer_sub_data, (GLenum target, GLintptr from, GLsizeiptr bytes, void* to), {
  GLctx.getBufferSubData(target, from, HEAPU8, to, bytes);
});

}  // namespace

bool links_are_done(GLuint program) {
  constexpr GLenum kCompletionStatus = 0x91B1;
  if (!emscripten_webgl_enable_extension(emscripten_webgl_get_current_context(), "KHR_parallel_shader_compile")) return true;
  GLint done = GL_TRUE;
  glGetProgramiv(program, kCompletionStatus, &done);
  return done == GL_TRUE;
}

void glGetBufferSubData(GLenum target, GLintptr from, GLsizeiptr bytes, void* to) { page_get_buffer_sub_data(target, from, bytes, to); }

}  // namespace spellpool::render
