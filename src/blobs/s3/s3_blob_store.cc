#include "blobs/s3/s3_blob_store.h"

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/logging.h"
#include "base/percent.h"
#include "base/strings.h"
#include "blobs/local_file.h"
#include "blobs/s3/internal/client.h"
#include "blobs/s3/internal/documents.h"
#include "blobs/s3/internal/errors.h"
#include "blobs/s3/internal/object.h"
#include "blobs/s3/internal/upload.h"
#include "blobs/s3/internal/writer.h"

namespace tintype::blobs::s3 {
namespace {

/// More pages of unfinished uploads than anybody has: a storage that goes in circles is left alone.
constexpr int kUploadPagesMax = 1000;
/// Enough for a page of 1,000 keys of 1,024 bytes, each escaped.
constexpr size_t kAnswerBytesMax = 8 << 20;
/// What S3 takes with one request.
constexpr uint64_t kPutBytesMax = uint64_t{5} << 30;

Error NoSuchBlob(const BlobKey& key) {
  return Error::NotFound("No such blob").WithNote(StrCat(key.bucket, "/", key.key));
}

/// Only the operator sees it, so the message tells everything.
Error ForOperator(const S3Config& config, const std::string& bucket, const Error& error) {
  return {error.kind(),
          StrCat("Cannot use the bucket ", bucket, " at ",
                 config.endpoint.empty() ? StrCat("AWS in ", config.region) : config.endpoint, ": ",
                 error.message(), error.note().empty() ? "" : StrCat(" (", error.note(), ")"))};
}

std::string ListQuery(const ListRequest& request, size_t keys, const std::string& token) {
  std::string query = StrCat("encoding-type=url&list-type=2&max-keys=", keys);
  if (!token.empty()) {
    StrAppend(query, "&continuation-token=", PercentEncoded(token));
  } else if (!request.after.empty()) {
    StrAppend(query, "&start-after=", PercentEncoded(request.after));
  }
  if (!request.prefix.empty()) {
    StrAppend(query, "&prefix=", PercentEncoded(request.prefix));
  }
  return query;
}

Status CheckExpiry(int64_t expires_s) {
  if (expires_s < 1 || expires_s > kPresignSecondsMax) {
    return Error::Validation(
        StrCat("A link to a blob is good for 1 to ", kPresignSecondsMax, " seconds"));
  }
  return OkStatus();
}

}  // namespace

S3BlobStore::S3BlobStore(std::shared_ptr<Client> client) : client_(std::move(client)) {}
S3BlobStore::~S3BlobStore() = default;

Result<std::unique_ptr<S3BlobStore>> S3BlobStore::Connect(S3Config config, const Clock& clock) {
  std::unique_ptr<net::HttpClient> http =
      net::NewHttpClient({.ca_file = config.ca_file,
                          .connect_timeout = config.connect_timeout,
                          .stall_timeout = config.stall_timeout,
                          .answer_bytes_max = kAnswerBytesMax});
  return ConnectOver(std::move(http), std::move(config), clock);
}

Result<std::unique_ptr<S3BlobStore>> S3BlobStore::ConnectOver(std::unique_ptr<net::HttpClient> http,
                                                              S3Config config, const Clock& clock) {
  RETURN_IF_ERROR(config.Validate());
  RETURN_IF_ERROR(MakeFolders(config.temporary_folder));
  std::unique_ptr<S3BlobStore> store(
      new S3BlobStore(std::make_shared<Client>(std::move(config), clock, std::move(http))));
  const S3Config& settings = store->client_->config();
  for (const std::string& bucket : settings.buckets) {
    if (const Status prepared = store->PrepareBucket(bucket); !prepared.ok()) {
      return ForOperator(settings, bucket, prepared.error());
    }
    if (const Status encrypts = store->PrepareEncryption(bucket); !encrypts.ok()) {
      return ForOperator(settings, bucket, encrypts.error());
    }
    if (const Status swept = store->AbortLeftovers(bucket); !swept.ok()) {
      // They cost room, but nobody sees them.
      LogWarning(
          "unfinished uploads of a bucket stay",
          {{"bucket", bucket}, {"error", swept.error().message()}, {"note", swept.error().note()}});
    }
  }
  return store;
}

Status S3BlobStore::PrepareBucket(const std::string& bucket) {
  // Not HEAD, whose answer could not say what is wrong.
  ASSIGN_OR_RETURN(
      const net::HttpAnswer answer,
      client_->Send({.method = "GET", .target = {bucket, ""}, .query = "list-type=2&max-keys=1"}));
  if (answer.status == 200) {
    return OkStatus();
  }
  if (ParseError(answer.body).code == "NoSuchBucket" && client_->config().create_buckets) {
    return CreateBucket(bucket);
  }
  return ErrorOf(answer, "ListObjectsV2");
}

Status S3BlobStore::CreateBucket(const std::string& bucket) {
  const S3Config& config = client_->config();
  // AWS wants to be told the region that it is asked in, but for the first; others have their own
  // names for regions.
  const std::string body = config.endpoint.empty() && config.region != "us-east-1"
                               ? WriteLocation(config.region)
                               : std::string();
  ASSIGN_OR_RETURN(
      const net::HttpAnswer answer,
      client_->Send({.method = "PUT", .target = {bucket, ""}, .body = {.text = body}}));
  const bool made_meanwhile = ParseError(answer.body).code == "BucketAlreadyOwnedByYou";
  return answer.status == 200 || made_meanwhile ? OkStatus()
                                                : Status(ErrorOf(answer, "CreateBucket"));
}

Status S3BlobStore::PrepareEncryption(const std::string& bucket) {
  using Kind = StorageEncryption::Kind;
  const StorageEncryption& asked = client_->config().encryption;
  if (asked.kind == Kind::kUnsaid) {
    return OkStatus();
  }
  // An upload in parts that is given up at once: the storage says what it thinks of the headers,
  // and nobody ever sees an object.
  const auto begin = [&] { return PartUpload::Begin(*client_, {bucket, "tintype-encryption"}); };
  if (asked.kind != Kind::kPreferred) {
    ASSIGN_OR_RETURN(const auto begun, begin());
    // With a key that is sent along it is the calls with the key that fail.
    if (asked.kind != Kind::kOwnKey && !begun->is_encrypted_there()) {
      return Error::Validation(
          "The storage takes the request to encrypt, but does not say that it does. Name another "
          "--s3-encryption, or encrypt photos before they go with --blob-encryption on.");
    }
    return OkStatus();
  }
  // Our headers would go before the bucket's default, which may be better.
  client_->LeaveEncryptionTo(bucket);
  const auto unsaid = begin();
  if (unsaid.ok() && (*unsaid)->is_encrypted_there()) {
    return OkStatus();
  }
  client_->AskForEncryption(bucket);
  const auto said = begin();
  if (said.ok() && (*said)->is_encrypted_there()) {
    return OkStatus();
  }
  if (said.ok()) {
    // It takes the header, and leaves out the answer that would confirm it: it goes on being asked.
    LogWarning("the storage does not say that it encrypts: photos may lie there in plain",
               {{"bucket", bucket}, {"then", "--s3-encryption, or --blob-encryption on"}});
    return OkStatus();
  }
  if (!unsaid.ok()) {
    return unsaid.error();
  }
  LogWarning(
      "the storage does not encrypt with keys of its own: photos lie there as the bucket has it",
      {{"bucket", bucket},
       {"error", said.error().message()},
       {"note", said.error().note()},
       {"then", "--s3-encryption"}});
  client_->LeaveEncryptionTo(bucket);
  return OkStatus();
}

Status S3BlobStore::AbortLeftovers(const std::string& bucket) {
  const int64_t before_ms =
      client_->clock().NowMs() - std::chrono::milliseconds(client_->config().leftover_age).count();
  UploadPage page;
  page.truncated = true;
  for (int pages = 0; page.truncated && pages < kUploadPagesMax; ++pages) {
    std::string query = "encoding-type=url&uploads=";
    if (!page.next_key.empty()) {
      StrAppend(query, "&key-marker=", PercentEncoded(page.next_key),
                "&upload-id-marker=", PercentEncoded(page.next_upload_id));
    }
    ASSIGN_OR_RETURN(
        const net::HttpAnswer answer,
        client_->SendExpectingSuccess({.method = "GET", .target = {bucket, ""}, .query = query}));
    ASSIGN_OR_RETURN(page, ParseUploads(answer.body));
    for (const UnfinishedUpload& upload : page.uploads) {
      if (upload.begun_ms <= before_ms) {
        ASSIGN_OR_RETURN(
            const net::HttpAnswer aborted,
            client_->Send({.method = "DELETE",
                           .target = {bucket, upload.key},
                           .query = StrCat("uploadId=", PercentEncoded(upload.upload_id))}));
        LogInfo("ended an upload that was left unfinished",
                {{"bucket", bucket}, {"key", upload.key}, {"status", aborted.status}});
      }
    }
  }
  return OkStatus();
}

Result<std::unique_ptr<BlobWriter>> S3BlobStore::Create(const BlobKey& key) {
  RETURN_IF_ERROR(Check(key));
  return S3BlobWriter::Create(*client_, key);
}

Result<std::shared_ptr<const OpenBlob>> S3BlobStore::Open(const BlobKey& key) {
  RETURN_IF_ERROR(Check(key));
  ASSIGN_OR_RETURN(auto head, HeadObject(*client_, key));
  if (!head) {
    return NoSuchBlob(key);
  }
  return OpenObject(client_, key, *std::move(head));
}

Result<std::shared_ptr<const OpenBlob>> S3BlobStore::OpenLocal(const BlobKey& key) {
  RETURN_IF_ERROR(Check(key));
  ASSIGN_OR_RETURN(const auto head, HeadObject(*client_, key));
  if (!head) {
    return NoSuchBlob(key);
  }
  return DownloadObject(*client_, key, *head);
}

Result<BlobInfo> S3BlobStore::Adopt(const std::string& path, const BlobKey& key) {
  RETURN_IF_ERROR(Check(key));
  ASSIGN_OR_RETURN(const LocalFile file, LocalFile::Open(path));
  return UploadFile(*client_, key, file.descriptor(), file.bytes());
}

Result<std::optional<BlobInfo>> S3BlobStore::Head(const BlobKey& key) {
  RETURN_IF_ERROR(Check(key));
  ASSIGN_OR_RETURN(const auto head, HeadObject(*client_, key));
  return head ? std::optional(head->info) : std::nullopt;
}

Status S3BlobStore::Delete(const BlobKey& key) {
  RETURN_IF_ERROR(Check(key));
  ASSIGN_OR_RETURN(const net::HttpAnswer answer,
                   client_->Send({.method = "DELETE", .target = key}));
  const bool gone =
      answer.status == 200 || answer.status == 204 || ParseError(answer.body).code == "NoSuchKey";
  return gone ? OkStatus() : Status(ErrorOf(answer, StrCat("DELETE ", key.bucket, "/", key.key)));
}

Status S3BlobStore::Move(const BlobKey& from, const BlobKey& to) {
  RETURN_IF_ERROR(Check(from));
  RETURN_IF_ERROR(Check(to));
  ASSIGN_OR_RETURN(const auto head, HeadObject(*client_, from));
  if (head && from == to) {
    return OkStatus();
  }
  if (head) {
    Status copied = CopyObject(*client_, from, *head, to);
    if (!copied.ok() && copied.error().Is(kNotImplemented)) {
      // Some services copy no objects that they have encrypted.
      copied = CopyThroughHere(from, *head, to);
    }
    if (copied.ok()) {
      return Delete(from);
    }
    if (copied.error().kind() != ErrorKind::kNotFound) {
      return copied;
    }
    // Somebody else has moved it meanwhile, or deleted it.
  }
  ASSIGN_OR_RETURN(const auto moved, HeadObject(*client_, to));
  return moved ? OkStatus() : Status(NoSuchBlob(from));
}

Status S3BlobStore::CopyThroughHere(const BlobKey& from, const ObjectHead& head,
                                    const BlobKey& to) {
  ASSIGN_OR_RETURN(const auto file, DownloadObject(*client_, from, head));
  RETURN_IF_ERROR(UploadFile(*client_, to, file->descriptor(), file->info().bytes));
  return OkStatus();
}

Result<BlobList> S3BlobStore::List(const ListRequest& request) {
  RETURN_IF_ERROR(CheckBucket(request.bucket));
  if (request.limit < 1 || request.limit > kListLimitMax) {
    return Error::Validation(StrCat("The limit of a list of blobs is 1 to ", kListLimitMax));
  }
  BlobList list;
  std::string token;
  do {
    const size_t wanted = std::min(client_->config().page_keys, request.limit - list.blobs.size());
    ASSIGN_OR_RETURN(const net::HttpAnswer answer,
                     client_->SendExpectingSuccess({.method = "GET",
                                                    .target = {request.bucket, ""},
                                                    .query = ListQuery(request, wanted, token)}));
    ASSIGN_OR_RETURN(ObjectPage page, ParseObjects(answer.body));
    for (ListedBlob& blob : page.objects) {
      if (ValidateBlobKey({request.bucket, blob.key}).ok()) {
        list.blobs.push_back(std::move(blob));
      }
    }
    list.more = page.truncated;
    token = std::move(page.next_token);
  } while (list.more && list.blobs.size() < request.limit);
  return list;
}

Result<uint64_t> S3BlobStore::DeletePrefix(const std::string& bucket, const std::string& prefix) {
  RETURN_IF_ERROR(CheckFolderPrefix(bucket, prefix));
  uint64_t deleted = 0;
  ListRequest request{.bucket = bucket, .prefix = prefix, .limit = client_->config().page_keys};
  for (bool more = true; more;) {
    ASSIGN_OR_RETURN(const BlobList page, List(request));
    if (page.blobs.empty()) {
      break;
    }
    std::vector<std::string> keys;
    for (const ListedBlob& blob : page.blobs) {
      keys.push_back(blob.key);
    }
    const std::string body = WriteDelete(keys);
    ASSIGN_OR_RETURN(
        const net::HttpAnswer answer,
        client_->SendExpectingSuccess({.method = "POST",
                                       .target = {bucket, ""},
                                       .query = "delete=",
                                       .headers = {{"content-md5", ChecksumsOf(body).md5_base64()},
                                                   {"content-type", "application/xml"}},
                                       .body = {.text = body}}));
    ASSIGN_OR_RETURN(const ErrorText failed, ParseDeleteErrors(answer.body));
    if (!failed.code.empty()) {
      return Error(ErrorKind::kUnavailable, "The blob storage could not delete all of a folder")
          .WithNote(StrCat(failed.code, " ", failed.message));
    }
    deleted += keys.size();
    more = page.more;
    request.after = keys.back();
  }
  return deleted;
}

Result<std::optional<std::string>> S3BlobStore::PresignGet(const BlobKey& key,
                                                           const PresignGetOptions& options) {
  RETURN_IF_ERROR(Check(key));
  RETURN_IF_ERROR(CheckExpiry(options.expires_s));
  if (!AllowsLinks(client_->config().encryption)) {
    return std::optional<std::string>();
  }
  std::string query;
  const auto add = [&query](std::string_view name, const std::string& value) {
    if (!value.empty()) {
      StrAppend(query, query.empty() ? "" : "&", name, "=", PercentEncoded(value));
    }
  };
  add("response-cache-control", options.cache_control);
  add("response-content-disposition", options.content_disposition);
  add("response-content-type", options.content_type);
  return std::optional(client_->Presign("GET", key, query, {}, options.expires_s));
}

Result<std::optional<PresignedPut>> S3BlobStore::PresignPut(const BlobKey& key,
                                                            const PresignPutOptions& options) {
  RETURN_IF_ERROR(Check(key));
  RETURN_IF_ERROR(CheckExpiry(options.expires_s));
  if (options.content_length.value_or(0) > kPutBytesMax) {
    return Error(ErrorKind::kRequestTooLarge,
                 StrCat("The blob storage takes at most ", kPutBytesMax, " bytes at once."));
  }
  if (!AllowsLinks(client_->config().encryption)) {
    return std::optional<PresignedPut>();
  }
  sigv4::HeaderList headers = client_->WithEncryption(key, ObjectUse::kWrite);
  if (options.content_length) {
    headers.emplace_back("content-length", std::to_string(*options.content_length));
  }
  if (!options.content_md5.empty()) {
    headers.emplace_back("content-md5", options.content_md5);
  }
  if (!options.content_type.empty()) {
    headers.emplace_back("content-type", options.content_type);
  }
  std::string url = client_->Presign("PUT", key, "", headers, options.expires_s);
  return std::optional(PresignedPut{.url = std::move(url), .headers = std::move(headers)});
}

Status S3BlobStore::Check(const BlobKey& key) const {
  RETURN_IF_ERROR(ValidateBlobKey(key));
  return CheckBucket(key.bucket);
}

Status S3BlobStore::CheckBucket(const std::string& bucket) const {
  const auto& buckets = client_->config().buckets;
  if (std::ranges::find(buckets, bucket) == buckets.end()) {
    return Error::NotFound("No such bucket").WithNote(bucket);
  }
  return OkStatus();
}

}  // namespace tintype::blobs::s3
