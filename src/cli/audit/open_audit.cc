#include "cli/audit/open_audit.h"

#include <utility>

#include "access/audit/chain_store.h"
#include "base/clock.h"
#include "cli/audit/pending_acts.h"
#include "cli/tables/sealing.h"
#include "contexts/common/tables.h"

namespace tintype::cli {

using access::audit::Audit;
using access::audit::AuditConfig;

std::string AuditTableOf(const Tables& tables) {
  return std::string(tables.elsewhere().empty() ? access::audit::kAuditTable
                                                : access::audit::kRemoteAuditTable);
}

Result<std::unique_ptr<Audit>> OpenAudit(const ServeConfig& config, const DataDirectory& directory,
                                         Tables& tables) {
  AuditConfig audit;
  audit.table = AuditTableOf(tables);
  ASSIGN_OR_RETURN(audit.node, NodeOf(directory));
  ASSIGN_OR_RETURN(const std::string secret, SecretOf(directory, tables));
  audit.key = access::audit::AuditKey(secret);
  audit.witness_path = directory.audit_head();
  audit.kept = std::chrono::hours(24 * static_cast<int64_t>(config.audit_kept_days));
  // Without recovery: trimmed entries are to be gone.
  RETURN_IF_ERROR(contexts::CreateTables({{access::audit::AuditTable(audit.table), std::nullopt}},
                                         tables.as_server(), nullptr));
  ASSIGN_OR_RETURN(auto opened, Audit::Open(std::move(audit), tables.as_server(), SystemClock()));
  RETURN_IF_ERROR(TakeInPendingActs(directory, *opened));
  return opened;
}

Result<access::audit::VerifyConfig> VerifyConfigOf(const DataDirectory& directory, Tables& tables) {
  access::audit::VerifyConfig verify;
  verify.table = AuditTableOf(tables);
  ASSIGN_OR_RETURN(verify.node, NodeOf(directory));
  ASSIGN_OR_RETURN(const std::string secret, SecretOf(directory, tables));
  verify.key = access::audit::AuditKey(secret);
  verify.witness_path = directory.audit_head();
  return verify;
}

}  // namespace tintype::cli
