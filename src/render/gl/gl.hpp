#pragma once
// The OpenGL loader. Included by this room's .cpp files only, so that no other room sees GL.
// Calls stay in the common part of OpenGL 3.3 and WebGL 2.
#if defined(__EMSCRIPTEN__)
#include "render/gl/gl_web.hpp"
#else
#include <epoxy/gl.h>

namespace spellpool::render {

/// Null: no context is current.
inline const char* gl_renderer_name() { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }
/// True: OpenGL is another process, and an answer comes after all that was asked for before, and that other pages
/// wait for.
constexpr bool is_remote_gl() { return false; }
/// Asking whether a program links would not wait.
inline bool links_are_done(GLuint) { return true; }

}  // namespace spellpool::render
#endif
