#pragma once

#include <string>
#include <string_view>

#include "access/audit/entry.h"
#include "base/error.h"
#include "http/dynamodb/dispatch.h"
#include "http/server/message.h"

/// What the audit is told of requests to the DynamoDB endpoint.
namespace tintype::http::dynamodb {

/// The kind of audit entry for an operation; empty for those that are not audited, which are reads
/// and all that is done to items. REQUIRES: `index` is a position in OperationNames.
std::string_view AuditKindOf(size_t index);

/// For a request that nobody we know has signed. `operation` is empty when it is none of ours. The
/// access key that it claims is named, as far as it can be one.
access::audit::Entry DenialEntry(const Request& request, std::string_view operation,
                                 const Error& error, std::string request_id);

/// For a control call, as it will be when it succeeds. Its subject is the table that the body
/// names, or the ARN.
access::audit::Entry CallEntry(const OperationCall& call, std::string_view kind,
                               std::string request_id);

/// Makes it the entry of a call that was refused or failed.
void AddError(access::audit::Entry& entry, const Error& error);

}  // namespace tintype::http::dynamodb
