#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "access/audit/chain.h"
#include "base/result.h"
#include "tables/language/values/value.h"

/// Links, heads and bases as items of the audit's table (docs/formats/audit.md).
namespace tintype::access::audit {

// Attributes that requests name.
inline constexpr std::string_view kChainAttribute = "chain";
inline constexpr std::string_view kSequenceAttribute = "sequence";
inline constexpr std::string_view kTimeAttribute = "time";
inline constexpr std::string_view kHashAttribute = "hash";

/// Links by time, for each chain. Heads and bases have none, so they are not in it.
inline constexpr const char* kTimeIndex = "by-time";

/// The chain whose items name all others: no node has such a name.
inline constexpr std::string_view kRegister = "#chains";

/// A link's number as its range key: as many digits as the largest has, so that texts sort as the
/// numbers do.
std::string SequenceText(int64_t sequence);

tables::Item LinkKey(std::string_view chain, int64_t sequence);
tables::Item HeadKey(std::string_view chain);
tables::Item BaseKey(std::string_view chain);

tables::Item LinkItem(const Link& link);
/// Errors: kCorruption for what is no link.
Result<Link> ReadLink(const tables::Item& item);

/// A head or a base with its seal.
struct Mark {
  Head place;
  std::string key_id;
  std::string seal;
};
tables::Item HeadItem(std::string_view chain, const Head& head, const Sealer& sealer);
tables::Item BaseItem(std::string_view chain, const Base& base, const Sealer& sealer);
/// Nothing for what is neither.
std::optional<Mark> ReadMark(const tables::Item& item);

tables::Item RegisterItem(std::string_view chain);

}  // namespace tintype::access::audit
