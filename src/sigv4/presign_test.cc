#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "sigv4/sigv4.h"

namespace tintype::sigv4 {
namespace {

constexpr int64_t kNow = 1794744000000;  // 20261115T120000Z.

struct PresignCase {
  std::string name;
  std::string method;
  std::string path;
  std::string query;
  HeaderList headers;
  std::optional<std::string> token;
  int64_t expires_s;
  std::string expected;  // What follows the credential.
};

// Proves that links are those that botocore 1.29 makes, to the letter.
TEST(PresignTest, PresignsAsBotocore) {
  const std::vector<PresignCase> cases = {
      {"get",
       "GET",
       "/bucket/a%20b/key",
       "",
       {{"host", "127.0.0.1:8000"}},
       {},
       3600,
       "&X-Amz-Date=20261115T120000Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature="
       "2046b50856e115dddc978f1a280005c8bf7e227034a33b3e5bdd9c93f6b56c1c"},
      {"session token",
       "GET",
       "/bucket/a%20b/key",
       "",
       {{"host", "127.0.0.1:8000"}},
       "SESSION+TOKEN/==",
       60,
       "&X-Amz-Date=20261115T120000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host"
       "&X-Amz-Security-Token=SESSION%2BTOKEN%2F%3D%3D&X-Amz-Signature="
       "9d63d590a036071b843bcda94a45377efbd61e476d331df6e09058cbf1747132"},
      {"what the answer is to say",
       "GET",
       "/%C3%A4",
       "response-content-type=image%2Fjpeg"
       "&response-content-disposition=attachment%3B%20filename%3D%22a%20b%22",
       {{"host", "bucket.s3.eu-central-1.amazonaws.com"}},
       {},
       3600,
       "&X-Amz-Date=20261115T120000Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature="
       "bb3d141c9833a0e1bb5a648f872b8a3fede92775207ce5aa19f17b103b45c26f"},
      {"put with signed headers",
       "PUT",
       "/bucket/uploads/1",
       "",
       {{"host", "127.0.0.1:8000"},
        {"content-type", "image/jpeg"},
        {"content-md5", "XrY7u+Ae7tCTyyK7j1rNww=="},
        {"content-length", "11"}},
       {},
       604800,
       "&X-Amz-Date=20261115T120000Z&X-Amz-Expires=604800"
       "&X-Amz-SignedHeaders=content-length%3Bcontent-md5%3Bcontent-type%3Bhost&X-Amz-Signature="
       "9c12cdcd07e94766bf47407a16f97ed660973fe6466e7f3203be6810a9315176"},
  };
  SigningKeyCache cache;
  for (const PresignCase& recorded : cases) {
    const std::string query = PresignS3(
        {.method = recorded.method,
         .path = recorded.path,
         .query = recorded.query,
         .headers = recorded.headers,
         .body = "not covered"},
        {.access_key_id = "AKIDEXAMPLE",
         .secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
         .session_token = recorded.token},
        {.region = "eu-central-1", .now_ms = kNow, .expires_s = recorded.expires_s}, cache);
    EXPECT_EQ(query,
              StrCat(recorded.query, recorded.query.empty() ? "" : "&",
                     "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20261115%2F"
                     "eu-central-1%2Fs3%2Faws4_request",
                     recorded.expected))
        << recorded.name;
  }
}

// Proves that a request whose body is not in memory is signed as if it were.
TEST(SignTest, TakesTheHashOfABodyThatIsElsewhere) {
  const HeaderList headers = {{"host", "127.0.0.1:8000"}};
  const Credentials credentials{"AKIDEXAMPLE", "secret", std::nullopt};
  SigningKeyCache cache;
  SignOptions options{.region = "us-east-1",
                      .service = "s3",
                      .now_ms = kNow,
                      .path_encoding = PathEncoding::kOnce,
                      .add_payload_header = true};
  const HeaderList in_memory =
      Sign({"PUT", "/b/k", "", headers, "bytes"}, credentials, options, cache);
  options.payload_hash = crypto::Sha256Hex("bytes");
  EXPECT_EQ(Sign({"PUT", "/b/k", "", headers, ""}, credentials, options, cache), in_memory);
}

}  // namespace
}  // namespace tintype::sigv4
