#include "darkroom/imaging/planes/plane_scaler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace tintype::darkroom {
namespace {

constexpr int kLobes = 3;
constexpr int kStepsPerLobe = 512;

double Lanczos(double x) {
  if (x == 0) {
    return 1;
  }
  const double angle = std::numbers::pi * x;
  return kLobes * std::sin(angle) * std::sin(angle / kLobes) / (angle * angle);
}

/// The filter at many places: asking for it here costs far less than sines do.
class FilterShape {
 public:
  FilterShape() {
    for (size_t i = 0; i + 1 < values_.size(); ++i) {
      values_[i] = Lanczos(static_cast<double>(i) / kStepsPerLobe);
    }
  }
  double At(double x) const {
    const double place = std::abs(x) * kStepsPerLobe;
    const auto index = static_cast<size_t>(place);
    if (index >= kLobes * kStepsPerLobe) {
      return 0;
    }
    const double part = place - static_cast<double>(index);
    return values_[index] + (values_[index + 1] - values_[index]) * part;
  }

 private:
  std::array<double, kLobes* kStepsPerLobe + 2> values_ = {};
};

const FilterShape& Shape() {
  static const FilterShape shape;
  return shape;
}

/// The source samples of one result sample, with the weights that the filter gives them.
struct Window {
  int32_t first = 0;
  std::vector<double> weights;
};

void FillWindow(const Axis& axis, int32_t result, Window& window) {
  const double width = std::max(1.0, axis.step);
  const double middle = axis.start + (result + 0.5) * axis.step;
  const auto begin = static_cast<int32_t>(std::floor(middle - kLobes * width));
  const auto end = static_cast<int32_t>(std::ceil(middle + kLobes * width));
  const auto inside = [&](int32_t at) { return std::clamp(at, 0, axis.source_count - 1); };
  window.first = inside(begin);
  const int32_t last = inside(end);
  window.weights.assign(static_cast<size_t>(last - window.first) + 1, 0);
  for (int32_t at = begin; at < end; ++at) {
    window.weights[static_cast<size_t>(inside(at) - window.first)] +=
        Shape().At((at + 0.5 - middle) / width);
  }
}

// Whole numbers that add up exactly, by rounding their running sum: else a plain area would change
// its shade.
void Quantize(const std::vector<double>& weights, double total, std::vector<int16_t>& result) {
  double sum = 0;
  for (const double weight : weights) {
    sum += weight;
  }
  result.clear();
  double running = 0;
  int32_t before = 0;
  for (const double weight : weights) {
    running += weight * total / sum;
    const auto now = static_cast<int32_t>(std::lround(running));
    result.push_back(static_cast<int16_t>(now - before));
    before = now;
  }
}

}  // namespace

TapTable MakeTaps(const Axis& axis, double gain) {
  CHECK(axis.source_count > 0 && axis.result_count > 0);
  const auto count = static_cast<size_t>(axis.result_count);
  const double total = std::round(gain * (1 << kWeightBits));
  TapTable table;
  // A window has at most this many samples, whole ones and two parts.
  const double widest =
      std::min<double>(axis.source_count, 2 * kLobes * std::max(1.0, axis.step) + 2);
  table.padded_count = (static_cast<size_t>(widest) + 15) / 16 * 16;
  table.first.resize(count);
  table.count.resize(count);
  table.weights.assign(count * table.padded_count, 0);
  Window window;
  std::vector<int16_t> weights;
  for (size_t i = 0; i < count; ++i) {
    FillWindow(axis, static_cast<int32_t>(i), window);
    Quantize(window.weights, total, weights);
    const auto is_used = [](int16_t weight) { return weight != 0; };
    const auto begin = std::find_if(weights.begin(), weights.end(), is_used);
    const auto end = std::find_if(weights.rbegin(), weights.rend(), is_used).base();
    CHECK(begin < end && static_cast<size_t>(end - begin) <= table.padded_count);
    table.first[i] = window.first + static_cast<int32_t>(begin - weights.begin());
    table.count[i] = static_cast<int32_t>(end - begin);
    std::copy(begin, end, table.weights.begin() + static_cast<ptrdiff_t>(i * table.padded_count));
  }
  return table;
}

PlaneScaler::PlaneScaler(const TapTable& across, const TapTable& down, double bias,
                         Dimensions source, int32_t batch, Plane& result)
    : across_(across),
      down_(down),
      bias_(bias),
      source_height_(source.height),
      result_(result),
      width_(static_cast<size_t>(source.width)) {
  CHECK(across.first.size() == static_cast<size_t>(result.width()) &&
        down.first.size() == static_cast<size_t>(result.height()));
  stride_ = (width_ + 2 * kRowPadding - 1) / kRowPadding * kRowPadding;
  kept_ = *std::max_element(down.count.begin(), down.count.end()) + batch;
  ring_.resize(stride_ * static_cast<size_t>(kept_));
  // The taps of the last samples read on past the end, at no weight.
  sums_.resize(stride_ + across.padded_count);
}

uint8_t* PlaneScaler::RowAhead(int32_t ahead) {
  return &ring_[stride_ * static_cast<size_t>((taken_ + ahead) % kept_)];
}

void PlaneScaler::Take(int32_t count) {
  taken_ = std::min(taken_ + count, source_height_);
  while (done_ < result_.height()) {
    const auto index = static_cast<size_t>(done_);
    const int32_t end = down_.first[index] + down_.count[index];
    if (end > taken_) {
      return;
    }
    rows_.clear();
    for (int32_t row = down_.first[index]; row < end; ++row) {
      rows_.push_back(&ring_[stride_ * static_cast<size_t>(row % kept_)]);
    }
    SumRows(rows_, down_.WeightsOf(index), width_, sums_.data());
    FilterRow(sums_.data(), across_, bias_, result_.Row(done_));
    ++done_;
  }
}

}  // namespace tintype::darkroom
