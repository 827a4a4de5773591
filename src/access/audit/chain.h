#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "access/audit/entry.h"
#include "crypto/hmac_key.h"

/// The links of a chain: what is hashed and what is sealed (docs/formats/audit.md).
namespace tintype::access::audit {

/// How far a chain goes: the last link's number and hash. The first link follows number 0.
struct Head {
  int64_t sequence = 0;
  std::string hash = std::string(64, '0');

  bool operator==(const Head&) const = default;
};

/// Where a chain begins, once its start was trimmed: the first link that is kept follows `last`,
/// which was removed.
using Base = Head;

/// Makes and checks seals: HMACs that only who has the server's secret can make. Thread-safe.
class Sealer {
 public:
  /// REQUIRES: 32 bytes.
  explicit Sealer(std::string_view key);

  /// Tells keys apart, without telling anything of them.
  const std::string& key_id() const { return key_id_; }

  std::string OfLink(std::string_view hash) const;
  std::string OfHead(std::string_view chain, const Head& head) const;
  std::string OfBase(std::string_view chain, const Base& base) const;

 private:
  std::string Seal(std::string_view what, std::string_view text) const;

  const crypto::HmacKey key_;
  const std::string key_id_;
};

/// What the hash of a link is made of: everything in it but hash, key and seal.
std::string CanonicalBytes(const Link& link);

/// The entry as the link after `head`, hashed and sealed.
Link MakeLink(const std::string& chain, const Head& head, int64_t time_ms, const Entry& entry,
              const Sealer& sealer);

/// What is wrong with a link that should follow `head`; nothing if it is as it was written.
std::optional<std::string> FindFault(const Link& link, const Head& head, const Sealer& sealer);

inline Head HeadOf(const Link& link) { return {link.sequence, link.hash}; }

}  // namespace tintype::access::audit
