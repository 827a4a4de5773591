#include <optional>
#include <string>
#include <utility>

#include "access/audit/link_json.h"
#include "access/audit/reader.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "http/rest/handlers/handlers.h"
#include "json/writer.h"

namespace tintype::http::rest {
namespace {

Result<std::optional<int64_t>> TimeParameter(const Call& call, const std::string& name) {
  const std::optional<std::string> given = call.target.Parameter(name);
  if (!given) {
    return std::optional<int64_t>();
  }
  const Result<int64_t> time_ms = ParseTimeText(*given);
  if (!time_ms.ok()) {
    return Error::Validation(
        StrCat("`", name, "` is a time such as 2026-02-28T23:59:59.999Z, in UTC."));
  }
  return std::optional(*time_ms);
}

Result<access::audit::Filter> ReadFilter(const Call& call) {
  access::audit::Filter filter;
  ASSIGN_OR_RETURN(filter.since_ms, TimeParameter(call, "since"));
  ASSIGN_OR_RETURN(filter.until_ms, TimeParameter(call, "until"));
  const auto text = [&call](const std::string& name) {
    return call.target.Parameter(name).value_or("");
  };
  filter.kind = text("kind");
  filter.principal = text("principal");
  filter.account = text("account");
  filter.address = text("address");
  filter.outcome = text("outcome");
  filter.subject = text("subject");
  if (!filter.outcome.empty() && !access::audit::OutcomeNamed(filter.outcome)) {
    return Error::Validation("`outcome` is `done`, `denied` or `failed`.");
  }
  return filter;
}

}  // namespace

Response GetAudit(Api& api, const Call& call) {
  const auto limit = PageLimit(call);
  if (!limit.ok()) {
    return Refuse(call, limit.error());
  }
  const auto filter = ReadFilter(call);
  if (!filter.ok()) {
    return Refuse(call, filter.error());
  }
  const auto page =
      api.audit_reader.List(*filter, *limit, call.target.Parameter("cursor").value_or(""));
  if (!page.ok()) {
    return Refuse(call, page.error());
  }
  json::Writer json;
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const access::audit::Link& link : page->links) {
    access::audit::WriteLink(json, link);
  }
  json.CloseArray();
  json.Name("lastEvaluatedKey");
  if (page->next) {
    json.Text(*page->next);
  } else {
    json.Null();
  }
  json.Bool("hasMore", page->next.has_value());
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

}  // namespace tintype::http::rest
