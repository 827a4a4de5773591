#include "flows/images/images.h"

#include <utility>

#include "base/strings.h"
#include "contexts/catalog/catalog.h"
#include "tables/language/database.h"

namespace tintype::flows {

using contexts::Transaction;
using contexts::catalog::Image;

Result<Image> FindOwnImage(const ImageParts& parts, const Account& account, std::string_view id) {
  ASSIGN_OR_RETURN(std::optional<Image> image, parts.catalog.Find(id));
  if (!image || image->user_id != account.id) {
    return Error::NotFound("There is no such image.");
  }
  return *std::move(image);
}

Result<Image> ChangeImage(const ImageParts& parts, const Account& account, std::string_view id,
                          std::string_view purpose, const ImageChange& change) {
  // Each attempt loses only to a change that succeeded, so a few are plenty.
  constexpr int kAttemptsMax = 20;
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(Image seen, FindOwnImage(parts, account, id));
    Transaction transaction(StrCat(purpose, " ", id));
    RETURN_IF_ERROR(change(seen, transaction));
    if (transaction.empty()) {
      return seen;
    }
    const Status committed = transaction.Commit(parts.database, parts.retries);
    if (committed.ok()) {
      return FindOwnImage(parts, account, id);
    }
    if (committed.error().kind() != ErrorKind::kConditionFailed || attempt == kAttemptsMax) {
      return committed.error();
    }
  }
}

}  // namespace tintype::flows
