#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/logging.h"
#include "base/result.h"
#include "cli/settings/blob_settings.h"
#include "sigv4/sigv4.h"

namespace tintype::cli {

/// Where a listener binds. Port 0 lets the system pick a free one.
struct Address {
  std::string host;  // An IPv4 or IPv6 address, without brackets.
  uint16_t port = 0;

  /// Whether only this machine can connect to it.
  bool IsLoopback() const;
  /// As ParseAddress reads it.
  std::string text() const;
};

/// Reads `HOST:PORT`. The host is an IPv4 address, an IPv6 address in brackets as in `[::1]:8000`,
/// or `localhost`, which means 127.0.0.1; other names are refused, since what they resolve to may
/// change.
Result<Address> ParseAddress(std::string_view text);

/// Where the master key of the tables comes from: at most one of three, else the data directory.
struct MasterKeySource {
  std::string file;
  /// Whether a file that others than its owner may read is refused.
  bool private_file = true;
  std::string command;
  std::optional<std::string> value;

  bool IsDefault() const { return file.empty() && command.empty() && !value; }
};

/// Tables on another service.
struct RemoteTablesSettings {
  std::string url;
  sigv4::Credentials key;
};

/// What `tintype serve` runs with, every setting resolved. The defaults and their meaning are in
/// ServeSettings(), where --help takes them from.
struct ServeConfig {
  std::string data_dir;
  /// Absent: the tables are in the data directory.
  std::optional<RemoteTablesSettings> remote_tables;
  Address http_address;
  Address dynamodb_address;
  Address metrics_address;
  bool auth = true;
  bool relaxed_durability = false;
  bool encryption = true;
  std::string region;
  LogLevel log_level = LogLevel::kInfo;
  uint64_t cache_bytes = 0;
  uint64_t min_free_bytes = 0;
  uint64_t ballast_bytes = 0;
  uint64_t photo_reserve_bytes = 0;
  /// With so much free the tables take every write: once they have refused some, they want an
  /// eighth more before they take them again.
  uint64_t tables_min_free_bytes() const { return min_free_bytes + min_free_bytes / 8; }
  /// With less than this free, photos take no more of the disk, and neither do pictures that are
  /// made of them: the tables need the rest to write down what is deleted.
  uint64_t photos_min_free_bytes() const { return tables_min_free_bytes() + photo_reserve_bytes; }
  MasterKeySource master_key;
  std::string export_dir;

  /// Whether the photo product runs: its tables, the REST API and the page.
  bool gallery = true;
  bool open_sign_up = true;
  bool darkroom_sandbox_required = false;
  std::string public_url;  // Empty: where the server listens.
  uint64_t upload_limit = 0;
  uint64_t upload_bytes_max = 0;
  uint64_t resize_cache_bytes_max = 0;
  std::chrono::seconds upload_kept{0};
  uint64_t uploads_in_progress = 0;
  uint64_t uploads_per_minute = 0;
  uint64_t upload_rate_min = 0;    // Bytes a second. 0: any.
  uint64_t workers = 0;            // 0: one for each core.
  uint64_t rendition_quality = 0;  // 1 to 100.
  uint64_t rendition_effort = 0;   // 0 to 6.
  std::string darkroom;            // The helper program. Empty: beside this one.
  /// What one photo may cost to develop; see darkroom::Limits.
  uint64_t photo_pixels_max = 0;
  uint64_t photo_pages_max = 0;
  uint64_t photo_memory_bytes = 0;
  uint64_t photo_cpu_seconds = 0;

  BlobSettings blobs;
  std::chrono::milliseconds s3_timeout{0};

  /// For the listeners `http` and `dynamodb`. Empty: plain HTTP. Both or neither.
  std::string tls_certificate;
  std::string tls_key;
  /// What clients may take; see http::ServerConfig.
  std::chrono::milliseconds header_timeout{0};
  std::chrono::milliseconds body_timeout{0};
  std::chrono::milliseconds idle_timeout{0};
  std::chrono::milliseconds write_timeout{0};
  uint64_t connections_max = 0;
  uint64_t unread_answer_bytes_max = 0;

  /// The key pair for a new data directory; generated when absent. Both or neither.
  std::optional<std::string> root_access_key_id;
  std::optional<std::string> root_secret_access_key;
};

/// What links to photos begin with: the setting, else where the server listens, with the port that
/// it has got.
std::string PublicUrlOf(const ServeConfig& config, uint16_t http_port);

/// What `tintype keys` runs with.
struct KeysConfig {
  std::string data_dir;
  std::string region;
};

/// What `tintype keys rotate-master` runs with.
struct MasterKeyConfig {
  std::string data_dir;
  MasterKeySource source;
};

/// One setting: `--name` on the command line, TINTYPE_NAME in the environment, `name` in the file.
struct Setting {
  std::string_view name;
  std::string_view value_hint;  // `a|b` for a setting that takes one of two words.
  std::string_view fallback;
  std::string_view help;
};

/// Every setting that has a flag, in the order --help shows them.
std::span<const Setting> ServeSettings();

/// REQUIRES: `name` is one of ServeSettings().
const Setting& FindSetting(std::string_view name);

/// Values by setting name.
using SettingValues = std::map<std::string, std::string, std::less<>>;

/// Looks up an environment variable. A parameter, so that tests bring their own.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The process's environment. A variable that is set but empty counts as not set.
Environment ProcessEnvironment();

/// Resolves every setting: a flag wins over the environment, which wins over the file, which wins
/// over the default. The file is the one that the setting `config` names, else ./tintype.toml if
/// there is one. Secrets come from the environment only: TINTYPE_X, or TINTYPE_X_FILE with the path
/// of a file that holds the value.
///
/// Errors: kValidation, naming the flag, variable or file key that is wrong; kNotFound or kIo for a
/// file that cannot be read.
Result<ServeConfig> ResolveServeConfig(const SettingValues& flags, const Environment& environment);

/// As above, but fills in only what opening the tables needs, for commands that do so while no
/// server runs.
Result<ServeConfig> ResolveTablesConfig(const SettingValues& flags, const Environment& environment);

/// As above, but also what the photo product is set up with, for commands that work on photos while
/// no server runs: they make the same of them as the server would.
Result<ServeConfig> ResolvePhotosConfig(const SettingValues& flags, const Environment& environment);

/// As above, but looks only at the settings that `tintype keys` uses, so that one which only a
/// server cares about cannot be in its way.
Result<KeysConfig> ResolveKeysConfig(const SettingValues& flags, const Environment& environment);

/// The same for the settings that commands which read the master key use.
Result<MasterKeyConfig> ResolveMasterKeyConfig(const SettingValues& flags,
                                               const Environment& environment);

}  // namespace tintype::cli
