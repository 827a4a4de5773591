#include "http/dynamodb/audited_call.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "access/audit/audit_kinds.h"
#include "base/strings.h"
#include "json/value.h"
#include "tables/wire/error_table.h"

namespace tintype::http::dynamodb {
namespace {

using access::audit::Entry;
using access::audit::Outcome;

struct AuditedOperation {
  std::string_view operation;
  std::string_view kind;
};
/// Every call that changes anything but items. A test compares this with the operations that there
/// are.
constexpr std::array kAuditedOperations = {
    AuditedOperation{"CreateBackup", access::audit::kCreateBackup},
    AuditedOperation{"CreateTable", access::audit::kCreateTable},
    AuditedOperation{"DeleteBackup", access::audit::kDeleteBackup},
    AuditedOperation{"DeleteResourcePolicy", access::audit::kTablePolicy},
    AuditedOperation{"DeleteTable", access::audit::kDeleteTable},
    AuditedOperation{"ExportTableToPointInTime", access::audit::kExportTable},
    AuditedOperation{"ImportTable", access::audit::kImportTable},
    AuditedOperation{"PutResourcePolicy", access::audit::kTablePolicy},
    AuditedOperation{"RestoreTableFromBackup", access::audit::kRestoreTable},
    AuditedOperation{"RestoreTableToPointInTime", access::audit::kRestoreTable},
    AuditedOperation{"TagResource", access::audit::kTagTable},
    AuditedOperation{"UntagResource", access::audit::kTagTable},
    AuditedOperation{"UpdateContinuousBackups", access::audit::kRecovery},
    AuditedOperation{"UpdateTable", access::audit::kUpdateTable},
    AuditedOperation{"UpdateTimeToLive", access::audit::kExpireItems},
};

/// By position in OperationNames.
std::vector<std::string_view> KindsByOperation() {
  std::vector<std::string_view> kinds(OperationNames().size());
  for (const AuditedOperation& audited : kAuditedOperations) {
    kinds[OperationIndex(audited.operation).value()] = audited.kind;
  }
  return kinds;
}

/// Control calls are short; one that is not is refused anyway, and goes without a subject.
constexpr size_t kBodyBytesMax = size_t{1} << 20;

/// The access key in `Credential=AKIA.../20260101/us-east-1/dynamodb/aws4_request`. Strangers write
/// it, so only what a key's id can consist of is taken.
std::string ClaimedKey(const Request& request) {
  constexpr std::string_view kCredential = "Credential=";
  constexpr size_t kBytesMax = 128;
  const std::string_view header = request.Header("authorization").value_or("");
  for (const std::string_view text : {header, std::string_view(request.target)}) {
    const size_t begin = text.find(kCredential);
    if (begin == std::string_view::npos) {
      continue;
    }
    std::string_view key = text.substr(begin + kCredential.size(), kBytesMax);
    const auto* const end = std::ranges::find_if_not(key, [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
             c == '_' || c == '-';
    });
    return {key.begin(), end};
  }
  return {};
}

const std::string* FindText(const json::Value& object, std::string_view name) {
  const json::Value* const member = object.Find(name);
  return member != nullptr ? member->text() : nullptr;
}

}  // namespace

std::string_view AuditKindOf(size_t index) {
  static const std::vector<std::string_view> kinds = KindsByOperation();
  return kinds[index];
}

Entry DenialEntry(const Request& request, std::string_view operation, const Error& error,
                  std::string request_id) {
  Entry entry;
  entry.kind = access::audit::kUnauthenticated;
  entry.outcome = Outcome::kDenied;
  entry.principal.address = request.address;
  entry.request_id = std::move(request_id);
  entry.details = {{"api", "dynamodb"}, {"reason", std::string(error.reason().name)}};
  if (!operation.empty()) {
    entry.details["operation"] = operation;
  }
  if (std::string key = ClaimedKey(request); !key.empty()) {
    entry.details["claimedKey"] = std::move(key);
  }
  return entry;
}

Entry CallEntry(const OperationCall& call, std::string_view kind, std::string request_id) {
  // What a call is about, in the order in which it says most.
  static constexpr std::array<std::string_view, 5> kSubjects = {
      "TableName", "TargetTableName", "TableArn", "BackupArn", "ResourceArn"};
  // What else it names.
  static constexpr std::array<std::string_view, 4> kDetails = {"BackupArn", "SourceTableName",
                                                               "BackupName", "S3Bucket"};
  Entry entry;
  entry.kind = kind;
  entry.request_id = std::move(request_id);
  entry.details = {{"operation", std::string(call.operation)}};
  const auto body = json::Parse(call.body, kBodyBytesMax);
  if (!body.ok()) {
    return entry;
  }
  for (const std::string_view name : kSubjects) {
    if (const std::string* text = FindText(*body, name); text != nullptr && entry.subject.empty()) {
      entry.subject = *text;
    }
  }
  if (const json::Value* const created = body->Find("TableCreationParameters");
      created != nullptr && entry.subject.empty()) {
    const std::string* const text = FindText(*created, "TableName");
    entry.subject = text != nullptr ? *text : "";
  }
  // A policy attached later has an entry of its own.
  if (kind == access::audit::kCreateTable && FindText(*body, "ResourcePolicy") != nullptr) {
    entry.details["resourcePolicy"] = "attached";
  }
  for (const std::string_view name : kDetails) {
    if (const std::string* text = FindText(*body, name);
        text != nullptr && *text != entry.subject) {
      entry.details.emplace(name, *text);
    }
  }
  return entry;
}

void AddError(Entry& entry, const Error& error) {
  const bool denied = error.kind() == ErrorKind::kAccessDenied;
  entry.outcome = denied ? Outcome::kDenied : Outcome::kFailed;
  entry.details["error"] = tables::wire::ErrorEntryFor(error.reason()).exception;
}

}  // namespace tintype::http::dynamodb
