#include "cli/settings/blob_settings.h"

#include <string_view>

#include "base/strings.h"
#include "blobs/blob_key.h"

namespace tintype::cli {
namespace {

constexpr std::string_view kScheme = "s3://";

/// A bucket by its own setting, else by the prefix.
Result<std::string> BucketOf(const std::string& named, std::string_view prefix,
                             std::string_view kind) {
  std::string name = named.empty() ? StrCat(prefix, "-", kind) : named;
  if (!blobs::ValidateBucketName(name).ok()) {
    return Error::Validation(
        StrCat("'", name, "', the bucket for ", kind,
               ", is no bucket's name: 3 to 63 lower-case letters, digits, '-' and '.'"));
  }
  return name;
}

}  // namespace

Result<BlobSettings> ParseBlobSettings(const BlobTexts& texts) {
  if (texts.blobs == "files") {
    return BlobSettings();
  }
  std::string_view prefix = texts.blobs;
  if (!prefix.starts_with(kScheme)) {
    return Error::Validation(
        StrCat("--blobs is 'files' or s3:// and what the names of the buckets begin with, not '",
               texts.blobs, "'"));
  }
  prefix.remove_prefix(kScheme.size());
  if (prefix.ends_with('/')) {
    prefix.remove_suffix(1);
  }
  S3Settings s3;
  ASSIGN_OR_RETURN(s3.uploads_bucket, BucketOf(texts.uploads_bucket, prefix, "uploads"));
  ASSIGN_OR_RETURN(s3.images_bucket, BucketOf(texts.images_bucket, prefix, "images"));
  if (s3.uploads_bucket == s3.images_bucket) {
    return Error::Validation("--uploads-bucket and --images-bucket have to be two buckets");
  }
  if (texts.access_key_id.empty() || !texts.secret_access_key) {
    return Error::Validation(
        "--blobs s3:// needs --s3-access-key-id, and TINTYPE_S3_SECRET_ACCESS_KEY or "
        "TINTYPE_S3_SECRET_ACCESS_KEY_FILE");
  }
  if (texts.delivery != "redirect" && texts.delivery != "proxy") {
    return Error::Validation(
        StrCat("--s3-delivery is 'redirect' or 'proxy', not '", texts.delivery, "'"));
  }
  s3.endpoint = texts.endpoint;
  s3.region = texts.region;
  s3.access_key_id = texts.access_key_id;
  s3.secret_access_key = *texts.secret_access_key;
  s3.redirect = texts.delivery == "redirect";
  return BlobSettings{.s3 = std::move(s3)};
}

}  // namespace tintype::cli
