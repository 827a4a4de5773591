#pragma once

#include <string>
#include <string_view>

#include "base/strings.h"
#include "tables/engine/storage/config.h"

namespace tintype::tables::engine {

inline std::string TableArn(const EngineConfig& config, std::string_view name) {
  return StrCat("arn:aws:dynamodb:", config.region, ":", config.account, ":table/", name);
}

}  // namespace tintype::tables::engine
