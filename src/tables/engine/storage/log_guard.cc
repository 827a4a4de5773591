#include "tables/engine/storage/log_guard.h"

#include <chrono>
#include <string>
#include <utility>

namespace tintype::tables::engine {
namespace {

using rocksdb::DataVerificationInfo;
using rocksdb::FileOptions;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

IOStatus Final(IOStatus status) {
  if (!status.IsNoSpace()) {
    return status;
  }
  // The state holds what was done to which file, and the system's words for it.
  const char* text = status.getState();
  return IOStatus::IOError(text == nullptr ? "No space left on device" : text);
}

class GuardedLog : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  GuardedLog(std::unique_ptr<FSWritableFile> file, std::shared_ptr<metrics::Histogram> syncs)
      : FSWritableFileOwnerWrapper(std::move(file)), syncs_(std::move(syncs)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* context) override {
    return Final(FSWritableFileOwnerWrapper::Append(data, options, context));
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& info,
                  IODebugContext* context) override {
    return Final(FSWritableFileOwnerWrapper::Append(data, options, info, context));
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* context) override {
    return Final(FSWritableFileOwnerWrapper::Flush(options, context));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* context) override {
    return Timed([&] { return FSWritableFileOwnerWrapper::Sync(options, context); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    return Timed([&] { return FSWritableFileOwnerWrapper::Fsync(options, context); });
  }
  IOStatus RangeSync(uint64_t offset, uint64_t bytes, const IOOptions& options,
                     IODebugContext* context) override {
    return Final(FSWritableFileOwnerWrapper::RangeSync(offset, bytes, options, context));
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options, IODebugContext* context) override {
    return Final(FSWritableFileOwnerWrapper::Truncate(size, options, context));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* context) override {
    return Final(FSWritableFileOwnerWrapper::Close(options, context));
  }

 private:
  template <typename Sync>
  IOStatus Timed(Sync sync) {
    const auto started = std::chrono::steady_clock::now();
    IOStatus status = sync();
    syncs_->Observe(std::chrono::steady_clock::now() - started);
    return Final(std::move(status));
  }

  const std::shared_ptr<metrics::Histogram> syncs_;  // Shared by all logs, and with Storage.
};

class LogGuard : public rocksdb::FileSystemWrapper {
 public:
  LogGuard(const std::shared_ptr<rocksdb::FileSystem>& base,
           std::shared_ptr<metrics::Histogram> syncs)
      : FileSystemWrapper(base), syncs_(std::move(syncs)) {}
  const char* Name() const override { return "TintypeLogGuard"; }

  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* context) override {
    IOStatus status = FileSystemWrapper::NewWritableFile(name, options, result, context);
    if (!name.ends_with(".log")) {
      return status;
    }
    if (status.ok()) {
      *result = std::make_unique<GuardedLog>(std::move(*result), syncs_);
    }
    return Final(std::move(status));
  }

 private:
  const std::shared_ptr<metrics::Histogram> syncs_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> GuardLogs(const std::shared_ptr<rocksdb::FileSystem>& base,
                                               std::shared_ptr<metrics::Histogram> syncs) {
  return std::make_shared<LogGuard>(base, std::move(syncs));
}

}  // namespace tintype::tables::engine
