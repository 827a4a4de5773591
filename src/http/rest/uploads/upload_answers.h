#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "flows/upload.h"
#include "http/rest/api/api.h"

/// What the ways of uploading have in common.
namespace tintype::http::rest {

/// Carried by an error that has a status of its own.
struct HttpRefusal : ErrorDetail {
  int status = 400;
  std::string code;
  int64_t retry_after_s = 0;  // 0: not said.
};
Error RefusalError(int status, std::string_view code, std::string message,
                   int64_t retry_after_s = 0);

/// The answer to an upload that went wrong: what HttpRefusal says, and the limits by their names.
Response RefuseUpload(const Call& call, const Error& error);

/// The answer to one that went well: the image, 202, or 200 when the user had it before.
Response AnswerUpload(Api& api, const Call& call, const flows::CompletedUpload& completed);

/// Says where the image of a resumable upload is: `X-Image-Id`, and `X-Image-Duplicate` when the
/// user had it before.
void AddImageHeaders(const flows::CompletedUpload& completed, Response& response);

/// Takes one of the beginnings that an account has a minute. Errors: 429 with the time to wait.
Status CheckUploadRate(Api& api, const flows::Account& account);

/// Errors: 413.
Status CheckUploadSize(const Api& api, int64_t bytes);

/// Errors: 503 when the disk has no room for so many bytes of photos.
Status CheckDisk(const Api& api, int64_t bytes);

/// The type that the first bytes tell. Errors: 415 when it is none that is taken.
Result<std::string> AcceptedType(std::string_view first_bytes);

/// Fills what an upload says of itself from texts by their names, as forms, queries and metadata
/// have them. `text` answers nothing for what was not given. Errors: kValidation.
Status ReadUploadTexts(
    const std::function<std::optional<std::string>(const std::string& name)>& text,
    flows::UploadRequest& request);

/// The name of the file without whatever folders a client has put before it; `photo` for none.
std::string UploadFilename(std::string_view path);

}  // namespace tintype::http::rest
