#include "flows/accounts/delete_account.h"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "blobs/blob_store.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/account_index.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/identity/credentials/password_links.h"
#include "contexts/intake/imports.h"
#include "contexts/intake/intake.h"
#include "contexts/intake/quotas.h"
#include "contexts/jobs/jobs.h"
#include "contexts/people/people.h"
#include "flows/config.h"
#include "flows/images/delete_image.h"
#include "flows/images/trash.h"
#include "flows/media_keys.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::identity::Accounts;

/// What one turn looks at, of each kind.
constexpr int64_t kDeletedAtOnce = 100;
/// How long requests may go on that were admitted before the account was disabled: LiveCallers
/// knows good callers for half a second.
constexpr int64_t kAdmittedMs = 2000;
/// How long a turn waits for what it has queued.
constexpr int64_t kDeletionWaitMs = 1000;
constexpr const char* kDeletedAccount = "accountId";

/// How much a turn found to do.
enum class Found {
  kNothing,
  kSome,     // There may be more at once.
  kWaiting,  // Others are at it.
};

/// Queues the deletion of images that are in no trash yet.
Result<Found> DeleteImages(const DeleteAccountParts& parts, const Account& account) {
  ASSIGN_OR_RETURN(const auto page,
                   parts.catalog.ListOfUser(account.id, kDeletedAtOnce, std::nullopt));
  for (const contexts::catalog::Image& image : page.images) {
    const Status queued = DeleteImageNow(parts, account, image.id);
    if (!queued.ok() && !queued.error().Is(ErrorKind::kNotFound)) {
      return queued.error();
    }
  }
  return page.images.empty() ? Found::kNothing : Found::kSome;
}

/// Queues the deletion of what waits in the trash. An image is found there until it is deleted.
Result<Found> DeleteTrash(const DeleteAccountParts& parts, const Account& account) {
  const int64_t now_ms = parts.clock.NowMs();
  ASSIGN_OR_RETURN(const auto page,
                   parts.catalog.ListTrash(account.id, kDeletedAtOnce, std::nullopt));
  for (const contexts::catalog::TrashPosting& posting : page.postings) {
    if (posting.deletes_ms > now_ms) {
      RETURN_IF_ERROR(DeleteTrashedImage(parts, account, posting.image_id, TimeText(now_ms)));
    }
  }
  return page.postings.empty() ? Found::kNothing : Found::kWaiting;
}

/// Gives up uploads that are on their way.
Result<Found> AbandonUploads(const DeleteAccountParts& parts, const Account& account) {
  ASSIGN_OR_RETURN(const auto ids, parts.intake.ListUploadsOf(account.id, kDeletedAtOnce));
  for (const std::string& id : ids) {
    const Status abandoned = AbandonUpload(parts, id);
    // A request that is at it is refused at its next bytes.
    if (!abandoned.ok() && !abandoned.error().Is(ErrorKind::kInUse)) {
      return abandoned.error();
    }
  }
  return ids.empty() ? Found::kNothing : Found::kWaiting;
}

Result<Found> RemoveJobs(const DeleteAccountParts& parts, const Account& account,
                         const Work& work) {
  ASSIGN_OR_RETURN(const auto page,
                   parts.jobs.ListOfUser(account.id, kDeletedAtOnce, std::nullopt));
  contexts::Pieces pieces;
  for (const contexts::jobs::Job& job : page.jobs) {
    pieces.push_back(parts.jobs.Remove(job.id));
  }
  RETURN_IF_ERROR(CommitFenced(parts, work, "delete-account-jobs", std::move(pieces)));
  return page.jobs.empty() ? Found::kNothing : Found::kSome;
}

/// Forgets what was imported from folders.
Result<Found> ForgetImports(const DeleteAccountParts& parts, const Account& account,
                            const Work& work) {
  contexts::intake::Imports imports(parts.database);
  ASSIGN_OR_RETURN(const auto hashes, imports.List(account.id, kDeletedAtOnce));
  contexts::Pieces pieces;
  for (const std::string& hash : hashes) {
    pieces.push_back(contexts::intake::Imports::Remove(account.id, hash));
  }
  RETURN_IF_ERROR(CommitFenced(parts, work, "delete-account-imports", std::move(pieces)));
  return hashes.empty() ? Found::kNothing : Found::kSome;
}

Result<Found> RemoveBelongings(const DeleteAccountParts& parts, const Account& account,
                               const Work& work) {
  // Uploads first: one that ends meanwhile is an image, which comes next.
  ASSIGN_OR_RETURN(const Found uploads, AbandonUploads(parts, account));
  ASSIGN_OR_RETURN(const Found images, DeleteImages(parts, account));
  ASSIGN_OR_RETURN(const Found trash, DeleteTrash(parts, account));
  ASSIGN_OR_RETURN(const Found jobs, RemoveJobs(parts, account, work));
  ASSIGN_OR_RETURN(const Found imports, ForgetImports(parts, account, work));
  if (images == Found::kSome || jobs == Found::kSome || imports == Found::kSome) {
    return Found::kSome;
  }
  const bool nothing = uploads == Found::kNothing && trash == Found::kNothing;
  return nothing ? Found::kNothing : Found::kWaiting;
}

Status CommitTurn(const DeleteAccountParts& parts, const Work& work, contexts::Pieces pieces) {
  return Transaction(StrCat(work.id, " ", work.token))
      .Add(std::move(pieces))
      .Commit(parts.database, parts.retries);
}

/// The account itself, once nothing else is left.
Status RemoveAccount(const DeleteAccountParts& parts, const Account& account, const Work& work) {
  RETURN_IF_ERROR(contexts::identity::RemoveAllOfAccount(parts.database, account.id));
  // An email may be too long for the key of a picture: then there is none.
  const blobs::BlobKey picture{parts.config.images_bucket, ProfilePictureKey(account.email)};
  if (blobs::ValidateBlobKey(picture).ok()) {
    RETURN_IF_ERROR(parts.blobs.Delete(picture));
  }
  contexts::Pieces pieces = Accounts::Remove(account);
  for (contexts::Piece& piece : contexts::people::People::RemoveUser(account.email)) {
    pieces.push_back(std::move(piece));
  }
  pieces.push_back(contexts::identity::PasswordLinks::Remove(account.id));
  pieces.push_back(contexts::intake::Quotas::Remove(account.id));
  pieces.push_back(contexts::backlog::Turns::Forget(account.id));
  pieces.push_back(parts.backlog.Complete(work));
  return CommitTurn(parts, work, std::move(pieces));
}

/// `mark` disables the account for good.
Transaction BeginDeletion(const DeleteAccountParts& parts, std::string_view account_id,
                          contexts::Piece mark) {
  Work work;
  work.id = StrCat(kDeleteAccountWork, "-", account_id);
  work.type = kDeleteAccountWork;
  work.input.emplace(kDeletedAccount, account_id);
  // A request admitted a moment ago may still bring something.
  work.due_ms = parts.clock.NowMs() + kAdmittedMs;
  // It is never given up: while tables or blobs cannot be reached, it waits.
  work.max_retries = 1'000'000;
  Transaction begin(StrCat(work.id, " ", RandomUuid()));
  begin.Add(std::move(mark)).Add(parts.backlog.Enqueue(std::move(work)));
  return begin;
}

}  // namespace

Status DeleteAccount(const DeleteAccountParts& parts, const Actor& actor,
                     std::string_view account_id) {
  if (account_id == actor.account_id) {
    return Error(kOwnAccount, "Administrators cannot delete their own account. Another one can.");
  }
  Transaction begin = BeginDeletion(parts, account_id, Accounts::MarkDeleting(account_id));
  CheckActor(actor, begin);
  return begin.Commit(parts.database, parts.retries);
}

Status DeleteOwnAccount(const DeleteAccountParts& parts, std::string_view account_id) {
  return BeginDeletion(parts, account_id, Accounts::MarkDeletingUser(account_id))
      .Commit(parts.database, parts.retries);
}

Status ContinueDeleteAccount(const DeleteAccountParts& parts, const Work& work) {
  const auto id = work.input.find(kDeletedAccount);
  if (id == work.input.end()) {
    return Error::Validation("The work names no account.");
  }
  ASSIGN_OR_RETURN(const auto account, parts.accounts.Find(id->second));
  // Others may put anything into the backlog: a deletion that nobody has asked for is not done.
  if (!account || !account->deleting) {
    return CommitTurn(parts, work, {parts.backlog.Complete(work)});
  }
  ASSIGN_OR_RETURN(const Found found, RemoveBelongings(parts, *account, work));
  if (found == Found::kNothing) {
    return RemoveAccount(parts, *account, work);
  }
  const int64_t due_ms = parts.clock.NowMs() + (found == Found::kWaiting ? kDeletionWaitMs : 0);
  return CommitTurn(parts, work, {parts.backlog.Continue(work, due_ms)});
}

}  // namespace tintype::flows
