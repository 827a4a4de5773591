#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "darkroom/gps_position.h"

namespace tintype::darkroom::av {

/// A date and time as cameras write it into films, in the form of MediaProbe::taken_at; empty when
/// it is none, or one that a camera without a clock would write.
std::string TimeFromTag(std::string_view text);

/// A place in the form of ISO 6709, such as "+48.2082+016.3738+171.000/", in degrees with or
/// without minutes and seconds.
std::optional<GpsPosition> PlaceFromTag(std::string_view text);

/// A language by its letters (ISO 639); empty when it is none, or said to be unknown.
std::string LanguageFromTag(std::string_view text);

}  // namespace tintype::darkroom::av
