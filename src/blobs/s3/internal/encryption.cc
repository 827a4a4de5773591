#include "blobs/s3/internal/encryption.h"

#include <string>
#include <string_view>

#include "base/base64.h"
#include "base/strings.h"
#include "blobs/s3/internal/checksums.h"

namespace tintype::blobs::s3 {
namespace {

using Kind = StorageEncryption::Kind;

constexpr std::string_view kServerSide = "x-amz-server-side-encryption";

void AddOwnKey(const crypto::SecretKey& key, std::string_view before, sigv4::HeaderList& headers) {
  const std::string customer = StrCat(before, "server-side-encryption-customer-");
  headers.emplace_back(StrCat(customer, "algorithm"), "AES256");
  headers.emplace_back(StrCat(customer, "key"), Base64(key.bytes()));
  headers.emplace_back(StrCat(customer, "key-md5"), ChecksumsOf(key.bytes()).md5_base64());
}

}  // namespace

sigv4::HeaderList EncryptionHeaders(const StorageEncryption& encryption, ObjectUse use) {
  sigv4::HeaderList headers;
  switch (encryption.kind) {
    case Kind::kUnsaid:
      break;
    case Kind::kPreferred:
    case Kind::kStorageKeys:
      if (use == ObjectUse::kWrite) {
        headers.emplace_back(kServerSide, "AES256");
      }
      break;
    case Kind::kManagedKey:
      if (use == ObjectUse::kWrite) {
        headers.emplace_back(kServerSide, "aws:kms");
        if (!encryption.managed_key.empty()) {
          headers.emplace_back(StrCat(kServerSide, "-aws-kms-key-id"), encryption.managed_key);
        }
      }
      break;
    case Kind::kOwnKey:
      AddOwnKey(*encryption.own_key,
                use == ObjectUse::kCopySource ? "x-amz-copy-source-" : "x-amz-", headers);
      break;
  }
  return headers;
}

bool AllowsLinks(const StorageEncryption& encryption) { return encryption.kind != Kind::kOwnKey; }

}  // namespace tintype::blobs::s3
