#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "blobs/blob_store.h"
#include "database_wrapper.h"

namespace tintype::product {

/// Something that happens at the n-th step, for tests that want it to happen at each: every call to
/// the database or the blob store counts. Either a crash, so that from the n-th on all of them
/// fail; or somebody else who comes in between. Thread-safe, but for Set and Interrupt.
class Tripwire {
 public:
  enum class When {
    kBefore,  ///< The n-th call does nothing.
    kAfter,   ///< It does what it should, but nobody hears of it.
    kNever,   ///< It does what it should, after somebody else has.
  };
  enum class Fate { kDo, kDoSilently, kFail };

  /// From now on, the n-th call (from 1) trips.
  void Set(int n, When when) {
    when_ = when;
    left_ = n;
  }
  /// From now on, `other` is called before the n-th call.
  void Interrupt(int n, std::function<void()> other) {
    other_ = std::move(other);
    Set(n, When::kNever);
  }
  Fate Step() {
    const int left = left_--;
    if (when_ == When::kNever && left == 1) {
      other_();
    }
    if (left > 1 || when_ == When::kNever) {
      return Fate::kDo;
    }
    return left == 1 && when_ == When::kAfter ? Fate::kDoSilently : Fate::kFail;
  }
  /// Whether there were n calls.
  bool tripped() const { return left_ <= 0; }

  static Error Failure() { return {ErrorCode::kUnavailable, "crashed"}; }

 private:
  std::atomic<int> left_ = 0;
  std::atomic<When> when_ = When::kBefore;
  std::function<void()> other_;
};

class TrippedDatabase : public DatabaseWrapper<TrippedDatabase> {
 public:
  TrippedDatabase(tables::Database& database, Tripwire& wire) : database_(database), wire_(wire) {}

  template <typename Request, typename Response>
  void Pass(void (tables::Database::*operation)(Request, Done<Response>), Request request,
            Done<Response> done) {
    switch (wire_.Step()) {
      case Tripwire::Fate::kDo:
        (database_.*operation)(std::move(request), std::move(done));
        return;
      case Tripwire::Fate::kDoSilently:
        (database_.*operation)(std::move(request),
                               [done = std::move(done)](const Result<Response>&) mutable {
                                 std::move(done)(Tripwire::Failure());
                               });
        return;
      case Tripwire::Fate::kFail:
        std::move(done)(Tripwire::Failure());
    }
  }

 private:
  tables::Database& database_;
  Tripwire& wire_;
};

class TrippedBlobStore : public blobs::BlobStore {
 public:
  TrippedBlobStore(blobs::BlobStore& blobs, Tripwire& wire) : blobs_(blobs), wire_(wire) {}

  Result<std::unique_ptr<blobs::BlobWriter>> Create(const blobs::BlobKey& key) override {
    return Pass([&] { return blobs_.Create(key); });
  }
  Result<std::shared_ptr<const blobs::OpenBlob>> Open(const blobs::BlobKey& key) override {
    return Pass([&] { return blobs_.Open(key); });
  }
  Result<std::shared_ptr<const blobs::OpenBlob>> OpenLocal(const blobs::BlobKey& key) override {
    return Pass([&] { return blobs_.OpenLocal(key); });
  }
  Result<blobs::BlobInfo> Adopt(const std::string& path, const blobs::BlobKey& key) override {
    return Pass([&] { return blobs_.Adopt(path, key); });
  }
  Result<std::optional<blobs::BlobInfo>> Head(const blobs::BlobKey& key) override {
    return Pass([&] { return blobs_.Head(key); });
  }
  Status Delete(const blobs::BlobKey& key) override {
    return Pass([&] { return blobs_.Delete(key); });
  }
  Status Move(const blobs::BlobKey& from, const blobs::BlobKey& to) override {
    return Pass([&] { return blobs_.Move(from, to); });
  }
  Result<blobs::BlobList> List(const blobs::ListRequest& request) override {
    return Pass([&] { return blobs_.List(request); });
  }
  Result<uint64_t> DeletePrefix(const std::string& bucket, const std::string& prefix) override {
    return Pass([&] { return blobs_.DeletePrefix(bucket, prefix); });
  }

 private:
  template <typename Call>
  auto Pass(const Call& call) -> decltype(call()) {
    switch (wire_.Step()) {
      case Tripwire::Fate::kDo:
        return call();
      case Tripwire::Fate::kDoSilently:
        call().PermitUncheckedError();
        break;
      case Tripwire::Fate::kFail:
        break;
    }
    return Tripwire::Failure();
  }

  blobs::BlobStore& blobs_;
  Tripwire& wire_;
};

}  // namespace tintype::product
