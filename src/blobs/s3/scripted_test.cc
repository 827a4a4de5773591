#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "blobs/s3/internal/checksums.h"
#include "blobs/s3/s3_blob_store.h"
#include "blobs/testing/whole_blobs.h"
#include "net/http_client.h"

/// The store with a storage that answers what a real one does not on demand.
namespace tintype::blobs::s3 {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

net::HttpOutcome Answer(int status, std::string body = "", sigv4::HeaderList headers = {}) {
  net::HttpOutcome outcome;
  outcome.kind = net::HttpOutcome::Kind::kAnswered;
  outcome.answer = {.status = status, .headers = std::move(headers)};
  outcome.answer.body = std::move(body);
  return outcome;
}

net::HttpOutcome Lost() {
  net::HttpOutcome outcome;
  outcome.problem = "connection reset";
  return outcome;
}

std::string ErrorBody(const std::string& code) {
  return StrCat("<?xml version=\"1.0\"?>\n<Error><Code>", code,
                "</Code><Message>m</Message></Error>");
}

/// What came, as "METHOD path?query", and what is answered, one after the other. A request that is
/// not in the script gets 418, which nobody repeats.
class Script {
 public:
  void Add(net::HttpOutcome outcome) { outcomes_.push_back(std::move(outcome)); }
  const std::vector<std::string>& calls() const { return calls_; }
  const std::vector<sigv4::HeaderList>& headers() const { return headers_; }
  const std::vector<std::chrono::milliseconds>& timeouts() const { return timeouts_; }
  const std::vector<std::string>& bodies() const { return bodies_; }
  void Forget() {
    calls_.clear();
    headers_.clear();
    timeouts_.clear();
    bodies_.clear();
  }

  net::HttpOutcome Next(const net::HttpRequest& request) {
    const size_t path = request.url.find('/', request.url.find("://") + 3);
    calls_.push_back(StrCat(request.method, " ", request.url.substr(path)));
    headers_.push_back(request.headers);
    timeouts_.push_back(request.timeout);
    bodies_.emplace_back(request.body.text);
    if (outcomes_.empty()) {
      return Answer(418);
    }
    net::HttpOutcome outcome = std::move(outcomes_.front());
    outcomes_.pop_front();
    return outcome;
  }

 private:
  std::deque<net::HttpOutcome> outcomes_;
  std::vector<std::string> calls_;
  std::vector<sigv4::HeaderList> headers_;
  std::vector<std::chrono::milliseconds> timeouts_;
  std::vector<std::string> bodies_;
};

class ScriptedTransport : public net::HttpClient {
 public:
  explicit ScriptedTransport(Script& script) : script_(script) {}
  net::HttpOutcome Perform(const net::HttpRequest& request) override {
    net::HttpOutcome outcome = script_.Next(request);
    if (request.into && outcome.answered() && outcome.answer.status == 206) {
      const std::string& body = outcome.answer.body;
      outcome.answer.received = static_cast<uint64_t>(::pwrite(
          request.into->file, body.data(), body.size(), static_cast<off_t>(request.into->offset)));
    }
    return outcome;
  }

 private:
  Script& script_;
};

class ScriptedStoreTest : public ::testing::Test {
 protected:
  ScriptedStoreTest() {
    script_.Add(Answer(200));
    script_.Add(Answer(200, "<ListMultipartUploadsResult/>"));
    store_ =
        S3BlobStore::ConnectOver(std::make_unique<ScriptedTransport>(script_), config(), clock_)
            .value();
    script_.Forget();
  }

  S3Config config() const {
    S3Config config;
    config.endpoint = "http://storage";
    config.credentials = {.access_key_id = "AKID", .secret = "secret", .session_token = {}};
    config.buckets = {"images"};
    config.temporary_folder = directory_.path();
    config.part_bytes = 5 << 20;
    config.call_timeout = 2s;
    config.stall_timeout = 1s;
    return config;
  }

  /// Of an upload of `bytes` that came whole.
  static net::HttpOutcome Stored(std::string_view bytes) {
    return Answer(200, "", {{"etag", StrCat("\"", ChecksumsOf(bytes).md5_hex(), "\"")}});
  }
  net::HttpOutcome Head(uint64_t bytes, const std::string& etag) {
    return Answer(200, "",
                  {{"content-length", std::to_string(bytes)},
                   {"etag", StrCat("\"", etag, "\"")},
                   {"last-modified", "Sun, 15 Nov 2026 12:00:00 GMT"}});
  }

  const TemporaryDirectory directory_;
  const FakeClock clock_{1794744000000};
  Script script_;
  std::unique_ptr<S3BlobStore> store_;
};

// Failures that pass by themselves are tried again: statuses, codes, and lost connections.
TEST_F(ScriptedStoreTest, RepeatsWhatMayPass) {
  std::vector<net::HttpOutcome> failures;
  for (const int status : {408, 429, 500, 502, 503, 504}) {
    failures.push_back(Answer(status, ErrorBody("Whatever")));
  }
  for (const char* code : {"SlowDown", "RequestTimeout", "OperationAborted", "BadDigest"}) {
    failures.push_back(Answer(400, ErrorBody(code)));
  }
  failures.push_back(Lost());
  for (net::HttpOutcome& failure : failures) {
    script_.Forget();
    script_.Add(std::move(failure));
    script_.Add(Head(3, "e"));
    EXPECT_EQ(store_->Head({"images", "a"}).value()->bytes, 3U);
    EXPECT_THAT(script_.calls(), ElementsAre("HEAD /images/a", "HEAD /images/a"));
  }
}

// Failures that do not pass are not tried again, and are told apart.
TEST_F(ScriptedStoreTest, TellsErrorsApart) {
  const struct {
    const char* code;
    int status;
    ErrorKind kind;
  } cases[] = {{"NoSuchKey", 404, ErrorKind::kNotFound},
               {"NoSuchBucket", 404, ErrorKind::kUnavailable},
               {"NoSuchUpload", 404, ErrorKind::kUnavailable},
               {"", 404, ErrorKind::kUnavailable},
               {"AccessDenied", 403, ErrorKind::kUnavailable},
               {"RequestTimeTooSkewed", 403, ErrorKind::kUnavailable},
               {"QuotaExceeded", 403, ErrorKind::kUnavailable},
               {"SomethingNew", 403, ErrorKind::kUnavailable},
               {"InvalidArgument", 400, ErrorKind::kIo},
               {"", 418, ErrorKind::kUnavailable}};
  for (const auto& [code, status, error] : cases) {
    script_.Forget();
    script_.Add(Answer(status, ErrorBody(code)));
    const auto list = store_->List({.bucket = "images"});
    ASSERT_FALSE(list.ok()) << code;
    EXPECT_EQ(list.error().kind(), error) << code;
    EXPECT_EQ(script_.calls().size(), 1U) << code;
  }
}

// An object that HEAD does not find is missing only if the bucket can be listed without it.
TEST_F(ScriptedStoreTest, ConfirmsWhatIsMissing) {
  const auto list = [](const char* key) {
    return StrCat("<ListBucketResult><Contents><Key>", key,
                  "</Key><Size>1</Size><LastModified>2026-11-15T12:00:00Z</LastModified></Contents>"
                  "</ListBucketResult>");
  };
  const std::string none = "<ListBucketResult/>";
  for (const std::string& body : {none, list("a%2Fb2")}) {
    script_.Forget();
    script_.Add(Answer(404));
    script_.Add(Answer(200, body));
    const auto head = store_->Head({"images", "a/b"});
    ASSERT_TRUE(head.ok()) << head.error().note();
    EXPECT_FALSE(*head);
    EXPECT_THAT(script_.calls(),
                ElementsAre("HEAD /images/a/b",
                            "GET /images?encoding-type=url&list-type=2&max-keys=1&prefix=a%2Fb"));
  }
  for (net::HttpOutcome& second :
       std::array{Answer(404, "<html>no such page</html>"), Answer(404),
                  Answer(404, ErrorBody("NoSuchBucket")), Answer(200, list("a%2Fb"))}) {
    script_.Add(Answer(404));
    script_.Add(std::move(second));
    EXPECT_EQ(store_->Open({"images", "a/b"}).error().kind(), ErrorKind::kUnavailable);
  }
}

// A call gives a connection half of its time, unless the storage has to work for the answer.
TEST_F(ScriptedStoreTest, LeavesTimeForAnotherConnection) {
  script_.Add(Lost());
  script_.Add(Head(uint64_t{64} << 20, "e"));
  script_.Add(Answer(200, "<CopyObjectResult><ETag>e</ETag></CopyObjectResult>"));
  script_.Add(Answer(204));
  ASSERT_TRUE(store_->Move({"images", "a"}, {"images", "b"}).ok());
  ASSERT_EQ(script_.timeouts().size(), 4U);
  EXPECT_LE(script_.timeouts()[0], 1s);
  EXPECT_LE(script_.timeouts()[1], 1s);
  EXPECT_GT(script_.timeouts()[2], 5s);
  EXPECT_LE(script_.timeouts()[3], 1s);
}

// The headers that an object was put with, which may be anybody's, are not copied.
TEST_F(ScriptedStoreTest, CopiesBytesAlone) {
  script_.Add(Head(3, "e"));
  script_.Add(Answer(200, "<CopyObjectResult><ETag>e</ETag></CopyObjectResult>"));
  script_.Add(Answer(204));
  ASSERT_TRUE(store_->Move({"images", "a"}, {"images", "b"}).ok());
  EXPECT_THAT(script_.headers()[1], ::testing::Contains(std::pair<std::string, std::string>(
                                        "x-amz-metadata-directive", "REPLACE")));
}

/// The names of the headers of a call that are about encryption, with the values of those that are
/// no secret.
std::vector<std::string> EncryptionSaid(const sigv4::HeaderList& headers) {
  std::vector<std::string> said;
  for (const auto& [name, value] : headers) {
    if (name.find("server-side-encryption") != std::string::npos) {
      said.push_back(name.ends_with("-key") || name.ends_with("-md5") ? name
                                                                      : StrCat(name, " ", value));
    }
  }
  return said;
}

class EncryptingStoreTest : public ScriptedStoreTest {
 protected:
  Result<std::unique_ptr<S3BlobStore>> Open(const StorageEncryption& encryption) {
    S3Config asked = config();
    asked.encryption = encryption;
    return S3BlobStore::ConnectOver(std::make_unique<ScriptedTransport>(script_), asked, clock_);
  }
  void AddStart(net::HttpOutcome begun) {
    script_.Forget();
    script_.Add(Answer(200));
    script_.Add(std::move(begun));
  }
  /// What a write says of encryption.
  std::vector<std::string> SaidOfAWrite(S3BlobStore& store) {
    script_.Forget();
    script_.Add(Stored("abc"));
    auto writer = store.Create({"images", "a"});
    EXPECT_TRUE(writer.ok() && (*writer)->Write("abc").ok() && (*writer)->Commit().ok());
    return EncryptionSaid(script_.headers()[0]);
  }
  static net::HttpOutcome Begun() {
    return Answer(200,
                  "<InitiateMultipartUploadResult><UploadId>u</UploadId>"
                  "</InitiateMultipartUploadResult>");
  }
  void AddNoLeftovers() { script_.Add(Answer(200, "<ListMultipartUploadsResult/>")); }
};

// Proves that a write asks for what is set, and that the start finds out whether the storage does
// it, without an object.
TEST_F(EncryptingStoreTest, AsksTheStorageToEncrypt) {
  net::HttpOutcome confirmed = Begun();
  confirmed.answer.headers.emplace_back("x-amz-server-side-encryption", "aws:kms");
  AddStart(confirmed);
  script_.Add(Answer(204));
  AddNoLeftovers();
  const auto store = Open({.kind = StorageEncryption::Kind::kManagedKey, .managed_key = "alias/k"});
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_THAT(script_.calls(), ElementsAre(_, "POST /images/tintype-encryption?uploads=",
                                           "DELETE /images/tintype-encryption?uploadId=u", _));
  const auto asked = ElementsAre("x-amz-server-side-encryption aws:kms",
                                 "x-amz-server-side-encryption-aws-kms-key-id alias/k");
  EXPECT_THAT(EncryptionSaid(script_.headers()[1]), asked);
  script_.Forget();
  script_.Add(Stored("abc"));
  auto writer = (*store)->Create({"images", "a"});
  ASSERT_TRUE(writer.ok() && (*writer)->Write("abc").ok() && (*writer)->Commit().ok());
  EXPECT_THAT(EncryptionSaid(script_.headers()[0]), asked);
  // A client that puts an object by a link has to ask as well.
  const auto link = (*store)->PresignPut({"images", "a"}, {.expires_s = 60});
  EXPECT_EQ(EncryptionSaid((*link)->headers).size(), 2U);
}

// Proves that a storage which takes the request to encrypt, and does not say that it does, is
// refused where that was asked for.
TEST_F(EncryptingStoreTest, RefusesAStorageThatDoesNotConfirm) {
  for (const auto kind :
       {StorageEncryption::Kind::kManagedKey, StorageEncryption::Kind::kStorageKeys}) {
    AddStart(Begun());
    script_.Add(Answer(204));
    const auto store = Open({.kind = kind, .managed_key = "alias/k"});
    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.error().message().find("does not say that it does"), std::string::npos)
        << store.error().message();
    script_.Forget();
  }
}

// Proves that a storage without keys of its own is an error only where that was asked for.
TEST_F(EncryptingStoreTest, GoesOnWithoutWhatWasPreferred) {
  const auto refused = [] { return Answer(501, ErrorBody("NotImplemented")); };
  AddStart(refused());
  EXPECT_EQ(Open({.kind = StorageEncryption::Kind::kStorageKeys}).ok(), false);
  AddStart(Begun());
  script_.Add(refused());
  script_.Add(Answer(204));
  AddNoLeftovers();
  const auto store = Open({.kind = StorageEncryption::Kind::kPreferred});
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_THAT(EncryptionSaid(script_.headers()[1]), IsEmpty());
  EXPECT_THAT(EncryptionSaid(script_.headers()[2]),
              ElementsAre("x-amz-server-side-encryption AES256"));
  EXPECT_THAT(SaidOfAWrite(**store), IsEmpty());
}

// Proves that a bucket which encrypts by itself, perhaps with a better key, is left to do so, and
// that one which does not is asked to.
TEST_F(EncryptingStoreTest, PrefersWhatTheBucketDoes) {
  net::HttpOutcome encrypted = Begun();
  encrypted.answer.headers.emplace_back("x-amz-server-side-encryption", "aws:kms");
  AddStart(encrypted);
  script_.Add(Answer(204));
  AddNoLeftovers();
  auto store = Open({.kind = StorageEncryption::Kind::kPreferred});
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_THAT(SaidOfAWrite(**store), IsEmpty());
  AddStart(Begun());
  script_.Add(Begun());
  script_.Add(Answer(204));
  script_.Add(Answer(204));
  AddNoLeftovers();
  store = Open({.kind = StorageEncryption::Kind::kPreferred});
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_THAT(SaidOfAWrite(**store), ElementsAre("x-amz-server-side-encryption AES256"));
  // Each bucket by itself.
  S3Config two = config();
  two.buckets = {"uploads", "images"};
  two.encryption.kind = StorageEncryption::Kind::kPreferred;
  AddStart(encrypted);
  script_.Add(Answer(204));
  AddNoLeftovers();
  script_.Add(Answer(200));
  script_.Add(Begun());
  script_.Add(Begun());
  script_.Add(Answer(204));
  script_.Add(Answer(204));
  AddNoLeftovers();
  store = S3BlobStore::ConnectOver(std::make_unique<ScriptedTransport>(script_), two, clock_);
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_THAT(SaidOfAWrite(**store), ElementsAre("x-amz-server-side-encryption AES256"));
  EXPECT_THAT(
      EncryptionSaid((*store)->PresignPut({"uploads", "a"}, {.expires_s = 60}).value()->headers),
      IsEmpty());
}

// Proves that a key service that is away is nothing about the object.
TEST_F(ScriptedStoreTest, KeysThatCannotBeUsedAreAnOutage) {
  script_.Add(Answer(400, ErrorBody("KMS.DisabledException")));
  EXPECT_EQ(store_->Open({"images", "a"}).error().kind(), ErrorKind::kUnavailable);
}

// Proves that a key of our own goes with each call about an object, but not with those about
// objects from before, and that there are no links, which could not have it.
TEST_F(EncryptingStoreTest, SendsAKeyAlong) {
  AddStart(Begun());
  script_.Add(Answer(204));
  AddNoLeftovers();
  const auto store = Open({.kind = StorageEncryption::Kind::kOwnKey,
                           .own_key = crypto::SecretKey::FromBytes(std::string(32, 'k'))});
  ASSERT_TRUE(store.ok()) << store.error().message();
  const auto with_key = ElementsAre("x-amz-server-side-encryption-customer-algorithm AES256",
                                    "x-amz-server-side-encryption-customer-key",
                                    "x-amz-server-side-encryption-customer-key-md5");
  net::HttpOutcome head = Head(3, "e");
  net::HttpOutcome sealed = head;
  sealed.answer.headers.emplace_back("x-amz-server-side-encryption-customer-algorithm", "AES256");
  script_.Forget();
  script_.Add(sealed);
  script_.Add(Answer(206, "abc"));
  ASSERT_TRUE((*store)->OpenLocal({"images", "a"}).ok());
  EXPECT_THAT(EncryptionSaid(script_.headers()[0]), with_key);
  EXPECT_THAT(EncryptionSaid(script_.headers()[1]), with_key);
  script_.Forget();
  script_.Add(Answer(400));
  script_.Add(head);
  script_.Add(Answer(206, "abc"));
  ASSERT_TRUE((*store)->OpenLocal({"images", "b"}).ok());
  EXPECT_THAT(EncryptionSaid(script_.headers()[1]), IsEmpty());
  EXPECT_THAT(EncryptionSaid(script_.headers()[2]), IsEmpty());
  // A copy says with which key the one is opened, and with which the other is made.
  script_.Forget();
  script_.Add(sealed);
  script_.Add(Answer(200, "<CopyObjectResult><ETag>e</ETag></CopyObjectResult>"));
  script_.Add(Answer(204));
  ASSERT_TRUE((*store)->Move({"images", "a"}, {"images", "c"}).ok());
  EXPECT_EQ(EncryptionSaid(script_.headers()[1]).size(), 6U);
  // An object that the storage does not copy is copied here.
  script_.Forget();
  script_.Add(sealed);
  script_.Add(Answer(501, ErrorBody("NotImplemented")));
  script_.Add(Answer(206, "abc"));
  script_.Add(Stored("abc"));
  script_.Add(Answer(204));
  ASSERT_TRUE((*store)->Move({"images", "a"}, {"images", "c"}).ok());
  EXPECT_THAT(EncryptionSaid(script_.headers()[2]), with_key);
  EXPECT_THAT(EncryptionSaid(script_.headers()[3]), with_key);
  EXPECT_EQ((*store)->PresignGet({"images", "a"}, {.expires_s = 60}).value(), std::nullopt);
  EXPECT_FALSE((*store)->PresignPut({"images", "a"}, {.expires_s = 60}).value().has_value());
}

// Links are signed for the host as clients will name it.
TEST_F(ScriptedStoreTest, SignsForTheHostThatClientsName) {
  const std::pair<const char*, const char*> cases[] = {
      {"https://Storage.Example.org:443/", "https://storage.example.org/images/a?"},
      {"http://STORAGE:80", "http://storage/images/a?"},
      {"http://storage:443", "http://storage:443/images/a?"},
      {"https://storage:7480", "https://storage:7480/images/a?"}};
  for (const auto& [endpoint, link] : cases) {
    auto config = this->config();
    config.endpoint = endpoint;
    script_.Add(Answer(200));
    script_.Add(Answer(200, "<ListMultipartUploadsResult/>"));
    const auto store =
        S3BlobStore::ConnectOver(std::make_unique<ScriptedTransport>(script_), config, clock_);
    ASSERT_TRUE(store.ok()) << store.error().message();
    EXPECT_THAT((*store)->PresignGet({"images", "a"}, {}).value().value(),
                ::testing::StartsWith(link));
  }
}

// A link to put more than S3 takes at once is refused: it could not be used.
TEST_F(ScriptedStoreTest, RefusesLinksForTooMuch) {
  PresignPutOptions options;
  options.content_length = uint64_t{5} << 30;
  EXPECT_TRUE(store_->PresignPut({"images", "a"}, options).ok());
  ++*options.content_length;
  EXPECT_EQ(store_->PresignPut({"images", "a"}, options).error().kind(),
            ErrorKind::kRequestTooLarge);
}

// An outage ends a call in time.
TEST_F(ScriptedStoreTest, GivesUpInTime) {
  for (int i = 0; i < 1000; ++i) {
    script_.Add(Lost());
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto info = store_->Head({"images", "a"});
  ASSERT_FALSE(info.ok());
  EXPECT_EQ(info.error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(info.error().note(), HasSubstr("connection reset"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
  EXPECT_GT(script_.calls().size(), 3U);
}

// A write says what it sends, and the answer has to fit.
TEST_F(ScriptedStoreTest, WritesCarryTheirChecksums) {
  script_.Add(Stored("bytes"));
  ASSERT_TRUE(PutBlob(*store_, {"images", "a"}, "bytes").ok());
  const Checksums checksums = ChecksumsOf("bytes");
  EXPECT_THAT(script_.headers()[0], ::testing::Contains(std::pair<std::string, std::string>(
                                        "content-md5", checksums.md5_base64())));
  EXPECT_THAT(script_.headers()[0], ::testing::Contains(std::pair<std::string, std::string>(
                                        "x-amz-content-sha256", checksums.sha256_hex)));

  script_.Add(Stored("other"));
  EXPECT_EQ(PutBlob(*store_, {"images", "a"}, "bytes").error().kind(), ErrorKind::kUnavailable);
  // With a key of the storage's own, the ETag looks like an MD5 and is none.
  net::HttpOutcome encrypted = Stored("other");
  encrypted.answer.headers.emplace_back("x-amz-server-side-encryption", "aws:kms");
  script_.Add(std::move(encrypted));
  EXPECT_TRUE(PutBlob(*store_, {"images", "a"}, "bytes").ok());
}

class PartsTest : public ScriptedStoreTest {
 protected:
  PartsTest() {
    script_.Add(Answer(200,
                       "<InitiateMultipartUploadResult><UploadId>u</UploadId>"
                       "</InitiateMultipartUploadResult>"));
    script_.Add(Stored(first_));
    script_.Add(Stored(second_));
  }
  Result<BlobInfo> Put() { return PutBlob(*store_, {"images", "a"}, first_ + second_); }
  std::string ETag() const {
    return ETagOfParts(ChecksumsOf(first_).md5 + ChecksumsOf(second_).md5, 2);
  }

  const std::string first_ = std::string(5 << 20, '1');
  const std::string second_ = "2";
  const std::string begin_ = "POST /images/a?uploads=";
  const std::string one_ = "PUT /images/a?partNumber=1&uploadId=u";
  const std::string two_ = "PUT /images/a?partNumber=2&uploadId=u";
  const std::string complete_ = "POST /images/a?uploadId=u";
  const std::string abort_ = "DELETE /images/a?uploadId=u";
  const std::string head_ = "HEAD /images/a";
};

// An error inside of an answer that began well is one, and is tried again.
TEST_F(PartsTest, SeesErrorsInGoodAnswers) {
  script_.Add(Answer(200, ErrorBody("InternalError")));
  script_.Add(Answer(200, "<CompleteMultipartUploadResult/>"));
  script_.Add(Head(first_.size() + 1, ETag()));
  const auto info = Put();
  ASSERT_TRUE(info.ok()) << info.error().note();
  EXPECT_EQ(info->bytes, first_.size() + 1);
  EXPECT_THAT(script_.calls(), ElementsAre(begin_, one_, two_, complete_, complete_, head_));
  EXPECT_THAT(script_.bodies()[3],
              HasSubstr(StrCat("<Part><PartNumber>2</PartNumber><ETag>\"",
                               ChecksumsOf(second_).md5_hex(), "\"</ETag></Part>")));
}

// When the answer to the last step is lost, the upload is no longer known, and the object is there.
TEST_F(PartsTest, FindsWhatWasCompleted) {
  script_.Add(Lost());
  script_.Add(Answer(404, ErrorBody("NoSuchUpload")));
  script_.Add(Head(first_.size() + 1, ETag()));
  EXPECT_TRUE(Put().ok());
  EXPECT_THAT(script_.calls(), ElementsAre(begin_, one_, two_, complete_, complete_, head_));
}

// An object that is not what was sent is refused, be it shorter, another, or missing.
TEST_F(PartsTest, RefusesWhatIsNotWhole) {
  script_.Add(Answer(200, "<CompleteMultipartUploadResult/>"));
  script_.Add(Head(first_.size() + 1, ETagOfParts("other", 2)));
  script_.Add(Answer(204));
  EXPECT_EQ(Put().error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(script_.calls(), ElementsAre(begin_, one_, two_, complete_, head_, abort_));
}

// After an error the parts are removed, once, and nothing more can be written.
TEST_F(PartsTest, AbortsAfterAnError) {
  const auto writer = store_->Create({"images", "a"}).value();
  ASSERT_TRUE(writer->Write(first_ + second_).ok());
  script_.Next({.method = "GET", .url = "http://storage/", .headers = {}});  // Not to be stored.
  script_.Forget();
  script_.Add(Answer(403, ErrorBody("AccessDenied")));
  script_.Add(Answer(204));
  EXPECT_EQ(writer->Write(first_).error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(writer->Write("x").error().kind(), ErrorKind::kInternal);
  EXPECT_EQ(writer->Commit().error().kind(), ErrorKind::kInternal);
  EXPECT_THAT(script_.calls(), ElementsAre(two_, abort_));
}

// A copy that fails inside of a good answer is none: the blob stays where it was.
TEST_F(ScriptedStoreTest, AFailedCopyDeletesNothing) {
  script_.Add(Head(3, "e"));
  script_.Add(Answer(200, ErrorBody("AccessDenied")));
  script_.Add(Answer(403, ErrorBody("AccessDenied")));
  EXPECT_EQ(store_->Move({"images", "a"}, {"images", "b"}).error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(script_.calls(), ElementsAre("HEAD /images/a", "PUT /images/b", "PUT /images/b"));
}

// Answers that make no sense are errors, not empty lists or blobs.
TEST_F(ScriptedStoreTest, RefusesNonsense) {
  const std::string cut_key =
      "<ListBucketResult><Contents><Key>a%2</Key><Size>1</Size>"
      "<LastModified>2026-11-15T12:00:00.000Z</LastModified></Contents></ListBucketResult>";
  for (const char* body :
       {"", "{}", "<ListBucketResult>", "<Other/>",
        "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>", cut_key.c_str(),
        "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"}) {
    script_.Add(Answer(200, body));
    EXPECT_EQ(store_->List({.bucket = "images"}).error().kind(), ErrorKind::kIo) << body;
  }
  script_.Add(Answer(200));
  EXPECT_EQ(store_->Head({"images", "a"}).error().kind(), ErrorKind::kIo);
}

// A folder is deleted only if all of it is.
TEST_F(ScriptedStoreTest, TellsWhatCouldNotBeDeleted) {
  script_.Add(Answer(200,
                     "<ListBucketResult><Contents><Key>f/a%2Bb+c</Key><Size>1</Size><LastModified>"
                     "2026-11-15T12:00:00Z</LastModified></Contents></ListBucketResult>"));
  script_.Add(Answer(200, "<DeleteResult><Error><Code>AccessDenied</Code></Error></DeleteResult>"));
  EXPECT_EQ(store_->DeletePrefix("images", "f/").error().kind(), ErrorKind::kUnavailable);
  EXPECT_THAT(script_.calls(), ElementsAre(HasSubstr("prefix=f%2F"), "POST /images?delete="));
}

// A download is compared with what the storage says it has.
TEST_F(ScriptedStoreTest, NoticesDamagedDownloads) {
  script_.Add(Head(5, ChecksumsOf("bytes").md5_hex()));
  script_.Add(Answer(206, "bytes"));
  ASSERT_TRUE(store_->OpenLocal({"images", "a"}).ok());
  for (const char* damaged : {"bytez", "byte"}) {
    script_.Add(Head(5, ChecksumsOf("bytes").md5_hex()));
    script_.Add(Answer(206, damaged));
    const auto blob = store_->OpenLocal({"images", "a"});
    ASSERT_FALSE(blob.ok()) << damaged;
    EXPECT_EQ(blob.error().kind(), ErrorKind::kCorruption);
  }
}

// Without an endpoint it is AWS's, with the bucket in the name, unless that has a dot.
TEST_F(ScriptedStoreTest, SpeaksToAws) {
  auto config = this->config();
  config.endpoint = "";
  config.region = "eu-central-1";
  config.buckets = {"images", "my.images"};
  for (int i = 0; i < 2; ++i) {
    script_.Add(Answer(404, ErrorBody("NoSuchBucket")));
    script_.Add(Answer(200));
    script_.Add(Answer(200, "<ListMultipartUploadsResult/>"));
  }
  const auto store =
      S3BlobStore::ConnectOver(std::make_unique<ScriptedTransport>(script_), config, clock_);
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_THAT(script_.bodies()[1],
              HasSubstr("<LocationConstraint>eu-central-1</LocationConstraint>"));
  EXPECT_EQ((*store)->PresignGet({"images", "a b"}, {}).value()->substr(0, 56),
            "https://images.s3.eu-central-1.amazonaws.com/a%20b?X-Amz");
  EXPECT_EQ((*store)->PresignGet({"my.images", "a"}, {}).value()->substr(0, 54),
            "https://s3.eu-central-1.amazonaws.com/my.images/a?X-Am");
}

// A setting that cannot work is refused before anything is sent.
TEST(S3ConfigTest, RefusesWhatCannotWork) {
  S3Config good;
  good.endpoint = "https://storage.example.org:7480/";
  good.credentials = {.access_key_id = "AKID", .secret = "secret", .session_token = {}};
  good.buckets = {"images"};
  good.temporary_folder = "/tmp";
  EXPECT_TRUE(good.Validate().ok());
  const std::vector<std::pair<const char*, void (*)(S3Config&)>> cases = {
      {"scheme", [](S3Config& config) { config.endpoint = "ftp://storage"; }},
      {"path", [](S3Config& config) { config.endpoint = "http://storage/path"; }},
      {"user", [](S3Config& config) { config.endpoint = "http://user@storage"; }},
      {"host", [](S3Config& config) { config.endpoint = "http://"; }},
      {"region", [](S3Config& config) { config.region = ""; }},
      {"key", [](S3Config& config) { config.credentials.access_key_id = ""; }},
      {"secret", [](S3Config& config) { config.credentials.secret = ""; }},
      {"bucket", [](S3Config& config) { config.buckets = {"No"}; }},
      {"folder", [](S3Config& config) { config.temporary_folder = ""; }},
      {"part", [](S3Config& config) { config.part_bytes = 1; }},
      {"copy", [](S3Config& config) { config.copy_bytes_max = uint64_t{6} << 30; }},
      {"page", [](S3Config& config) { config.page_keys = 1001; }}};
  for (const auto& [name, change] : cases) {
    S3Config config = good;
    change(config);
    EXPECT_EQ(config.Validate().error().kind(), ErrorKind::kValidation) << name;
  }
}

}  // namespace
}  // namespace tintype::blobs::s3
