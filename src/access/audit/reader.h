#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/audit/entry.h"
#include "base/result.h"

namespace tintype::tables {
class Database;
}  // namespace tintype::tables

namespace tintype::access::audit {

/// Which entries are wanted. An empty or absent field lets all through.
struct Filter {
  std::optional<int64_t> since_ms;  // Inclusive.
  std::optional<int64_t> until_ms;  // Exclusive.
  /// A kind, or what is before its dot: `image` is all kinds that begin with `image.`.
  std::string kind;
  std::string principal;  // The principal's id, or its kind.
  std::string account;    // Who acted or what it was done to.
  std::string address;
  std::string outcome;
  std::string subject;
  std::string request_id;

  bool Passes(const Link& link) const;
};

/// Entries of all chains, newest first.
struct Page {
  std::vector<Link> links;
  /// Where the list goes on; absent at its end. A page may have few entries or none and still go
  /// on: it looks at no more than kExaminedMax.
  std::optional<std::string> next;
};

/// How far each chain was read.
using Positions = std::map<std::string, int64_t>;

/// What has been written since, in the order of time.
struct News {
  std::vector<Link> links;
  Positions positions;
};

/// Entries that one call looks at, whatever the filter lets through.
inline constexpr int64_t kExaminedMax = 20'000;

/// Reads the audit of a table. Shows entries as they are stored: whether they are genuine is for
/// verify.h. Thread-safe; the database outlives it.
class AuditReader {
 public:
  AuditReader(std::string table, tables::Database& database)
      : table_(std::move(table)), database_(database) {}

  /// At most `limit` entries before `after`, which is a Page's `next`. Errors: kValidation for an
  /// `after` that no page gave out; what the tables say.
  Result<Page> List(const Filter& filter, int64_t limit, const std::string& after);

  /// Where all chains end now.
  Result<Positions> Ends();

  /// What was written behind the positions, at most about `limit` of each chain.
  Result<News> ListAfter(const Filter& filter, const Positions& positions, int64_t limit);

 private:
  const std::string table_;
  tables::Database& database_;
};

/// Positions as a text and back. Errors: kValidation.
std::string PositionsText(const Positions& positions);
Result<Positions> ParsePositions(std::string_view text);

}  // namespace tintype::access::audit
