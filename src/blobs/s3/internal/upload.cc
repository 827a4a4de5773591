#include "blobs/s3/internal/upload.h"

#include <algorithm>
#include <utility>

#include "base/percent.h"
#include "base/strings.h"
#include "blobs/s3/internal/documents.h"
#include "blobs/s3/internal/errors.h"
#include "blobs/s3/internal/object.h"

namespace tintype::blobs::s3 {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;
constexpr uint64_t kCopyPartBytes = uint64_t{1} << 30;

std::string CopySource(const BlobKey& key) {
  return StrCat("/", key.bucket, "/", PercentEncoded(key.key, /*keep_slash=*/true));
}

/// Of a call that copies an object, or a part of it.
sigv4::HeaderList HeadersOfCopy(const Client& client, const BlobKey& source, const ObjectHead& head,
                                const BlobKey& to, ObjectUse use, sigv4::HeaderList headers) {
  headers.emplace_back("x-amz-copy-source", CopySource(source));
  if (head.own_key) {
    headers = client.WithOwnKey(ObjectUse::kCopySource, std::move(headers));
  }
  return client.WithEncryption(to, use, std::move(headers));
}

/// Whether the ETag that an answer has in its header is the MD5 of what was sent.
Status CheckETag(const net::HttpAnswer& answer, const Checksums& sent, std::string& etag) {
  etag = Unquoted(answer.Header("etag"));
  if (etag.empty()) {
    return Unreadable("the answer to an upload has no ETag");
  }
  // With a key of the storage's own, an ETag is no MD5, though it looks like one.
  if (HasPlainETag(answer) && IsMd5(etag) && etag != sent.md5_hex()) {
    return Damaged(StrCat("the MD5 is ", sent.md5_hex(), ", the ETag ", etag));
  }
  return OkStatus();
}

Result<BlobInfo> PutObject(Client& client, const BlobKey& key, int file, uint64_t bytes) {
  ASSIGN_OR_RETURN(const Checksums checksums, ChecksumsOf(file, 0, bytes));
  ASSIGN_OR_RETURN(const net::HttpAnswer answer,
                   client.SendExpectingSuccess(
                       {.method = "PUT",
                        .target = key,
                        .headers = client.WithEncryption(key, ObjectUse::kWrite,
                                                         {{"content-md5", checksums.md5_base64()}}),
                        .body = {.file = file, .offset = 0, .length = bytes},
                        .checksums = checksums}));
  std::string etag;
  RETURN_IF_ERROR(CheckETag(answer, checksums, etag));
  return BlobInfo{.bytes = bytes, .modified_ms = net::HttpDateMs(answer.Header("date"))};
}

}  // namespace

Result<std::unique_ptr<PartUpload>> PartUpload::Begin(Client& client, BlobKey key) {
  ASSIGN_OR_RETURN(
      const net::HttpAnswer answer,
      client.SendExpectingSuccess({.method = "POST",
                                   .target = key,
                                   .query = "uploads=",
                                   .headers = client.WithEncryption(key, ObjectUse::kWrite)}));
  ASSIGN_OR_RETURN(std::string id, ParseUploadId(answer.body));
  const bool encrypts = !answer.Header("x-amz-server-side-encryption").empty();
  return std::unique_ptr<PartUpload>(
      new PartUpload(client, std::move(key), std::move(id), encrypts));
}

PartUpload::~PartUpload() {
  if (!completed_) {
    // An upload that cannot be removed now is removed when a store is next opened, after a day.
    client_
        .Send({.method = "DELETE",
               .target = key_,
               .query = StrCat("uploadId=", PercentEncoded(id_)),
               .once = true})
        .PermitUncheckedError();
  }
}

std::string PartUpload::NextQuery() const {
  return StrCat("partNumber=", etags_.size() + 1, "&uploadId=", PercentEncoded(id_));
}

Status PartUpload::Add(int file, uint64_t offset, uint64_t length) {
  ASSIGN_OR_RETURN(const Checksums checksums, ChecksumsOf(file, offset, length));
  ASSIGN_OR_RETURN(const net::HttpAnswer answer,
                   client_.SendExpectingSuccess(
                       {.method = "PUT",
                        .target = key_,
                        .query = NextQuery(),
                        .headers = client_.WithEncryption(
                            key_, ObjectUse::kWritePart, {{"content-md5", checksums.md5_base64()}}),
                        .body = {.file = file, .offset = offset, .length = length},
                        .checksums = checksums}));
  std::string etag;
  RETURN_IF_ERROR(CheckETag(answer, checksums, etag));
  if (HasPlainETag(answer)) {
    md5s_.append(checksums.md5);
  }
  etags_.push_back(std::move(etag));
  bytes_ += length;
  return OkStatus();
}

Status PartUpload::AddCopy(const BlobKey& source, const ObjectHead& head, uint64_t offset,
                           uint64_t length) {
  ASSIGN_OR_RETURN(
      const net::HttpAnswer answer,
      client_.SendExpectingSuccess(
          {.method = "PUT",
           .target = key_,
           .query = NextQuery(),
           .headers = HeadersOfCopy(
               client_, source, head, key_, ObjectUse::kWritePart,
               {{"x-amz-copy-source-if-match", StrCat("\"", head.etag, "\"")},
                {"x-amz-copy-source-range", StrCat("bytes=", offset, "-", offset + length - 1)}}),
           .work_bytes = length,
           .error_in_body = true}));
  ASSIGN_OR_RETURN(std::string part, ParseETag(answer.body));
  etags_.push_back(std::move(part));
  bytes_ += length;
  return OkStatus();
}

Result<BlobInfo> PartUpload::Complete() {
  const std::string body = WriteParts(etags_);
  ASSIGN_OR_RETURN(
      const net::HttpAnswer answer,
      client_.Send({.method = "POST",
                    .target = key_,
                    .query = StrCat("uploadId=", PercentEncoded(id_)),
                    .headers = client_.WithEncryption(key_, ObjectUse::kWritePart,
                                                      {{"content-type", "application/xml"}}),
                    .body = {.text = body},
                    .work_bytes = bytes_,
                    .error_in_body = true}));
  // An upload that is no longer known may be complete: the answer that said so was lost.
  if (answer.status != 200 && ParseError(answer.body).code != "NoSuchUpload") {
    return ErrorOf(answer, StrCat("complete ", key_.bucket, "/", key_.key));
  }
  return FindCompleted();
}

Result<BlobInfo> PartUpload::FindCompleted() {
  // Not all services say in their answer what they have put together.
  ASSIGN_OR_RETURN(const auto head, HeadObject(client_, key_));
  const bool md5s_known = md5s_.size() == 16 * etags_.size();
  const bool fits = head && head->info.bytes == bytes_ &&
                    head->etag.ends_with(StrCat("-", etags_.size())) &&
                    (!md5s_known || head->etag == ETagOfParts(md5s_, etags_.size()));
  if (!fits) {
    return Damaged(StrCat(key_.bucket, "/", key_.key, " of ", bytes_, " bytes in ", etags_.size(),
                          " parts has ", head ? head->info.bytes : 0, " and the ETag ",
                          head ? head->etag : "(none)"));
  }
  completed_ = true;
  return head->info;
}

uint64_t PartBytesFor(uint64_t bytes, uint64_t part_bytes) {
  const uint64_t least = (bytes + kPartsMax - 1) / kPartsMax;
  return std::max(part_bytes, (least + kMegabyte - 1) / kMegabyte * kMegabyte);
}

Result<BlobInfo> UploadFile(Client& client, const BlobKey& key, int file, uint64_t bytes) {
  const uint64_t part_bytes = PartBytesFor(bytes, client.config().part_bytes);
  if (bytes <= part_bytes) {
    return PutObject(client, key, file, bytes);
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<PartUpload> upload, PartUpload::Begin(client, key));
  for (uint64_t offset = 0; offset < bytes; offset += part_bytes) {
    RETURN_IF_ERROR(upload->Add(file, offset, std::min(part_bytes, bytes - offset)));
  }
  return upload->Complete();
}

Status CopyObject(Client& client, const BlobKey& from, const ObjectHead& head, const BlobKey& to) {
  const uint64_t bytes = head.info.bytes;
  const uint64_t most = client.config().copy_bytes_max;
  if (bytes <= most) {
    ASSIGN_OR_RETURN(const net::HttpAnswer answer,
                     client.SendExpectingSuccess(
                         {.method = "PUT",
                          .target = to,
                          // A client that put it with a link may have said anything of its encoding
                          // and caching: that is not copied.
                          .headers = HeadersOfCopy(client, from, head, to, ObjectUse::kWrite,
                                                   {{"x-amz-metadata-directive", "REPLACE"}}),
                          .work_bytes = bytes,
                          .error_in_body = true}));
    RETURN_IF_ERROR(ParseETag(answer.body));
    return OkStatus();
  }
  const uint64_t part_bytes = std::min(most, kCopyPartBytes);
  ASSIGN_OR_RETURN(const std::unique_ptr<PartUpload> upload, PartUpload::Begin(client, to));
  for (uint64_t offset = 0; offset < bytes; offset += part_bytes) {
    RETURN_IF_ERROR(upload->AddCopy(from, head, offset, std::min(part_bytes, bytes - offset)));
  }
  RETURN_IF_ERROR(upload->Complete());
  return OkStatus();
}

}  // namespace tintype::blobs::s3
