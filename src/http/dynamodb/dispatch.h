#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/callback.h"
#include "base/error.h"
#include "tables/language/database.h"

namespace tintype::http::dynamodb {

/// What a client gets: a status and a JSON body; and, for the log, the error that it tells of.
struct Reply {
  int status = 200;
  std::string body;
  std::optional<Error> error;
};

/// The reply that tells of an error. Faults of ours are told without their message, which may name
/// files and the like.
Reply ErrorReply(Error error);

struct OperationCall {
  std::string_view operation;  // Such as `GetItem`.
  std::string_view body;       // JSON. Needed only until Dispatch returns.
  std::string_view host;       // What the client calls us, for DescribeEndpoints: `host:port`.
};

/// Decodes a request, has the database carry it out and encodes the answer. Knows no HTTP. `done`
/// is called once, on this thread or one of the database's.
void Dispatch(tables::Database& database, const OperationCall& call, OnceCallback<Reply> done);

/// The names of all operations that Dispatch knows, in ascending order.
std::span<const std::string_view> OperationNames();
/// The position of an operation in OperationNames.
std::optional<size_t> OperationIndex(std::string_view operation);

}  // namespace tintype::http::dynamodb
