#include "cli/commands/reanalyse.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "base/strings.h"
#include "cli/console/console.h"
#include "cli/console/interruption.h"
#include "flows/analysis/reanalyse.h"

namespace tintype::cli {
namespace {

constexpr std::chrono::milliseconds kLookAtAnalysisAgain{200};

Result<flows::ReanalyseRequest> ReanalyseRequestOf(const AdminFields& arguments) {
  flows::ReanalyseRequest request;
  // As one text, since fields are flat: kinds have no commas.
  ASSIGN_OR_RETURN(const std::string kinds, arguments.Text("kinds"));
  for (size_t begin = 0; begin < kinds.size();) {
    const size_t end = std::min(kinds.find(',', begin), kinds.size());
    request.kinds.push_back(kinds.substr(begin, end - begin));
    begin = end + 1;
  }
  ASSIGN_OR_RETURN(request.image_id, arguments.Text("image"));
  ASSIGN_OR_RETURN(const int64_t again, arguments.Number("again"));
  request.again = again != 0;
  return request;
}

AdminFields FieldsOf(std::string state, const flows::ReanalyseProgress& progress) {
  return {{"state", std::move(state)}, {"images", progress.seen}, {"queued", progress.queued}};
}

/// Until it has ended or was given up, whoever began it.
Result<AdminFields> WaitForReanalysis(flows::Product& product, const ProgressReport& report) {
  flows::ReanalyseProgress last;
  for (;;) {
    ASSIGN_OR_RETURN(const std::optional<flows::ReanalyseProgress> progress,
                     flows::FindReanalysis(product));
    if (!progress) {
      return FieldsOf("given up", last);
    }
    if (progress->ended) {
      return FieldsOf("ended", *progress);
    }
    last = *progress;
    if (!report({"images looked at", static_cast<uint64_t>(last.seen), 0})) {
      return Error(ErrorKind::kUnavailable, "Nobody waits for it any more; it goes on.");
    }
    std::this_thread::sleep_for(kLookAtAnalysisAgain);
  }
}

Result<AdminFields> Reanalyse(const ProductHost& host, const AdminFields& arguments,
                              const ProgressReport& report) {
  ASSIGN_OR_RETURN(const flows::ReanalyseRequest request, ReanalyseRequestOf(arguments));
  RETURN_IF_ERROR(flows::StartReanalysis(host.product, request));
  return host.has_workers ? WaitForReanalysis(host.product, report)
                          : Result<AdminFields>(FieldsOf("queued", {}));
}

/// What came of it, for a person.
Result<std::string> ReanalysisSummary(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const std::string state, fields.Text("state"));
  if (state == "queued") {
    return std::string("queued: it begins when a server runs");
  }
  ASSIGN_OR_RETURN(const int64_t images, fields.Number("images"));
  ASSIGN_OR_RETURN(const int64_t queued, fields.Number("queued"));
  return StrCat(images, " images were looked at, ", queued,
                " of them have something to be done, which is queued");
}

/// That it was given up, if it was.
Status ComplainOfReanalysis(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const std::string state, fields.Text("state"));
  return state == "given up"
             ? Status(Error(ErrorKind::kUnavailable,
                            StrCat("It was given up before its end; 'tintype work show ",
                                   flows::kReanalyseWork,
                                   "' says why, unless somebody has purged it. The same command "
                                   "begins again")))
             : OkStatus();
}

}  // namespace

Status RunRebuildAnalysis(const ReanalyseArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const Interruption interruption;
  const AdminFields asked = {{"kinds", StrJoin(arguments.kinds, ",")},
                             {"image", arguments.image},
                             {"again", static_cast<int64_t>(arguments.again)}};
  const auto fields = DoOnProduct(config, {"rebuild-analysis", asked}, RebuildAnalysisCommand,
                                  [show = console.report()](const ProgressStep& step) {
                                    return show(step) && !Interruption::requested();
                                  });
  if (!fields.ok()) {
    return console.Fail(
        fields.error().kind() == ErrorKind::kUnavailable && Interruption::requested()
            ? Error(ErrorKind::kUnavailable,
                    "It goes on in the server. The same command shows how far it is")
            : fields.error());
  }
  ASSIGN_OR_RETURN(const std::string text, ReanalysisSummary(*fields));
  RETURN_IF_ERROR(console.End(OkStatus(), *fields, text));
  return ComplainOfReanalysis(*fields);
}

AdminCommand RebuildAnalysisCommand(const ProductHost& host) {
  return [host](const AdminFields& arguments, const ProgressReport& report) {
    return Reanalyse(host, arguments, report);
  };
}

}  // namespace tintype::cli
