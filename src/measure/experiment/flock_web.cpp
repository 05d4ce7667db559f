// emscripten declares flock() and has none. A page's files have one user: every lock is free.
#include <sys/file.h>

extern "C" int flock(int, int) { return 0; }
