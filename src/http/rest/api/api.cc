#include "http/rest/api/api.h"

#include <utility>

#include "access/rest/rest_access.h"
#include "base/logging.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "contract/limits.h"
#include "http/rest/api/audited_operations.h"
#include "http/rest/api/known_names.h"

namespace tintype::http::rest {

Status Admit(Api& api, const Call& call, Caller& caller) {
  RETURN_IF_ERROR(Authenticator(api.product, api.identity, api.keys).Confirm(caller));
  if (caller.outcome != flows::OutsideOutcome::kKnown) {
    AuditOutsideSignIn(api.audit, call, caller.principal, caller.outcome);
  }
  return access::rest::Decide(caller.principal, call.operation->access);
}

Response JsonResponse(int status, std::string body) {
  Response response;
  response.status = status;
  response.headers.emplace_back("Content-Type", "application/json");
  // Answers are for whoever asked, as things are now.
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = std::move(body);
  return response;
}

Response Refuse(const Call& call, const Error& error) {
  if (call.notes != nullptr) {
    call.notes->refusal = ProblemOf(error).code;
  }
  if (ProblemOf(error).status >= 500) {
    LogError("request failed", {{"request_id", call.request_id},
                                {"path", call.target.path},
                                {"error", error.message()},
                                {"note", error.note()}});
  }
  return ProblemResponse(error, call.request_id);
}

Response Refuse(const Call& call, const Reason& reason, std::string detail) {
  return Refuse(call, Error(reason, std::move(detail)));
}

// An image's texts fit into a body with every character written as two escapes, which is the
// longest way that JSON has.
static_assert(12 * (limits::kTitle.max + limits::kDescription.max + limits::kAltText.max +
                    limits::kAlbumId.max + limits::kTags.max * limits::kTag.max) <
              kBodyBytesMax - 4096);

Status TakeJson(Call& call) {
  const contract::Operation& operation = *call.operation;
  const std::string& text = call.request.body;
  if (operation.json == nullptr && (operation.takes_body || text.empty())) {
    return OkStatus();
  }
  call.body = json::Parse(text, kBodyBytesMax);
  if (call.body.ok() && !call.body->is_object()) {
    call.body = Error::Validation("The body has to be a JSON object.");
  }
  if (operation.json != nullptr) {
    return call.body.ok() ? CheckFields(operation.json, *call.body) : OkStatus();
  }
  // Many clients send an empty object where nothing is asked for.
  constexpr contract::Fields kNoFields{};
  return call.body.ok() ? CheckFields(&kNoFields, *call.body)
                        : Status(Error::Validation("This operation takes no body."));
}

const Result<json::Value>& ReadBody(const Call& call) { return call.body; }

Result<std::optional<std::string>> OptionalText(const json::Value& body, std::string_view name) {
  const json::Value* member = body.Find(name);
  if (member == nullptr || member->is_null()) {
    return std::optional<std::string>();
  }
  if (member->text() == nullptr) {
    return Error::Validation(StrCat("`", name, "` has to be a string."));
  }
  return std::optional<std::string>(*member->text());
}

Result<std::string> RequiredText(const json::Value& body, std::string_view name) {
  ASSIGN_OR_RETURN(std::optional<std::string> text, OptionalText(body, name));
  if (!text) {
    return Error::Validation(StrCat("`", name, "` is missing."));
  }
  return *std::move(text);
}

Result<int64_t> PageLimit(const Call& call) {
  const std::optional<std::string> text = call.target.Parameter("limit");
  if (!text) {
    return limits::kPageSize.otherwise;
  }
  const std::optional<int64_t> limit = ParseInteger<int64_t>(*text);
  if (!limit || !limits::kPageSize.Allows(*limit)) {
    return Error::Validation(StrCat("`limit` is a number from ", limits::kPageSize.min, " to ",
                                    limits::kPageSize.max, "."));
  }
  return *limit;
}

Result<views::PageRequest> ReadPage(const Api& api, const Call& call, std::string_view list) {
  views::PageRequest page;
  ASSIGN_OR_RETURN(page.limit, PageLimit(call));
  if (const std::optional<std::string> cursor = call.target.Parameter("cursor")) {
    ASSIGN_OR_RETURN(page.after, OpenCursor(api.keys, list, call.account().id, *cursor));
  }
  return page;
}

void WriteCursor(json::Writer& json, const Api& api, const Call& call, std::string_view list,
                 const std::optional<tables::Item>& key) {
  json.Name("lastEvaluatedKey");
  if (key) {
    json.Text(SealCursor(api.keys, list, call.account().id, *key));
  } else {
    json.Null();
  }
}

}  // namespace tintype::http::rest
