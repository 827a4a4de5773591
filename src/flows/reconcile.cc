#include "flows/reconcile.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/common/item.h"
#include "contexts/common/transaction.h"
#include "contract/limits.h"
#include "flows/delete_image.h"
#include "flows/work_tags.h"

namespace tintype::flows {
namespace {

using contexts::ItemReader;
using contexts::Transaction;
using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::intake::Intake;
using contexts::people::People;
using tables::Change;

constexpr std::string_view kImagePrefix = "IMAGE#";

bool IsImageRecord(const tables::Item& key) {
  const ItemReader read(key);
  return read.Text("SK") == "METADATA" && read.Text("PK").starts_with(kImagePrefix);
}

/// The image as a change shows it. Its id is the key's, whatever others wrote into the item.
Image ImageOf(const Change& change, const tables::Item& item) {
  Image image = contexts::catalog::ImageFromItem(item);
  image.id = ItemReader(change.key).Text("PK").substr(kImagePrefix.size());
  return image;
}

/// Whether an id that others wrote can be one: it becomes part of other keys, and of paths, whose
/// length is counted in bytes.
bool CanBeImageId(std::string_view id) {
  return !id.empty() && id.size() <= limits::kId.max && id.find('/') == std::string_view::npos;
}

Work ReconcileWork(const Image& image) {
  Work work;
  work.id = StrCat(kReconcileWork, "-", image.id);
  work.type = kReconcileWork;
  work.uuid = image.id;
  work.input = {{"userId", image.user_id}};
  // It ends in the end: while tables cannot be reached, it waits.
  work.max_retries = 1'000'000;
  return work;
}

/// The copies that differ.
Status AddCopies(Product& product, const Image& image, Transaction& reconcile) {
  ASSIGN_OR_RETURN(const auto account, product.accounts.Find(image.user_id));
  if (!account) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const auto photo, product.intake.Find(account->username, image.id));
  ASSIGN_OR_RETURN(const auto sparks, product.people.FindImage(image.id, account->email));
  const std::string description = image.description.value_or("");
  if (photo && photo->description != description) {
    reconcile.Add(Intake::SetDescription(account->username, image.id, description));
  }
  if (sparks && sparks->tags != image.tags) {
    const std::string now = TimeText(product.clock.NowMs());
    reconcile.Add(People::SetTags(image.id, account->email, image.tags, now));
  }
  return OkStatus();
}

/// Removes the postings of tags that the image once had, which may be many, and adds those that it
/// lacks.
Status MovePostings(Product& product, const Work& work, const Image& image,
                    Transaction& reconcile) {
  const std::vector<std::string> tags = contexts::catalog::PostedTags(image.tags);
  contexts::Pieces left_over;
  for (const std::string& tag : WorkTags(work)) {
    if (std::ranges::find(tags, tag) == tags.end()) {
      left_over.push_back(Catalog::RemovePosting(image, tag));
    }
  }
  RETURN_IF_ERROR(CommitFenced(product, work, "remove-postings", std::move(left_over)));
  for (const std::string& tag : tags) {
    ASSIGN_OR_RETURN(const bool posted, product.catalog.HasPosting(image, tag));
    if (!posted) {
      reconcile.Add(Catalog::AddPosting(image, tag));
    }
  }
  return OkStatus();
}

}  // namespace

std::optional<Work> ConsequenceOf(const Product& product, const Change& change) {
  if (change.table != contexts::catalog::kTable || change.origin == Change::Origin::kServer ||
      !IsImageRecord(change.key)) {
    return std::nullopt;
  }
  if (!CanBeImageId(ImageOf(change, tables::Item()).id)) {
    return std::nullopt;
  }
  if (change.event == Change::Event::kRemove && change.old_image) {
    return DeleteWork(ImageOf(change, *change.old_image), product.clock.NowMs());
  }
  if (change.event != Change::Event::kModify || !change.old_image || !change.new_image) {
    return std::nullopt;
  }
  const Image before = ImageOf(change, *change.old_image);
  const Image after = ImageOf(change, *change.new_image);
  if (before.tags == after.tags && before.description == after.description) {
    return std::nullopt;
  }
  Work work = ReconcileWork(after);
  // Which postings may be left over is known only here.
  AddWorkTags(work, contexts::catalog::PostedTags(before.tags));
  return work;
}

Result<Work> JoinQueued(Product& product, Work work) {
  ASSIGN_OR_RETURN(const std::optional<Work> queued, product.backlog.Find(work.id));
  if (queued) {
    AddWorkTags(work, WorkTags(*queued));
  }
  return work;
}

Status ReconcileImage(Product& product, const Work& work) {
  ASSIGN_OR_RETURN(const std::optional<Image> image, product.catalog.Find(work.uuid));
  Transaction reconcile(StrCat("reconcile ", work.uuid, " ", work.token));
  reconcile.Add(product.backlog.Complete(work));
  if (image) {
    // Our own changes move copies and postings themselves: one in between counts, not what was
    // read.
    reconcile.Add(Catalog::CheckUnchanged(*image));
    RETURN_IF_ERROR(AddCopies(product, *image, reconcile));
    RETURN_IF_ERROR(MovePostings(product, work, *image, reconcile));
  } else {
    // Deleted meanwhile, by those who knew of its last tags alone.
    Image gone;
    gone.id = work.uuid;
    const auto user_id = work.input.find("userId");
    gone.user_id = user_id == work.input.end() ? "" : user_id->second;
    RETURN_IF_ERROR(MovePostings(product, work, gone, reconcile));
  }
  return reconcile.Commit(product.database, product.retries);
}

}  // namespace tintype::flows
