#include "flows/images/delete_image.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/retry.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "blobs/blob_store.h"
#include "contexts/analysis/analysis.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/catalog/similarity.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/intake/intake.h"
#include "contexts/people/people.h"
#include "flows/config.h"
#include "flows/images/expire_image.h"
#include "flows/images/work_tags.h"
#include "flows/media_keys.h"
#include "flows/upkeep/reconcile_input.h"
#include "flows/uploads/storage_quota.h"
#include "flows/uploads/upload_limit.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Pieces;
using contexts::Transaction;
using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::intake::Intake;
using contexts::people::People;

/// Below what a transaction takes, with room for those that go with each.
constexpr size_t kPiecesMax = 90;

std::string InputOf(const Work& work, const std::string& name) {
  const auto found = work.input.find(name);
  return found == work.input.end() ? "" : found->second;
}

/// Who and what: what there is to know before anything is removed.
struct Subject {
  std::optional<Account> account;
  std::optional<Image> image;
  /// The user's posting of the bytes is this image's.
  bool has_checksum = false;
};

Result<Subject> FindSubject(const DeletionParts& parts, const Work& work) {
  const std::string user_id = InputOf(work, "userId");
  const std::string sha256 = InputOf(work, "sha256");
  Subject subject;
  ASSIGN_OR_RETURN(subject.account, parts.accounts.Find(user_id));
  ASSIGN_OR_RETURN(subject.image, parts.catalog.Find(work.uuid));
  if (!sha256.empty()) {
    ASSIGN_OR_RETURN(const auto posted, parts.intake.FindByChecksum(user_id, sha256));
    subject.has_checksum = posted == work.uuid;
  }
  return subject;
}

/// The image as it is in the trash, by its record and by the work: others may have removed the
/// record, or changed it.
std::vector<Image> TrashedStates(const Work& work, const Subject& subject) {
  std::vector<Image> states;
  if (subject.image && subject.image->is_trashed()) {
    states.push_back(*subject.image);
  }
  Image known;
  known.id = work.uuid;
  known.user_id = InputOf(work, "userId");
  known.trashed_at = InputOf(work, std::string(kTrashedAt));
  const bool same = !states.empty() && states.front().user_id == known.user_id &&
                    states.front().trashed_at == known.trashed_at;
  if (!known.trashed_at->empty() && !same) {
    states.push_back(std::move(known));
  }
  return states;
}

/// The records of all contexts, each of which may be gone already. Email and username come from the
/// account, which may have changed them since the work was queued.
Pieces RecordPieces(const DeletionParts& parts, const Work& work, const Subject& subject) {
  const std::string& id = work.uuid;
  Pieces pieces;
  pieces.push_back(Catalog::Remove(id));
  pieces.push_back(parts.backlog.Withdraw(ExpireWorkId(id)));
  if (subject.account) {
    pieces.push_back(Intake::Remove(subject.account->username, id));
    pieces.push_back(People::RemoveImage(id, subject.account->email));
  }
  for (contexts::Piece& piece : parts.analysis.Remove(id)) {
    pieces.push_back(std::move(piece));
  }
  if (subject.has_checksum) {
    pieces.push_back(Intake::RemoveChecksum(InputOf(work, "userId"), InputOf(work, "sha256"), id));
  }
  if (subject.image) {
    for (contexts::Piece& piece : Catalog::MovePostings(*subject.image, {})) {
      pieces.push_back(std::move(piece));
    }
  }
  for (const Image& trashed : TrashedStates(work, subject)) {
    std::ranges::move(Catalog::UnpostTrash(trashed), std::back_inserter(pieces));
  }
  return pieces;
}

/// Removes the records and gives the upload back to the limit, once: a tombstone says that it was
/// done.
Status DeleteRecords(const DeletionParts& parts, const Work& work, const Subject& subject) {
  const bool give_back = subject.account && InputOf(work, std::string(kLimitGivenBack)).empty();
  const auto commit = [&](bool tombstone) {
    Transaction records(StrCat("delete ", work.uuid));
    records.Add(parts.backlog.Fence(work)).Add(RecordPieces(parts, work, subject));
    if (tombstone) {
      records.Add(Catalog::AddTombstone(work.uuid, TimeText(parts.clock.NowMs())));
    }
    return tombstone && give_back ? CommitGivingUploadBack(parts, subject.account->email,
                                                           GuessLimit(*subject.account), records)
                                  : records.Commit(parts.database, parts.retries);
  };
  Status deleted = commit(true);
  if (!deleted.ok() && deleted.error().kind() == ErrorKind::kInUse) {
    deleted = commit(false);
  }
  return deleted;
}

/// Everything that hangs on the image but is not its record: any number of items.
Status DeleteDependents(const DeletionParts& parts, const Work& work) {
  Image image;
  image.id = work.uuid;
  image.user_id = InputOf(work, "userId");
  Pieces pieces;
  for (const std::string& tag : WorkTags(work)) {
    pieces.push_back(Catalog::RemovePosting(image, tag));
  }
  ASSIGN_OR_RETURN(const auto hash,
                   contexts::catalog::SimilarityIndex(parts.database).Find(image.id));
  if (hash) {
    std::ranges::move(contexts::catalog::SimilarityIndex::Remove(*hash),
                      std::back_inserter(pieces));
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> persons, parts.people.ListTaggings(image.id));
  for (const std::string& person : persons) {
    pieces.push_back(People::RemoveTagging(image.id, person));
  }
  ASSIGN_OR_RETURN(const auto versions, parts.catalog.ListVersions(image.id));
  for (const contexts::catalog::ImageVersion& version : versions) {
    // What an edit that was cut off left behind.
    if (!version.job_id.empty() && version.job_id.find('/') == std::string::npos) {
      RETURN_IF_ERROR(parts.blobs.Delete({parts.config.uploads_bucket, TempKey(version.job_id)}));
    }
    pieces.push_back(Catalog::RemoveVersion(image.id, version.revision));
  }
  return CommitFenced(parts, work, "delete-dependents", std::move(pieces));
}

/// Gives the bytes back to the quota of whose image it was. Once nothing hangs on it any more,
/// since edits and whoever counts them charge only what is there.
Status ReleaseBytes(const DeletionParts& parts, const Work& work) {
  return CommitReleasing(parts, InputOf(work, "userId"), work.uuid,
                         [&](const Pieces& pieces) -> Status {
                           return pieces.empty() ? OkStatus()
                                                 : Transaction(StrCat("release ", work.uuid))
                                                       .Add(parts.backlog.Fence(work))
                                                       .Add(pieces)
                                                       .Commit(parts.database, parts.retries);
                         });
}

}  // namespace

Status DeleteBlobs(const Uses<ConfigPart, BlobsPart>& parts, std::string_view id) {
  const ProductConfig& config = parts.config;
  RETURN_IF_ERROR(parts.blobs.Delete({config.uploads_bucket, UploadKey(id)}));
  RETURN_IF_ERROR(parts.blobs.DeletePrefix(config.images_bucket, StoredFolder(id)));
  // What analysis wrote.
  RETURN_IF_ERROR(parts.blobs.DeletePrefix(config.images_bucket, StrCat(id, "/")));
  return OkStatus();
}

Status DeleteBlobsOfGone(const ClearUpParts& parts, std::string_view id) {
  return WithRetries(parts.retries, [&]() -> Status {
    ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(id));
    return image ? OkStatus() : DeleteBlobs(parts, id);
  });
}

Status CommitFenced(const Uses<DatabasePart, BacklogPart>& parts, const Work& work,
                    std::string_view purpose, contexts::Pieces pieces) {
  for (size_t start = 0; start < pieces.size(); start += kPiecesMax) {
    Transaction some(StrCat(purpose, " ", work.uuid));
    some.Add(parts.backlog.Fence(work));
    for (size_t i = start; i < std::min(start + kPiecesMax, pieces.size()); ++i) {
      some.Add(std::move(pieces[i]));
    }
    RETURN_IF_ERROR(some.Commit(parts.database, parts.retries));
  }
  return OkStatus();
}

std::string DeleteWorkId(std::string_view id) { return StrCat(kDeleteWork, "-", id); }

Work DeleteWork(const Image& image, int64_t due_ms) {
  Work work;
  work.id = DeleteWorkId(image.id);
  work.type = kDeleteWork;
  work.uuid = image.id;
  work.input = {{"userId", image.user_id}, {"sha256", image.sha256}};
  if (image.is_trashed()) {
    work.input.emplace(kTrashedAt, *image.trashed_at);
  }
  AddWorkTags(work, contexts::catalog::PostedTags(image.tags));
  work.due_ms = due_ms;
  // Deletion ends in the end: while blobs or tables cannot be reached, it waits.
  work.max_retries = 1'000'000;
  return work;
}

Status DeleteImage(const DeletionParts& parts, const Work& work, blobs::DerivedFiles& derived) {
  // Before, so that a crash leaves none behind; and after, since while the original was there
  // others may have been made, or begun.
  derived.Forget(work.uuid);
  ASSIGN_OR_RETURN(const Subject subject, FindSubject(parts, work));
  // While there is a record, others may add to what hangs on it, by developing or editing the
  // image. Once it is gone they cannot, and clear up what they have stored since. So it goes first.
  RETURN_IF_ERROR(DeleteRecords(parts, work, subject));
  RETURN_IF_ERROR(DeleteDependents(parts, work));
  RETURN_IF_ERROR(ReleaseBytes(parts, work));
  RETURN_IF_ERROR(DeleteBlobs(parts, work.uuid));
  derived.Forget(work.uuid);
  return Transaction(StrCat("deleted ", work.uuid))
      .Add(parts.backlog.Complete(work))
      .Commit(parts.database, parts.retries);
}

}  // namespace tintype::flows
