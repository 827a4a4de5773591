#include "blobs/hashing_writer.h"

#include <openssl/evp.h>

#include <utility>

#include "base/check.h"
#include "base/hex.h"

namespace tintype::blobs {
namespace {

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using DigestContext = std::unique_ptr<EVP_MD_CTX, FreeContext>;

DigestContext NewContext() {
  DigestContext context(EVP_MD_CTX_new());
  CHECK(context != nullptr);
  return context;
}

DigestContext Begin(const EVP_MD* kind) {
  DigestContext context = NewContext();
  CHECK(EVP_DigestInit_ex(context.get(), kind, nullptr) == 1);
  return context;
}

std::string HexSoFar(const DigestContext& running) {
  // Finishing ends a computation, so a copy of it is finished.
  const DigestContext copy = NewContext();
  CHECK(EVP_MD_CTX_copy_ex(copy.get(), running.get()) == 1);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  CHECK(EVP_DigestFinal_ex(copy.get(), digest, &size) == 1);
  return ToHex({reinterpret_cast<const char*>(digest), size});
}

}  // namespace

struct ContentHasher::State {
  DigestContext md5 = Begin(EVP_md5());
  DigestContext sha256 = Begin(EVP_sha256());
};

ContentHasher::ContentHasher() : state_(std::make_unique<State>()) {}
ContentHasher::~ContentHasher() = default;

void ContentHasher::Update(std::string_view piece) {
  CHECK(EVP_DigestUpdate(state_->md5.get(), piece.data(), piece.size()) == 1);
  CHECK(EVP_DigestUpdate(state_->sha256.get(), piece.data(), piece.size()) == 1);
}

ContentHashes ContentHasher::hashes() const {
  return {.md5 = HexSoFar(state_->md5), .sha256 = HexSoFar(state_->sha256)};
}

HashingWriter::HashingWriter(std::unique_ptr<BlobWriter> writer) : writer_(std::move(writer)) {}

Status HashingWriter::Write(std::string_view piece) {
  hasher_.Update(piece);
  return writer_->Write(piece);
}

}  // namespace tintype::blobs
