#include "cli/commands/audit.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "access/audit/link_json.h"
#include "access/audit/reader.h"
#include "access/audit/verify.h"
#include "base/clock.h"
#include "base/strings.h"
#include "cli/admin/client.h"
#include "cli/audit/moment.h"
#include "cli/audit/open_audit.h"
#include "cli/audit/pending_acts.h"
#include "cli/commands/audit_text.h"
#include "cli/console/console.h"
#include "json/writer.h"

namespace tintype::cli {
namespace {

using access::audit::AuditReader;
using access::audit::ChainReport;
using access::audit::Filter;
using access::audit::Link;

/// What one answer holds at most.
constexpr int64_t kEntriesInAnAnswer = 500;
constexpr std::chrono::milliseconds kFollowPause{500};
/// A time that lets all through.
constexpr int64_t kAnyTime = -1;

Result<Filter> FilterOf(const AdminFields& arguments) {
  Filter filter;
  ASSIGN_OR_RETURN(const int64_t since_ms, arguments.Number("since"));
  ASSIGN_OR_RETURN(const int64_t until_ms, arguments.Number("until"));
  filter.since_ms = since_ms == kAnyTime ? std::nullopt : std::optional(since_ms);
  filter.until_ms = until_ms == kAnyTime ? std::nullopt : std::optional(until_ms);
  ASSIGN_OR_RETURN(filter.kind, arguments.Text("kind"));
  ASSIGN_OR_RETURN(filter.principal, arguments.Text("principal"));
  ASSIGN_OR_RETURN(filter.account, arguments.Text("account"));
  ASSIGN_OR_RETURN(filter.address, arguments.Text("address"));
  ASSIGN_OR_RETURN(filter.outcome, arguments.Text("outcome"));
  ASSIGN_OR_RETURN(filter.subject, arguments.Text("subject"));
  return filter;
}

std::string LinesOf(const std::vector<Link>& links) {
  std::string lines;
  for (const Link& link : links) {
    json::Writer json;
    access::audit::WriteLink(json, link);
    StrAppend(lines, std::move(json).Take(), "\n");
  }
  return lines;
}

Result<AdminFields> List(AuditReader& reader, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const Filter filter, FilterOf(arguments));
  ASSIGN_OR_RETURN(const int64_t limit, arguments.Number("limit"));
  ASSIGN_OR_RETURN(const std::string after, arguments.Text("after"));
  ASSIGN_OR_RETURN(const access::audit::Page page,
                   reader.List(filter, std::clamp(limit, int64_t{1}, kEntriesInAnAnswer), after));
  return AdminFields{{"entries", LinesOf(page.links)}, {"next", page.next.value_or("")}};
}

/// What is new behind `after`; without one, where that is now.
Result<AdminFields> Follow(AuditReader& reader, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const Filter filter, FilterOf(arguments));
  ASSIGN_OR_RETURN(const std::string after, arguments.Text("after"));
  if (after.empty()) {
    ASSIGN_OR_RETURN(const access::audit::Positions ends, reader.Ends());
    return AdminFields{{"entries", ""}, {"next", access::audit::PositionsText(ends)}};
  }
  ASSIGN_OR_RETURN(const access::audit::Positions positions, access::audit::ParsePositions(after));
  ASSIGN_OR_RETURN(const access::audit::News news,
                   reader.ListAfter(filter, positions, kEntriesInAnAnswer));
  return AdminFields{{"entries", LinesOf(news.links)},
                     {"next", access::audit::PositionsText(news.positions)}};
}

AdminFields FieldsOf(const ChainReport& report) {
  return {{"chain", report.chain},
          {"first", report.first},
          {"last", report.last},
          {"entries", report.entries},
          {"head", report.head},
          {"fault", report.fault.value_or("")},
          {"fault_sequence", report.fault_sequence}};
}

Result<AdminFields> Verify(const access::audit::VerifyConfig& config, tables::Database& database,
                           const ProgressReport& report) {
  ASSIGN_OR_RETURN(
      const std::vector<ChainReport> reports,
      access::audit::VerifyChains(
          config, database, [&report](const std::string&, int64_t checked, int64_t total) {
            return report({"verify", static_cast<uint64_t>(checked), static_cast<uint64_t>(total)});
          }));
  std::string lines;
  int64_t entries = 0;
  int64_t damaged = 0;
  for (const ChainReport& chain : reports) {
    StrAppend(lines, FormatMessage({"chain", FieldsOf(chain)}), "\n");
    entries += chain.entries;
    damaged += chain.fault ? 1 : 0;
  }
  return AdminFields{{"chains", lines}, {"entries", entries}, {"damaged", damaged}};
}

/// The three commands, over a reader that lives in them.
AdminCommands ReadingCommands(const access::audit::VerifyConfig& config,
                              tables::Database& database) {
  AdminCommands commands;
  commands["audit-list"] = [table = config.table, &database](const AdminFields& arguments,
                                                             const ProgressReport&) {
    AuditReader reader(table, database);
    return List(reader, arguments);
  };
  commands["audit-follow"] = [table = config.table, &database](const AdminFields& arguments,
                                                               const ProgressReport&) {
    AuditReader reader(table, database);
    return Follow(reader, arguments);
  };
  commands["audit-verify"] = [config, &database](const AdminFields&, const ProgressReport& report) {
    return Verify(config, database, report);
  };
  return commands;
}

/// A way to ask, again and again: the server, or the tables that this process has opened.
class Source {
 public:
  static Result<Source> Open(const ServeConfig& config) {
    Source source;
    ASSIGN_OR_RETURN(source.directory_, OpenDataDirectory(config.data_dir));
    ASSIGN_OR_RETURN(const auto server, AdminClient::Connect(source.directory_.path));
    if (server) {
      return source;
    }
    // RocksDB creates its files for everyone to read.
    ::umask(077);
    ASSIGN_OR_RETURN(source.tables_, OpenTables(source.directory_, config));
    ASSIGN_OR_RETURN(const auto verify, VerifyConfigOf(source.directory_, *source.tables_));
    source.commands_ = ReadingCommands(verify, source.tables_->as_server());
    return source;
  }

  bool has_server() const { return tables_ == nullptr; }

  Result<AdminFields> Ask(const AdminMessage& request, const ProgressReport& report) {
    if (!has_server()) {
      Result<AdminFields> answer = commands_.at(request.name)(request.fields, report);
      if (!answer.ok() && answer.error().kind() == ErrorKind::kNotFound) {
        return Error::NotFound("There is no audit yet: the server has never been started.");
      }
      return answer;
    }
    // A connection is for one request.
    ASSIGN_OR_RETURN(auto server, AdminClient::Connect(directory_.path));
    if (!server) {
      return Error(ErrorKind::kUnavailable, "The server has stopped.");
    }
    return server->Call(request, report);
  }

 private:
  DataDirectory directory_;
  std::unique_ptr<Tables> tables_;  // Null when a server has them.
  AdminCommands commands_;
};

Result<AdminFields> RequestOf(const AuditArguments& arguments) {
  const auto moment = [](const std::string& text) -> Result<int64_t> {
    return text.empty() ? kAnyTime : ParseMoment(text, SystemClock().NowMs());
  };
  ASSIGN_OR_RETURN(const int64_t since_ms, moment(arguments.since));
  ASSIGN_OR_RETURN(const int64_t until_ms, moment(arguments.until));
  return AdminFields{{"since", since_ms},
                     {"until", until_ms},
                     {"kind", arguments.kind},
                     {"principal", arguments.principal},
                     {"account", arguments.account},
                     {"address", arguments.address},
                     {"outcome", arguments.outcome},
                     {"subject", arguments.subject},
                     {"after", ""}};
}

std::vector<std::string> SplitLines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Status PrintEntry(const std::string& line, bool json) {
  if (json) {
    Console::Print(line);
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const std::string text, EntryText(line));
  Console::Print(text);
  return OkStatus();
}

/// The newest entries, newest first.
Result<std::vector<std::string>> Newest(Source& source, AdminFields request, int64_t limit,
                                        const ProgressReport& report) {
  std::vector<std::string> newest;
  std::string next;
  do {
    request.Set("after", next);
    request.Set("limit", limit - static_cast<int64_t>(newest.size()));
    ASSIGN_OR_RETURN(const AdminFields page, source.Ask({"audit-list", request}, report));
    ASSIGN_OR_RETURN(const std::string entries, page.Text("entries"));
    ASSIGN_OR_RETURN(next, page.Text("next"));
    std::ranges::move(SplitLines(entries), std::back_inserter(newest));
  } while (!next.empty() && static_cast<int64_t>(newest.size()) < limit);
  return newest;
}

}  // namespace

Status RunAuditList(const AuditArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const ProgressReport report = console.report();
  ASSIGN_OR_RETURN(AdminFields request, RequestOf(arguments));
  ASSIGN_OR_RETURN(Source source, Source::Open(config));
  std::string position;
  if (arguments.follow) {
    if (!source.has_server()) {
      return Error(ErrorKind::kUnavailable,
                   "There is nothing to follow: no server has the data directory open.");
    }
    // Before the list, of which what is behind this place comes again; see below.
    ASSIGN_OR_RETURN(const AdminFields now, source.Ask({"audit-follow", request}, report));
    ASSIGN_OR_RETURN(position, now.Text("next"));
  }
  ASSIGN_OR_RETURN(std::vector<std::string> entries,
                   Newest(source, request, arguments.limit, report));
  std::ranges::reverse(entries);
  for (const std::string& entry : entries) {
    ASSIGN_OR_RETURN(const bool again, IsBehind(entry, position));
    if (!again) {
      RETURN_IF_ERROR(PrintEntry(entry, arguments.json));
    }
  }
  while (arguments.follow) {
    request.Set("after", position);
    ASSIGN_OR_RETURN(const AdminFields news, source.Ask({"audit-follow", request}, report));
    ASSIGN_OR_RETURN(const std::string lines, news.Text("entries"));
    ASSIGN_OR_RETURN(position, news.Text("next"));
    for (const std::string& entry : SplitLines(lines)) {
      RETURN_IF_ERROR(PrintEntry(entry, arguments.json));
    }
    std::fflush(stdout);
    std::this_thread::sleep_for(kFollowPause);
  }
  return OkStatus();
}

Status RunAuditVerify(const AuditArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  ASSIGN_OR_RETURN(Source source, Source::Open(config));
  const Result<AdminFields> fields = source.Ask({"audit-verify", {}}, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  console.EndProgress();
  ASSIGN_OR_RETURN(const std::string chains, fields->Text("chains"));
  ASSIGN_OR_RETURN(const int64_t damaged, fields->Number("damaged"));
  ASSIGN_OR_RETURN(const int64_t entries, fields->Number("entries"));
  for (const std::string& line : SplitLines(chains)) {
    ASSIGN_OR_RETURN(const std::string text, ChainText(line));
    Console::Print(arguments.json ? line : text);
  }
  if (damaged > 0) {
    return console.Fail(
        Error::Corruption(StrCat("The audit is damaged: ", damaged, " of its chains.")));
  }
  return console.End(OkStatus(), {{"entries", entries}},
                     StrCat(entries, " entries are as they were written"));
}

void AddAuditCommands(AdminCommands& commands, const DataDirectory& directory, Tables& tables,
                      access::audit::Audit& audit) {
  commands["audit-record"] = [&audit](const AdminFields& arguments, const ProgressReport&) {
    return RecordActForClient(audit, arguments);
  };
  const auto verify = VerifyConfigOf(directory, tables);
  if (!verify.ok()) {
    return;  // The audit could not have been opened either.
  }
  commands.merge(ReadingCommands(*verify, tables.as_server()));
}

}  // namespace tintype::cli
