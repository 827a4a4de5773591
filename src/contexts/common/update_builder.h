#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "contexts/common/expression.h"

namespace tintype::contexts {

/// Builds an update expression attribute by attribute, for updates whose attributes depend on what
/// is to change. Names are bound, so that any may be reserved. Not thread-safe.
class UpdateBuilder {
 public:
  UpdateBuilder& Text(std::string_view name, std::string_view text);
  UpdateBuilder& Integer(std::string_view name, int64_t number);
  /// Removes the attribute when there is nothing.
  UpdateBuilder& MaybeText(std::string_view name, const std::optional<std::string>& text);
  UpdateBuilder& Remove(std::string_view name);

  /// REQUIRES: something was set or removed.
  std::string text() const;
  const Bindings& bindings() const { return bindings_; }

 private:
  void Set(std::string_view name, tables::Value value);

  std::string set_;
  std::string removed_;
  Bindings bindings_;
};

}  // namespace tintype::contexts
