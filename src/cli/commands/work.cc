#include "cli/commands/work.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "base/time_text.h"
#include "cli/commands/product_command.h"
#include "cli/commands/work_text.h"
#include "cli/console/console.h"
#include "flows/upkeep/purge_work.h"

namespace tintype::cli {
namespace {

using contexts::backlog::Backlog;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;

/// What is counted of one state, at most: more than anyone counts on.
constexpr int64_t kCountedMax = 10'000;
/// How many pieces of work an answer names.
constexpr int64_t kNamedMax = 1000;

Result<WorkStatus> StatusNamed(std::string_view name) {
  for (const WorkStatus status : contexts::backlog::kWorkStates) {
    if (EqualsIgnoreCase(NameOf(status), name)) {
      return status;
    }
  }
  return Error::Validation(StrCat("There is no state '", name, "'."));
}

Result<AdminFields> List(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("status"));
  ASSIGN_OR_RETURN(const std::string after, arguments.Text("after"));
  Backlog::ListRequest request;
  ASSIGN_OR_RETURN(request.status, StatusNamed(name));
  ASSIGN_OR_RETURN(request.limit, arguments.Number("limit"));
  request.limit = std::clamp(request.limit, int64_t{1}, kWorkShownMax);
  if (!after.empty()) {
    request.after = Backlog::PlaceOf(request.status, after);
  }
  ASSIGN_OR_RETURN(const Backlog::WorkPage page, product.backlog.List(request));
  ASSIGN_OR_RETURN(const Backlog::Count count,
                   product.backlog.CountIn(request.status, kCountedMax));
  std::string listed;
  for (const Work& work : page.work) {
    StrAppend(listed, FormatMessage({"work", FieldsOf(work, product.clock.NowMs())}), "\n");
  }
  const bool more = page.last_evaluated_key && !page.work.empty();
  return AdminFields{{"count", count.total()},
                     {"all_counted", count.complete},
                     {"next", more ? page.work.back().order : ""},
                     {"work", listed}};
}

Result<Work> FindWork(flows::Product& product, const std::string& id) {
  ASSIGN_OR_RETURN(std::optional<Work> work, product.backlog.Find(id));
  if (!work) {
    return Error::NotFound(
        StrCat("There is no work of the id ", id, ": it is done, or there never was any."));
  }
  return *std::move(work);
}

Result<AdminFields> Show(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string id, arguments.Text("id"));
  ASSIGN_OR_RETURN(const Work work, FindWork(product, id));
  return AllFieldsOf(work, product.clock.NowMs());
}

/// The ids of everything that is dead. All of them at once: replayed work may die again meanwhile,
/// and would be found again.
Result<std::vector<std::string>> FindDead(Backlog& backlog) {
  std::vector<std::string> dead;
  Backlog::ListRequest request;
  do {
    ASSIGN_OR_RETURN(Backlog::WorkPage page, backlog.List(request));
    for (const Work& work : page.work) {
      dead.push_back(work.id);
    }
    request.after = std::move(page.last_evaluated_key);
  } while (request.after);
  return dead;
}

/// What a command is about: everything that is dead, or the work of one id. Never both, and never
/// everything for want of an id.
struct Which {
  bool all = false;
  std::string id;
};

Result<Which> WhichOf(const AdminFields& arguments) {
  Which which;
  ASSIGN_OR_RETURN(which.all, arguments.Flag("all"));
  ASSIGN_OR_RETURN(which.id, arguments.Text("id"));
  if (which.all != which.id.empty()) {
    return Error::Validation(
        "Name the id of one piece of work, or say that all dead ones are meant.");
  }
  return which;
}

Result<AdminFields> Replay(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const Which which, WhichOf(arguments));
  if (!which.all) {
    RETURN_IF_ERROR(product.backlog.Replay(which.id));
    return AdminFields{{"count", int64_t{1}}};
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> dead, FindDead(product.backlog));
  int64_t count = 0;
  for (const std::string& one : dead) {
    const Status replayed = product.backlog.Replay(one);
    if (!replayed.ok() && replayed.error().kind() != ErrorKind::kNotFound) {
      return replayed.error();
    }
    count += replayed.ok() ? 1 : 0;
  }
  return AdminFields{{"count", count}};
}

/// Whether an error is about the one piece of work, and others may go well.
bool IsRefusal(const Error& error) {
  return error.kind() == ErrorKind::kValidation || error.kind() == ErrorKind::kInUse;
}

Result<AdminFields> Purge(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const Which which, WhichOf(arguments));
  ASSIGN_OR_RETURN(const bool yes, arguments.Flag("yes"));
  std::vector<std::string> ids = {which.id};
  if (which.all) {
    ASSIGN_OR_RETURN(ids, FindDead(product.backlog));
  }
  std::string shown;
  int64_t purged = 0;
  int64_t refused = 0;
  for (const std::string& one : ids) {
    ASSIGN_OR_RETURN(const std::optional<Work> work, product.backlog.Find(one));
    if (!work && which.all) {
      continue;  // It has gone since it was listed.
    }
    ASSIGN_OR_RETURN(const Work found, FindWork(product, one));
    const Result<std::string> lost = flows::WhatPurgingLoses(product, found);
    const Status done = lost.ok() && yes ? flows::PurgeWork(product, found)
                        : lost.ok()      ? OkStatus()
                                         : Status(lost.error());
    if (!done.ok() && !IsRefusal(done.error())) {
      return done.error();
    }
    if (purged + refused < kNamedMax) {
      StrAppend(shown,
                OneLine(done.ok() ? StrCat(one, yes ? "  lost: " : "  would lose: ", *lost)
                                  : done.error().message()),
                "\n");
    }
    ++(done.ok() ? purged : refused);
  }
  return AdminFields{{"count", purged}, {"refused", refused}, {"shown", shown}};
}

/// The lines of a list as a table.
Result<std::string> TableOf(const std::string& listed) {
  std::vector<AdminFields> rows;
  for (size_t begin = 0; begin < listed.size();) {
    const size_t end = listed.find('\n', begin);
    ASSIGN_OR_RETURN(AdminMessage line, ParseMessage(listed.substr(begin, end - begin)));
    rows.push_back(std::move(line.fields));
    begin = end + 1;
  }
  return WorkTable(rows);
}

}  // namespace

Status RunWorkList(const WorkArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields = DoOnProduct(
      config,
      {"work-list",
       {{"status", arguments.status}, {"limit", arguments.limit}, {"after", arguments.after}}},
      WorkListCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const int64_t count, fields->Number("count"));
  ASSIGN_OR_RETURN(const bool all_counted, fields->Flag("all_counted"));
  ASSIGN_OR_RETURN(const std::string next, fields->Text("next"));
  ASSIGN_OR_RETURN(const std::string listed, fields->Text("work"));
  if (arguments.json) {
    std::fputs(listed.c_str(), stdout);
    return console.End(OkStatus(), {{"count", count}, {"all_counted", all_counted}, {"next", next}},
                       "");
  }
  ASSIGN_OR_RETURN(std::string text, TableOf(listed));
  StrAppend(text, count, all_counted ? " " : " or more ", arguments.status);
  if (!next.empty()) {
    StrAppend(text, "; more with --after '", next, "'");
  }
  return console.End(OkStatus(), {}, text);
}

Status RunWorkShow(const WorkArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields =
      DoOnProduct(config, {"work-show", {{"id", arguments.id}}}, WorkShowCommand, console.report());
  return fields.ok() ? console.End(OkStatus(), *fields, WorkText(*fields))
                     : console.Fail(fields.error());
}

Status RunWorkReplay(const WorkArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields =
      DoOnProduct(config, {"work-replay", {{"id", arguments.id}, {"all", arguments.all}}},
                  WorkReplayCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const int64_t count, fields->Number("count"));
  return console.End(OkStatus(), *fields, StrCat(count, " will be tried again"));
}

Status RunWorkPurge(const WorkArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields = DoOnProduct(
      config,
      {"work-purge", {{"id", arguments.id}, {"all", arguments.all}, {"yes", arguments.yes}}},
      WorkPurgeCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const int64_t count, fields->Number("count"));
  ASSIGN_OR_RETURN(const int64_t refused, fields->Number("refused"));
  ASSIGN_OR_RETURN(const std::string shown, fields->Text("shown"));
  RETURN_IF_ERROR(console.End(
      OkStatus(), *fields,
      StrCat(
          shown, arguments.yes ? count : 0, " purged", refused > 0 ? ", " : "",
          refused > 0 ? StrCat(refused, arguments.yes ? " refused" : " would be refused") : "")));
  if (refused > 0) {
    return Error::Validation(StrCat(refused, " must not be purged"));
  }
  if (!arguments.yes && count > 0) {
    return Error::Validation("Nothing was purged; --yes does it");
  }
  return OkStatus();
}

AdminCommand WorkListCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return List(product, arguments);
  };
}

AdminCommand WorkShowCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return Show(product, arguments);
  };
}

AdminCommand WorkReplayCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return Replay(product, arguments);
  };
}

AdminCommand WorkPurgeCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return Purge(product, arguments);
  };
}

}  // namespace tintype::cli
