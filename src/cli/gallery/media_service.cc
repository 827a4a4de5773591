#include "cli/gallery/media_service.h"

#include <algorithm>
#include <cstdint>

#include "cli/gallery/program_folder.h"
#include "darkroom/darkroom_metrics.h"

namespace tintype::cli {
namespace {

constexpr int64_t kGibibyte = int64_t{1} << 30;

darkroom::Config AvConfig(const darkroom::Config& imaging) {
  darkroom::Config av = imaging;
  av.name = "video helper";
  av.helper_path = (ProgramFolder() / "tintype-av").string();
  av.resident_bytes_max = int64_t{768} << 20;
  // Of 4K with 10 bits 0.7 GiB; without tone mapping half of that.
  av.limits.address_space_bytes = std::max(imaging.limits.address_space_bytes, kGibibyte * 3 / 2);
  av.limits.input_bytes = 64 * kGibibyte;
  av.limits.output_bytes = 8 * kGibibyte;
  return av;
}

darkroom::Config PagesConfig(const darkroom::Config& imaging) {
  darkroom::Config pages = imaging;
  pages.name = "document helper";
  pages.helper_path = (ProgramFolder() / "tintype-pages").string();
  pages.processes_max = 1;
  pages.idle_max = 1;
  return pages;
}

}  // namespace

MediaService::MediaService(const darkroom::Config& imaging, metrics::Registry& registry)
    : av_(AvConfig(imaging)),
      pages_(PagesConfig(imaging)),
      av_metrics_(darkroom::CollectHelpers(registry, "av", av_)),
      pages_metrics_(darkroom::CollectHelpers(registry, "pages", pages_)) {}

void MediaService::StartNoMore() {
  av_.StartNoMore();
  pages_.StartNoMore();
}

void MediaService::Stop() {
  av_.Stop();
  pages_.Stop();
}

}  // namespace tintype::cli
