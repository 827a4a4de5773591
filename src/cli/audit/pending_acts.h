#pragma once

#include <string>
#include <string_view>

#include "access/audit/audit.h"
#include "base/result.h"
#include "cli/admin/message.h"
#include "cli/settings/data_directory.h"

namespace tintype::cli {

/// What a command of the person who runs the server did.
struct Act {
  std::string kind;     // One of audit_kinds.h.
  std::string subject;  // What it was done to.
  std::string command;  // Such as `keys create`.
};

/// Records an act of a command that works without the tables, such as `tintype keys`: by the server
/// that has the data directory open or, when none has, in the file `audit.pending`, which the next
/// server takes in. Errors: that it was done, but could not be recorded.
Status RecordAct(const DataDirectory& directory, const Act& act);

/// The server's side of it: the command `audit-record`.
Result<AdminFields> RecordActForClient(access::audit::Audit& audit, const AdminFields& act);

/// Records what is in the file, then removes it. An act is recorded twice when the process ends in
/// between, under the same request id. Errors: kCorruption, naming the file and the line.
Status TakeInPendingActs(const DataDirectory& directory, access::audit::Audit& audit);

}  // namespace tintype::cli
