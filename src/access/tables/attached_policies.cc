#include "access/tables/attached_policies.h"

#include <utility>

#include "base/logging.h"
#include "base/strings.h"

namespace tintype::access {

std::optional<AttachedPolicy> AttachedPolicies::OfTable(std::string_view table) const {
  auto source = facts_.PolicyOfTable(table);
  return source == nullptr ? std::nullopt
                           : std::optional(Prepare(std::move(source), StrCat(table_arns_, table)));
}

std::optional<AttachedPolicy> AttachedPolicies::OfStream(std::string_view arn) const {
  auto source = facts_.PolicyOfStream(arn);
  return source == nullptr ? std::nullopt
                           : std::optional(Prepare(std::move(source), std::string(arn)));
}

AttachedPolicy AttachedPolicies::Prepare(std::shared_ptr<const tables::ResourcePolicy> source,
                                         const std::string& arn) const {
  // As long as it is attached, a policy is the same object, and what is kept here keeps it from
  // being another one at the same address.
  if (auto known = compiled_.Find(arn); known && known->source == source) {
    return *std::move(known);
  }
  AttachedPolicy attached{.source = std::move(source), .policy = std::nullopt};
  Result<Policy> policy = Policy::ParseForResource(attached.source->document, arn);
  if (policy.ok()) {
    attached.policy = *std::move(policy);
  } else {
    // With another `--region` than it was attached with, the ARNs in it are of other tables.
    WarnOnce(arn, policy.error());
  }
  compiled_.Add(arn, attached);
  return attached;
}

void AttachedPolicies::WarnOnce(const std::string& arn, const Error& error) const {
  const MutexLock lock(mutex_);
  if (unreadable_.insert(arn).second) {
    LogWarning("the policy of a table or stream cannot be read, and so lets nobody in",
               {{"arn", arn}, {"reason", error.message()}});
  }
}

}  // namespace tintype::access
