#include "platform/free_memory.hpp"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace spellpool::platform {

void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace spellpool::platform
