#include "cli/commands/audit.h"

#include <memory>

#include "cli/command_line/command.h"

namespace tintype::cli {
namespace {

constexpr const char* kAuditFooter = R"(
The audit records sign-ins, refused requests, shares, deletions, changes of accounts, keys and tables, and
commands of the administrator, each with who, from which address and in which request. Entries are chained by
hashes and sealed with the server's secret; 'verify' finds entries that were changed, removed or added. It is
kept for --audit-kept days. The command asks a running server; without one, it opens the data directory itself.
Times are UTC: 2026-02-28, 2026-02-28T23:59:59Z, or 90m, 12h, 7d ago.
Exit codes: 0 done, 1 not done or damaged, 2 wrong usage.

Examples
  tintype audit --since 24h --outcome denied
  tintype audit --kind session.login --account 01ARZ3NDEKTSV4RRFFQ69G5FAV
  tintype audit --kind table --json | jq .subject
  tintype audit --follow
  tintype audit verify)";

struct AuditCommandArguments {
  SettingValues flags;
  AuditArguments audit;
};

void DescribeFilters(CLI::App& command, AuditArguments& audit) {
  const auto add = [&command](const char* name, std::string& value, const char* hint,
                              const char* help) {
    return command.add_option(name, value, help)->check(NotEmpty())->option_text(hint);
  };
  add("--since", audit.since, "TIME", "Only entries of this time or later.");
  add("--until", audit.until, "TIME", "Only entries before this time.");
  add("--kind", audit.kind, "KIND",
      "Only entries of this kind, such as session.login, or 'image' for all image.* kinds.");
  add("--principal", audit.principal, "ID",
      "Only acts of this access key, session or kind of principal.");
  add("--account", audit.account, "ID", "Only acts by this account or on it.");
  add("--address", audit.address, "ADDRESS", "Only acts from this address.");
  add("--outcome", audit.outcome, "OUTCOME", "done, denied or failed.")
      ->check(CLI::IsMember({"done", "denied", "failed"}));
  add("--subject", audit.subject, "ID", "Only acts on this image, table, key or account.");
  command
      .add_option("--limit", audit.limit,
                  "How many entries to show at most, the newest.\nDefault: 100")
      ->check(CLI::Range(int64_t{1}, kAuditShownMax))
      ->option_text("N");
  command.add_flag("--follow", audit.follow, "Go on with entries as they are written.");
}

}  // namespace

void DescribeAudit(CLI::App& app, Run& run) {
  CLI::App* audit = app.add_subcommand("audit", "Show who did what, or verify that record.");
  audit->footer(kAuditFooter);
  audit->require_subcommand(0, 1);
  const auto arguments = std::make_shared<AuditCommandArguments>();
  DescribeFilters(*audit, arguments->audit);
  CLI::App* verify =
      audit->add_subcommand("verify", "Check that no entry was changed, removed or added.");
  for (CLI::App* command : {audit, verify}) {
    AddDataSettings(*command, arguments->flags);
    command->add_flag("--json", arguments->audit.json, "Print one JSON object per line.");
  }
  // CLI11 calls the callback of the inner command first, and then that of the outer one.
  audit->callback([&run, arguments, verify] {
    const bool verifies = verify->parsed();
    run = [arguments, verifies] {
      return RunWithData(arguments->flags, [&](const ServeConfig& config) {
        return verifies ? RunAuditVerify(arguments->audit, config)
                        : RunAuditList(arguments->audit, config);
      });
    };
  });
}

}  // namespace tintype::cli
