#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tintype::http::dynamodb {

/// Writes metrics in Prometheus's text format, family by family: Begin names one, what follows are
/// its samples. Texts are escaped as the format wants it. Not thread-safe.
class Exposition {
 public:
  enum class Type { kCounter, kGauge, kHistogram };
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  /// REQUIRES: no family of that name was begun before; a counter's name ends in `_total`, and no
  /// other's does, because that is how Prometheus tells what may be summed up over time.
  void Begin(std::string_view name, Type type, std::string_view help);

  // REQUIRES: a family was begun that is a counter or a gauge.
  void Sample(Labels labels, uint64_t value);
  void Sample(Labels labels, double value);

  /// `counts` has one number more than there are bounds: what was above the last.
  /// REQUIRES: a histogram was begun.
  struct Distribution {
    std::span<const double> bounds;
    std::span<const uint64_t> counts;
    double sum = 0;
  };
  void Histogram(Labels labels, const Distribution& distribution);

  std::string Take() && { return std::move(text_); }

 private:
  void AppendSample(std::string_view suffix, Labels labels, std::string_view bound,
                    std::string_view value);

  std::string text_;
  std::string family_;
};

}  // namespace tintype::http::dynamodb
