#include "metrics/samples.h"

#include <algorithm>

#include "base/check.h"

namespace tintype::metrics {

bool IsMetricName(std::string_view name, Type type) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return name.starts_with("tintype_") && std::ranges::all_of(name, is_plain) &&
         name.ends_with("_total") == (type == Type::kCounter);
}

OwnedLabels Family::Own(Labels labels) {
  OwnedLabels owned;
  owned.reserve(labels.size());
  for (const Label& label : labels) {
    owned.emplace_back(label.name, label.value);
  }
  return owned;
}

void Family::Put(OwnedLabels labels, Value value) {
  const auto* distribution = std::get_if<Distribution>(&value);
  CHECK((distribution != nullptr) == (type_ == Type::kHistogram));
  CHECK(distribution == nullptr || distribution->counts.size() == distribution->bounds.size() + 1);
  if (values_.size() < kSeriesMax || values_.contains(labels)) {
    values_.insert_or_assign(std::move(labels), std::move(value));
  }
}

Family& Samples::Find(std::string_view name, Type type, std::string_view help) {
  auto found = families_.find(name);
  if (found == families_.end()) {
    CHECK(IsMetricName(name, type));
    found = families_.emplace(name, Family(type, help)).first;
  }
  CHECK(found->second.type() == type && found->second.help() == help);
  return found->second;
}

}  // namespace tintype::metrics
