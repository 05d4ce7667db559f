#include "platform/thread_priority.hpp"

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace spellpool::platform {

void lower_thread_priority() {
#if defined(__linux__)
  constexpr int kNice = 10;
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);  // Linux has a nice value for each thread
#endif
}

}  // namespace spellpool::platform
