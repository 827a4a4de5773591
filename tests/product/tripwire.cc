#include "tripwire.h"

#include <optional>
#include <string>
#include <utility>

#include "base/check.h"
#include "database_wrapper.h"

namespace tintype::product {
namespace {

Error Failure() { return {ErrorKind::kUnavailable, "crashed"}; }

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
                                 std::move(done)(Failure());
                               });
        return;
      case Tripwire::Fate::kFail:
        std::move(done)(Failure());
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
    return Failure();
  }

  blobs::BlobStore& blobs_;
  Tripwire& wire_;
};

}  // namespace

void Tripwire::Set(int n, When when) {
  when_ = when;
  left_ = n;
}

void Tripwire::Interrupt(int n, std::function<void()> other) {
  other_ = std::move(other);
  Set(n, When::kNever);
}

Tripwire::Fate Tripwire::Step() {
  const int left = left_--;
  if (when_ == When::kNever && left == 1) {
    other_();
  }
  if (left > 1 || when_ == When::kNever) {
    return Fate::kDo;
  }
  return left == 1 && when_ == When::kAfter ? Fate::kDoSilently : Fate::kFail;
}

TrippedStores::TrippedStores(tables::Database& database, blobs::BlobStore& blobs, Tripwire& wire)
    : database_(std::make_unique<TrippedDatabase>(database, wire)),
      blobs_(std::make_unique<TrippedBlobStore>(blobs, wire)) {}

TrippedStores::~TrippedStores() = default;

bool FailingCalls::Next() {
  if (ended_ && when_ == Tripwire::When::kAfter) {
    return false;
  }
  if (ended_) {
    when_ = Tripwire::When::kAfter;
    n_ = 0;
  }
  ended_ = false;
  ++n_;
  ++turn_;
  CHECK(n_ < kCallsMax);
  wire_.Set(0, Tripwire::When::kNever);
  return true;
}

}  // namespace tintype::product
