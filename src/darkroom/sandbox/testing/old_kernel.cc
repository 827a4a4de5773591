// Runs the program TINTYPE_HELPER_PATH as if the kernel had no seccomp: what asks for it is refused
// by a list that is handed on to the program.

#include <seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

int main() {
  constexpr scmp_arg_cmp kAsksForFilter = {
      .arg = 0, .op = SCMP_CMP_EQ, .datum_a = PR_SET_SECCOMP, .datum_b = 0};
  scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
  if (context == nullptr ||
      seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0) != 0 ||
      seccomp_rule_add(context, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1, kAsksForFilter) != 0 ||
      seccomp_load(context) != 0) {
    return 1;
  }
  ::execl(TINTYPE_HELPER_PATH, TINTYPE_HELPER_PATH, nullptr);
  return 1;
}
