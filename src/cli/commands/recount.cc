#include "cli/commands/recount.h"

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/strings.h"
#include "cli/console/console.h"
#include "cli/console/interruption.h"
#include "flows/uploads/recount_storage.h"

namespace tintype::cli {
namespace {

constexpr std::chrono::milliseconds kLookAtCountAgain{200};

/// Until it has ended or was given up, whoever began it.
Result<AdminFields> WaitForCount(flows::Product& product, const ProgressReport& report) {
  flows::RecountProgress last;
  for (;;) {
    ASSIGN_OR_RETURN(const std::optional<flows::RecountProgress> progress,
                     flows::FindRecount(product));
    if (!progress) {
      return AdminFields{{"state", "given up"}, {"images", last.seen}};
    }
    if (progress->ended) {
      return AdminFields{{"state", "ended"}, {"images", progress->seen}};
    }
    last = *progress;
    if (!report({"images counted", static_cast<uint64_t>(last.seen), 0})) {
      return Error(ErrorKind::kUnavailable, "Nobody waits for the count any more; it goes on.");
    }
    std::this_thread::sleep_for(kLookAtCountAgain);
  }
}

Result<AdminFields> Recount(const ProductHost& host, const ProgressReport& report) {
  RETURN_IF_ERROR(flows::StartRecount(host.product));
  return host.has_workers ? WaitForCount(host.product, report)
                          : Result<AdminFields>(AdminFields{{"state", "queued"}});
}

/// What came of it, for a person.
Result<std::string> CountSummary(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const std::string state, fields.Text("state"));
  if (state == "queued") {
    return std::string("queued: it is counted when a server runs");
  }
  ASSIGN_OR_RETURN(const int64_t images, fields.Number("images"));
  return StrCat(images, " images were counted",
                state == "ended" ? ": 'tintype users list' shows what accounts store" : "");
}

/// That it was given up, if it was.
Status ComplainOfCount(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const std::string state, fields.Text("state"));
  return state == "given up"
             ? Status(Error(ErrorKind::kUnavailable,
                            StrCat("The count was given up before its end, and the usage shown for "
                                   "accounts may be wrong; 'tintype work show ",
                                   flows::kRecountWork,
                                   "' says why, unless somebody has purged it. The same command "
                                   "begins again")))
             : OkStatus();
}

}  // namespace

Status RunRebuildUsage(const RecountArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const Interruption interruption;
  const auto fields = DoOnProduct(config, {"rebuild-usage", {}}, RebuildUsageCommand,
                                  [show = console.report()](const ProgressStep& step) {
                                    return show(step) && !Interruption::requested();
                                  });
  if (!fields.ok()) {
    return console.Fail(
        fields.error().kind() == ErrorKind::kUnavailable && Interruption::requested()
            ? Error(ErrorKind::kUnavailable,
                    "The count goes on in the server. The same command shows how far it is")
            : fields.error());
  }
  ASSIGN_OR_RETURN(const std::string text, CountSummary(*fields));
  RETURN_IF_ERROR(console.End(OkStatus(), *fields, text));
  return ComplainOfCount(*fields);
}

AdminCommand RebuildUsageCommand(const ProductHost& host) {
  return [host](const AdminFields& /*arguments*/, const ProgressReport& report) {
    return Recount(host, report);
  };
}

}  // namespace tintype::cli
