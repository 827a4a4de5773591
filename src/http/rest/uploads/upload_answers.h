#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "flows/uploads/upload.h"
#include "http/rest/api/api.h"

/// What the ways of uploading have in common.
namespace tintype::http::rest {

/// The answer to an upload that went well: the image, 202, or 200 when the user had it before, with
/// `restored` when that was in the trash.
Response AnswerUpload(Api& api, const Call& call, const flows::CompletedUpload& completed);

/// Says where the image of a resumable upload is: `X-Image-Id`, `X-Image-Duplicate` when the user
/// had it before, and `X-Image-Restored` when that was in the trash.
void AddImageHeaders(const flows::CompletedUpload& completed, Response& response);

/// Takes one of the beginnings that an account has a minute. Errors: 429 with the time to wait.
Status CheckUploadRate(Api& api, const flows::Account& account);

/// Errors: 413.
Status CheckUploadSize(const Api& api, int64_t bytes);

/// Errors: 503 when the disk has no room for so many bytes of photos.
Status CheckDisk(const Api& api, int64_t bytes);

/// Fills what an upload says of itself from texts by their names, as forms, queries and metadata
/// have them. `text` answers nothing for what was not given. Errors: kValidation.
Status ReadUploadTexts(
    const std::function<std::optional<std::string>(const std::string& name)>& text,
    flows::UploadRequest& request);

/// The name of the file without whatever folders a client has put before it; `photo` for none.
std::string UploadFilename(std::string_view path);

}  // namespace tintype::http::rest
