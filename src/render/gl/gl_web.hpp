#pragma once
// OpenGL in a browser: WebGL 2, which is OpenGL ES 3.0 here. Declares what the desktop's OpenGL has beyond it;
// epoxy_is_desktop_gl() is false, so none of that is ever called.
#include <GLES3/gl3.h>
#include <emscripten/html5.h>

#define GL_BGRA 0x80E1
#define GL_MAP_COHERENT_BIT 0x0080
#define GL_MAP_PERSISTENT_BIT 0x0040
#define GL_PROGRAM_POINT_SIZE 0x8642
#define GL_UNSIGNED_INT_8_8_8_8_REV 0x8367

namespace spellpool::render {

/// Null: no context is current. Chromium's GL_RENDERER is "WebKit WebGL" for every driver, also for one in software.
inline const char* gl_renderer_name() {
  constexpr GLenum kUnmaskedRenderer = 0x9246;
  const bool unmasks = emscripten_webgl_enable_extension(emscripten_webgl_get_current_context(), "WEBGL_debug_renderer_info");
  return reinterpret_cast<const char*>(glGetString(unmasks ? kUnmaskedRenderer : GL_RENDERER));
}

constexpr bool is_remote_gl() { return true; }
bool links_are_done(GLuint program);
void glGetBufferSubData(GLenum target, GLintptr from, GLsizeiptr bytes, void* to);

constexpr bool epoxy_is_desktop_gl() { return false; }
constexpr int epoxy_gl_version() { return 30; }
constexpr bool epoxy_has_gl_extension(const char*) { return false; }
inline void* glMapBufferRange(GLenum, GLintptr, GLsizeiptr, GLbitfield) { return nullptr; }
inline void glBufferStorage(GLenum, GLsizeiptr, const void*, GLbitfield) {}
inline void glClearTexSubImage(GLuint, GLint, GLint, GLint, GLint, GLsizei, GLsizei, GLsizei, GLenum, GLenum, const void*) {}

}  // namespace spellpool::render
