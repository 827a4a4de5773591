#include "http/dynamodb/endpoint.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <set>

#include "access/testing/fake_facts.h"
#include "base/strings.h"
#include "http/dynamodb/gzip.h"
#include "http/dynamodb/request_id.h"
#include "http/dynamodb/testing/fake_database.h"
#include "http/dynamodb/testing/fake_streams.h"
#include "http/dynamodb/testing/signer.h"
#include "http/server/server.h"
#include "http/server/testing/client.h"

namespace tintype::http::dynamodb {
namespace {

using http::testing::Header;
using testing::FakeDatabase;
using testing::FakeStreams;

constexpr int64_t kNow = 1794744000000;

class OneKeyStore : public sigv4::CredentialStore, public access::TableCallers {
 public:
  std::optional<access::TableCaller> CallerOf(std::string_view /*access_key_id*/) const override {
    access::TableCaller caller;
    caller.principal.kind = access::PrincipalKind::kRootKey;
    return caller;
  }
  std::optional<sigv4::AccessKeySecret> SecretFor(std::string_view access_key_id) const override {
    if (access_key_id != "KEY") {
      return std::nullopt;
    }
    return sigv4::AccessKeySecret{"secret", std::nullopt};
  }
};

Response Ask(Handler& handler, Request request) {
  std::optional<Response> response;
  handler.Handle(std::move(request), [&response](Response given) { response = std::move(given); });
  EXPECT_TRUE(response);
  return response ? *response : Response{};
}

Request Post(const std::string& operation, std::string body) {
  return {.method = "POST",
          .target = "/",
          .headers = {{"host", "localhost:8000"},
                      {"content-type", "application/x-amz-json-1.0"},
                      {"x-amz-target", "DynamoDB_20120810." + operation}},
          .body = std::move(body),
          .peer = "127.0.0.1:1",
          .address = "127.0.0.1"};
}

Request Copy(const Request& request) {
  return {.method = request.method,
          .target = request.target,
          .headers = request.headers,
          .body = request.body,
          .peer = request.peer,
          .address = request.address};
}

std::string& HeaderOf(Request& request, std::string_view name) {
  for (auto& [key, value] : request.headers) {
    if (key == name) {
      return value;
    }
  }
  return request.headers.emplace_back(name, "").second;
}

class EndpointTest : public ::testing::Test {
 protected:
  FakeDatabase database_;
  FakeStreams streams_;
  access::testing::FakeFacts facts_;
  metrics::Registry registry_;
  RequestMetrics metrics_{registry_};
  FakeClock clock_{kNow};
  const access::TableAccess access_{{}, facts_, clock_};
  const Services services_{database_, &streams_, nullptr, nullptr, &access_};
  OneKeyStore store_;
  DynamoDbEndpoint open_{services_, {}, metrics_, clock_};
  DynamoDbEndpoint guarded_{
      services_, {.credentials = &store_, .callers = &store_, .verifier = {}}, metrics_, clock_};
};

// Proves that an answer has a request id of AWS's form, the body's checksum and the request's type.
TEST_F(EndpointTest, AnswersOperations) {
  const Response response = Ask(open_, Post("ListTables", "{}"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"TableNames":["first","second"]})");
  EXPECT_EQ(Header(response, "Content-Type"), "application/x-amz-json-1.0");
  EXPECT_EQ(Header(response, "x-amz-crc32"), "310907223");
  const auto id = Header(response, "x-amzn-RequestId");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->size(), 52U);
  EXPECT_EQ(id->find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUV"), std::string_view::npos);
  for (const auto& [name, value] : response.headers) {
    EXPECT_FALSE(name.starts_with("Access-Control")) << name;
  }
}

// Proves that request ids do not repeat.
TEST(RequestIdTest, IsNewEachTime) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    ids.insert(NewRequestId());
  }
  EXPECT_EQ(ids.size(), 1000U);
}

// Proves that the answer has the request's media type, and that foreign ones are not understood.
TEST_F(EndpointTest, ChecksContentType) {
  for (const std::string type :
       {"application/x-amz-json-1.0", "application/x-amz-json-1.1", "application/json"}) {
    Request request = Post("ListTables", "{}");
    HeaderOf(request, "content-type") = type + "; charset=utf-8";
    const Response response = Ask(open_, std::move(request));
    EXPECT_EQ(response.status, 200) << type;
    EXPECT_EQ(Header(response, "Content-Type"), type);
  }
  for (const std::string type : {"", "text/plain", "application/x-www-form-urlencoded"}) {
    Request request = Post("ListTables", "{}");
    HeaderOf(request, "content-type") = type;
    const Response response = Ask(open_, std::move(request));
    EXPECT_EQ(response.status, 404) << type;
    EXPECT_EQ(response.body, "<UnknownOperationException/>\n");
    EXPECT_EQ(Header(response, "x-amz-crc32"), "3552371480");
  }
}

// Proves that methods, paths and targets that are not DynamoDB's are refused.
TEST_F(EndpointTest, ChecksMethodPathAndTarget) {
  Request put = Post("ListTables", "{}");
  put.method = "PUT";
  EXPECT_EQ(Ask(open_, std::move(put)).status, 404);
  Request elsewhere = Post("ListTables", "{}");
  elsewhere.target = "/elsewhere";
  EXPECT_EQ(Ask(open_, std::move(elsewhere)).status, 404);
  for (const std::string target :
       {"", "ListTables", "DynamoDB_20111205.ListTables", "DynamoDB_20120810.", "DynamoDB_20120810",
        "DynamoDB_20120810.NoSuchThing", "DynamoDB_20120810.ListStreams",
        "DynamoDBStreams_20120810.ListTables", "DynamoDBStreams_20120810.",
        "DynamoDBStreams_20120810.NoSuchThing", "DynamoDB_20120810.DynamoDB_20120810.ListTables"}) {
    Request request = Post("ListTables", "{}");
    HeaderOf(request, "x-amz-target") = target;
    const Response response = Ask(open_, std::move(request));
    EXPECT_EQ(response.status, 400) << target;
    EXPECT_NE(response.body.find("com.amazon.coral.service#UnknownOperationException"),
              std::string::npos)
        << target;
  }
  EXPECT_TRUE(database_.calls.empty());
  EXPECT_TRUE(streams_.calls.empty());
}

// Proves that DynamoDB Streams answers at the same endpoint under its own name, to requests that
// are signed as its clients sign them: for the service dynamodb.
TEST_F(EndpointTest, AnswersStreams) {
  testing::Signer signer({"KEY", "secret", std::nullopt});
  Request request = Post("", "{}");
  request.headers =
      signer.SignTarget("DynamoDBStreams_20120810.ListStreams", "{}", "localhost", kNow);
  const Response response = Ask(guarded_, std::move(request));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"Streams":[]})");
  EXPECT_EQ(streams_.calls, std::vector<std::string>{"ListStreams"});
  const std::string metrics = registry_.Render();
  EXPECT_NE(
      metrics.find(R"(tintype_dynamodb_requests_total{operation="ListStreams",code="2xx"} 1)"),
      std::string::npos)
      << metrics;
}

// Proves that the health check answers as AWS's, checksum included.
TEST_F(EndpointTest, AnswersHealthCheck) {
  const Response response =
      Ask(guarded_, {.method = "GET", .target = "/", .headers = {}, .body = "", .peer = ""});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "healthy: dynamodb.us-east-1.amazonaws.com ");
  EXPECT_EQ(Header(response, "x-amz-crc32"), "3128867991");
}

// Proves that without authentication a web page cannot reach us, whatever name it gives us.
TEST_F(EndpointTest, ChecksHostAndOriginWhenAuthIsOff) {
  for (const std::string host :
       {"localhost", "LOCALHOST:8000", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8000"}) {
    Request request = Post("ListTables", "{}");
    HeaderOf(request, "host") = host;
    EXPECT_EQ(Ask(open_, std::move(request)).status, 200) << host;
  }
  for (const std::string host :
       {"", "example.com", "localhost.example.com", "127.0.0.1.example.com:8000", "127.0.0.2",
        "[::1", "[::2]:8000", "evil:localhost", "localhost@evil"}) {
    Request request = Post("ListTables", "{}");
    HeaderOf(request, "host") = host;
    const Response response = Ask(open_, std::move(request));
    EXPECT_EQ(response.status, 403) << host;
    EXPECT_NE(response.body.find("Host header must be localhost"), std::string::npos);
  }
  for (const std::string method : {"POST", "GET", "OPTIONS"}) {
    Request request = Post("ListTables", "{}");
    request.method = method;
    HeaderOf(request, "origin") = "http://localhost:3000";
    const Response response = Ask(open_, std::move(request));
    EXPECT_EQ(response.status, 403) << method;
    EXPECT_FALSE(Header(response, "Access-Control-Allow-Origin"));
  }
}

// Proves that with authentication only signed requests reach the database, under any host name.
TEST_F(EndpointTest, VerifiesSignatures) {
  const Response unsigned_response = Ask(guarded_, Post("ListTables", "{}"));
  EXPECT_EQ(unsigned_response.status, 400);
  EXPECT_EQ(unsigned_response.body,
            R"({"__type":"com.amazon.coral.service#MissingAuthenticationTokenException",)"
            R"("message":"Request is missing Authentication Token"})");

  testing::Signer signer({"KEY", "secret", std::nullopt});
  Request request = Post("ListTables", "{}");
  request.headers = signer.SignOperation("ListTables", "{}", "tables.example.com", kNow);
  EXPECT_EQ(Ask(guarded_, Copy(request)).status, 200);

  Request tampered = Copy(request);
  tampered.body = R"({"Limit":1})";
  EXPECT_NE(Ask(guarded_, std::move(tampered)).body.find("#InvalidSignatureException"),
            std::string::npos);

  testing::Signer stranger({"OTHER", "secret", std::nullopt});
  Request unknown = Post("ListTables", "{}");
  unknown.headers = stranger.SignOperation("ListTables", "{}", "localhost", kNow);
  EXPECT_NE(Ask(guarded_, std::move(unknown)).body.find("#UnrecognizedClientException"),
            std::string::npos);

  clock_.AdvanceMs(16 * 60 * 1000);
  EXPECT_NE(Ask(guarded_, std::move(request)).body.find("Signature expired"), std::string::npos);
  EXPECT_EQ(database_.calls, std::vector<std::string>{"ListTables"});
}

// Proves that a compressed request is understood, that its signature is of the bytes as sent, and
// that what cannot be decompressed is refused.
TEST_F(EndpointTest, DecompressesRequests) {
  const std::string compressed = Compress(R"({"Limit":2})");
  testing::Signer signer({"KEY", "secret", std::nullopt});
  Request request = Post("ListTables", compressed);
  request.headers = signer.SignOperation("ListTables", compressed, "localhost", kNow);
  request.headers.emplace_back("content-encoding", "gzip");
  EXPECT_EQ(Ask(guarded_, Copy(request)).status, 200);

  Request of_content = Copy(request);
  of_content.headers = signer.SignOperation("ListTables", R"({"Limit":2})", "localhost", kNow);
  of_content.headers.emplace_back("content-encoding", "gzip");
  EXPECT_NE(Ask(guarded_, std::move(of_content)).body.find("#InvalidSignatureException"),
            std::string::npos);
  EXPECT_EQ(database_.calls.size(), 1U);

  struct Case {
    std::string encoding;
    std::string body;
    int status = 200;
    std::string exception;
  };
  const std::vector<Case> cases = {
      {"GZIP", Compress("{}"), 200, ""},
      {"identity", "{}", 200, ""},
      {"gzip", "{}", 400, "#SerializationException"},
      {"gzip", "", 400, "#SerializationException"},
      {"gzip", Compress("{}").substr(0, 15), 400, "#SerializationException"},
      {"deflate", "{}", 400, "#SerializationException"},
      {"deflate", std::string("\x78\x9c\xab\xae\x05\x00\x01\x75\x00\xf9", 10), 200, ""},
      {"br", "{}", 400, "#SerializationException"},
      {"gzip, gzip", Compress(Compress("{}")), 400, "#SerializationException"},
      {"gzip", Compress(std::string(16 * 1024 * 1024 + 1, ' ')), 413,
       "#RequestEntityTooLargeException"},
      {"gzip", Compress("{}" + std::string(16 * 1024 * 1024 - 2, ' ')), 200, ""},
  };
  for (const Case& each : cases) {
    Request encoded = Post("ListTables", each.body);
    HeaderOf(encoded, "content-encoding") = each.encoding;
    const Response response = Ask(open_, std::move(encoded));
    EXPECT_EQ(response.status, each.status) << each.encoding << " " << response.body;
    EXPECT_NE(response.body.find(each.exception), std::string::npos) << response.body;
  }
}

// Proves that large answers are compressed for clients that ask for it, with the checksum of what
// is sent; that small ones are not, nor any for clients that do not ask.
TEST_F(EndpointTest, CompressesAnswers) {
  const auto get = [this](size_t size, const std::string& accept) {
    database_.item = tables::Item::Of({{"a", tables::Value::String(std::string(size, 'x'))}});
    Request request = Post("GetItem", R"({"TableName":"table","Key":{"k":{"S":"1"}}})");
    if (!accept.empty()) {
      HeaderOf(request, "accept-encoding") = accept;
    }
    return Ask(open_, std::move(request));
  };
  const Response plain = get(5000, "");
  EXPECT_FALSE(Header(plain, "Content-Encoding"));
  EXPECT_GT(plain.body.size(), 5000U);
  EXPECT_FALSE(Header(get(5000, "identity"), "Content-Encoding"));
  EXPECT_FALSE(Header(get(3000, "gzip"), "Content-Encoding"));
  EXPECT_FALSE(Header(get(5 * 1024 * 1024, "gzip"), "Content-Encoding"));

  const Response compressed = get(5000, "deflate, gzip");
  EXPECT_EQ(Header(compressed, "Content-Encoding"), "gzip");
  EXPECT_LT(compressed.body.size(), 500U);
  EXPECT_EQ(*Decompress(Encoding::kGzip, compressed.body, 1 << 20), plain.body);
  EXPECT_EQ(Header(compressed, "x-amz-crc32"),
            std::to_string(libdeflate_crc32(0, compressed.body.data(), compressed.body.size())));
}

// Proves that requests the server refuses look like DynamoDB's errors.
TEST_F(EndpointTest, RefusesInItsProtocol) {
  const Response response = open_.Refuse(413, "The request body is too large.");
  EXPECT_EQ(response.status, 413);
  EXPECT_NE(response.body.find("com.amazon.coral.service#RequestEntityTooLargeException"),
            std::string::npos);
  EXPECT_TRUE(Header(response, "x-amzn-RequestId"));
}

// Proves that requests are counted by operation, status and duration.
TEST_F(EndpointTest, CountsRequests) {
  Ask(open_, Post("ListTables", "{}"));
  Ask(open_, Post("ListTables", "{}"));
  Ask(open_, Post("ListTables", "{"));
  Ask(open_, Post("NoSuchThing", "{}"));
  metrics_.Count(*OperationIndex("Scan"), 500, std::chrono::milliseconds(3));
  const std::string text = registry_.Render();
  for (const std::string line :
       {R"(tintype_dynamodb_requests_total{operation="ListTables",code="2xx"} 2)",
        R"(tintype_dynamodb_requests_total{operation="ListTables",code="4xx"} 1)",
        R"(tintype_dynamodb_requests_total{operation="other",code="4xx"} 1)",
        R"(tintype_dynamodb_requests_total{operation="Scan",code="5xx"} 1)",
        R"(tintype_dynamodb_request_duration_seconds_bucket{operation="Scan",le="0.0025"} 0)",
        R"(tintype_dynamodb_request_duration_seconds_bucket{operation="Scan",le="0.005"} 1)",
        R"(tintype_dynamodb_request_duration_seconds_bucket{operation="Scan",le="+Inf"} 1)",
        R"(tintype_dynamodb_request_duration_seconds_sum{operation="Scan"} 0.003)",
        R"(tintype_dynamodb_request_duration_seconds_count{operation="ListTables"} 3)"}) {
    EXPECT_NE(text.find(line + "\n"), std::string::npos) << line << "\n" << text;
  }
}

// Proves that the endpoint works behind a real socket, signature and all.
TEST_F(EndpointTest, WorksOverHttp) {
  const auto server = Server::Start({}, guarded_);
  ASSERT_TRUE(server.ok());
  const uint16_t port = (*server)->port();
  http::testing::Client client(port);
  testing::Signer signer({"KEY", "secret", std::nullopt});
  for (int i = 0; i < 3; ++i) {
    const auto response = client.Call(
        "POST", "/", signer.SignOperation("ListTables", "{}", StrCat("127.0.0.1:", port), kNow),
        "{}");
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200) << response->body;
  }
  const auto refused = client.Call("POST", "/", {}, std::string(17 * 1024 * 1024, 'x'));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 413);
  EXPECT_NE(refused->body.find("RequestEntityTooLargeException"), std::string::npos);
}

// Proves that a large body which is not signed, or not by a known key, is refused before any of it
// is sent, with the words and in the order that the whole request would get; and that nothing is
// kept of one whose length nobody knows.
TEST_F(EndpointTest, RefusesLargeUnsignedBodiesUnread) {
  const auto server = Server::Start({}, guarded_);
  ASSERT_TRUE(server.ok());
  const uint16_t port = (*server)->port();
  const std::string host = StrCat("127.0.0.1:", port);
  const std::string body(15 * 1024 * 1024, 'x');
  const auto ask = [&](const Headers& headers, std::string_view length = "") {
    http::testing::Client client(port);
    std::string head = "POST / HTTP/1.1\r\n";
    for (const auto& [name, value] : headers) {
      StrAppend(head, name, ": ", value, "\r\n");
    }
    StrAppend(head, length.empty() ? StrCat("Content-Length: ", body.size()) : length, "\r\n\r\n");
    EXPECT_TRUE(client.Send(head));
    if (!length.empty()) {
      // Chunks until it has had enough.
      const std::string chunk = "4000\r\n" + std::string(0x4000, 'x') + "\r\n";
      for (int i = 0; i < 8 && client.Send(chunk); ++i) {
      }
    }
    const auto response = client.Read();
    EXPECT_TRUE(response);
    return response ? *response : Response{};
  };
  const Headers unsigned_headers = {{"Host", host},
                                    {"Content-Type", "application/x-amz-json-1.0"},
                                    {"X-Amz-Target", "DynamoDB_20120810.PutItem"}};
  testing::Signer stranger({"OTHER", "secret", std::nullopt});
  testing::Signer signer({"KEY", "secret", std::nullopt});
  for (const std::string length : {"", "Transfer-Encoding: chunked"}) {
    Response response = ask(unsigned_headers, length);
    EXPECT_EQ(response.status, 400);
    EXPECT_NE(response.body.find("#MissingAuthenticationTokenException"), std::string::npos)
        << response.body;
    EXPECT_EQ(Header(response, "x-amz-crc32"),
              std::to_string(libdeflate_crc32(0, response.body.data(), response.body.size())));
    response = ask(stranger.SignOperation("PutItem", body, host, kNow), length);
    EXPECT_NE(response.body.find("#UnrecognizedClientException"), std::string::npos);
    response = ask(signer.SignOperation("PutItem", body, host, kNow - 3'600'000), length);
    EXPECT_NE(response.body.find("Signature expired"), std::string::npos);
    Headers wrong = signer.SignOperation("PutItem", body, host, kNow);
    wrong.emplace_back("x-amz-content-sha256", std::string(64, '0'));
    EXPECT_NE(ask(wrong, length).body.find("#InvalidSignatureException"), std::string::npos);
    EXPECT_EQ(ask({{"Host", host}}, length).status, 404);
  }
  // A known key's body is read, and judged as a whole.
  http::testing::Client client(port);
  const auto read =
      client.Call("POST", "/", signer.SignOperation("ListTables", body, host, kNow), body);
  ASSERT_TRUE(read);
  EXPECT_NE(read->body.find("#SerializationException"), std::string::npos) << read->body;
  // Small bodies are received before they are refused, so that the connection goes on.
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(client.Call("POST", "/", unsigned_headers, "{}")->status, 400);
  }
}

}  // namespace
}  // namespace tintype::http::dynamodb
