#include "blobs/s3/config.h"

#include <string_view>

#include "base/strings.h"
#include "blobs/blob_key.h"

namespace tintype::blobs::s3 {
namespace {

constexpr uint64_t kPartBytesMin = 5 << 20;
constexpr uint64_t kPartBytesMax = uint64_t{5} << 30;

bool IsEndpoint(std::string_view text) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (text.starts_with(scheme)) {
      text.remove_prefix(scheme.size());
      if (text.ends_with('/')) {
        text.remove_suffix(1);
      }
      return !text.empty() && text.find_first_of("/?#@ ") == std::string_view::npos;
    }
  }
  return false;
}

}  // namespace

Status S3Config::Validate() const {
  if (!endpoint.empty() && !IsEndpoint(endpoint)) {
    return Error::Validation(
        StrCat("The blob storage's endpoint must be http:// or https:// and a host, with a port if "
               "need be, and nothing else, but is: ",
               endpoint));
  }
  if (region.empty() || credentials.access_key_id.empty() || credentials.secret.empty()) {
    return Error::Validation(
        "Blob storage on S3 needs a region, an access key id and a secret access key");
  }
  for (const std::string& bucket : buckets) {
    RETURN_IF_ERROR(ValidateBucketName(bucket));
  }
  if (temporary_folder.empty()) {
    return Error::Validation("Blob storage on S3 needs a folder for temporary files");
  }
  for (const uint64_t bytes : {part_bytes, copy_bytes_max}) {
    if (bytes < kPartBytesMin || bytes > kPartBytesMax) {
      return Error::Validation("Parts of a blob on S3 have 5 MiB to 5 GiB");
    }
  }
  if (page_keys < 1 || page_keys > 1000) {
    return Error::Validation("S3 lists 1 to 1000 keys at once");
  }
  if (encryption.kind == StorageEncryption::Kind::kOwnKey && !encryption.own_key) {
    return Error::Validation("There is no key for the storage to encrypt with");
  }
  return OkStatus();
}

}  // namespace tintype::blobs::s3
