#include "app/cli/program.hpp"
#include "core/leak_check.hpp"

#if defined(__SANITIZE_THREAD__)
#define SPELLPOOL_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SPELLPOOL_THREAD_SANITIZER 1
#endif
#endif
#if defined(SPELLPOOL_THREAD_SANITIZER)
/// Mesa's software renderer has threads of its own that ThreadSanitizer did not instrument: it cannot see how they wait
/// for each other, and reports their mutexes. Reports with one of these libraries in the stack are not ours.
extern "C" const char* __tsan_default_suppressions() {
  return "race:swrast_dri\nrace:libgallium\nrace:libLLVM\nrace:libEGL_mesa\nrace:libGLX_mesa\n"
         "mutex:swrast_dri\nmutex:libgallium\nthread:swrast_dri\nthread:libgallium\n";
}
#endif

#if defined(SPELLPOOL_LEAK_CHECK)
/// The leak checker reads the thread-local blocks of all threads, and falls over (signal 11 of its own tracer) when
/// one of the driver's is not set up yet. Nothing of ours is reachable from there alone, but what the dynamic loader
/// keeps there is. libpulse keeps a name where no server answers.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:dl_open_worker\nleak:_dl_map_object_deps\nleak:libpulse.so\n";
}
extern "C" const char* __lsan_default_options() { return "use_tls=0:print_suppressions=0"; }
#endif

int main(int argc, char** argv) { return spellpool::app::run_program(argc, argv); }
