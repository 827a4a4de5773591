#include "darkroom/av/scenes.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

namespace tintype::darkroom::av {
namespace {

constexpr int kThumbWidth = 32;
constexpr int kThumbHeight = 18;
// Two pictures of one scene are less far apart, whatever moves in it.
constexpr double kAnotherScene = 16;
// Two that look the same to people are less far apart.
constexpr double kTheSame = 1;

/// The picture that is farthest from those chosen, by number; one past the last if all are chosen.
size_t FarthestFrom(const std::vector<bool>& chosen) {
  size_t best = chosen.size();
  size_t best_distance = 0;
  size_t since = 0;  // The last one chosen; the first one always is.
  for (size_t i = 0; i <= chosen.size(); ++i) {
    if (i < chosen.size() && !chosen[i]) {
      continue;
    }
    // Behind the last one chosen there is an end, not another picture to keep a distance from.
    const bool end = i == chosen.size();
    const size_t distance = end ? i - 1 - since : (i - since) / 2;
    if (distance > best_distance) {
      best_distance = distance;
      best = since + distance;
    }
    since = i;
  }
  return best;
}

}  // namespace

Thumb ThumbOf(const AVFrame& frame) {
  Thumb thumb = {};
  for (int y = 0; y < kThumbHeight; ++y) {
    const int top = y * frame.height / kThumbHeight;
    const int bottom = std::max(top + 1, (y + 1) * frame.height / kThumbHeight);
    for (int x = 0; x < kThumbWidth; ++x) {
      const int left = x * frame.width / kThumbWidth;
      const int right = std::max(left + 1, (x + 1) * frame.width / kThumbWidth);
      int64_t sum = 0;
      for (int row = top; row < bottom; ++row) {
        const uint8_t* const pixels = frame.data[0] + ptrdiff_t{row} * frame.linesize[0];
        sum = std::accumulate(pixels + left, pixels + right, sum);
      }
      const int64_t count = int64_t{right - left} * (bottom - top);
      thumb[static_cast<size_t>(y * kThumbWidth + x)] = static_cast<uint8_t>(sum / count);
    }
  }
  return thumb;
}

double DifferenceOf(const Thumb& a, const Thumb& b) {
  int64_t sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    sum += std::abs(int{a[i]} - int{b[i]});
  }
  return static_cast<double>(sum) / static_cast<double>(a.size());
}

std::vector<size_t> ChooseScenes(std::span<const Thumb> pictures, size_t count_max) {
  if (pictures.empty() || count_max == 0) {
    return {};
  }
  std::vector<bool> chosen(pictures.size());
  chosen[0] = true;
  size_t count = 1;
  struct Cut {
    double difference;
    size_t picture;
  };
  std::vector<Cut> cuts;
  for (size_t i = 1; i < pictures.size(); ++i) {
    const double difference = DifferenceOf(pictures[i - 1], pictures[i]);
    if (difference >= kAnotherScene) {
      cuts.push_back({difference, i});
    }
  }
  std::ranges::stable_sort(cuts, std::greater(), &Cut::difference);
  for (size_t i = 0; i < cuts.size() && count < count_max; ++i, ++count) {
    chosen[cuts[i].picture] = true;
  }
  // Those that are dismissed count as chosen for the distances, so that each is asked about once.
  std::vector<bool> taken = chosen;
  while (count < count_max) {
    const size_t next = FarthestFrom(taken);
    if (next >= pictures.size()) {
      break;
    }
    taken[next] = true;
    size_t before = next;
    while (!chosen[before]) {
      --before;
    }
    if (DifferenceOf(pictures[before], pictures[next]) >= kTheSame) {
      chosen[next] = true;
      ++count;
    }
  }
  std::vector<size_t> numbers;
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) {
      numbers.push_back(i);
    }
  }
  return numbers;
}

}  // namespace tintype::darkroom::av
