#include <string>
#include <string_view>
#include <utility>

#include "base/numbers.h"
#include "flows/analysis/read_result.h"
#include "http/rest/api/image_json.h"
#include "http/rest/handlers/handlers.h"
#include "json/writer.h"
#include "views/images.h"
#include "views/records.h"

/// The records of media, and the files that were made of them beside pictures.
namespace tintype::http::rest {
namespace {

Response RecordResponse(const Call& call, const Result<tables::Item>& record) {
  if (!record.ok()) {
    return Refuse(call, record.error());
  }
  json::Writer json;
  WriteItem(json, record->view());
  return JsonResponse(200, std::move(json).Take());
}

Response MadeFileResponse(Api& api, const Call& call, flows::MadeFile which,
                          std::string_view type) {
  const std::string& id = call.parameters[0];
  const Status own = views::CheckOwnImage(api.views, call.account(), id);
  if (!own.ok()) {
    return Refuse(call, own.error());
  }
  Result<std::string> found = flows::ReadMadeFile(api.product, id, which);
  if (!found.ok()) {
    return Refuse(call, found.error());
  }
  Response response;
  response.headers.emplace_back("Content-Type", type);
  response.body = *std::move(found);
  return response;
}

}  // namespace

Response GetMediaRecord(Api& api, const Call& call) {
  return RecordResponse(call,
                        views::FindMediaRecord(api.views, call.account(), call.parameters[0]));
}

Response GetAnalysisRecord(Api& api, const Call& call) {
  return RecordResponse(call,
                        views::FindAnalysisRecord(api.views, call.account(), call.parameters[0]));
}

Response GetAnalysisResult(Api& api, const Call& call) {
  const std::string& id = call.parameters[0];
  const Status own = views::CheckOwnImage(api.views, call.account(), id);
  if (!own.ok()) {
    return Refuse(call, own.error());
  }
  Result<std::string> found = flows::ReadAnalysisResult(api.product, id, call.parameters[1]);
  return found.ok() ? JsonResponse(200, *std::move(found)) : Refuse(call, found.error());
}

Response GetWaveform(Api& api, const Call& call) {
  return MadeFileResponse(api, call, flows::MadeFile::kWaveform, "application/json");
}

Response GetDocumentText(Api& api, const Call& call) {
  return MadeFileResponse(api, call, flows::MadeFile::kText, "text/plain; charset=utf-8");
}

Response GetDocumentPage(Api& api, const Call& call) {
  const std::string& id = call.parameters[0];
  const Status own = views::CheckOwnImage(api.views, call.account(), id);
  if (!own.ok()) {
    return Refuse(call, own.error());
  }
  const auto page = ParseDigits<int64_t>(call.parameters[1]);
  Result<std::string> found = flows::ReadDocumentPage(api.product, id, page.value_or(0));
  if (!found.ok()) {
    return Refuse(call, found.error());
  }
  Response response;
  response.headers.emplace_back("Content-Type", "image/png");
  // The original never changes, and so does no page of it.
  response.headers.emplace_back("Cache-Control", "private, max-age=86400");
  response.body = *std::move(found);
  return response;
}

Response GetCaptions(Api& api, const Call& call) {
  return MadeFileResponse(api, call, flows::MadeFile::kCaptions, "text/vtt; charset=utf-8");
}

}  // namespace tintype::http::rest
