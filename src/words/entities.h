#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tintype::words {

/// Comprehend's types, as far as there are rules for them.
enum class EntityType { kDate, kLocation, kOrganization, kOther, kPerson, kQuantity };
std::string_view NameOf(EntityType type);

/// Something that a text names.
struct Entity {
  EntityType type = EntityType::kOther;
  std::string text;  ///< As it is there.
  /// How much the rule is to be relied on that found it, 0 to 1: the same for all that it finds. No
  /// probability.
  double score = 0;
  int64_t begin = 0;  ///< In Unicode characters.
  int64_t end = 0;

  bool operator==(const Entity&) const = default;
};

inline constexpr size_t kEntitiesMax = 2000;

/// What a text names, in the order of the text and each time that it does, the first kEntitiesMax
/// of them; no two share a character. By rules and lists, no statistics:
///
/// - OTHER: addresses of e-mail and of the web.
/// - DATE: in digits as ISO 8601 and as people write them; days and years with the names of months
///   in 19 languages; days of the week in seven; a year behind a word such as "in".
/// - QUANTITY: numbers with a unit, a percentage, or an amount of money.
/// - LOCATION: countries and the parts of some, from Debian's iso-codes, in 25 languages and as the
///   list has them: other grammatical cases of a name are not found, nor are cities.
/// - PERSON: a title ("Dr.", "Frau") with capitalised names behind it. Nobody without a title is
///   found, and nobody in scripts without capital letters.
/// - ORGANIZATION: capitalised words before the name of a legal form ("GmbH", "Inc."), or with one
///   such as "University of".
///
/// `language` is an ISO 639-1 code, or empty: some words are titles in one language alone. Takes
/// time and memory in proportion to the text, of which it looks at kTextBytesMax.
std::vector<Entity> FindEntities(std::string_view text, std::string_view language);

}  // namespace tintype::words
