#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tintype::delivery {

/// A queue in which owners take turns: an owner with much in it waits for itself, not others for
/// it. Each owner's things leave in the order in which they came. Meant for few owners at a time,
/// as they are looked for one by one. Not thread-safe.
template <typename T>
class FairQueue {
 public:
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  size_t SizeOf(std::string_view owner) const {
    const auto line = std::ranges::find(lines_, owner, &Line::owner);
    return line == lines_.end() ? 0 : line->items.size();
  }

  void Push(std::string_view owner, T item) {
    auto line = std::ranges::find(lines_, owner, &Line::owner);
    if (line == lines_.end()) {
      line = lines_.insert(lines_.end(), Line{std::string(owner), {}});
    }
    line->items.push_back(std::move(item));
    ++size_;
  }

  /// REQUIRES: !empty().
  T Pop() {
    Line& line = lines_.front();
    T item = std::move(line.items.front());
    line.items.pop_front();
    --size_;
    if (line.items.empty()) {
      lines_.pop_front();
    } else {
      lines_.splice(lines_.end(), lines_, lines_.begin());
    }
    return item;
  }

  /// Takes out whatever `wanted` says, wherever it stands.
  template <typename Predicate>
  std::vector<T> TakeIf(const Predicate& wanted) {
    std::vector<T> taken;
    for (Line& line : lines_) {
      // Asks once for each: the answer may be another the next time.
      const auto first = std::stable_partition(line.items.begin(), line.items.end(),
                                               [&](const T& item) { return !wanted(item); });
      std::move(first, line.items.end(), std::back_inserter(taken));
      line.items.erase(first, line.items.end());
    }
    std::erase_if(lines_, [](const Line& line) { return line.items.empty(); });
    size_ -= taken.size();
    return taken;
  }

 private:
  struct Line {
    std::string owner;
    std::deque<T> items;  // Never empty between calls.
  };
  std::list<Line> lines_;  // Whose turn is next is in front.
  size_t size_ = 0;
};

}  // namespace tintype::delivery
