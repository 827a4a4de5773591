#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"
#include "metrics/registry.h"
#include "tables/engine/encryption/keyring.h"
#include "tables/engine/recovery/directory_backup.h"
#include "tables/engine/storage/config.h"
#include "tables/language/backups.h"
#include "tables/language/changes.h"
#include "tables/language/database.h"
#include "tables/language/records.h"
#include "tables/language/streams.h"
#include "tables/language/table_facts.h"

namespace tintype::cli {

/// Which writes the tables accept, by the room on their disk.
enum class TableWrites { kAll, kDeletionsAndOwn, kNone };

/// What only the embedded engine has: tables that lie in the data directory. Thread-safe.
class EmbeddedTables {
 public:
  virtual ~EmbeddedTables() = default;

  /// As clients of the endpoint see the tables.
  virtual tables::Database& database() = 0;
  virtual tables::Streams& streams() = 0;
  virtual tables::Backups& backups() = 0;
  /// Where access keys are kept.
  virtual tables::Records& records() = 0;
  virtual const tables::TableFacts& facts() const = 0;

  virtual TableWrites accepted_writes() const = 0;

  /// Keys for what is no table but is to be encrypted as they are: `info` says for what. None where
  /// the tables are not encrypted.
  virtual std::vector<tables::engine::DerivedKey> DeriveKeys(std::string_view info) const = 0;

  /// Shows the engine's figures, while the registration lives; gone before this is.
  virtual metrics::Registration CollectMetrics(metrics::Registry& registry) const = 0;

  /// The backups of these tables in `folder`; gone before this is.
  virtual Result<std::unique_ptr<tables::engine::TablesBackups>> OpenBackups(
      const std::string& folder) = 0;
};

/// The tables that this process works on: those of the data directory, or another service's
/// (--tables). Only open_tables.cc knows which database that is. Owned by whoever opened it;
/// thread-safe.
class Tables {
 public:
  virtual ~Tables() = default;

  /// For this server's own writes.
  virtual tables::Database& as_server() = 0;
  /// Turns recovery on.
  virtual tables::Backups& backups() = 0;
  virtual tables::ChangeLog& changes() = 0;
  /// How long to rest between two looks at the changes.
  virtual std::chrono::milliseconds changes_pause() const = 0;
  /// Where the DynamoDB API of these tables answers, HOST:PORT, if that is not this process.
  virtual std::string elsewhere() const { return {}; }

  /// Null when the tables are elsewhere.
  virtual EmbeddedTables* embedded() { return nullptr; }
};

/// Opens the tables that the settings name. Should the disk of embedded ones fail later, the
/// process ends (exit code 3). One process at a time has a data directory open, wherever the tables
/// are. Errors: kAlreadyOpen when another has; kValidation when the directory's tables are
/// elsewhere than the settings say; what the engine says; kUnavailable or kUnauthenticated, with
/// what to do, when the other service cannot be reached or refuses.
Result<std::unique_ptr<Tables>> OpenTables(const DataDirectory& directory,
                                           const ServeConfig& config);

/// The same for a command that works on the engine itself. kValidation, naming `command`, when the
/// tables are elsewhere.
Result<std::unique_ptr<Tables>> OpenEmbeddedTables(const DataDirectory& directory,
                                                   const ServeConfig& config,
                                                   std::string_view command);

/// The error for a command that cannot work on tables elsewhere.
Error NeedsEmbeddedTables(std::string_view command, std::string_view elsewhere);

/// An engine in any folder, for benchmarks and tests.
Result<std::unique_ptr<Tables>> OpenEngine(tables::engine::EngineConfig config);

}  // namespace tintype::cli
