#pragma once

#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "cli/admin/message.h"
#include "cli/console/progress.h"

namespace tintype::cli {

/// A command's connection to the server that has a data directory open. For one request.
class AdminClient {
 public:
  /// Nothing when no server runs there: the caller then opens the directory itself. Errors: kIo
  /// when there is a socket that this user may not use.
  static Result<std::optional<AdminClient>> Connect(const std::string& data_dir);

  /// Sends the request, passes progress on, and waits for the outcome, however long it takes. When
  /// `report` gives up, so does the server. Errors: kUnavailable when the server ended before it
  /// answered or `report` gave up; kInternal with the server's message for what failed there.
  Result<AdminFields> Call(const AdminMessage& request, const ProgressReport& report);

 private:
  explicit AdminClient(Descriptor socket) : socket_(std::move(socket)) {}
  Result<std::string> ReadLine();

  Descriptor socket_;
  std::string received_;
};

}  // namespace tintype::cli
