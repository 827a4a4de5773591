#include "cli/commands/give_way.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace tintype::cli {

void GiveWay() {
  const auto thread = static_cast<id_t>(::gettid());
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, thread, std::max(kNice, ::getpriority(PRIO_PROCESS, thread)));
  // IOPRIO_WHO_PROCESS; the last level of the usual class, since one that waits for an idle disk
  // might hold what others wait for.
  constexpr int kWhoProcess = 1;
  constexpr int kBestEffort = 2;
  constexpr int kLastLevel = 7;
  ::syscall(SYS_ioprio_set, kWhoProcess, thread, kBestEffort << 13 | kLastLevel);
}

}  // namespace tintype::cli
