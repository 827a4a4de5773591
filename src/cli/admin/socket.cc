#include "cli/admin/socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/logging.h"
#include "base/strings.h"

namespace tintype::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// How often a client is told of progress, however often the command reports it.
constexpr std::chrono::milliseconds kProgressInterval{200};

/// Sends a line. False when the client has gone or does not read.
bool SendLine(const Descriptor& socket, std::string line) {
  line.push_back('\n');
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket.number(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      return false;
    }
    rest.remove_prefix(sent > 0 ? static_cast<size_t>(sent) : 0);
  }
  return true;
}

void SetSendTimeout(const Descriptor& socket, std::chrono::milliseconds timeout) {
  timeval time{};
  time.tv_sec = timeout.count() / 1000;
  time.tv_usec = timeout.count() % 1000 * 1000;
  ::setsockopt(socket.number(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

int MillisecondsUntil(SteadyClock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
  return left.count() > 0 ? static_cast<int>(left.count()) : 0;
}

}  // namespace

Result<int> WithAdminSocketPath(const std::string& data_dir,
                                const std::function<int(const std::string& path)>& use) {
  const std::string path = StrCat(data_dir, "/", kAdminSocketName);
  if (path.size() < sizeof(sockaddr_un::sun_path)) {
    return use(path);
  }
  const Descriptor directory(::open(data_dir.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) {
    return FileError("open", data_dir);
  }
  return use(StrCat("/proc/self/fd/", directory.number(), "/", kAdminSocketName));
}

int CallWithAddress(SocketCall call, int socket, const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int result = call(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return result == 0 ? 0 : errno;
}

Result<std::unique_ptr<AdminSocket>> AdminSocket::Start(Config config, AdminCommands commands) {
  std::unique_ptr<AdminSocket> socket(new AdminSocket(std::move(config), std::move(commands)));
  RETURN_IF_ERROR(socket->Listen());
  socket->accepting_ = std::thread([raw = socket.get()] { raw->AcceptClients(); });
  return socket;
}

AdminSocket::AdminSocket(Config config, AdminCommands commands)
    : config_(std::move(config)), commands_(std::move(commands)) {}

Status AdminSocket::Listen() {
  const std::string name = StrCat(config_.data_dir, "/", kAdminSocketName);
  if (::unlink(name.c_str()) != 0 && errno != ENOENT) {
    return FileError("remove", name);
  }
  wake_ = Descriptor(::eventfd(0, EFD_CLOEXEC));
  listener_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  // The socket's own mode is what its file gets, so that it is never open to others, not even for
  // a moment.
  if (!wake_.valid() || !listener_.valid() || ::fchmod(listener_.number(), 0600) != 0) {
    return FileError("create", name);
  }
  ASSIGN_OR_RETURN(const int refused, WithAdminSocketPath(config_.data_dir, [&](const auto& path) {
                     return CallWithAddress(::bind, listener_.number(), path);
                   }));
  if (refused != 0) {
    errno = refused;
    return FileError("listen on", name);
  }
  if (::listen(listener_.number(), static_cast<int>(config_.clients_max)) != 0) {
    return FileError("listen on", name);
  }
  return OkStatus();
}

void AdminSocket::Stop() {
  if (stopping_.exchange(true) || !accepting_.joinable()) {
    return;
  }
  const uint64_t one = 1;
  if (::write(wake_.number(), &one, sizeof one) != sizeof one) {
    LogError("admin socket not stopped", {{"reason", std::strerror(errno)}});
  }
  accepting_.join();
  ::unlink(StrCat(config_.data_dir, "/", kAdminSocketName).c_str());
  const MutexLock lock(mutex_);
  for (Client& client : clients_) {
    ::shutdown(client.socket.number(), SHUT_RDWR);
    client.thread.join();
  }
  clients_.clear();
}

void AdminSocket::AcceptClients() {
  pollfd waits[] = {{listener_.number(), POLLIN, 0}, {wake_.number(), POLLIN, 0}};
  while (!stopping_) {
    if (::poll(waits, 2, -1) < 0 || stopping_) {
      continue;  // A signal, or the end.
    }
    Descriptor socket(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.valid()) {
      Admit(std::move(socket));
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
      // The client stays in the queue; asking again at once would keep a core busy until then.
      LogWarning("admin client not accepted", {{"reason", std::strerror(errno)}});
      ::poll(&waits[1], 1, 1000);
    }
  }
}

void AdminSocket::Admit(Descriptor socket) {
  SetSendTimeout(socket, config_.timeout);
  const MutexLock lock(mutex_);
  std::erase_if(clients_, [](Client& client) {
    // Asked once: a client that ends meanwhile would be erased with its thread still joinable.
    const bool ended = client.ended;
    if (ended) {
      client.thread.join();
    }
    return ended;
  });
  if (clients_.size() >= config_.clients_max) {
    const Error busy(ErrorKind::kOverloaded, "The server is busy with other commands; try later");
    SendLine(socket, FormatMessage(ErrorMessage(busy)));
    return;
  }
  Client& client = clients_.emplace_back();
  client.socket = std::move(socket);
  try {
    client.thread = std::thread([this, &client] { Serve(client); });
  } catch (const std::system_error& error) {
    LogWarning("admin client not served", {{"reason", error.what()}});
    clients_.pop_back();
  }
}

void AdminSocket::Serve(Client& client) {
  const Result<AdminFields> outcome = Do(client);
  const AdminMessage answer =
      outcome.ok() ? AdminMessage{"done", *outcome} : ErrorMessage(outcome.error());
  SendLine(client.socket, FormatMessage(answer));
  // The descriptor is closed when the client is forgotten, which may be later.
  ::shutdown(client.socket.number(), SHUT_RDWR);
  client.ended = true;
}

Result<AdminFields> AdminSocket::Do(Client& client) {
  ASSIGN_OR_RETURN(const std::string line, ReadRequest(client));
  ASSIGN_OR_RETURN(const AdminMessage request, ParseMessage(line));
  const auto command = commands_.find(request.name);
  if (command == commands_.end()) {
    return Error::Validation(
        StrCat("This server has no command '", request.name, "'; is it of another version?"));
  }
  LogInfo("admin command", {{"command", request.name}});
  Result<AdminFields> outcome = command->second(request.fields, ReportTo(client));
  if (!outcome.ok()) {
    LogWarning("admin command failed",
               {{"command", request.name}, {"message", outcome.error().message()}});
  }
  return outcome;
}

Result<std::string> AdminSocket::ReadRequest(const Client& client) const {
  const auto deadline = SteadyClock::now() + config_.timeout;
  std::string line;
  char buffer[4096];
  for (;;) {
    pollfd wait{client.socket.number(), POLLIN, 0};
    const int arrived = ::poll(&wait, 1, MillisecondsUntil(deadline));
    if (arrived == 0) {
      return Error(ErrorKind::kUnavailable, "No request arrived in time");
    }
    const ssize_t count =
        arrived < 0 ? -1 : ::recv(client.socket.number(), buffer, sizeof buffer, 0);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return Error(ErrorKind::kUnavailable, "The connection ended before the request did");
    }
    line.append(buffer, static_cast<size_t>(count));
    const size_t end = line.find('\n');
    if (std::min(end, line.size()) > config_.request_bytes_max) {
      return Error::Validation(
          StrCat("A request may have at most ", config_.request_bytes_max, " bytes"));
    }
    if (end != std::string::npos) {
      line.resize(end);
      return line;
    }
  }
}

ProgressReport AdminSocket::ReportTo(Client& client) {
  return [this, &client, next = SteadyClock::time_point(),
          stage = std::string()](const ProgressStep& step) mutable {
    if (stopping_ || Gone(client)) {
      return false;
    }
    if (!step.note.empty()) {
      return SendLine(client.socket, FormatMessage(ProgressMessage(step)));
    }
    const bool last = step.total > 0 && step.done >= step.total;
    const bool told = step.stage == stage && !last && SteadyClock::now() < next;
    if (told) {
      return true;
    }
    stage = step.stage;
    next = SteadyClock::now() + kProgressInterval;
    return SendLine(client.socket, FormatMessage(ProgressMessage(step)));
  };
}

bool AdminSocket::Gone(const Client& client) const {
  // A client that has only closed its sending side still waits for the answer.
  pollfd wait{client.socket.number(), 0, 0};
  return ::poll(&wait, 1, 0) > 0 && (wait.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace tintype::cli
