#include "flows/images/update_image.h"

#include <string>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/common/transaction.h"
#include "contexts/intake/intake.h"
#include "contexts/people/people.h"
#include "flows/images/images.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::catalog::Catalog;
using contexts::catalog::DetailsChange;
using contexts::catalog::Image;
using contexts::intake::Intake;
using contexts::people::People;

Error InTrash() { return Error::NotFound("The image is in the trash. Restore it first."); }

}  // namespace

Result<Image> UpdateImage(const UpdateParts& parts, const Account& account, std::string_view id,
                          int64_t seen_version, const DetailsChange& change) {
  RETURN_IF_ERROR(contexts::catalog::CheckDetails(change));
  ASSIGN_OR_RETURN(Image seen, FindOwnImage(parts, account, id));
  if (seen.is_trashed()) {
    return InTrash();
  }
  if (seen.version != seen_version) {
    return Error(contexts::catalog::kVersionChanged,
                 StrCat("The image was changed meanwhile: it has version ", seen.version,
                        " now. Read it again, then decide."));
  }
  if (change.empty()) {
    return seen;
  }
  const std::string now = TimeText(parts.clock.NowMs());
  Transaction update(StrCat("update ", id));
  update.Add(Catalog::Change(seen, change, now));
  if (change.description) {
    update.Add(Intake::SetDescription(account.username, id, change.description->value_or("")));
  }
  if (change.tags) {
    update.Add(People::SetTags(id, account.email, *change.tags, now))
        .Add(Catalog::MovePostings(seen, *change.tags));
  }
  RETURN_IF_ERROR(update.Commit(parts.database, parts.retries));
  return FindOwnImage(parts, account, id);
}

Result<Image> SetImageVisibility(const UpdateParts& parts, const Account& account,
                                 std::string_view id, contexts::people::Visibility visibility) {
  return ChangeImage(
      parts, account, id, "share", [&](const Image& seen, Transaction& share) -> Status {
        if (seen.is_trashed()) {
          return InTrash();
        }
        ASSIGN_OR_RETURN(const auto sparks, parts.people.FindImage(id, account.email));
        if (sparks && sparks->visibility != visibility) {
          const std::string now = TimeText(parts.clock.NowMs());
          share.Add(Catalog::Change(seen, {}, now))
              .Add(People::SetVisibility(id, account.email, visibility, now));
        }
        return OkStatus();
      });
}

}  // namespace tintype::flows
