#pragma once

#include <string>
#include <utility>

#include "imports/source.h"

namespace tintype::imports {

/// The files in a folder of this machine, and below it. Nothing in it is changed.
class FolderSource : public Source {
 public:
  /// `folder` is absolute. `leave_out` is a folder below it that is not looked into, absolute;
  /// empty for none.
  FolderSource(std::string folder, std::string leave_out)
      : folder_(std::move(folder)), leave_out_(std::move(leave_out)) {}

  /// By the names of folders and files in order.
  Result<PassedOver> Walk(const Visit& visit, const Unreadable& unreadable) override;
  /// No link is followed and no pipe waited for, whatever has taken the file's place since.
  Result<std::unique_ptr<OpenFile>> Open(const std::string& path) override;

 private:
  std::string folder_;
  std::string leave_out_;
};

}  // namespace tintype::imports
