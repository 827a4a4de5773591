#include "cli/rebuild.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "base/strings.h"
#include "cli/console.h"
#include "cli/interruption.h"
#include "flows/rebuild.h"

namespace tintype::cli {
namespace {

using flows::RebuildProgress;
using flows::RebuildRequest;
using Which = RebuildRequest::Which;

constexpr std::chrono::milliseconds kLookAgain{200};

/// The ids as one text, since fields are flat: ids have no spaces.
std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) {
      parts.push_back(text.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return parts;
}

Result<RebuildRequest> RequestOf(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string which, arguments.Text("which"));
  ASSIGN_OR_RETURN(const std::string user, arguments.Text("user"));
  ASSIGN_OR_RETURN(const std::string images, arguments.Text("images"));
  RebuildRequest request;
  if (which == "all") {
    request.which = Which::kAll;
  } else if (which == "missing") {
    request.which = Which::kMissing;
  } else if (which == "failed") {
    request.which = Which::kFailed;
  } else if (which == "images") {
    request.which = Which::kImages;
    request.image_ids = Split(images);
  } else if (which == "user") {
    request.which = Which::kUser;
    ASSIGN_OR_RETURN(const auto account, product.accounts.FindForLogin(user));
    if (!account) {
      return Error::NotFound(StrCat("There is no account '", user, "'."));
    }
    request.user_id = account->account.id;
  } else {
    return Error::Validation(StrCat("There is no choice '", which, "'."));
  }
  return request;
}

/// How many images could not be rebuilt, now or earlier, and wait for somebody to look at them.
Result<int64_t> CountDead(flows::Product& product) {
  constexpr int64_t kCountedMax = 10'000;
  ASSIGN_OR_RETURN(const auto count,
                   product.backlog.CountIn(contexts::backlog::WorkStatus::kDead,
                                           contexts::backlog::Priority::kLow, kCountedMax));
  return count.total();
}

Result<AdminFields> DryRun(flows::Product& product, const RebuildRequest& request,
                           const ProgressReport& report) {
  ASSIGN_OR_RETURN(const RebuildProgress count,
                   flows::CountRebuild(product, request, [&](const RebuildProgress& progress) {
                     return report({"images looked at", static_cast<uint64_t>(progress.seen), 0});
                   }));
  return AdminFields{{"state", "dry run"}, {"images", count.total}, {"chosen", count.queued}};
}

/// Until it has ended, whoever began it.
Result<AdminFields> WaitForEnd(flows::Product& product, const ProgressReport& report) {
  RebuildProgress last;
  for (;;) {
    ASSIGN_OR_RETURN(const std::optional<RebuildProgress> progress, flows::FindRebuild(product));
    ASSIGN_OR_RETURN(const int64_t dead, CountDead(product));
    if (!progress) {
      return AdminFields{
          {"state", "ended"}, {"images", last.total}, {"chosen", last.queued}, {"failed", dead}};
    }
    last = *progress;
    ProgressStep step;
    step.stage = "rebuild";
    step.unit = "images";
    step.done = static_cast<uint64_t>(std::max<int64_t>(0, progress->seen - progress->left));
    step.total = static_cast<uint64_t>(std::max(progress->total, progress->seen));
    step.detail = StrCat(progress->queued - progress->left, " rebuilt",
                         dead > 0 ? StrCat(", ", dead, " failed") : "");
    if (!report(step)) {
      return Error(ErrorCode::kUnavailable, "Nobody waits for the rebuild any more; it goes on.");
    }
    std::this_thread::sleep_for(kLookAgain);
  }
}

Result<AdminFields> Rebuild(const ProductHost& host, const AdminFields& arguments,
                            const ProgressReport& report) {
  ASSIGN_OR_RETURN(const RebuildRequest request, RequestOf(host.product, arguments));
  ASSIGN_OR_RETURN(const bool dry_run, arguments.Flag("dry_run"));
  if (dry_run) {
    return DryRun(host.product, request, report);
  }
  RETURN_IF_ERROR(flows::StartRebuild(host.product, request));
  if (host.has_workers) {
    return WaitForEnd(host.product, report);
  }
  ASSIGN_OR_RETURN(const auto progress, flows::FindRebuild(host.product));
  return AdminFields{{"state", "queued"}, {"images", progress ? progress->total : 0}};
}

std::string_view WhichOf(const RebuildArguments& arguments) {
  if (!arguments.user.empty()) {
    return "user";
  }
  if (!arguments.images.empty()) {
    return "images";
  }
  if (arguments.missing) {
    return "missing";
  }
  return arguments.failed ? "failed" : "all";
}

/// What came of it, for a person.
Result<std::string> Summary(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const std::string state, fields.Text("state"));
  ASSIGN_OR_RETURN(const int64_t images, fields.Number("images"));
  if (state == "queued") {
    return StrCat("queued: ", images, " images are looked at when a server runs");
  }
  ASSIGN_OR_RETURN(const int64_t chosen, fields.Number("chosen"));
  return StrCat(chosen, " of ", images, " images ",
                state == "ended" ? "were chosen, and are done" : "would be rebuilt");
}

}  // namespace

Status RunRebuildRenditions(const RebuildArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const Interruption interruption;
  const AdminMessage request = {"rebuild-renditions",
                                {{"which", std::string(WhichOf(arguments))},
                                 {"user", arguments.user},
                                 {"images", StrJoin(arguments.images, " ")},
                                 {"dry_run", arguments.dry_run}}};
  const auto fields = DoOnProduct(config, request, RebuildRenditionsCommand,
                                  [show = console.report()](const ProgressStep& step) {
                                    return show(step) && !Interruption::requested();
                                  });
  if (!fields.ok()) {
    return console.Fail(Interruption::requested() && !arguments.dry_run
                            ? Error(ErrorCode::kUnavailable,
                                    "The rebuild goes on in the server. The same command shows "
                                    "how far it is")
                            : fields.error());
  }
  ASSIGN_OR_RETURN(const std::string text, Summary(*fields));
  RETURN_IF_ERROR(console.End(OkStatus(), *fields, text));
  const Result<int64_t> failed = fields->Number("failed");
  return failed.ok() && *failed > 0
             ? Status(Error::Io(StrCat(*failed,
                                       " could not be rebuilt and keep what they had; 'tintype "
                                       "jobs list' says why")))
             : OkStatus();
}

AdminCommand RebuildRenditionsCommand(const ProductHost& host) {
  return [host](const AdminFields& arguments, const ProgressReport& report) {
    return Rebuild(host, arguments, report);
  };
}

}  // namespace tintype::cli
