#pragma once

#include <functional>
#include <string>
#include <utility>

#include "darkroom/av/libav.h"

struct AVFilterContext;
struct AVFilterGraph;

namespace tintype::darkroom::av {

/// Called with each frame that comes out of something, which is its own until the call returns.
using TakeFrame = std::function<Status(AVFrame*)>;

/// A chain of libavfilter's filters, built from the first frame, and anew when frames change their
/// shape. Used by one thread.
class FilterChain {
 public:
  /// Makes the filters' text for frames like that one. Nothing that a file says in words gets in.
  using Describe = std::function<std::string(const AVFrame&)>;

  /// `time_base` is that of the frames. Sound comes out in frames of so many samples, or as it is
  /// when that is 0.
  FilterChain(AVRational time_base, Describe describe, int samples_per_frame = 0)
      : time_base_(time_base),
        describe_(std::move(describe)),
        samples_per_frame_(samples_per_frame) {}
  ~FilterChain();
  FilterChain(const FilterChain&) = delete;
  FilterChain& operator=(const FilterChain&) = delete;

  /// Takes what is in `frame`, and leaves it empty.
  Status Push(AVFrame* frame, const TakeFrame& take);
  /// What is still within.
  Status Finish(const TakeFrame& take);
  /// Of what comes out. REQUIRES: something was pushed.
  AVRational time_base() const;

 private:
  /// What a chain was built for.
  struct Shape {
    int width = 0;
    int height = 0;
    int format = -1;
    int color_transfer = -1;
    int sample_rate = 0;
    int channels = 0;
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  static Shape ShapeOf(const AVFrame& frame);

  Status Build(const AVFrame& frame);
  Status Pull(const TakeFrame& take);

  const AVRational time_base_;
  const Describe describe_;
  const int samples_per_frame_;
  Shape shape_;
  AVFilterGraph* graph_ = nullptr;
  AVFilterContext* source_ = nullptr;
  AVFilterContext* sink_ = nullptr;
};

}  // namespace tintype::darkroom::av
