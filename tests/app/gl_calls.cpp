#include "gl_calls.hpp"

#include <epoxy/gl.h>

#include <array>
#include <vector>

namespace spellpool::test {
namespace {

GlCounts* counted = nullptr;

/// The loader's function at `Place`, as it was, and what stands there meanwhile.
template <auto* Place>
struct Behind {
  static inline std::remove_pointer_t<decltype(Place)> original = nullptr, in_front = nullptr;
};

std::vector<void (*)()>& restorers() {
  static std::vector<void (*)()> all;
  return all;
}

template <auto* Place, class Note, class R, class... A>
void stand_in_front(R (*)(A...), Note) {
  using Own = Behind<Place>;
  Own::original = *Place;
  Own::in_front = [](A... a) -> R {
    Note{}(a...);
    // Its first call makes the loader look the function up, put its address at `Place`, and call what stands there.
    *Place = Own::original;
    struct Again {
      ~Again() {
        Own::original = *Place;
        *Place = Own::in_front;
      }
    } again;
    return Own::original(a...);
  };
  *Place = Own::in_front;
  restorers().push_back([] { *Place = Own::original; });
}

#define COUNT_CALL(name, ...) stand_in_front<&epoxy_##name>(epoxy_##name, __VA_ARGS__)

constexpr auto a_draw = [](auto...) { ++counted->draws; };
constexpr auto a_state = [](auto...) { ++counted->state_changes; };
constexpr auto a_read_back = [](auto...) { ++counted->read_backs; };
constexpr auto a_compile = [](auto...) { ++counted->compiled; };

u64 bytes_of(GLenum format, GLenum type) {
  const u64 channels = format == GL_RED ? 1 : format == GL_RG ? 2 : format == GL_RGB ? 3 : 4;
  switch (type) {
    case GL_UNSIGNED_INT_8_8_8_8_REV: return 4;
    case GL_HALF_FLOAT: case GL_UNSIGNED_SHORT: return 2 * channels;
    case GL_FLOAT: return 4 * channels;
    default: return channels;
  }
}

}  // namespace

GlCalls::GlCalls() {
  counted = &counts_;
  COUNT_CALL(glDrawArrays, a_draw);
  COUNT_CALL(glDrawArraysInstanced, a_draw);
  COUNT_CALL(glDrawElements, a_draw);
  COUNT_CALL(glDrawElementsInstanced, a_draw);
  COUNT_CALL(glBlitFramebuffer, a_draw);
  COUNT_CALL(glClear, a_draw);
  COUNT_CALL(glClearBufferfv, a_draw);
  COUNT_CALL(glBindFramebuffer, [](auto...) { ++counted->targets; });
  COUNT_CALL(glUseProgram, a_state);
  COUNT_CALL(glBindTexture, a_state);
  COUNT_CALL(glActiveTexture, a_state);
  COUNT_CALL(glBindVertexArray, a_state);
  COUNT_CALL(glBindBuffer, a_state);
  COUNT_CALL(glBindBufferBase, a_state);
  COUNT_CALL(glUniform4f, a_state);
  COUNT_CALL(glUniform1i, a_state);
  COUNT_CALL(glEnable, a_state);
  COUNT_CALL(glDisable, a_state);
  COUNT_CALL(glBlendFunc, a_state);
  COUNT_CALL(glBlendEquation, a_state);
  COUNT_CALL(glViewport, a_state);
  COUNT_CALL(glScissor, a_state);
  COUNT_CALL(glVertexAttribPointer, a_state);
  COUNT_CALL(glVertexAttribIPointer, a_state);
  COUNT_CALL(glFinish, [](auto...) { ++counted->finishes; });
  COUNT_CALL(glGetTexImage, a_read_back);
  COUNT_CALL(glReadPixels, [](auto...) {
    GLint into_buffer = 0;
    glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &into_buffer);
    if (into_buffer == 0) ++counted->read_backs;
  });
  COUNT_CALL(glMapBufferRange, [](GLenum, GLintptr, GLsizeiptr, GLbitfield access) {
    if ((access & GL_MAP_READ_BIT) != 0) ++counted->read_backs;
  });
  COUNT_CALL(glCompileShader, a_compile);
  COUNT_CALL(glLinkProgram, a_compile);
  COUNT_CALL(glBufferData, [](GLenum, GLsizeiptr size, const void* data, GLenum) {
    if (data != nullptr) counted->bytes += static_cast<u64>(size);
  });
  COUNT_CALL(glBufferSubData, [](GLenum, GLintptr, GLsizeiptr size, const void*) { counted->bytes += static_cast<u64>(size); });
  COUNT_CALL(glTexImage2D, [](GLenum, GLint, GLint, GLsizei width, GLsizei height, GLint, GLenum format, GLenum type, const void* data) {
    if (data != nullptr) counted->bytes += static_cast<u64>(width) * static_cast<u64>(height) * bytes_of(format, type);
  });
  COUNT_CALL(glTexSubImage2D, [](GLenum, GLint, GLint, GLint, GLsizei width, GLsizei height, GLenum format, GLenum type, const void*) {
    counted->bytes += static_cast<u64>(width) * static_cast<u64>(height) * bytes_of(format, type);
  });
}

GlCalls::~GlCalls() {
  for (void (*restore)() : restorers()) restore();
  restorers().clear();
  counted = nullptr;
}

}  // namespace spellpool::test
