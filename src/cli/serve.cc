#include "cli/serve.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "access/audit/audit.h"
#include "access/audit/audit_metrics.h"
#include "base/clock.h"
#include "base/logging.h"
#include "base/strings.h"
#include "cli/admin/socket.h"
#include "cli/audit/audited_commands.h"
#include "cli/audit/open_audit.h"
#include "cli/commands/audit.h"
#include "cli/commands/backup.h"
#include "cli/commands/encrypt.h"
#include "cli/commands/import_folder.h"
#include "cli/commands/keys.h"
#include "cli/commands/manage_users.h"
#include "cli/commands/product_command.h"
#include "cli/commands/reanalyse.h"
#include "cli/commands/rebuild.h"
#include "cli/commands/recount.h"
#include "cli/commands/rotate.h"
#include "cli/commands/scrub.h"
#include "cli/commands/table.h"
#include "cli/commands/users.h"
#include "cli/commands/work.h"
#include "cli/console/stop_signal.h"
#include "cli/gallery/gallery.h"
#include "cli/gallery/membership.h"
#include "cli/risks.h"
#include "cli/settings/credential_store.h"
#include "cli/settings/credentials.h"
#include "cli/settings/data_directory.h"
#include "cli/settings/secret_files.h"
#include "cli/settings/table_credentials.h"
#include "cli/tables/sealing.h"
#include "cli/tables/tables.h"
#include "contexts/common/tables.h"
#include "http/dynamodb/endpoint.h"
#include "http/dynamodb/request_metrics.h"
#include "http/monitoring/health.h"
#include "http/rest/api/api.h"
#include "http/rest/starting.h"
#include "http/server/server.h"
#include "http/server/server_metrics.h"
#include "metrics/process.h"
#include "metrics/registry.h"
#include "tables/transfer/table_transfers.h"

namespace tintype::cli {
namespace {

using http::dynamodb::DynamoDbEndpoint;
using http::dynamodb::EndpointConfig;
using http::monitoring::HealthHandler;
using http::monitoring::MetricsHandler;
using tables::transfer::TableTransfers;

/// Connections and table files together can need more than the usual soft limit of 1024, which only
/// exists for programs that still use select(). Failing leaves what there was.
void RaiseOpenFileLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
      LogWarning("open file limit not raised");
    }
  }
}

/// Gives a new data directory its first key.
Status CreateRootKey(const DataDirectory& directory, const ServeConfig& config) {
  ProfileKey root = GenerateProfileKey("default");
  if (config.root_access_key_id) {
    root.id = *config.root_access_key_id;
    root.secret = *config.root_secret_access_key;
  }
  const std::string path = directory.credentials();
  ASSIGN_OR_RETURN(const bool created, CreateCredentials(path, root, config.region));
  if (created) {
    LogInfo("access key created", {{"file", path}, {"access_key_id", root.id}});
  }
  return OkStatus();
}

/// One listener of the process: its name, and the server that answers there.
struct Listener {
  std::string name;
  std::unique_ptr<http::Server> server;
  std::string address;  // With the port that was picked.
  metrics::Registration connections;
};

/// More connections than the health check and the metrics will ever have.
constexpr size_t kSideConnectionsMax = 256;

/// The files that the process may open.
size_t OpenFilesMax() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

/// What connections may take of the files that the process may open: the tables need the rest, and
/// a server that cannot open those is worse off than one that turns clients away. Half are for the
/// DynamoDB API, and a good deal less for the others.
size_t ConnectionsMax(const ServeConfig& config) {
  const size_t connections_max = std::max<size_t>(OpenFilesMax() / 2, 16);
  if (connections_max >= config.connections_max) {
    return config.connections_max;
  }
  LogInfo("fewer connections than --connections-max, for the limit of open files",
          {{"connections_max", connections_max}, {"open_files_max", OpenFilesMax()}});
  return connections_max;
}
size_t SideConnectionsMax() {
  return std::clamp<size_t>(OpenFilesMax() / 16, 16, kSideConnectionsMax);
}

/// How the listeners for clients listen.
http::ServerConfig ClientListenerConfig(const ServeConfig& config) {
  http::ServerConfig server;
  server.tls_certificate_file = config.tls_certificate;
  server.tls_key_file = config.tls_key;
  server.header_timeout = config.header_timeout;
  server.body_timeout = config.body_timeout;
  server.idle_timeout = config.idle_timeout;
  server.write_timeout = config.write_timeout;
  server.unread_answer_bytes_max = config.unread_answer_bytes_max;
  server.proxies = {config.trusted_proxies,
                    config.proxy_header == "forwarded"         ? http::ProxyHeader::kForwarded
                    : config.proxy_header == "x-forwarded-for" ? http::ProxyHeader::kXForwardedFor
                                                               : http::ProxyHeader::kEither};
  return server;
}

/// What one client may have of what a listener has. This machine gets more, since it may well be a
/// proxy that nobody named, with everybody behind it; and none gets all, so that others get in.
void ShareOut(const ServeConfig& config, http::ServerConfig& server) {
  constexpr size_t kClients = 8;
  constexpr size_t kBodies = 4;
  const auto part = [](size_t whole, size_t of) { return std::max<size_t>(whole / of, 1); };
  const size_t named = config.connections_per_client;
  server.client_limits = {named > 0 ? named : part(server.connections_max, kClients),
                          part(server.body_bytes_in_flight_max, kBodies)};
  server.loopback_limits = {named > 0 ? named : part(server.connections_max, 2),
                            part(server.body_bytes_in_flight_max, 2)};
}

/// The same for the REST API, whose bodies are small or streamed.
http::ServerConfig RestListenerConfig(const ServeConfig& config, http::ServerConfig server) {
  constexpr uint64_t kFormAroundFile = uint64_t{1} << 20;
  // People are fewer than programs, but a page keeps half a dozen open, and a download two files.
  server.connections_max =
      std::max(server.connections_max / 4, std::min(2 * SideConnectionsMax(), kSideConnectionsMax));
  server.body_bytes_max = http::rest::kBodyBytesMax;
  server.streamed_body_bytes_max = config.upload_bytes_max + kFormAroundFile;
  server.streamed_body_rate_min = config.upload_rate_min;
  server.streamed_body_grace = config.body_timeout;
  ShareOut(config, server);
  // A link to a photo is its key, so that no other site is told where somebody came from.
  server.headers = {{"X-Content-Type-Options", "nosniff"}, {"Referrer-Policy", "same-origin"}};
  if (config.hsts_seconds > 0) {
    server.https_headers = {{"Strict-Transport-Security", StrCat("max-age=", config.hsts_seconds)}};
  }
  return server;
}

/// REQUIRES: `--name-address` is the setting that chose `address`.
Result<Listener> Listen(std::string name, const Address& address, http::ServerConfig config,
                        http::Handler& handler, metrics::Registry& registry) {
  config.address = address.host;
  config.port = address.port;
  auto started = http::Server::Start(std::move(config), handler);
  if (!started.ok() && started.error().kind() == ErrorKind::kValidation) {
    return Error::Validation(
        StrCat(started.error().message(), ". --tls-certificate and --tls-key name the files."));
  }
  if (!started.ok()) {
    return Error(started.error().kind(),
                 StrCat(started.error().message(), ". --", name,
                        "-address chooses another (port 0: any free one)."));
  }
  std::unique_ptr<http::Server> server = *std::move(started);
  auto connections =
      http::CollectConnections(registry, name, [server = server.get()] { return server->stats(); });
  std::string shown = Address{address.host, server->port()}.text();
  return Listener{std::move(name), std::move(server), std::move(shown), std::move(connections)};
}

/// Hands requests to another handler, which is known only once the server listens: the gallery's
/// links name the port.
class SwitchingHandler : public http::Handler {
 public:
  explicit SwitchingHandler(http::Handler& first) : handler_(&first) {}

  void SwitchTo(http::Handler& handler) { handler_ = &handler; }

  void Handle(http::Request request, http::Respond respond) override {
    handler_.load()->Handle(std::move(request), std::move(respond));
  }
  http::BodyDecision TakeBody(const http::Request& head) override {
    return handler_.load()->TakeBody(head);
  }
  http::Response Refuse(int status, std::string_view reason) override {
    return handler_.load()->Refuse(status, reason);
  }

 private:
  std::atomic<http::Handler*> handler_;
};

/// The contract with scripts: these are the first lines of standard output.
/// `dynamodb` is where the tables' API answers, here or elsewhere.
void Announce(const Listener& rest, const std::string& dynamodb, const Listener& metrics,
              const DataDirectory& directory, const Gallery* gallery, const ServeConfig& config) {
  std::printf("http %s\ndynamodb %s\nmetrics %s\nready\n", rest.address.c_str(), dynamodb.c_str(),
              metrics.address.c_str());
  if (gallery != nullptr) {
    std::printf("open %s\n", PageUrlOf(config, rest.server->port()).c_str());
  }
  if (gallery != nullptr && !gallery->setup_token().empty()) {
    // For a person who looks at a log as well: without it nobody gets in.
    std::printf("setup-token %s\n", gallery->setup_token().c_str());
  }
  if (::isatty(STDOUT_FILENO) == 1 && !config.remote_tables) {
    std::error_code ignored;
    const std::string file = std::filesystem::absolute(directory.credentials(), ignored).string();
    std::printf(
        "\nThe tables, in another terminal; Ctrl-C stops the server.\n"
        "  AWS_SHARED_CREDENTIALS_FILE=%s aws --endpoint-url %s://%s dynamodb list-tables\n\n",
        file.c_str(), config.tls_certificate.empty() ? "http" : "https", dynamodb.c_str());
  }
  std::fflush(stdout);
}

/// What the server does for other `tintype` processes.
AdminCommands CommandsFor(Tables& tables, access::AccessKeys* keys, const DataDirectory& directory,
                          const ServeConfig& config, Serving serving,
                          const std::atomic<Gallery*>& gallery) {
  const auto on_product = [&](ProductCommand command) -> AdminCommand {
    return [&gallery, &tables, directory, command = std::move(command)](
               const AdminFields& arguments, const ProgressReport& report) -> Result<AdminFields> {
      Gallery* const started = gallery.load();
      if (started == nullptr) {
        return Error(ErrorKind::kUnavailable, "This server runs without the gallery.");
      }
      const ProductHost host{started->product(), /*has_workers=*/true,
                             [&] { return SecretOf(directory, tables); }};
      return command(host)(arguments, report);
    };
  };
  AdminCommands commands;
  commands["encrypt"] = on_product(EncryptCommand());
  commands["rotate-links"] = on_product(RotateLinksCommand(config));
  commands["rotate-signing"] = on_product(RotateSigningCommand());
  commands["scrub"] = on_product(ScrubCommand(config.data_dir));
  commands["import-folder"] = on_product(ImportFolderCommand(config.upload_bytes_max));
  commands["users-list"] = on_product(UsersListCommand);
  commands["users-create"] = on_product(UsersCreateCommand);
  commands["users-limit"] = on_product(UsersLimitCommand);
  commands["users-reset-password"] = on_product(UsersResetPasswordCommand);
  commands["users-invite"] = on_product(UsersInviteCommand);
  commands["users-disable"] = on_product(UsersDisableCommand);
  commands["users-enable"] = on_product(UsersEnableCommand);
  commands["users-role"] = on_product(UsersRoleCommand);
  commands["users-quota"] = on_product(UsersQuotaCommand);
  commands["users-password-link"] = on_product(UsersPasswordLinkCommand);
  commands["users-delete"] = on_product(UsersDeleteCommand);
  commands["work-list"] = on_product(WorkListCommand);
  commands["work-show"] = on_product(WorkShowCommand);
  commands["work-replay"] = on_product(WorkReplayCommand);
  commands["work-purge"] = on_product(WorkPurgeCommand);
  commands["rebuild-renditions"] = on_product(RebuildRenditionsCommand);
  commands["rebuild-analysis"] = on_product(RebuildAnalysisCommand);
  commands["rebuild-usage"] = on_product(RebuildUsageCommand);
  if (EmbeddedTables* const embedded = tables.embedded()) {
    commands.merge(KeysCommands(*keys, directory.credentials()));
    commands["backup"] = BackupCommand(*embedded, config);
    commands["table-export"] = TableExportCommand(*embedded, std::move(serving));
    commands["table-import"] = TableImportCommand(*embedded);
    return commands;
  }
  for (const auto& [name, command] : {std::pair("backup", "backup"),
                                      {"table-export", "table export"},
                                      {"table-import", "table import"}}) {
    commands[name] = [command = command, elsewhere = tables.elsewhere()](
                         const AdminFields&, const ProgressReport&) -> Result<AdminFields> {
      return NeedsEmbeddedTables(command, elsewhere);
    };
  }
  return commands;
}

/// Keys from before there were policies keep what they had.
void WarnOfOldKeys(const FileCredentialStore& keys, const DataDirectory& directory) {
  for (const std::string& profile : keys.OtherProfiles()) {
    LogWarning("an access key without a policy may do everything",
               {{"name", profile},
                {"file", directory.credentials()},
                {"then", "tintype keys create another, and tintype keys delete this one"}});
  }
}

/// The DynamoDB API of the tables in the data directory.
struct TablesApi {
  std::unique_ptr<access::AccessKeys> keys;
  std::unique_ptr<FileCredentialStore> root;  // This and the next stay null when no key is needed.
  std::unique_ptr<TableCredentials> credentials;
  std::unique_ptr<access::TableAccess> access;
  std::unique_ptr<TableTransfers> transfers;
  metrics::Registration engine_metrics;
  std::unique_ptr<http::dynamodb::RequestMetrics> request_metrics;
  std::unique_ptr<DynamoDbEndpoint> endpoint;

  static Result<TablesApi> Open(const ServeConfig& config, const DataDirectory& directory,
                                EmbeddedTables& tables, metrics::Registry& registry,
                                access::audit::Audit& audit) {
    TablesApi api;
    RETURN_IF_ERROR(CreateRootKey(directory, config));
    ASSIGN_OR_RETURN(api.keys, access::AccessKeys::Open({.product_tables = ProtectedTables()},
                                                        tables.records(), SystemClock()));
    if (config.auth) {
      ASSIGN_OR_RETURN(api.root, FileCredentialStore::Open(directory.credentials(), SystemClock()));
      api.credentials = std::make_unique<TableCredentials>(*api.root, *api.keys, SystemClock());
      WarnOfOldKeys(*api.root, directory);
    }
    api.access = std::make_unique<access::TableAccess>(
        access::TableAccessConfig{.region = config.region,
                                  .system_tables = {std::string(contexts::kSystemTable),
                                                    std::string(access::audit::kRemoteAuditTable)},
                                  .audit_table = std::string(access::audit::kAuditTable)},
        tables.facts(), SystemClock());
    ASSIGN_OR_RETURN(auto sealing, TransferSealingOf(directory, tables));
    ASSIGN_OR_RETURN(api.transfers,
                     TableTransfers::Start({.root = config.export_dir,
                                            .records = directory.transfers(),
                                            .sealing = std::move(sealing)},
                                           tables.database(), tables.backups(), SystemClock()));
    api.engine_metrics = tables.CollectMetrics(registry);
    api.request_metrics = std::make_unique<http::dynamodb::RequestMetrics>(registry);
    EndpointConfig endpoint;
    endpoint.credentials = api.credentials.get();
    endpoint.callers = api.credentials.get();
    endpoint.verifier.region = config.region;
    endpoint.region = config.region;
    endpoint.audit = &audit;
    api.endpoint.reset(
        new DynamoDbEndpoint({tables.database(), &tables.streams(), &tables.backups(),
                              api.transfers.get(), api.access.get()},
                             std::move(endpoint), *api.request_metrics, SystemClock()));
    return api;
  }
};

/// As health checks tell it.
http::monitoring::Writes WritesOf(const EmbeddedTables* tables) {
  using http::monitoring::Writes;
  switch (tables == nullptr ? TableWrites::kAll : tables->accepted_writes()) {
    case TableWrites::kAll:
      return Writes::kAccepted;
    case TableWrites::kDeletionsAndOwn:
      return Writes::kLimited;
    case TableWrites::kNone:
      break;
  }
  return Writes::kRefused;
}

/// The directory, of whose secrets and of those of this process nobody else reads anything.
Result<DataDirectory> PrepareDirectory(const ServeConfig& config) {
  ASSIGN_OR_RETURN(DataDirectory directory, OpenOrCreateDataDirectory(config.data_dir));
  RETURN_IF_ERROR(CheckSecretFiles(directory));
  if (!config.tls_key.empty()) {
    RETURN_IF_ERROR(CheckSecretFile(config.tls_key, SecretReaders::kGroup, "The key of TLS"));
  }
  if (config.core_dumps) {
    ::prctl(PR_SET_DUMPABLE, 1);
  } else if (::prctl(PR_GET_DUMPABLE) != 0) {
    LogWarning("a crash may write keys to a core file", {});
  }
  WarnOfRisks(config, directory);
  // RocksDB creates its files for everyone to read, and the directory may be one that lets everyone
  // in. Not earlier: the folders above a new data directory are not ours to close.
  ::umask(077);
  return directory;
}

}  // namespace

Status Serve(const ServeConfig& config) {
  SetLogLevel(config.log_level);
  StopSignal stop_signal;
  RaiseOpenFileLimit();

  ASSIGN_OR_RETURN(const DataDirectory directory, PrepareDirectory(config));
  // The tables come first: opening them makes sure that no other process serves this directory.
  ASSIGN_OR_RETURN(auto tables, OpenTables(directory, config));
  metrics::Registry registry;
  const metrics::Registration process_metrics = metrics::CollectProcess(registry);
  if (config.gallery) {
    // Before anything is written, the audit included: these may be the tables of another gallery.
    RETURN_IF_ERROR(JoinGallery(config, directory, *tables));
    RETURN_IF_ERROR(CheckSecret(config, directory, *tables));
  }
  ASSIGN_OR_RETURN(const auto audit, OpenAudit(config, directory, *tables));
  const metrics::Registration audit_metrics = access::audit::CollectAudit(registry, *audit);
  std::optional<TablesApi> api;  // Stays absent when the tables are elsewhere.
  if (EmbeddedTables* const embedded = tables->embedded()) {
    ASSIGN_OR_RETURN(api, TablesApi::Open(config, directory, *embedded, registry, *audit));
  }
  std::atomic<bool> ready = false;
  HealthHandler health([&ready, embedded = tables->embedded()] {
    return http::monitoring::Readiness{ready.load(), WritesOf(embedded)};
  });
  MetricsHandler metrics_handler(registry, config.metrics_token);

  http::ServerConfig client_listener = ClientListenerConfig(config);
  client_listener.connections_max = ConnectionsMax(config);
  ShareOut(config, client_listener);
  http::rest::StartingHandler starting(health);
  SwitchingHandler rest_handler(config.gallery ? static_cast<http::Handler&>(starting) : health);
  ASSIGN_OR_RETURN(const Listener rest,
                   Listen("http", config.http_address, RestListenerConfig(config, client_listener),
                          rest_handler, registry));
  std::optional<Listener> dynamodb;
  if (api) {
    ASSIGN_OR_RETURN(dynamodb, Listen("dynamodb", config.dynamodb_address, client_listener,
                                      *api->endpoint, registry));
  }
  const std::string dynamodb_address = dynamodb ? dynamodb->address : tables->elsewhere();
  // Without TLS: whatever collects metrics is on this machine, or on a network of its own.
  http::ServerConfig side_listener{.connections_max = SideConnectionsMax()};
  side_listener.headers = {{"X-Content-Type-Options", "nosniff"}};
  ShareOut(config, side_listener);
  ASSIGN_OR_RETURN(
      const Listener metrics_listener,
      Listen("metrics", config.metrics_address, side_listener, metrics_handler, registry));
  std::unique_ptr<Gallery> gallery;  // Stays null when it is not wanted.
  std::atomic<Gallery*> gallery_started = nullptr;
  AdminCommands commands = CommandsFor(
      *tables, api ? api->keys.get() : nullptr, directory, config,
      [&ready] { return ready.load(); }, gallery_started);
  AddAuditCommands(commands, directory, *tables, *audit);
  ASSIGN_OR_RETURN(const auto admin, AdminSocket::Start({.data_dir = directory.path},
                                                        Audited(std::move(commands), *audit)));
  // Last: nothing after it can fail, and leave it behind a listener that still runs.
  if (config.gallery) {
    ASSIGN_OR_RETURN(gallery,
                     Gallery::Start(config, directory, PublicUrlOf(config, rest.server->port()),
                                    *tables, health, registry, *audit));
    rest_handler.SwitchTo(gallery->handler());
    gallery_started = gallery.get();
  }
  ready = true;
  LogInfo("serving", {{"version", TINTYPE_VERSION},
                      {"data_dir", directory.path},
                      {"http", rest.address},
                      {"dynamodb", dynamodb_address},
                      {"metrics", metrics_listener.address},
                      {"durability", config.relaxed_durability ? "relaxed" : "full"},
                      {"encryption", config.encryption ? "on" : "off"},
                      {"auth", config.auth ? "on" : "off"},
                      {"gallery", config.gallery ? "on" : "off"},
                      {"tls", config.tls_certificate.empty() ? "off" : "on"}});
  Announce(rest, dynamodb_address, metrics_listener, directory, gallery.get(), config);

  const int signal = stop_signal.Wait();
  LogInfo("stopping", {{"signal", signal}});
  ready = false;
  if (dynamodb) {
    dynamodb->server->Stop();
  }
  rest.server->Stop();
  metrics_listener.server->Stop();
  admin->Stop();
  if (gallery) {
    gallery->Stop();
  }
  if (api) {
    api->transfers->Stop();
  }
  gallery.reset();
  audit->Stop();
  // While the endpoint still exists: a write that took longer than the servers waited is answered
  // now.
  tables.reset();
  LogInfo("stopped");
  return OkStatus();
}

}  // namespace tintype::cli
