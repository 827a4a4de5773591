#include "blobs/checksum.h"

#include <openssl/evp.h>

#include <utility>

#include "base/check.h"

namespace tintype::blobs {
namespace {

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

const EVP_MD* KindOf(std::string_view algorithm) {
  if (algorithm == "sha1") return EVP_sha1();
  if (algorithm == "sha256") return EVP_sha256();
  if (algorithm == "md5") return EVP_md5();
  return nullptr;
}

}  // namespace

struct Checksum::State {
  std::unique_ptr<EVP_MD_CTX, FreeContext> context{EVP_MD_CTX_new()};
};

Checksum::Checksum(std::unique_ptr<State> state) : state_(std::move(state)) {}
Checksum::Checksum(Checksum&&) noexcept = default;
Checksum& Checksum::operator=(Checksum&&) noexcept = default;
Checksum::~Checksum() = default;

std::optional<Checksum> Checksum::Of(std::string_view algorithm) {
  const EVP_MD* const kind = KindOf(algorithm);
  if (kind == nullptr) {
    return std::nullopt;
  }
  auto state = std::make_unique<State>();
  CHECK(state->context != nullptr);
  CHECK(EVP_DigestInit_ex(state->context.get(), kind, nullptr) == 1);
  return Checksum(std::move(state));
}

void Checksum::Update(std::string_view piece) {
  CHECK(EVP_DigestUpdate(state_->context.get(), piece.data(), piece.size()) == 1);
}

std::string Checksum::Finish() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  CHECK(EVP_DigestFinal_ex(state_->context.get(), digest, &size) == 1);
  return {reinterpret_cast<const char*>(digest), size};
}

}  // namespace tintype::blobs
