#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "darkroom/internal/child_process.h"
#include "darkroom/limits.h"

namespace tintype::darkroom {

/// One running helper: its process and our end of the socket to it. It serves one account alone,
/// the one whose item it gets first.
///
/// Used by one thread at a time, except for Abandon. Nothing of it survives us: its kernel kills it
/// when the thread that started its template ends, however that comes about.
class HelperProcess {
 public:
  /// A child of this process that a template has forked, which talks at the other end of `channel`.
  /// It ends with this object.
  HelperProcess(pid_t pid, Descriptor channel, int64_t generation)
      : process_(pid), channel_(std::move(channel)), generation_(generation) {}
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  /// Waits until it is in its sandbox, or has none, and has said so. kNotRunning when it does not.
  Status AwaitReady();

  /// Whether it may see files of that account: it has seen no other's.
  bool CanServe(std::string_view account) const;

  /// Sends one order and waits for the answer, at most for so long. After an error the
  /// process is of no more use. Errors: kOutOfTime, kOutput, kDied; kNotRunning when its limits
  /// cannot be set. REQUIRES: CanServe(account), which is not empty.
  Result<std::string> Exchange(std::string_view account, std::string_view order,
                               std::span<const int> descriptors, ItemTime time);

  /// Makes a running Exchange fail soon. Any thread.
  void Abandon();

  /// Whether a file may have had the helper in its hands, of one that is of no more use: it
  /// crashed, ended without being told to, or said what it should not have. It is no reason for
  /// suspicion when a limit ended it, or somebody who killed it.
  bool IsSuspect();

  /// Whether it still waits for orders. It may have been killed while it was idle.
  bool IsWaiting() const;
  /// Memory that it has in use, in bytes; 0 when that cannot be told.
  int64_t ResidentBytes() const;
  /// Why it has no sandbox, in its own words; empty when it has one. Known once it is ready.
  const std::string& sandbox_missing() const { return sandbox_missing_; }
  /// Orders that it has answered.
  int64_t items() const { return items_; }
  pid_t pid() const { return process_.pid(); }
  /// Which template it came from.
  int64_t generation() const { return generation_; }

 private:
  Status ArmCpuLimit(int64_t cpu_seconds) const;
  // Kills the process, waits for it, and says what it died of. `waited_ms` is how long it took
  // when that was too long.
  Error Bury(std::optional<int64_t> waited_ms);

  ChildProcess process_;
  Descriptor channel_;
  const int64_t generation_;
  std::string account_;  // Empty before the first item.
  std::string sandbox_missing_;
  int64_t items_ = 0;
  bool out_of_time_ = false;
  std::atomic<bool> abandoned_ = false;
};

}  // namespace tintype::darkroom
