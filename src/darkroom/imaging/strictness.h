#pragma once

namespace tintype::darkroom {

/// How much of a file must be sound.
enum class Strictness { kWhole, kWhatThereIs };

}  // namespace tintype::darkroom
