#pragma once

#include <memory>
#include <string>

#include "access/audit/audit.h"
#include "access/audit/verify.h"
#include "base/result.h"
#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"
#include "cli/tables/tables.h"

namespace tintype::cli {

/// The audit's table among these tables: that of the server itself, or that of its clients.
std::string AuditTableOf(const Tables& tables);

/// Creates the audit's table where there is none, goes on with this node's chain, and takes in what
/// commands did while no server ran (pending_acts.h). The tables outlive it.
Result<std::unique_ptr<access::audit::Audit>> OpenAudit(const ServeConfig& config,
                                                        const DataDirectory& directory,
                                                        Tables& tables);

/// What verifying the audit of a data directory takes.
Result<access::audit::VerifyConfig> VerifyConfigOf(const DataDirectory& directory, Tables& tables);

}  // namespace tintype::cli
