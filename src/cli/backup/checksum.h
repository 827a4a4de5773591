#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::cli {

/// What a file's content is, as far as anyone can tell.
struct Checksum {
  std::string sha256;  // In hexadecimal.
  uint64_t bytes = 0;

  bool operator==(const Checksum&) const = default;
};

/// Called with the size of each piece, a megabyte at most, once it has been read. False: give up.
using OnPiece = std::function<bool(uint64_t bytes)>;

/// Reads a file. Errors: kNotFound or kIo, naming it; kUnavailable when `on_piece` gave up.
Result<Checksum> ChecksumOfFile(const std::string& path, const OnPiece& on_piece);

/// Copies a file to `to`, which must not exist and gets mode 0600, and returns the checksum of what
/// was written, which is then on disk; that `to` exists is so only once its folder is synced, too.
/// Errors: as above, naming the file that was refused.
Result<Checksum> CopyFile(const std::string& from, const std::string& to, const OnPiece& on_piece);

}  // namespace tintype::cli
