// Expressions of all five kinds: text that parses is then put to an item, and what comes out is
// checked against what the expression's paths say. Input: a letter for the kind and the expression
// in one line; all after it makes the item.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "input.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/internal/test_values.h"

namespace tintype::tables {
namespace {

using internal::TestPlaceholders;

// Names and values for every placeholder that a corpus is likely to use.
Placeholders MakePlaceholders() {
  static const Placeholders all = TestPlaceholders(
      "{#a: 'a', #b: 'b', #c: 'c.d', #d: 'with space', #e: 'h', $n: 1, $m: -2.5, $s: 'abc', "
      "$p: 'a', $b: b'abc', $t: true, $z: null, $l: [1, 'a', [true]], $d: {a: 1, b: {c: 'x'}}, "
      "$ss: <'a', 'b'>, $ns: <1, 2>, $bs: <b'a', b'b'>, $y: 'S', $big: 1e125, $tiny: 1e-130}");
  return all;
}

bool HasIndex(const Path& path) {
  return std::ranges::any_of(path.steps, [](const PathStep& step) { return step.is_index; });
}

template <typename T>
bool Refused(const Result<T>& result, std::string_view label) {
  if (result.ok()) {
    return false;
  }
  CHECK(result.error().kind() == ErrorKind::kValidation);
  CHECK(result.error().message().find(label) != std::string::npos);
  return true;
}

void CheckCondition(std::string_view text, const Item& item) {
  Placeholders placeholders = MakePlaceholders();
  const Result<Condition> condition = ParseConditionExpression(text, placeholders);
  const Result<Condition> filter = ParseFilterExpression(text, placeholders);
  CHECK(condition.ok() == filter.ok());
  if (Refused(condition, "ConditionExpression")) {
    CHECK(Refused(filter, "FilterExpression"));
    return;
  }
  const bool holds = condition->Holds(item.view());
  CHECK(filter->Holds(item.view()) == holds);
  condition->Holds(MapView());
  // The other way round, unless the longer text breaks a limit.
  const Result<Condition> negated =
      ParseConditionExpression(StrCat("NOT (", text, ")"), placeholders);
  if (negated.ok()) {
    CHECK(negated->Holds(item.view()) == !holds);
  }
  const Result<Condition> spaced = ParseConditionExpression(StrCat(" ", text, "\n"), placeholders);
  CHECK(!spaced.ok() || spaced->Holds(item.view()) == holds);
}

void CheckProjection(std::string_view text, const Item& item) {
  Placeholders placeholders = MakePlaceholders();
  const Result<Projection> projection = ParseProjectionExpression(text, placeholders);
  if (Refused(projection, "ProjectionExpression")) {
    return;
  }
  const Item shown = projection->Apply(item.view());
  CHECK(CheckEncodedItem(shown.payload()).ok());
  CHECK(ItemSizeBytes(shown.view()) <= ItemSizeBytes(item.view()));
  bool by_name = true;
  for (const Path& path : projection->paths()) {
    // List members move up, so that only paths by name lead to the same place.
    by_name = by_name && !HasIndex(path);
    CHECK(HasIndex(path) || path.Find(shown.view()) == path.Find(item.view()));
  }
  CHECK(!by_name || projection->Apply(shown.view()) == shown);
  CHECK(projection->Apply(MapView()).empty());
}

void CheckUpdate(std::string_view text, const Item& item) {
  Placeholders placeholders = MakePlaceholders();
  const Result<Update> update = ParseUpdateExpression(text, placeholders);
  if (Refused(update, "UpdateExpression")) {
    return;
  }
  CHECK(!update->empty());
  const Item key = Item::Of({{"h", Value::String("key")}});
  for (const Item& old : {item, Item()}) {
    const Result<Item> updated = update->Apply(old.view(), key.view());
    if (!updated.ok()) {
      CHECK(updated.error().kind() == ErrorKind::kValidation);
      continue;
    }
    CHECK(CheckEncodedItem(updated->payload()).ok());
    std::set<std::string_view> written;
    const std::vector<Path> paths = update->WrittenPaths();
    for (const Path& path : paths) {
      written.insert(path.attribute());
    }
    const Item& before = old.empty() ? key : old;
    for (const auto& [name, value] : before.view()) {
      CHECK(written.contains(name) || updated->Find(name) == value);
    }
    for (const auto& [name, value] : updated->view()) {
      CHECK(written.contains(name) || before.Find(name) == value);
    }
    for (const Update::Set& set : update->sets) {
      CHECK(HasIndex(set.path) || set.path.Find(updated->view()));
      if (set.value.kind == UpdateOperand::Kind::kValue && !HasIndex(set.path)) {
        CHECK(*set.path.Find(updated->view()) == set.value.value->view());
      }
    }
    for (const Path& path : update->removes) {
      CHECK(HasIndex(path) || !path.Find(updated->view()));
    }
  }
}

void CheckKeyCondition(std::string_view text) {
  Placeholders placeholders = MakePlaceholders();
  const Result<KeyCondition> condition = ParseKeyConditionExpression(text, placeholders);
  if (Refused(condition, "KeyConditionExpression")) {
    return;
  }
  CHECK(!condition->terms.empty());
  std::set<std::string_view> attributes;
  for (const KeyCondition::Term& term : condition->terms) {
    CHECK(attributes.insert(term.attribute).second);
    CHECK(term.values.size() == (term.op == KeyCondition::Operator::kBetween ? 2 : 1));
  }
}

}  // namespace
}  // namespace tintype::tables

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tintype::tables;
  tintype::fuzz::Input input(data, size);
  const uint8_t kind = input.Byte();
  const std::string text(input.Line());
  const Item item = tintype::fuzz::MakeItem(input);
  switch (kind) {
    case 'C':
      CheckCondition(text, item);
      break;
    case 'P':
      CheckProjection(text, item);
      break;
    case 'U':
      CheckUpdate(text, item);
      break;
    case 'K':
      CheckKeyCondition(text);
      break;
    default:
      break;
  }
  return 0;
}
