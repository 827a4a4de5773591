#include "http/dynamodb/dispatch.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"
#include "tables/wire/codec.h"
#include "tables/wire/error_table.h"

namespace tintype::http::dynamodb {
namespace {

using tables::Database;
using tables::Done;
namespace wire = tables::wire;

using Run = void (*)(Database& database, const OperationCall& call, OnceCallback<Reply> done);

struct Operation {
  std::string_view name;
  Run run;
};

Reply Success(std::string body) { return {.status = 200, .body = std::move(body), .error = {}}; }

// Passes a decoded request to the database, and its outcome through `encode` to `done`.
template <typename Request, typename Response, typename Encode>
void Call(Database& database, void (Database::*method)(Request, Done<Response>),
          Result<Request> request, Encode encode, OnceCallback<Reply> done) {
  if (!request.ok()) {
    done(ErrorReply(std::move(request).error()));
    return;
  }
  (database.*method)(
      std::move(request).value(),
      [encode = std::move(encode), done = std::move(done)](Result<Response> response) mutable {
        if (response.ok()) {
          done(Success(encode(*response)));
        } else {
          done(ErrorReply(std::move(response).error()));
        }
      });
}

// An operation that is a method, a decoder and an encoder.
template <auto kMethod, auto kDecode, auto kEncode>
void Plain(Database& database, const OperationCall& call, OnceCallback<Reply> done) {
  Call(database, kMethod, kDecode(call.body), kEncode, std::move(done));
}

std::string EncodeTableDescription(const tables::TableResponse& response) {
  return wire::EncodeTable("TableDescription", response);
}
std::string EncodeDescribedTable(const tables::TableResponse& response) {
  return wire::EncodeTable("Table", response);
}
// Tagging answers with no body at all, not with an empty object.
std::string EncodeNothing(const tables::EmptyResponse& /*response*/) { return {}; }

void BatchGetItem(Database& database, const OperationCall& call, OnceCallback<Reply> done) {
  auto request = wire::DecodeBatchGetItem(call.body);
  // The answer repeats how unprocessed keys were to be read. Their tables are kept for that,
  // without the keys.
  tables::BatchGetItemRequest outline;
  if (request.ok()) {
    for (const auto& table : request->tables) {
      outline.tables.push_back({.table = table.table,
                                .keys = {},
                                .projection = table.projection,
                                .consistent_read = table.consistent_read});
    }
  }
  Call(
      database, &Database::BatchGetItem, std::move(request),
      [outline = std::move(outline)](const tables::BatchGetItemResponse& response) {
        return wire::EncodeBatchGetItem(outline, response);
      },
      std::move(done));
}

// The quotas of a new AWS account in most regions.
void DescribeLimits(Database& /*database*/, const OperationCall& /*call*/,
                    OnceCallback<Reply> done) {
  done(Success(R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
               R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})"));
}

void DescribeEndpoints(Database& /*database*/, const OperationCall& call,
                       OnceCallback<Reply> done) {
  // The host comes from the client; only what can be part of one goes back.
  std::string address;
  std::ranges::copy_if(call.host, std::back_inserter(address), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == ':' || c == '[' || c == ']';
  });
  done(Success(
      StrCat(R"({"Endpoints":[{"Address":")", address, R"(","CachePeriodInMinutes":1440}]})")));
}

void DescribeTimeToLive(Database& database, const OperationCall& call, OnceCallback<Reply> done) {
  Call(
      database, &Database::DescribeTable, wire::DecodeDescribeTable(call.body),
      [](const tables::TableResponse&) -> std::string {
        return R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})";
      },
      std::move(done));
}

void DescribeContinuousBackups(Database& database, const OperationCall& call,
                               OnceCallback<Reply> done) {
  Call(
      database, &Database::DescribeTable, wire::DecodeDescribeTable(call.body),
      [](const tables::TableResponse&) -> std::string {
        return R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"DISABLED",)"
               R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}})";
      },
      std::move(done));
}

// In ascending order by name.
constexpr std::array<Operation, 22> kOperations = {{
    {"BatchGetItem", BatchGetItem},
    {"BatchWriteItem",
     Plain<&Database::BatchWriteItem, wire::DecodeBatchWriteItem, wire::EncodeBatchWriteItem>},
    {"CreateTable", Plain<&Database::CreateTable, wire::DecodeCreateTable, EncodeTableDescription>},
    {"DeleteItem", Plain<&Database::DeleteItem, wire::DecodeDeleteItem, wire::EncodeWriteItem>},
    {"DeleteTable", Plain<&Database::DeleteTable, wire::DecodeDeleteTable, EncodeTableDescription>},
    {"DescribeContinuousBackups", DescribeContinuousBackups},
    {"DescribeEndpoints", DescribeEndpoints},
    {"DescribeLimits", DescribeLimits},
    {"DescribeTable",
     Plain<&Database::DescribeTable, wire::DecodeDescribeTable, EncodeDescribedTable>},
    {"DescribeTimeToLive", DescribeTimeToLive},
    {"GetItem", Plain<&Database::GetItem, wire::DecodeGetItem, wire::EncodeGetItem>},
    {"ListTables", Plain<&Database::ListTables, wire::DecodeListTables, wire::EncodeListTables>},
    {"ListTagsOfResource", Plain<&Database::ListTagsOfResource, wire::DecodeListTagsOfResource,
                                 wire::EncodeListTagsOfResource>},
    {"PutItem", Plain<&Database::PutItem, wire::DecodePutItem, wire::EncodeWriteItem>},
    {"Query", Plain<&Database::Query, wire::DecodeQuery, wire::EncodeRead>},
    {"Scan", Plain<&Database::Scan, wire::DecodeScan, wire::EncodeRead>},
    {"TagResource", Plain<&Database::TagResource, wire::DecodeTagResource, EncodeNothing>},
    {"TransactGetItems", Plain<&Database::TransactGetItems, wire::DecodeTransactGetItems,
                               wire::EncodeTransactGetItems>},
    {"TransactWriteItems", Plain<&Database::TransactWriteItems, wire::DecodeTransactWriteItems,
                                 wire::EncodeTransactWriteItems>},
    {"UntagResource", Plain<&Database::UntagResource, wire::DecodeUntagResource, EncodeNothing>},
    {"UpdateItem", Plain<&Database::UpdateItem, wire::DecodeUpdateItem, wire::EncodeWriteItem>},
    {"UpdateTable", Plain<&Database::UpdateTable, wire::DecodeUpdateTable, EncodeTableDescription>},
}};

constexpr auto kNames = [] {
  std::array<std::string_view, kOperations.size()> names;
  std::ranges::transform(kOperations, names.begin(), &Operation::name);
  return names;
}();
static_assert(std::ranges::is_sorted(kNames));

}  // namespace

Reply ErrorReply(Error error) {
  const wire::ErrorEntry& entry = wire::ErrorEntryFor(error.code());
  Reply reply{.status = entry.status, .body = {}, .error = {}};
  if (entry.status == 500) {
    reply.body = wire::EncodeError(entry.exception, Error::Internal(""));
  } else {
    reply.body = wire::EncodeError(entry.exception, error);
  }
  reply.error = std::move(error);
  return reply;
}

void Dispatch(tables::Database& database, const OperationCall& call, OnceCallback<Reply> done) {
  const auto index = OperationIndex(call.operation);
  if (!index) {
    done(ErrorReply(Error(ErrorCode::kUnknownOperation,
                          StrCat("The operation ", call.operation, " is not supported."))));
    return;
  }
  kOperations[*index].run(database, call, std::move(done));
}

std::span<const std::string_view> OperationNames() { return kNames; }

std::optional<size_t> OperationIndex(std::string_view operation) {
  const auto found = std::ranges::lower_bound(kNames, operation);
  if (found == kNames.end() || *found != operation) {
    return std::nullopt;
  }
  return static_cast<size_t>(found - kNames.begin());
}

}  // namespace tintype::http::dynamodb
