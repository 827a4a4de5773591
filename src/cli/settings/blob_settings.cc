#include "cli/settings/blob_settings.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "base/strings.h"
#include "blobs/blob_key.h"
#include "crypto/secret_key.h"
#include "oidc/metadata.h"

namespace tintype::cli {
namespace {

constexpr std::string_view kScheme = "s3://";

Status CheckName(std::string_view name, std::string_view kind) {
  if (blobs::ValidateBucketName(name).ok()) {
    return OkStatus();
  }
  return Error::Validation(
      StrCat("'", name, "', the bucket for ", kind,
             ", is no bucket's name: 3 to 63 lower-case letters, digits, '-' and single '.', with "
             "a letter or digit at both ends, and no IP address"));
}

/// The buckets by their own settings, else by the prefix; without a prefix, as far as they are
/// said.
Result<BucketNames> BucketsOf(const BlobTexts& texts, std::optional<std::string_view> prefix) {
  BucketNames names{texts.uploads_bucket, texts.images_bucket};
  if (prefix && names.uploads.empty()) {
    names.uploads = StrCat(*prefix, "-uploads");
  }
  if (prefix && names.images.empty()) {
    names.images = StrCat(*prefix, "-images");
  }
  if (!names.uploads.empty()) {
    RETURN_IF_ERROR(CheckName(names.uploads, "uploads"));
  }
  if (!names.images.empty()) {
    RETURN_IF_ERROR(CheckName(names.images, "images"));
  }
  if (!names.uploads.empty() && names.uploads == names.images) {
    return Error::Validation("--uploads-bucket and --images-bucket have to be two buckets");
  }
  return names;
}

/// How the storage is to encrypt. Errors: kValidation.
Result<blobs::s3::StorageEncryption> EncryptionOf(const BlobTexts& texts) {
  using Kind = blobs::s3::StorageEncryption::Kind;
  constexpr std::string_view kManaged = "sse-kms";
  blobs::s3::StorageEncryption encryption;
  const std::string_view text = texts.encryption;
  if (text == "auto") {
    encryption.kind = Kind::kPreferred;
  } else if (text == "bucket") {
    encryption.kind = Kind::kUnsaid;
  } else if (text == "sse-s3") {
    encryption.kind = Kind::kStorageKeys;
  } else if (text == kManaged || text.starts_with("sse-kms:")) {
    encryption.kind = Kind::kManagedKey;
    encryption.managed_key = text.substr(std::min(text.size(), kManaged.size() + 1));
  } else if (text == "sse-c") {
    encryption.kind = Kind::kOwnKey;
  } else {
    return Error::Validation(
        StrCat("--s3-encryption is auto, bucket, sse-s3, sse-kms, sse-kms:KEY or sse-c, not '",
               text, "'"));
  }
  if (!texts.encryption_key) {
    return encryption.kind == Kind::kOwnKey
               ? Result<blobs::s3::StorageEncryption>(Error::Validation(
                     "'--s3-encryption sse-c' needs TINTYPE_S3_ENCRYPTION_KEY (or _FILE, or "
                     "_COMMAND)"))
               : encryption;
  }
  // With another setting it is for reading what was written with it.
  const auto bytes = ParseBase64(*texts.encryption_key);
  encryption.own_key = bytes ? crypto::SecretKey::FromBytes(*bytes) : std::nullopt;
  if (!encryption.own_key) {
    return Error::Validation(
        "TINTYPE_S3_ENCRYPTION_KEY has to be 32 bytes in base64: 'openssl rand -base64 32' makes "
        "them");
  }
  if (!texts.endpoint.empty() && !oidc::IsTrustworthyUrl(texts.endpoint)) {
    return Error::Validation(StrCat("The key in TINTYPE_S3_ENCRYPTION_KEY would travel to ",
                                    texts.endpoint, "; use https://"));
  }
  return encryption;
}

}  // namespace

Result<BlobSettings> ParseBlobSettings(const BlobTexts& texts) {
  if (texts.blobs == "files") {
    ASSIGN_OR_RETURN(BucketNames names, BucketsOf(texts, std::nullopt));
    return BlobSettings{.buckets = std::move(names), .s3 = std::nullopt};
  }
  std::string_view prefix = texts.blobs;
  if (!prefix.starts_with(kScheme)) {
    return Error::Validation(
        StrCat("--blobs is 'files' or s3:// and the beginning of the buckets' names, not '",
               texts.blobs, "'"));
  }
  prefix.remove_prefix(kScheme.size());
  if (prefix.ends_with('/')) {
    prefix.remove_suffix(1);
  }
  ASSIGN_OR_RETURN(BucketNames names, BucketsOf(texts, prefix));
  if (texts.access_key_id.empty() || !texts.secret_access_key) {
    return Error::Validation(
        "--blobs s3:// needs --s3-access-key-id, and TINTYPE_S3_SECRET_ACCESS_KEY or "
        "TINTYPE_S3_SECRET_ACCESS_KEY_FILE or _COMMAND");
  }
  if (texts.delivery != "redirect" && texts.delivery != "proxy") {
    return Error::Validation(
        StrCat("--s3-delivery is 'redirect' or 'proxy', not '", texts.delivery, "'"));
  }
  S3Settings s3;
  s3.endpoint = texts.endpoint;
  s3.region = texts.region;
  s3.access_key_id = texts.access_key_id;
  s3.secret_access_key = *texts.secret_access_key;
  s3.redirect = texts.delivery == "redirect";
  ASSIGN_OR_RETURN(s3.encryption, EncryptionOf(texts));
  return BlobSettings{.buckets = std::move(names), .s3 = std::move(s3)};
}

}  // namespace tintype::cli
