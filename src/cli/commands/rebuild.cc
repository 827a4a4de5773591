#include "cli/commands/rebuild.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "base/strings.h"
#include "cli/commands/account_named.h"
#include "cli/console/console.h"
#include "cli/console/interruption.h"
#include "flows/upkeep/rebuild.h"

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
    ASSIGN_OR_RETURN(const flows::Account account, AccountNamed(product, user));
    request.user_id = account.id;
  } else {
    return Error::Validation(StrCat("There is no choice '", which, "'."));
  }
  return request;
}

Result<AdminFields> DryRun(flows::Product& product, const RebuildRequest& request,
                           const ProgressReport& report) {
  ASSIGN_OR_RETURN(const RebuildProgress count,
                   flows::CountRebuild(product, request, [&](const RebuildProgress& progress) {
                     return report({"images looked at", static_cast<uint64_t>(progress.seen), 0});
                   }));
  return AdminFields{{"state", "dry run"}, {"images", count.total}, {"chosen", count.queued}};
}

/// What came of one that is not going on any more.
Result<AdminFields> Outcome(flows::Product& product, const RebuildProgress& last) {
  ASSIGN_OR_RETURN(const flows::RebuildOutcome outcome, flows::FindRebuildOutcome(product, last));
  return AdminFields{{"state", outcome.complete ? "ended" : "given up"},
                     {"images", last.total},
                     {"seen", last.seen},
                     {"chosen", last.queued},
                     {"rebuilt", outcome.progress.rebuilt()},
                     {"failed", outcome.progress.failed}};
}

/// Until it has ended, whoever began it.
Result<AdminFields> WaitForEnd(flows::Product& product, const ProgressReport& report) {
  RebuildProgress last;
  for (;;) {
    ASSIGN_OR_RETURN(const std::optional<RebuildProgress> progress, flows::FindRebuild(product));
    if (!progress) {
      return Outcome(product, last);
    }
    last = *progress;
    ProgressStep step;
    step.stage = "rebuild";
    step.unit = "images";
    step.done = static_cast<uint64_t>(std::max<int64_t>(0, progress->seen - progress->left));
    step.total = static_cast<uint64_t>(std::max(progress->total, progress->seen));
    step.detail = StrCat(progress->rebuilt(), " rebuilt",
                         progress->failed > 0 ? StrCat(", ", progress->failed, " failed") : "");
    if (!report(step)) {
      return Error(ErrorKind::kUnavailable, "Nobody waits for the rebuild any more; it goes on.");
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

/// Empty for none, which is refused: only --all is all.
std::string_view WhichOf(const RebuildArguments& arguments) {
  if (arguments.all) {
    return "all";
  }
  if (!arguments.user.empty()) {
    return "user";
  }
  if (!arguments.images.empty()) {
    return "images";
  }
  if (arguments.missing) {
    return "missing";
  }
  return arguments.failed ? "failed" : "";
}

/// What came of it, for a person.
Result<std::string> Summary(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const std::string state, fields.Text("state"));
  ASSIGN_OR_RETURN(const int64_t images, fields.Number("images"));
  if (state == "queued") {
    return StrCat("queued: ", images, " images are looked at when a server runs");
  }
  ASSIGN_OR_RETURN(const int64_t chosen, fields.Number("chosen"));
  if (state == "dry run") {
    return StrCat(chosen, " of ", images, " images would be rebuilt");
  }
  ASSIGN_OR_RETURN(const int64_t rebuilt, fields.Number("rebuilt"));
  ASSIGN_OR_RETURN(const int64_t failed, fields.Number("failed"));
  return StrCat(chosen, " of ", images, " images were chosen: ", rebuilt, " rebuilt, ", failed,
                " failed");
}

/// What is wrong with how it ended, if anything is.
Status ComplainOf(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const std::string state, fields.Text("state"));
  if (state == "given up") {
    ASSIGN_OR_RETURN(const int64_t images, fields.Number("images"));
    ASSIGN_OR_RETURN(const int64_t seen, fields.Number("seen"));
    return Error(ErrorKind::kUnavailable,
                 StrCat("The rebuild was given up when it had looked at ", seen, " of ", images,
                        " images; 'tintype work show ", flows::kRebuildWork,
                        "' says why, unless somebody has purged it"));
  }
  const Result<int64_t> failed = fields.Number("failed");
  return failed.ok() && *failed > 0
             ? Status(Error::Io(StrCat(*failed,
                                       " could not be rebuilt and keep what they had; 'tintype "
                                       "work list' says why")))
             : OkStatus();
}

/// What the user of the command is told when it did not come to its end.
Error Interrupted(const Error& error, bool dry_run) {
  if (dry_run || error.kind() != ErrorKind::kUnavailable) {
    return error;
  }
  return {ErrorKind::kUnavailable,
          Interruption::requested()
              ? "The rebuild goes on in the server. The same command shows how far it is"
              : StrCat(error.message(),
                       ". The rebuild goes on when a server runs; the same command shows how far "
                       "it is")};
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
    return console.Fail(Interrupted(fields.error(), arguments.dry_run));
  }
  ASSIGN_OR_RETURN(const std::string text, Summary(*fields));
  RETURN_IF_ERROR(console.End(OkStatus(), *fields, text));
  return ComplainOf(*fields);
}

AdminCommand RebuildRenditionsCommand(const ProductHost& host) {
  return [host](const AdminFields& arguments, const ProgressReport& report) {
    return Rebuild(host, arguments, report);
  };
}

}  // namespace tintype::cli
