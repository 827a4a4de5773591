#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/transaction.h"
#include "flows/parts.h"

/// What the flows that change one image have in common.
namespace tintype::flows {

using ImageParts = Uses<DatabasePart, CatalogPart>;

/// The image, if it is this account's: others learn nothing, not even that it exists.
/// Errors: kNotFound.
Result<contexts::catalog::Image> FindOwnImage(const ImageParts& parts, const Account& account,
                                              std::string_view id);

/// Reads an image of this account, lets `change` add pieces for the state that was read, and
/// commits them; when somebody else changed the image in between, all of it again. Returns the
/// image as it is afterwards. `change` adds nothing when there is nothing to do.
using ImageChange =
    std::function<Status(const contexts::catalog::Image& seen, contexts::Transaction& transaction)>;
Result<contexts::catalog::Image> ChangeImage(const ImageParts& parts, const Account& account,
                                             std::string_view id, std::string_view purpose,
                                             const ImageChange& change);

}  // namespace tintype::flows
