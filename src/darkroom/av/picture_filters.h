#pragma once

#include <string>

#include "darkroom/av/libav.h"
#include "darkroom/av/orientation.h"

namespace tintype::darkroom::av {

/// What pictures are made for.
enum class Purpose : uint8_t {
  kFilm,  ///< 4:2:0 of BT.709.
  kJpeg,  ///< 4:2:0 of BT.601 with all values, as JPEG has it.
  kWebp,  ///< 4:2:0 of BT.601.
};

/// Whether pictures of that transfer have more light than screens usually have.
bool IsHdr(AVColorTransferCharacteristic transfer);

/// The filters for frames of a stream like this one: whole pictures instead of half ones, scaled to
/// `upright` once they are turned, tone mapped where that is needed.
std::string PictureFilters(const AVFrame& frame, const AVStream* stream, PictureSize upright,
                           Purpose purpose);

}  // namespace tintype::darkroom::av
