// Runs the program TINTYPE_HELPER_PATH as on a machine that has no room for another process: what a
// template forks with is refused by a list that is handed on to the program.

#include <sched.h>
#include <seccomp.h>
#include <unistd.h>

#include <cerrno>

int main() {
  // Others than its own children: neither threads of sanitizers nor programs are in the way.
  constexpr scmp_arg_cmp kForksSibling = {
      .arg = 0, .op = SCMP_CMP_MASKED_EQ, .datum_a = CLONE_PARENT, .datum_b = CLONE_PARENT};
  scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
  if (context == nullptr ||
      seccomp_rule_add(context, SCMP_ACT_ERRNO(EAGAIN), SCMP_SYS(clone), 1, kForksSibling) != 0 ||
      seccomp_load(context) != 0) {
    return 1;
  }
  ::execl(TINTYPE_HELPER_PATH, TINTYPE_HELPER_PATH, nullptr);
  return 1;
}
