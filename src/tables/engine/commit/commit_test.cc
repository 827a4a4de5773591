// The commit thread: serial, complete, bounded; tokens in step with the data.

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "base/strings.h"
#include "base/testing/in_threads.h"
#include "base/testing/temporary_directory.h"
#include "tables/engine/commit/core.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/open.h"
#include "tables/engine/schema/operations.h"
#include "tables/language/errors.h"
#include "tables/language/expressions/expressions.h"

namespace tintype::tables::engine {
namespace {

class CommitTest : public testing::Test {
 protected:
  void SetUp() override { Open(); }

  void Open() {
    core_.reset();
    EngineConfig config;
    config.directory = directory_.path();
    config.relaxed_durability = true;
    config.commit_queue_limit = 100;
    core_ = std::make_unique<Core>(config, clock_);
    const Status opened = OpenCore(*core_);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
  }

  template <typename Response, typename Request>
  Result<Response> Await(void (*operation)(Core&, Request, Done<Response>), Request request) {
    std::promise<Result<Response>> promise;
    operation(*core_, std::move(request),
              [&](Result<Response> result) { promise.set_value(std::move(result)); });
    return promise.get_future().get();
  }

  template <typename Response, typename Request>
  Result<Response> Await(void (*operation)(Core&, Request, ChangeOrigin, Done<Response>),
                         Request request) {
    std::promise<Result<Response>> promise;
    operation(*core_, std::move(request), ChangeOrigin::kEndpoint,
              [&](Result<Response> result) { promise.set_value(std::move(result)); });
    return promise.get_future().get();
  }

  void CreateTable() {
    CreateTableRequest request;
    request.definition.name = "t";
    request.definition.billing_mode = BillingMode::kPayPerRequest;
    request.definition.attributes = {{"pk", Type::kString}};
    request.definition.keys = {{"pk"}, {}};
    const auto created = Await(&engine::CreateTable, request);
    ASSERT_TRUE(created.ok()) << created.error().message();
  }

  static Item Key(const std::string& pk) { return Item::Of({{"pk", Value::String(pk)}}); }

  UpdateItemRequest Update(const std::string& pk, const std::string& expression,
                           const std::string& condition = "") {
    Placeholders values({}, {{":one", Value::Integer(1)}});
    UpdateItemRequest request{"t", Key(pk), ParseUpdateExpression(expression, values).value(), {}};
    if (!condition.empty()) {
      Placeholders zero({}, {{":zero", Value::Integer(0)}});
      request.options.condition = ParseConditionExpression(condition, zero).value();
    }
    return request;
  }

  std::optional<Number> Counter(const std::string& pk) {
    const auto answer = GetItem(*core_, {"t", Key(pk), {}, true, ReturnCapacity::kNone});
    if (!answer.ok() || !answer->item || !answer->item->Find("n")) {
      return std::nullopt;
    }
    return answer->item->Find("n")->AsNumber();
  }

  FakeClock clock_{1'750'000'000'000};
  TemporaryDirectory directory_;
  std::unique_ptr<Core> core_;
};

// Atomic counters lose nothing however many threads count.
TEST_F(CommitTest, ConcurrentIncrementsAllCount) {
  CreateTable();
  InThreads(8, [this](int /*thread*/) {
    for (int i = 0; i < 250; ++i) {
      EXPECT_TRUE(Await(&UpdateItem, Update("counter", "ADD n :one")).ok());
    }
  });
  EXPECT_EQ(Counter("counter"), Number(2000));
}

// A limit of k admits exactly k.
TEST_F(CommitTest, ConditionalDecrementsAdmitExactlyTheLimit) {
  CreateTable();
  PutItemRequest limit{
      "t", Item::Of({{"pk", Value::String("limit")}, {"n", Value::Integer(17)}}), {}};
  ASSERT_TRUE(Await(&PutItem, limit).ok());
  std::atomic<int> admitted = 0;
  InThreads(8, [&](int /*thread*/) {
    for (int i = 0; i < 20; ++i) {
      admitted += Await(&UpdateItem, Update("limit", "SET n = n - :one", "n > :zero")).ok() ? 1 : 0;
    }
  });
  EXPECT_EQ(admitted, 17);
  EXPECT_EQ(Counter("limit"), Number(0));
}

// Holds the commit thread until it is told to go on.
class BlockingTask : public CommitTask {
 public:
  BlockingTask(std::promise<void>& started, std::shared_future<void> released)
      : started_(started), released_(std::move(released)) {}
  void Evaluate(CommitGroup&) override {
    started_.set_value();
    released_.wait();
  }
  void Finish() override {}
  void Refuse(Error) override {}

 private:
  std::promise<void>& started_;
  std::shared_future<void> released_;
};

// A full queue refuses at once and says so; what was accepted is answered, also when stopping.
TEST_F(CommitTest, QueueIsBoundedAndDrainsOnStop) {
  CreateTable();
  std::promise<void> started;
  std::promise<void> release;
  core_->committer.Submit(std::make_unique<BlockingTask>(started, release.get_future().share()));
  started.get_future().wait();
  std::atomic<int> written = 0;
  std::atomic<int> refused = 0;
  constexpr int kWrites = 150;
  for (int i = 0; i < kWrites; ++i) {
    PutItem(*core_, {"t", Key(StrCat("k", i)), {}}, ChangeOrigin::kEndpoint,
            [&](const Result<WriteItemResponse>& result) {
              if (result.ok()) {
                ++written;
              } else {
                EXPECT_EQ(result.error().kind(), ErrorKind::kOverloaded);
                ++refused;
              }
            });
  }
  EXPECT_EQ(refused, kWrites - 100);
  release.set_value();
  core_->committer.Stop();
  EXPECT_EQ(written + refused, kWrites);
  bool unavailable = false;
  PutItem(*core_, {"t", Key("late"), {}}, ChangeOrigin::kEndpoint,
          [&](const Result<WriteItemResponse>& result) {
            unavailable = !result.ok() && result.error().kind() == ErrorKind::kUnavailable;
          });
  EXPECT_TRUE(unavailable);
}

TransactWriteItemsRequest Counting(const UpdateItemRequest& update, const std::string& token,
                                   const std::string& digest) {
  TransactWriteItemsRequest request;
  TransactWriteItemsRequest::Action action;
  action.table = update.table;
  action.what = TransactWriteItemsRequest::UpdateAction{update.key, update.update};
  request.actions.push_back(std::move(action));
  request.client_token = token;
  request.parameters_digest = digest;
  return request;
}

// A token counts for ten minutes, across a restart, and only with the same parameters.
TEST_F(CommitTest, TokensMakeTransactionsIdempotent) {
  CreateTable();
  const UpdateItemRequest add = Update("c", "ADD n :one");
  ASSERT_TRUE(Await(&TransactWriteItems, Counting(add, "token", "digest")).ok());
  ASSERT_TRUE(Await(&TransactWriteItems, Counting(add, "token", "digest")).ok());
  EXPECT_EQ(Counter("c"), Number(1));
  const auto mismatch = Await(&TransactWriteItems, Counting(add, "token", "other"));
  ASSERT_FALSE(mismatch.ok());
  EXPECT_EQ(mismatch.error().reason(), tables::reasons::kIdempotentMismatch);

  Open();
  ASSERT_TRUE(Await(&TransactWriteItems, Counting(add, "token", "digest")).ok());
  EXPECT_EQ(Counter("c"), Number(1));

  clock_.AdvanceMs(10 * 60 * 1000 + 1);
  ASSERT_TRUE(Await(&TransactWriteItems, Counting(add, "token", "digest")).ok());
  EXPECT_EQ(Counter("c"), Number(2));
}

// DynamoDB may refuse one of two transactions on the same item; here they queue up.
TEST_F(CommitTest, ConcurrentTransactionsNeverConflict) {
  CreateTable();
  InThreads(4, [this](int thread) {
    for (int i = 0; i < 100; ++i) {
      const auto applied = Await(
          &TransactWriteItems,
          Counting(Update("shared", "ADD n :one"), StrCat("token", thread, "-", i), "digest"));
      EXPECT_TRUE(applied.ok());
    }
  });
  EXPECT_EQ(Counter("shared"), Number(400));
}

// A failed transaction leaves its token unused: the client may try again once the reason is gone.
TEST_F(CommitTest, FailedTransactionsDoNotUseTheirToken) {
  CreateTable();
  TransactWriteItemsRequest request = Counting(Update("c", "ADD n :one"), "token", "digest");
  Placeholders none;
  request.actions[0].condition = ParseConditionExpression("attribute_exists(pk)", none).value();
  EXPECT_FALSE(Await(&TransactWriteItems, request).ok());
  ASSERT_TRUE(Await(&PutItem, PutItemRequest{"t", Key("c"), {}}).ok());
  ASSERT_TRUE(Await(&TransactWriteItems, request).ok());
  EXPECT_EQ(Counter("c"), Number(1));
}

}  // namespace
}  // namespace tintype::tables::engine
