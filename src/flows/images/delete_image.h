#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "blobs/derived_files.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/image.h"
#include "contexts/common/transaction.h"
#include "flows/parts.h"

/// The deletion lifecycle of the documents, as work that is done until it is done.
namespace tintype::flows {

using DeletionParts = Uses<ConfigPart, DatabasePart, BlobsPart, ClockPart, AccountsPart,
                           CatalogPart, IntakePart, PeoplePart, AnalysisPart, BacklogPart>;

inline constexpr std::string_view kDeleteWork = "delete-image";
std::string DeleteWorkId(std::string_view id);
/// Deletes an image at `due_ms`.
contexts::backlog::Work DeleteWork(const contexts::catalog::Image& image, int64_t due_ms);

/// Commits pieces in as many transactions as they need, each fenced by the lease of `work`.
Status CommitFenced(const Uses<DatabasePart, BacklogPart>& parts,
                    const contexts::backlog::Work& work, std::string_view purpose,
                    contexts::Pieces pieces);

/// Removes everything that is stored of an image. For those too who stored something of an image
/// that was deleted meanwhile.
Status DeleteBlobs(const Uses<ConfigPart, BlobsPart>& parts, std::string_view id);

using ClearUpParts = Uses<ConfigPart, BlobsPart, DatabasePart, CatalogPart>;

/// The same, if there is no such image any more: for who stored something of it and cannot say so,
/// since the work is not theirs any more. Insists when the tables do not answer at once: nobody
/// else will come for it.
Status DeleteBlobsOfGone(const ClearUpParts& parts, std::string_view id);

/// The document's four steps, each of which may have been done before: who and what; records and
/// the limit, which comes back exactly once, as do the bytes of the quota; what hangs on the image;
/// blobs, and what was made of them. `work` is leased; it is complete when this succeeds.
Status DeleteImage(const DeletionParts& parts, const contexts::backlog::Work& work,
                   blobs::DerivedFiles& derived);

}  // namespace tintype::flows
