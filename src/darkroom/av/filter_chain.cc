#include "darkroom/av/filter_chain.h"

extern "C" {
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
}

#include <algorithm>
#include <memory>

#include "base/strings.h"

namespace tintype::darkroom::av {
namespace {

using Ends = std::unique_ptr<AVFilterInOut, FreedBy<avfilter_inout_free>>;

Ends NewEnd(const char* name, AVFilterContext* filter) {
  Ends end(avfilter_inout_alloc());
  if (end != nullptr) {
    end->name = av_strdup(name);
    end->filter_ctx = filter;
  }
  return end;
}

std::string SourceArguments(const AVFrame& frame, AVRational time_base) {
  const std::string times = StrCat("time_base=", time_base.num, "/", time_base.den);
  if (frame.width > 0) {
    const AVRational aspect = frame.sample_aspect_ratio;
    return StrCat("video_size=", frame.width, "x", frame.height, ":pix_fmt=", frame.format, ":",
                  times, ":pixel_aspect=", aspect.num, "/", std::max(aspect.den, 1));
  }
  char layout[128] = {};
  av_channel_layout_describe(&frame.ch_layout, layout, sizeof(layout));
  return StrCat("sample_rate=", frame.sample_rate, ":sample_fmt=", frame.format,
                ":channel_layout=", std::string_view(layout), ":", times);
}

}  // namespace

FilterChain::~FilterChain() { avfilter_graph_free(&graph_); }

FilterChain::Shape FilterChain::ShapeOf(const AVFrame& frame) {
  return {.width = frame.width,
          .height = frame.height,
          .format = frame.format,
          .color_transfer = frame.width > 0 ? frame.color_trc : -1,
          .sample_rate = frame.sample_rate,
          .channels = frame.ch_layout.nb_channels};
}

AVRational FilterChain::time_base() const { return av_buffersink_get_time_base(sink_); }

Status FilterChain::Build(const AVFrame& frame) {
  avfilter_graph_free(&graph_);
  graph_ = avfilter_graph_alloc();
  if (graph_ == nullptr) {
    return OutOfMemory();
  }
  graph_->nb_threads = 1;
  const bool video = frame.width > 0;
  const std::string arguments = SourceArguments(frame, time_base_);
  RETURN_IF_ERROR(CheckAv(
      avfilter_graph_create_filter(&source_, avfilter_get_by_name(video ? "buffer" : "abuffer"),
                                   "in", arguments.c_str(), nullptr, graph_),
      "its frames"));
  RETURN_IF_ERROR(CheckAv(avfilter_graph_create_filter(
                              &sink_, avfilter_get_by_name(video ? "buffersink" : "abuffersink"),
                              "out", nullptr, nullptr, graph_),
                          "its frames"));
  // As the chain sees it: what comes out of the source is what goes into the first filter.
  Ends outputs = NewEnd("in", source_);
  Ends inputs = NewEnd("out", sink_);
  if (outputs == nullptr || inputs == nullptr) {
    return OutOfMemory();
  }
  AVFilterInOut* raw_inputs = inputs.release();
  AVFilterInOut* raw_outputs = outputs.release();
  const int parsed = avfilter_graph_parse_ptr(graph_, describe_(frame).c_str(), &raw_inputs,
                                              &raw_outputs, nullptr);
  inputs.reset(raw_inputs);
  outputs.reset(raw_outputs);
  RETURN_IF_ERROR(CheckAv(parsed, "its frames"));
  RETURN_IF_ERROR(CheckAv(avfilter_graph_config(graph_, nullptr), "its frames"));
  if (samples_per_frame_ > 0) {
    av_buffersink_set_frame_size(sink_, static_cast<unsigned>(samples_per_frame_));
  }
  shape_ = ShapeOf(frame);
  return OkStatus();
}

Status FilterChain::Pull(const TakeFrame& take) {
  const Frame out = NewFrame();
  while (true) {
    const int got = av_buffersink_get_frame(sink_, out.get());
    if (got == AVERROR(EAGAIN) || got == AVERROR_EOF) {
      return OkStatus();
    }
    RETURN_IF_ERROR(CheckAv(got, "its frames"));
    RETURN_IF_ERROR(take(out.get()));
    av_frame_unref(out.get());
  }
}

Status FilterChain::Push(AVFrame* frame, const TakeFrame& take) {
  if (frame->width == 0 && frame->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
    // WAV and AVI may say how many channels there are, and nothing more.
    av_channel_layout_default(&frame->ch_layout, frame->ch_layout.nb_channels);
  }
  if (graph_ == nullptr || !(ShapeOf(*frame) == shape_)) {
    RETURN_IF_ERROR(Finish(take));
    RETURN_IF_ERROR(Build(*frame));
  }
  RETURN_IF_ERROR(CheckAv(av_buffersrc_add_frame(source_, frame), "its frames"));
  return Pull(take);
}

Status FilterChain::Finish(const TakeFrame& take) {
  if (graph_ == nullptr) {
    return OkStatus();
  }
  RETURN_IF_ERROR(CheckAv(av_buffersrc_add_frame(source_, nullptr), "its frames"));
  return Pull(take);
}

}  // namespace tintype::darkroom::av
