#pragma once

#include "darkroom/darkroom.h"
#include "metrics/registry.h"

namespace tintype::cli {

/// The helpers for videos, sounds and documents. None is started before there is work.
class MediaService {
 public:
  /// `imaging` is how the helpers for pictures are set up.
  MediaService(const darkroom::Config& imaging, metrics::Registry& registry);
  ~MediaService() { Stop(); }
  MediaService(const MediaService&) = delete;
  MediaService& operator=(const MediaService&) = delete;

  darkroom::Darkroom& av() { return av_; }
  darkroom::Darkroom& pages() { return pages_; }

  void StartNoMore();
  /// Kills the helpers: a copy of a long video that is being made may have an hour to go. It is
  /// made after the next start.
  void Stop();

 private:
  darkroom::Darkroom av_;
  darkroom::Darkroom pages_;
  metrics::Registration av_metrics_;
  metrics::Registration pages_metrics_;
};

}  // namespace tintype::cli
