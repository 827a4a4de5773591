#include "darkroom/imaging/answer.h"

#include <utility>
#include <variant>
#include <vips/vips8>

#include "darkroom/failure.h"
#include "darkroom/imaging/metadata/exif.h"
#include "darkroom/imaging/operations.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom {
namespace {

// What libraries would tell a terminal, for which they ask the time zone and more. Errors come back
// as such.
GLogWriterOutput DropLogLine(GLogLevelFlags /*level*/, const GLogField* /*fields*/, gsize /*count*/,
                             gpointer /*unused*/) {
  return G_LOG_WRITER_HANDLED;
}

Reply FailureOf(const Error& error) {
  return Failure{KindOf(error), CleanText(error.message(), kFailureMessageBytesMax)};
}

template <typename T>
Reply ReplyOf(Result<T> result) {
  return result.ok() ? Reply(std::move(result).value()) : FailureOf(result.error());
}

}  // namespace

bool StartLibraries() {
  if (vips_init("tintype-darkroom") != 0) {
    return false;
  }
  vips_block_untrusted_set(TRUE);
  vips_concurrency_set(1);  // The parallelism is in the number of helpers.
  vips_cache_set_max(0);
  SilenceExiv2();
  g_log_set_writer_func(DropLogLine, nullptr, nullptr);
  return true;
}

Reply AnswerOrder(std::string_view bytes, std::span<const int> descriptors) {
  // Errors that an earlier file left in the buffer of libvips are not about this one.
  vips_error_clear();
  const auto order = DecodeOrder(bytes, descriptors);
  if (!order.ok()) {
    return FailureOf(order.error());
  }
  const PixelLimits& limits = order->limits;
  if (const auto* develop = std::get_if<DevelopRequest>(&order->request)) {
    return ReplyOf(RunDevelop(*develop, limits));
  }
  if (const auto* edit = std::get_if<EditRequest>(&order->request)) {
    return ReplyOf(RunEdit(*edit, limits));
  }
  return ReplyOf(RunResize(std::get<ResizeRequest>(order->request), limits));
}

}  // namespace tintype::darkroom
