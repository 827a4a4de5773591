#pragma once

#include <rocksdb/file_system.h>

#include <memory>

#include "tables/engine/encryption/keyring.h"

namespace tintype::tables::engine {

/// Wraps `base` so that every file RocksDB writes is encrypted and every file it reads is expected
/// to be. Thread-safe as `base` is; holds nothing that a crash could lose.
///
/// The prefix of a file (file_cipher.h) is written when the file is created and goes to disk with
/// the first sync of the file. A file that is shorter than its prefix is what a crash leaves of one
/// that was never synced: it reads as empty, as it would without encryption. A prefix that is
/// damaged, or is none, is Corruption, naming the file.
///
/// RocksDB's own encrypted file system is not used: in version 7.8 it writes a second prefix into a
/// file that is reopened, which happens to a log in every recovery and to every ingested file.
///
/// Not offered, with NotSupported, because key stream would be used twice or the content be in
/// plain text: recycled logs, files that are changed in place, mapped buffers, RocksDB's own info
/// log. Direct and mapped reads and writes are turned off.
std::shared_ptr<rocksdb::FileSystem> MakeEncryptedFileSystem(
    const std::shared_ptr<rocksdb::FileSystem>& base, std::shared_ptr<const Keyring> keyring);

}  // namespace tintype::tables::engine
