#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "metrics/instruments.h"

namespace tintype::metrics {

enum class Type { kCounter, kGauge, kHistogram };

struct Label {
  std::string_view name;
  std::string_view value;
};
/// For parameters alone: it does not keep its texts.
using Labels = std::initializer_list<Label>;
using OwnedLabels = std::vector<std::pair<std::string, std::string>>;

/// Whether a name follows the rules in README.md for a metric of that type.
bool IsMetricName(std::string_view name, Type type);

/// One metric at one moment: its type and help, and a sample for each set of labels.
class Family {
 public:
  /// More series than this are a mistake, and would burden whoever stores them.
  static constexpr size_t kSeriesMax = 1000;
  using Value = std::variant<uint64_t, double, Distribution>;

  Family(Type type, std::string_view help) : type_(type), help_(help) {}

  /// A sample, in place of one with the same labels. Beyond kSeriesMax samples new ones are
  /// dropped. REQUIRES: a counter or a gauge.
  template <std::integral Number>
  void Sample(Labels labels, Number number) {
    if constexpr (std::signed_integral<Number>) {
      if (number < 0) {
        return Sample(labels, static_cast<double>(number));
      }
    }
    Put(Own(labels), static_cast<uint64_t>(number));
  }
  void Sample(Labels labels, double number) { Put(Own(labels), number); }
  /// REQUIRES: a histogram; one more count than bounds.
  void Sample(Labels labels, Distribution distribution) {
    Put(Own(labels), std::move(distribution));
  }

  void Put(OwnedLabels labels, Value value);

  static OwnedLabels Own(Labels labels);

  Type type() const { return type_; }
  const std::string& help() const { return help_; }
  const std::map<OwnedLabels, Value>& values() const { return values_; }

 private:
  Type type_;
  std::string help_;
  std::map<OwnedLabels, Value> values_;
};

/// All metrics at one moment. A collector names a family and adds its samples; several collectors
/// may add to one family. Not thread-safe.
class Samples {
 public:
  // REQUIRES: IsMetricName(name, type). All others that name the family give it the same type and
  // help.
  Family& Counter(std::string_view name, std::string_view help) {
    return Find(name, Type::kCounter, help);
  }
  Family& Gauge(std::string_view name, std::string_view help) {
    return Find(name, Type::kGauge, help);
  }
  Family& Histogram(std::string_view name, std::string_view help) {
    return Find(name, Type::kHistogram, help);
  }
  Family& Find(std::string_view name, Type type, std::string_view help);

  const std::map<std::string, Family, std::less<>>& families() const { return families_; }

 private:
  std::map<std::string, Family, std::less<>> families_;
};

}  // namespace tintype::metrics
