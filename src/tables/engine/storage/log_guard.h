#pragma once

#include <rocksdb/file_system.h>

#include <memory>

#include "metrics/instruments.h"

namespace tintype::tables::engine {

/// Wraps `base` so that a write-ahead log that cannot be written is always the end, also when the
/// reason is a full disk.
///
/// RocksDB 7.8 takes "no space" on the log for something that passes: it recovers by itself in the
/// background, flushes, starts a new log and accepts writes again. If the disk is still full, that
/// log fails too, and RocksDB writes once more to a file whose writer asserts that nothing is
/// written after an error. Debian builds with assertions, so the process aborts without a word. An
/// ordinary I/O error on the other hand is fatal to it: the write fails, nothing is inserted, every
/// later write fails, nothing is tried again. That is what must happen here, since after a failed
/// write or sync nobody knows what is on disk. So "no space" on a log is reported as an ordinary
/// error that says so.
///
/// "No space" on sorted files and the MANIFEST stays what it is: RocksDB waits for room and goes
/// on.
///
/// The times of syncs of logs go to `syncs`.
std::shared_ptr<rocksdb::FileSystem> GuardLogs(const std::shared_ptr<rocksdb::FileSystem>& base,
                                               std::shared_ptr<metrics::Histogram> syncs);

}  // namespace tintype::tables::engine
