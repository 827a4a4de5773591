#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/common/transaction.h"
#include "tables/language/database.h"

/// What was granted and what is left of it, for those who recount upload limits. An item of the
/// table tintype keeps what a user was granted at the beginning: the document's own item has what
/// is left, and nothing else.
namespace tintype::contexts::people {

/// What is left, by the item of the table sparks.
struct LimitRecord {
  std::string email;
  std::optional<int64_t> left;  // Nothing for what is no whole number.
  /// Somebody has set it since the user was added, so the number granted then says nothing any
  /// more.
  bool was_set = false;

  bool operator==(const LimitRecord&) const = default;
};

/// The limits in one page of the table sparks, and whose its images are: an email for each image.
struct LimitsPage {
  std::vector<LimitRecord> limits;
  std::vector<std::string> uploaders;
  std::optional<tables::Item> last_evaluated_key;
};
Result<LimitsPage> ListLimits(tables::Database& database, const std::optional<tables::Item>& after);

/// Nothing for users from before it was kept.
Result<std::optional<int64_t>> FindGrant(tables::Database& database, std::string_view email);
Piece RecordGrant(std::string_view email, int64_t limit);
Piece RemoveGrant(std::string_view email);

}  // namespace tintype::contexts::people
