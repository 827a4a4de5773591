#include "cli/admin/client.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "cli/admin/socket.h"

namespace tintype::cli {
namespace {

constexpr size_t kAnswerBytesMax = size_t{4} << 20;

Error ServerEnded() {
  return {ErrorKind::kUnavailable,
          "The server ended before it had answered, so the command was not completed"};
}

}  // namespace

Result<std::optional<AdminClient>> AdminClient::Connect(const std::string& data_dir) {
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) {
    return FileError("make a socket for", data_dir);
  }
  ASSIGN_OR_RETURN(const int refused, WithAdminSocketPath(data_dir, [&](const auto& path) {
                     return CallWithAddress(::connect, socket.number(), path);
                   }));
  if (refused == 0) {
    return std::optional(AdminClient(std::move(socket)));
  }
  // Refused: a server that was killed left its socket behind.
  if (refused == ENOENT || refused == ECONNREFUSED) {
    return std::optional<AdminClient>();
  }
  errno = refused;
  return FileError("reach the server at", StrCat(data_dir, "/", kAdminSocketName));
}

Result<AdminFields> AdminClient::Call(const AdminMessage& request, const ProgressReport& report) {
  std::string line = FormatMessage(request);
  line.push_back('\n');
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket_.number(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      return ServerEnded();
    }
    rest.remove_prefix(sent > 0 ? static_cast<size_t>(sent) : 0);
  }
  for (;;) {
    ASSIGN_OR_RETURN(const std::string answer, ReadLine());
    ASSIGN_OR_RETURN(AdminMessage message, ParseMessage(answer));
    if (message.name == "done") {
      return std::move(message.fields);
    }
    if (message.name == "error") {
      ASSIGN_OR_RETURN(std::string text, message.fields.Text("message"));
      return Error(ErrorKind::kInternal, std::move(text));
    }
    ProgressStep step;
    ASSIGN_OR_RETURN(step.stage, message.fields.Text("stage"));
    ASSIGN_OR_RETURN(const int64_t done, message.fields.Number("done"));
    ASSIGN_OR_RETURN(const int64_t total, message.fields.Number("total"));
    step.done = static_cast<uint64_t>(done);
    step.total = static_cast<uint64_t>(total);
    if (Result<std::string> unit = message.fields.Text("unit"); unit.ok()) {
      step.unit = *std::move(unit);
    }
    if (Result<std::string> detail = message.fields.Text("detail"); detail.ok()) {
      step.detail = *std::move(detail);
    }
    if (Result<std::string> note = message.fields.Text("note"); note.ok()) {
      step.note = *std::move(note);
    }
    if (!report(step)) {
      return Error(ErrorKind::kUnavailable, "The command was cancelled");
    }
  }
}

Result<std::string> AdminClient::ReadLine() {
  char buffer[4096];
  for (;;) {
    if (const size_t end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    if (received_.size() > kAnswerBytesMax) {
      return Error(ErrorKind::kInternal, "The server's answer is too long to be one");
    }
    const ssize_t count = ::recv(socket_.number(), buffer, sizeof buffer, 0);
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return ServerEnded();
    }
    received_.append(buffer, count > 0 ? static_cast<size_t>(count) : 0);
  }
}

}  // namespace tintype::cli
