#include "cli/backlog.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "base/time_text.h"
#include "cli/console.h"
#include "cli/product_command.h"

namespace tintype::cli {
namespace {

using contexts::backlog::Backlog;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;

/// As many as a person reads; the number of all of them is told.
constexpr int64_t kShownMax = 1000;

Result<WorkStatus> StatusNamed(std::string_view name) {
  constexpr std::array kStates = {WorkStatus::kPending, WorkStatus::kDelayed, WorkStatus::kLeased,
                                  WorkStatus::kDead};
  for (const WorkStatus status : kStates) {
    if (EqualsIgnoreCase(NameOf(status), name)) {
      return status;
    }
  }
  return Error::Validation(StrCat("There is no state '", name, "'."));
}

/// Calls `visit` for all work in one state, until that fails.
template <typename Visit>
Status ForEachWork(Backlog& backlog, WorkStatus status, const Visit& visit) {
  Backlog::ListRequest request;
  request.status = status;
  do {
    ASSIGN_OR_RETURN(Backlog::WorkPage page, backlog.List(request));
    for (const Work& work : page.work) {
      RETURN_IF_ERROR(visit(work));
    }
    request.after = std::move(page.last_evaluated_key);
  } while (request.after);
  return OkStatus();
}

Result<AdminFields> List(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("status"));
  ASSIGN_OR_RETURN(const WorkStatus status, StatusNamed(name));
  std::string shown;
  int64_t count = 0;
  RETURN_IF_ERROR(ForEachWork(product.backlog, status, [&](const Work& work) {
    if (++count <= kShownMax) {
      StrAppend(shown, work.id, "  due ", TimeText(work.due_ms), ", tried ", work.retry_count,
                " times", work.last_error ? ": " : "", work.last_error.value_or(""), "\n");
    }
    return OkStatus();
  }));
  return AdminFields{{"count", count}, {"shown", shown}};
}

Result<AdminFields> Replay(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string id, arguments.Text("id"));
  if (!id.empty()) {
    RETURN_IF_ERROR(product.backlog.Replay(id));
    return AdminFields{{"count", int64_t{1}}};
  }
  // All of them first: what is replayed may die again meanwhile, and would be found again.
  std::vector<std::string> dead;
  RETURN_IF_ERROR(ForEachWork(product.backlog, WorkStatus::kDead, [&](const Work& work) {
    dead.push_back(work.id);
    return OkStatus();
  }));
  int64_t count = 0;
  for (const std::string& one : dead) {
    const Status replayed = product.backlog.Replay(one);
    if (!replayed.ok() && replayed.error().code() != ErrorCode::kNotFound) {
      return replayed.error();
    }
    count += replayed.ok() ? 1 : 0;
  }
  return AdminFields{{"count", count}};
}

}  // namespace

Status RunBacklogList(const BacklogArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields = DoOnProduct(config, {"backlog-list", {{"status", arguments.status}}},
                                  BacklogListCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const int64_t count, fields->Number("count"));
  ASSIGN_OR_RETURN(const std::string shown, fields->Text("shown"));
  return console.End(OkStatus(), *fields, StrCat(shown, count, " ", arguments.status));
}

Status RunBacklogReplay(const BacklogArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const std::string id = arguments.all ? "" : arguments.id;
  const auto fields =
      DoOnProduct(config, {"backlog-replay", {{"id", id}}}, BacklogReplayCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const int64_t count, fields->Number("count"));
  return console.End(OkStatus(), *fields, StrCat(count, " will be tried again"));
}

AdminCommand BacklogListCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return List(product, arguments);
  };
}

AdminCommand BacklogReplayCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return Replay(product, arguments);
  };
}

}  // namespace tintype::cli
