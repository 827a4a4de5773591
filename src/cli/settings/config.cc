#include "cli/settings/config.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "cli/settings/aws_credentials.h"
#include "cli/settings/toml_file.h"
#include "net/endpoint.h"

namespace tintype::cli {
namespace {

constexpr uint64_t kMegabytesLimit = 1 << 20;  // One terabyte: beyond it, a typing error.
constexpr uint64_t kConnectionsLimit = 1'000'000;
constexpr double kTimeoutLimitS = 24 * 60 * 60;

constexpr std::array kServeSettings{
    Setting{"data-dir", "DIR", "./data",
            "Where everything is kept: tables, photos and keys. 'serve' creates it if it does not\n"
            "exist."},
    Setting{
        "tables", "URL", "",
        "The DynamoDB API of another Tintype, such as http://10.0.0.5:8000: the gallery runs on "
        "its\n"
        "tables, and photos stay here. The access key comes from AWS_ACCESS_KEY_ID and\n"
        "AWS_SECRET_ACCESS_KEY, or from the profile AWS_PROFILE in AWS_SHARED_CREDENTIALS_FILE.\n"
        "Default: the tables are in the data directory"},
    Setting{"http-address", "HOST:PORT", "127.0.0.1:8080",
            "The address of the page, the REST API (/api/v1), /healthz and /readyz."},
    Setting{"dynamodb-address", "HOST:PORT", "127.0.0.1:8000",
            "The address of the DynamoDB API: the --endpoint-url of AWS clients."},
    Setting{"metrics-address", "HOST:PORT", "127.0.0.1:9464",
            "The address of /metrics, for Prometheus."},
    Setting{
        "gallery", "on|off", "on",
        "Whether to run the gallery: its tables, the REST API and the page. With 'off', only the\n"
        "DynamoDB API is served."},
    Setting{"public-url", "URL", "",
            "The beginning of links to photos, such as https://photos.example.org.\n"
            "Default: http:// and --http-address"},
    Setting{
        "sign-up", "open|closed", "open",
        "Whether anyone who can reach the server may create an account. The first account always\n"
        "needs the token in the file 'setup-token' of the data directory."},
    Setting{"upload-limit", "NUMBER", "500", "How many images a new account may have."},
    Setting{"upload-mb", "MB", "512", "The largest file that may be uploaded."},
    Setting{
        "upload-kept", "SECONDS", "86400",
        "How long an upload may be inactive before it is abandoned: its bytes are removed, and it\n"
        "no longer counts against the limit. An upload that makes progress may last seven times\n"
        "as long."},
    Setting{
        "uploads-in-progress", "NUMBER", "100",
        "How many unfinished resumable and direct uploads one account may have. More are refused\n"
        "(429)."},
    Setting{
        "uploads-per-minute", "NUMBER", "600",
        "How many uploads one account may begin per minute, and how many links to other sizes it\n"
        "may request. More are refused (429)."},
    Setting{
        "upload-rate-min", "BYTES", "1024",
        "The lowest average rate of an upload in bytes per second, once it has lasted as long as\n"
        "--body-timeout. Slower uploads are refused (408); resumable ones can continue. 0: no\n"
        "limit."},
    Setting{"workers", "NUMBER", "0",
            "How many photos are developed at the same time. 0: one per core."},
    Setting{
        "rendition-quality", "1-100", "85",
        "The quality of the sizes that are made of a photo. 80 saves a quarter of their bytes, 90\n"
        "costs 30 percent more."},
    Setting{
        "rendition-effort", "0-6", "4",
        "How hard the encoder of those sizes tries. 2 takes half the time of 4, for a few percent\n"
        "more bytes; 6 takes nearly three times as long, for 5 percent fewer."},
    Setting{"resize-cache-mb", "MB", "1024",
            "Disk space for pictures that links request in other sizes, in 'cache/resized' of the\n"
            "data directory. The least recently used are removed first. 0: keep none."},
    Setting{"darkroom", "FILE", "",
            "The helper program that reads photos.\n"
            "Default: tintype-darkroom beside this program"},
    Setting{"darkroom-sandbox", "required|auto", "auto",
            "What to do when the kernel cannot keep that program away from files and the network.\n"
            "'required' refuses to start; 'auto' runs without a sandbox and logs a warning."},
    Setting{"photo-megapixels", "NUMBER", "200",
            "How many million pixels a photo may have. Larger photos are kept, but not developed."},
    Setting{
        "photo-pages", "NUMBER", "4000",
        "How many pages, or frames of an animation, a photo may have. Photos with more are kept,\n"
        "but not developed."},
    Setting{
        "photo-memory-mb", "MB", "1536",
        "How much address space developing a photo may take. A photo that needs more is kept, but\n"
        "not developed. Photos that must be in memory as a whole (WebP, HEIC, AVIF, progressive\n"
        "or interlaced ones) need 16 MB per million pixels beyond the first 512 MB."},
    Setting{"photo-seconds", "SECONDS", "60",
            "How much processor time developing a photo may take; by the clock, twice as much. A\n"
            "photo that takes longer is kept, but not developed."},
    Setting{"blobs", "files|s3://PREFIX", "files",
            "Where photos are kept: in files of the data directory, or in the S3 buckets\n"
            "PREFIX-uploads and PREFIX-images, which are created if they do not exist."},
    Setting{"uploads-bucket", "NAME", "", "Another name for the S3 bucket of uploads."},
    Setting{"images-bucket", "NAME", "", "Another name for the S3 bucket of images."},
    Setting{"s3-endpoint", "URL", "",
            "The S3 service to use, such as https://storage.example.org:7480.\n"
            "Default: AWS, in --s3-region"},
    Setting{"s3-region", "NAME", "us-east-1", "The region of the buckets."},
    Setting{
        "s3-access-key-id", "ID", "",
        "The access key for S3. Its secret comes from TINTYPE_S3_SECRET_ACCESS_KEY, or from the\n"
        "file named by TINTYPE_S3_SECRET_ACCESS_KEY_FILE."},
    Setting{
        "s3-timeout", "SECONDS", "25",
        "How long to try a request to S3, with retries, before the storage counts as unreachable.\n"
        "Large requests may take longer as long as bytes move. A connection on which nothing\n"
        "moves for half of this time is replaced by another."},
    Setting{
        "s3-delivery", "redirect|proxy", "redirect",
        "'redirect' sends viewers of a photo to the storage by a link that expires, so browsers\n"
        "must be able to reach --s3-endpoint. 'proxy' sends the bytes through this server."},
    Setting{"auth", "on|off", "on",
            "Whether requests must be signed with a key of the data directory. 'off' is refused\n"
            "unless --dynamodb-address is on the loopback interface."},
    Setting{
        "durability", "full|relaxed", "full",
        "'full' answers a write once it is synced to disk. 'relaxed' answers earlier: faster, but\n"
        "when the machine (not just the process) crashes or loses power, the last answered writes\n"
        "can be lost."},
    Setting{
        "encryption", "on|off", "on",
        "Whether everything that the tables write is encrypted (AES-256). A data directory stays\n"
        "as it was created. 'off' is for measuring the cost: anyone who can read the disk, a copy\n"
        "or a backup can then read the data."},
    Setting{"master-key-file", "FILE", "",
            "The file with the key that the tables are encrypted under: 32 random bytes as\n"
            "hexadecimal digits, base64 or raw. Without this, --master-key-command or\n"
            "TINTYPE_MASTER_KEY (the key itself), the key is 'master.key' in the data directory,\n"
            "created at the first start; a copy of the directory then includes the key."},
    Setting{"master-key-file-mode", "private|any", "private",
            "'private' refuses a --master-key-file that anyone but its owner may read."},
    Setting{"master-key-command", "COMMAND", "",
            "A command, run with /bin/sh at the start, that writes the key to its standard output\n"
            "within 30 seconds."},
    Setting{
        "export-dir", "DIR", "",
        "The folder for exports and imports by the DynamoDB API: a request's S3Bucket is a folder\n"
        "in it. Exported files are not encrypted.\n"
        "Default: 'exports' in the data directory"},
    Setting{"region", "NAME", "us-east-1", "The region in signatures and ARNs."},
    Setting{"log-level", "LEVEL", "info",
            "debug, info, warning or error. Logs go to standard error."},
    Setting{"cache-mb", "MB", "256",
            "Memory for cached table blocks. Raise it when data that is read often does not fit."},
    Setting{
        "min-free-mb", "MB", "384",
        "With less free space than this on the disk of --data-dir, writes are refused (503) until\n"
        "there is room again; deletions are refused only below a quarter of it. 0: only when the\n"
        "disk is full."},
    Setting{
        "ballast-mb", "MB", "64",
        "Disk space that is reserved by a file, and released when hardly any space is left. 0:\n"
        "none."},
    Setting{
        "photo-reserve-mb", "MB", "256",
        "Photos are refused (503) while less than this is free beyond --min-free-mb, and are not\n"
        "developed below half of it, so that users can still cancel uploads and delete images to\n"
        "make room. With 0, photos can fill the disk until even that is refused."},
    Setting{
        "tls-certificate", "FILE", "",
        "Serve --http-address and --dynamodb-address over TLS, with the certificate (and its\n"
        "chain) in this PEM file. Changed files are read again within a second, without a\n"
        "restart; if certificate and key do not match, that is logged and the old pair stays in\n"
        "use."},
    Setting{"tls-key", "FILE", "",
            "The private key of the certificate, a PEM file without a password."},
    Setting{
        "header-timeout", "SECONDS", "10",
        "The time limit from a request's first byte, or the start of a connection, to the end of\n"
        "its header."},
    Setting{
        "body-timeout", "SECONDS", "60",
        "The time limit from the end of a request's header to the end of its body; for an upload,\n"
        "the longest pause between two bytes."},
    Setting{
        "idle-timeout", "SECONDS", "75",
        "How long a connection may wait for its next request. It should be longer than clients\n"
        "keep connections in a pool, so that they close first."},
    Setting{"write-timeout", "SECONDS", "60", "How long a client may take to read an answer."},
    Setting{
        "connections-max", "NUMBER", "16384",
        "How many connections --dynamodb-address accepts. Never more than half of the files that\n"
        "the process may open."},
    Setting{
        "unread-answers-mb", "MB", "256",
        "Memory for answers that clients are slow to read. When it is used up, clients that read\n"
        "nothing for 5 seconds are disconnected, and answers over 1 MB are refused (503)."},
};

constexpr std::string_view kDefaultFile = "tintype.toml";

/// A setting's text, and where it came from, for error messages.
struct Found {
  std::string value;
  std::string source;
};

/// `data-dir` -> `TINTYPE_DATA_DIR`.
std::string VariableName(std::string_view setting) {
  std::string name = StrCat("TINTYPE_", setting);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c == '-' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  });
  return name;
}

Error Invalid(const Found& found, std::string_view expected) {
  return Error::Validation(
      StrCat(found.source, ": '", found.value, "' is not valid; expected ", expected));
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
  Found Find(std::string_view name) const {
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

  /// A value that must not be on a command line: from its variable, or the file that one names.
  Result<std::optional<std::string>> FindSecret(std::string_view name) const {
    const std::string variable = VariableName(name);
    const std::string file_variable = variable + "_FILE";
    std::optional<std::string> value = environment_(variable);
    const std::optional<std::string> path = environment_(file_variable);
    if (!path) {
      return value;
    }
    if (value) {
      return Error::Validation(
          StrCat("Both ", variable, " and ", file_variable, " are set; set only one"));
    }
    auto content = ReadFile(*path);
    if (!content.ok()) {
      return Error(content.error().kind(), StrCat(file_variable, ": ", content.error().message()));
    }
    // Editors end a file with a newline, which is no part of the secret.
    const size_t end = content->find_last_not_of("\r\n");
    content->resize(end == std::string::npos ? 0 : end + 1);
    return std::optional<std::string>(*std::move(content));
  }

 private:
  std::optional<Found> FromFlagOrVariable(std::string_view name) const {
    if (const auto it = flags_.find(name); it != flags_.end()) {
      return Found{it->second, StrCat("--", name)};
    }
    const std::string variable = VariableName(name);
    if (auto value = environment_(variable)) {
      return Found{*std::move(value), variable};
    }
    return std::nullopt;
  }

  const SettingValues& flags_;
  const Environment& environment_;
  SettingValues file_values_;
  std::string file_path_;
};

Result<std::string> FindDataDir(const Layers& layers) {
  const Found found = layers.Find("data-dir");
  if (found.value.empty()) {
    return Invalid(found, "a directory");
  }
  return found.value;
}

Result<Address> FindAddress(const Layers& layers, std::string_view name) {
  const Found found = layers.Find(name);
  auto address = ParseAddress(found.value);
  if (!address.ok()) {
    return Invalid(found, "IP:PORT, such as 127.0.0.1:8000 or [::1]:8000");
  }
  return address;
}

/// One of two words; true for the first.
Result<bool> FindChoice(const Layers& layers, std::string_view name, std::string_view yes,
                        std::string_view no) {
  const Found found = layers.Find(name);
  if (found.value != yes && found.value != no) {
    return Invalid(found, StrCat("'", yes, "' or '", no, "'"));
  }
  return found.value == yes;
}

Result<LogLevel> FindLogLevel(const Layers& layers) {
  const Found found = layers.Find("log-level");
  if (found.value == "debug") return LogLevel::kDebug;
  if (found.value == "info") return LogLevel::kInfo;
  if (found.value == "warning") return LogLevel::kWarning;
  if (found.value == "error") return LogLevel::kError;
  return Invalid(found, "debug, info, warning or error");
}

/// Reads all of `text` as a number.
template <typename Number>
bool ParseWhole(std::string_view text, Number& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size();
}

/// A number of megabytes, in bytes.
Result<uint64_t> FindBytes(const Layers& layers, std::string_view name, uint64_t megabytes_min) {
  const Found found = layers.Find(name);
  uint64_t megabytes = 0;
  if (!ParseWhole(found.value, megabytes) || megabytes < megabytes_min ||
      megabytes > kMegabytesLimit) {
    return Invalid(
        found, StrCat("a whole number of megabytes from ", megabytes_min, " to ", kMegabytesLimit));
  }
  return megabytes << 20;
}

Result<uint64_t> FindNumber(const Layers& layers, std::string_view name, uint64_t min,
                            uint64_t max) {
  const Found found = layers.Find(name);
  uint64_t number = 0;
  if (!ParseWhole(found.value, number) || number < min || number > max) {
    return Invalid(found, StrCat("a whole number from ", min, " to ", max));
  }
  return number;
}

Result<std::string> FindPublicUrl(const Layers& layers) {
  const Found found = layers.Find("public-url");
  std::string_view url = found.value;
  if (url.empty()) {
    return std::string();
  }
  const bool has_scheme = url.starts_with("http://") || url.starts_with("https://");
  if (!has_scheme || url.find_first_of(" ?#\"<>") != std::string_view::npos) {
    return Invalid(found, "http:// or https:// and a host, without a query");
  }
  while (url.ends_with('/')) {
    url.remove_suffix(1);
  }
  return std::string(url);
}

/// What developing a photo may cost.
Status FindPhotoLimits(const Layers& layers, ServeConfig& config) {
  constexpr uint64_t kMegapixelsMax = 1'000'000;
  constexpr uint64_t kPagesMax = 1'000'000;
  constexpr uint64_t kMemoryMegabytesMin = 768;
  constexpr uint64_t kSecondsMax = 24 * 60 * 60;
  ASSIGN_OR_RETURN(const uint64_t megapixels,
                   FindNumber(layers, "photo-megapixels", 1, kMegapixelsMax));
  config.photo_pixels_max = megapixels * 1'000'000;
  ASSIGN_OR_RETURN(config.photo_pages_max, FindNumber(layers, "photo-pages", 1, kPagesMax));
  ASSIGN_OR_RETURN(config.photo_memory_bytes,
                   FindBytes(layers, "photo-memory-mb", kMemoryMegabytesMin));
  ASSIGN_OR_RETURN(config.photo_cpu_seconds, FindNumber(layers, "photo-seconds", 1, kSecondsMax));
  return OkStatus();
}

/// The settings of the photo product.
Status FindGallerySettings(const Layers& layers, ServeConfig& config) {
  constexpr uint64_t kUploadLimitMax = 1'000'000'000;
  constexpr uint64_t kWorkersMax = 1024;
  constexpr uint64_t kUploadKeptMaxS = 365 * 24 * 60 * 60;
  constexpr uint64_t kUploadsMax = 1'000'000;
  ASSIGN_OR_RETURN(config.gallery, FindChoice(layers, "gallery", "on", "off"));
  ASSIGN_OR_RETURN(config.public_url, FindPublicUrl(layers));
  ASSIGN_OR_RETURN(config.open_sign_up, FindChoice(layers, "sign-up", "open", "closed"));
  ASSIGN_OR_RETURN(config.upload_limit, FindNumber(layers, "upload-limit", 0, kUploadLimitMax));
  ASSIGN_OR_RETURN(config.upload_bytes_max, FindBytes(layers, "upload-mb", 1));
  ASSIGN_OR_RETURN(config.resize_cache_bytes_max, FindBytes(layers, "resize-cache-mb", 0));
  ASSIGN_OR_RETURN(const uint64_t kept, FindNumber(layers, "upload-kept", 1, kUploadKeptMaxS));
  config.upload_kept = std::chrono::seconds(static_cast<int64_t>(kept));
  ASSIGN_OR_RETURN(config.uploads_in_progress,
                   FindNumber(layers, "uploads-in-progress", 1, kUploadsMax));
  ASSIGN_OR_RETURN(config.uploads_per_minute,
                   FindNumber(layers, "uploads-per-minute", 1, kUploadsMax));
  ASSIGN_OR_RETURN(config.upload_rate_min,
                   FindNumber(layers, "upload-rate-min", 0, uint64_t{1} << 30));
  ASSIGN_OR_RETURN(config.workers, FindNumber(layers, "workers", 0, kWorkersMax));
  ASSIGN_OR_RETURN(config.rendition_quality, FindNumber(layers, "rendition-quality", 1, 100));
  ASSIGN_OR_RETURN(config.rendition_effort, FindNumber(layers, "rendition-effort", 0, 6));
  config.darkroom = layers.Find("darkroom").value;
  ASSIGN_OR_RETURN(config.darkroom_sandbox_required,
                   FindChoice(layers, "darkroom-sandbox", "required", "auto"));
  return FindPhotoLimits(layers, config);
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
  ASSIGN_OR_RETURN(texts.secret_access_key, layers.FindSecret("s3-secret-access-key"));
  return ParseBlobSettings(texts);
}

Result<std::chrono::milliseconds> FindTimeout(const Layers& layers, std::string_view name) {
  const Found found = layers.Find(name);
  double seconds = 0;
  if (!ParseWhole(found.value, seconds) || !(seconds >= 0.001 && seconds <= kTimeoutLimitS)) {
    return Invalid(found, StrCat("seconds, from 0.001 to ", static_cast<int>(kTimeoutLimitS)));
  }
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

/// TINTYPE_MASTER_KEY_FILE is the variable of --master-key-file, as it is for every setting, and at
/// the same time the file form of the secret TINTYPE_MASTER_KEY, as it is for every secret.
Result<MasterKeySource> FindMasterKeySource(const Layers& layers) {
  MasterKeySource source;
  source.file = layers.Find("master-key-file").value;
  source.command = layers.Find("master-key-command").value;
  source.value = layers.FindVariable("master-key");
  ASSIGN_OR_RETURN(source.private_file,
                   FindChoice(layers, "master-key-file-mode", "private", "any"));
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

Result<std::string> FindRegion(const Layers& layers) {
  const Found found = layers.Find("region");
  const bool valid =
      !found.value.empty() && found.value.size() <= 64 &&
      found.value.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  if (!valid) {
    return Invalid(found, "lower-case letters, digits and '-', such as us-east-1");
  }
  return found.value;
}

Result<std::optional<RemoteTablesSettings>> FindRemoteTables(const Layers& layers) {
  const Found found = layers.Find("tables");
  if (found.value.empty()) {
    return std::optional<RemoteTablesSettings>();
  }
  if (!net::ParseEndpoint(found.value).ok()) {
    return Invalid(found, "http://HOST:PORT or https://HOST, without a path");
  }
  ASSIGN_OR_RETURN(sigv4::Credentials key, FindAwsCredentials(layers.environment()));
  return std::optional(RemoteTablesSettings{found.value, std::move(key)});
}

/// The settings that everything needs which opens the tables, or looks at the photos.
Status FindTableSettings(const Layers& layers, ServeConfig& config) {
  ASSIGN_OR_RETURN(config.data_dir, FindDataDir(layers));
  ASSIGN_OR_RETURN(config.remote_tables, FindRemoteTables(layers));
  ASSIGN_OR_RETURN(const bool full, FindChoice(layers, "durability", "full", "relaxed"));
  config.relaxed_durability = !full;
  ASSIGN_OR_RETURN(config.region, FindRegion(layers));
  ASSIGN_OR_RETURN(config.cache_bytes, FindBytes(layers, "cache-mb", 1));
  ASSIGN_OR_RETURN(config.min_free_bytes, FindBytes(layers, "min-free-mb", 0));
  ASSIGN_OR_RETURN(config.ballast_bytes, FindBytes(layers, "ballast-mb", 0));
  ASSIGN_OR_RETURN(config.photo_reserve_bytes, FindBytes(layers, "photo-reserve-mb", 0));
  ASSIGN_OR_RETURN(config.encryption, FindChoice(layers, "encryption", "on", "off"));
  ASSIGN_OR_RETURN(config.master_key, FindMasterKeySource(layers));
  ASSIGN_OR_RETURN(config.blobs, FindBlobSettings(layers));
  ASSIGN_OR_RETURN(config.s3_timeout, FindTimeout(layers, "s3-timeout"));
  if (!config.encryption && !config.master_key.IsDefault()) {
    return Error::Validation("'encryption off' and a master key contradict each other");
  }
  return OkStatus();
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

}  // namespace

bool Address::IsLoopback() const {
  in_addr v4{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) {
    return (ntohl(v4.s_addr) >> 24) == 127;
  }
  in6_addr v6{};
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6) != 0;
}

std::string Address::text() const {
  const bool v6 = host.find(':') != std::string::npos;
  return StrCat(v6 ? "[" : "", host, v6 ? "]:" : ":", port);
}

Result<Address> ParseAddress(std::string_view text) {
  const auto invalid = [text] {
    return Error::Validation(StrCat("'", text, "' is not HOST:PORT"));
  };
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return invalid();
  }
  Address address;
  if (!ParseWhole(text.substr(colon + 1), address.port)) {
    return invalid();
  }
  address.host = text.substr(0, colon);
  int family = AF_INET;
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
    family = AF_INET6;
  } else if (address.host == "localhost") {
    address.host = "127.0.0.1";
  }
  in6_addr large_enough{};
  if (::inet_pton(family, address.host.c_str(), &large_enough) != 1) {
    return invalid();
  }
  return address;
}

std::string PublicUrlOf(const ServeConfig& config, uint16_t http_port) {
  if (!config.public_url.empty()) {
    return config.public_url;
  }
  return StrCat(config.tls_certificate.empty() ? "http" : "https", "://",
                Address{config.http_address.host, http_port}.text());
}

std::span<const Setting> ServeSettings() { return kServeSettings; }

const Setting& FindSetting(std::string_view name) {
  const auto* setting = std::find_if(kServeSettings.begin(), kServeSettings.end(),
                                     [name](const Setting& each) { return each.name == name; });
  CHECK(setting != kServeSettings.end());
  return *setting;
}

Environment ProcessEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') {
      return std::nullopt;
    }
    return value;
  };
}

Result<ServeConfig> ResolveServeConfig(const SettingValues& flags, const Environment& environment) {
  Layers layers(flags, environment);
  RETURN_IF_ERROR(layers.LoadFile());
  ServeConfig config;
  RETURN_IF_ERROR(FindTableSettings(layers, config));
  ASSIGN_OR_RETURN(config.http_address, FindAddress(layers, "http-address"));
  ASSIGN_OR_RETURN(config.dynamodb_address, FindAddress(layers, "dynamodb-address"));
  ASSIGN_OR_RETURN(config.metrics_address, FindAddress(layers, "metrics-address"));
  ASSIGN_OR_RETURN(config.auth, FindChoice(layers, "auth", "on", "off"));
  ASSIGN_OR_RETURN(config.log_level, FindLogLevel(layers));
  RETURN_IF_ERROR(FindGallerySettings(layers, config));
  config.export_dir = layers.Find("export-dir").value;
  if (config.export_dir.empty()) {
    config.export_dir = StrCat(config.data_dir, "/exports");
  }
  config.tls_certificate = layers.Find("tls-certificate").value;
  config.tls_key = layers.Find("tls-key").value;
  ASSIGN_OR_RETURN(config.header_timeout, FindTimeout(layers, "header-timeout"));
  ASSIGN_OR_RETURN(config.body_timeout, FindTimeout(layers, "body-timeout"));
  ASSIGN_OR_RETURN(config.idle_timeout, FindTimeout(layers, "idle-timeout"));
  ASSIGN_OR_RETURN(config.write_timeout, FindTimeout(layers, "write-timeout"));
  ASSIGN_OR_RETURN(config.connections_max,
                   FindNumber(layers, "connections-max", 1, kConnectionsLimit));
  ASSIGN_OR_RETURN(config.unread_answer_bytes_max, FindBytes(layers, "unread-answers-mb", 1));
  ASSIGN_OR_RETURN(config.root_access_key_id, layers.FindSecret("root-access-key-id"));
  ASSIGN_OR_RETURN(config.root_secret_access_key, layers.FindSecret("root-secret-access-key"));
  RETURN_IF_ERROR(CheckTogether(config));
  return config;
}

Result<ServeConfig> ResolveTablesConfig(const SettingValues& flags,
                                        const Environment& environment) {
  Layers layers(flags, environment);
  RETURN_IF_ERROR(layers.LoadFile());
  ServeConfig config;
  RETURN_IF_ERROR(FindTableSettings(layers, config));
  return config;
}

Result<ServeConfig> ResolvePhotosConfig(const SettingValues& flags,
                                        const Environment& environment) {
  Layers layers(flags, environment);
  RETURN_IF_ERROR(layers.LoadFile());
  ServeConfig config;
  RETURN_IF_ERROR(FindTableSettings(layers, config));
  RETURN_IF_ERROR(FindGallerySettings(layers, config));
  ASSIGN_OR_RETURN(config.http_address, FindAddress(layers, "http-address"));
  config.tls_certificate = layers.Find("tls-certificate").value;
  return config;
}

Result<MasterKeyConfig> ResolveMasterKeyConfig(const SettingValues& flags,
                                               const Environment& environment) {
  Layers layers(flags, environment);
  RETURN_IF_ERROR(layers.LoadFile());
  MasterKeyConfig config;
  ASSIGN_OR_RETURN(config.data_dir, FindDataDir(layers));
  ASSIGN_OR_RETURN(config.source, FindMasterKeySource(layers));
  return config;
}

Result<KeysConfig> ResolveKeysConfig(const SettingValues& flags, const Environment& environment) {
  Layers layers(flags, environment);
  RETURN_IF_ERROR(layers.LoadFile());
  KeysConfig config;
  ASSIGN_OR_RETURN(config.data_dir, FindDataDir(layers));
  ASSIGN_OR_RETURN(config.region, FindRegion(layers));
  return config;
}

}  // namespace tintype::cli
