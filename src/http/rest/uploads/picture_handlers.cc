#include <memory>

#include "base/numbers.h"
#include "http/rest/uploads/handlers.h"
#include "http/rest/uploads/picture_sink.h"

/// The own profile picture, which is no image of the gallery.
namespace tintype::http::rest {

BodyDecision TakeMyPicture(Api& api, Pools pools, const Call& call) {
  const auto length = ParseDigits<int64_t>(call.request.Header("content-length").value_or(""));
  if (const Status size = CheckPictureSize(length.value_or(0)); !size.ok()) {
    return {nullptr, Refuse(call, size.error())};
  }
  return {std::make_unique<PictureSink>(api, pools.storage, call), std::nullopt};
}

Response PutMyPicture(Api& /*api*/, const Call& call) {
  auto* sink = dynamic_cast<PictureSink*>(call.request.sink.get());
  return sink == nullptr ? Refuse(call, Error::Validation("The file is empty.")) : sink->Finish();
}

}  // namespace tintype::http::rest
