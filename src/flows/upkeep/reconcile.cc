#include "flows/upkeep/reconcile.h"

#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/catalog/tombstones.h"
#include "contexts/common/item.h"
#include "contexts/intake/intake.h"
#include "contexts/jobs/jobs.h"
#include "contexts/people/copies.h"
#include "contract/limits.h"
#include "flows/config.h"
#include "flows/images/adopt_job.h"
#include "flows/images/delete_image.h"
#include "flows/images/work_tags.h"
#include "flows/upkeep/reconcile_image.h"
#include "flows/upkeep/reconcile_input.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::ItemReader;
using contexts::backlog::Work;
using contexts::catalog::Image;
using contexts::people::ItemSubject;
using tables::Change;

constexpr std::string_view kImagePrefix = "IMAGE#";

bool IsImageRecord(const tables::Item& key) {
  const ItemReader read(key);
  return read.Text("SK") == "METADATA" && read.Text("PK").starts_with(kImagePrefix);
}

/// The image as a change shows it. Its id is the key's, whatever others wrote into the item. A
/// user id that is too long is dropped: no key could be made of it.
Image ImageOf(const Change& change, const tables::Item& item) {
  Image image = contexts::catalog::ImageFromItem(item);
  image.id = ItemReader(change.key).Text("PK").substr(kImagePrefix.size());
  if (image.user_id.size() > limits::kId.max) {
    image.user_id.clear();
  }
  return image;
}

/// Whether an id that others wrote can be one: it becomes part of other keys, and of paths, whose
/// length is counted in bytes.
bool CanBeId(std::string_view id) {
  return !id.empty() && id.size() <= limits::kId.max && id.find('/') == std::string_view::npos;
}

Work WorkAbout(std::string_view type, const std::string& id) {
  Work work;
  work.id = StrCat(type, "-", id);
  work.type = type;
  work.uuid = id;
  // It ends in the end: while tables cannot be reached, it waits.
  work.max_retries = 1'000'000;
  return work;
}

Work ReconcileWork(const std::string& id) { return WorkAbout(kReconcileWork, id); }

std::optional<Work> ConsequenceInCatalog(const ReconcileParts& parts, const Change& change) {
  if (!IsImageRecord(change.key) || !CanBeId(ImageOf(change, tables::Item()).id)) {
    return std::nullopt;
  }
  if (change.event == Change::Event::kRemove) {
    return change.old_image
               ? std::optional(DeleteWork(ImageOf(change, *change.old_image), parts.clock.NowMs()))
               : std::nullopt;
  }
  if (!change.new_image) {
    return std::nullopt;
  }
  const Image after = ImageOf(change, *change.new_image);
  Work work = ReconcileWork(after.id);
  work.input = {{"userId", after.user_id}};
  if (change.event == Change::Event::kInsert) {
    return work;
  }
  if (!change.old_image) {
    return std::nullopt;
  }
  const Image before = ImageOf(change, *change.old_image);
  if (before.tags == after.tags && before.description == after.description &&
      before.trashed_at == after.trashed_at) {
    return std::nullopt;
  }
  if (before.is_trashed() && before.trashed_at != after.trashed_at) {
    work.input.emplace(kTrashedAt, *before.trashed_at);
  }
  // Which postings may be left over is known only here.
  AddWorkTags(work, contexts::catalog::PostedTags(before.tags));
  return work;
}

/// Whether one of these attributes is another than before; of an item that was added, all are.
bool Differs(const Change& change, std::initializer_list<std::string_view> names) {
  if (!change.old_image || !change.new_image) {
    return true;
  }
  for (const std::string_view name : names) {
    const auto before = change.old_image->Find(name);
    const auto after = change.new_image->Find(name);
    if (before.has_value() != after.has_value() || (before && *before != *after)) {
      return true;
    }
  }
  return false;
}

std::optional<Work> ConsequenceInPhotos(const Change& change) {
  const std::string id = ItemReader(change.key).Text("id");
  if (!CanBeId(id)) {
    return std::nullopt;
  }
  Work work = ReconcileWork(id);
  if (change.event == Change::Event::kRemove) {
    work.input.emplace(kPhotoRemoved, "yes");
    return work;
  }
  return Differs(change, {"description"}) ? std::optional(work) : std::nullopt;
}

std::optional<Work> ConsequenceInSparks(const Change& change) {
  const ItemSubject subject = contexts::people::SubjectOf(change.key);
  if (subject.kind == ItemSubject::Kind::kOther || !CanBeId(subject.image_id)) {
    return std::nullopt;
  }
  Work work = ReconcileWork(subject.image_id);
  if (subject.kind == ItemSubject::Kind::kTagging) {
    return change.event == Change::Event::kModify ? std::nullopt : std::optional(work);
  }
  if (change.event == Change::Event::kRemove) {
    work.input.emplace(kSparksImageRemoved, "yes");
    return work;
  }
  return Differs(change, {"tags", "persons"}) ? std::optional(work) : std::nullopt;
}

std::optional<Work> ConsequenceInJobs(const Change& change) {
  const std::string id = ItemReader(change.key).Text("jobId");
  const bool is_queued =
      change.new_image &&
      contexts::jobs::JobFromItem(*change.new_image).status == contexts::jobs::JobStatus::kQueued;
  return CanBeId(id) && is_queued && Differs(change, {"status"})
             ? std::optional(WorkAbout(kReconcileJobWork, id))
             : std::nullopt;
}

std::string JobsTable(const ProductConfig& config) {
  return contexts::jobs::Jobs::Table(config.environment).definition.name;
}

}  // namespace

std::vector<std::string> ReconciledTables(const ProductConfig& config) {
  return {std::string(contexts::catalog::kTable), std::string(contexts::intake::kTable),
          std::string(contexts::people::kTable), JobsTable(config)};
}

std::optional<Work> ConsequenceOf(const ReconcileParts& parts, const Change& change) {
  if (change.origin == Change::Origin::kServer) {
    return std::nullopt;
  }
  if (change.table == contexts::catalog::kTable) {
    return ConsequenceInCatalog(parts, change);
  }
  if (change.table == contexts::intake::kTable) {
    return ConsequenceInPhotos(change);
  }
  if (change.table == contexts::people::kTable) {
    return ConsequenceInSparks(change);
  }
  return change.table == JobsTable(parts.config) ? ConsequenceInJobs(change) : std::nullopt;
}

Result<bool> IsNeeded(const ReconcileParts& parts, const Work& work) {
  if (work.type == kReconcileJobWork) {
    return IsJobToAdopt(parts, work);
  }
  if (work.type == kReconcileWork) {
    return IsImageToReconcile(parts, work);
  }
  // A deletion of ours leaves a tombstone in place of the record.
  ASSIGN_OR_RETURN(const auto image, parts.catalog.Find(work.uuid));
  ASSIGN_OR_RETURN(const bool is_deleted,
                   contexts::catalog::HasTombstone(parts.database, work.uuid));
  return !image && !is_deleted;
}

void JoinWork(Work& work, const Work& other) {
  AddWorkTags(work, WorkTags(other));
  for (const std::string_view flag : {kPhotoRemoved, kSparksImageRemoved}) {
    if (other.input.contains(std::string(flag))) {
      work.input.emplace(flag, "yes");
    }
  }
  for (const std::string_view name : {std::string_view("userId"), kTrashedAt}) {
    const auto known = other.input.find(std::string(name));
    if (known != other.input.end()) {
      work.input.insert(*known);
    }
  }
}

Result<Work> JoinQueued(const ReconcileParts& parts, Work work) {
  ASSIGN_OR_RETURN(const std::optional<Work> queued, parts.backlog.Find(work.id));
  if (queued) {
    JoinWork(work, *queued);
  }
  return work;
}

}  // namespace tintype::flows
