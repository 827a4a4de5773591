#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "darkroom/limits.h"

namespace tintype::darkroom {

/// One running helper: its process and our end of the socket to it. It starts in a process group of
/// its own, with an empty environment, in "/", and with no descriptor of ours but the socket and
/// standard error, which it gives up before its first item.
///
/// Used by one thread at a time, except for Abandon. Nothing of it survives us: its kernel kills it
/// when the thread that called Start ends, however that comes about.
class HelperProcess {
 public:
  /// Starts the program at `path`. Errors are of the kind kNotRunning.
  static Result<std::unique_ptr<HelperProcess>> Start(const std::string& path,
                                                      const Limits& limits);

  /// Kills it if it still runs, and waits for its end.
  ~HelperProcess();
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  /// Waits until it has loaded its libraries and said so. kNotRunning when it does not.
  Status AwaitReady();

  /// Sends one order and waits for the answer, within the limits of an item. After an error the
  /// process is of no more use. Errors: kOutOfTime, kDied.
  Result<std::string> Exchange(std::string_view order, std::span<const int> descriptors);

  /// Makes a running Exchange fail soon. Any thread.
  void Abandon();

  /// Whether it still waits for orders. It may have been killed while it was idle.
  bool IsWaiting() const;
  /// Memory that it has in use, in bytes; 0 when that cannot be told.
  int64_t ResidentBytes() const;
  /// Why it has no sandbox, in its own words; empty when it has one. Known once it is ready.
  const std::string& sandbox_missing() const { return sandbox_missing_; }
  /// Orders that it has answered.
  int64_t items() const { return items_; }
  pid_t pid() const { return pid_; }

 private:
  HelperProcess(pid_t pid, Descriptor channel, const Limits& limits)
      : pid_(pid), channel_(std::move(channel)), limits_(limits) {}

  void LimitOnce() const;
  void ArmCpuLimit() const;
  // Kills the process, waits for it, and says what it died of.
  Error Bury(bool out_of_time);

  pid_t pid_;
  Descriptor channel_;
  Limits limits_;
  std::string sandbox_missing_;
  int64_t items_ = 0;
  bool buried_ = false;
  std::atomic<bool> abandoned_ = false;
};

}  // namespace tintype::darkroom
