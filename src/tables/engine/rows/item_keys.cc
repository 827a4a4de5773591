#include "tables/engine/rows/item_keys.h"

#include <algorithm>

#include "base/strings.h"
#include "tables/language/limits.h"

namespace tintype::tables::engine {
namespace {

bool IsEmptyText(ValueView value) {
  return value.type() != Type::kNumber && value.payload().empty();
}

std::string_view EmptyKind(ValueView value) {
  return value.type() == Type::kBinary ? "binary" : "string";
}

/// What wrote the item, which decides the words for a key that is empty.
enum class ItemOf { kPut, kUpdate };

Error KeyDoesNotMatch() {
  return Error::Validation("The provided key element does not match the schema");
}

Status CheckNotEmpty(std::string_view name, ValueView value) {
  if (IsEmptyText(value)) {
    return Error::Validation(
        StrCat("One or more parameter values are not valid. The AttributeValue for a key attribute "
               "cannot contain an empty ",
               EmptyKind(value), " value. Key: ", name));
  }
  return OkStatus();
}

bool IsTooLong(ValueView value, bool is_hash) {
  return value.type() != Type::kNumber &&
         value.payload().size() > (is_hash ? limits::kHashKeyBytes : limits::kRangeKeyBytes);
}

Status CheckKeySize(ValueView value, bool is_hash) {
  if (!IsTooLong(value, is_hash)) {
    return OkStatus();
  }
  return Error::Validation(
      is_hash ? StrCat("One or more parameter values were invalid: Size of hashkey has exceeded "
                       "the maximum size limit of",
                       limits::kHashKeyBytes, " bytes")
              : StrCat("One or more parameter values were invalid: Aggregated size of all range "
                       "keys has exceeded the size limit of ",
                       limits::kRangeKeyBytes, " bytes"));
}

std::string EncodeTableKey(const TableInfo& table, ValueView hash,
                           const std::optional<ValueView>& range) {
  std::string components;
  AppendKeyComponent(components, hash);
  std::string key;
  key.reserve(kKeyPrefixBytes + kPartitionHashBytes + components.size() + 24);
  AppendPartitionPrefix(key, table.id, kTableItself, components);
  if (range) {
    AppendKeyComponent(key, *range);
  }
  return key;
}

Result<ValueView> FindItemKeyValue(const KeyAttribute& attribute, MapView item, bool is_hash) {
  const std::optional<ValueView> value = item.Find(attribute.name);
  if (!value) {
    return Error::Validation(StrCat("One or more parameter values were invalid: Missing the key ",
                                    attribute.name, " in the item"));
  }
  if (value->type() != attribute.type) {
    return Error::Validation(
        StrCat("One or more parameter values were invalid: Type mismatch for key ", attribute.name,
               " expected: ", TypeName(attribute.type), " actual: ", TypeName(value->type())));
  }
  RETURN_IF_ERROR(CheckTableKeyValue(attribute.name, *value, is_hash));
  return *value;
}

Error EmptyIndexKey(const IndexInfo& index, const KeyAttribute& attribute, ValueView value,
                    ItemOf which) {
  constexpr std::string_view kNotValid = "One or more parameter values are not valid. ";
  const std::string is_empty =
      StrCat("The AttributeValue for a key attribute cannot contain an empty ", EmptyKind(value),
             " value.");
  if (which == ItemOf::kUpdate) {
    return Error::Validation(
        StrCat(kNotValid,
               "The update expression attempted to update a secondary index key to a value that is "
               "not supported. ",
               is_empty));
  }
  return Error::Validation(
      StrCat(kNotValid, "A value specified for a secondary index key is not supported. ", is_empty,
             " IndexName: ", index.definition.name, ", IndexKey: ", attribute.name));
}

Status CheckIndexKeyValue(const IndexInfo& index, const KeyAttribute& attribute, ValueView value,
                          bool is_hash, ItemOf which) {
  const std::string& index_name = index.definition.name;
  if (value.type() != attribute.type) {
    return Error::Validation(
        StrCat("One or more parameter values were invalid: Type mismatch for Index Key ",
               attribute.name, " Expected: ", TypeName(attribute.type),
               " Actual: ", TypeName(value.type()), " IndexName: ", index_name));
  }
  if (IsEmptyText(value)) {
    return EmptyIndexKey(index, attribute, value, which);
  }
  return CheckKeySize(value, is_hash);
}

Status CheckChangedIndexKeys(const TableInfo& table, MapView item, MapView before, ItemOf which) {
  for (const IndexInfo& index : table.indexes) {
    const auto check = [&](const std::vector<KeyAttribute>& attributes, bool is_hash) -> Status {
      for (const KeyAttribute& attribute : attributes) {
        const std::optional<ValueView> value = item.Find(attribute.name);
        if (value && value != before.Find(attribute.name)) {
          RETURN_IF_ERROR(CheckIndexKeyValue(index, attribute, *value, is_hash, which));
        }
      }
      return OkStatus();
    };
    RETURN_IF_ERROR(check(index.hash, true));
    RETURN_IF_ERROR(check(index.range, false));
  }
  return OkStatus();
}

}  // namespace

void AppendPartitionPrefix(std::string& out, TableId table, IndexId index,
                           std::string_view hash_components) {
  AppendKeyPrefix(out, table, index);
  AppendBigEndian16(out, PartitionHash(hash_components));
  out.append(hash_components);
}

Status CheckTableKeyValue(std::string_view name, ValueView value, bool is_hash) {
  RETURN_IF_ERROR(CheckNotEmpty(name, value));
  return CheckKeySize(value, is_hash);
}

Result<std::string> EncodeRequestKey(const TableInfo& table, MapView key) {
  const std::optional<ValueView> hash = key.Find(table.hash.name);
  std::optional<ValueView> range;
  if (table.range) {
    range = key.Find(table.range->name);
  }
  if (key.size() != (table.range ? 2U : 1U) || !hash || hash->type() != table.hash.type ||
      (table.range && (!range || range->type() != table.range->type))) {
    return KeyDoesNotMatch();
  }
  RETURN_IF_ERROR(CheckTableKeyValue(table.hash.name, *hash, true));
  if (range) {
    RETURN_IF_ERROR(CheckTableKeyValue(table.range->name, *range, false));
  }
  return EncodeTableKey(table, *hash, range);
}

Result<std::string> EncodeItemKey(const TableInfo& table, MapView item) {
  ASSIGN_OR_RETURN(const ValueView hash, FindItemKeyValue(table.hash, item, true));
  std::optional<ValueView> range;
  if (table.range) {
    ASSIGN_OR_RETURN(range, FindItemKeyValue(*table.range, item, false));
  }
  RETURN_IF_ERROR(CheckIndexKeys(table, item));
  return EncodeTableKey(table, hash, range);
}

Status CheckIndexKeys(const TableInfo& table, MapView item) {
  return CheckChangedIndexKeys(table, item, MapView(), ItemOf::kPut);
}

Status CheckUpdatedIndexKeys(const TableInfo& table, MapView item, MapView before) {
  return CheckChangedIndexKeys(table, item, before, ItemOf::kUpdate);
}

Status CheckKeysNotEmpty(const TableInfo& table, MapView attributes) {
  for (const std::string& name : table.definition.keys.All()) {
    const std::optional<ValueView> value = attributes.Find(name);
    if (value && (value->type() == Type::kString || value->type() == Type::kBinary)) {
      RETURN_IF_ERROR(CheckNotEmpty(name, *value));
    }
  }
  return OkStatus();
}

Status CheckHasKeys(const TableInfo& table, MapView item) {
  for (const std::string& name : table.definition.keys.All()) {
    const std::optional<ValueView> value = item.Find(name);
    if (!value || value->type() != table.AttributeType(name)) {
      return KeyDoesNotMatch();
    }
  }
  return OkStatus();
}

Status CheckKeyPath(const TableInfo& table, const Path& path) {
  if (path.is_top_level()) {
    return OkStatus();
  }
  const std::string& attribute = path.attribute();
  const bool table_key = table.definition.keys.Contains(attribute);
  const bool index_key = std::any_of(
      table.indexes.begin(), table.indexes.end(),
      [&](const IndexInfo& index) { return index.definition.keys.Contains(attribute); });
  if (!table_key && !index_key) {
    return OkStatus();
  }
  return Error::Validation(
      StrCat("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
             "allowed: ",
             table_key ? "Key: " : "IndexKey: ", attribute));
}

Status CheckKeyPaths(const TableInfo& table, const std::optional<Condition>& condition) {
  Status status = OkStatus();
  if (condition) {
    condition->VisitPaths([&](const Path& path) {
      if (status.ok()) {
        status = CheckKeyPath(table, path);
      }
    });
  }
  return status;
}

Status CheckKeyPaths(const TableInfo& table, const std::optional<Projection>& projection) {
  return projection ? CheckKeyPaths(table, projection->paths()) : OkStatus();
}

std::optional<std::string> EncodeIndexEntryKey(const TableInfo& table, const IndexInfo& index,
                                               MapView item) {
  const auto append_all = [&](std::string& out, const std::vector<KeyAttribute>& attributes,
                              bool is_hash) {
    return std::all_of(attributes.begin(), attributes.end(), [&](const KeyAttribute& attribute) {
      const std::optional<ValueView> value = item.Find(attribute.name);
      if (!value || value->type() != attribute.type || IsEmptyText(*value) ||
          IsTooLong(*value, is_hash)) {
        return false;
      }
      AppendKeyComponent(out, *value);
      return true;
    });
  };
  std::string components;
  if (!append_all(components, index.hash, true)) {
    return std::nullopt;
  }
  std::string key;
  key.reserve(2 * components.size() + 128);
  AppendPartitionPrefix(key, table.id, index.id, components);
  const size_t after_hash = key.size();
  if (!append_all(key, index.range, false)) {
    return std::nullopt;
  }
  const std::optional<ValueView> hash = item.Find(table.hash.name);
  CHECK(hash);
  AppendKeyComponent(key, *hash);
  if (table.range) {
    const std::optional<ValueView> range = item.Find(table.range->name);
    CHECK(range);
    AppendKeyComponent(key, *range);
  }
  if (index.descending()) {
    InvertBytes(key, after_hash);
  }
  return key;
}

std::string ProjectForIndex(const IndexInfo& index, MapView item) {
  if (index.projects_all()) {
    return std::string(item.payload());
  }
  // Both sides are sorted by name, so one pass yields a canonical item.
  std::string out;
  ValueWriter writer(out);
  writer.OpenItem();
  auto name = index.projected.begin();
  for (const auto& [attribute, value] : item) {
    while (name != index.projected.end() && *name < attribute) {
      ++name;
    }
    if (name == index.projected.end()) {
      break;
    }
    if (*name == attribute) {
      writer.Name(attribute);
      writer.Encoded(value.encoded());
    }
  }
  writer.CloseItem();
  return out;
}

}  // namespace tintype::tables::engine
