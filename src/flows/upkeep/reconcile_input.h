#pragma once

#include <string_view>

/// What the input of work says beside the image, most of it when a write of others led to the work.
namespace tintype::flows {

// Of reconcile work: another record of the image was removed, and with it the image is to go.
inline constexpr std::string_view kPhotoRemoved = "photoRemoved";
inline constexpr std::string_view kSparksImageRemoved = "sparksImageRemoved";

// Of delete work: the one who removed a record has given the upload back to the limit, as the
// document wants it.
inline constexpr std::string_view kLimitGivenBack = "limitGivenBack";

// Since when the image is in the trash; of reconcile work, before the change that led to it.
inline constexpr std::string_view kTrashedAt = "trashedAt";

}  // namespace tintype::flows
