#pragma once

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "contexts/intake/intake.h"
#include "flows/parts.h"

/// What becomes of an image whose original was lost, when its owner uploads the same bytes again.
namespace tintype::flows {

using HealParts = Uses<ConfigPart, DatabasePart, BlobsPart, BacklogPart>;

/// Gives the image the bytes of `upload`, which are the same by their checksum, if its own are gone
/// or have been cut off, and has it rebuilt. Else it does nothing, and the bytes of the upload stay
/// where they are.
///
/// The bytes go beside the original first, then the work is queued that puts them in its place. A
/// crash between the two loses nothing: a repeated call goes on, and so does every later rebuild of
/// the image. Errors: kNotFound when the image was deleted meanwhile; then the upload has its bytes
/// back.
Status HealOriginal(const HealParts& parts, const contexts::catalog::Image& image,
                    const contexts::intake::Upload& upload);

}  // namespace tintype::flows
