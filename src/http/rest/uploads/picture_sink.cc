#include "http/rest/uploads/picture_sink.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/random.h"
#include "base/strings.h"
#include "contract/limits.h"
#include "flows/accounts/profile_picture.h"
#include "http/rest/api/account_json.h"
#include "http/rest/api/audited_operations.h"
#include "http/rest/protocol/rate_limit.h"
#include "http/rest/protocol/reasons.h"
#include "http/rest/uploads/upload_answers.h"
#include "pipeline/profile_picture.h"

namespace tintype::http::rest {
namespace {

/// Each keeps a processor busy for a moment.
Status CheckPictureRate(Api& api, const flows::Account& account) {
  const std::optional<int64_t> wait_s = api.picture_rate.Take(account.id);
  if (!wait_s) {
    return OkStatus();
  }
  return Error(reasons::kTooManyRequests,
               StrCat("Too many profile pictures were sent. Try again in ", *wait_s, " s."))
      .WithDetail(api.picture_rate.Exceeded("pictures", *wait_s));
}

}  // namespace

Status CheckPictureSize(int64_t bytes) {
  if (limits::kPictureBytes.max < bytes) {
    return Error(ErrorKind::kRequestTooLarge, StrCat("A profile picture may have at most ",
                                                     limits::kPictureBytes.max, " bytes."));
  }
  return OkStatus();
}

PictureSink::PictureSink(Api& api, Pool& pool, const Call& call)
    : api_(api), pool_(pool), call_(call) {}

void PictureSink::Write(std::string_view piece, OnceCallback<std::optional<Response>> next) {
  const auto take = [this, piece] {
    const Status taken = Take(piece);
    return taken.ok() ? std::nullopt : std::optional(Refuse(*call_, taken.error()));
  };
  call_.TakeOnPool(api_, pool_, take, std::move(next));
}

Status PictureSink::Take(std::string_view piece) {
  RETURN_IF_ERROR(CheckPictureSize(bytes_ + static_cast<int64_t>(piece.size())));
  RETURN_IF_ERROR(CheckDisk(api_, static_cast<int64_t>(piece.size())));
  if (unfinished_ == nullptr) {
    RETURN_IF_ERROR(CheckPictureRate(api_, call_->account()));
    ASSIGN_OR_RETURN(unfinished_, api_.product.blobs.Create({api_.product.config.uploads_bucket,
                                                             StrCat("pictures/", RandomUuid())}));
    RETURN_IF_ERROR(blobs::DescriptorOf(*unfinished_));
  }
  while (!piece.empty()) {
    const ssize_t count =
        ::pwrite(unfinished_->descriptor(), piece.data(), piece.size(), static_cast<off_t>(bytes_));
    if (count < 0 && errno != EINTR) {
      return errno == ENOSPC || errno == EDQUOT
                 ? Error(ErrorKind::kUnavailable, "The server's disk has no room for this.")
                 : Error::Io(StrCat("A picture cannot be written: ", std::strerror(errno)));
    }
    if (count > 0) {
      piece.remove_prefix(static_cast<size_t>(count));
      bytes_ += count;
    }
  }
  return OkStatus();
}

Result<flows::Account> PictureSink::SetPicture() {
  if (unfinished_ == nullptr) {
    return Error::Validation("The file is empty.");
  }
  if (::lseek(unfinished_->descriptor(), 0, SEEK_SET) != 0) {
    return Error::Io(StrCat("A picture cannot be read: ", std::strerror(errno)));
  }
  const std::string& account_id = call_->account().id;
  ASSIGN_OR_RETURN(const std::string jpeg,
                   api_.pictures.Make(account_id, unfinished_->descriptor()));
  Result<flows::Account> changed = flows::SetProfilePicture(api_.product, account_id, jpeg);
  api_.identity.live.Forget();
  return changed;
}

Response PictureSink::Finish() {
  const Result<flows::Account> changed = SetPicture();
  unfinished_.reset();
  if (!changed.ok()) {
    return Refuse(*call_, changed.error());
  }
  AuditPicture(api_.audit, *call_);
  return MeResponse(api_, *call_, *changed);
}

}  // namespace tintype::http::rest
