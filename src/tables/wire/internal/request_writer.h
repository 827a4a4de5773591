#pragma once

#include <optional>
#include <string>

#include "tables/language/expressions/projection.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/table_members.h"

namespace tintype::tables::wire {

/// A body whose members `write` writes.
template <typename Write>
std::string WriteBody(const Write& write) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  write(json);
  json.CloseObject();
  return body;
}

/// ProjectionExpression and its placeholders, if there is one. For parts of requests that have no
/// other expression; an answer repeats such parts as well.
void WriteProjection(JsonWriter& json, const std::optional<Projection>& projection);

}  // namespace tintype::tables::wire
