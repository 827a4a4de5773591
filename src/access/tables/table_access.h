#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/policy/policy.h"
#include "access/principal.h"
#include "access/tables/attached_policies.h"
#include "access/tables/touch.h"
#include "base/clock.h"
#include "base/result.h"
#include "tables/language/table_facts.h"

namespace tintype::access {

/// Why a request to the tables was refused.
namespace reasons {
/// No policy of the key allows it, or one denies it.
inline constexpr Reason kDeniedByPolicy{ErrorKind::kAccessDenied, "DeniedByPolicy"};
/// The table holds accounts, keys and sessions, or the audit.
inline constexpr Reason kReservedTable{ErrorKind::kAccessDenied, "ReservedTable"};
}  // namespace reasons

/// Who calls DynamoDB's API, as decisions see them.
struct TableCaller {
  Principal principal;
  /// What policies call `aws:username`.
  std::string name;
  /// Absent: everything is allowed that is not reserved.
  std::optional<Policy> policy;
  /// Whether the request came over TLS.
  bool secure = false;
  /// As the client calls itself; it may say anything.
  std::string user_agent;
};

/// Knows who an access key belongs to. Implementations are thread-safe.
class TableCallers {
 public:
  virtual ~TableCallers() = default;
  /// The caller whose key has signed a request, but for where it comes from. Nothing when there is
  /// no such key, or it is not in use.
  virtual std::optional<TableCaller> CallerOf(std::string_view access_key_id) const = 0;
};

struct TableAccessConfig {
  std::string region = "us-east-1";
  std::string account = "000000000000";
  /// They answer the root key and nobody else: accounts and sessions, and what other servers that
  /// work on these tables audit.
  std::vector<std::string> system_tables;
  /// The same, and nobody writes it by the API, not even the root key.
  std::string audit_table;
};

/// The one decision between decoding a request of DynamoDB's API and carrying it out. Thread-safe;
/// what it is given outlives it.
class TableAccess {
 public:
  TableAccess(TableAccessConfig config, const tables::TableFacts& facts, const Clock& clock)
      : config_(std::move(config)), facts_(facts), clock_(clock), attached_(facts, TableArn("")) {}

  /// A key may do what its own policy allows, or that of the table or stream, unless one of them
  /// denies it. Errors: kDeniedByPolicy and kReservedTable, in AWS's words.
  template <typename Request>
  Status Check(const TableCaller& caller, const Request& request) const {
    return VisitTouches(request, [&](const Touch& touch) { return CheckTouch(caller, touch); });
  }
  Status Check(const TableCaller& caller, const tables::GetRecordsRequest& request) const {
    return VisitTouches(request, facts_,
                        [&](const Touch& touch) { return CheckTouch(caller, touch); });
  }
  /// Of requests that attach a policy, what it says is checked too. Errors: kValidation as well.
  Status Check(const TableCaller& caller, const tables::CreateTableRequest& request) const;
  Status Check(const TableCaller& caller, const tables::PutResourcePolicyRequest& request) const;
  /// For operations that have no request: `action` is such as `dynamodb:DescribeLimits`.
  Status CheckOperation(const TableCaller& caller, std::string_view action) const {
    return CheckTouch(caller, {.action = action});
  }

  /// Whether a list of tables shows a table of that name.
  bool IsListed(std::string_view table) const { return table != config_.audit_table; }

 private:
  bool IsReserved(std::string_view table) const {
    return !table.empty() &&
           (table == config_.audit_table ||
            std::ranges::find(config_.system_tables, table) != config_.system_tables.end());
  }
  std::string TableArn(std::string_view table) const;
  Status CheckTouch(const TableCaller& caller, const Touch& touch) const;
  /// What is attached to the table, index or stream that is touched.
  std::optional<AttachedPolicy> AttachedTo(const Touch& touch, std::string_view table) const;
  Status CheckReserved(const TableCaller& caller, const Touch& touch, std::string_view table,
                       std::string_view resource) const;
  /// `attached` is null where nothing is.
  Status CheckPolicies(const TableCaller& caller, const Touch& touch, std::string_view table,
                       std::string_view resource, const Policy* attached) const;
  std::string ArnOf(const TableCaller& caller) const;

  const TableAccessConfig config_;
  const tables::TableFacts& facts_;
  const Clock& clock_;
  const AttachedPolicies attached_;
};

}  // namespace tintype::access
