#include "cli/gallery/gallery.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <future>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/logging.h"
#include "base/random.h"
#include "base/strings.h"
#include "blobs/disk_room_metrics.h"
#include "cli/audit/open_audit.h"
#include "cli/gallery/analysis_service.h"
#include "cli/gallery/media_service.h"
#include "cli/gallery/membership.h"
#include "cli/gallery/outside_sign_in.h"
#include "cli/gallery/page_files.h"
#include "cli/gallery/product_parts.h"
#include "cli/gallery/program_folder.h"
#include "cli/gallery/resize_service.h"
#include "cli/gallery/signing_keys.h"
#include "cli/tables/sealing.h"
#include "contexts/common/secrets.h"
#include "darkroom/darkroom.h"
#include "darkroom/darkroom_metrics.h"
#include "flows/accounts/sign_in.h"
#include "flows/product.h"
#include "flows/uploads/resumable_upload.h"
#include "http/rest/endpoint.h"
#include "http/rest/protocol/rate_limit.h"
#include "http/server/host_check.h"
#include "pipeline/change_reader.h"
#include "pipeline/profile_picture.h"
#include "pipeline/reconciler.h"
#include "pipeline/steps.h"
#include "pipeline/work_metrics.h"
#include "pipeline/workers.h"

namespace tintype::cli {
namespace {

/// Reads a file of the data directory, which is made from `content` when it is not there.
Result<std::string> ReadOrCreate(const std::string& path, const std::string& content) {
  Result<std::string> existing = ReadFile(path);
  if (existing.ok() || existing.error().kind() != ErrorKind::kNotFound) {
    return existing;
  }
  constexpr mode_t kOwnerOnly = 0600;
  RETURN_IF_ERROR(WriteFileAtomically(path, content, kOwnerOnly));
  return content;
}

/// The helper program: the one that is named, or the one beside this program.
std::string DarkroomPath(const ServeConfig& config) {
  if (!config.darkroom.empty()) {
    return std::filesystem::absolute(config.darkroom).string();
  }
  return (ProgramFolder() / "tintype-darkroom").string();
}

darkroom::SandboxUse SandboxUseOf(const ServeConfig& config) {
  return config.darkroom_sandbox == "off"         ? darkroom::SandboxUse::kOff
         : config.darkroom_sandbox == "preferred" ? darkroom::SandboxUse::kPreferred
                                                  : darkroom::SandboxUse::kRequired;
}

darkroom::Config DarkroomConfig(const ServeConfig& config) {
  darkroom::Config darkroom;
  darkroom.helper_path = DarkroomPath(config);
  darkroom.processes_max = config.workers;
  darkroom.sandbox = SandboxUseOf(config);
  darkroom::Limits& limits = darkroom.limits;
  limits.address_space_bytes = static_cast<int64_t>(config.photo_memory_bytes);
  limits.cpu_seconds = static_cast<int64_t>(config.photo_cpu_seconds);
  limits.wall_ms = 2 * 1000 * limits.cpu_seconds;
  limits.pixels.pixels = static_cast<int64_t>(config.photo_pixels_max);
  limits.pixels.pages = static_cast<int64_t>(config.photo_pages_max);
  limits.pixels.pixels_held_whole = darkroom::PixelsHeldWhole(limits.address_space_bytes);
  return darkroom;
}

/// Refuses to start a server whose helpers are known to have no sandbox, if one is required. Where
/// that is not known soon, each helper is asked when there is work, and refused then.
Status CheckSandbox(const darkroom::Config& config, const darkroom::Darkroom& darkroom,
                    std::future<Status>& prepared) {
  constexpr std::chrono::seconds kPatience{5};
  if (config.sandbox != darkroom::SandboxUse::kRequired) {
    return OkStatus();
  }
  if (prepared.wait_for(kPatience) != std::future_status::ready) {
    LogWarning("image helpers are slow to start", {{"waited_s", kPatience.count()}});
    return OkStatus();
  }
  const std::string missing = darkroom.sandbox_missing();
  if (missing.empty()) {
    // If there is no helper at all, the log has the error, and work waits for one.
    return OkStatus();
  }
  return Error(
      ErrorKind::kUnavailable,
      StrCat("The image helper has no sandbox, and --darkroom-sandbox is 'required': ", missing,
             ". It takes a kernel with seccomp filters (CONFIG_SECCOMP_FILTER, Linux "
             "4.14), and a container or service that does not forbid the system call "
             "seccomp. With --darkroom-sandbox preferred the server goes on without; a "
             "photo that breaks a decoder could then do whatever its user may do."));
}

/// Of one account. Somebody looking for the best one has enough, and nobody keeps a processor busy.
constexpr int64_t kPicturesPerMinute = 20;

/// Media that are kept open have a sixteenth of what the process may open, two files each.
size_t ReadyMediaMax() {
  const size_t enough = http::rest::ApiConfig().ready_media_max;
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? std::min<size_t>(enough, limit.rlim_cur / 32)
                                                 : enough;
}

/// The error for tables whose signing key was sealed with another secret than this directory's.
Error SecretOfAnotherDirectory(const DataDirectory& directory, const ServeConfig& config) {
  if (!config.remote_tables) {
    return {contexts::kSealedWithAnotherKey,
            StrCat(directory.secret(), " is not the file that the gallery in ", directory.tables(),
                   " was made with. Bring it back from the newest backup.")};
  }
  return {contexts::kSealedWithAnotherKey,
          StrCat("The tables at ", config.remote_tables->url,
                 " belong to the gallery of another data directory, whose file 'secret' is not the "
                 "same as ",
                 directory.secret(),
                 ". To run that gallery, stop it where it runs and start with its directory "
                 "(--data-dir), or copy its 'secret' to ",
                 directory.secret(), ". To start another gallery, name other tables (--tables).")};
}

/// As SigningKeys::Open. Errors also: tables of another directory's secret.
Result<SigningKeys> OpenSigningKeys(const ServeConfig& config, const DataDirectory& directory,
                                    const std::string& public_url, std::string_view secret,
                                    tables::Database& database) {
  auto opened = SigningKeys::Open(public_url, secret, database);
  if (!opened.ok() && opened.error().Is(contexts::kSealedWithAnotherKey)) {
    return SecretOfAnotherDirectory(directory, config);
  }
  return opened;
}

/// The setup token, while the first account is to be made; afterwards its file goes.
Result<std::string> PrepareSetupToken(const DataDirectory& directory,
                                      contexts::identity::Accounts& accounts) {
  ASSIGN_OR_RETURN(const bool set_up, accounts.IsSetUp());
  if (set_up) {
    std::error_code ignored;
    std::filesystem::remove(directory.setup_token(), ignored);
    return std::string();
  }
  constexpr size_t kTokenBytes = 18;
  ASSIGN_OR_RETURN(std::string token, ReadOrCreate(directory.setup_token(),
                                                   Base64Url(RandomBytes(kTokenBytes)) + "\n"));
  while (!token.empty() && token.back() == '\n') {
    token.pop_back();
  }
  if (token.empty()) {
    // To anyone who asks, an empty token is no token.
    return Error::Corruption(
        StrCat(directory.setup_token(), " is empty: remove it, then start again."));
  }
  return token;
}

/// What the listener is called: by whoever runs it, and by the machine, which nobody elsewhere has
/// a say in.
http::HostCheck HostsOf(const ServeConfig& config) {
  http::HostCheck::Config hosts{config.allowed_hosts, config.public_url};
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0 && name.front() != '\0') {
    hosts.names.emplace_back(name.data());
  }
  return http::HostCheck(hosts);
}

}  // namespace

/// Everything, in the order in which it is made; destroyed backwards.
struct Gallery::Parts {
  Parts() = default;
  /// After a start that failed nobody waits for helpers that do not start.
  ~Parts() {
    if (darkroom != nullptr) {
      darkroom->StartNoMore();
    }
    if (resizing != nullptr) {
      resizing->darkroom().StartNoMore();
    }
    if (analysis != nullptr) {
      analysis->StartNoMore();
    }
    if (media != nullptr) {
      media->StartNoMore();
    }
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  std::unique_ptr<ProductParts> product_parts;

  std::optional<contexts::identity::Passwords> passwords;
  std::unique_ptr<contexts::identity::Sessions> sessions;
  SigningKeys keys;
  contexts::identity::SignInThrottle throttle{{}, SystemClock()};
  std::unique_ptr<contexts::identity::DeviceTokens> devices;
  std::unique_ptr<contexts::identity::ApiKeys> api_keys;
  std::unique_ptr<contexts::identity::LiveCallers> live;
  std::unique_ptr<OutsideSignIn> outside;
  std::unique_ptr<flows::Identity> identity;

  std::unique_ptr<darkroom::Darkroom> darkroom;
  std::future<Status> prepared;  // Whether a first helper has started.
  std::unique_ptr<ResizeService> resizing;
  std::unique_ptr<MediaService> media;
  std::unique_ptr<AnalysisService> analysis;
  std::unique_ptr<pipeline::Workers> workers;
  std::unique_ptr<pipeline::WorkMetrics> work_metrics;
  std::vector<metrics::Registration> other_metrics;
  std::unique_ptr<pipeline::Reconciler> reconciler;
  std::unique_ptr<pipeline::ChangeReader> change_reader;
  std::unique_ptr<http::rest::RateLimit> upload_rate;
  std::unique_ptr<http::rest::RateLimit> job_rate;
  std::unique_ptr<http::rest::RateLimit> link_rate;
  std::unique_ptr<http::rest::RateLimit> picture_rate;
  std::unique_ptr<pipeline::ProfilePictures> pictures;
  std::unique_ptr<http::rest::Api> api;
  std::unique_ptr<http::rest::RestEndpoint> endpoint;
};

Gallery::Gallery(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Gallery::~Gallery() { Stop(); }

Status CheckSecret(const ServeConfig& config, const DataDirectory& directory, Tables& tables) {
  ASSIGN_OR_RETURN(const std::string secret, SecretOf(directory, tables));
  const auto keys =
      contexts::identity::KeyRing(contexts::identity::kAccessTokenKeys, RingSealingKeyOf(secret),
                                  tables.as_server(), SystemClock())
          .Read();
  if (keys.ok() || keys.error().kind() == ErrorKind::kNotFound) {
    return OkStatus();
  }
  return keys.error().Is(contexts::kSealedWithAnotherKey)
             ? SecretOfAnotherDirectory(directory, config)
             : keys.error();
}

Result<std::unique_ptr<Gallery>> Gallery::Start(const ServeConfig& config,
                                                const DataDirectory& directory,
                                                const std::string& public_url, Tables& tables,
                                                http::Handler& health, metrics::Registry& registry,
                                                access::audit::Audit& audit) {
  const Clock& clock = SystemClock();
  tables::Database& database = tables.as_server();
  auto parts = std::make_unique<Parts>();
  const darkroom::Config darkroom = DarkroomConfig(config);
  RETURN_IF_ERROR(darkroom.Validate());
  parts->darkroom = std::make_unique<darkroom::Darkroom>(darkroom);
  // While the rest starts.
  parts->prepared =
      std::async(std::launch::async, [&helpers = *parts->darkroom] { return helpers.Prepare(); });
  ASSIGN_OR_RETURN(parts->product_parts,
                   ProductParts::Open(config, directory, public_url, tables, registry));
  flows::Product& product = parts->product_parts->product;
  ASSIGN_OR_RETURN(const std::string secret, SecretOf(directory, tables));

  parts->passwords.emplace(contexts::identity::PasswordCost(), PasswordKeyOf(secret));
  parts->sessions = std::make_unique<contexts::identity::Sessions>(
      contexts::identity::SessionsConfig(), contexts::DeriveKey(secret, "refresh tokens"), database,
      clock);
  ASSIGN_OR_RETURN(parts->keys, OpenSigningKeys(config, directory, public_url, secret, database));
  RETURN_IF_ERROR(RecordMembership(parts->product_parts->membership, config, directory, tables));
  flows::SignInConfig sign_in;
  ASSIGN_OR_RETURN(sign_in.setup_token, PrepareSetupToken(directory, product.accounts));
  sign_in.sign_up = SignUpModeOf(config.sign_up);
  parts->devices = std::make_unique<contexts::identity::DeviceTokens>(
      contexts::DeriveKey(secret, "device tokens"), clock);
  parts->api_keys = std::make_unique<contexts::identity::ApiKeys>(database, clock);
  parts->live =
      std::make_unique<contexts::identity::LiveCallers>(database, *parts->api_keys, clock);
  parts->identity.reset(new flows::Identity{sign_in, *parts->passwords, *parts->sessions,
                                            *parts->keys.tokens, parts->throttle, *parts->devices,
                                            *parts->live});
  if (!config.oidc_issuer.empty()) {
    parts->outside = std::make_unique<OutsideSignIn>(config, public_url, secret, clock);
    parts->identity->outside = &parts->outside->issuer();
  }

  // One process holds the directory, and with it the node, so the one that had these is no more.
  RETURN_IF_ERROR(product.backlog.EndLeases());
  RETURN_IF_ERROR(flows::RemoveOrphanedSpool(product));
  ASSIGN_OR_RETURN(parts->resizing, ResizeService::Open(config, darkroom, directory, product,
                                                        parts->product_parts->sealing_keys));
  parts->media = std::make_unique<MediaService>(darkroom, registry);
  parts->analysis =
      std::make_unique<AnalysisService>(config, darkroom, parts->media->av(), product, registry);
  pipeline::WorkersConfig workers;
  workers.threads = config.workers;
  parts->workers = std::make_unique<pipeline::Workers>(
      workers, product,
      pipeline::AllSteps(product, {*parts->darkroom, parts->media->av(), parts->media->pages()},
                         parts->resizing->resizer(), parts->analysis->analyzers()));
  parts->work_metrics =
      std::make_unique<pipeline::WorkMetrics>(registry, product.backlog, *parts->workers, clock);
  parts->resizing->ShowMetrics(registry);
  auto& other_metrics = parts->other_metrics;
  other_metrics.push_back(darkroom::CollectHelpers(registry, "develop", *parts->darkroom));
  other_metrics.push_back(darkroom::CollectSandbox(registry, *parts->darkroom));
  other_metrics.push_back(blobs::CollectDiskRoom(registry, parts->product_parts->room));
  parts->reconciler = std::make_unique<pipeline::Reconciler>(
      pipeline::ReconcilerConfig(), product, tables.changes(),
      [workers = parts->workers.get()] { workers->Wake(); });
  pipeline::ChangeReaderConfig reader;
  reader.pause = tables.changes_pause();
  const std::vector<tables::Follower*> followers = {parts->reconciler.get()};
  parts->change_reader =
      std::make_unique<pipeline::ChangeReader>(reader, tables.changes(), followers);

  const http::rest::RateLimit::Config rate{.per_minute =
                                               static_cast<int64_t>(config.uploads_per_minute)};
  parts->upload_rate = std::make_unique<http::rest::RateLimit>(rate, clock);
  parts->link_rate = std::make_unique<http::rest::RateLimit>(rate, clock);
  parts->picture_rate = std::make_unique<http::rest::RateLimit>(
      http::rest::RateLimit::Config{.per_minute = kPicturesPerMinute}, clock);
  parts->pictures = std::make_unique<pipeline::ProfilePictures>(parts->resizing->darkroom());
  const http::rest::RateLimit::Config jobs{.per_minute =
                                               static_cast<int64_t>(config.jobs_per_minute)};
  parts->job_rate = std::make_unique<http::rest::RateLimit>(jobs, clock);
  http::rest::ApiConfig api;
  api.ready_media_max = ReadyMediaMax();
  api.media_memory_max = config.decrypted_media_bytes_max;
  api.url_kept_max = std::chrono::seconds(config.link_seconds_max);
  // A link is good for up to twice as long, and the clock of another node may be a little behind.
  api.url_kept = std::min(api.url_kept, api.url_kept_max / 3);
  api.secure_cookies = public_url.starts_with("https://");
  api.redirect_to_storage = config.blobs.s3 && config.blobs.s3->redirect;
  api.upload_bytes_max = static_cast<int64_t>(config.upload_bytes_max);
  parts->api.reset(new http::rest::Api{
      api, product, parts->product_parts->views, *parts->identity,
      http::rest::SignatureKeys::From(secret), *parts->keys.links, parts->resizing->resizer(),
      [workers = parts->workers.get()] { workers->Wake(); }, *parts->upload_rate, *parts->job_rate,
      *parts->link_rate, *parts->picture_rate, *parts->pictures, registry, audit,
      access::audit::AuditReader(AuditTableOf(tables), database)});
  http::rest::Pool::Config storage_pool;
  if (config.blobs.s3) {
    // A request that has waited as long as a call may take would wait for several more.
    storage_pool.patience = config.s3_timeout;
  }
  const auto nearly_full = [embedded = tables.embedded()] {
    return embedded != nullptr && embedded->accepted_writes() != TableWrites::kAll;
  };
  parts->endpoint.reset(new http::rest::RestEndpoint(
      {{}, storage_pool, PageFiles(), health, HostsOf(config), nearly_full}, *parts->api));
  RETURN_IF_ERROR(CheckSandbox(darkroom, *parts->darkroom, parts->prepared));
  return std::unique_ptr<Gallery>(new Gallery(std::move(parts)));
}

flows::Product& Gallery::product() { return parts_->product_parts->product; }

http::Handler& Gallery::handler() { return *parts_->endpoint; }

std::string Gallery::setup_token() const { return parts_->identity->config.setup_token; }

void Gallery::Stop() {
  // Whatever can still ask for work first; then those who do it. Before threads are joined, they
  // are told not to wait for helpers that do not start; workers not earlier, since they take more
  // work until they are stopped, and it would fail.
  parts_->resizing->darkroom().StartNoMore();
  parts_->endpoint->Stop();
  parts_->change_reader->Stop();
  parts_->darkroom->StartNoMore();
  parts_->analysis->StartNoMore();
  parts_->media->Stop();
  parts_->workers->Stop();
  parts_->resizing->Stop();
  parts_->analysis->Stop();
  parts_->darkroom->Stop();
}

}  // namespace tintype::cli
