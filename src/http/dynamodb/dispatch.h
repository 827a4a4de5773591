#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "access/tables/table_access.h"
#include "base/callback.h"
#include "base/error.h"
#include "tables/language/backups.h"
#include "tables/language/database.h"
#include "tables/language/streams.h"
#include "tables/language/transfers.h"

namespace tintype::http::dynamodb {

/// What carries operations out. Without streams, backups or transfers their operations are not
/// known.
struct Services {
  tables::Database& database;
  tables::Streams* streams = nullptr;
  tables::Backups* backups = nullptr;
  tables::Transfers* transfers = nullptr;
  /// Decides on every operation. Null: everything is allowed, for callers that are the program
  /// itself.
  const access::TableAccess* access = nullptr;
};

/// What a client gets: a status and a JSON body; and, for the log, the error that it tells of.
struct Reply {
  int status = 200;
  std::string body;
  std::optional<Error> error;
};

/// The reply that tells of an error. Faults of ours are told without their message, which may name
/// files and the like.
Reply ErrorReply(Error error);

/// The error for an operation that there is not.
Error UnknownOperation(std::string_view operation);

struct OperationCall {
  std::string_view operation;  // Such as `GetItem`.
  std::string_view body;       // JSON. Needed only until Dispatch returns.
  std::string_view host;       // What the client calls us, for DescribeEndpoints: `host:port`.
  /// Who asks. Needed only until Dispatch returns, and only where Services::access decides.
  const access::TableCaller* caller = nullptr;
  /// PutResourcePolicy's ConfirmRemoveSelfResourceAccess, when a client says it in a header, which
  /// is signed as the body is.
  bool confirms_self_removal = false;
};

/// Decodes a request, has it carried out and encodes the answer. Knows no HTTP. `done` is called
/// once, on this thread or one of the services'.
void Dispatch(const Services& services, const OperationCall& call, OnceCallback<Reply> done);

/// The names of all operations that Dispatch knows, in ascending order.
std::span<const std::string_view> OperationNames();
/// The position of an operation in OperationNames.
std::optional<size_t> OperationIndex(std::string_view operation);

/// DynamoDB and DynamoDB Streams are two APIs at one endpoint. A request's target is the name of
/// the API, a dot and the operation.
inline constexpr std::string_view kTablesApi = "DynamoDB_20120810";
inline constexpr std::string_view kStreamsApi = "DynamoDBStreams_20120810";
/// The API that an operation belongs to. REQUIRES: `index` is a position in OperationNames.
std::string_view ApiOf(size_t index);

}  // namespace tintype::http::dynamodb
