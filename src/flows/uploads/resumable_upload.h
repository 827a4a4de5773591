#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "blobs/hashing_writer.h"
#include "blobs/spool.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/image.h"
#include "contexts/intake/intake.h"
#include "flows/parts.h"
#include "flows/uploads/upload.h"

/// Uploads that last longer than one request: into the spool piece by piece, or to the blob store
/// itself by a link; until all bytes are there and they are completed as any other.
namespace tintype::flows {

using ResumableUploadParts = Uses<ConfigPart, DatabasePart, BlobsPart, SpoolPart, RoomPart,
                                  BeginningsPart, HashingPart, ClockPart, IdsPart, AccountsPart,
                                  CatalogPart, IntakePart, PeoplePart, AnalysisPart, BacklogPart>;

/// An upload of this account that is on its way. Errors: kNotFound, for others' too; kUnavailable
/// when its bytes are in another node's spool.
Result<contexts::intake::Upload> FindOwnUpload(const ResumableUploadParts& parts,
                                               const Account& account, std::string_view id);

/// A direct upload that is on its way, for those who have its link. Errors: kNotFound.
Result<contexts::intake::Upload> FindDirectUpload(const ResumableUploadParts& parts,
                                                  std::string_view id);

/// What became of a long upload that has ended well, for those who ask again: its image, with
/// whether it had been there before. Nothing when there is no such image of this account.
Result<std::optional<CompletedUpload>> FindCompletedUpload(const ResumableUploadParts& parts,
                                                           const Account& account,
                                                           std::string_view id);

/// How many bytes of a resumable upload are kept for certain: what was recorded, unless the disk
/// has lost some of that.
Result<int64_t> KeptBytes(const ResumableUploadParts& parts,
                          const contexts::intake::Upload& upload);

/// Makes the bytes of the file so far survive whatever comes, and then says so in the upload's
/// record, together with the type that `upload` has; its time begins anew, within seven times the
/// time of one. Errors: kNotFound when the upload was given up meanwhile.
Status KeepProgress(const ResumableUploadParts& parts, contexts::intake::Upload& upload,
                    blobs::SpoolFile& file);

/// The time of an upload begins anew, as with progress: its bytes came in one request, which may
/// have lasted longer. Errors: kNotFound when it was given up meanwhile.
Status ProlongUpload(const ResumableUploadParts& parts, const contexts::intake::Upload& upload);

/// Makes an image of an upload whose bytes are all in the spool. May be repeated after a crash or
/// any failure: nothing is lost. `claim` has begun. `hashes` are those of its bytes for callers
/// that know them; else all are read. Errors: as CompleteUpload.
Result<CompletedUpload> CompleteSpooled(const ResumableUploadParts& parts,
                                        const blobs::SpoolClaim& claim, const Account& account,
                                        const contexts::intake::Upload& upload,
                                        const std::optional<blobs::ContentHashes>& hashes = {});

/// Gives up an upload of this account as soon as nobody is at work on it, whoever has begun.
/// Errors: kNotFound when there is none, or it has become an image; kInUse when that work takes
/// long.
Status CancelUpload(const ResumableUploadParts& parts, const Account& account, std::string_view id);

/// So many first bytes of a file are enough to tell its type.
inline constexpr size_t kFirstBytes = 512;
/// The media type of a file that begins like this.
using TypeOf = std::function<std::string(std::string_view first_bytes)>;

/// Makes an image of what a client has put into the blob store for a direct upload: from now on its
/// link does not reach it. May be repeated. `claim` has begun. Errors: kConditionFailed when
/// nothing was put, or something of another size than was announced, which the client can mend;
/// kChecksumMismatch, after which the upload was given up; as CompleteUpload; those of the store.
Result<CompletedUpload> CompleteDirect(const ResumableUploadParts& parts,
                                       const blobs::SpoolClaim& claim, const Account& account,
                                       const contexts::intake::Upload& upload,
                                       const TypeOf& type_of);

/// The work kAbandonWork: gives up an upload whose time has passed. One that has got more time
/// meanwhile waits for it, and one that a request is at for its end; one whose bytes are all there
/// is completed, though nobody asked again. One in another node's spool is left to that node, until
/// as much time again has passed. `work` is leased.
Status ExpireUpload(const ResumableUploadParts& parts, const contexts::backlog::Work& work,
                    const TypeOf& type_of);

/// Removes bytes in the spool that belong to no upload: a crash leaves them between an upload's end
/// and their removal. Looks at this node's spool alone. For the start, when nobody uploads.
Status RemoveOrphanedSpool(const ResumableUploadParts& parts);

}  // namespace tintype::flows
