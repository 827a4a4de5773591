// Requests in DynamoDB's JSON, through the same table of operations that the endpoint uses: every
// body is answered with well-formed JSON and never with a fault of ours; every item that gets
// through is well formed; every expression can be put to it; and an item that is written out as
// JSON reads back as the same bytes. Input: a line with the operation, then the body.

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/strings.h"
#include "http/dynamodb/dispatch.h"
#include "http/dynamodb/testing/fake_backups.h"
#include "http/dynamodb/testing/fake_database.h"
#include "http/dynamodb/testing/fake_streams.h"
#include "http/dynamodb/testing/fake_transfers.h"
#include "input.h"
#include "tables/language/limits.h"
#include "tables/language/schema_validation.h"
#include "tables/wire/codec.h"

namespace tintype::tables {
namespace {

// Checks what the decoders let through, and answers with the request's own items.
class EchoDatabase : public http::dynamodb::testing::FakeDatabase {
 public:
  void GetItem(GetItemRequest request, Done<GetItemResponse> done) override {
    CheckItem(request.key);
    const Item shown = Show(request.projection, request.key);
    done(GetItemResponse{.item = shown, .capacity = {}});
  }
  void PutItem(PutItemRequest request, Done<WriteItemResponse> done) override {
    CheckItem(request.item);
    CheckRoundTrip(request.item);
    Evaluate(request.options.condition, request.item);
    done(WriteItemResponse{.attributes = request.item, .capacity = {}, .collection_metrics = {}});
  }
  void DeleteItem(DeleteItemRequest request, Done<WriteItemResponse> done) override {
    CheckItem(request.key);
    Evaluate(request.options.condition, request.key);
    done(WriteItemResponse{.attributes = request.key, .capacity = {}, .collection_metrics = {}});
  }
  void UpdateItem(UpdateItemRequest request, Done<WriteItemResponse> done) override {
    CheckItem(request.key);
    Evaluate(request.options.condition, request.key);
    Result<Item> updated = Apply(request.update, request.key);
    if (!updated.ok()) {
      done(updated.error());
      return;
    }
    done(WriteItemResponse{.attributes = *updated, .capacity = {}, .collection_metrics = {}});
  }
  void BatchGetItem(BatchGetItemRequest request, Done<BatchGetItemResponse> done) override {
    BatchGetItemResponse response;
    for (size_t i = 0; i < request.tables.size(); ++i) {
      const BatchGetItemRequest::Table& asked = request.tables[i];
      CHECK(!asked.keys.empty() && asked.keys.size() <= limits::kBatchGetKeys);
      for (const Item& key : asked.keys) {
        CheckItem(key);
        Show(asked.projection, key);
      }
      response.items.emplace_back(asked.table, asked.keys);
      response.unprocessed.push_back({i, asked.keys});
    }
    done(std::move(response));
  }
  void BatchWriteItem(BatchWriteItemRequest request, Done<BatchWriteItemResponse> done) override {
    for (const auto& asked : request.tables) {
      CHECK(!asked.actions.empty() && asked.actions.size() <= limits::kBatchWriteActions);
      for (const auto& action : asked.actions) {
        if (const auto* put = std::get_if<BatchWriteItemRequest::Put>(&action)) {
          CheckItem(put->item);
        } else {
          CheckItem(std::get<BatchWriteItemRequest::Delete>(action).key);
        }
      }
    }
    done(BatchWriteItemResponse{});
  }
  void TransactGetItems(TransactGetItemsRequest request,
                        Done<TransactGetItemsResponse> done) override {
    CHECK(!request.gets.empty() && request.gets.size() <= limits::kTransactActions);
    TransactGetItemsResponse response;
    for (const auto& get : request.gets) {
      CheckItem(get.key);
      response.items.emplace_back(Show(get.projection, get.key));
    }
    done(std::move(response));
  }
  void TransactWriteItems(TransactWriteItemsRequest request,
                          Done<TransactWriteItemsResponse> done) override {
    CHECK(!request.actions.empty() && request.actions.size() <= limits::kTransactActions);
    for (const auto& action : request.actions) {
      if (const auto* put = std::get_if<TransactWriteItemsRequest::Put>(&action.what)) {
        CheckAction(action, put->item);
      } else if (const auto* del = std::get_if<TransactWriteItemsRequest::Delete>(&action.what)) {
        CheckAction(action, del->key);
      } else if (const auto* check = std::get_if<TransactWriteItemsRequest::Check>(&action.what)) {
        CHECK(action.condition);
        CheckAction(action, check->key);
      } else {
        const auto& update = std::get<TransactWriteItemsRequest::UpdateAction>(action.what);
        CheckAction(action, update.key);
        static_cast<void>(Apply(update.update, update.key));
      }
    }
    done(TransactWriteItemsResponse{});
  }
  void Query(QueryRequest request, Done<ReadResponse> done) override {
    CHECK(!request.key_condition.terms.empty());
    for (const KeyCondition::Term& term : request.key_condition.terms) {
      CHECK(term.values.size() == (term.op == KeyCondition::Operator::kBetween ? 2 : 1));
    }
    done(Read(request.options));
  }
  void Scan(ScanRequest request, Done<ReadResponse> done) override {
    CHECK(!request.segment ||
          (request.segment->number >= 0 && request.segment->number < request.segment->total));
    done(Read(request.options));
  }
  void CreateTable(CreateTableRequest request, Done<TableResponse> done) override {
    const Status valid = ValidateTableDefinition(request.definition);
    if (!valid.ok()) {
      done(valid.error());
      return;
    }
    TableResponse response;
    response.table.definition = request.definition;
    for (const IndexDefinition& definition : request.definition.global_indexes) {
      IndexDescription index;
      index.definition = definition;
      response.table.global_indexes.push_back(std::move(index));
    }
    done(std::move(response));
  }

 private:
  static void CheckItem(const Item& item) {
    CHECK(CheckEncodedItem(item.payload()).ok());
    for (const auto& [name, value] : item.view()) {
      CHECK(!name.empty() && name.size() <= limits::kAttributeNameBytes);
    }
  }
  static void CheckAction(const TransactWriteItemsRequest::Action& action, const Item& item) {
    CheckItem(item);
    Evaluate(action.condition, item);
  }
  static void Evaluate(const std::optional<Condition>& condition, const Item& item) {
    if (condition) {
      condition->Holds(item.view());
      condition->Holds(MapView());
    }
  }
  static Item Show(const std::optional<Projection>& projection, const Item& item) {
    if (!projection) {
      return item;
    }
    Item shown = projection->Apply(item.view());
    CHECK(CheckEncodedItem(shown.payload()).ok());
    return shown;
  }
  static Result<Item> Apply(const Update& update, const Item& item) {
    Result<Item> updated = update.Apply(item.view(), item.view());
    if (updated.ok()) {
      CHECK(CheckEncodedItem(updated->payload()).ok());
    } else {
      CHECK(updated.error().kind() == ErrorKind::kValidation);
    }
    return updated;
  }
  static ReadResponse Read(const ReadOptions& options) {
    CHECK(!options.limit || *options.limit >= 1);
    const Item start = options.exclusive_start_key.value_or(Item());
    CheckItem(start);
    Evaluate(options.filter, start);
    ReadResponse response;
    response.items.push_back(Show(options.projection, start));
    response.last_evaluated_key = start;
    return response;
  }
  // From stored form to JSON and back.
  static void CheckRoundTrip(const Item& item) {
    const std::string answer = wire::EncodeGetItem({.item = item, .capacity = {}});
    CHECK(answer.ends_with('}'));
    const std::string body =
        StrCat(std::string_view(answer).substr(0, answer.size() - 1), R"(,"TableName":"abc"})");
    const Result<PutItemRequest> again = wire::DecodePutItem(body);
    CHECK(again.ok());
    CHECK(again->item == item);
  }
};

void CheckReply(const http::dynamodb::Reply& reply) {
  CHECK(reply.status == 200 || reply.status == 400);
  if (reply.status == 200 && reply.body.empty()) {
    return;  // Tagging.
  }
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  CHECK(parser.parse(reply.body).get_object().get(object) == simdjson::SUCCESS);
  CHECK((reply.status == 400) == (object["__type"].error() == simdjson::SUCCESS));
}

void Check(std::string_view operation, const std::string& body) {
  EchoDatabase database;
  std::optional<http::dynamodb::Reply> reply;
  http::dynamodb::testing::FakeStreams streams;
  http::dynamodb::testing::FakeBackups backups;
  http::dynamodb::testing::FakeTransfers transfers;
  http::dynamodb::Dispatch({database, &streams, &backups, &transfers},
                           {.operation = operation, .body = body, .host = "localhost"},
                           [&](http::dynamodb::Reply got) { reply = std::move(got); });
  CHECK(reply);
  CheckReply(*reply);
}

}  // namespace
}  // namespace tintype::tables

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tintype::fuzz::Input input(data, size);
  const std::string operation(input.Line());
  const std::string body(input.Rest());
  tintype::tables::Check(operation, body);
  return 0;
}
