#include "contexts/intake/imports.h"

#include <utility>

#include "base/json_text.h"
#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"

namespace tintype::contexts::intake {
namespace {

std::string Partition(std::string_view user_id) { return StrCat("IMPORTED#", user_id); }

}  // namespace

Result<std::optional<ImportedFile>> Imports::Find(std::string_view user_id,
                                                  std::string_view path_hash) {
  ASSIGN_OR_RETURN(
      const auto response,
      database_.GetItem(
          {.table = std::string(kSystemTable),
           .key = ItemBuilder().Text("PK", Partition(user_id)).Text("SK", path_hash).Build(),
           .projection = {},
           .consistent_read = true}));
  if (!response.item) {
    return std::optional<ImportedFile>();
  }
  const ItemReader read(*response.item);
  return std::optional<ImportedFile>(
      {std::string(user_id), std::string(path_hash), read.Text("path"), read.Integer("bytes"),
       read.Integer("modifiedNs"), read.Text("imageId"), read.Bool("complete")});
}

Piece Imports::Record(const ImportedFile& file) {
  return PutPiece(std::string(kSystemTable), ItemBuilder()
                                                 .Text("PK", Partition(file.user_id))
                                                 .Text("SK", file.path_hash)
                                                 .Text("path", ValidUtf8(file.path))
                                                 .Integer("bytes", file.bytes)
                                                 .Integer("modifiedNs", file.modified_ns)
                                                 .Text("imageId", file.image_id)
                                                 .Bool("complete", file.complete)
                                                 .Build());
}

Result<std::vector<std::string>> Imports::List(std::string_view user_id, int64_t limit) {
  tables::QueryRequest query;
  query.table = std::string(kSystemTable);
  query.key_condition =
      KeyConditionOf("PK = :user", {{}, {{":user", tables::Value::String(Partition(user_id))}}});
  query.options.limit = limit;
  query.options.consistent_read = true;
  ASSIGN_OR_RETURN(const auto response, database_.Query(std::move(query)));
  std::vector<std::string> hashes;
  hashes.reserve(response.items.size());
  for (const tables::Item& item : response.items) {
    hashes.push_back(ItemReader(item).Text("SK"));
  }
  return hashes;
}

Piece Imports::Remove(std::string_view user_id, std::string_view path_hash) {
  return DeletePiece(std::string(kSystemTable),
                     ItemBuilder().Text("PK", Partition(user_id)).Text("SK", path_hash).Build());
}

}  // namespace tintype::contexts::intake
