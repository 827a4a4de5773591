#pragma once

#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "base/descriptor.h"
#include "base/mutex.h"
#include "base/result.h"
#include "cli/admin/message.h"
#include "cli/console/progress.h"

namespace tintype::cli {

/// A command that a running server does for another process: takes arguments, reports progress,
/// gives up when told to, and returns what came of it. Runs on a thread of its own.
using AdminCommand =
    std::function<Result<AdminFields>(const AdminFields& arguments, const ProgressReport& report)>;
using AdminCommands = std::map<std::string, AdminCommand, std::less<>>;

/// Where `tintype` commands reach a server that has the data directory open: the Unix socket
/// `admin.sock` in it, for the directory's owner alone (mode 0600).
///
/// A client sends one line, a request, and gets any number of `progress` lines and then `done` or
/// `error` (message.h); then the connection ends. A client that goes away, or does not read
/// its progress, cancels its command. So does stopping the server.
///
/// Owned by the process's wiring, which gives it the commands; they must not outlive what they work
/// on, so it is stopped first. Thread-safe. Nothing survives a crash but the socket's name, which
/// the next start replaces.
class AdminSocket {
 public:
  struct Config {
    std::string data_dir = {};
    size_t clients_max = 8;  ///< More are told so and turned away.
    size_t request_bytes_max = size_t{64} << 10;
    std::chrono::milliseconds timeout{10'000};  ///< For a request to arrive, and for one answer
                                                ///< line to be taken.
  };

  /// REQUIRES: this process holds the data directory, so that a socket which is there already is
  /// one that a crash left behind. Errors: kIo, naming the socket.
  static Result<std::unique_ptr<AdminSocket>> Start(Config config, AdminCommands commands);
  ~AdminSocket() { Stop(); }
  AdminSocket(const AdminSocket&) = delete;
  AdminSocket& operator=(const AdminSocket&) = delete;

  /// Removes the socket, cancels what is being done and waits for it. Idempotent.
  void Stop();

 private:
  struct Client {
    Descriptor socket;
    std::atomic<bool> ended = false;
    std::thread thread;
  };

  AdminSocket(Config config, AdminCommands commands);
  Status Listen();
  void AcceptClients();
  void Admit(Descriptor socket);
  void Serve(Client& client);
  Result<AdminFields> Do(Client& client);
  Result<std::string> ReadRequest(const Client& client) const;
  ProgressReport ReportTo(Client& client);
  bool Gone(const Client& client) const;

  const Config config_;
  const AdminCommands commands_;
  Descriptor listener_;
  Descriptor wake_;  // An eventfd that ends the accepting thread's wait.
  std::atomic<bool> stopping_ = false;
  std::thread accepting_;
  Mutex mutex_;
  std::list<Client> clients_ GUARDED_BY(mutex_);
};

/// The name of the socket in a data directory.
inline constexpr const char* kAdminSocketName = "admin.sock";

/// A Unix socket's address can hold about a hundred characters, a data directory's path many more.
/// This calls `use` with a path to the socket that fits: the plain one, or one through a descriptor
/// of the directory. Errors: kNotFound or kIo when the directory cannot be opened.
Result<int> WithAdminSocketPath(const std::string& data_dir,
                                const std::function<int(const std::string& path)>& use);

/// Calls bind() or connect() with the address of a socket at `path`; returns 0 or the system's
/// error number. REQUIRES: `path` came from WithAdminSocketPath.
using SocketCall = int (*)(int, const sockaddr*, socklen_t);
int CallWithAddress(SocketCall call, int socket, const std::string& path);

}  // namespace tintype::cli
