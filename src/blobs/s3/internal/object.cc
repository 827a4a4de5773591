#include "blobs/s3/internal/object.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/numbers.h"
#include "base/percent.h"
#include "base/strings.h"
#include "blobs/s3/internal/documents.h"
#include "blobs/s3/internal/errors.h"
#include "blobs/s3/internal/temporary_file.h"

namespace tintype::blobs::s3 {
namespace {

/// What is asked for at once of a large object: enough to be quick, little enough to be sent again.
constexpr uint64_t kDownloadBytes = 64 << 20;

/// Of calls that read an object.
sigv4::HeaderList HeadersFor(const Client& client, const ObjectHead& head,
                             sigv4::HeaderList headers) {
  return head.own_key ? client.WithOwnKey(ObjectUse::kRead, std::move(headers)) : headers;
}

/// One range of an object, as long as that is the one of `head`. `sink` has the range's size.
Status ReadRange(Client& client, const BlobKey& key, const ObjectHead& head, uint64_t offset,
                 const net::HttpSink& sink) {
  ASSIGN_OR_RETURN(const net::HttpAnswer answer,
                   client.SendExpectingSuccess(
                       {.method = "GET",
                        .target = key,
                        .headers = HeadersFor(
                            client, head,
                            {{"range", StrCat("bytes=", offset, "-", offset + sink.bytes() - 1)},
                             {"if-match", StrCat("\"", head.etag, "\"")}}),
                        .into = sink}));
  if (answer.received != sink.bytes()) {
    return Error::Corruption("A blob has become shorter since it was opened").WithNote(key.key);
  }
  return OkStatus();
}

/// Whether there is no such object, after HEAD said so, which cannot tell an object from a bucket
/// or from a proxy that knows neither: an object taken for missing is given up for good.
Status ConfirmMissing(Client& client, const BlobKey& key) {
  ASSIGN_OR_RETURN(const net::HttpAnswer answer,
                   client.SendExpectingSuccess(
                       {.method = "GET",
                        .target = {key.bucket, ""},
                        .query = StrCat("encoding-type=url&list-type=2&max-keys=1&prefix=",
                                        PercentEncoded(key.key))}));
  ASSIGN_OR_RETURN(const ObjectPage page, ParseObjects(answer.body));
  // The key itself comes before all others that begin so.
  if (!page.objects.empty() && page.objects[0].key == key.key) {
    return Error(ErrorKind::kUnavailable, "The blob storage contradicts itself just now")
        .WithNote(StrCat(key.bucket, "/", key.key, " is listed, but HEAD says 404"));
  }
  return OkStatus();
}

class S3OpenBlob : public OpenBlob {
 public:
  S3OpenBlob(std::shared_ptr<Client> client, BlobKey key, ObjectHead head)
      : client_(std::move(client)), key_(std::move(key)), head_(std::move(head)) {}

  const BlobInfo& info() const override { return head_.info; }
  int descriptor() const override { return -1; }
  int named_descriptor() const override { return -1; }

  Result<size_t> Read(uint64_t offset, std::span<char> out) const override {
    const uint64_t rest = offset < info().bytes ? info().bytes - offset : 0;
    out = out.first(static_cast<size_t>(std::min<uint64_t>(out.size(), rest)));
    if (!out.empty()) {
      RETURN_IF_ERROR(ReadRange(*client_, key_, head_, offset, {.memory = out}));
    }
    return out.size();
  }

 private:
  const std::shared_ptr<Client> client_;  // Shared, since this may outlive the store.
  const BlobKey key_;
  const ObjectHead head_;
};

class DownloadedBlob : public OpenBlob {
 public:
  DownloadedBlob(TemporaryFile file, BlobInfo info)
      : file_(std::move(file)), info_(std::move(info)) {}

  const BlobInfo& info() const override { return info_; }
  int descriptor() const override { return file_.descriptor(); }
  int named_descriptor() const override { return -1; }

  Result<size_t> Read(uint64_t offset, std::span<char> out) const override {
    const uint64_t rest = offset < info_.bytes ? info_.bytes - offset : 0;
    out = out.first(static_cast<size_t>(std::min<uint64_t>(out.size(), rest)));
    for (size_t count = 0; count < out.size();) {
      const ssize_t got = ::pread(file_.descriptor(), out.data() + count, out.size() - count,
                                  static_cast<off_t>(offset + count));
      if (got == 0 || (got < 0 && errno != EINTR)) {
        return Error::Io("A blob's temporary file cannot be read");
      }
      count += got > 0 ? static_cast<size_t>(got) : 0;
    }
    return out.size();
  }

 private:
  const TemporaryFile file_;
  const BlobInfo info_;
};

}  // namespace

bool HasPlainETag(const net::HttpAnswer& answer) {
  return !answer.Header("x-amz-server-side-encryption").starts_with("aws:kms") &&
         answer.Header("x-amz-server-side-encryption-customer-algorithm").empty();
}

Result<std::optional<ObjectHead>> HeadObject(Client& client, const BlobKey& key) {
  ASSIGN_OR_RETURN(net::HttpAnswer answer,
                   client.Send({.method = "HEAD",
                                .target = key,
                                .headers = client.WithEncryption(key, ObjectUse::kRead)}));
  if (answer.status == 400 && client.config().encryption.own_key) {
    // It is from before what is set now: a key only gets in the way of what was written without.
    const bool was_sent = client.config().encryption.kind == StorageEncryption::Kind::kOwnKey;
    ASSIGN_OR_RETURN(answer,
                     client.Send({.method = "HEAD",
                                  .target = key,
                                  .headers = was_sent ? sigv4::HeaderList()
                                                      : client.WithOwnKey(ObjectUse::kRead)}));
  }
  if (answer.status == 404) {
    RETURN_IF_ERROR(ConfirmMissing(client, key));
    return std::optional<ObjectHead>();
  }
  const std::string call = StrCat("HEAD ", key.bucket, "/", key.key);
  if (answer.status != 200) {
    return ErrorOf(answer, call);
  }
  ObjectHead head;
  const auto bytes = ParseInteger<uint64_t>(answer.Header("content-length"));
  head.etag = Unquoted(answer.Header("etag"));
  if (!bytes || head.etag.empty()) {
    return Unreadable(call);
  }
  head.info.bytes = *bytes;
  head.info.modified_ms = net::HttpDateMs(answer.Header("last-modified"));
  head.info.tag = head.etag;
  head.etag_plain = HasPlainETag(answer);
  head.own_key = !answer.Header("x-amz-server-side-encryption-customer-algorithm").empty();
  return std::optional<ObjectHead>(std::move(head));
}

std::shared_ptr<const OpenBlob> OpenObject(std::shared_ptr<Client> client, BlobKey key,
                                           ObjectHead head) {
  return std::make_shared<S3OpenBlob>(std::move(client), std::move(key), std::move(head));
}

Result<std::shared_ptr<const OpenBlob>> DownloadObject(Client& client, const BlobKey& key,
                                                       const ObjectHead& head) {
  ASSIGN_OR_RETURN(TemporaryFile file, TemporaryFile::Create(client.config().temporary_folder));
  const uint64_t bytes = head.info.bytes;
  for (uint64_t offset = 0; offset < bytes; offset += kDownloadBytes) {
    RETURN_IF_ERROR(ReadRange(client, key, head, offset,
                              {.file = file.descriptor(),
                               .offset = offset,
                               .length = std::min(kDownloadBytes, bytes - offset)}));
  }
  if (head.etag_plain && IsMd5(head.etag)) {
    ASSIGN_OR_RETURN(const Checksums checksums, ChecksumsOf(file.descriptor(), 0, bytes));
    if (checksums.md5_hex() != head.etag) {
      return Error::Corruption("The bytes of a blob are not those that were stored")
          .WithNote(StrCat(key.bucket, "/", key.key));
    }
  }
  return std::shared_ptr<const OpenBlob>(
      std::make_shared<DownloadedBlob>(std::move(file), head.info));
}

}  // namespace tintype::blobs::s3
