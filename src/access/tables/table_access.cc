#include "access/tables/table_access.h"

#include <algorithm>
#include <array>
#include <vector>

#include "access/policy/denial.h"
#include "base/base64.h"
#include "base/strings.h"
#include "tables/language/table_name.h"

namespace tintype::access {
namespace {

/// The table that the ARN of it, or of anything that belongs to it, names. Empty for other ARNs.
std::string_view TableOfArn(std::string_view arn) {
  constexpr std::string_view kTable = ":table/";
  const size_t found = arn.find(kTable);
  if (found == std::string_view::npos) {
    return {};
  }
  const std::string_view rest = arn.substr(found + kTable.size());
  return rest.substr(0, rest.find('/'));
}

/// Whether an action leaves tables as they are.
bool IsRead(std::string_view action) {
  constexpr std::string_view kService = "dynamodb:";
  action.remove_prefix(kService.size());
  constexpr std::array<std::string_view, 4> kReads = {"BatchGetItem", "ConditionCheckItem", "Query",
                                                      "Scan"};
  return action.starts_with("Get") || action.starts_with("Describe") ||
         action.starts_with("List") || std::ranges::find(kReads, action) != kReads.end();
}

/// A key's value as policies compare it.
std::string TextOf(const tables::ValueView& value) {
  switch (value.type()) {
    case tables::Type::kString:
      return std::string(value.AsString());
    case tables::Type::kNumber:
      return value.AsNumber().ToString();
    case tables::Type::kBinary:
      return Base64(value.AsString());
    default:
      return {};  // No key has another type; the operation refuses it.
  }
}

/// The values of the partition key that a request names. A Scan names none.
std::vector<std::string> LeadingKeysOf(const Touch& touch, const std::vector<std::string>& names) {
  std::vector<std::string> keys;
  for (const std::string& name : names) {
    if (touch.key_condition != nullptr) {
      for (const tables::KeyCondition::Term& term : touch.key_condition->terms) {
        if (term.attribute == name && !term.values.empty()) {
          keys.push_back(TextOf(term.values.front().view()));
        }
      }
    } else if (touch.item != nullptr) {
      if (const auto value = touch.item->Find(name)) {
        keys.push_back(TextOf(*value));
      }
    }
  }
  return keys;
}

/// Every top-level attribute that a request names, each once.
class AttributeNames {
 public:
  explicit AttributeNames(const Touch& touch) {
    AddItem(touch.item);
    AddItem(touch.start_key);
    if (touch.key_condition != nullptr) {
      for (const tables::KeyCondition::Term& term : touch.key_condition->terms) {
        Add(term.attribute);
      }
    }
    if (touch.projection != nullptr) {
      for (const tables::Path& path : touch.projection->paths()) {
        Add(path.attribute());
      }
    }
    if (touch.condition != nullptr) {
      touch.condition->VisitPaths([this](const tables::Path& path) { Add(path.attribute()); });
    }
    if (touch.update != nullptr) {
      AddUpdate(*touch.update);
    }
  }

  const std::vector<std::string_view>& names() const { return names_; }

 private:
  void Add(std::string_view name) {
    if (std::ranges::find(names_, name) == names_.end()) {
      names_.push_back(name);
    }
  }
  void AddItem(const tables::Item* item) {
    if (item != nullptr) {
      for (const auto& entry : item->view()) {
        Add(entry.name);
      }
    }
  }
  // What is read on the right-hand side counts too: SET a = secret shows it.
  void AddOperand(const tables::UpdateOperand& operand) {
    if (!operand.path.steps.empty()) {
      Add(operand.path.attribute());
    }
    for (const tables::UpdateOperand& inner : operand.operands) {
      AddOperand(inner);
    }
  }
  void AddUpdate(const tables::Update& update) {
    for (const tables::Update::Set& set : update.sets) {
      Add(set.path.attribute());
      AddOperand(set.value);
    }
    for (const tables::Path& path : update.removes) {
      Add(path.attribute());
    }
    for (const tables::Update::Add& add : update.adds) {
      Add(add.path.attribute());
    }
    for (const tables::Update::Delete& removal : update.deletes) {
      Add(removal.path.attribute());
    }
  }

  std::vector<std::string_view> names_;
};

}  // namespace

Status TableAccess::CheckTouch(const TableCaller& caller, const Touch& touch) const {
  const std::string_view table =
      touch.arn.empty() ? tables::TableNameOf(touch.table) : TableOfArn(touch.arn);
  if (!caller.policy && !IsReserved(table)) {
    return OkStatus();
  }
  std::string resource = "*";
  if (!touch.arn.empty()) {
    resource = touch.arn;
  } else if (!table.empty()) {
    resource = StrCat("arn:aws:dynamodb:", config_.region, ":", config_.account, ":table/", table);
    if (touch.index) {
      StrAppend(resource, "/index/", *touch.index);
    }
  }
  RETURN_IF_ERROR(CheckReserved(caller, touch, table, resource));
  return caller.policy ? CheckPolicy(caller, touch, table, resource) : OkStatus();
}

Status TableAccess::CheckReserved(const TableCaller& caller, const Touch& touch,
                                  std::string_view table, std::string_view resource) const {
  const bool root = caller.principal.kind == PrincipalKind::kRootKey ||
                    caller.principal.kind == PrincipalKind::kServer;
  const bool writes_audit = table == config_.audit_table && !IsRead(touch.action);
  if (!IsReserved(table) || (root && !writes_audit)) {
    return OkStatus();
  }
  return Error(reasons::kReservedTable,
               StrCat("User: ", ArnOf(caller), " is not authorized to perform: ", touch.action,
                      " on resource: ", resource,
                      root ? " because only the server itself writes the audit"
                           : " because this table answers the root key alone"));
}

Status TableAccess::CheckPolicy(const TableCaller& caller, const Touch& touch,
                                std::string_view table, std::string_view resource) const {
  const Policy& policy = *caller.policy;
  PolicyContext context;
  std::vector<std::string> keys;
  std::vector<std::string_view> key_views;
  if (policy.Uses(ConditionKey::kLeadingKeys) && !table.empty()) {
    keys = LeadingKeysOf(touch, facts_.PartitionKeyOf(table, touch.index));
    key_views.assign(keys.begin(), keys.end());
    context.leading_keys = key_views;
  }
  std::optional<AttributeNames> attributes;
  if (policy.Uses(ConditionKey::kAttributes)) {
    attributes.emplace(touch);
    context.attributes = attributes->names();
  }
  context.select = touch.select;
  context.return_values = touch.return_values;
  context.return_consumed_capacity = touch.return_capacity;
  context.enclosing_operation = touch.enclosing_operation;
  context.full_table_scan = touch.full_table_scan;
  context.source_ip = caller.principal.address;
  context.now_ms = clock_.NowMs();
  context.secure_transport = caller.secure;
  context.username = caller.name;
  context.user_id = caller.principal.id;
  std::string arn;
  if (policy.Uses(ConditionKey::kPrincipalArn)) {
    arn = ArnOf(caller);
    context.principal_arn = arn;
  }
  context.principal_type = "User";
  context.principal_account = config_.account;
  context.requested_region = config_.region;
  const PolicyDecision decision =
      policy.Evaluate({.action = touch.action, .resource = resource, .context = context});
  if (decision.allowed()) {
    return OkStatus();
  }
  return Error(reasons::kDeniedByPolicy,
               DenialMessage(decision, ArnOf(caller), touch.action, resource));
}

std::string TableAccess::ArnOf(const TableCaller& caller) const {
  const bool root = caller.principal.kind == PrincipalKind::kRootKey;
  return root ? StrCat("arn:aws:iam::", config_.account, ":root")
              : StrCat("arn:aws:iam::", config_.account, ":user/", caller.name);
}

}  // namespace tintype::access
