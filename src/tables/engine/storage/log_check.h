#pragma once

#include <rocksdb/file_system.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::tables::engine {

/// Looks for damage in a file of RocksDB's log format (the write-ahead logs and the MANIFEST) that
/// RocksDB 7.8 takes for the file's end, whereupon it silently drops what follows. Its reader
/// checks a record's checksum only after it has believed the record's header:
///  - a type that only recycled logs have, one flipped bit away from each of ours, ends the file;
///  - a length that leads past the end of the file counts as a torn tail, although it may be the
///  length
///    that is wrong: then the checksum fits a shorter record;
///  - a header of zeros skips the rest of its block.
/// All else it finds by itself. A file that ends in the middle of a record is not damaged: that is
/// what a crash leaves of a write that was never answered.
class LogCheck {
 public:
  static constexpr size_t kBlockBytes = 32768;

  /// Takes the next block; all but the last one have kBlockBytes. Returns what is wrong, or
  /// nothing.
  std::string_view Add(std::string_view block);

 private:
  bool ended_ = false;
};

/// Looks at every such file in the directory. Fails with kCorruption, naming the file in the
/// message; with kIo when one cannot be read. The logs are read once more than opening does, the
/// second time from the system's cache.
Status CheckLogFiles(rocksdb::FileSystem& files, const std::string& directory);

}  // namespace tintype::tables::engine
