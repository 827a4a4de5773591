#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/keys/access_key.h"
#include "access/policy/policy.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "tables/language/records.h"

namespace tintype::access {

struct AccessKeysConfig {
  /// What the policy `tables` keeps away from; names may have wildcards.
  std::vector<std::string> product_tables;
  size_t keys_max = 1000;
};

/// A key with its policy ready to decide. Immutable: a change makes another.
struct ReadyKey {
  AccessKey key;
  Policy policy;
};

/// The access keys that are kept beside the tables. All of them are in memory: one process has the
/// tables open, and changes go through here. Thread-safe. A change that was answered is durable.
class AccessKeys {
 public:
  /// Reads the keys. `records` and `clock` outlive it. Errors: kCorruption; kIo.
  static Result<std::unique_ptr<AccessKeys>> Open(AccessKeysConfig config, tables::Records& records,
                                                  const Clock& clock);

  /// Null when there is no such key. One that is disabled or has expired is found too.
  std::shared_ptr<const ReadyKey> Find(std::string_view id) const;

  /// All keys, by name and then from the oldest to the newest.
  std::vector<AccessKey> List() const;

  struct NewKey {
    std::string name;
    std::string policy = std::string(kTablesPolicy);
    std::string document;  // For kCustomPolicy.
    std::optional<int64_t> expires_ms;
  };
  /// Errors: kValidation for a name or a policy that cannot be one; kInUse when the name is taken;
  /// kLimitExceeded.
  Result<AccessKey> Create(const NewKey& described);

  /// Another id and secret with the name and the policy of an existing key. The old one is good for
  /// `overlap` longer. Errors: kNotFound.
  Result<AccessKey> Rotate(std::string_view name, std::chrono::milliseconds overlap);

  // By name or id: a name means the key and those that it has replaced. Each returns the ids that
  // are meant. Errors: kNotFound.
  Result<std::vector<std::string>> SetDisabled(std::string_view name_or_id, bool disabled);
  Result<std::vector<std::string>> Expire(std::string_view name_or_id, int64_t expires_ms);
  Result<std::vector<std::string>> SetPolicy(std::string_view name_or_id, std::string_view policy,
                                             std::string_view document);
  Result<std::vector<std::string>> Delete(std::string_view name_or_id);

 private:
  using Keys = std::map<std::string, std::shared_ptr<const ReadyKey>, std::less<>>;

  AccessKeys(AccessKeysConfig config, tables::Records& records, const Clock& clock)
      : config_(std::move(config)), records_(records), clock_(clock) {}

  /// Compiles the policy of a key. Errors: kValidation.
  Result<std::shared_ptr<const ReadyKey>> Prepare(AccessKey key) const;
  /// The keys that a name or id means. Errors: kNotFound.
  Result<std::vector<AccessKey>> Named(std::string_view name_or_id) const;
  /// Stores changed and new keys, then uses them.
  Status Store(const std::vector<AccessKey>& changed);
  template <typename Change>
  Result<std::vector<std::string>> ChangeNamed(std::string_view name_or_id, Change change);

  const AccessKeysConfig config_;
  tables::Records& records_;
  const Clock& clock_;
  /// Held while a change is stored, so that two of them see each other. Before `mutex_`.
  Mutex changing_;
  mutable Mutex mutex_;
  Keys keys_ GUARDED_BY(mutex_);
};

}  // namespace tintype::access
