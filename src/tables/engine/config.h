#pragma once

#include <cstddef>
#include <string>

namespace tintype::tables::engine {

/// Settings of the embedded engine.
struct EngineConfig {
  /// Where the tables live. Created if missing. One process at a time.
  std::string directory;

  /// False: a write is answered when it is on disk. True: when the operating system has it; a power
  /// cut may lose the last moments, though never a part of a write. Default: false.
  bool relaxed_durability = false;

  /// Bytes of memory for cached blocks. Default: 256 MB. More helps when the tables are larger.
  size_t cache_bytes = size_t{256} << 20;

  /// Bytes of memory that collect writes before they go to a sorted file. Default: 64 MB.
  size_t write_buffer_bytes = size_t{64} << 20;

  /// Writes that may wait for the commit thread. More are refused with kOverloaded. Default:
  /// 65,536.
  size_t commit_queue_limit = 65536;

  /// What table ARNs name: region and account.
  std::string region = "us-east-1";
  std::string account = "000000000000";
};

}  // namespace tintype::tables::engine
