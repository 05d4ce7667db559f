#include "offscreen_context.hpp"

#define EGL_NO_X11
#include <epoxy/egl.h>

namespace spellpool::render::test {

OffscreenContext::OffscreenContext(Api api) {
  const bool surfaceless = epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
                           epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base");
  EGLDisplay display = surfaceless
                           ? eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr)
                           : eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE) return;
  display_ = display;
  const bool es = api == Api::Es30;
  const EGLint wanted[] = {EGL_RENDERABLE_TYPE, es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
  if (eglChooseConfig(display, wanted, &config, 1, &count) == EGL_FALSE || count == 0) return;
  const EGLint desktop[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  const EGLint embedded[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, es ? embedded : desktop);
  if (context == EGL_NO_CONTEXT) return;
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE) {
    eglDestroyContext(display, context);
    return;
  }
  context_ = context;
}

OffscreenContext::~OffscreenContext() {
  if (context_ != nullptr) {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }
  // The display stays for the process: terminating it unloads the driver, and what that leaves behind looks like our
  // leak to a leak checker.
}

}  // namespace spellpool::render::test
