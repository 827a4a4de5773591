#include "sigv4/sigv4.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "base/testing/in_threads.h"

namespace tintype::sigv4 {
namespace {

constexpr std::string_view kKeyId = "AKIDEXAMPLE";
constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr int64_t kSuiteTime = 1440938160000;  // 20150830T123600Z, the time of AWS's test suite.
constexpr int64_t kNow = 1794744000000;        // 20261115T120000Z.

std::string_view After(std::string_view text, std::string_view mark) {
  return text.substr(text.find(mark) + mark.size());
}

std::string SignatureOf(const HeaderList& added) {
  return std::string(After(added.back().second, "Signature="));
}

struct SuiteCase {
  std::string name;
  std::string method;
  std::string path;
  std::string query;
  HeaderList headers;
  std::string service;
  std::string signature;
};

// Proves that we sign as AWS's published test suite and documentation do.
TEST(SigV4Test, SignsAwsTestSuite) {
  const HeaderList host = {{"host", "example.amazonaws.com"}};
  const std::vector<SuiteCase> cases = {
      {"get-vanilla", "GET", "/", "", host, "service",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"post-vanilla", "POST", "/", "", host, "service",
       "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
      {"get-vanilla-query-order-key-case", "GET", "/", "Param2=value2&Param1=value1", host,
       "service", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
      {"get-relative", "GET", "/example/..", "", host, "service",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"get-slash", "GET", "//", "", host, "service",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"get-space", "GET", "/example space/", "", host, "service",
       "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
      {"the documentation's ListUsers",
       "GET",
       "/",
       "Action=ListUsers&Version=2010-05-08",
       {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"},
        {"host", "iam.amazonaws.com"}},
       "iam",
       "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"},
  };
  SigningKeyCache cache;
  for (const SuiteCase& suite : cases) {
    const HeaderList added = Sign(
        {.method = suite.method,
         .path = suite.path,
         .query = suite.query,
         .headers = suite.headers,
         .body = ""},
        {.access_key_id = std::string(kKeyId), .secret = std::string(kSecret), .session_token = {}},
        {.region = "us-east-1", .service = suite.service, .now_ms = kSuiteTime}, cache);
    EXPECT_EQ(SignatureOf(added), suite.signature) << suite.name;
  }
}

// Proves that header values are trimmed, their inner blanks joined, and repeated headers listed.
TEST(SigV4Test, CanonicalisesHeaders) {
  const HeaderList headers = {
      {"host", "h"}, {"my-header", "  value1 "}, {"my-header", "\"a   b   c\""}};
  EXPECT_EQ(
      CanonicalRequest({.method = "GET",
                        .path = "/",
                        .query = "b=2&a=%7e&a=1&flag",
                        .headers = headers,
                        .body = ""},
                       {"host", "my-header"}, "HASH"),
      "GET\n/\na=1&a=~&b=2&flag=\nhost:h\nmy-header:value1,\"a b c\"\n\nhost;my-header\nHASH");
}

// Proves that a derived key is the documented one, and that the cache tells keys apart by all of
// what they depend on, also when it is full.
TEST(SigV4Test, DerivesAndCachesKeys) {
  SigningKeyCache cache;
  const SigningScope scope{.date = "20150830", .region = "us-east-1", .service = "iam"};
  const Sha256Digest key = cache.KeyFor(kKeyId, kSecret, scope);
  EXPECT_EQ(key[0], 0xc4);
  EXPECT_EQ(key[1], 0xaf);
  EXPECT_EQ(key[31], 0xb9);
  EXPECT_EQ(cache.KeyFor(kKeyId, kSecret, scope), key);
  EXPECT_NE(cache.KeyFor(kKeyId, "other", scope), key);
  EXPECT_NE(cache.KeyFor(kKeyId, kSecret, {"20150831", "us-east-1", "iam"}), key);
  EXPECT_NE(cache.KeyFor(kKeyId, kSecret, {"20150830", "us-east-2", "iam"}), key);
  EXPECT_NE(cache.KeyFor(kKeyId, kSecret, {"20150830", "us-east-1", "sts"}), key);
  for (int i = 0; i < 200; ++i) {
    cache.KeyFor(StrCat("key", i), kSecret, scope);
  }
  EXPECT_EQ(cache.KeyFor(kKeyId, kSecret, scope), key);
}

struct BotocoreCase {
  std::string name;
  std::string method;
  std::string path;
  std::string query;
  HeaderList headers;
  std::string body;
  std::optional<std::string> token;
  std::string region;
  std::string service;
  std::string signature;
};

// Proves that we sign as botocore 1.29 does; these are its signatures.
TEST(SigV4Test, SignsAsBotocore) {
  const HeaderList dynamodb = {{"host", "127.0.0.1:8000"},
                               {"content-type", "application/x-amz-json-1.0"},
                               {"x-amz-target", "DynamoDB_20120810.GetItem"}};
  const std::string body = R"({"TableName":"photos","Key":{"pk":{"S":"user#1"}}})";
  const std::vector<BotocoreCase> cases = {
      {"plain",
       "POST",
       "/",
       "",
       dynamodb,
       body,
       {},
       "us-east-1",
       "dynamodb",
       "2d66cc97998ae909b9ae35e33a084727be93379f52f169f71e2204c8b0931bbc"},
      {"session token", "POST", "/", "", dynamodb, body, "SESSION+TOKEN/==", "us-east-1",
       "dynamodb", "82cb5667f21a01dc2953340a08593b33402149e413536089ce47138aca3b7c94"},
      {"empty body",
       "POST",
       "/",
       "",
       dynamodb,
       "",
       {},
       "us-east-1",
       "dynamodb",
       "528658f9684c17fbf4a96df1ddd4617623ca67d83d3c5ec9c5c2cb42793bf704"},
      {"UTF-8 body",
       "POST",
       "/",
       "",
       dynamodb,
       "{\"TableName\":\"ph\xc3\xb6tos\"}",
       {},
       "us-east-1",
       "dynamodb",
       "c550aeefb2f9351466526f598297e7f77576fd3805c3dac253a7b16a10cf92e7"},
      {"path and query",
       "POST",
       "/a%20b/../c//d.txt",
       "z=1&a=x%20y&a=b",
       dynamodb,
       body,
       {},
       "eu-central-1",
       "execute-api",
       "55c27495ec0c05d327f4c82e9350ee1e605f1b6912f852733a305060896a7d49"},
      {"S3",
       "PUT",
       "/bucket/a%20b//key+1",
       "list-type=2&prefix=a%2Fb",
       {{"host", "127.0.0.1:8000"}},
       "hello",
       {},
       "eu-central-1",
       "s3",
       "0f5d49419c14ecd13d0b287613424d3a5194982537799cb8190acff1b5a39bb0"},
  };
  SigningKeyCache cache;
  for (const BotocoreCase& recorded : cases) {
    const bool s3 = recorded.service == "s3";
    const HeaderList added = Sign({.method = recorded.method,
                                   .path = recorded.path,
                                   .query = recorded.query,
                                   .headers = recorded.headers,
                                   .body = recorded.body},
                                  {.access_key_id = std::string(kKeyId),
                                   .secret = std::string(kSecret),
                                   .session_token = recorded.token},
                                  {.region = recorded.region,
                                   .service = recorded.service,
                                   .now_ms = kNow,
                                   .path_encoding = s3 ? PathEncoding::kOnce : PathEncoding::kTwice,
                                   .add_payload_header = s3},
                                  cache);
    EXPECT_EQ(SignatureOf(added), recorded.signature) << recorded.name;
  }
}

class OneKeyStore : public CredentialStore {
 public:
  std::optional<AccessKeySecret> SecretFor(std::string_view access_key_id) const override {
    if (access_key_id == kKeyId) {
      return AccessKeySecret{std::string(kSecret), std::nullopt};
    }
    if (access_key_id == "TEMPORARY") {
      return AccessKeySecret{std::string(kSecret), "token"};
    }
    return std::nullopt;
  }
};

// A request whose parts a test may change before or after it is signed.
struct TestRequest {
  std::string method = "POST";
  std::string path = "/";
  std::string query;
  HeaderList headers = {{"host", "127.0.0.1:8000"},
                        {"content-type", "application/x-amz-json-1.0"},
                        {"x-amz-target", "DynamoDB_20120810.GetItem"}};
  std::string body = R"({"TableName":"photos"})";

  SignableRequest parts() const {
    return {.method = method, .path = path, .query = query, .headers = headers, .body = body};
  }
  TestRequest& SignWith(const Credentials& credentials, std::string region = "us-east-1",
                        std::string service = "dynamodb", int64_t now_ms = kNow) {
    SigningKeyCache cache;
    HeaderList added = sigv4::Sign(
        parts(), credentials,
        {.region = std::move(region), .service = std::move(service), .now_ms = now_ms}, cache);
    headers.insert(headers.end(), added.begin(), added.end());
    return *this;
  }
  TestRequest& SignNow() {
    return SignWith({std::string(kKeyId), std::string(kSecret), std::nullopt});
  }
  std::string& Header(std::string_view name) {
    for (auto& [key, value] : headers) {
      if (key == name) {
        return value;
      }
    }
    return headers.emplace_back(name, "").second;
  }
  void Remove(std::string_view name) {
    std::erase_if(headers, [&](const auto& header) { return header.first == name; });
  }
};

class VerifyTest : public ::testing::Test {
 protected:
  Result<VerifiedIdentity> Verify(const TestRequest& request, int64_t now_ms = kNow) {
    return verifier_.Verify(request.parts(), now_ms);
  }
  // The outcome as "code: message" for comparing.
  void ExpectRefused(const TestRequest& request, Reason reason, std::string_view message,
                     int64_t now_ms = kNow) {
    const auto result = Verify(request, now_ms);
    ASSERT_FALSE(result.ok()) << message;
    EXPECT_EQ(result.error().reason(), reason) << result.error().message();
    EXPECT_EQ(result.error().message(), message);
    // Before the body is there, the same faults are found in the same order.
    const Status head = verifier_.VerifyHead(request.parts(), now_ms);
    if (NeedsBody(message)) {
      EXPECT_TRUE(head.ok());
    } else {
      ASSERT_FALSE(head.ok()) << message;
      EXPECT_EQ(head.error().reason(), reason);
      EXPECT_EQ(head.error().message(), message);
    }
  }
  // The signature covers the body, and the session token is looked at after the signature.
  static bool NeedsBody(std::string_view message) {
    return message.starts_with("The request signature we calculated") ||
           message == "The security token included in the request is invalid";
  }
  void ExpectMismatch(const TestRequest& request, std::string_view what) {
    const auto result = Verify(request);
    ASSERT_FALSE(result.ok()) << what;
    EXPECT_EQ(result.error().reason(), reasons::kInvalidSignature) << what;
    EXPECT_TRUE(result.error().message().starts_with(
        "The request signature we calculated does not match the signature you provided."))
        << what << ": " << result.error().message();
  }

  OneKeyStore store_;
  SignatureVerifier verifier_{{.service = "dynamodb", .region = "us-east-1"}, store_};
};

// Proves that a request signed by botocore is accepted, in whatever order and spacing its
// Authorization header lists the parts.
TEST_F(VerifyTest, AcceptsRecordedRequests) {
  const std::string credential = "Credential=AKIDEXAMPLE/20261115/us-east-1/dynamodb/aws4_request";
  const std::string names = "SignedHeaders=content-type;host;x-amz-date;x-amz-target";
  const std::string signature =
      "Signature=2d66cc97998ae909b9ae35e33a084727be93379f52f169f71e2204c8b0931bbc";
  for (const std::string& authorization :
       {StrCat("AWS4-HMAC-SHA256 ", credential, ", ", names, ", ", signature),
        StrCat("AWS4-HMAC-SHA256 ", signature, ",", credential, ",", names),
        StrCat("AWS4-HMAC-SHA256  ", names, "   ", signature, "  ,  ", credential)}) {
    TestRequest request;
    request.body = R"({"TableName":"photos","Key":{"pk":{"S":"user#1"}}})";
    request.Header("x-amz-date") = "20261115T120000Z";
    request.Header("authorization") = authorization;
    const auto result = Verify(request);
    ASSERT_TRUE(result.ok()) << authorization << result.error().message();
    EXPECT_EQ(result->access_key_id, kKeyId);
    EXPECT_EQ(result->region, "us-east-1");
  }
}

// Proves that a Date header serves when there is no X-Amz-Date, in HTTP's form too.
TEST_F(VerifyTest, AcceptsDateHeader) {
  TestRequest request;
  request.Header("date") = "Sun, 15 Nov 2026 12:00:00 GMT";
  request.SignNow();
  // Signed again without x-amz-date: the same key, other headers.
  request.Remove("x-amz-date");
  request.Remove("authorization");
  SigningKeyCache cache;
  const SigningScope scope{"20261115", "us-east-1", "dynamodb"};
  const std::string canonical = CanonicalRequest(request.parts(), {"date", "host", "x-amz-target"},
                                                 crypto::Sha256Hex(request.body));
  request.Header("authorization") =
      StrCat("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261115/us-east-1/dynamodb/aws4_request, ",
             "SignedHeaders=date;host;x-amz-target, Signature=",
             Signature(cache.KeyFor(kKeyId, kSecret, scope),
                       StringToSign("20261115T120000Z", scope, canonical)));
  const auto result = Verify(request);
  EXPECT_TRUE(result.ok()) << result.error().message();
}

// Proves that whatever is changed after signing is noticed.
TEST_F(VerifyTest, NoticesTampering) {
  const auto tampered = [](auto change) {
    TestRequest request;
    request.SignNow();
    change(request);
    return request;
  };
  ExpectMismatch(tampered([](TestRequest& r) { r.body += " "; }), "body");
  ExpectMismatch(tampered([](TestRequest& r) { r.path = "/x"; }), "path");
  ExpectMismatch(tampered([](TestRequest& r) { r.query = "a=b"; }), "query");
  ExpectMismatch(tampered([](TestRequest& r) { r.method = "PUT"; }), "method");
  ExpectMismatch(
      tampered([](TestRequest& r) { r.Header("x-amz-target") = "DynamoDB_20120810.DeleteTable"; }),
      "header");
  ExpectMismatch(tampered([](TestRequest& r) { r.headers.emplace_back("host", "evil"); }),
                 "second header of a signed name");
  ExpectMismatch(tampered([](TestRequest& r) { r.Header("x-amz-date") = "20261115T120001Z"; }),
                 "date");
  ExpectMismatch(tampered([](TestRequest& r) {
                   char& last = r.Header("authorization").back();
                   last = last == '0' ? '1' : '0';
                 }),
                 "signature");
  ExpectMismatch(tampered([](TestRequest& r) { r.Header("authorization").pop_back(); }),
                 "shorter signature");
  ExpectMismatch(tampered([](TestRequest& r) { r.Header("x-amz-content-sha256") = "0"; }),
                 "claimed hash");
  ExpectMismatch(
      tampered([](TestRequest& r) { r.Header("x-amz-content-sha256") = "UNSIGNED-PAYLOAD"; }),
      "unsigned payload");
}

// Proves that the right hash is accepted as a header.
TEST_F(VerifyTest, AcceptsPayloadHashHeader) {
  TestRequest request;
  request.Header("x-amz-content-sha256") = crypto::Sha256Hex(request.body);
  request.SignNow();
  EXPECT_TRUE(Verify(request).ok());
}

// Proves that a request which names the hash of its body is verified without the body; that this
// is no proof of the body; and that without the hash the head of a request passes.
TEST_F(VerifyTest, HeadIsVerifiedByTheClaimedHash) {
  TestRequest request;
  request.SignNow();
  EXPECT_TRUE(verifier_.VerifyHead(request.parts(), kNow).ok());

  TestRequest claims;
  claims.Header("x-amz-content-sha256") = crypto::Sha256Hex(claims.body);
  claims.SignNow();
  claims.body = "another body";
  EXPECT_TRUE(verifier_.VerifyHead(claims.parts(), kNow).ok());
  ExpectMismatch(claims, "body");

  claims.Header("x-amz-content-sha256").back() ^= 1;
  const Status changed = verifier_.VerifyHead(claims.parts(), kNow);
  ASSERT_FALSE(changed.ok());
  EXPECT_EQ(changed.error().reason(), reasons::kInvalidSignature);
  EXPECT_TRUE(NeedsBody(changed.error().message())) << changed.error().message();

  TestRequest token;
  token.Header("x-amz-content-sha256") = crypto::Sha256Hex(token.body);
  token.SignWith({"TEMPORARY", std::string(kSecret), "other"});
  const Status refused = verifier_.VerifyHead(token.parts(), kNow);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().reason(), reasons::kUnrecognizedClient);
}

// Proves that the answer to a wrong signature prints what should have been signed, as AWS does.
TEST_F(VerifyTest, ExplainsMismatch) {
  TestRequest request;
  request.headers = {{"host", "dynamodb.us-east-1.amazonaws.com"}};
  request.body = "";
  request.SignWith({std::string(kKeyId), "wrong secret", std::nullopt});
  ExpectRefused(
      request, reasons::kInvalidSignature,
      "The request signature we calculated does not match the signature you provided. Check your "
      "AWS Secret Access Key and signing method. Consult the service documentation for details.\n\n"
      "The Canonical String for this request should have been\n'POST\n/\n\n"
      "host:dynamodb.us-east-1.amazonaws.com\nx-amz-date:20261115T120000Z\n\nhost;x-amz-date\n"
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'\n\n"
      "The String-to-Sign should have been\n'AWS4-HMAC-SHA256\n20261115T120000Z\n"
      "20261115/us-east-1/dynamodb/aws4_request\n" +
          crypto::Sha256Hex("POST\n/\n\nhost:dynamodb.us-east-1.amazonaws.com\n"
                            "x-amz-date:20261115T120000Z\n\nhost;x-amz-date\n"
                            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855") +
          "'\n");
}

// Proves that requests without a signature are told so.
TEST_F(VerifyTest, RefusesUnsignedRequests) {
  TestRequest request;
  ExpectRefused(request, reasons::kMissingAuthentication,
                "Request is missing Authentication Token");
  request.Header("authorization") = "Basic abc";
  ExpectRefused(request, reasons::kMissingAuthentication,
                "Request is missing Authentication Token");
  request.SignNow();
  request.query = "X-Amz-Algorithm=AWS4-HMAC-SHA256";
  ExpectRefused(
      request, reasons::kInvalidSignature,
      "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
}

// Proves that an Authorization header that lacks something says what.
TEST_F(VerifyTest, ListsWhatIsMissing) {
  const std::string date =
      "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  const std::string credential = "Authorization header requires 'Credential' parameter. ";
  const std::string signature = "Authorization header requires 'Signature' parameter. ";
  const std::string headers = "Authorization header requires 'SignedHeaders' parameter. ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"AWS4-HMAC-SHA256", credential + signature + headers + date},
      {"AWS4-", credential + signature + headers + date},
      {"AWS4-HMAC-SHA256 Signature=b, Credential=a", headers + date},
      {"AWS4-HMAC-SHA256 Signature=b,Credential=a,SignedHeaders=c", date},
      {"AWS4-HMAC-SHA256 Signature=,SignedHeaders=c", credential + signature + date},
  };
  for (const auto& [header, missing] : cases) {
    TestRequest request;
    request.Header("authorization") = header;
    ExpectRefused(request, reasons::kIncompleteSignature,
                  StrCat(missing, "Authorization=", header));
  }
  TestRequest request;
  request.Header("authorization") = "AWS4-HMAC-SHA256 Signature=b, Credential";
  ExpectRefused(request, reasons::kIncompleteSignature,
                "'Credential' not a valid key=value pair (missing equal-sign) in Authorization "
                "header: 'AWS4-HMAC-SHA256 Signature=b, Credential'.");
}

// Proves that faults in date, host, algorithm and scope are found in AWS's order, with its words.
TEST_F(VerifyTest, RefusesFaultyParts) {
  TestRequest request;
  std::string& date = request.Header("x-amz-date");
  date = "201";
  request.Header("authorization") = "AWS4-HMAC-SHA1 Credential=a/b/c/d,SignedHeaders=x,Signature=s";
  ExpectRefused(request, reasons::kIncompleteSignature,
                "Date must be in ISO-8601 'basic format'. Got '201'. See "
                "http://en.wikipedia.org/wiki/ISO_8601");
  request.Header("x-amz-date") = "20261315T120000Z";
  ExpectRefused(request, reasons::kIncompleteSignature,
                "Date must be in ISO-8601 'basic format'. Got '20261315T120000Z'. See "
                "http://en.wikipedia.org/wiki/ISO_8601");
  request.Header("x-amz-date") = "20261115T120000Z";
  ExpectRefused(request, reasons::kInvalidSignature,
                "'Host' must be a 'SignedHeader' in the AWS Authorization.");
  request.Header("authorization") =
      "AWS4-HMAC-SHA1 Credential=a/b/c/d,SignedHeaders=Host,Signature=s";
  ExpectRefused(request, reasons::kIncompleteSignature,
                "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1' (only AWS4-HMAC-SHA256 for now). ");
  request.Header("authorization") =
      "AWS4-HMAC-SHA256 Credential=a/b/c/d,SignedHeaders=host,Signature=s";
  ExpectRefused(request, reasons::kIncompleteSignature,
                "Credential must have exactly 5 slash-delimited elements, e.g. "
                "keyid/date/region/service/term, got 'a/b/c/d'");
  request.Header("authorization") =
      "AWS4-HMAC-SHA256 Credential=a/b/c/d/e,SignedHeaders=host,Signature=s";
  ExpectRefused(request, reasons::kInvalidSignature,
                "Credential should be scoped to a valid region, not 'c'. Credential should be "
                "scoped to correct service: 'dynamodb'. Credential should be scoped with a valid "
                "terminator: 'aws4_request', not 'e'. Date in Credential scope does not match "
                "YYYYMMDD from ISO-8601 version of date from HTTP: 'b' != '20261115', from "
                "'20261115T120000Z'.");
}

// Proves that nobody can give a signed request another operation.
TEST_F(VerifyTest, RefusesAnUnsignedTarget) {
  TestRequest request;
  request.Remove("x-amz-target");
  request.SignNow();
  EXPECT_TRUE(Verify(request).ok());
  request.Header("x-amz-target") = "DynamoDB_20120810.DeleteTable";
  ExpectRefused(request, reasons::kInvalidSignature,
                "There were headers present in the request which were not signed: x-amz-target");
}

// Proves that nobody can confirm what the signer of a request did not.
TEST_F(VerifyTest, RefusesAnUnsignedConfirmation) {
  constexpr std::string_view kConfirmation = "x-amz-confirm-remove-self-resource-access";
  TestRequest confirmed;
  confirmed.Header(kConfirmation) = "true";
  confirmed.SignNow();
  EXPECT_TRUE(Verify(confirmed).ok());
  TestRequest request;
  request.SignNow();
  request.Header(kConfirmation) = "true";
  ExpectRefused(
      request, reasons::kInvalidSignature,
      StrCat("There were headers present in the request which were not signed: ", kConfirmation));
}

// Proves that a signature for another region or service is refused, and that a verifier without a
// region takes any.
TEST_F(VerifyTest, ChecksScope) {
  const Credentials credentials{std::string(kKeyId), std::string(kSecret), std::nullopt};
  ExpectRefused(TestRequest().SignWith(credentials, "eu-west-1"), reasons::kInvalidSignature,
                "Credential should be scoped to a valid region, not 'eu-west-1'.");
  ExpectRefused(TestRequest().SignWith(credentials, "us-east-1", "s3"), reasons::kInvalidSignature,
                "Credential should be scoped to correct service: 'dynamodb'.");
  SignatureVerifier any_region({}, store_);
  const auto result =
      any_region.Verify(TestRequest().SignWith(credentials, "eu-west-1").parts(), kNow);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->region, "eu-west-1");
}

// Proves that clocks may differ by 15 minutes and not a second more.
TEST_F(VerifyTest, ChecksClockSkew) {
  TestRequest request;
  request.SignNow();
  constexpr int64_t kSkew = 15 * 60 * 1000;
  EXPECT_TRUE(Verify(request, kNow + kSkew).ok());
  EXPECT_TRUE(Verify(request, kNow - kSkew).ok());
  ExpectRefused(request, reasons::kInvalidSignature,
                "Signature expired: 20261115T120000Z is now earlier than 20261115T120001Z "
                "(20261115T121501Z - 15 min.)",
                kNow + kSkew + 1000);
  ExpectRefused(request, reasons::kInvalidSignature,
                "Signature not yet current: 20261115T120000Z is still later than 20261115T115959Z "
                "(20261115T114459Z + 15 min.)",
                kNow - kSkew - 1000);
}

// Proves that unknown keys are refused, and that a session token must be the key's own.
TEST_F(VerifyTest, ChecksKeyAndSessionToken) {
  const std::string secret(kSecret);
  ExpectRefused(TestRequest().SignWith({"UNKNOWN", secret, std::nullopt}),
                reasons::kUnrecognizedClient,
                "The security token included in the request is invalid.");
  EXPECT_TRUE(Verify(TestRequest().SignWith({"TEMPORARY", secret, "token"})).ok());
  const std::vector<Credentials> refused = {{"TEMPORARY", secret, "other"},
                                            {"TEMPORARY", secret, std::nullopt},
                                            {std::string(kKeyId), secret, "token"}};
  for (const Credentials& credentials : refused) {
    ExpectRefused(TestRequest().SignWith(credentials), reasons::kUnrecognizedClient,
                  "The security token included in the request is invalid");
  }
}

// Proves that threads can verify at once.
TEST_F(VerifyTest, VerifiesOnManyThreads) {
  TestRequest request;
  request.SignNow();
  InThreads(4, [&](int /*thread*/) {
    for (int i = 0; i < 200; ++i) {
      EXPECT_TRUE(Verify(request).ok());
    }
  });
}

}  // namespace
}  // namespace tintype::sigv4
