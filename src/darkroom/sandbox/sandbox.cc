#include "darkroom/sandbox/sandbox.h"

#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

#include "base/strings.h"

namespace tintype::darkroom {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;
#else
constexpr bool kHasSanitizer = false;
#endif

Error NoSandbox(std::string why) { return Error(ErrorKind::kUnavailable, std::move(why)); }

/// The list of system calls, until the kernel has it. A call that no rule names ends the process:
/// nothing that decodes images has a use for it, so who makes it has taken the process over. For
/// other machines than this one's, such as 32-bit calls on a 64-bit kernel, that holds for all.
class CallList {
 public:
  CallList() : context_(seccomp_init(SCMP_ACT_KILL_PROCESS)) {}
  ~CallList() {
    if (context_ != nullptr) {
      seccomp_release(context_);
    }
  }
  CallList(const CallList&) = delete;
  CallList& operator=(const CallList&) = delete;

  void Allow(std::initializer_list<int> calls) { Add(SCMP_ACT_ALLOW, calls); }
  void Refuse(int error, std::initializer_list<int> calls) {
    Add(SCMP_ACT_ERRNO(static_cast<uint32_t>(error)), calls);
  }
  /// Allows a call when its arguments are as told.
  void AllowIf(int call, std::initializer_list<scmp_arg_cmp> arguments) {
    AddIf(SCMP_ACT_ALLOW, call, arguments);
  }
  void RefuseIf(int error, int call, std::initializer_list<scmp_arg_cmp> arguments) {
    AddIf(SCMP_ACT_ERRNO(static_cast<uint32_t>(error)), call, arguments);
  }

  Status Enforce() {
    if (context_ == nullptr) {
      return NoSandbox("the kernel cannot end a process for a system call (seccomp, Linux 4.14)");
    }
    // Threads that libraries have started already are held to the list as well; and errors are the
    // kernel's own.
    Note(seccomp_attr_set(context_, SCMP_FLTATR_CTL_TSYNC, 1));
    Note(seccomp_attr_set(context_, SCMP_FLTATR_API_SYSRAWRC, 1));
    if (failed_ == 0) {
      Note(seccomp_load(context_));
    }
    if (failed_ != 0) {
      return NoSandbox(
          StrCat("the kernel takes no list of system calls (seccomp): ", std::strerror(-failed_)));
    }
    return OkStatus();
  }

 private:
  void Add(uint32_t action, std::initializer_list<int> calls) {
    for (const int call : calls) {
      AddIf(action, call, {});
    }
  }
  void AddIf(uint32_t action, int call, std::initializer_list<scmp_arg_cmp> arguments) {
    if (context_ != nullptr) {
      Note(seccomp_rule_add_array(context_, action, call, static_cast<unsigned>(arguments.size()),
                                  arguments.size() == 0 ? nullptr : arguments.begin()));
    }
  }
  void Note(int result) {
    if (failed_ == 0 && result != 0) {
      failed_ = result;
    }
  }

  scmp_filter_ctx context_;
  int failed_ = 0;
};

void ListMemoryAndThreads(CallList& calls) {
  calls.Allow({SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap),
               SCMP_SYS(mprotect), SCMP_SYS(madvise)});
  calls.Allow({SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield),
               SCMP_SYS(sched_getaffinity), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(exit),
               SCMP_SYS(exit_group)});
  // A new thread, but no new process. The arguments of clone3 cannot be seen from here; without
  // it the C library uses clone.
  calls.AllowIf(SCMP_SYS(clone), {SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_VM,
                                             CLONE_THREAD | CLONE_VM)});
  calls.Refuse(ENOSYS, {SCMP_SYS(clone3)});
  calls.AllowIf(SCMP_SYS(prctl), {SCMP_CMP32(0, SCMP_CMP_EQ, PR_SET_NAME)});
  calls.RefuseIf(EPERM, SCMP_SYS(prctl), {SCMP_CMP32(0, SCMP_CMP_NE, PR_SET_NAME)});
  // Encoders would like their threads to have a place and a rank; they do without.
  calls.Refuse(EPERM, {SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setscheduler),
                       SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_getparam),
                       SCMP_SYS(setpriority), SCMP_SYS(get_mempolicy), SCMP_SYS(set_mempolicy)});
}

void ListDescriptors(CallList& calls, int channel) {
  calls.Allow({SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write),
               SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(lseek), SCMP_SYS(fstat),
               SCMP_SYS(ftruncate), SCMP_SYS(dup), SCMP_SYS(close), SCMP_SYS(poll),
               SCMP_SYS(ppoll)});
  for (const int call : {SCMP_SYS(sendmsg), SCMP_SYS(recvmsg)}) {
    calls.AllowIf(call, {SCMP_CMP32(0, SCMP_CMP_EQ, static_cast<uint32_t>(channel))});
  }
  // Files by name, and terminals: libraries look for what is none of their business (the time zone,
  // a place for temporary files) and do well without.
  calls.Refuse(EACCES, {SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(creat),
                        SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx),
                        SCMP_SYS(statfs), SCMP_SYS(access), SCMP_SYS(faccessat),
                        SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
                        SCMP_SYS(getcwd), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(mkdir)});
  calls.Refuse(EPERM, {SCMP_SYS(ioctl)});
  calls.Allow({SCMP_SYS(umask)});
}

void ListClocksAndSignals(CallList& calls) {
  calls.Allow({SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep),
               SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getrusage),
               SCMP_SYS(getcpu), SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(getrandom)});
  calls.Allow({SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
               SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall)});
  // abort() sends a signal to its own thread.
  calls.AllowIf(SCMP_SYS(tgkill), {SCMP_CMP32(0, SCMP_CMP_EQ, static_cast<uint32_t>(::getpid()))});
  // Reading the limits of this process, not setting them, nor those of others.
  calls.AllowIf(SCMP_SYS(prlimit64),
                {SCMP_CMP32(0, SCMP_CMP_EQ, 0), SCMP_CMP64(2, SCMP_CMP_EQ, 0)});
}

}  // namespace

Status EnterSandbox(int channel) {
  if (kHasSanitizer) {
    return NoSandbox("this program was built with a sanitizer, which needs to read files");
  }
  CallList calls;
  ListMemoryAndThreads(calls);
  ListDescriptors(calls, channel);
  ListClocksAndSignals(calls);
  return calls.Enforce();
}

}  // namespace tintype::darkroom
