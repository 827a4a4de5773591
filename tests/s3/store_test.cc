#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "blobs/s3/internal/client.h"
#include "blobs/s3/internal/documents.h"
#include "blobs/s3/s3_blob_store.h"
#include "blobs/testing/store_suite.h"
#include "blobs/testing/whole_blobs.h"

/// Blobs on S3, on a real gateway that ceph.py has started: the suite of all stores, and what is
/// particular to S3.
namespace tintype::blobs::s3 {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr size_t kPart = 5 << 20;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  CHECK(value != nullptr && "run it with tests/s3/ceph.py --run");
  return value;
}

S3Config ConfigIn(const TemporaryDirectory& directory) {
  S3Config config;
  config.endpoint = Variable("TINTYPE_TEST_S3_ENDPOINT");
  config.credentials = {.access_key_id = Variable("TINTYPE_TEST_S3_ACCESS_KEY_ID"),
                        .secret = Variable("TINTYPE_TEST_S3_SECRET_ACCESS_KEY"),
                        .session_token = {}};
  config.buckets = {"images", "uploads"};
  config.temporary_folder = directory.path() + "/tmp";
  config.part_bytes = kPart;
  config.copy_bytes_max = kPart;
  return config;
}

Call CallFor(std::string method, BlobKey target, std::string query = "") {
  Call call;
  call.method = std::move(method);
  call.target = std::move(target);
  call.query = std::move(query);
  return call;
}

/// A store with empty buckets, and a way around it.
class Gateway {
 public:
  Gateway() {
    for (const std::string& bucket : config_.buckets) {
      // Keys that the store does not accept are there too.
      const net::HttpAnswer answer =
          client_.Send(CallFor("GET", {bucket, ""}, "encoding-type=url&list-type=2")).value();
      const ObjectPage page = ParseObjects(answer.body).value();
      for (const ListedBlob& object : page.objects) {
        CHECK(client_.Send(CallFor("DELETE", {bucket, object.key})).ok());
      }
    }
  }

  const S3Config& config() const { return config_; }
  S3BlobStore& store() { return *store_; }
  Client& client() { return client_; }
  const TemporaryDirectory& directory() const { return directory_; }

  Result<std::unique_ptr<S3BlobStore>> Connect(const std::function<void(S3Config&)>& change) {
    S3Config config = config_;
    change(config);
    return S3BlobStore::Connect(std::move(config), SystemClock());
  }

  /// The keys of uploads in parts that are not finished.
  std::vector<std::string> Unfinished() {
    const net::HttpAnswer answer =
        client_.Send(CallFor("GET", {"images", ""}, "encoding-type=url&uploads=")).value();
    std::vector<std::string> keys;
    const UploadPage page = ParseUploads(answer.body).value();
    for (const UnfinishedUpload& upload : page.uploads) {
      keys.push_back(upload.key);
    }
    return keys;
  }

 private:
  const TemporaryDirectory directory_;
  const S3Config config_ = ConfigIn(directory_);
  Client client_{config_, SystemClock(), net::NewHttpClient({})};
  // Ends what tests before have left unfinished.
  const std::unique_ptr<S3BlobStore> store_ =
      Connect([](S3Config& config) { config.leftover_age = std::chrono::hours(0); }).value();
};

class S3UnderTest : public StoreUnderTest {
 public:
  BlobStore& store() override { return gateway_.store(); }

 private:
  Gateway gateway_;
};

}  // namespace
}  // namespace tintype::blobs::s3

namespace tintype::blobs {

INSTANTIATE_TEST_SUITE_P(Stores, BlobStoreTest,
                         ::testing::Values(StoreKind{
                             "S3", [] { return std::make_unique<s3::S3UnderTest>(); }}),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace tintype::blobs

namespace tintype::blobs::s3 {
namespace {

/// How many bytes were stored; says why if none were.
uint64_t BytesOf(const Result<BlobInfo>& stored) {
  EXPECT_TRUE(stored.ok()) << stored.error().message() << ": " << stored.error().note();
  return stored.ok() ? stored->bytes : 0;
}

class S3BlobStoreTest : public ::testing::Test {
 protected:
  S3BlobStore& store() { return gateway_.store(); }
  std::string Get(const std::string& key) { return GetBlob(store(), {"images", key}).value(); }

  Gateway gateway_;
};

// A blob that is larger than a part comes in parts, whichever way, and is whole.
TEST_F(S3BlobStoreTest, LargeBlobsGoInParts) {
  const std::string bytes = Patterned(2 * kPart + 12345);
  const auto writer = store().Create({"images", "written"}).value();
  for (size_t at = 0; at < bytes.size(); at += 999'999) {
    ASSERT_TRUE(writer->Write(std::string_view(bytes).substr(at, 999'999)).ok());
  }
  EXPECT_THAT(gateway_.Unfinished(), ElementsAre("written"));
  EXPECT_EQ(store().Head({"images", "written"}).value(), std::nullopt);
  EXPECT_EQ(BytesOf(writer->Commit()), bytes.size());
  EXPECT_TRUE(Get("written") == bytes);

  const auto helped = store().Create({"images", "helped"}).value();
  ASSERT_EQ(::write(helped->descriptor(), bytes.data(), bytes.size()),
            static_cast<ssize_t>(bytes.size()));
  EXPECT_EQ(BytesOf(helped->Commit()), bytes.size());
  EXPECT_TRUE(Get("helped") == bytes);

  const std::string path = gateway_.directory().path() + "/upload";
  ASSERT_TRUE(WriteFileAtomically(path, bytes, 0600).ok());
  EXPECT_EQ(BytesOf(store().Adopt(path, {"images", "adopted"})), bytes.size());
  const auto local = store().OpenLocal({"images", "adopted"}).value();
  std::string range(2000, '\0');
  ASSERT_EQ(::pread(local->descriptor(), range.data(), range.size(), kPart - 1000), 2000);
  EXPECT_TRUE(range == bytes.substr(kPart - 1000, 2000));
  EXPECT_EQ(store().Open({"images", "adopted"}).value()->Read(kPart - 1000, range).value(), 2000U);
  EXPECT_TRUE(range == bytes.substr(kPart - 1000, 2000));

  // Exactly one part, and exactly two.
  for (const size_t size : {kPart, 2 * kPart}) {
    ASSERT_TRUE(PutBlob(store(), {"images", "even"}, bytes.substr(0, size)).ok());
    EXPECT_TRUE(Get("even") == bytes.substr(0, size));
  }
  EXPECT_THAT(gateway_.Unfinished(), IsEmpty());
}

// A blob larger than S3 copies at once is moved in parts.
TEST_F(S3BlobStoreTest, LargeBlobsMoveInParts) {
  const std::string bytes = Patterned(2 * kPart + 1);
  ASSERT_TRUE(PutBlob(store(), {"images", "from here/a+b"}, bytes).ok());
  ASSERT_TRUE(store().Move({"images", "from here/a+b"}, {"uploads", "to/\xC3\xA4"}).ok());
  EXPECT_TRUE(GetBlob(store(), {"uploads", "to/\xC3\xA4"}).value() == bytes);
  EXPECT_EQ(store().Head({"images", "from here/a+b"}).value(), std::nullopt);
}

// A writer that is given up leaves no parts; a process that was killed leaves some, and the next
// store that is opened removes them when they are old enough.
TEST_F(S3BlobStoreTest, UnfinishedUploadsEnd) {
  const std::string bytes = Patterned(kPart + 1);
  {
    const auto writer = store().Create({"images", "a"}).value();
    ASSERT_TRUE(writer->Write(bytes).ok());
    EXPECT_THAT(gateway_.Unfinished(), ElementsAre("a"));
  }
  EXPECT_THAT(gateway_.Unfinished(), IsEmpty());

  ASSERT_EQ(gateway_.client().Send(CallFor("POST", {"images", "left"}, "uploads="))->status, 200);
  ASSERT_TRUE(gateway_.Connect([](S3Config&) {}).ok());
  EXPECT_THAT(gateway_.Unfinished(), ElementsAre("left"));
  ASSERT_TRUE(gateway_.Connect([](S3Config& config) { config.leftover_age = 0h; }).ok());
  EXPECT_THAT(gateway_.Unfinished(), IsEmpty());
}

// Keys that no store accepts are somebody else's: not listed, and no obstacle.
TEST_F(S3BlobStoreTest, StrangersAreNotBlobs) {
  for (const char* key : {"a/", "a//b", "b/../c"}) {
    ASSERT_EQ(gateway_.client().Send(CallFor("PUT", {"images", key}))->status, 200) << key;
  }
  ASSERT_TRUE(PutBlob(store(), {"images", "c"}, "1").ok());
  const BlobList page = store().List({.bucket = "images", .limit = 1}).value();
  ASSERT_EQ(page.blobs.size(), 1U);
  EXPECT_EQ(page.blobs[0].key, "c");
  EXPECT_FALSE(page.more);
}

// More than a page of keys is listed and deleted, with characters that URLs and XML have to escape.
TEST_F(S3BlobStoreTest, PagesAreRead) {
  const auto store = gateway_.Connect([](S3Config& config) { config.page_keys = 10; }).value();
  for (int i = 0; i < 25; ++i) {
    ASSERT_TRUE(PutBlob(*store, {"images", StrCat("m/ +&<\xC3\xA4%/", i)}, "").ok());
  }
  const BlobList list = store->List({.bucket = "images"}).value();
  ASSERT_EQ(list.blobs.size(), 25U);
  EXPECT_FALSE(list.more);
  EXPECT_EQ(list.blobs[0].key, "m/ +&<\xC3\xA4%/0");
  const BlobList some = store->List({.bucket = "images", .limit = 24}).value();
  ASSERT_EQ(some.blobs.size(), 24U);
  EXPECT_TRUE(some.more);
  EXPECT_EQ(store->DeletePrefix("images", "m/").value(), 25U);
  EXPECT_THAT(store->List({.bucket = "images"})->blobs, IsEmpty());
}

/// A request without anything but the link, as a browser sends it.
net::HttpAnswer Follow(const std::string& method, const std::string& url,
                       const std::string& body = "", const sigv4::HeaderList& headers = {}) {
  const auto http = net::NewHttpClient({});
  net::HttpRequest request{.method = method, .url = url, .headers = headers};
  request.body.text = body;
  request.timeout = 20s;
  net::HttpOutcome outcome = http->Perform(request);
  CHECK(outcome.answered());
  return std::move(outcome.answer);
}

// A link reads one blob, as what it says, until it expires; a changed link gets nothing.
TEST_F(S3BlobStoreTest, PresignedLinksRead) {
  ASSERT_TRUE(PutBlob(store(), {"images", "a b/\xC3\xA4"}, "bytes").ok());
  PresignGetOptions options;
  options.expires_s = 60;
  options.content_type = "image/webp";
  options.content_disposition = "attachment; filename=\"a b.webp\"";
  options.cache_control = "private, max-age=60";
  const std::string url = store().PresignGet({"images", "a b/\xC3\xA4"}, options).value().value();
  const net::HttpAnswer answer = Follow("GET", url);
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.body, "bytes");
  EXPECT_EQ(answer.Header("content-type"), "image/webp");
  EXPECT_EQ(answer.Header("content-disposition"), "attachment; filename=\"a b.webp\"");
  EXPECT_EQ(answer.Header("cache-control"), "private, max-age=60");

  EXPECT_EQ(Follow("PUT", url, "x").status, 403);
  EXPECT_EQ(Follow("DELETE", url).status, 403);
  std::string tampered = url;
  tampered.replace(tampered.find("webp"), 4, "html");
  EXPECT_EQ(Follow("GET", tampered).status, 403);
  tampered = url;
  tampered.replace(tampered.find("Expires=60"), 10, "Expires=600");
  EXPECT_EQ(Follow("GET", tampered).status, 403);

  const FakeClock past(SystemClock().NowMs() - 61'000);
  const auto then = S3BlobStore::Connect(gateway_.config(), past).value();
  const std::string expired = then->PresignGet({"images", "a b/\xC3\xA4"}, options).value().value();
  EXPECT_EQ(Follow("GET", expired).status, 403);

  for (const int64_t seconds : {int64_t{0}, kPresignSecondsMax + 1}) {
    options.expires_s = seconds;
    EXPECT_EQ(store().PresignGet({"images", "a"}, options).error().kind(), ErrorKind::kValidation);
  }
}

// A link uploads what it was made for, and nothing else.
TEST_F(S3BlobStoreTest, PresignedLinksUpload) {
  PresignPutOptions options;
  options.expires_s = 60;
  options.content_length = 5;
  options.content_type = "image/jpeg";
  options.content_md5 = "SzpiGLs+OnMD6KFxpg/Pkg==";  // Of "bytes".
  const PresignedPut put = store().PresignPut({"images", "up"}, options).value().value();
  // The length is the transport's to say.
  sigv4::HeaderList headers = put.headers;
  std::erase_if(headers, [](const auto& header) { return header.first == "content-length"; });
  EXPECT_EQ(put.headers.size(), headers.size() + 1);

  EXPECT_NE(Follow("PUT", put.url, "longer", headers).status, 200);
  EXPECT_NE(Follow("PUT", put.url, "bytez", headers).status, 200);
  sigv4::HeaderList other = headers;
  for (auto& [name, value] : other) {
    value = name == "content-type" ? "text/html" : value;
  }
  EXPECT_EQ(Follow("PUT", put.url, "bytes", other).status, 403);
  EXPECT_EQ(store().Head({"images", "up"}).value(), std::nullopt);
  EXPECT_EQ(Follow("PUT", put.url, "bytes", headers).status, 200);
  EXPECT_EQ(Get("up"), "bytes");
}

// A setting that an operator has got wrong is explained in words.
TEST_F(S3BlobStoreTest, SaysWhyItCannotOpen) {
  const struct {
    std::function<void(S3Config&)> change;
    std::string message;
  } cases[] = {
      {[](S3Config& config) { config.credentials.access_key_id = "NOBODY"; },
       "does not know the access key"},
      {[](S3Config& config) { config.credentials.secret = "wrong"; }, "secret access key is wrong"},
      {[](S3Config& config) {
         config.buckets = {"not-there"};
         config.create_buckets = false;
       },
       "bucket of the blob storage is missing"},
      {[](S3Config& config) {
         config.endpoint = "http://127.0.0.1:1";
         config.call_timeout = 500ms;
       },
       "cannot be reached"}};
  for (const auto& [change, message] : cases) {
    const auto store = gateway_.Connect(change);
    ASSERT_FALSE(store.ok()) << message;
    EXPECT_EQ(store.error().kind(), ErrorKind::kUnavailable);
    EXPECT_THAT(store.error().message(), HasSubstr(message));
  }
  const FakeClock wrong(SystemClock().NowMs() + 3'600'000);
  const auto skewed = S3BlobStore::Connect(gateway_.config(), wrong);
  ASSERT_FALSE(skewed.ok());
  EXPECT_THAT(skewed.error().message(), HasSubstr("clock"));
}

// A gateway that is killed in the middle of an upload, and comes back, costs time and nothing else.
TEST_F(S3BlobStoreTest, UploadsSurviveTheGateway) {
  const auto store = gateway_.Connect([](S3Config& config) { config.call_timeout = 60s; }).value();
  const std::string bytes = Patterned(3 * kPart);
  const auto writer = store->Create({"images", "a"}).value();
  ASSERT_TRUE(writer->Write(std::string_view(bytes).substr(0, 2 * kPart)).ok());
  const std::string pid = ReadFile(Variable("TINTYPE_TEST_S3_GATEWAY_PID_FILE")).value();
  ASSERT_EQ(::kill(std::stoi(pid), SIGKILL), 0);
  ASSERT_TRUE(writer->Write(std::string_view(bytes).substr(2 * kPart)).ok());
  const auto info = writer->Commit();
  ASSERT_TRUE(info.ok()) << info.error().note();
  EXPECT_TRUE(GetBlob(*store, {"images", "a"}).value() == bytes);
}

/// Stops the process that keeps the objects, and with it every answer of the gateway.
class Standstill {
 public:
  Standstill() {
    CHECK(::kill(pid_, SIGSTOP) == 0);
    // The signal takes effect when its threads are next looked at.
    while (ReadFile(StrCat("/proc/", pid_, "/status"))->find("State:\tT") == std::string::npos) {
      std::this_thread::yield();
    }
  }
  ~Standstill() { ::kill(pid_, SIGCONT); }

 private:
  const pid_t pid_ = std::stoi(Variable("TINTYPE_TEST_S3_OSD_PID"));
};

template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.ok() ? OkStatus() : Status(result.error());
}

// With a backend that hangs, every call ends in time and says so; afterwards all is well.
TEST_F(S3BlobStoreTest, CallsEndThoughTheBackendHangs) {
  const auto store = gateway_.Connect([](S3Config& config) {
    config.connect_timeout = 500ms;
    config.call_timeout = 1s;
    config.stall_timeout = 1s;
  });
  ASSERT_TRUE(store.ok());
  BlobStore& blobs = **store;
  const BlobKey key{"images", "a"};
  const std::string large = Patterned(kPart + 1);
  ASSERT_TRUE(PutBlob(blobs, key, large).ok());
  const auto open = blobs.Open(key).value();
  std::string bytes(large.size(), '\0');
  const std::vector<std::pair<const char*, std::function<Status()>>> calls = {
      {"head", [&] { return StatusOf(blobs.Head(key)); }},
      {"open", [&] { return StatusOf(blobs.Open(key)); }},
      {"read", [&] { return StatusOf(open->Read(0, bytes)); }},
      {"list", [&] { return StatusOf(blobs.List({.bucket = "images"})); }},
      {"put",
       [&] {
         return StatusOf(PutBlob(blobs, {"images", "b"}, "bytes"));
       }},
      {"put in parts",
       [&] {
         return StatusOf(PutBlob(blobs, {"images", "c"}, large));
       }},
      {"move",
       [&] {
         return blobs.Move(key, {"images", "d"});
       }},
      {"delete", [&] {
         return blobs.Delete({"images", "e"});
       }}};
  {
    const Standstill standstill;
    for (const auto& [name, call] : calls) {
      const auto begin = SteadyClock::now();
      const Status status = call();
      ASSERT_FALSE(status.ok()) << name;
      EXPECT_EQ(status.error().kind(), ErrorKind::kUnavailable) << name << status.error().note();
      EXPECT_LT(SteadyClock::now() - begin, 8s) << name;
    }
  }
  // The call that hung may still be at work.
  const auto again = gateway_.Connect([](S3Config& config) { config.call_timeout = 60s; }).value();
  ASSERT_TRUE(PutBlob(*again, {"images", "b"}, "bytes").ok());
  EXPECT_EQ(GetBlob(*again, {"images", "b"}).value(), "bytes");
  EXPECT_TRUE(GetBlob(*again, key).value() == large);
}

}  // namespace
}  // namespace tintype::blobs::s3
