#include "blobs/metered_blob_store.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tintype::blobs {
namespace {

using SteadyClock = std::chrono::steady_clock;

enum class Operation {
  kCreate,
  kWrite,
  kCommit,
  kOpen,
  kOpenLocal,
  kRead,
  kAdopt,
  kHead,
  kDelete,
  kMove,
  kList,
  kDeletePrefix,
  kPresign,
  kSeal,
};
/// In the order of Operation.
constexpr std::array<std::string_view, 14> kOperations = {
    "create", "write",  "commit", "open", "open_local",    "read",    "adopt",
    "head",   "delete", "move",   "list", "delete_prefix", "presign", "seal"};

enum class Outcome { kOk, kMissing, kUnavailable, kRefused, kFailed };
/// In the order of Outcome.
constexpr std::array<std::string_view, 5> kOutcomes = {"ok", "missing", "unavailable", "refused",
                                                       "failed"};

Outcome OutcomeOf(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::kNotFound:
      return Outcome::kMissing;
    case ErrorKind::kUnavailable:
    case ErrorKind::kOverloaded:
      return Outcome::kUnavailable;
    case ErrorKind::kValidation:
    case ErrorKind::kInUse:
    case ErrorKind::kRequestTooLarge:
      return Outcome::kRefused;
    default:
      return Outcome::kFailed;
  }
}

}  // namespace

/// The instruments of a store.
class BlobMeters {
 public:
  BlobMeters(metrics::Registry& registry, const std::string& kind)
      : in_progress_(registry.GetGauge("tintype_blob_calls_in_progress",
                                       "Calls of the blob store that have not returned yet.",
                                       {{"store", kind}})) {
    for (size_t i = 0; i < kOperations.size(); ++i) {
      durations_[i] = &registry.GetHistogram("tintype_blob_call_duration_seconds",
                                             "Time of a call of the blob store.", kBounds,
                                             {{"store", kind}, {"operation", kOperations[i]}});
      for (size_t j = 0; j < kOutcomes.size(); ++j) {
        calls_[i][j] = &registry.GetCounter(
            "tintype_blob_calls_total",
            "Calls of the blob store, by what came of them: missing blobs, a store that is "
            "unavailable or has no room, calls that it refused, and all other failures.",
            {{"store", kind}, {"operation", kOperations[i]}, {"outcome", kOutcomes[j]}});
      }
    }
  }

  /// Makes a call, and counts it.
  template <typename Call>
  auto Count(Operation operation, Call call) const {
    in_progress_.Add(1);
    const auto started = SteadyClock::now();
    auto result = call();
    durations_[static_cast<size_t>(operation)]->Observe(SteadyClock::now() - started);
    const Outcome outcome = result.ok() ? Outcome::kOk : OutcomeOf(result.error());
    calls_[static_cast<size_t>(operation)][static_cast<size_t>(outcome)]->Add();
    in_progress_.Add(-1);
    return result;
  }

 private:
  // From a file in the page cache to a large part over a slow line.
  static constexpr std::array<double, 13> kBounds = {
      0.000'1, 0.000'5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10, 30};

  metrics::Gauge& in_progress_;
  std::array<metrics::Histogram*, kOperations.size()> durations_{};
  std::array<std::array<metrics::Counter*, kOutcomes.size()>, kOperations.size()> calls_{};
};

namespace {

class MeteredWriter : public BlobWriter {
 public:
  MeteredWriter(std::unique_ptr<BlobWriter> writer, std::shared_ptr<const BlobMeters> meters)
      : writer_(std::move(writer)), meters_(std::move(meters)) {}

  Status Write(std::string_view piece) override {
    return meters_->Count(Operation::kWrite, [&] { return writer_->Write(piece); });
  }
  int descriptor() const override { return writer_->descriptor(); }
  Result<BlobInfo> Commit() override {
    return meters_->Count(Operation::kCommit, [&] { return writer_->Commit(); });
  }

 private:
  const std::unique_ptr<BlobWriter> writer_;
  const std::shared_ptr<const BlobMeters> meters_;
};

class MeteredOpenBlob : public OpenBlob {
 public:
  MeteredOpenBlob(std::shared_ptr<const OpenBlob> blob, std::shared_ptr<const BlobMeters> meters)
      : blob_(std::move(blob)), meters_(std::move(meters)) {}

  const BlobInfo& info() const override { return blob_->info(); }
  int descriptor() const override { return blob_->descriptor(); }
  int named_descriptor() const override { return blob_->named_descriptor(); }
  Result<size_t> Read(uint64_t offset, std::span<char> out) const override {
    return meters_->Count(Operation::kRead, [&] { return blob_->Read(offset, out); });
  }
  // What is not there now is read, and counted, by Read.
  Result<std::optional<size_t>> ReadNow(uint64_t offset, std::span<char> out) const override {
    return blob_->ReadNow(offset, out);
  }
  void ForgetRead(uint64_t end) const override { blob_->ForgetRead(end); }

 private:
  const std::shared_ptr<const OpenBlob> blob_;
  const std::shared_ptr<const BlobMeters> meters_;
};

Result<std::shared_ptr<const OpenBlob>> Metered(Result<std::shared_ptr<const OpenBlob>> opened,
                                                const std::shared_ptr<const BlobMeters>& meters) {
  if (!opened.ok()) {
    return opened;
  }
  return std::shared_ptr<const OpenBlob>(
      std::make_shared<const MeteredOpenBlob>(*std::move(opened), meters));
}

}  // namespace

MeteredBlobStore::MeteredBlobStore(std::unique_ptr<BlobStore> store, const std::string& kind,
                                   metrics::Registry& registry)
    : store_(std::move(store)), meters_(std::make_shared<const BlobMeters>(registry, kind)) {}

MeteredBlobStore::~MeteredBlobStore() = default;

Result<std::unique_ptr<BlobWriter>> MeteredBlobStore::Create(const BlobKey& key) {
  ASSIGN_OR_RETURN(auto writer,
                   meters_->Count(Operation::kCreate, [&] { return store_->Create(key); }));
  return std::unique_ptr<BlobWriter>(std::make_unique<MeteredWriter>(std::move(writer), meters_));
}

Result<std::shared_ptr<const OpenBlob>> MeteredBlobStore::Open(const BlobKey& key) {
  return Metered(meters_->Count(Operation::kOpen, [&] { return store_->Open(key); }), meters_);
}

Result<std::shared_ptr<const OpenBlob>> MeteredBlobStore::OpenLocal(const BlobKey& key) {
  return Metered(meters_->Count(Operation::kOpenLocal, [&] { return store_->OpenLocal(key); }),
                 meters_);
}

Result<BlobInfo> MeteredBlobStore::Adopt(const std::string& path, const BlobKey& key) {
  return meters_->Count(Operation::kAdopt, [&] { return store_->Adopt(path, key); });
}

Result<std::optional<BlobInfo>> MeteredBlobStore::Head(const BlobKey& key) {
  return meters_->Count(Operation::kHead, [&] { return store_->Head(key); });
}

Status MeteredBlobStore::Delete(const BlobKey& key) {
  return meters_->Count(Operation::kDelete, [&] { return store_->Delete(key); });
}

Status MeteredBlobStore::Move(const BlobKey& from, const BlobKey& to) {
  return meters_->Count(Operation::kMove, [&] { return store_->Move(from, to); });
}

Result<BlobList> MeteredBlobStore::List(const ListRequest& request) {
  return meters_->Count(Operation::kList, [&] { return store_->List(request); });
}

Result<std::optional<uint64_t>> MeteredBlobStore::Seal(const BlobKey& key) {
  return meters_->Count(Operation::kSeal, [&] { return store_->Seal(key); });
}

Result<uint64_t> MeteredBlobStore::DeletePrefix(const std::string& bucket,
                                                const std::string& prefix) {
  return meters_->Count(Operation::kDeletePrefix,
                        [&] { return store_->DeletePrefix(bucket, prefix); });
}

Result<std::optional<std::string>> MeteredBlobStore::PresignGet(const BlobKey& key,
                                                                const PresignGetOptions& options) {
  return meters_->Count(Operation::kPresign, [&] { return store_->PresignGet(key, options); });
}

Result<std::optional<PresignedPut>> MeteredBlobStore::PresignPut(const BlobKey& key,
                                                                 const PresignPutOptions& options) {
  return meters_->Count(Operation::kPresign, [&] { return store_->PresignPut(key, options); });
}

}  // namespace tintype::blobs
