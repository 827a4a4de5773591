#include "cli/settings/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <utility>
#include <variant>

#include "base/numbers.h"
#include "base/strings.h"
#include "cli/secrets/secret.h"
#include "cli/settings/aws_credentials.h"
#include "cli/settings/toml_file.h"
#include "net/endpoint.h"
#include "oidc/metadata.h"

namespace tintype::cli {
namespace {

constexpr uint64_t kMegabytesLimit = 1 << 20;  // One terabyte: beyond it, a typing error.
constexpr double kTimeoutLimitS = 24 * 60 * 60;

constexpr std::string_view kDefaultFile = "tintype.toml";

/// `data-dir` -> `TINTYPE_DATA_DIR`.
std::string VariableName(std::string_view setting) {
  std::string name = StrCat("TINTYPE_", setting);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c == '-' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  });
  return name;
}

/// The three layers, asked in their order of precedence.
class Layers {
 public:
  Layers(const SettingValues& flags, const Environment& environment)
      : flags_(flags), environment_(environment) {}

  Status LoadFile() {
    std::string path(kDefaultFile);
    if (auto named = FromFlagOrVariable("config")) {
      path = std::move(named->value);
    } else if (std::error_code ignored; !std::filesystem::exists(path, ignored)) {
      return OkStatus();
    }
    ASSIGN_OR_RETURN(file_values_, ReadTomlFile(path, kServeSettings));
    file_path_ = std::move(path);
    return OkStatus();
  }

  /// REQUIRES: `name` is one of kServeSettings.
  SettingText Find(std::string_view name) const {
    if (auto found = FromFlagOrVariable(name)) {
      return *std::move(found);
    }
    if (const auto it = file_values_.find(name); it != file_values_.end()) {
      return {it->second, StrCat(file_path_, ", ", name)};
    }
    return {std::string(FindSetting(name).fallback), StrCat("the default of --", name)};
  }

  /// A variable alone, for what must not be on a command line or in a file of settings.
  std::optional<std::string> FindVariable(std::string_view name) const {
    return environment_(VariableName(name));
  }

  /// For variables that are not ours.
  const Environment& environment() const { return environment_; }

  /// A value that must not be on a command line.
  Result<std::optional<std::string>> FindSecret(std::string_view name) const {
    return cli::FindSecret(VariableName(name), environment_);
  }

 private:
  std::optional<SettingText> FromFlagOrVariable(std::string_view name) const {
    if (const auto it = flags_.find(name); it != flags_.end()) {
      return SettingText{it->second, StrCat("--", name)};
    }
    const std::string variable = VariableName(name);
    if (auto value = environment_(variable)) {
      return SettingText{*std::move(value), variable};
    }
    return std::nullopt;
  }

  const SettingValues& flags_;
  const Environment& environment_;
  SettingValues file_values_;
  std::string file_path_;
};

/// Reads all of `text` as a number.
template <typename Number>
bool ParseWhole(std::string_view text, Number& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size();
}

/// Sets the field of one setting from its text.
class FieldSetter {
 public:
  FieldSetter(const Setting& setting, SettingText text, ServeConfig& config)
      : setting_(setting), text_(std::move(text)), config_(config) {}

  Status operator()(const CombinedField& /*field*/) const { return OkStatus(); }
  Status operator()(const TextField& to) const {
    config_.*to.field = text_.value;
    return OkStatus();
  }
  Status operator()(const NumberField& to) const {
    ASSIGN_OR_RETURN(const uint64_t number, Number(to.min, to.max, "a whole number"));
    config_.*to.field = number * to.unit;
    return OkStatus();
  }
  Status operator()(const MegabytesField& to) const {
    ASSIGN_OR_RETURN(const uint64_t megabytes,
                     Number(to.min, kMegabytesLimit, "a whole number of megabytes"));
    config_.*to.field = megabytes << 20;
    return OkStatus();
  }
  Status operator()(const TimeoutField& to) const {
    double seconds = 0;
    if (!ParseWhole(text_.value, seconds) || !(seconds >= 0.001 && seconds <= kTimeoutLimitS)) {
      return InvalidSetting(text_,
                            StrCat("seconds, from 0.001 to ", static_cast<int>(kTimeoutLimitS)));
    }
    config_.*to.field = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
    return OkStatus();
  }
  Status operator()(const WholeSecondsField& to) const {
    ASSIGN_OR_RETURN(const uint64_t seconds, Number(1, to.max, "a whole number"));
    config_.*to.field = std::chrono::seconds(static_cast<int64_t>(seconds));
    return OkStatus();
  }
  Status operator()(const ChoiceField& to) const {
    ASSIGN_OR_RETURN(const std::string_view word, Choice(setting_, text_));
    config_.*to.field = word == to.truth;
    return OkStatus();
  }
  Status operator()(const AddressField& to) const {
    auto address = ParseAddress(text_.value);
    if (!address.ok()) {
      return InvalidSetting(text_, "IP:PORT, such as 127.0.0.1:8000 or [::1]:8000");
    }
    config_.*to.field = *std::move(address);
    return OkStatus();
  }
  Status operator()(const ParsedField& to) const { return to.parse(text_, config_); }

  /// One of the two words of the setting's hint.
  static Result<std::string_view> Choice(const Setting& setting, const SettingText& text) {
    const size_t bar = setting.value_hint.find('|');
    const std::string_view first = setting.value_hint.substr(0, bar);
    const std::string_view second = setting.value_hint.substr(bar + 1);
    if (text.value != first && text.value != second) {
      return InvalidSetting(text, StrCat("'", first, "' or '", second, "'"));
    }
    return text.value == first ? first : second;
  }

 private:
  Result<uint64_t> Number(uint64_t min, uint64_t max, std::string_view what) const {
    const auto number = ParseDigits<uint64_t>(text_.value);
    if (!number || *number < min || *number > max) {
      return InvalidSetting(text_, StrCat(what, " from ", min, " to ", max));
    }
    return *number;
  }

  const Setting& setting_;
  const SettingText text_;
  ServeConfig& config_;
};

Status SetField(const Layers& layers, const Setting& setting, ServeConfig& config) {
  return std::visit(FieldSetter(setting, layers.Find(setting.name), config), setting.field);
}

Result<BlobSettings> FindBlobSettings(const Layers& layers) {
  BlobTexts texts;
  texts.blobs = layers.Find("blobs").value;
  texts.uploads_bucket = layers.Find("uploads-bucket").value;
  texts.images_bucket = layers.Find("images-bucket").value;
  texts.endpoint = layers.Find("s3-endpoint").value;
  texts.region = layers.Find("s3-region").value;
  texts.access_key_id = layers.Find("s3-access-key-id").value;
  texts.delivery = layers.Find("s3-delivery").value;
  texts.encryption = layers.Find("s3-encryption").value;
  // Without S3 nobody needs them, and they may come from a command or over the network.
  if (texts.blobs != "files") {
    ASSIGN_OR_RETURN(texts.secret_access_key, layers.FindSecret("s3-secret-access-key"));
    ASSIGN_OR_RETURN(texts.encryption_key, layers.FindSecret("s3-encryption-key"));
  }
  return ParseBlobSettings(texts);
}

/// TINTYPE_MASTER_KEY_FILE is the variable of --master-key-file, as it is for every setting, and at
/// the same time the file form of the secret TINTYPE_MASTER_KEY, as it is for every secret.
Result<MasterKeySource> FindMasterKeySource(const Layers& layers) {
  MasterKeySource source;
  source.file = layers.Find("master-key-file").value;
  source.command = layers.Find("master-key-command").value;
  source.value = layers.FindVariable("master-key");
  ASSIGN_OR_RETURN(const std::string_view mode,
                   FieldSetter::Choice(FindSetting("master-key-file-mode"),
                                       layers.Find("master-key-file-mode")));
  source.private_file = mode == "private";
  const int named =
      (source.file.empty() ? 0 : 1) + (source.command.empty() ? 0 : 1) + (source.value ? 1 : 0);
  if (named > 1) {
    return Error::Validation(
        "The master key comes from one place: set only one of --master-key-file, "
        "--master-key-command (each may also stand in the environment or the file of settings) and "
        "TINTYPE_MASTER_KEY");
  }
  return source;
}

/// As for the master key, TINTYPE_METRICS_TOKEN_FILE is the variable of --metrics-token-file and
/// the file form of TINTYPE_METRICS_TOKEN at the same time. Empty: there is no token.
Result<std::string> FindMetricsToken(const Layers& layers) {
  constexpr size_t kBytesMin = 16;
  const std::string file = layers.Find("metrics-token-file").value;
  if (!file.empty() &&
      (layers.FindVariable("metrics-token") || layers.FindVariable("metrics-token-command"))) {
    return Error::Validation(
        "The token for metrics comes from one place: set only one of --metrics-token-file, "
        "TINTYPE_METRICS_TOKEN and TINTYPE_METRICS_TOKEN_COMMAND");
  }
  std::optional<std::string> token;
  if (!file.empty()) {
    ASSIGN_OR_RETURN(token, ReadSecretFile(file, "--metrics-token-file"));
  } else {
    ASSIGN_OR_RETURN(token, layers.FindSecret("metrics-token"));
  }
  if (!token) {
    return std::string();
  }
  const bool is_plain = std::ranges::all_of(*token, [](char c) { return c > ' ' && c < '\x7f'; });
  if (token->size() < kBytesMin || !is_plain) {
    return Error::Validation(
        StrCat("The token for metrics has to have ", kBytesMin,
               " characters or more, without blanks: 'openssl rand -hex 32' makes one"));
  }
  return *std::move(token);
}

Result<std::optional<RemoteTablesSettings>> FindRemoteTables(const Layers& layers) {
  const SettingText found = layers.Find("tables");
  if (found.value.empty()) {
    return std::optional<RemoteTablesSettings>();
  }
  if (!net::ParseEndpoint(found.value).ok()) {
    return InvalidSetting(found, "http://HOST:PORT or https://HOST, without a path");
  }
  ASSIGN_OR_RETURN(sigv4::Credentials key, FindAwsCredentials(layers.environment(), "--tables"));
  return std::optional(RemoteTablesSettings{found.value, std::move(key)});
}

/// Everything up to this scope.
Result<ServeConfig> Resolve(const Layers& layers, SettingScope scope) {
  ServeConfig config;
  for (const Setting& setting : kServeSettings) {
    if (setting.scope <= scope) {
      RETURN_IF_ERROR(SetField(layers, setting, config));
    }
  }
  ASSIGN_OR_RETURN(config.remote_tables, FindRemoteTables(layers));
  ASSIGN_OR_RETURN(config.master_key, FindMasterKeySource(layers));
  ASSIGN_OR_RETURN(config.blobs, FindBlobSettings(layers));
  if (!config.encryption && !config.master_key.IsDefault()) {
    return Error::Validation("'encryption off' and a master key contradict each other");
  }
  if (config.blob_encryption == true && (!config.encryption || config.remote_tables)) {
    return Error::Validation(StrCat(
        "'blob-encryption on' does not go together with ",
        config.remote_tables ? "--tables: the keys are kept with tables in the data directory"
                             : "'encryption off': photos are encrypted with the tables' keys"));
  }
  return config;
}

Status CheckTogether(const ServeConfig& config) {
  if (config.remote_tables && !config.gallery) {
    return Error::Validation(
        "--tables runs the gallery on the tables of another Tintype, and 'gallery off' leaves the "
        "gallery out: set only one");
  }
  if (!config.auth && !config.dynamodb_address.IsLoopback()) {
    return Error::Validation(StrCat(
        "'auth off' lets everyone who can connect read and change every table, so it needs a "
        "loopback --dynamodb-address such as 127.0.0.1:8000; '",
        config.dynamodb_address.host, "' is not one"));
  }
  if (config.metrics_token.empty() && !config.metrics_address.IsLoopback()) {
    return Error::Validation(StrCat(
        "other machines reach the --metrics-address ", config.metrics_address.text(),
        ", and metrics tell them about everybody here: set --metrics-token-file to a file with a "
        "token ('openssl rand -hex 32' makes one), which Prometheus sends as its "
        "authorization.credentials; or use a loopback address such as 127.0.0.1:9464"));
  }
  if (config.oidc_issuer.empty() != config.oidc_client_id.empty()) {
    return Error::Validation("--oidc-issuer and --oidc-client-id go together; one is missing");
  }
  if (!config.oidc_administrator_role.empty() && config.oidc_roles_claim.empty()) {
    return Error::Validation(
        "--oidc-administrator-role needs --oidc-roles-claim, which says where roles are");
  }
  if (config.tls_certificate.empty() != config.tls_key.empty()) {
    return Error::Validation("--tls-certificate and --tls-key go together; one is missing");
  }
  if (config.root_access_key_id.has_value() != config.root_secret_access_key.has_value()) {
    return Error::Validation(
        "TINTYPE_ROOT_ACCESS_KEY_ID and TINTYPE_ROOT_SECRET_ACCESS_KEY go together; one is "
        "missing");
  }
  return OkStatus();
}

Status ParseSignUpMode(const SettingText& text, std::string& mode) {
  if (text.value != "open" && text.value != "invitation" && text.value != "closed") {
    return InvalidSetting(text, "open, invitation or closed");
  }
  mode = text.value;
  return OkStatus();
}

/// A name that stands between others in a table's name, which has 255 characters at most. Empty
/// when it is not said.
Status ParseTableNamePart(const SettingText& text, size_t others, std::string& part) {
  constexpr size_t kTableNameMax = 255;
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  const size_t longest = kTableNameMax - others;
  if (text.value.size() > longest || text.value.find_first_not_of(kAllowed) != std::string::npos) {
    return InvalidSetting(text, StrCat("a part of a table's name: up to ", longest,
                                       " letters, digits, '_', '-' and '.'"));
  }
  part = text.value;
  return OkStatus();
}

/// The address that people use, else `address`.
std::string UrlOf(const ServeConfig& config, const Address& address) {
  return config.public_url.empty()
             ? StrCat(config.tls_certificate.empty() ? "http" : "https", "://", address.text())
             : config.public_url;
}

}  // namespace

Error InvalidSetting(const SettingText& text, std::string_view expected) {
  return Error::Validation(
      StrCat(text.source, ": '", text.value, "' is not valid; expected ", expected));
}

Status ParseDataDir(const SettingText& text, ServeConfig& config) {
  if (text.value.empty()) {
    return InvalidSetting(text, "a directory");
  }
  config.data_dir = text.value;
  return OkStatus();
}

Status ParsePublicUrl(const SettingText& text, ServeConfig& config) {
  std::string_view url = text.value;
  const bool has_scheme = url.starts_with("http://") || url.starts_with("https://");
  if (!url.empty() && (!has_scheme || url.find_first_of(" ?#\"<>") != std::string_view::npos)) {
    return InvalidSetting(text, "http:// or https:// and a host, without a query");
  }
  while (url.ends_with('/')) {
    url.remove_suffix(1);
  }
  config.public_url = url;
  return OkStatus();
}

Status ParseOidcIssuer(const SettingText& text, ServeConfig& config) {
  if (!text.value.empty() && !oidc::IsTrustworthyUrl(text.value)) {
    return InvalidSetting(text,
                          "the https:// address of an issuer (http:// on this machine alone)");
  }
  config.oidc_issuer = text.value;
  return OkStatus();
}

Status ParseStack(const SettingText& text, ServeConfig& config) {
  constexpr std::string_view kLongestAround = "so0050--face-indexer";
  return ParseTableNamePart(text, kLongestAround.size(), config.stack);
}

Status ParseEnvironment(const SettingText& text, ServeConfig& config) {
  constexpr std::string_view kAround = "photoeditor--jobs";
  return ParseTableNamePart(text, kAround.size(), config.environment);
}

Status ParseRegion(const SettingText& text, ServeConfig& config) {
  const bool valid =
      !text.value.empty() && text.value.size() <= 64 &&
      text.value.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  if (!valid) {
    return InvalidSetting(text, "lower-case letters, digits and '-', such as us-east-1");
  }
  config.region = text.value;
  return OkStatus();
}

Status ParseSignUp(const SettingText& text, ServeConfig& config) {
  return ParseSignUpMode(text, config.sign_up);
}

Status ParseOidcSignUp(const SettingText& text, ServeConfig& config) {
  return ParseSignUpMode(text, config.oidc_sign_up);
}

Status ParseOidcScopes(const SettingText& text, ServeConfig& config) {
  // Without that one, issuers answer without an ID token.
  if (StrCat(" ", text.value, " ").find(" openid ") == std::string::npos) {
    return InvalidSetting(text, "scopes with blanks between, openid among them");
  }
  config.oidc_scopes = text.value;
  return OkStatus();
}

Status ParseBlobEncryption(const SettingText& text, ServeConfig& config) {
  if (text.value != "auto" && text.value != "on" && text.value != "off") {
    return InvalidSetting(text, "auto, on or off");
  }
  config.blob_encryption =
      text.value == "auto" ? std::nullopt : std::optional<bool>(text.value == "on");
  return OkStatus();
}

Status ParseDarkroomSandbox(const SettingText& text, ServeConfig& config) {
  if (text.value != "required" && text.value != "preferred" && text.value != "off") {
    return InvalidSetting(text, "required, preferred or off");
  }
  config.darkroom_sandbox = text.value;
  return OkStatus();
}

Status ParseLogLevel(const SettingText& text, ServeConfig& config) {
  constexpr std::array<std::pair<std::string_view, LogLevel>, 4> kLevels{{
      {"debug", LogLevel::kDebug},
      {"info", LogLevel::kInfo},
      {"warning", LogLevel::kWarning},
      {"error", LogLevel::kError},
  }};
  for (const auto& [name, level] : kLevels) {
    if (text.value == name) {
      config.log_level = level;
      return OkStatus();
    }
  }
  return InvalidSetting(text, "debug, info, warning or error");
}

std::string PublicUrlOf(const ServeConfig& config, uint16_t http_port) {
  return UrlOf(config, Address{config.http_address.host, http_port});
}

std::string PageUrlOf(const ServeConfig& config, uint16_t http_port) {
  Address address{config.http_address.host, http_port};
  if (address.IsAny()) {
    // A listener can have it, but no browser can go there.
    address.host = address.host.find(':') == std::string::npos ? "127.0.0.1" : "::1";
  }
  return UrlOf(config, address) + "/";
}

std::span<const Setting> ServeSettings() { return kServeSettings; }

const Setting& FindSetting(std::string_view name) {
  const auto* setting = std::find_if(kServeSettings.begin(), kServeSettings.end(),
                                     [name](const Setting& each) { return each.name == name; });
  CHECK(setting != kServeSettings.end());
  return *setting;
}

Result<ServeConfig> ResolveServeConfig(const SettingValues& flags, const Environment& environment) {
  Layers layers(flags, environment);
  RETURN_IF_ERROR(layers.LoadFile());
  ASSIGN_OR_RETURN(ServeConfig config, Resolve(layers, SettingScope::kServer));
  if (config.export_dir.empty()) {
    config.export_dir = StrCat(config.data_dir, "/exports");
  }
  ASSIGN_OR_RETURN(config.root_access_key_id, layers.FindSecret("root-access-key-id"));
  ASSIGN_OR_RETURN(config.root_secret_access_key, layers.FindSecret("root-secret-access-key"));
  ASSIGN_OR_RETURN(config.metrics_token, FindMetricsToken(layers));
  ASSIGN_OR_RETURN(const auto oidc_client_secret, layers.FindSecret("oidc-client-secret"));
  config.oidc_client_secret = oidc_client_secret.value_or("");
  RETURN_IF_ERROR(CheckTogether(config));
  return config;
}

Result<ServeConfig> ResolveTablesConfig(const SettingValues& flags,
                                        const Environment& environment) {
  Layers layers(flags, environment);
  RETURN_IF_ERROR(layers.LoadFile());
  return Resolve(layers, SettingScope::kTables);
}

Result<ServeConfig> ResolvePhotosConfig(const SettingValues& flags,
                                        const Environment& environment) {
  Layers layers(flags, environment);
  RETURN_IF_ERROR(layers.LoadFile());
  return Resolve(layers, SettingScope::kPhotos);
}

Result<MasterKeyConfig> ResolveMasterKeyConfig(const SettingValues& flags,
                                               const Environment& environment) {
  Layers layers(flags, environment);
  RETURN_IF_ERROR(layers.LoadFile());
  ServeConfig found;
  RETURN_IF_ERROR(SetField(layers, FindSetting("data-dir"), found));
  MasterKeyConfig config;
  config.data_dir = std::move(found.data_dir);
  ASSIGN_OR_RETURN(config.source, FindMasterKeySource(layers));
  return config;
}

}  // namespace tintype::cli
