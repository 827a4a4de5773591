#include "tables/remote/remote_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "base/strings.h"
#include "tables/language/blocking_database.h"
#include "tables/language/errors.h"
#include "tables/remote/internal/scripted_server.h"
#include "tables/wire/client_codec.h"
#include "tables/wire/codec.h"

namespace tintype::tables::remote {
namespace {

using internal::ScriptedServer;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;
using Kind = ScriptedServer::Step::Kind;
using Step = ScriptedServer::Step;

constexpr char kItem[] = R"({"Item":{"pk":{"S":"x"}}})";

Step Answer(std::string body) { return {.body = std::move(body)}; }
Step Refusal(int status, std::string_view exception, std::string_view members = "") {
  return {.status = status,
          .body = StrCat(R"({"__type":"com.amazonaws.dynamodb.v20120810#)", exception,
                         R"(","message":"why")", members, "}")};
}
Step Throttled() { return Refusal(400, "ProvisionedThroughputExceededException"); }

// Counts attempts: the time is asked for once for each signature.
class CountingClock : public Clock {
 public:
  int64_t NowMs() const override {
    ++count_;
    return SystemClock().NowMs();
  }
  int count() const { return count_; }

 private:
  mutable std::atomic<int> count_ = 0;
};

RemoteConfig QuickConfig(const ScriptedServer& server) {
  RemoteConfig config;
  config.endpoint = server.endpoint();
  config.credentials = {"AKIATEST", "secret", "session"};
  config.attempts_max = 4;
  config.backoff_base = milliseconds(1);
  config.backoff_max = milliseconds(2);
  return config;
}

class RemoteDatabaseTest : public ::testing::Test {
 protected:
  explicit RemoteDatabaseTest(bool listen = true) {
    if (listen) {
      server_.Listen();
    }
    Open(QuickConfig(server_));
  }

  void Open(RemoteConfig config) {
    database_ = RemoteDatabase::Open(std::move(config), clock_).value();
  }
  BlockingDatabase database() { return BlockingDatabase(*database_); }

  Result<GetItemResponse> Get() {
    return database().GetItem(
        {.table = "abc", .key = Key(), .projection = {}, .consistent_read = false});
  }
  // A write that may be sent again only if it was not carried out.
  Result<WriteItemResponse> PutIfAbsent() {
    return database().PutItem(wire::DecodePutItem(R"j({"TableName":"abc","Item":{"pk":{"S":"x"}},
                                "ConditionExpression":"attribute_not_exists(pk)"})j")
                                  .value());
  }
  Result<WriteItemResponse> Put() { return database().PutItem({"abc", Key(), {}}); }
  Result<BatchWriteItemResponse> PutTwo() {
    return database().BatchWriteItem(
        wire::DecodeBatchWriteItem(
            R"({"RequestItems":{"abc":[{"PutRequest":{"Item":{"pk":{"S":"x"}}}},
                {"PutRequest":{"Item":{"pk":{"S":"y"}}}}]},"ReturnConsumedCapacity":"TOTAL"})")
            .value());
  }
  std::vector<std::future<Result<GetItemResponse>>> StartGets(int count) {
    std::vector<std::future<Result<GetItemResponse>>> outcomes;
    for (int i = 0; i < count; ++i) {
      auto outcome = std::make_shared<std::promise<Result<GetItemResponse>>>();
      outcomes.push_back(outcome->get_future());
      database_->GetItem(
          {.table = "abc", .key = Key(), .projection = {}},
          [outcome](Result<GetItemResponse> response) { outcome->set_value(std::move(response)); });
    }
    return outcomes;
  }
  void AwaitRequests(size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (server_.requests().size() < count && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
  }
  static Item Key() { return Item::Of({{"pk", Value::String("x")}}); }

  /// `text` is compared with the message and, where there is one, the note behind it.
  template <typename T>
  static void ExpectError(const Result<T>& result, Reason reason,
                          const ::testing::Matcher<std::string>& text) {
    ASSERT_FALSE(result.ok());
    const Error& error = result.error();
    EXPECT_TRUE(error.Is(reason)) << error.message();
    const std::string said =
        error.note().empty() ? error.message() : StrCat(error.message(), "\n", error.note());
    EXPECT_TRUE(text.Matches(said)) << said;
    // The message reaches clients of the gallery, who must not learn where its tables are.
    EXPECT_THAT(error.message(), Not(HasSubstr("127.0.0.1")));
  }

  ScriptedServer server_;
  CountingClock clock_;
  std::unique_ptr<RemoteDatabase> database_;
};

class KnownSecret : public sigv4::CredentialStore {
 public:
  std::optional<sigv4::AccessKeySecret> SecretFor(std::string_view id) const override {
    EXPECT_EQ(id, "AKIATEST");
    return sigv4::AccessKeySecret{"secret", "session"};
  }
};

// A request is what the service expects, with a signature that our own verifier accepts.
TEST_F(RemoteDatabaseTest, SendsSignedRequests) {
  server_.Script({Answer(kItem)});
  const auto response = Get();
  ASSERT_TRUE(response.ok()) << response.error().message();
  EXPECT_EQ(response->item, Key());

  ASSERT_EQ(server_.requests().size(), 1u);
  const ScriptedServer::Request request = server_.requests()[0];
  EXPECT_EQ(request.body, R"({"TableName":"abc","Key":{"pk":{"S":"x"}}})");
  EXPECT_THAT(request.headers,
              ::testing::IsSupersetOf({
                  std::pair<std::string, std::string>("x-amz-target", "DynamoDB_20120810.GetItem"),
                  std::pair<std::string, std::string>("content-type", "application/x-amz-json-1.0"),
                  std::pair<std::string, std::string>("x-amz-security-token", "session"),
              }));
  const KnownSecret store;
  const auto identity = sigv4::SignatureVerifier({}, store).Verify({.method = "POST",
                                                                    .path = "/",
                                                                    .query = "",
                                                                    .headers = request.headers,
                                                                    .body = request.body},
                                                                   SystemClock().NowMs());
  ASSERT_TRUE(identity.ok()) << identity.error().message();
  EXPECT_EQ(identity->region, "us-east-1");
}

// What one answer must lead to, for a request that may be repeated and for one that may be only
// when it was not carried out: how often it is sent, with a good answer from the second time on.
TEST_F(RemoteDatabaseTest, RepeatsWhatMayBeRepeated) {
  const std::string good_checksum = "3632233996";  // Of "test".
  const struct {
    std::string_view name;
    Step step;
    size_t gets;
    size_t conditional_puts;
  } rows[] = {
      {"internal error", Refusal(500, "InternalServerError"), 2, 1},
      {"unavailable", Refusal(503, "ServiceUnavailableException"), 2, 1},
      {"bad gateway", {.status = 502, .body = "<html>"}, 2, 1},
      {"throughput exceeded", Throttled(), 2, 2},
      {"throttling", Refusal(400, "ThrottlingException"), 2, 2},
      {"request limit", Refusal(400, "RequestLimitExceeded"), 2, 2},
      {"conflict", Refusal(400, "TransactionConflictException"), 2, 2},
      {"in progress", Refusal(400, "TransactionInProgressException"), 2, 2},
      {"reset", {.kind = Kind::kReset}, 2, 1},
      {"truncated", {.kind = Kind::kTruncate, .body = kItem}, 2, 1},
      {"bad checksum", {.body = kItem, .checksum = good_checksum}, 2, 1},
      {"not found", Refusal(400, "ResourceNotFoundException"), 1, 1},
      {"validation", Refusal(400, "ValidationException"), 1, 1},
      {"access denied", Refusal(400, "AccessDeniedException"), 1, 1},
      {"limit exceeded", Refusal(400, "LimitExceededException"), 1, 1},
      {"redirection", {.status = 301}, 1, 1},
      {"not JSON", {.body = "<html>"}, 1, 1},
  };
  size_t before = 0;
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    for (const bool conditional : {false, true}) {
      SCOPED_TRACE(conditional);
      const size_t expected = conditional ? row.conditional_puts : row.gets;
      server_.Script({row.step});
      if (expected == 2) {
        server_.Script({Answer(kItem)});
      }
      const bool ok = conditional ? PutIfAbsent().ok() : Get().ok();
      EXPECT_EQ(ok, expected == 2);
      EXPECT_EQ(server_.requests().size() - before, expected);
      before = server_.requests().size();
    }
  }
}

// Time to live is asked for and answered; turning it on is not repeated, since the second time it
// is an error.
TEST_F(RemoteDatabaseTest, UpdatesAndDescribesTimeToLive) {
  server_.Script({Answer(R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})")});
  const auto updated = database().UpdateTimeToLive({"abc", true, "ttl"});
  ASSERT_TRUE(updated.ok()) << updated.error().message();
  EXPECT_TRUE(updated->enabled);
  EXPECT_EQ(updated->attribute, "ttl");
  EXPECT_EQ(
      server_.requests().back().body,
      R"({"TableName":"abc","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})");
  EXPECT_THAT(server_.requests().back().headers,
              ::testing::Contains(std::pair<std::string, std::string>(
                  "x-amz-target", "DynamoDB_20120810.UpdateTimeToLive")));

  server_.Script({Refusal(500, "InternalServerError")});
  EXPECT_FALSE(database().UpdateTimeToLive({"abc", true, "ttl"}).ok());
  EXPECT_EQ(server_.requests().size(), 2u);

  server_.Script({Refusal(500, "InternalServerError"),
                  Answer(R"({"TimeToLiveDescription":{"AttributeName":"ttl",)"
                         R"("TimeToLiveStatus":"ENABLED"}})")});
  const auto described = database().DescribeTimeToLive({"abc"});
  ASSERT_TRUE(described.ok()) << described.error().message();
  EXPECT_EQ(described->status, TimeToLiveStatus::kEnabled);
  EXPECT_EQ(described->attribute, "ttl");
  EXPECT_EQ(server_.requests().size(), 4u);
}

// An answer whose checksum fits is good.
TEST_F(RemoteDatabaseTest, AcceptsAGoodChecksum) {
  server_.Script({{.body = "{}", .checksum = "2745614147"}});
  EXPECT_TRUE(Get().ok());
  EXPECT_EQ(server_.requests().size(), 1u);
}

// It gives up after exactly attempts_max attempts, with the service's last word.
TEST_F(RemoteDatabaseTest, GivesUpAfterTheLastAttempt) {
  server_.Script({Throttled(), Throttled(), Throttled(), Throttled()});
  ExpectError(PutIfAbsent(), ErrorKind::kOverloaded, "why");
  EXPECT_EQ(server_.requests().size(), 4u);

  server_.Script(std::vector<Step>(4, {.kind = Kind::kReset}));
  ExpectError(Get(), ErrorKind::kUnavailable, HasSubstr("It may have been carried out."));
  EXPECT_EQ(server_.requests().size(), 8u);
}

// A kept connection that breaks is no licence to send a write twice, which libcurl does by itself
// when it can.
TEST_F(RemoteDatabaseTest, NeverSendsAWriteTwiceOverABrokenConnection) {
  server_.Script({Answer("{}"), {.kind = Kind::kReset}, Answer("{}")});
  EXPECT_TRUE(Put().ok());
  ExpectError(PutIfAbsent(), ErrorKind::kUnavailable, HasSubstr("It may have been carried out."));
  EXPECT_EQ(server_.requests().size(), 2u);
}

// Connections are kept and used again, and a connection that the service closed meanwhile does no
// harm.
TEST_F(RemoteDatabaseTest, KeepsConnections) {
  server_.Script(std::vector<Step>(5, Answer(kItem)));
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(Get().ok());
  }
  EXPECT_EQ(server_.connections(), 1u);
  server_.Script({{.body = kItem, .close = true}, Answer(kItem), Answer(kItem)});
  EXPECT_TRUE(Get().ok());
  EXPECT_TRUE(Get().ok());
}

// A service that never answers costs at most the call's time, however many attempts are left; and
// exactly one attempt where a second could do harm.
TEST_F(RemoteDatabaseTest, EndsAtItsDeadline) {
  RemoteConfig config = QuickConfig(server_);
  config.attempts_max = 1000;
  config.attempt_timeout = milliseconds(40);
  config.call_timeout = milliseconds(200);
  Open(config);
  server_.Script(std::vector<Step>(100, {.kind = Kind::kHang}));
  const auto begin = std::chrono::steady_clock::now();
  ExpectError(PutIfAbsent(), ErrorKind::kUnavailable, HasSubstr("It may have been carried out."));
  EXPECT_EQ(server_.requests().size(), 1u);
  ExpectError(
      Get(), ErrorKind::kUnavailable,
      HasSubstr("No answer from the tables. It may have been carried out.\nhttp://127.0.0.1"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_GT(server_.requests().size(), 2u);
  EXPECT_LT(server_.requests().size(), 8u);
}

// An answer over the limit is not read to its end, nor asked for again.
TEST_F(RemoteDatabaseTest, RefusesLargeAnswers) {
  RemoteConfig config = QuickConfig(server_);
  config.response_bytes_max = 100;
  Open(config);
  server_.Script({{.body = std::string(100, ' ').replace(0, 2, "{}")},
                  {.body = std::string(101, ' ').replace(0, 2, "{}")}});
  EXPECT_TRUE(Get().ok());
  ExpectError(Get(), ErrorKind::kLimitExceeded, HasSubstr("more than 100 bytes"));
  EXPECT_EQ(server_.requests().size(), 2u);
}

class ServiceThatStartsLaterTest : public RemoteDatabaseTest {
 protected:
  ServiceThatStartsLaterTest() : RemoteDatabaseTest(/*listen=*/false) {}
};

// Nobody listens: nothing was sent, so any request is tried again, and the error says so.
TEST_F(ServiceThatStartsLaterTest, RefusedConnectionsAreTriedAgain) {
  ExpectError(PutIfAbsent(), ErrorKind::kUnavailable, Not(HasSubstr("may have been")));
  EXPECT_EQ(clock_.count(), 4);

  RemoteConfig config = QuickConfig(server_);
  config.attempts_max = 1'000'000;
  Open(config);
  server_.Script({Answer("{}")});
  const int before = clock_.count();
  auto outcome = std::async(std::launch::async, [this] { return PutIfAbsent(); });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (clock_.count() < before + 3 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  server_.Listen();
  EXPECT_TRUE(outcome.get().ok());
  EXPECT_EQ(server_.requests().size(), 1u);
}

// Calls beyond the pool wait, and those beyond the queue are refused at once.
TEST_F(RemoteDatabaseTest, BoundsConnectionsAndQueue) {
  RemoteConfig config = QuickConfig(server_);
  config.connections_max = 2;
  config.waiting_max = 3;
  config.attempt_timeout = config.call_timeout = std::chrono::minutes(10);
  Open(config);
  server_.Script(std::vector<Step>(100, {.kind = Kind::kHang}));
  auto outcomes = StartGets(5);
  // The sixth is answered within the call.
  std::optional<Result<GetItemResponse>> refused;
  database_->GetItem(
      {.table = "abc", .key = Key(), .projection = {}},
      [&refused](Result<GetItemResponse> response) { refused = std::move(response); });
  ASSERT_TRUE(refused);
  ExpectError(*refused, ErrorKind::kOverloaded, HasSubstr("Too many calls"));
  AwaitRequests(2);
  database_.reset();
  for (auto& outcome : outcomes) {
    EXPECT_FALSE(outcome.get().ok());
  }
  EXPECT_EQ(server_.connections(), 2u);
  EXPECT_EQ(server_.requests().size(), 2u);
}

// A call that waits for a connection has its deadline too.
TEST_F(RemoteDatabaseTest, EndsAtItsDeadlineWhileItWaits) {
  RemoteConfig config = QuickConfig(server_);
  config.connections_max = 1;
  config.attempt_timeout = config.call_timeout = milliseconds(50);
  Open(config);
  server_.Script(std::vector<Step>(100, {.kind = Kind::kHang}));
  for (auto& outcome : StartGets(20)) {
    ASSERT_EQ(outcome.wait_for(std::chrono::seconds(10)), std::future_status::ready);
    ExpectError(outcome.get(), ErrorKind::kUnavailable, HasSubstr("No answer"));
  }
}

// Closing answers everything that is outstanding, wherever it is on its way, and what a callback
// then asks for.
TEST_F(RemoteDatabaseTest, ClosingEndsOutstandingCalls) {
  RemoteConfig config = QuickConfig(server_);
  config.connections_max = 1;
  config.backoff_base = config.backoff_max = std::chrono::minutes(1);
  config.call_timeout = config.attempt_timeout = std::chrono::minutes(10);
  Open(config);
  server_.Script({Throttled(), {.kind = Kind::kHang}});
  int ended = 0;
  int ended_later = 0;
  // The first waits to be tried again, the second for its answer, the third for a connection.
  for (int i = 0; i < 3; ++i) {
    database_->GetItem({.table = "abc", .key = Key(), .projection = {}},
                       [&](const Result<GetItemResponse>& response) {
                         ExpectError(response, ErrorKind::kUnavailable, HasSubstr("closed"));
                         ++ended;
                         database_->GetItem({.table = "abc", .key = Key(), .projection = {}},
                                            [&](const Result<GetItemResponse>& second) {
                                              ExpectError(second, ErrorKind::kUnavailable,
                                                          HasSubstr("closed"));
                                              ++ended_later;
                                            });
                       });
  }
  AwaitRequests(2);
  // Not reset(): the callbacks still use the pointer.
  delete database_.get();
  EXPECT_EQ(ended, 3);
  EXPECT_EQ(ended_later, 3);
  static_cast<void>(database_.release());
}

// The service tells all that the engine does about a failed condition or transaction.
TEST_F(RemoteDatabaseTest, ErrorsCarryTheirDetails) {
  server_.Script(
      {Refusal(400, "ConditionalCheckFailedException", R"(,"Item":{"pk":{"S":"x"}})"),
       Refusal(400, "TransactionCanceledException",
               R"(,"CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed",)"
               R"("Message":"no","Item":{"pk":{"S":"x"}}}])")});
  const auto put = PutIfAbsent();
  ExpectError(put, ErrorKind::kConditionFailed, "why");
  ASSERT_NE(put.error().DetailAs<ConditionFailedDetail>(), nullptr);
  EXPECT_EQ(put.error().DetailAs<ConditionFailedDetail>()->item, Key());

  const auto transaction = database().TransactWriteItems({});
  ExpectError(transaction, tables::reasons::kTransactionCanceled, "why");
  const auto* detail = transaction.error().DetailAs<CancellationDetail>();
  ASSERT_NE(detail, nullptr);
  ASSERT_EQ(detail->reasons.size(), 2u);
  EXPECT_EQ(detail->reasons[1].code, "ConditionalCheckFailed");
  EXPECT_EQ(detail->reasons[1].message, "no");
  EXPECT_EQ(detail->reasons[1].item, Key());
}

// A transaction whose answer was lost is sent again under the same token, so that it is carried out
// once; a caller's own token is kept.
TEST_F(RemoteDatabaseTest, TransactionsAreRepeatedUnderOneToken) {
  server_.Script({{.kind = Kind::kReset}, Answer("{}"), Answer("{}"), Answer("{}")});
  EXPECT_TRUE(database().TransactWriteItems({}).ok());
  EXPECT_TRUE(database().TransactWriteItems({}).ok());
  TransactWriteItemsRequest own;
  own.client_token = "mine";
  EXPECT_TRUE(database().TransactWriteItems(own).ok());
  const auto requests = server_.requests();
  ASSERT_EQ(requests.size(), 4u);
  EXPECT_THAT(requests[0].body, HasSubstr(R"("ClientRequestToken":")"));
  EXPECT_EQ(requests[0].body, requests[1].body);
  EXPECT_NE(requests[1].body, requests[2].body);
  EXPECT_THAT(requests[3].body, HasSubstr(R"("ClientRequestToken":"mine")"));
}

std::string Unprocessed(std::string_view keys) {
  std::string actions;
  for (const char key : keys) {
    StrAppend(actions, actions.empty() ? "" : ",", R"({"PutRequest":{"Item":{"pk":{"S":")", key,
              R"("}}}})");
  }
  return StrCat(R"({"UnprocessedItems":{)", keys.empty() ? "" : "\"abc\":[", actions,
                keys.empty() ? "" : "]",
                R"(},"ConsumedCapacity":[{"TableName":"abc","CapacityUnits":1.0}]})");
}

// Actions that a batch leaves over are sent again, and only those; the response adds up.
TEST_F(RemoteDatabaseTest, SendsUnprocessedWritesAgain) {
  server_.Script({Answer(Unprocessed("y")), {.kind = Kind::kReset}, Answer(Unprocessed(""))});
  const auto response = PutTwo();
  ASSERT_TRUE(response.ok()) << response.error().message();
  ASSERT_EQ(response->capacity.size(), 1u);
  EXPECT_EQ(response->capacity[0].table_units.write, 2);
  const auto requests = server_.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[1].body,
            R"({"RequestItems":{"abc":[{"PutRequest":{"Item":{"pk":{"S":"y"}}}}]})"
            R"(,"ReturnConsumedCapacity":"TOTAL"})");
  EXPECT_EQ(requests[2].body, requests[1].body);
}

// Attempts are counted anew when something was done; when nothing is done any more, it ends.
TEST_F(RemoteDatabaseTest, GivesUpOnWritesThatAreNeverProcessed) {
  server_.Script({Answer(Unprocessed("xy")), Answer(Unprocessed("xy")), Answer(Unprocessed("y"))});
  server_.Script(std::vector<Step>(20, Answer(Unprocessed("y"))));
  ExpectError(PutTwo(), ErrorKind::kOverloaded,
              "The service left 1 of the batch's 2 writes unprocessed; the others were carried "
              "out.");
  // Two that did nothing, one that did something, and then attempts_max that did nothing.
  EXPECT_EQ(server_.requests().size(), 3u + 4u);
}

// Keys that a BatchGetItem leaves over are the caller's, as the interface says.
TEST_F(RemoteDatabaseTest, HandsBackUnprocessedKeys) {
  server_.Script({Answer(
      R"({"Responses":{"abc":[]},"UnprocessedKeys":{"abc":{"Keys":[{"pk":{"S":"x"}}]}}})")});
  const auto response =
      database().BatchGetItem({.tables = {{.table = "abc", .keys = {Key()}, .projection = {}}}});
  ASSERT_TRUE(response.ok()) << response.error().message();
  ASSERT_EQ(response->unprocessed.size(), 1u);
  EXPECT_EQ(response->unprocessed[0].keys, std::vector<Item>{Key()});
}

// Features that the service is declared to lack are refused without a request.
TEST_F(RemoteDatabaseTest, RefusesWhatTheServiceLacks) {
  RemoteConfig config = QuickConfig(server_);
  config.capabilities = Capabilities::Alternator();
  Open(config);
  ExpectError(database().TransactWriteItems({}), tables::reasons::kUnknownOperation,
              "The request needs transactions, which Alternator is declared not to have. It was "
              "not sent.");
  EXPECT_TRUE(server_.requests().empty());
}

TEST(RemoteDatabaseOpenTest, RefusesBadSettings) {
  const auto database = RemoteDatabase::Open({}, SystemClock());
  ASSERT_FALSE(database.ok());
  EXPECT_EQ(database.error().kind(), ErrorKind::kValidation);
}

}  // namespace
}  // namespace tintype::tables::remote
