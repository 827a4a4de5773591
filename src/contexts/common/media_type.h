#pragma once

#include <string>
#include <string_view>

/// What kind of asset a file is, in the words of the documents.
namespace tintype::contexts {

/// Media2Cloud's word for the type of a medium: `image` of `image/jpeg`, and `document` of whatever
/// is neither image, video nor audio.
std::string_view MediaTypeOf(std::string_view mime_type);

/// The same in upper case, as the catalog's `assetType` has it: `IMAGE`.
std::string AssetTypeOf(std::string_view mime_type);

}  // namespace tintype::contexts
