#include "darkroom/av/picture_filters.h"

#include <string_view>
#include <utility>

#include "base/strings.h"

namespace tintype::darkroom::av {
namespace {

// What comes out of libswscale, and the pixels that it is asked for.
std::string_view OutputColors(Purpose purpose) {
  switch (purpose) {
    case Purpose::kFilm:
      return "out_color_matrix=bt709:out_range=tv";
    case Purpose::kJpeg:
      return "out_color_matrix=bt601:out_range=pc";
    case Purpose::kWebp:
      return "out_color_matrix=bt601:out_range=tv";
  }
  return "";
}

std::string_view InputMatrix(const AVFrame& frame) {
  if (frame.colorspace != AVCOL_SPC_UNSPECIFIED && frame.colorspace != AVCOL_SPC_RESERVED) {
    return "auto";
  }
  // libswscale would take BT.601 for all sizes; players take BT.709 for large ones.
  const bool large = frame.height >= 720 || frame.width >= 1280;
  return large ? "bt709" : "bt601";
}

}  // namespace

bool IsHdr(AVColorTransferCharacteristic transfer) {
  return transfer == AVCOL_TRC_SMPTE2084 || transfer == AVCOL_TRC_ARIB_STD_B67;
}

std::string PictureFilters(const AVFrame& frame, const AVStream* stream, PictureSize upright,
                           Purpose purpose) {
  const std::string turn = UprightFilters(stream);
  PictureSize stored = upright;
  if (turn.starts_with("transpose")) {
    std::swap(stored.width, stored.height);
  }
  std::string filters;
  if (frame.interlaced_frame != 0 || stream->codecpar->field_order > AV_FIELD_PROGRESSIVE) {
    StrAppend(filters, "yadif=mode=send_frame:deint=interlaced,");
  }
  // Scaled first: a small picture is quickly turned.
  const std::string size = StrCat(stored.width, ":", stored.height);
  const std::string_view format = purpose == Purpose::kJpeg ? "yuvj420p" : "yuv420p";
  if (IsHdr(frame.color_trc)) {
    StrAppend(filters, "scale=", size, ":flags=bicubic:in_color_matrix=", InputMatrix(frame),
              ",setsar=1,format=yuv420p10le,zscale=t=linear:npl=203,format=gbrpf32le,"
              "zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv:d=none,"
              "format=yuv420p,scale=in_color_matrix=bt709:",
              OutputColors(purpose));
  } else {
    StrAppend(filters, "scale=", size, ":flags=bicubic:in_color_matrix=", InputMatrix(frame), ":",
              OutputColors(purpose), ",setsar=1");
  }
  StrAppend(filters, ",format=", format);
  if (!turn.empty()) {
    StrAppend(filters, ",", turn);
  }
  return filters;
}

}  // namespace tintype::darkroom::av
