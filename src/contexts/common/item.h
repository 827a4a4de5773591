#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/language/values/value.h"

namespace tintype::contexts {

/// Builds an item attribute by attribute. Leaves out absent and empty values where a document calls
/// an attribute optional, so that "attribute_not_exists" means what a reader thinks.
///
///   Item item = ItemBuilder().Text("PK", "IMAGE#1").Integer("version", 1).Build();
class ItemBuilder {
 public:
  ItemBuilder& Text(std::string_view name, std::string_view text);
  ItemBuilder& Integer(std::string_view name, int64_t number);
  // Nothing when there is none.
  ItemBuilder& MaybeText(std::string_view name, const std::optional<std::string>& text);
  ItemBuilder& MaybeInteger(std::string_view name, const std::optional<int64_t>& number);
  /// See DecimalValue.
  ItemBuilder& Decimal(std::string_view name, double number);
  ItemBuilder& Bool(std::string_view name, bool value);
  ItemBuilder& TextList(std::string_view name, const std::vector<std::string>& texts);
  ItemBuilder& Map(std::string_view name, const tables::Item& map);
  ItemBuilder& Value(std::string_view name, tables::Value value);

  tables::Item Build() { return tables::Item::Of(std::move(entries_)); }

 private:
  std::vector<std::pair<std::string, tables::Value>> entries_;
};

/// A number with at most six decimals, as documents have ratios and confidences. One that is not
/// finite becomes 0.
tables::Value DecimalValue(double number);
tables::Value TextListValue(const std::vector<std::string>& texts);

/// Reads attributes of an item that anyone with the right key may have written: one that is
/// missing, or has another type than documented, reads as absent. A view: valid while the item is.
/// Not thread-safe: it remembers where it is. Attributes are stored in the order of their names, so
/// reading many of them in that order passes over the item once.
class ItemReader {
 public:
  explicit ItemReader(const tables::Item& item) : ItemReader(item.view()) {}
  explicit ItemReader(tables::MapView map) : map_(map), rest_(map.payload()) {}

  bool Has(std::string_view name) const { return Find(name).has_value(); }
  /// Empty when absent.
  std::string Text(std::string_view name) const { return OptionalText(name).value_or(""); }
  std::optional<std::string> OptionalText(std::string_view name) const;
  /// Nothing if it is not a whole number of 64 bits either.
  std::optional<int64_t> OptionalInteger(std::string_view name) const;
  int64_t Integer(std::string_view name, int64_t otherwise = 0) const {
    return OptionalInteger(name).value_or(otherwise);
  }
  double Decimal(std::string_view name, double otherwise = 0) const;
  bool Bool(std::string_view name, bool otherwise = false) const;
  /// Lists and string sets; members that are no strings are left out.
  std::vector<std::string> TextList(std::string_view name) const;
  /// Reads as empty when absent.
  ItemReader Map(std::string_view name) const;

  tables::MapView view() const { return map_; }

 private:
  std::optional<tables::ValueView> Find(std::string_view name) const;

  tables::MapView map_;
  // The last attribute that Find went past, and what comes after it.
  mutable std::string_view passed_;
  mutable std::string_view rest_;
};

}  // namespace tintype::contexts
