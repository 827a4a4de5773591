#include "http/dynamodb/dispatch.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"
#include "tables/language/errors.h"
#include "tables/wire/codec.h"
#include "tables/wire/error_table.h"

namespace tintype::http::dynamodb {
namespace {

using tables::Backups;
using tables::Database;
using tables::Done;
using tables::Streams;
using tables::Transfers;
namespace wire = tables::wire;

using Run = void (*)(const Services& services, const OperationCall& call, OnceCallback<Reply> done);

struct Operation {
  std::string_view name;
  Run run;
  std::string_view api = kTablesApi;
};

Reply Success(std::string body) { return {.status = 200, .body = std::move(body), .error = {}}; }

// A request that was decoded, if whoever asks may ask that.
template <typename Request>
Result<Request> Permitted(const Services& services, const OperationCall& call,
                          Result<Request> request) {
  if (request.ok() && services.access != nullptr) {
    RETURN_IF_ERROR(services.access->Check(*call.caller, *request));
  }
  return request;
}

// The same for an operation whose request says nothing.
Status CheckOperation(const Services& services, const OperationCall& call,
                      std::string_view action) {
  return services.access == nullptr ? OkStatus()
                                    : services.access->CheckOperation(*call.caller, action);
}

// Passes a decoded request to the service, and its outcome through `encode` to `done`.
template <typename Service, typename Request, typename Response, typename Encode>
void Call(Service& service, void (Service::*method)(Request, Done<Response>),
          Result<Request> permitted, Encode encode, OnceCallback<Reply> done) {
  if (!permitted.ok()) {
    done(ErrorReply(std::move(permitted).error()));
    return;
  }
  (service.*method)(
      std::move(permitted).value(),
      [encode = std::move(encode), done = std::move(done)](Result<Response> response) mutable {
        if (response.ok()) {
          done(Success(encode(*response)));
        } else {
          done(ErrorReply(std::move(response).error()));
        }
      });
}

// The service that a method belongs to, or null if there is none.
template <typename Request, typename Response>
Database* ServiceOf(void (Database::*)(Request, Response), const Services& services) {
  return &services.database;
}
template <typename Request, typename Response>
Streams* ServiceOf(void (Streams::*)(Request, Response), const Services& services) {
  return services.streams;
}
template <typename Request, typename Response>
Backups* ServiceOf(void (Backups::*)(Request, Response), const Services& services) {
  return services.backups;
}
template <typename Request, typename Response>
Transfers* ServiceOf(void (Transfers::*)(Request, Response), const Services& services) {
  return services.transfers;
}

// An operation that is a method, a decoder and an encoder.
template <auto kMethod, auto kDecode, auto kEncode>
void Plain(const Services& services, const OperationCall& call, OnceCallback<Reply> done) {
  auto* const service = ServiceOf(kMethod, services);
  if (service == nullptr) {
    done(ErrorReply(UnknownOperation(call.operation)));
    return;
  }
  Call(*service, kMethod, Permitted(services, call, kDecode(call.body)), kEncode, std::move(done));
}

std::string EncodeTableDescription(const tables::TableResponse& response) {
  return wire::EncodeTable("TableDescription", response);
}
std::string EncodeDescribedTable(const tables::TableResponse& response) {
  return wire::EncodeTable("Table", response);
}
// Tagging answers with no body at all, not with an empty object.
std::string EncodeNothing(const tables::EmptyResponse& /*response*/) { return {}; }

void BatchGetItem(const Services& services, const OperationCall& call, OnceCallback<Reply> done) {
  auto request = Permitted(services, call, wire::DecodeBatchGetItem(call.body));
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
      services.database, &Database::BatchGetItem, std::move(request),
      [outline = std::move(outline)](const tables::BatchGetItemResponse& response) {
        return wire::EncodeBatchGetItem(outline, response);
      },
      std::move(done));
}

// The confirmation is a member of the body or, as AWS's model of the API has it, a header: SDKs
// differ in that.
void PutResourcePolicy(const Services& services, const OperationCall& call,
                       OnceCallback<Reply> done) {
  auto request = wire::DecodePutResourcePolicy(call.body);
  if (request.ok() && call.confirms_self_removal) {
    request->confirm_remove_self_access = true;
  }
  Call(services.database, &Database::PutResourcePolicy,
       Permitted(services, call, std::move(request)), wire::EncodeResourcePolicyRevision,
       std::move(done));
}

// Tables that are not for the API are left out. A page may be shorter for it than was asked for.
void ListTables(const Services& services, const OperationCall& call, OnceCallback<Reply> done) {
  Call(
      services.database, &Database::ListTables,
      Permitted(services, call, wire::DecodeListTables(call.body)),
      [access = services.access](const tables::ListTablesResponse& response) {
        tables::ListTablesResponse shown = response;
        std::erase_if(shown.names, [access](const std::string& name) {
          return access != nullptr && !access->IsListed(name);
        });
        return wire::EncodeListTables(shown);
      },
      std::move(done));
}

// The quotas of a new AWS account in most regions.
void DescribeLimits(const Services& services, const OperationCall& call, OnceCallback<Reply> done) {
  if (Status allowed = CheckOperation(services, call, "dynamodb:DescribeLimits"); !allowed.ok()) {
    done(ErrorReply(std::move(allowed).error()));
    return;
  }
  done(Success(R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
               R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})"));
}

void DescribeEndpoints(const Services& services, const OperationCall& call,
                       OnceCallback<Reply> done) {
  if (Status allowed = CheckOperation(services, call, "dynamodb:DescribeEndpoints");
      !allowed.ok()) {
    done(ErrorReply(std::move(allowed).error()));
    return;
  }
  // The host comes from the client; only what can be part of one goes back.
  std::string address;
  std::ranges::copy_if(call.host, std::back_inserter(address), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == ':' || c == '[' || c == ']';
  });
  done(Success(
      StrCat(R"({"Endpoints":[{"Address":")", address, R"(","CachePeriodInMinutes":1440}]})")));
}

// In ascending order by name.
constexpr auto kOperations = std::to_array<Operation>({
    {"BatchGetItem", BatchGetItem},
    {"BatchWriteItem",
     Plain<&Database::BatchWriteItem, wire::DecodeBatchWriteItem, wire::EncodeBatchWriteItem>},
    {"CreateBackup",
     Plain<&Backups::CreateBackup, wire::DecodeCreateBackup, wire::EncodeCreateBackup>},
    {"CreateTable", Plain<&Database::CreateTable, wire::DecodeCreateTable, EncodeTableDescription>},
    {"DeleteBackup", Plain<&Backups::DeleteBackup, wire::DecodeDeleteBackup, wire::EncodeBackup>},
    {"DeleteItem", Plain<&Database::DeleteItem, wire::DecodeDeleteItem, wire::EncodeWriteItem>},
    {"DeleteResourcePolicy",
     Plain<&Database::DeleteResourcePolicy, wire::DecodeDeleteResourcePolicy,
           wire::EncodeResourcePolicyRevision>},
    {"DeleteTable", Plain<&Database::DeleteTable, wire::DecodeDeleteTable, EncodeTableDescription>},
    {"DescribeBackup",
     Plain<&Backups::DescribeBackup, wire::DecodeDescribeBackup, wire::EncodeBackup>},
    {"DescribeContinuousBackups",
     Plain<&Backups::DescribeContinuousBackups, wire::DecodeDescribeContinuousBackups,
           wire::EncodeContinuousBackups>},
    {"DescribeEndpoints", DescribeEndpoints},
    {"DescribeExport",
     Plain<&Transfers::DescribeExport, wire::DecodeDescribeExport, wire::EncodeExport>},
    {"DescribeImport",
     Plain<&Transfers::DescribeImport, wire::DecodeDescribeImport, wire::EncodeImport>},
    {"DescribeLimits", DescribeLimits},
    {"DescribeStream",
     Plain<&Streams::DescribeStream, wire::DecodeDescribeStream, wire::EncodeDescribeStream>,
     kStreamsApi},
    {"DescribeTable",
     Plain<&Database::DescribeTable, wire::DecodeDescribeTable, EncodeDescribedTable>},
    {"DescribeTimeToLive", Plain<&Database::DescribeTimeToLive, wire::DecodeDescribeTimeToLive,
                                 wire::EncodeDescribeTimeToLive>},
    {"ExportTableToPointInTime",
     Plain<&Transfers::ExportTableToPointInTime, wire::DecodeExportTable, wire::EncodeExport>},
    {"GetItem", Plain<&Database::GetItem, wire::DecodeGetItem, wire::EncodeGetItem>},
    {"GetRecords", Plain<&Streams::GetRecords, wire::DecodeGetRecords, wire::EncodeGetRecords>,
     kStreamsApi},
    {"GetResourcePolicy", Plain<&Database::GetResourcePolicy, wire::DecodeGetResourcePolicy,
                                wire::EncodeGetResourcePolicy>},
    {"GetShardIterator",
     Plain<&Streams::GetShardIterator, wire::DecodeGetShardIterator, wire::EncodeGetShardIterator>,
     kStreamsApi},
    {"ImportTable", Plain<&Transfers::ImportTable, wire::DecodeImportTable, wire::EncodeImport>},
    {"ListBackups", Plain<&Backups::ListBackups, wire::DecodeListBackups, wire::EncodeListBackups>},
    {"ListExports",
     Plain<&Transfers::ListExports, wire::DecodeListExports, wire::EncodeListExports>},
    {"ListImports",
     Plain<&Transfers::ListImports, wire::DecodeListImports, wire::EncodeListImports>},
    {"ListStreams", Plain<&Streams::ListStreams, wire::DecodeListStreams, wire::EncodeListStreams>,
     kStreamsApi},
    {"ListTables", ListTables},
    {"ListTagsOfResource", Plain<&Database::ListTagsOfResource, wire::DecodeListTagsOfResource,
                                 wire::EncodeListTagsOfResource>},
    {"PutItem", Plain<&Database::PutItem, wire::DecodePutItem, wire::EncodeWriteItem>},
    {"PutResourcePolicy", PutResourcePolicy},
    {"Query", Plain<&Database::Query, wire::DecodeQuery, wire::EncodeRead>},
    {"RestoreTableFromBackup", Plain<&Backups::RestoreTableFromBackup,
                                     wire::DecodeRestoreTableFromBackup, EncodeTableDescription>},
    {"RestoreTableToPointInTime",
     Plain<&Backups::RestoreTableToPointInTime, wire::DecodeRestoreTableToPointInTime,
           EncodeTableDescription>},
    {"Scan", Plain<&Database::Scan, wire::DecodeScan, wire::EncodeRead>},
    {"TagResource", Plain<&Database::TagResource, wire::DecodeTagResource, EncodeNothing>},
    {"TransactGetItems", Plain<&Database::TransactGetItems, wire::DecodeTransactGetItems,
                               wire::EncodeTransactGetItems>},
    {"TransactWriteItems", Plain<&Database::TransactWriteItems, wire::DecodeTransactWriteItems,
                                 wire::EncodeTransactWriteItems>},
    {"UntagResource", Plain<&Database::UntagResource, wire::DecodeUntagResource, EncodeNothing>},
    {"UpdateContinuousBackups",
     Plain<&Backups::UpdateContinuousBackups, wire::DecodeUpdateContinuousBackups,
           wire::EncodeContinuousBackups>},
    {"UpdateItem", Plain<&Database::UpdateItem, wire::DecodeUpdateItem, wire::EncodeWriteItem>},
    {"UpdateTable", Plain<&Database::UpdateTable, wire::DecodeUpdateTable, EncodeTableDescription>},
    {"UpdateTimeToLive", Plain<&Database::UpdateTimeToLive, wire::DecodeUpdateTimeToLive,
                               wire::EncodeUpdateTimeToLive>},
});

constexpr auto kNames = [] {
  std::array<std::string_view, kOperations.size()> names;
  std::ranges::transform(kOperations, names.begin(), &Operation::name);
  return names;
}();
static_assert(std::ranges::is_sorted(kNames));

}  // namespace

Reply ErrorReply(Error error) {
  const wire::ErrorEntry& entry = wire::ErrorEntryFor(error.reason());
  Reply reply{.status = entry.status, .body = {}, .error = {}};
  if (entry.status == 500) {
    reply.body = wire::EncodeError(entry.exception, Error::Internal(""));
  } else {
    reply.body = wire::EncodeError(entry.exception, error);
  }
  reply.error = std::move(error);
  return reply;
}

Error UnknownOperation(std::string_view operation) {
  return {tables::reasons::kUnknownOperation,
          StrCat("The operation ", operation, " is not supported.")};
}

void Dispatch(const Services& services, const OperationCall& call, OnceCallback<Reply> done) {
  const auto index = OperationIndex(call.operation);
  if (!index) {
    done(ErrorReply(UnknownOperation(call.operation)));
    return;
  }
  kOperations[*index].run(services, call, std::move(done));
}

std::span<const std::string_view> OperationNames() { return kNames; }

std::optional<size_t> OperationIndex(std::string_view operation) {
  const auto found = std::ranges::lower_bound(kNames, operation);
  if (found == kNames.end() || *found != operation) {
    return std::nullopt;
  }
  return static_cast<size_t>(found - kNames.begin());
}

std::string_view ApiOf(size_t index) { return kOperations[index].api; }

}  // namespace tintype::http::dynamodb
