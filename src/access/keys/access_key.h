#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::access {

/// An access key of the tables: what requests are signed with, and what they may do.
struct AccessKey {
  std::string id;      // 20 characters, as AWS has them.
  std::string name;    // What people call it, and policies `aws:username`.
  std::string secret;  // 40 characters.
  /// A policy that comes with the program (`admin`, `read-only`, `tables`), or `custom`.
  std::string policy;
  std::string document;  // Of a custom policy, its JSON.
  int64_t created_ms = 0;
  std::optional<int64_t> expires_ms;  // From then on it is refused.
  bool disabled = false;
  /// Rotated: another key of the same name has taken over, and this one expires.
  bool replaced = false;

  bool IsActive(int64_t now_ms) const { return !disabled && (!expires_ms || now_ms < *expires_ms); }
};

inline constexpr std::string_view kAdminPolicy = "admin";
inline constexpr std::string_view kReadOnlyPolicy = "read-only";
inline constexpr std::string_view kTablesPolicy = "tables";
inline constexpr std::string_view kCustomPolicy = "custom";

/// Random ones in the form of AWS's own.
std::string NewAccessKeyId();
std::string NewSecretAccessKey();

/// 1 to 128 letters, digits, `_`, `-` or `.`: a name also stands in profile files and ARNs. Errors:
/// kValidation.
Status CheckKeyName(std::string_view name);

/// A key as it is stored, and back. The id is the record's name. Errors: kCorruption.
std::string ToRecord(const AccessKey& key);
Result<AccessKey> KeyFromRecord(std::string_view id, std::string_view record);

}  // namespace tintype::access
