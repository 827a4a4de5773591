#include "tables/transfer/internal/digested_file.h"

#include <openssl/evp.h>

#include <utility>

#include "base/check.h"

namespace tintype::tables::transfer {

std::string FileDigest::Hex() const {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : md5) {
    const auto value = static_cast<unsigned char>(byte);
    text.push_back(kDigits[value >> 4]);
    text.push_back(kDigits[value & 15]);
  }
  return text;
}

std::string FileDigest::Base64() const {
  std::string text((md5.size() + 2) / 3 * 4 + 1, '\0');  // With room for a final zero.
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(md5.data()),
                                   static_cast<int>(md5.size()));
  text.resize(static_cast<size_t>(size));
  return text;
}

struct DigestedFile::Hash {
  Hash() : context(EVP_MD_CTX_new()) {
    CHECK(context != nullptr && EVP_DigestInit_ex(context, EVP_md5(), nullptr) == 1);
  }
  ~Hash() { EVP_MD_CTX_free(context); }
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;

  EVP_MD_CTX* context;
};

DigestedFile::DigestedFile(NewFile file)
    : file_(std::move(file)), hash_(std::make_unique<Hash>()) {}

DigestedFile::~DigestedFile() = default;

Result<std::unique_ptr<DigestedFile>> DigestedFile::Create(std::string path) {
  ASSIGN_OR_RETURN(NewFile file, NewFile::Create(std::move(path), kFileMode));
  return std::unique_ptr<DigestedFile>(new DigestedFile(std::move(file)));
}

Status DigestedFile::Write(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(hash_->context, bytes.data(), bytes.size()) == 1);
  return file_.Write(bytes);
}

Result<FileDigest> DigestedFile::Finish() {
  RETURN_IF_ERROR(file_.Finish());
  FileDigest digest{std::string(16, '\0')};
  CHECK(EVP_DigestFinal_ex(hash_->context, reinterpret_cast<unsigned char*>(digest.md5.data()),
                           nullptr) == 1);
  return digest;
}

Result<FileDigest> WriteDigestedFile(const std::string& path, std::string_view content) {
  ASSIGN_OR_RETURN(const auto file, DigestedFile::Create(path));
  RETURN_IF_ERROR(file->Write(content));
  return file->Finish();
}

}  // namespace tintype::tables::transfer
