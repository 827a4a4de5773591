#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/image.h"
#include "flows/parts.h"
#include "flows/uploads/upload.h"

/// Temporary images: `ttl` says when one is deleted, and work that waits for that moment has it
/// deleted as any other. The removal of expired items from the table is the backstop: the
/// reconciler follows it, and the end is the same.
namespace tintype::flows {

using ExpiryParts = Uses<DatabasePart, ClockPart, CatalogPart, BacklogPart>;

/// The `ttl` of an image that is uploaded now, if it is to be a temporary one.
std::optional<int64_t> ExpiryOf(const UploadRequest& request, int64_t now_ms);

inline constexpr std::string_view kExpireWork = "expire-image";
std::string ExpireWorkId(std::string_view id);
/// REQUIRES: the image has a ttl.
contexts::backlog::Work ExpireWork(const contexts::catalog::Image& image);

/// An image that was uploaded once more is kept as long as the one of both that is kept longer.
/// Errors: kNotFound when it is being deleted already.
Result<contexts::catalog::Image> KeepAsLong(const ExpiryParts& parts, const Account& account,
                                            contexts::catalog::Image image,
                                            const UploadRequest& request);

/// Has an image deleted whose time has come. `work` is leased; it is complete when this succeeds,
/// or waits for a later time that the image has got meanwhile.
Status ExpireImage(const ExpiryParts& parts, const contexts::backlog::Work& work);

}  // namespace tintype::flows
