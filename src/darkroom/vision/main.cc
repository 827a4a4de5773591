// tintype-vision: the helper that looks for things in pictures, by models. See darkroom/README.md.

#include <malloc.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "darkroom/helper/serve.h"
#include "darkroom/protocol/clean_text.h"
#include "darkroom/vision/loaded_models.h"
#include "darkroom/vision/moderation/classify.h"
#include "darkroom/vision/objects/find_objects.h"
#include "darkroom/vision/onnx_runtime.h"
#include "darkroom/vision/speech/transcribe.h"
#include "darkroom/vision/text/find_text.h"

namespace tintype::darkroom::vision {
namespace {

Reply FailureOf(const Error& error) {
  return Failure{KindOf(error), CleanText(error.message(), kFailureMessageBytesMax)};
}

/// What the process has from its start to its end.
class Vision {
 public:
  Status Start(const std::string& library) {
    // Each tensor is large. Mapped by itself, the kernel would clear its pages anew for each run,
    // which takes two thirds of the time of some models.
    ::mallopt(M_MMAP_MAX, 0);
    ::mallopt(M_ARENA_MAX, 1);
    ::mallopt(M_TRIM_THRESHOLD, 2'000'000'000);
    ::mallopt(M_TOP_PAD, 16 << 20);
    ASSIGN_OR_RETURN(runtime_, OnnxRuntime::Load(library));
    models_.emplace(*runtime_);
    return OkStatus();
  }

  Reply Answer(std::string_view bytes, std::span<const int> descriptors) {
    const auto order = DecodeOrder(bytes, descriptors);
    if (!order.ok()) {
      return FailureOf(order.error());
    }
    if (const auto* text = std::get_if<FindTextRequest>(&order->request)) {
      return ReplyOf(RunFindText(*text, order->limits, *models_));
    }
    if (const auto* objects = std::get_if<FindObjectsRequest>(&order->request)) {
      return ReplyOf(RunFindObjects(*objects, order->limits, *models_));
    }
    if (const auto* classify = std::get_if<ClassifyRequest>(&order->request)) {
      return ReplyOf(RunClassify(*classify, order->limits, *models_));
    }
    if (const auto* speech = std::get_if<TranscribeRequest>(&order->request)) {
      Reply reply = ReplyOf(RunTranscribe(*speech, *models_));
      // They keep what they worked with, which is several times what others have, and to load them
      // is little beside what a recording takes.
      models_->Forget();
      return reply;
    }
    return Failure{FailureKind::kInvalidRequest, "This helper does something else"};
  }

  void Forget() { models_->Forget(); }

 private:
  template <typename Found>
  Reply ReplyOf(Result<Found> found) {
    if (!found.ok()) {
      // A model that failed may not be as it was.
      models_->Forget();
      return FailureOf(found.error());
    }
    return *std::move(found);
  }

  std::unique_ptr<OnnxRuntime> runtime_;
  std::optional<LoadedModels> models_;
};

}  // namespace
}  // namespace tintype::darkroom::vision

int main(int argc, char** argv) {
  tintype::darkroom::vision::Vision vision;
  tintype::darkroom::Trade trade;
  trade.start = [&](const std::string& library) { return vision.Start(library); };
  trade.answer = [&](std::string_view bytes, std::span<const int> descriptors) {
    return vision.Answer(bytes, descriptors);
  };
  trade.finish_order = [] {};
  // Loading them again takes a tenth of a second.
  trade.idle = [&] { vision.Forget(); };
  trade.idle_ms = 15'000;
  ::_exit(tintype::darkroom::ServeOrders(argc, argv, trade));
}
