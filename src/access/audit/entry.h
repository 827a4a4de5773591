#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "access/principal.h"
#include "base/result.h"

namespace tintype::access::audit {

enum class Outcome {
  kDone,
  kDenied,  ///< Refused: wrong credentials, or no right to do it.
  kFailed,  ///< Allowed, but not done: it was not valid, not there, or something of ours failed.
};

/// `done`, `denied` or `failed`.
std::string_view NameOf(Outcome outcome);
std::optional<Outcome> OutcomeNamed(std::string_view name);

/// What whoever records something says of it. Texts over their limit are cut; none is required but
/// `kind`. No secret goes into an entry: no password, token or key, not even a wrong one.
struct Entry {
  /// One of audit_kinds.h.
  std::string kind;
  Outcome outcome = Outcome::kDone;
  /// Who did it, from which address.
  Principal principal;
  std::string request_id;
  /// What it was done to: an image, an account, a table, a key.
  std::string subject;
  /// A few more words about it, such as `reason` of a denial or `operation` of a control call.
  std::map<std::string, std::string> details;
  /// For how many occurrences it stands: more than one in a summary.
  int64_t count = 1;
};

// Limits of an entry, in bytes.
inline constexpr size_t kKindBytesMax = 64;
inline constexpr size_t kTextBytesMax = 512;
inline constexpr size_t kDetailsMax = 16;
inline constexpr size_t kDetailNameBytesMax = 64;
inline constexpr size_t kDetailBytesMax = 512;

/// The entry with every text within its limit and valid UTF-8, and no more details than there may
/// be.
Entry Trimmed(Entry entry);

/// An entry at its place in a chain.
struct Link {
  std::string chain;  // The node that wrote it.
  int64_t sequence = 0;
  int64_t time_ms = 0;
  /// By names alone: an entry is read back as it was written, also when this version does not know
  /// the kind of principal any more.
  struct Fields {
    std::string kind;
    std::string outcome;
    std::string principal_kind;
    std::string principal_id;
    std::string account_id;
    bool administrator = false;
    std::string address;
    std::string request_id;
    std::string subject;
    std::map<std::string, std::string> details;
    int64_t count = 1;
  } entry;
  std::string previous;  // The hash of the link before, in hexadecimal.
  std::string hash;      // SHA-256 of CanonicalBytes, in hexadecimal.
  std::string key_id;    // Which key the seal is made with.
  std::string seal;      // HMAC of the hash, in hexadecimal.
};

}  // namespace tintype::access::audit
