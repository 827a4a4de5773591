#include "blobs/sealed/testing/sealed_bytes.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/check.h"
#include "blobs/sealed/open_sealed_blob.h"
#include "blobs/sealed/sealed_writer.h"

namespace tintype::blobs {
namespace {

class WriterToText : public BlobWriter {
 public:
  explicit WriterToText(std::string& text) : text_(text) {}

  Status Write(std::string_view piece) override {
    text_ += piece;
    return OkStatus();
  }
  int descriptor() const override { return -1; }
  Result<BlobInfo> Commit() override { return BlobInfo{.bytes = text_.size()}; }

 private:
  std::string& text_;
};

class BlobOfText : public OpenBlob {
 public:
  explicit BlobOfText(std::string text) : text_(std::move(text)), info_{.bytes = text_.size()} {}

  const BlobInfo& info() const override { return info_; }
  int descriptor() const override { return -1; }
  int named_descriptor() const override { return -1; }
  Result<size_t> Read(uint64_t offset, std::span<char> out) const override {
    return offset < text_.size() ? text_.copy(out.data(), out.size(), offset) : 0;
  }

 private:
  const std::string text_;
  const BlobInfo info_;
};

}  // namespace

SealingKeys KeysOf(const std::vector<uint64_t>& ids) {
  std::vector<SealingKey> keys;
  for (const uint64_t id : ids) {
    const std::string bytes(crypto::SecretKey::kBytes, static_cast<char>(id));
    keys.push_back({id, *crypto::SecretKey::FromBytes(bytes)});
  }
  return SealingKeys(std::move(keys));
}

std::string Sealed(const SealingKeys& keys, std::string_view bytes) {
  std::string sealed;
  SealedWriter writer(std::make_unique<WriterToText>(sealed), keys);
  CHECK(writer.Write(bytes).ok());
  CHECK(writer.Commit().ok());
  return sealed;
}

std::optional<std::string> Opened(const SealingKeys& keys, const std::string& sealed) {
  const auto blob = OpenSealedBlob::Open(std::make_shared<const BlobOfText>(sealed), keys);
  if (!blob.ok()) {
    return std::nullopt;
  }
  std::string bytes(static_cast<size_t>((*blob)->bytes()), '\0');
  const auto count = (*blob)->Read(0, bytes);
  if (!count.ok() || *count != bytes.size()) {
    return std::nullopt;
  }
  return bytes;
}

}  // namespace tintype::blobs
