#pragma once

#include <string>
#include <string_view>

#include "metrics/samples.h"

namespace tintype::metrics {

/// The media type of WriteExposition's text.
inline constexpr std::string_view kExpositionType = "text/plain; version=0.0.4; charset=utf-8";

/// All families in Prometheus's text format, by name. Texts are escaped as the format wants it.
std::string WriteExposition(const Samples& samples);

}  // namespace tintype::metrics
