#include <gtest/gtest.h>

#include "base/strings.h"
#include "sigv4/sigv4.h"

namespace tintype::sigv4 {
namespace {

constexpr std::string_view kKeyId = "AKIDEXAMPLE";
constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr std::string_view kToken = "to/ken+=";
constexpr int64_t kNow = 1794744000000;  // 20261115T120000Z.
constexpr int64_t kHourMs = 60 * 60 * 1000;

class OneKeyStore : public CredentialStore {
 public:
  std::optional<std::string> token;
  std::optional<AccessKeySecret> SecretFor(std::string_view access_key_id) const override {
    if (access_key_id != kKeyId) {
      return std::nullopt;
    }
    return AccessKeySecret{std::string(kSecret), token};
  }
};

constexpr std::string_view kCommon =
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20261115%2Fus-east-1%"
    "2Fdynamodb"
    "%2Faws4_request&X-Amz-Date=20261115T120000Z";
constexpr std::string_view kHeaders = "&X-Amz-SignedHeaders=content-type%3Bhost%3Bx-amz-target";

// A request that botocore has presigned for an hour.
struct PresignedRequest {
  std::string method = "POST";
  std::string query =
      StrCat(kCommon, "&X-Amz-Expires=3600", kHeaders,
             "&X-Amz-Signature=2b7d6cefd93f7b31153a7b7911ffb96ddc7e3e74de7cf6e74d6707e19ee7da4f");
  HeaderList headers = {{"host", "localhost:8000"},
                        {"content-type", "application/x-amz-json-1.0"},
                        {"x-amz-target", "DynamoDB_20120810.GetItem"}};
  std::string body = R"({"TableName":"photos","Key":{"id":{"S":"1"}}})";

  PresignedRequest& Replace(std::string_view old, std::string_view by) {
    const size_t at = query.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    query.replace(at, old.size(), by);
    return *this;
  }
};

class PresignedTest : public ::testing::Test {
 protected:
  Result<VerifiedIdentity> Verify(const PresignedRequest& request, int64_t now_ms = kNow) {
    return verifier_.Verify({.method = request.method,
                             .path = "/",
                             .query = request.query,
                             .headers = request.headers,
                             .body = request.body},
                            now_ms);
  }

  void ExpectRefused(const PresignedRequest& request, Reason reason, std::string_view words,
                     int64_t now_ms = kNow) {
    const auto outcome = Verify(request, now_ms);
    ASSERT_FALSE(outcome.ok()) << request.query;
    EXPECT_EQ(outcome.error().reason(), reason) << outcome.error().message();
    EXPECT_NE(outcome.error().message().find(words), std::string::npos)
        << outcome.error().message();
  }

  OneKeyStore store_;
  SignatureVerifier verifier_{{}, store_};
};

// Proves that what botocore presigns is accepted: with a body or without one, for an hour or a
// week, beside other parameters, and with a session token.
TEST_F(PresignedTest, AcceptsWhatBotocorePresigns) {
  const auto plain = Verify({});
  ASSERT_TRUE(plain.ok()) << plain.error().message();
  EXPECT_EQ(plain->access_key_id, kKeyId);
  EXPECT_EQ(plain->region, "us-east-1");

  PresignedRequest week;
  week.body = "";
  week.query =
      StrCat(kCommon, "&X-Amz-Expires=604800", kHeaders,
             "&X-Amz-Signature=8b945c5edced2573996f3d540a8d486b75ded3ec2f849d75fca71d993798c3ce");
  EXPECT_TRUE(Verify(week).ok());
  EXPECT_TRUE(Verify(week, kNow + 7 * 24 * kHourMs).ok());

  PresignedRequest beside;
  beside.query =
      StrCat("b=2&a=%2Fx&", kCommon, "&X-Amz-Expires=3600", kHeaders,
             "&X-Amz-Signature=7a4d697f284dfd1a804d1bbe0a13616ae8a650f42e77288cdaa498e1dd3e4052");
  EXPECT_TRUE(Verify(beside).ok());

  store_.token = kToken;
  PresignedRequest temporary;
  temporary.query =
      StrCat(kCommon, "&X-Amz-Expires=3600", kHeaders, "&X-Amz-Security-Token=to%2Fken%2B%3D",
             "&X-Amz-Signature=e279d2f80dac5f80a468d7a06293ec18a13a4c7d7629247f0c61216bfef1c9a2");
  EXPECT_TRUE(Verify(temporary).ok());
  ExpectRefused({}, reasons::kUnrecognizedClient, "security token");
  store_.token = std::nullopt;
  ExpectRefused(temporary, reasons::kUnrecognizedClient, "security token");
}

// Proves that a presigned request is good from its date, give or take the clock, until it expires.
TEST_F(PresignedTest, Expires) {
  EXPECT_TRUE(Verify({}, kNow + kHourMs).ok());
  EXPECT_TRUE(Verify({}, kNow - kHourMs / 4).ok());
  ExpectRefused({}, reasons::kInvalidSignature, "Signature expired: 20261115T120000Z",
                kNow + kHourMs + 1000);
  ExpectRefused({}, reasons::kInvalidSignature, "Signature not yet current: 20261115T120000Z",
                kNow - kHourMs / 4 - 1000);
}

// Proves that whatever is changed after signing is noticed.
TEST_F(PresignedTest, NoticesTampering) {
  const std::string_view mismatch = "The request signature we calculated does not match";
  std::vector<PresignedRequest> tampered(10);
  tampered[0].body += " ";
  tampered[1].method = "PUT";
  tampered[2].headers[0].second = "evil:8000";
  tampered[3].headers[2].second = "DynamoDB_20120810.DeleteTable";
  tampered[4].headers.emplace_back("x-amz-target", "DynamoDB_20120810.DeleteTable");
  tampered[5].Replace("Expires=3600", "Expires=36000");
  tampered[6].Replace("120000Z", "120001Z");
  tampered[7].query += "&a=b";
  tampered[8].Replace("Signature=2b", "Signature=2c");
  tampered[9].Replace("%3Bx-amz-target", "%3Bx-amz-target%3Bx-other");
  for (const PresignedRequest& request : tampered) {
    ExpectRefused(request, reasons::kInvalidSignature, mismatch);
  }
  PresignedRequest claims_other_body;
  claims_other_body.headers.emplace_back("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
  ExpectRefused(claims_other_body, reasons::kInvalidSignature, mismatch);
  PresignedRequest unsigned_target;
  unsigned_target.Replace("%3Bx-amz-target", "");
  ExpectRefused(unsigned_target, reasons::kInvalidSignature, "not signed: x-amz-target");
  PresignedRequest unsigned_host;
  unsigned_host.Replace("%3Bhost", "");
  ExpectRefused(unsigned_host, reasons::kInvalidSignature, "'Host' must be a 'SignedHeader'");
  PresignedRequest stranger;
  stranger.Replace("AKIDEXAMPLE", "AKIDSTRANGER");
  ExpectRefused(stranger, reasons::kUnrecognizedClient, "security token");
  PresignedRequest elsewhere;
  elsewhere.Replace("%2Fdynamodb", "%2Fs3");
  ExpectRefused(elsewhere, reasons::kInvalidSignature, "correct service: 'dynamodb'");
}

// Proves that what is missing, repeated or senseless is named.
TEST_F(PresignedTest, NamesWhatIsWrong) {
  for (const std::string name :
       {"X-Amz-Credential", "X-Amz-Date", "X-Amz-SignedHeaders", "X-Amz-Signature"}) {
    PresignedRequest request;
    request.Replace("&" + name + "=", "&Other=");
    ExpectRefused(request, reasons::kIncompleteSignature,
                  StrCat("AWS query-string parameters must include '", name,
                         "'. Re-examine the query-string parameters."));
    PresignedRequest twice;
    twice.query += "&" + name + "=x";
    ExpectRefused(twice, reasons::kIncompleteSignature, StrCat("'", name, "' only once"));
  }
  PresignedRequest other;
  other.Replace("AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256");
  ExpectRefused(other, reasons::kIncompleteSignature, "Unsupported AWS 'algorithm'");
  for (const std::string expires : {"0", "-1", "604801"}) {
    PresignedRequest request;
    request.Replace("Expires=3600", "Expires=" + expires);
    ExpectRefused(request, reasons::kInvalidSignature, "X-Amz-Expires must be between 1 and");
  }
  for (const std::string expires : {"", "soon", "1h", "99999999999999999999"}) {
    PresignedRequest request;
    request.Replace("Expires=3600", "Expires=" + expires);
    ExpectRefused(request, reasons::kIncompleteSignature, "X-Amz-Expires should be a number");
  }
}

// Proves that a request that is signed in both ways is refused, however the parameter is spelt.
TEST_F(PresignedTest, RefusesTwoSignatures) {
  PresignedRequest request;
  request.headers.emplace_back("authorization", "AWS4-HMAC-SHA256 Credential=a");
  ExpectRefused(request, reasons::kInvalidSignature, "Found both 'X-Amz-Algorithm'");
  request.Replace("X-Amz-Algorithm", "X%2DAmz%2DAlgorithm");
  ExpectRefused(request, reasons::kInvalidSignature, "Found both 'X-Amz-Algorithm'");
}

}  // namespace
}  // namespace tintype::sigv4
