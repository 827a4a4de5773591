#include "http/rest/api/problem.h"

#include <algorithm>
#include <array>
#include <utility>

#include "access/rest/rest_access.h"
#include "base/rate_limited.h"
#include "base/retry.h"
#include "base/strings.h"
#include "contexts/catalog/reasons.h"
#include "contexts/identity/reasons.h"
#include "contexts/intake/storage_use.h"
#include "contexts/people/reasons.h"
#include "darkroom/media_type.h"
#include "flows/accounts/change_password.h"
#include "flows/accounts/manage_accounts.h"
#include "flows/accounts/outside_sign_in.h"
#include "flows/accounts/sign_in.h"
#include "flows/uploads/upload.h"
#include "http/rest/protocol/reasons.h"
#include "json/writer.h"
#include "oidc/reasons.h"
#include "pipeline/profile_picture.h"

namespace tintype::http::rest {
namespace {

namespace identity = contexts::identity;

/// A reason whose name is the problem's `code`.
constexpr ProblemRow Named(const Reason& reason, int status) {
  return {reason, status, reason.name};
}

constexpr std::array kRows = {
    // Accounts and sessions.
    Named(identity::kEmailTaken, 409), Named(identity::kUsernameTaken, 409),
    Named(identity::kSetUpAlready, 403), Named(identity::kNotLoggedIn, 401),
    Named(flows::kInvalidCredentials, 401), Named(flows::kSignUpClosed, 403),
    Named(flows::kInvalidSetupToken, 403), Named(reasons::kInvalidCsrfToken, 403),
    Named(access::rest::kAdministratorsOnly, 403), Named(access::rest::kScopeMissing, 403),
    Named(access::rest::kSessionRequired, 403), Named(identity::kAccountDisabled, 403),
    Named(identity::kInvalidInvitation, 403), Named(identity::kInvalidOneTimeLink, 403),
    Named(identity::kAccountDeleting, 409), Named(identity::kTooManyApiKeys, 409),
    Named(flows::kInvitationRequired, 403), Named(flows::kWrongPassword, 403),
    Named(flows::kSignInAgain, 403), Named(flows::kOwnAccount, 403),
    Named(flows::kEmailNotVerified, 403), Named(flows::kLinkRequired, 403),
    Named(flows::kSignInExpired, 403), Named(flows::kLastSignIn, 409),
    Named(identity::kIdentityTaken, 409), Named(identity::kTooManyIdentities, 409),
    Named(oidc::kIssuerRefused, 403), ProblemRow{oidc::kInvalidToken, 403, "IssuerRefused"},
    ProblemRow{identity::kAdministratorNoMore, 403, "AdministratorsOnly"},
    ProblemRow{access::rest::kUnknownCaller, 401, "NotLoggedIn"},
    // Images.
    Named(contexts::catalog::kVersionChanged, 412), Named(reasons::kVersionRequired, 428),
    // Uploads.
    Named(contexts::people::kUploadLimitReached, 403), Named(contexts::intake::kQuotaExceeded, 403),
    Named(flows::kTooManyUploads, 429), Named(flows::kChecksumMismatch, 400),
    Named(darkroom::kUnsupportedMediaType, 415), Named(reasons::kUnsupportedTusVersion, 412),
    Named(reasons::kUploadExpired, 410), Named(reasons::kUploadInUse, 423),
    Named(reasons::kWrongOffset, 409), Named(reasons::kWrongSize, 400),
    Named(reasons::kUnknownChecksumAlgorithm, 400),
    Named(reasons::kPartChecksumMismatch, 460),  // As tus has it.
    // Links and media.
    Named(reasons::kInvalidLink, 403), Named(reasons::kLinkExpired, 403),
    Named(reasons::kPreconditionFailed, 412), Named(reasons::kRangeNotSatisfiable, 416),
    Named(reasons::kCannotResize, 422), Named(pipeline::kCannotUsePicture, 422),
    // HTTP in general.
    Named(reasons::kUnknownParameter, 400), Named(reasons::kRepeatedParameter, 400),
    Named(reasons::kUnknownField, 400), Named(reasons::kRepeatedField, 400),
    Named(reasons::kMethodNotAllowed, 405),
    ProblemRow{reasons::kUnsupportedContentType, 415, "UnsupportedMediaType"},
    Named(reasons::kTooManyRequests, 429), Named(reasons::kUnknownHost, 421),
    Named(reasons::kForeignOrigin, 403), ProblemRow{reasons::kDiskNearlyFull, 503, "Unavailable"},
    // All others, by their kind. Kinds without a row are the server's own fault. So is a refusal of
    // the caller that has no row above: it is another service that refuses the server.
    ProblemRow{ErrorKind::kValidation, 400, "InvalidRequest"},
    ProblemRow{ErrorKind::kNotFound, 404, "NotFound"},
    ProblemRow{ErrorKind::kInUse, 409, "Conflict"},
    ProblemRow{ErrorKind::kConditionFailed, 409, "Conflict"},
    ProblemRow{ErrorKind::kRequestTooLarge, 413, "TooLarge"},
    ProblemRow{ErrorKind::kLimitExceeded, 429, "TooManyRequests"},
    ProblemRow{ErrorKind::kOverloaded, 503, "Overloaded"},
    ProblemRow{ErrorKind::kUnavailable, 503, "Unavailable"},
    ProblemRow{ErrorKind::kAborted, 503, "Unavailable"},  // After all retries.
};

constexpr std::string_view kBusyItems = "Others are changing the same thing. Try again.";

/// The headers of draft-ietf-httpapi-ratelimit-headers: the limit that was reached, and how much of
/// it there is, which is nothing, for how long.
void AddRateLimit(Response& response, const RateLimited* limit, int64_t wait_s) {
  const std::string name = limit == nullptr ? "requests" : limit->policy;
  if (limit != nullptr) {
    std::string policy = StrCat("\"", name, "\";q=", limit->quota);
    if (limit->window_s > 0) {
      StrAppend(policy, ";w=", limit->window_s);
    }
    response.headers.emplace_back("RateLimit-Policy", std::move(policy));
  }
  response.headers.emplace_back("RateLimit", StrCat("\"", name, "\";r=0;t=", wait_s));
}

/// How long to wait when nobody knows.
int64_t UsualWait(int status) {
  constexpr int64_t kBusyS = 1;
  constexpr int64_t kLimitedS = 10;  // Something has to end first: waiting alone may not help.
  return status == 503 ? kBusyS : kLimitedS;
}

Response MakeResponse(const Problem& problem, std::string_view request_id,
                      const RetryAfter* retry) {
  json::Writer json;
  json.OpenObject();
  json.Text("type", "about:blank");
  json.Text("title", ReasonPhrase(problem.status));
  json.Integer("status", problem.status);
  json.Text("detail", problem.detail);
  json.Text("code", problem.code);
  json.Text("requestId", request_id);
  json.CloseObject();
  Response response;
  response.status = problem.status;
  response.headers.emplace_back("Content-Type", "application/problem+json");
  if (problem.status == 401) {
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  if (problem.status == 429 || problem.status == 503 || retry != nullptr) {
    const int64_t wait_s = retry != nullptr ? retry->seconds : UsualWait(problem.status);
    response.headers.emplace_back("Retry-After", std::to_string(wait_s));
    if (problem.status == 429) {
      AddRateLimit(response, dynamic_cast<const RateLimited*>(retry), wait_s);
    }
  }
  response.body = std::move(json).Take();
  return response;
}

}  // namespace

std::span<const ProblemRow> ProblemRows() { return kRows; }

Error ServerBusy() { return {ErrorKind::kOverloaded, "The server is busy. Try again."}; }

Problem ProblemOf(const Error& error) {
  for (const Reason& reason : {error.reason(), Reason(error.kind())}) {
    const auto* row = std::ranges::find(kRows, reason, &ProblemRow::reason);
    if (row != kRows.end()) {
      // The tables' own words about a transaction are for those who wrote it.
      return {row->status, std::string(row->code),
              error.Is(ErrorKind::kAborted) ? std::string(kBusyItems) : error.message()};
    }
  }
  return {500, "Internal", "The server made a mistake. It is in its log under the request's id."};
}

Response ProblemResponse(const Error& error, std::string_view request_id) {
  return MakeResponse(ProblemOf(error), request_id, error.DetailAs<RetryAfter>());
}

Response ProblemResponse(const Problem& problem, std::string_view request_id) {
  return MakeResponse(problem, request_id, nullptr);
}

}  // namespace tintype::http::rest
