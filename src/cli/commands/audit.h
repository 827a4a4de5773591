#pragma once

#include <cstdint>
#include <string>

#include "access/audit/audit.h"
#include "base/result.h"
#include "cli/admin/socket.h"
#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"
#include "cli/tables/tables.h"

namespace tintype::cli {

/// How many entries `tintype audit` shows at most.
inline constexpr int64_t kAuditShownMax = 100'000;

struct AuditArguments {
  std::string since;  ///< Of these, what is empty lets all through (audit/moment.h).
  std::string until;
  std::string kind;
  std::string principal;
  std::string account;
  std::string address;
  std::string outcome;
  std::string subject;
  int64_t limit = 100;
  bool follow = false;
  bool json = false;
};

// The commands `tintype audit` and `tintype audit verify`. They ask the server that has the data
// directory open, or open it when none has.

/// Prints the newest entries that pass, oldest first; with `follow` also those that come, until it
/// is interrupted. Errors: kValidation for a time that is none; kUnavailable when there is no
/// server to follow.
Status RunAuditList(const AuditArguments& arguments, const ServeConfig& config);
/// Errors: kCorruption when a chain is damaged, once it was printed where.
Status RunAuditVerify(const AuditArguments& arguments, const ServeConfig& config);

/// What a server does for them, and for other commands that record what they did. All of it
/// outlives the commands.
void AddAuditCommands(AdminCommands& commands, const DataDirectory& directory, Tables& tables,
                      access::audit::Audit& audit);

}  // namespace tintype::cli
