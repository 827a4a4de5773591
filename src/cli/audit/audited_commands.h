#pragma once

#include <string>

#include "access/audit/audit.h"
#include "cli/admin/socket.h"

namespace tintype::cli {

/// The command of that name, with an entry in the audit for each time that it is done, if it is one
/// that changes something. It is refused while the audit cannot be written. The audit outlives it.
AdminCommand Audited(const std::string& name, AdminCommand command, access::audit::Audit& audit);
/// The same for all of them.
AdminCommands Audited(AdminCommands commands, access::audit::Audit& audit);

/// Whether commands of that name are audited.
bool IsAudited(const std::string& name);

}  // namespace tintype::cli
