#include "contexts/system/schema.h"

#include <string>
#include <string_view>

#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"

namespace tintype::contexts::system {
namespace {

constexpr std::string_view kSchema = "SCHEMA";
constexpr std::string_view kVersion = "version";

tables::Item SchemaKey() { return ItemBuilder().Text("PK", kSchema).Text("SK", kSchema).Build(); }

tables::Condition VersionIs(int64_t version) {
  if (version == 0) {
    return ConditionOf("attribute_not_exists(PK)", {});
  }
  return ConditionOf("#version = :from", {{{"#version", std::string(kVersion)}},
                                          {{":from", tables::Value::Integer(version)}}});
}

}  // namespace

Result<std::optional<int64_t>> Schema::FindVersion() {
  const auto found = database_.GetItem({.table = std::string(kSystemTable),
                                        .key = SchemaKey(),
                                        .projection = {},
                                        .consistent_read = true});
  if (!found.ok() && found.error().kind() == ErrorKind::kNotFound) {
    return std::optional<int64_t>();
  }
  if (!found.ok()) {
    return found.error();
  }
  if (!found->item) {
    return std::optional<int64_t>(0);
  }
  const std::optional<int64_t> version = ItemReader(*found->item).OptionalInteger(kVersion);
  if (!version || *version < 1) {
    return Error::Corruption(StrCat("The item SCHEMA of the table ", kSystemTable,
                                    " has no valid version. Bring it back from a backup."));
  }
  return version;
}

Piece Schema::Advance(int64_t from, int64_t to) const {
  tables::Item item =
      ItemBuilder().Text("PK", kSchema).Text("SK", kSchema).Integer(kVersion, to).Build();
  return PutPiece(std::string(kSystemTable), std::move(item), VersionIs(from),
                  Error(kSchemaAdvanced, "Another node is upgrading the tables."));
}

}  // namespace tintype::contexts::system
