#include "tables/wire/item_json.h"

#include "tables/language/errors.h"
#include "tables/language/values/item_size.h"
#include "tables/wire/internal/attribute_value.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/shapes.h"

namespace tintype::tables::wire {

void AppendItemLine(std::string& out, MapView item) {
  JsonWriter json(out);
  json.OpenObject();
  json.Name("Item");
  json.Attributes(item);
  json.CloseObject();
}

Result<Item> DecodeItemLine(std::string_view line) {
  auto json = ReadRequest(line, kItemLineShape);
  if (!json.ok() && json.error().Is(tables::reasons::kSerialization) &&
      json.error().message().empty()) {
    // DynamoDB has no words for this; people who look for a line in a file need some.
    return tables::SerializationError("not a JSON object in UTF-8");
  }
  if (!json.ok()) {
    return std::move(json).error();
  }
  ASSIGN_OR_RETURN(Item item, DecodeItem(json->RequiredObject("Item")));
  RETURN_IF_ERROR(CheckItemSize(item.view(), SizedItem::kPut));
  return item;
}

}  // namespace tintype::tables::wire
