#include "darkroom/av/cover.h"

#include <string_view>

#include "darkroom/av/decode.h"
#include "darkroom/av/decoders.h"
#include "darkroom/media_type.h"

namespace tintype::darkroom::av {
namespace {

bool IsCover(const AVStream& stream) {
  const AVCodecID codec = stream.codecpar->codec_id;
  return (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0 && stream.attached_pic.size > 0 &&
         (codec == AV_CODEC_ID_MJPEG || codec == AV_CODEC_ID_PNG);
}

// Nothing when the picture is none.
Result<std::optional<PictureSize>> SizeOf(const Input& input, const AVStream* stream) {
  auto decoder = OpenDecoder(input, stream);
  if (!decoder.ok()) {
    return std::optional<PictureSize>();
  }
  std::optional<PictureSize> size;
  const auto take = [&](AVFrame* frame) -> Result<bool> {
    size = {frame->width, frame->height};
    return false;
  };
  ASSIGN_OR_RETURN(const bool more,
                   DecodePacket(decoder->get(), &stream->attached_pic, input.deadline(), take));
  if (more) {
    RETURN_IF_ERROR(DecodePacket(decoder->get(), nullptr, input.deadline(), take));
  }
  return size;
}

}  // namespace

bool HasCover(const Input& input) {
  for (unsigned i = 0; i < input.context()->nb_streams; ++i) {
    if (IsCover(*input.context()->streams[i])) {
      return true;
    }
  }
  return false;
}

Result<std::optional<Cover>> FindCover(const Input& input) {
  std::optional<Cover> largest;
  for (unsigned i = 0; i < input.context()->nb_streams; ++i) {
    const AVStream* const stream = input.context()->streams[i];
    if (!IsCover(*stream)) {
      continue;
    }
    const std::string_view bytes(reinterpret_cast<const char*>(stream->attached_pic.data),
                                 static_cast<size_t>(stream->attached_pic.size));
    const std::string_view type = DetectMediaType(bytes);
    if ((type != "image/jpeg" && type != "image/png") ||
        (largest && bytes.size() <= largest->bytes.size())) {
      continue;
    }
    ASSIGN_OR_RETURN(const auto size, SizeOf(input, stream));
    if (size) {
      largest = Cover{std::string(bytes), std::string(type), *size};
    }
  }
  return largest;
}

}  // namespace tintype::darkroom::av
