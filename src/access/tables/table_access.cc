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

/// The owner of the data directory, and the program itself: no policy is about them.
bool IsRoot(const TableCaller& caller) {
  return caller.principal.kind == PrincipalKind::kRootKey ||
         caller.principal.kind == PrincipalKind::kServer;
}

Error InvalidParameter(std::string_view what) {
  return Error::Validation(StrCat("One or more parameter values were invalid: ", what));
}

/// The policy that a request attaches to what has that ARN.
Result<Policy> ParseAttached(std::string_view document, std::string_view arn) {
  Result<Policy> policy = Policy::ParseForResource(document, arn);
  if (!policy.ok()) {
    return InvalidParameter(StrCat("Invalid policy document: ", policy.error().message()));
  }
  return policy;
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
  // Reads on the right-hand side count too: SET a = secret shows it.
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

Status TableAccess::Check(const TableCaller& caller,
                          const tables::CreateTableRequest& request) const {
  RETURN_IF_ERROR(
      VisitTouches(request, [&](const Touch& touch) { return CheckTouch(caller, touch); }));
  if (request.resource_policy) {
    RETURN_IF_ERROR(ParseAttached(*request.resource_policy, TableArn(request.definition.name)));
  }
  return OkStatus();
}

Status TableAccess::Check(const TableCaller& caller,
                          const tables::PutResourcePolicyRequest& request) const {
  Touch changing;
  RETURN_IF_ERROR(VisitTouches(request, [&](const Touch& touch) {
    changing = touch;
    return CheckTouch(caller, touch);
  }));
  if (!IsPolicyResource(request.arn)) {
    return OkStatus();  // The operation says what is wrong with it.
  }
  ASSIGN_OR_RETURN(const Policy policy, ParseAttached(request.document, request.arn));
  const bool changes_again =
      IsRoot(caller) ||
      CheckPolicies(caller, changing, TableOfArn(request.arn), request.arn, &policy).ok();
  if (!changes_again && !request.confirm_remove_self_access) {
    return InvalidParameter(
        "The policy takes from its sender the permission dynamodb:PutResourcePolicy, and so to "
        "change it again. If that is meant, set ConfirmRemoveSelfResourceAccess");
  }
  return OkStatus();
}

std::string TableAccess::TableArn(std::string_view table) const {
  return StrCat("arn:aws:dynamodb:", config_.region, ":", config_.account, ":table/", table);
}

std::optional<AttachedPolicy> TableAccess::AttachedTo(const Touch& touch,
                                                      std::string_view table) const {
  if (table.empty()) {
    return std::nullopt;
  }
  if (touch.arn.empty()) {
    return attached_.OfTable(table);
  }
  const size_t name_end = static_cast<size_t>(table.data() - touch.arn.data()) + table.size();
  const std::string_view rest = touch.arn.substr(name_end);
  if (rest.starts_with("/stream/")) {
    return attached_.OfStream(touch.arn);
  }
  // Backups, exports and imports have no policies.
  return rest.empty() ? attached_.OfTable(table) : std::nullopt;
}

Status TableAccess::CheckTouch(const TableCaller& caller, const Touch& touch) const {
  const std::string_view table =
      touch.arn.empty() ? tables::TableNameOf(touch.table) : TableOfArn(touch.arn);
  // Nothing that is attached can let the root key out, nor anybody but it in to a reserved table.
  std::optional<AttachedPolicy> attached;
  if (!IsRoot(caller)) {
    attached = AttachedTo(touch, table);
  }
  if (!caller.policy && !attached && !IsReserved(table)) {
    return OkStatus();
  }
  std::string resource = "*";
  if (!touch.arn.empty()) {
    resource = touch.arn;
  } else if (!table.empty()) {
    resource = TableArn(table);
    if (touch.index) {
      StrAppend(resource, "/index/", *touch.index);
    }
  }
  RETURN_IF_ERROR(CheckReserved(caller, touch, table, resource));
  if (attached && !attached->policy) {
    return Error(reasons::kDeniedByPolicy,
                 DenialMessage({.verdict = Verdict::kDeniedExplicitly}, PolicyKind::kResource,
                               ArnOf(caller), touch.action, resource));
  }
  if (!caller.policy && !attached) {
    return OkStatus();
  }
  return CheckPolicies(caller, touch, table, resource, attached ? &*attached->policy : nullptr);
}

Status TableAccess::CheckReserved(const TableCaller& caller, const Touch& touch,
                                  std::string_view table, std::string_view resource) const {
  const bool root = IsRoot(caller);
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

Status TableAccess::CheckPolicies(const TableCaller& caller, const Touch& touch,
                                  std::string_view table, std::string_view resource,
                                  const Policy* attached) const {
  const auto uses = [&](ConditionKey key) {
    return (caller.policy && caller.policy->Uses(key)) ||
           (attached != nullptr && attached->Uses(key));
  };
  PolicyContext context;
  std::vector<std::string> keys;
  std::vector<std::string_view> key_views;
  if (uses(ConditionKey::kLeadingKeys) && !table.empty()) {
    keys = LeadingKeysOf(touch, facts_.PartitionKeyOf(table, touch.index));
    key_views.assign(keys.begin(), keys.end());
    context.leading_keys = key_views;
  }
  std::optional<AttributeNames> attributes;
  if (uses(ConditionKey::kAttributes)) {
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
  context.user_agent = caller.user_agent;
  context.username = caller.name;
  context.user_id = caller.principal.id;
  std::string arn;
  if (uses(ConditionKey::kPrincipalArn)) {
    arn = ArnOf(caller);
    context.principal_arn = arn;
  }
  context.principal_type = "User";
  context.principal_account = config_.account;
  context.requested_region = config_.region;
  const PolicyRequest request{.action = touch.action, .resource = resource, .context = context};
  const auto denied = [&](const PolicyDecision& decision, PolicyKind kind) {
    return Error(reasons::kDeniedByPolicy,
                 DenialMessage(decision, kind, ArnOf(caller), touch.action, resource));
  };
  // A key from before there were policies may do everything that nothing denies.
  const PolicyDecision own = caller.policy ? caller.policy->Evaluate(request)
                                           : PolicyDecision{.verdict = Verdict::kAllowed};
  if (own.verdict == Verdict::kDeniedExplicitly) {
    return denied(own, PolicyKind::kIdentity);
  }
  const PolicyDecision theirs =
      attached != nullptr ? attached->Evaluate(request) : PolicyDecision{};
  if (theirs.verdict == Verdict::kDeniedExplicitly) {
    return denied(theirs, PolicyKind::kResource);
  }
  return own.allowed() || theirs.allowed() ? OkStatus()
                                           : Status(denied(own, PolicyKind::kIdentity));
}

std::string TableAccess::ArnOf(const TableCaller& caller) const {
  const bool root = caller.principal.kind == PrincipalKind::kRootKey;
  return root ? StrCat("arn:aws:iam::", config_.account, ":root")
              : StrCat("arn:aws:iam::", config_.account, ":user/", caller.name);
}

}  // namespace tintype::access
