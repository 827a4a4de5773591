#pragma once

#include <optional>
#include <string>

#include "access/audit/chain.h"
#include "base/descriptor.h"
#include "base/result.h"

namespace tintype::access::audit {

/// A small file beside the tables in which a node remembers how far its chain goes. Somebody who
/// can write the tables, but not the data directory, can put an old state of a chain back, seals
/// and all; this is how that is noticed. Written after each commit, so that it is never ahead of
/// the tables, and not synced: after a power cut it may be behind, which proves less, but nothing
/// false. Not thread-safe.
class Witness {
 public:
  /// Nothing is remembered when `path` is empty.
  static Result<Witness> Open(const std::string& path);

  /// The last head that was written, as it was when the file was opened.
  const std::optional<Head>& found() const { return found_; }

  Status Write(const Head& head);

 private:
  Witness(std::string path, std::optional<Descriptor> file, std::optional<Head> found)
      : path_(std::move(path)), file_(std::move(file)), found_(std::move(found)) {}

  std::string path_;
  std::optional<Descriptor> file_;
  std::optional<Head> found_;
};

/// What the file at `path` says, for those who only verify. Nothing when there is none.
Result<std::optional<Head>> ReadWitness(const std::string& path);

}  // namespace tintype::access::audit
