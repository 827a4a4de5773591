#include <optional>
#include <utility>

#include "base/strings.h"
#include "contract/limits.h"
#include "flows/images/edit_image.h"
#include "http/rest/api/image_json.h"
#include "http/rest/handlers/handlers.h"
#include "http/rest/protocol/rate_limit.h"
#include "http/rest/protocol/reasons.h"
#include "json/writer.h"
#include "pipeline/edit_operations.h"
#include "pipeline/edit_step.h"
#include "views/jobs.h"

namespace tintype::http::rest {
namespace {

using contexts::jobs::Job;

Result<flows::JobRequest> ReadJob(const Call& call) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  flows::JobRequest request;
  ASSIGN_OR_RETURN(request.image_id, RequiredText(body, "imageId"));
  RETURN_IF_ERROR(limits::CheckText("imageId", request.image_id, limits::kId));
  ASSIGN_OR_RETURN(request.provider, RequiredText(body, "provider"));
  if (!pipeline::IsProvider(request.provider)) {
    return Error::Validation("`provider` is none of `local`, `stub`.");
  }
  const json::Value* operations = body.Find("operations");
  if (operations == nullptr) {
    return Error::Validation("`operations` is missing.");
  }
  json::Writer json;
  json.Any(*operations);
  request.operations = std::move(json).Take();
  RETURN_IF_ERROR(pipeline::ParseEditOperations(request.operations));
  request.correlation_id = call.request_id;
  request.trace_id = call.trace_id;
  return request;
}

Status CheckJobRate(Api& api, const flows::Account& account) {
  const std::optional<int64_t> wait_s = api.job_rate.Take(account.id);
  if (!wait_s) {
    return OkStatus();
  }
  return Error(reasons::kTooManyRequests,
               StrCat("Too many edits were asked for. Try again in ", *wait_s, " s."))
      .WithDetail(api.job_rate.Exceeded("jobs", *wait_s));
}

Response JobResponse(const Call& call, int status, const Result<Job>& job) {
  if (!job.ok()) {
    return Refuse(call, job.error());
  }
  json::Writer json;
  WriteJob(json, *job);
  return JsonResponse(status, std::move(json).Take());
}

}  // namespace

Response PostJob(Api& api, const Call& call) {
  // Before anything is read: whether one more may wait takes a look at as many as may.
  if (const Status fine = CheckJobRate(api, call.account()); !fine.ok()) {
    return Refuse(call, fine.error());
  }
  const Result<flows::JobRequest> request = ReadJob(call);
  if (!request.ok()) {
    return Refuse(call, request.error());
  }
  const Result<Job> job = flows::CreateJob(api.product, call.account(), *request);
  api.wake();
  return JobResponse(call, 202, job);
}

Response GetJobs(Api& api, const Call& call) {
  constexpr std::string_view kList = "jobs";
  const auto page = ReadPage(api, call, kList);
  if (!page.ok()) {
    return Refuse(call, page.error());
  }
  const auto list = views::ListJobs(api.views, call.account(), *page);
  if (!list.ok()) {
    return Refuse(call, list.error());
  }
  json::Writer json;
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const Job& job : list->jobs) {
    WriteJob(json, job);
  }
  json.CloseArray();
  WriteCursor(json, api, call, kList, list->next);
  json.Bool("hasMore", list->next.has_value());
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response GetJob(Api& api, const Call& call) {
  return JobResponse(call, 200, views::FindJob(api.views, call.account(), call.parameters[0]));
}

Response DeleteJob(Api& api, const Call& call) {
  const Status cancelled = flows::CancelJob(api.product, call.account(), call.parameters[0]);
  if (!cancelled.ok()) {
    return Refuse(call, cancelled.error());
  }
  Response response;
  response.status = 204;
  return response;
}

}  // namespace tintype::http::rest
