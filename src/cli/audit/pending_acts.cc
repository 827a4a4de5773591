#include "cli/audit/pending_acts.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/files.h"
#include "base/random.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "cli/admin/client.h"

namespace tintype::cli {
namespace {

using access::audit::Entry;

constexpr const char* kMessageName = "audit-record";
/// More lines than anyone makes keys between two starts.
constexpr size_t kPendingBytesMax = size_t{16} << 20;

AdminFields FieldsOf(const Act& act) {
  return {{"kind", act.kind},
          {"subject", act.subject},
          {"command", act.command},
          {"user", static_cast<int64_t>(::getuid())},
          {"time", TimeText(SystemClock().NowMs())},
          {"id", RandomUuid()}};
}

Result<Entry> EntryOf(const AdminFields& act) {
  Entry entry;
  entry.principal.kind = access::PrincipalKind::kServer;
  entry.principal.id = "command-line";
  ASSIGN_OR_RETURN(entry.kind, act.Text("kind"));
  ASSIGN_OR_RETURN(entry.subject, act.Text("subject"));
  ASSIGN_OR_RETURN(entry.request_id, act.Text("id"));
  ASSIGN_OR_RETURN(entry.details["command"], act.Text("command"));
  ASSIGN_OR_RETURN(const int64_t user, act.Number("user"));
  entry.details["user"] = std::to_string(user);
  return entry;
}

Status AppendLine(const std::string& path, const std::string& line) {
  constexpr mode_t kOwnerOnly = 0600;
  const Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kOwnerOnly));
  if (!file.valid()) {
    return FileError("open", path);
  }
  RETURN_IF_ERROR(WriteAll(file, line, path));
  if (::fsync(file.number()) != 0) {
    return FileError("write", path);
  }
  return SyncFolder(std::filesystem::path(path).parent_path().string());
}

}  // namespace

Status RecordAct(const DataDirectory& directory, const Act& act) {
  const AdminMessage message{kMessageName, FieldsOf(act)};
  ASSIGN_OR_RETURN(std::optional<AdminClient> server, AdminClient::Connect(directory.path));
  Status recorded = OkStatus();
  if (server) {
    const auto answer = server->Call(message, [](const ProgressStep&) { return true; });
    recorded = answer.ok() ? OkStatus() : Status(answer.error());
  } else {
    recorded = AppendLine(directory.audit_pending(), FormatMessage(message) + "\n");
  }
  if (!recorded.ok()) {
    return Error(recorded.error().reason(), StrCat("It was done, but the audit does not have it: ",
                                                   recorded.error().message()))
        .WithNote(recorded.error().note());
  }
  return recorded;
}

Result<AdminFields> RecordActForClient(access::audit::Audit& audit, const AdminFields& act) {
  ASSIGN_OR_RETURN(Entry entry, EntryOf(act));
  RETURN_IF_ERROR(audit.Record(std::move(entry)));
  return AdminFields();
}

Status TakeInPendingActs(const DataDirectory& directory, access::audit::Audit& audit) {
  const std::string path = directory.audit_pending();
  const Result<std::string> lines = ReadFile(path, kPendingBytesMax);
  if (!lines.ok()) {
    return lines.error().kind() == ErrorKind::kNotFound ? OkStatus() : Status(lines.error());
  }
  for (size_t begin = 0, number = 1; begin < lines->size(); ++number) {
    const size_t end = lines->find('\n', begin);
    if (end == std::string::npos) {
      break;  // A command that was killed in the middle of it, before it said that it was done.
    }
    const auto message = ParseMessage(std::string_view(*lines).substr(begin, end - begin));
    Result<Entry> entry = message.ok() ? EntryOf(message->fields) : Result<Entry>(message.error());
    if (!entry.ok()) {
      return Error::Corruption(StrCat("Line ", number, " of ", path,
                                      " is damaged: ", entry.error().message(),
                                      " Move the file away, then start again."));
    }
    const auto time = message->fields.Text("time");
    entry->details["doneAt"] = time.ok() ? *time : "";
    RETURN_IF_ERROR(audit.Record(*std::move(entry)));
    begin = end + 1;
  }
  std::error_code error;
  std::filesystem::remove(path, error);
  return error ? Status(Error::Io(StrCat("Cannot remove ", path, ": ", error.message())))
               : OkStatus();
}

}  // namespace tintype::cli
