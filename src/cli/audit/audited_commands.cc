#include "cli/audit/audited_commands.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

#include "base/random.h"
#include "base/strings.h"

namespace tintype::cli {
namespace {

using access::audit::Entry;
using access::audit::Outcome;
namespace audit_kinds = access::audit;

struct AuditedCommand {
  std::string_view name;
  std::string_view kind;
  /// What it is done to: the first of these that the answer or the arguments have.
  std::array<std::string_view, 3> subjects;
  /// The argument without which nothing is changed, such as `yes`; or empty.
  std::string_view only_with = {};
};

constexpr std::array kAuditedCommands = {
    AuditedCommand{"backup", audit_kinds::kBackUpDirectory, {"to"}},
    AuditedCommand{"encrypt", audit_kinds::kEncryptPhotos, {}},
    AuditedCommand{"import-folder", audit_kinds::kImportFolder, {"folder"}},
    AuditedCommand{"keys-create", audit_kinds::kCreateKey, {"accessKeyId", "name"}},
    AuditedCommand{"keys-delete", audit_kinds::kDeleteKey, {"accessKeyIds", "name"}},
    AuditedCommand{"keys-disable", audit_kinds::kDisableKey, {"accessKeyIds", "name"}},
    AuditedCommand{"keys-enable", audit_kinds::kEnableKey, {"accessKeyIds", "name"}},
    AuditedCommand{"keys-expire", audit_kinds::kExpireKey, {"accessKeyIds", "name"}},
    AuditedCommand{"keys-policy", audit_kinds::kChangeKeyPolicy, {"accessKeyIds", "name"}},
    AuditedCommand{"keys-rotate", audit_kinds::kRotateKey, {"accessKeyId", "name"}},
    AuditedCommand{"rebuild-analysis", audit_kinds::kRebuildAnalysis, {"image", "kinds"}},
    AuditedCommand{"rebuild-renditions", audit_kinds::kRebuildRenditions, {"account", "image"}},
    AuditedCommand{"rebuild-usage", audit_kinds::kRebuildUsage, {}},
    AuditedCommand{"rotate-links", audit_kinds::kRotateLinkKey, {}},
    AuditedCommand{"rotate-root", audit_kinds::kRotateRootKey, {"accessKeyId"}},
    AuditedCommand{"rotate-signing", audit_kinds::kRotateTokenKey, {}},
    AuditedCommand{"scrub", audit_kinds::kScrub, {}},
    AuditedCommand{"table-export", audit_kinds::kExportTable, {"table"}},
    AuditedCommand{"table-import", audit_kinds::kImportTable, {"table"}},
    AuditedCommand{"users-create", audit_kinds::kCreateAccount, {"userId", "username"}},
    AuditedCommand{"users-delete", audit_kinds::kDeleteAccount, {"userId", "name"}, "yes"},
    AuditedCommand{"users-disable", audit_kinds::kChangeAccount, {"userId", "name"}},
    AuditedCommand{"users-enable", audit_kinds::kChangeAccount, {"userId", "name"}},
    AuditedCommand{"users-invite", audit_kinds::kInvite, {"id", "email"}},
    AuditedCommand{"users-limit", audit_kinds::kLimitAccount, {"userId", "name"}},
    AuditedCommand{"users-password-link", audit_kinds::kMakePasswordLink, {"userId", "name"}},
    AuditedCommand{"users-quota", audit_kinds::kLimitAccount, {"userId", "name"}},
    AuditedCommand{"users-reset-password", audit_kinds::kResetPassword, {"userId", "name"}},
    AuditedCommand{"users-role", audit_kinds::kChangeAccount, {"userId", "name"}},
    AuditedCommand{"work-purge", audit_kinds::kPurgeWork, {"id"}, "yes"},
    AuditedCommand{"work-replay", audit_kinds::kReplayWork, {"id"}},
};

/// What else a command says that may be in the audit. All others may be secrets.
constexpr std::array<std::string_view, 10> kDetails = {
    "username", "limit", "folder", "account", "count", "items", "policy", "name", "role", "quota"};

std::string TextOf(const AdminFields& fields, std::string_view name) {
  const auto found = fields.values().find(name);
  if (found == fields.values().end()) {
    return "";
  }
  if (const auto* text = std::get_if<std::string>(&found->second)) {
    return *text;
  }
  if (const auto* texts = std::get_if<AdminFields::Texts>(&found->second)) {
    return StrJoin(*texts, ", ");
  }
  const auto* number = std::get_if<int64_t>(&found->second);
  return number != nullptr ? std::to_string(*number) : "";
}

bool IsSet(const AdminFields& fields, std::string_view name) {
  const Result<bool> flag = fields.Flag(name);
  return flag.ok() && *flag;
}

Entry EntryOf(const AuditedCommand& command, const AdminFields& arguments,
              const Result<AdminFields>& outcome) {
  Entry entry;
  entry.kind = command.kind;
  entry.outcome = outcome.ok() ? Outcome::kDone : Outcome::kFailed;
  entry.principal.kind = access::PrincipalKind::kServer;
  entry.principal.id = "command-line";
  entry.request_id = RandomUuid();
  entry.details["command"] = command.name;
  const AdminFields none;
  const AdminFields& answer = outcome.ok() ? *outcome : none;
  for (const AdminFields* fields : {&answer, &arguments}) {
    for (const std::string_view name : command.subjects) {
      entry.subject = entry.subject.empty() ? TextOf(*fields, name) : entry.subject;
    }
    for (const std::string_view name : kDetails) {
      if (std::string text = TextOf(*fields, name); !text.empty()) {
        entry.details.emplace(name, std::move(text));
      }
    }
  }
  if (entry.subject.empty() && IsSet(arguments, "all")) {
    entry.subject = "all";
  }
  if (!outcome.ok()) {
    entry.details["error"] = outcome.error().message();
  }
  return entry;
}

const AuditedCommand* FindAudited(std::string_view name) {
  const auto* found = std::ranges::find(kAuditedCommands, name, &AuditedCommand::name);
  return found == kAuditedCommands.end() ? nullptr : found;
}

}  // namespace

bool IsAudited(const std::string& name) { return FindAudited(name) != nullptr; }

AdminCommand Audited(const std::string& name, AdminCommand command, access::audit::Audit& audit) {
  const AuditedCommand* const audited = FindAudited(name);
  if (audited == nullptr) {
    return command;
  }
  return [audited, command = std::move(command), &audit](
             const AdminFields& arguments, const ProgressReport& report) -> Result<AdminFields> {
    if (!audited->only_with.empty() && !IsSet(arguments, audited->only_with)) {
      return command(arguments, report);
    }
    RETURN_IF_ERROR(audit.CheckReady());
    Result<AdminFields> outcome = command(arguments, report);
    RETURN_IF_ERROR(audit.Record(EntryOf(*audited, arguments, outcome)));
    return outcome;
  };
}

AdminCommands Audited(AdminCommands commands, access::audit::Audit& audit) {
  for (auto& [name, command] : commands) {
    command = Audited(name, std::move(command), audit);
  }
  return commands;
}

}  // namespace tintype::cli
