#include "access/keys/access_keys.h"

#include <algorithm>
#include <utility>

#include "access/policy/builtin_policies.h"
#include "base/strings.h"
#include "tables/language/await.h"

namespace tintype::access {
namespace {

constexpr std::string_view kPrefix = "access-key/";

Status Write(tables::Records& records, tables::ChangeRecordsRequest request) {
  RETURN_IF_ERROR(
      tables::Await<tables::Records>(records, &tables::Records::ChangeRecords, std::move(request)));
  return OkStatus();
}

std::vector<std::string> IdsOf(const std::vector<AccessKey>& keys) {
  std::vector<std::string> ids;
  ids.reserve(keys.size());
  for (const AccessKey& key : keys) {
    ids.push_back(key.id);
  }
  return ids;
}

}  // namespace

Result<std::unique_ptr<AccessKeys>> AccessKeys::Open(AccessKeysConfig config,
                                                     tables::Records& records, const Clock& clock) {
  std::unique_ptr<AccessKeys> keys(new AccessKeys(std::move(config), records, clock));
  ASSIGN_OR_RETURN(const auto stored, records.ReadRecords(kPrefix));
  Keys ready;
  for (const auto& [name, record] : stored) {
    const std::string id = name.substr(kPrefix.size());
    ASSIGN_OR_RETURN(AccessKey key, KeyFromRecord(id, record));
    ASSIGN_OR_RETURN(ready[id], keys->Prepare(std::move(key)));
  }
  const MutexLock lock(keys->mutex_);
  keys->keys_ = std::move(ready);
  return keys;
}

Result<std::shared_ptr<const ReadyKey>> AccessKeys::Prepare(AccessKey key) const {
  std::string document;
  if (key.policy == kAdminPolicy) {
    document = AdminPolicyDocument();
  } else if (key.policy == kReadOnlyPolicy) {
    document = ReadOnlyPolicyDocument();
  } else if (key.policy == kTablesPolicy) {
    ASSIGN_OR_RETURN(document, TablesPolicyDocument(config_.product_tables));
  } else if (key.policy == kCustomPolicy) {
    document = key.document;
  } else {
    return Error::Validation(StrCat("There is no policy '", key.policy, "'; '", kAdminPolicy,
                                    "', '", kReadOnlyPolicy, "' and '", kTablesPolicy,
                                    "' come with the program"));
  }
  ASSIGN_OR_RETURN(Policy policy, Policy::Parse(document));
  return std::make_shared<const ReadyKey>(ReadyKey{std::move(key), std::move(policy)});
}

std::shared_ptr<const ReadyKey> AccessKeys::Find(std::string_view id) const {
  const MutexLock lock(mutex_);
  const auto found = keys_.find(id);
  return found == keys_.end() ? nullptr : found->second;
}

std::vector<AccessKey> AccessKeys::List() const {
  std::vector<AccessKey> listed;
  {
    const MutexLock lock(mutex_);
    for (const auto& [id, ready] : keys_) {
      listed.push_back(ready->key);
    }
  }
  std::ranges::sort(listed, [](const AccessKey& a, const AccessKey& b) {
    return std::tie(a.name, a.created_ms, a.id) < std::tie(b.name, b.created_ms, b.id);
  });
  return listed;
}

Result<std::vector<AccessKey>> AccessKeys::Named(std::string_view name_or_id) const {
  std::vector<AccessKey> meant = List();
  std::erase_if(
      meant, [&](const AccessKey& key) { return key.name != name_or_id && key.id != name_or_id; });
  if (meant.empty()) {
    return Error::NotFound(StrCat("There is no access key '", name_or_id, "'"));
  }
  return meant;
}

Status AccessKeys::Store(const std::vector<AccessKey>& changed) {
  std::vector<std::shared_ptr<const ReadyKey>> ready;
  tables::ChangeRecordsRequest request;
  for (const AccessKey& key : changed) {
    ASSIGN_OR_RETURN(auto prepared, Prepare(key));
    ready.push_back(std::move(prepared));
    request.puts[StrCat(kPrefix, key.id)] = ToRecord(key);
  }
  RETURN_IF_ERROR(Write(records_, std::move(request)));
  const MutexLock lock(mutex_);
  for (auto& each : ready) {
    keys_[each->key.id] = std::move(each);
  }
  return OkStatus();
}

Result<AccessKey> AccessKeys::Create(const NewKey& described) {
  RETURN_IF_ERROR(CheckKeyName(described.name));
  const MutexLock changing(changing_);
  const std::vector<AccessKey> listed = List();
  if (std::ranges::any_of(listed,
                          [&](const AccessKey& key) { return key.name == described.name; })) {
    return Error::InUse(StrCat("There is already an access key '", described.name,
                               "'; 'tintype keys rotate' gives it another secret"));
  }
  if (listed.size() >= config_.keys_max) {
    return Error::LimitExceeded(
        StrCat("There are ", listed.size(), " access keys, which is as many as there can be"));
  }
  AccessKey key;
  key.id = NewAccessKeyId();
  key.name = described.name;
  key.secret = NewSecretAccessKey();
  key.policy = described.policy;
  key.document = described.document;
  key.created_ms = clock_.NowMs();
  key.expires_ms = described.expires_ms;
  RETURN_IF_ERROR(Store({key}));
  return key;
}

Result<AccessKey> AccessKeys::Rotate(std::string_view name, std::chrono::milliseconds overlap) {
  const MutexLock changing(changing_);
  ASSIGN_OR_RETURN(std::vector<AccessKey> meant, Named(name));
  std::erase_if(meant, [](const AccessKey& key) { return key.replaced; });
  if (meant.empty()) {
    return Error::NotFound(StrCat("The access key '", name, "' has been replaced already"));
  }
  AccessKey& old = meant.back();
  AccessKey key = old;
  key.id = NewAccessKeyId();
  key.secret = NewSecretAccessKey();
  key.created_ms = clock_.NowMs();
  const int64_t ends_ms = key.created_ms + overlap.count();
  old.replaced = true;
  old.expires_ms = std::min(old.expires_ms.value_or(ends_ms), ends_ms);
  RETURN_IF_ERROR(Store({old, key}));
  return key;
}

template <typename Change>
Result<std::vector<std::string>> AccessKeys::ChangeNamed(std::string_view name_or_id,
                                                         Change change) {
  const MutexLock changing(changing_);
  ASSIGN_OR_RETURN(std::vector<AccessKey> meant, Named(name_or_id));
  std::ranges::for_each(meant, change);
  RETURN_IF_ERROR(Store(meant));
  return IdsOf(meant);
}

Result<std::vector<std::string>> AccessKeys::SetDisabled(std::string_view name_or_id,
                                                         bool disabled) {
  return ChangeNamed(name_or_id, [&](AccessKey& key) { key.disabled = disabled; });
}

Result<std::vector<std::string>> AccessKeys::Expire(std::string_view name_or_id,
                                                    int64_t expires_ms) {
  // A key that was replaced ends no later for it.
  return ChangeNamed(name_or_id, [&](AccessKey& key) {
    key.expires_ms =
        key.replaced ? std::min(key.expires_ms.value_or(expires_ms), expires_ms) : expires_ms;
  });
}

Result<std::vector<std::string>> AccessKeys::SetPolicy(std::string_view name_or_id,
                                                       std::string_view policy,
                                                       std::string_view document) {
  return ChangeNamed(name_or_id, [&](AccessKey& key) {
    key.policy = policy;
    key.document = document;
  });
}

Result<std::vector<std::string>> AccessKeys::Delete(std::string_view name_or_id) {
  const MutexLock changing(changing_);
  ASSIGN_OR_RETURN(const std::vector<AccessKey> meant, Named(name_or_id));
  tables::ChangeRecordsRequest request;
  for (const AccessKey& key : meant) {
    request.removals.push_back(StrCat(kPrefix, key.id));
  }
  RETURN_IF_ERROR(Write(records_, std::move(request)));
  const MutexLock lock(mutex_);
  for (const AccessKey& key : meant) {
    keys_.erase(key.id);
  }
  return IdsOf(meant);
}

}  // namespace tintype::access
