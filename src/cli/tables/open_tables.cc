#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/logging.h"
#include "base/strings.h"
#include "cli/master_key/master_key.h"
#include "cli/settings/tables_place.h"
#include "cli/tables/tables.h"
#include "net/endpoint.h"
#include "tables/engine/encryption/fingerprint.h"
#include "tables/engine/engine_metrics.h"
#include "tables/engine/rocks_database.h"
#include "tables/language/await.h"
#include "tables/language/errors.h"
#include "tables/remote/remote_changes.h"
#include "tables/remote/remote_database.h"

// The one file that knows which database it is.
namespace tintype::cli {
namespace {

using tables::engine::EngineConfig;
using tables::engine::RocksDatabase;
using tables::remote::RemoteChanges;
using tables::remote::RemoteConfig;
using tables::remote::RemoteDatabase;

/// So that whatever restarts the server can tell a failing disk from a wrong setting.
constexpr int kExitDiskFailed = 3;

class EngineTables : public Tables, public EmbeddedTables {
 public:
  explicit EngineTables(std::unique_ptr<RocksDatabase> database) : database_(std::move(database)) {}

  tables::Database& as_server() override { return database_->AsServer(); }
  tables::Backups& backups() override { return *database_; }
  tables::ChangeLog& changes() override { return *database_; }
  std::chrono::milliseconds changes_pause() const override { return std::chrono::milliseconds(50); }
  EmbeddedTables* embedded() override { return this; }

  tables::Database& database() override { return *database_; }
  tables::Streams& streams() override { return *database_; }
  tables::Records& records() override { return *database_; }
  const tables::TableFacts& facts() const override { return *database_; }
  TableWrites accepted_writes() const override {
    const RocksDatabase::DiskStatus disk = database_->disk_status();
    return disk.full             ? TableWrites::kNone
           : disk.writes_refused ? TableWrites::kDeletionsAndOwn
                                 : TableWrites::kAll;
  }
  std::vector<tables::engine::DerivedKey> DeriveKeys(std::string_view info) const override {
    return database_->DeriveKeys(info);
  }
  metrics::Registration CollectMetrics(metrics::Registry& registry) const override {
    return tables::engine::CollectEngine(registry, *database_);
  }
  Result<std::unique_ptr<tables::engine::TablesBackups>> OpenBackups(
      const std::string& folder) override {
    return database_->OpenBackups(folder);
  }

 private:
  const std::unique_ptr<RocksDatabase> database_;
};

/// Tables on another service. Nothing tells of commits there, so changes are asked for.
class ServiceTables : public Tables {
 public:
  ServiceTables(Descriptor lock, std::string host, std::unique_ptr<RemoteDatabase> database)
      : lock_(std::move(lock)),
        host_(std::move(host)),
        database_(std::move(database)),
        changes_({}, *database_, SystemClock()) {}

  tables::Database& as_server() override { return *database_; }
  tables::Backups& backups() override { return *database_; }
  tables::ChangeLog& changes() override { return changes_; }
  std::chrono::milliseconds changes_pause() const override {
    return std::chrono::milliseconds(500);
  }
  std::string elsewhere() const override { return host_; }

 private:
  const Descriptor lock_;
  const std::string host_;
  const std::unique_ptr<RemoteDatabase> database_;
  RemoteChanges changes_;
};

/// Asks the service for something, so that a wrong setting shows at the start.
Status Probe(RemoteConfig config) {
  constexpr int kAttemptsMax = 5;
  constexpr std::chrono::milliseconds kCallTimeout{10'000};
  config.attempts_max = kAttemptsMax;
  config.call_timeout = kCallTimeout;
  const std::string url = config.endpoint;
  const std::string key_id = config.credentials.access_key_id;
  ASSIGN_OR_RETURN(const auto database, RemoteDatabase::Open(std::move(config), SystemClock()));
  tables::ListTablesRequest request;
  request.limit = 1;
  const auto listed =
      tables::Await<tables::Database>(*database, &tables::Database::ListTables, std::move(request));
  if (listed.ok()) {
    return OkStatus();
  }
  const Error& error = listed.error();
  if (error.Is(ErrorKind::kUnauthenticated) || error.Is(ErrorKind::kAccessDenied)) {
    return Error(
        error.reason(),
        StrCat(url, " refuses the access key ", key_id, ": ", error.message(),
               " Use its root key, which is in the file 'credentials' of its data "
               "directory: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile that "
               "AWS_PROFILE names; --region has to be the same as there."));
  }
  if (error.Is(ErrorKind::kUnavailable) || error.Is(ErrorKind::kOverloaded)) {
    return Error(error.reason(), StrCat(url, " does not answer: ", error.message(),
                                        " Is 'tintype serve --gallery off' running there, with a "
                                        "--dynamodb-address that this machine reaches? --tables "
                                        "names it as http://HOST:PORT."))
        .WithNote(error.note());
  }
  return Error(error.reason(), StrCat(url, " does not answer as the DynamoDB API does: ",
                                      error.message(), " Check --tables."));
}

Result<std::unique_ptr<Tables>> OpenService(const DataDirectory& directory,
                                            const ServeConfig& config) {
  const RemoteTablesSettings& settings = *config.remote_tables;
  ASSIGN_OR_RETURN(Descriptor lock, HoldForTablesAt(directory, settings.url));
  RemoteConfig remote;
  remote.endpoint = settings.url;
  remote.region = config.region;
  remote.credentials = settings.key;
  remote.capabilities = tables::remote::Capabilities::Tintype();
  constexpr size_t kConnectionsMax = 64;
  remote.connections_max = kConnectionsMax;
  RETURN_IF_ERROR(Probe(remote));
  ASSIGN_OR_RETURN(const net::Endpoint endpoint, net::ParseEndpoint(settings.url));
  ASSIGN_OR_RETURN(auto database, RemoteDatabase::Open(std::move(remote), SystemClock()));
  return std::unique_ptr<Tables>(
      new ServiceTables(std::move(lock), endpoint.host, std::move(database)));
}

/// Reads the master key, if there is to be one, and opens the tables with it.
Result<std::unique_ptr<RocksDatabase>> OpenEncrypted(const DataDirectory& directory,
                                                     const ServeConfig& config,
                                                     EngineConfig engine) {
  if (config.encryption) {
    ASSIGN_OR_RETURN(engine.master_key, LoadMasterKey(directory, config.master_key));
    LogInfo("master key read", {{"master_key", tables::engine::Fingerprint(*engine.master_key)}});
  }
  return RocksDatabase::Open(std::move(engine), SystemClock());
}

Result<std::unique_ptr<Tables>> OpenHere(const DataDirectory& directory,
                                         const ServeConfig& config) {
  RETURN_IF_ERROR(CheckTablesAreHere(directory));
  EngineConfig engine;
  engine.directory = directory.tables();
  engine.backup_directory = directory.table_backups();
  engine.relaxed_durability = config.relaxed_durability;
  engine.cache_bytes = config.cache_bytes;
  engine.region = config.region;
  engine.min_free_bytes = config.min_free_bytes;
  engine.ballast_bytes = config.ballast_bytes;
  engine.on_failure = [path = directory.tables()](const Error& error) {
    // At once, without closing anything: to close the tables is to write to files that are not to
    // be trusted any more. A client that waits for an answer learns from the lost connection that
    // the outcome is unknown.
    std::fprintf(
        stderr,
        "tintype: the tables in %s cannot be written: %s\n"
        "tintype: stopped, so that nothing false is answered. Everything that was answered is "
        "kept. Check the disk, then start again.\n",
        path.c_str(), error.note().c_str());
    std::_Exit(kExitDiskFailed);
  };
  auto database = OpenEncrypted(directory, config, std::move(engine));
  if (!database.ok() && database.error().Is(tables::reasons::kAlreadyOpen)) {
    return DirectoryInUse(directory);
  }
  if (!database.ok()) {
    return std::move(database).error();
  }
  return std::unique_ptr<Tables>(new EngineTables(*std::move(database)));
}

}  // namespace

Result<std::unique_ptr<Tables>> OpenTables(const DataDirectory& directory,
                                           const ServeConfig& config) {
  return config.remote_tables ? OpenService(directory, config) : OpenHere(directory, config);
}

Result<std::unique_ptr<Tables>> OpenEmbeddedTables(const DataDirectory& directory,
                                                   const ServeConfig& config,
                                                   std::string_view command) {
  if (config.remote_tables) {
    return NeedsEmbeddedTables(command, config.remote_tables->url);
  }
  return OpenHere(directory, config);
}

Error NeedsEmbeddedTables(std::string_view command, std::string_view elsewhere) {
  return Error::Validation(StrCat("'tintype ", command,
                                  "' works on tables in the data directory, but --tables says that "
                                  "they are at ",
                                  elsewhere, ". Run it there."));
}

Result<std::unique_ptr<Tables>> OpenEngine(EngineConfig config) {
  ASSIGN_OR_RETURN(auto database, RocksDatabase::Open(std::move(config), SystemClock()));
  return std::unique_ptr<Tables>(new EngineTables(std::move(database)));
}

}  // namespace tintype::cli
