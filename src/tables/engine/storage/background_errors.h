#pragma once

#include <rocksdb/listener.h>

#include <atomic>

#include "base/logging.h"

namespace tintype::tables::engine {

/// What RocksDB says about its flushes and compactions that failed. Told on RocksDB's threads while
/// it holds no lock; must not call back into it. Thread-safe.
///
/// How RocksDB 7.8 takes a failure, with its default `paranoid_checks`:
///  - no space for a flush or the MANIFEST: a hard error. Writes fail until it has found room for
///  one
///    write buffer, for which it looks every five seconds, and has flushed;
///  - no space for a compaction: a soft error. Writes go on, and compactions once there is room;
///  - any other I/O error or damage: fatal. Every later write fails until the database is opened
///    again. `DB::Resume` helps with neither: while RocksDB waits for space it says "busy", and a
///    fatal error it returns as it is.
class BackgroundErrors : public rocksdb::EventListener {
 public:
  void OnBackgroundError(rocksdb::BackgroundErrorReason /*reason*/,
                         rocksdb::Status* error) override {
    using Severity = rocksdb::Status::Severity;
    if (error->IsNoSpace() && error->severity() == Severity::kHardError) {
      waits_for_space_ = true;
    }
    const bool fatal = error->severity() > Severity::kHardError;
    Log(fatal ? LogLevel::kError : LogLevel::kWarning,
        fatal ? "a file could not be written or read: the next write will stop the process"
              : "a file could not be written; it is tried again",
        {{"reason", error->ToString()}});
  }

  void OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& info) override {
    if (info.new_bg_error.ok()) {
      waits_for_space_ = false;
      LogInfo("files can be written again");
    }
  }

  bool waits_for_space() const { return waits_for_space_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> waits_for_space_ = false;
};

}  // namespace tintype::tables::engine
