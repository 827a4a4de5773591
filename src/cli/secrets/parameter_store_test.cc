#include "cli/secrets/parameter_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <vector>

#include "base/strings.h"

namespace tintype::cli {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

/// Answers what it was told to, one after the other.
class ScriptedStore : public net::HttpClient {
 public:
  net::HttpOutcome Perform(const net::HttpRequest& request) override {
    urls.push_back(request.url);
    headers.push_back(request.headers);
    bodies.emplace_back(request.body.text);
    if (outcomes.empty()) {
      return {};
    }
    net::HttpOutcome outcome = std::move(outcomes.front());
    outcomes.pop_front();
    return outcome;
  }
  void Answer(int status, std::string body) {
    outcomes.push_back({net::HttpOutcome::Kind::kAnswered, {status, {}, std::move(body), 0}, ""});
  }

  std::deque<net::HttpOutcome> outcomes;
  std::vector<std::string> urls;
  std::vector<net::HeaderList> headers;
  std::vector<std::string> bodies;
};

class ParameterStoreTest : public testing::Test {
 protected:
  Result<std::string> Read(const std::string& name = "/tintype/secret") {
    ParameterStoreOptions options;
    options.client = &store_;
    options.retries.sleep = [this](std::chrono::milliseconds) { ++waits_; };
    return ReadParameter(
        name,
        [this](const std::string& variable) -> std::optional<std::string> {
          const auto found = variables_.find(variable);
          return found == variables_.end() ? std::nullopt : std::optional(found->second);
        },
        options);
  }
  std::string Message() {
    const auto read = Read();
    return read.ok() ? "" : std::string(read.error().message());
  }

  ScriptedStore store_;
  int waits_ = 0;
  std::map<std::string, std::string> variables_ = {{"AWS_ACCESS_KEY_ID", "AKID"},
                                                   {"AWS_SECRET_ACCESS_KEY", "key"},
                                                   {"AWS_SESSION_TOKEN", "token"},
                                                   {"AWS_REGION", "eu-west-1"}};
};

TEST(ParameterNameTest, IsWhatFollowsTheScheme) {
  EXPECT_EQ(ParameterNameIn("ssm:///tintype/a"), "/tintype/a");
  EXPECT_EQ(ParameterNameIn("ssm://plain:3"), "plain:3");
  EXPECT_EQ(ParameterNameIn("ssm:/a"), std::nullopt);
  EXPECT_EQ(ParameterNameIn("a"), std::nullopt);
}

// Proves that the request is the one that AWS's own clients make.
TEST_F(ParameterStoreTest, AsksAsClientsDo) {
  store_.Answer(200, R"({"Parameter":{"Name":"/tintype/secret","Type":"SecureString",)"
                     R"("Value":"hush \"1\"\n","Version":3}})");
  EXPECT_EQ(Read().value(), "hush \"1\"\n");
  EXPECT_EQ(store_.urls.at(0), "https://ssm.eu-west-1.amazonaws.com/");
  EXPECT_EQ(store_.bodies.at(0), R"({"Name":"/tintype/secret","WithDecryption":true})");
  const net::HeaderList& headers = store_.headers.at(0);
  EXPECT_THAT(headers, Contains(Pair("x-amz-target", "AmazonSSM.GetParameter")));
  EXPECT_THAT(headers, Contains(Pair("content-type", "application/x-amz-json-1.1")));
  EXPECT_THAT(headers, Contains(Pair("x-amz-security-token", "token")));
  EXPECT_THAT(
      headers,
      Contains(Pair("authorization",
                    testing::MatchesRegex(
                        "AWS4-HMAC-SHA256 Credential=AKID/[0-9]+/eu-west-1/ssm/aws4_request.*"))));
}

TEST_F(ParameterStoreTest, FindsTheStoreAsClientsDo) {
  variables_["AWS_ENDPOINT_URL"] = "https://all.example";
  store_.Answer(200, R"({"Parameter":{"Value":"v"}})");
  EXPECT_EQ(Read().value(), "v");
  variables_["AWS_ENDPOINT_URL_SSM"] = "http://127.0.0.1:4566";
  store_.Answer(200, R"({"Parameter":{"Value":"v"}})");
  EXPECT_EQ(Read().value(), "v");
  EXPECT_THAT(store_.urls, testing::ElementsAre("https://all.example/", "http://127.0.0.1:4566/"));
  variables_["AWS_ENDPOINT_URL_SSM"] = "http://store.example";
  EXPECT_THAT(Message(), HasSubstr("use https://"));
  variables_["AWS_ENDPOINT_URL_SSM"] = "store.example";
  EXPECT_THAT(Message(), HasSubstr("is not http://HOST:PORT"));
  variables_.erase("AWS_REGION");
  EXPECT_THAT(Message(), HasSubstr("set AWS_REGION"));
  variables_ = {{"AWS_DEFAULT_REGION", "cn-north-1"}, {"AWS_SHARED_CREDENTIALS_FILE", "/none"}};
  EXPECT_EQ(Read().error().kind(), ErrorKind::kNotFound);
}

// Proves that each refusal is told as what it is, with the store's own words, and not repeated.
TEST_F(ParameterStoreTest, TellsRefusals) {
  const std::vector<std::pair<std::string, ErrorKind>> refusals = {
      {"ParameterNotFound", ErrorKind::kNotFound},
      {"com.amazonaws.ssm#ParameterVersionNotFound", ErrorKind::kNotFound},
      {"AccessDeniedException", ErrorKind::kAccessDenied},
      {"UnrecognizedClientException", ErrorKind::kUnauthenticated},
      {"InvalidSignatureException:http://x", ErrorKind::kUnauthenticated},
      {"ValidationException", ErrorKind::kValidation},
  };
  for (const auto& [type, kind] : refusals) {
    store_.Answer(400, StrCat(R"({"__type":")", type, R"(","message":"because"})"));
    const auto read = Read();
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().kind(), kind) << type;
    EXPECT_THAT(read.error().message(), HasSubstr("/tintype/secret"));
    EXPECT_THAT(read.error().message(), HasSubstr("because"));
  }
  EXPECT_EQ(store_.urls.size(), refusals.size());
}

TEST_F(ParameterStoreTest, TriesAgainWhenTheStoreIsBusy) {
  store_.Answer(400, R"({"__type":"ThrottlingException","message":"Rate exceeded"})");
  store_.Answer(503, "");
  store_.outcomes.push_back({net::HttpOutcome::Kind::kLost, {}, "cut"});
  store_.Answer(200, R"({"Parameter":{"Value":"v"}})");
  EXPECT_EQ(Read().value(), "v");
  EXPECT_EQ(waits_, 3);
  for (int i = 0; i < 4; ++i) {
    store_.outcomes.push_back({net::HttpOutcome::Kind::kNotSent, {}, "nobody there"});
  }
  EXPECT_THAT(Message(), HasSubstr("does not answer: nobody there"));
  EXPECT_EQ(waits_, 6);
  store_.outcomes.push_back({net::HttpOutcome::Kind::kUntrusted, {}, "a wrong certificate"});
  EXPECT_EQ(Read().error().kind(), ErrorKind::kValidation);
}

// Proves that an answer of another form is an error, and that no error tells what it held.
TEST_F(ParameterStoreTest, RefusesOtherAnswers) {
  for (const char* body : {"", "hush", "{}", R"({"Parameter":"hush"})", R"({"Parameter":{}})",
                           R"({"Parameter":{"Value":7}})", R"({"Parameter":{"Value":""}})"}) {
    store_.Answer(200, body);
    const auto read = Read();
    ASSERT_FALSE(read.ok()) << body;
    EXPECT_EQ(read.error().kind(), ErrorKind::kValidation) << body;
    EXPECT_THAT(read.error().message(), Not(HasSubstr("hush")));
  }
  store_.Answer(404, "<html>");
  EXPECT_THAT(Message(), HasSubstr("status 404"));
}

}  // namespace
}  // namespace tintype::cli
