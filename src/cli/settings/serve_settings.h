#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ip_address.h"
#include "base/logging.h"
#include "base/result.h"
#include "cli/settings/address.h"
#include "cli/settings/blob_settings.h"
#include "cli/settings/setting.h"
#include "sigv4/sigv4.h"

/// Every setting of `tintype serve`: its field in ServeConfig, and below that its row, from which
/// flag, variable, file key, default, help and bounds follow. A new setting is a field and a row
/// here, and the code that uses it.
namespace tintype::cli {

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
/// kServeSettings.
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
  /// Nothing: where it can be.
  std::optional<bool> blob_encryption;
  std::string region;
  LogLevel log_level = LogLevel::kInfo;
  bool core_dumps = false;
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
  uint64_t audit_kept_days = 0;

  /// Whether the photo product runs: its tables, the REST API and the page.
  bool gallery = true;
  std::string sign_up;  // open, invitation or closed.
  /// People who sign in with another issuer; see oidc::ClientConfig and flows::OutsideIssuer.
  std::string oidc_issuer;  // Empty: there is none.
  std::string oidc_client_id;
  std::string oidc_client_secret;  // Empty: a public client.
  std::string oidc_name;           // Empty: the issuer's host.
  std::string oidc_sign_up;        // As sign_up.
  std::string oidc_scopes;
  std::string oidc_audience;
  std::string oidc_roles_claim;
  std::string oidc_administrator_role;
  std::string stack;        // Empty: as the gallery was made, else the default.
  std::string environment;  // The same.
  bool uploads_shared = false;
  bool show_addresses = false;
  std::string public_url;  // Empty: where the server listens.
  uint64_t link_seconds_max = 0;
  uint64_t upload_limit = 0;
  uint64_t quota_mb = 0;  // 0: none.
  uint64_t upload_bytes_max = 0;
  uint64_t resize_cache_bytes_max = 0;
  uint64_t decrypted_media_bytes_max = 0;
  std::chrono::seconds upload_kept{0};
  uint64_t uploads_in_progress = 0;
  uint64_t jobs_waiting = 0;
  uint64_t uploads_per_minute = 0;
  uint64_t jobs_per_minute = 0;
  uint64_t upload_rate_min = 0;    // Bytes a second. 0: any.
  uint64_t workers = 0;            // 0: one for each core.
  uint64_t rendition_quality = 0;  // 1 to 100.
  uint64_t rendition_effort = 0;   // 0 to 6.
  std::string darkroom;            // The helper program. Empty: beside this one.
  std::string darkroom_sandbox;    // required, preferred or off.
  std::string ai_options;          // As contexts::analysis::AiOptions reads them.
  std::string models_dir;          // Empty: beside this program.
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
  uint64_t connections_per_client = 0;  // 0: a part of what there are.
  /// Who speaks for clients, and in which header; see http::TrustedProxies.
  std::vector<IpNetwork> trusted_proxies;
  std::string proxy_header;
  /// Names that the page and the REST API answer to, beside that of public_url.
  std::vector<std::string> allowed_hosts;
  uint64_t hsts_seconds = 0;  // 0: none.
  std::string metrics_token;  // Empty: none is asked for.

  /// The key pair for a new data directory; generated when absent. Both or neither.
  std::optional<std::string> root_access_key_id;
  std::optional<std::string> root_secret_access_key;
};

// For rows whose text is neither a number nor a choice.
Status ParseDataDir(const SettingText& text, ServeConfig& config);
Status ParsePublicUrl(const SettingText& text, ServeConfig& config);
Status ParseSignUp(const SettingText& text, ServeConfig& config);
Status ParseOidcIssuer(const SettingText& text, ServeConfig& config);
Status ParseBlobEncryption(const SettingText& text, ServeConfig& config);
Status ParseOidcSignUp(const SettingText& text, ServeConfig& config);
Status ParseOidcScopes(const SettingText& text, ServeConfig& config);
Status ParseDarkroomSandbox(const SettingText& text, ServeConfig& config);
Status ParseStack(const SettingText& text, ServeConfig& config);
Status ParseEnvironment(const SettingText& text, ServeConfig& config);
Status ParseRegion(const SettingText& text, ServeConfig& config);
Status ParseLogLevel(const SettingText& text, ServeConfig& config);
Status ParseTrustedProxies(const SettingText& text, ServeConfig& config);
Status ParseProxyHeader(const SettingText& text, ServeConfig& config);
Status ParseAllowedHosts(const SettingText& text, ServeConfig& config);

/// In the order in which --help shows them.
inline constexpr std::array kServeSettings{
    Setting{"data-dir", "DIR", "./data",
            "Where everything is kept: tables, photos and keys. 'serve' creates it if it does not\n"
            "exist.",
            SettingScope::kTables, ParsedField{ParseDataDir}},
    Setting{
        "tables", "URL", "",
        "The DynamoDB API of another Tintype, such as http://10.0.0.5:8000: the gallery runs on "
        "its\n"
        "tables, and photos stay here. The access key comes from AWS_ACCESS_KEY_ID and\n"
        "AWS_SECRET_ACCESS_KEY, or from the profile AWS_PROFILE in AWS_SHARED_CREDENTIALS_FILE.\n"
        "Default: the tables are in the data directory",
        SettingScope::kTables, CombinedField{}},
    Setting{"http-address", "HOST:PORT", "127.0.0.1:8080",
            "The address of the page, the REST API (/api/v1), /healthz and /readyz.",
            SettingScope::kPhotos, AddressField{&ServeConfig::http_address}},
    Setting{"dynamodb-address", "HOST:PORT", "127.0.0.1:8000",
            "The address of the DynamoDB API: the --endpoint-url of AWS clients.",
            SettingScope::kServer, AddressField{&ServeConfig::dynamodb_address}},
    Setting{"metrics-address", "HOST:PORT", "127.0.0.1:9464",
            "The address of /metrics, for Prometheus.", SettingScope::kServer,
            AddressField{&ServeConfig::metrics_address}},
    Setting{
        "metrics-token-file", "FILE", "",
        "The file with the token that requests for /metrics have to carry (Authorization: Bearer\n"
        "TOKEN): 16 characters or more. A --metrics-address that other machines reach needs one.\n"
        "TINTYPE_METRICS_TOKEN is the token itself, or 'ssm://NAME' in AWS's parameter store.",
        SettingScope::kServer, CombinedField{}},
    Setting{
        "gallery", "on|off", "on",
        "Whether to run the gallery: its tables, the REST API and the page. With 'off', only the\n"
        "DynamoDB API is served.",
        SettingScope::kPhotos, ChoiceField{&ServeConfig::gallery, "on"}},
    Setting{"public-url", "URL", "",
            "The beginning of links to photos, such as https://photos.example.org.\n"
            "Default: http:// and --http-address",
            SettingScope::kPhotos, ParsedField{ParsePublicUrl}},
    Setting{
        "allowed-hosts", "NAMES", "",
        "Further names under which people reach the page and the REST API, with commas between\n"
        "them: photos.lan, *.example.org for every name below it, * for any. The host of\n"
        "--public-url, this machine's own name, localhost and IP addresses are always right;\n"
        "requests for others are refused (421), so that no web page can use its own name for this\n"
        "server.",
        SettingScope::kServer, ParsedField{ParseAllowedHosts}},
    Setting{
        "link-seconds", "SECONDS", "86400",
        "The longest time that a signed link to a photo may be good for. The server makes links\n"
        "for at most two hours, and for less if this is shorter; it refuses any that are signed\n"
        "for longer than this.",
        SettingScope::kPhotos, NumberField{&ServeConfig::link_seconds_max, 60, 365 * 24 * 60 * 60},
        SettingUse::kRare},
    Setting{
        "sign-up", "open|invitation|closed", "invitation",
        "Who may create an account: anyone who can reach the server, anyone with an invitation\n"
        "('tintype users invite'), or nobody: then you make accounts with 'tintype users create'.\n"
        "The first account always needs the token in the file 'setup-token' of the data directory.",
        SettingScope::kPhotos, ParsedField{ParseSignUp}},
    Setting{
        "oidc-issuer", "URL", "",
        "Another service by which people sign in (OpenID Connect), such as\n"
        "https://accounts.example.org: its issuer, to the letter. Register this server there with\n"
        "the redirect address --public-url and '/'. The client's secret comes from\n"
        "TINTYPE_OIDC_CLIENT_SECRET ('ssm://NAME' in it: from AWS's parameter store), the file in\n"
        "TINTYPE_OIDC_CLIENT_SECRET_FILE or the command in TINTYPE_OIDC_CLIENT_SECRET_COMMAND.",
        SettingScope::kServer, ParsedField{ParseOidcIssuer}},
    Setting{"oidc-client-id", "ID", "", "The id of this server there.", SettingScope::kServer,
            TextField{&ServeConfig::oidc_client_id}},
    Setting{"oidc-name", "NAME", "",
            "The name that people know that service by: 'Sign in with NAME'.\n"
            "Default: the issuer's host",
            SettingScope::kServer, TextField{&ServeConfig::oidc_name}},
    Setting{
        "oidc-sign-up", "open|invitation|closed", "invitation",
        "Who gets an account when they sign in there and have none here: everybody whose email\n"
        "address that service has verified, people who have an invitation or whose address was\n"
        "invited, or nobody.",
        SettingScope::kServer, ParsedField{ParseOidcSignUp}},
    Setting{"oidc-scopes", "SCOPES", "openid email profile",
            "The scopes to ask for there, openid among them.", SettingScope::kServer,
            ParsedField{ParseOidcScopes}, SettingUse::kRare},
    Setting{
        "oidc-audience", "NAME", "",
        "The audience of access tokens of that service that the REST API takes. Those of Cognito\n"
        "have none, and are recognised by the client that they name.",
        SettingScope::kServer, TextField{&ServeConfig::oidc_audience}, SettingUse::kRare},
    Setting{
        "oidc-roles-claim", "NAME", "",
        "The claim with somebody's roles, such as groups, cognito:groups or realm_access.roles.",
        SettingScope::kServer, TextField{&ServeConfig::oidc_roles_claim}, SettingUse::kRare},
    Setting{"oidc-administrator-role", "NAME", "",
            "The role that makes administrators of people whose account was made when they signed\n"
            "in there. It is looked at whenever they do. Accounts that were made here keep the\n"
            "role that they have here.",
            SettingScope::kServer, TextField{&ServeConfig::oidc_administrator_role},
            SettingUse::kRare},
    Setting{"visibility", "private|shared", "private",
            "Who sees a new upload that does not say: its owner, or everybody with an account.",
            SettingScope::kPhotos, ChoiceField{&ServeConfig::uploads_shared, "shared"}},
    Setting{
        "ai-options", "LIST", "all",
        "What is looked for in uploads that do not say: 'all', 'none', or some of celeb, face,\n"
        "label, transcribe, keyphrase, entity, sentiment, moderation and text, with commas.",
        SettingScope::kPhotos, TextField{&ServeConfig::ai_options}},
    Setting{"show-addresses", "on|off", "off",
            "Whether accounts see each other's e-mail addresses. With 'off' they see usernames.",
            SettingScope::kServer, ChoiceField{&ServeConfig::show_addresses, "on"}},
    Setting{"audit-kept", "DAYS", "400",
            "How long the audit keeps its entries: who signed in, was refused, shared, deleted or\n"
            "changed accounts, keys and tables. 'tintype audit' shows them.",
            SettingScope::kTables, NumberField{&ServeConfig::audit_kept_days, 1, 36'500},
            SettingUse::kRare},
    Setting{
        "stack", "NAME", "",
        "The middle of the names of the tables so0050-NAME-ingest, -analysis, -face-indexer and\n"
        "-backlog. The first start records it; another name is refused from then on.\n"
        "Default: as recorded, else tintype",
        SettingScope::kPhotos, ParsedField{ParseStack}, SettingUse::kRare},
    Setting{"environment", "NAME", "",
            "The middle of the name of the table photoeditor-NAME-jobs, which has provisioned "
            "capacity\n"
            "if it is 'prod'. The first start records it; another name is refused from then on.\n"
            "Default: as recorded, else dev",
            SettingScope::kPhotos, ParsedField{ParseEnvironment}, SettingUse::kRare},
    Setting{"upload-limit", "NUMBER", "500",
            "How many photos a new account may upload. Existing accounts keep what they have:\n"
            "'tintype users limit' changes one or all. Administrators have no limit.",
            SettingScope::kPhotos, NumberField{&ServeConfig::upload_limit, 0, 1'000'000'000}},
    Setting{"quota-mb", "MB", "0",
            "How much a new account may store: originals, edits and renditions. 0 is any amount.\n"
            "Existing accounts keep what they have: 'tintype users quota' changes one.\n"
            "Administrators have no quota.",
            SettingScope::kPhotos, NumberField{&ServeConfig::quota_mb, 0, 900'000'000}},
    Setting{"upload-mb", "MB", "512", "The largest file that may be uploaded.",
            SettingScope::kPhotos, MegabytesField{&ServeConfig::upload_bytes_max, 1}},
    Setting{
        "upload-kept", "SECONDS", "86400",
        "How long an upload may be inactive before it is abandoned: its bytes are removed, and it\n"
        "no longer counts against the limit. An upload that makes progress may last seven times\n"
        "as long.",
        SettingScope::kPhotos, WholeSecondsField{&ServeConfig::upload_kept, 365 * 24 * 60 * 60},
        SettingUse::kRare},
    Setting{
        "uploads-in-progress", "NUMBER", "100",
        "How many unfinished resumable and direct uploads one account may have. More are refused\n"
        "(429).",
        SettingScope::kPhotos, NumberField{&ServeConfig::uploads_in_progress, 1, 1'000'000},
        SettingUse::kRare},
    Setting{"jobs-waiting", "NUMBER", "200",
            "How many edits of one account may wait to be made. More are refused (429).",
            SettingScope::kPhotos, NumberField{&ServeConfig::jobs_waiting, 1, 10'000},
            SettingUse::kRare},
    Setting{
        "uploads-per-minute", "NUMBER", "600",
        "How many uploads one account may begin per minute, and how many links to other sizes it\n"
        "may request. More are refused (429).",
        SettingScope::kPhotos, NumberField{&ServeConfig::uploads_per_minute, 1, 1'000'000},
        SettingUse::kRare},
    Setting{"jobs-per-minute", "NUMBER", "600",
            "How many edits one account may ask for per minute. More are refused (429).",
            SettingScope::kPhotos, NumberField{&ServeConfig::jobs_per_minute, 1, 1'000'000},
            SettingUse::kRare},
    Setting{
        "upload-rate-min", "BYTES", "1024",
        "The lowest average rate of an upload in bytes per second, once it has lasted as long as\n"
        "--body-timeout. Slower uploads are refused (408); resumable ones can continue. 0: no\n"
        "limit.",
        SettingScope::kPhotos, NumberField{&ServeConfig::upload_rate_min, 0, uint64_t{1} << 30},
        SettingUse::kRare},
    Setting{"workers", "NUMBER", "0",
            "How many photos are developed at the same time. 0: one per core.",
            SettingScope::kPhotos, NumberField{&ServeConfig::workers, 0, 1024}, SettingUse::kRare},
    Setting{
        "rendition-quality", "1-100", "85",
        "The quality of the sizes that are made of a photo. 80 saves a quarter of their bytes, 90\n"
        "costs 30 percent more.",
        SettingScope::kPhotos, NumberField{&ServeConfig::rendition_quality, 1, 100},
        SettingUse::kRare},
    Setting{
        "rendition-effort", "0-6", "4",
        "How hard the encoder of those sizes tries. 2 takes half the time of 4, for a few percent\n"
        "more bytes; 6 takes nearly three times as long, for 5 percent fewer.",
        SettingScope::kPhotos, NumberField{&ServeConfig::rendition_effort, 0, 6},
        SettingUse::kRare},
    Setting{"resize-cache-mb", "MB", "1024",
            "Disk space for pictures that links request in other sizes, in 'cache/resized' of the\n"
            "data directory. The least recently used are removed first. 0: keep none.",
            SettingScope::kPhotos, MegabytesField{&ServeConfig::resize_cache_bytes_max, 0},
            SettingUse::kRare},
    Setting{
        "decrypted-media-mb", "MB", "128",
        "Memory for photos that are encrypted and that somebody looks at just now, as they are\n"
        "sent. Those that are not in it are decrypted for each request.",
        SettingScope::kServer, MegabytesField{&ServeConfig::decrypted_media_bytes_max, 0},
        SettingUse::kRare},
    Setting{"darkroom", "FILE", "",
            "The helper program that reads photos.\n"
            "Default: tintype-darkroom beside this program",
            SettingScope::kPhotos, TextField{&ServeConfig::darkroom}, SettingUse::kRare},
    Setting{"models-dir", "DIR", "",
            "The folder with the models for analysis; 'tintype models list' shows what is there.\n"
            "Default: 'models' beside this program, or beside its folder",
            SettingScope::kPhotos, TextField{&ServeConfig::models_dir}, SettingUse::kRare},
    Setting{
        "darkroom-sandbox", "required|preferred|off", "required",
        "How to start when the kernel cannot keep that program away from files and the network.\n"
        "'required' refuses to start; 'preferred' goes on without a sandbox and logs a warning;\n"
        "'off' uses none at all.",
        SettingScope::kPhotos, ParsedField{ParseDarkroomSandbox}, SettingUse::kRare},
    Setting{"photo-megapixels", "NUMBER", "200",
            "How many million pixels a photo may have. Larger photos are kept, but not developed.",
            SettingScope::kPhotos,
            NumberField{&ServeConfig::photo_pixels_max, 1, 1'000'000, /*unit=*/1'000'000},
            SettingUse::kRare},
    Setting{
        "photo-pages", "NUMBER", "4000",
        "How many pages, or frames of an animation, a photo may have. Photos with more are kept,\n"
        "but not developed.",
        SettingScope::kPhotos, NumberField{&ServeConfig::photo_pages_max, 1, 1'000'000},
        SettingUse::kRare},
    Setting{
        "photo-memory-mb", "MB", "1536",
        "How much address space developing a photo may take. A photo that needs more is kept, but\n"
        "not developed. Photos that must be in memory as a whole (WebP, HEIC, AVIF, progressive\n"
        "or interlaced ones) need 16 MB per million pixels beyond the first 512 MB.",
        SettingScope::kPhotos, MegabytesField{&ServeConfig::photo_memory_bytes, 768},
        SettingUse::kRare},
    Setting{"photo-seconds", "SECONDS", "60",
            "How much processor time developing a photo may take; by the clock, twice as much. A\n"
            "photo that takes longer is kept, but not developed.",
            SettingScope::kPhotos, NumberField{&ServeConfig::photo_cpu_seconds, 1, 24 * 60 * 60},
            SettingUse::kRare},
    Setting{"blobs", "files|s3://PREFIX", "files",
            "Where photos are kept: in files of the data directory, or in the S3 buckets\n"
            "PREFIX-uploads and PREFIX-images, which are created if they do not exist.",
            SettingScope::kTables, CombinedField{}},
    Setting{
        "uploads-bucket", "NAME", "",
        "Another name for the bucket of uploads: on S3, or of its folder in 'blobs'. The first\n"
        "start records the names of both buckets; others are refused from then on.\n"
        "Default: as recorded, else PREFIX-uploads, or 'uploads' in files",
        SettingScope::kTables, CombinedField{}, SettingUse::kRare},
    Setting{"images-bucket", "NAME", "",
            "The same for the bucket of images, such as images-lego-moc-prod.\n"
            "Default: as recorded, else PREFIX-images, or 'images' in files",
            SettingScope::kTables, CombinedField{}, SettingUse::kRare},
    Setting{"s3-endpoint", "URL", "",
            "The S3 service to use, such as https://storage.example.org:7480.\n"
            "Default: AWS, in --s3-region",
            SettingScope::kTables, CombinedField{}},
    Setting{"s3-region", "NAME", "us-east-1", "The region of the buckets.", SettingScope::kTables,
            CombinedField{}},
    Setting{
        "s3-access-key-id", "ID", "",
        "The access key for S3. Its secret comes from TINTYPE_S3_SECRET_ACCESS_KEY ('ssm://NAME'\n"
        "in it: from AWS's parameter store), the file in TINTYPE_S3_SECRET_ACCESS_KEY_FILE or the\n"
        "command in TINTYPE_S3_SECRET_ACCESS_KEY_COMMAND.",
        SettingScope::kTables, CombinedField{}},
    Setting{
        "s3-timeout", "SECONDS", "25",
        "How long to try a request to S3, with retries, before the storage counts as unreachable.\n"
        "Large requests may take longer as long as bytes move. A connection on which nothing\n"
        "moves for half of this time is replaced by another.",
        SettingScope::kTables, TimeoutField{&ServeConfig::s3_timeout}, SettingUse::kRare},
    Setting{
        "s3-delivery", "redirect|proxy", "redirect",
        "'redirect' sends viewers of a photo to the storage by a link that expires, so browsers\n"
        "must be able to reach --s3-endpoint. 'proxy' sends the bytes through this server.",
        SettingScope::kTables, CombinedField{}, SettingUse::kRare},
    Setting{
        "s3-encryption", "HOW", "auto",
        "How the storage encrypts its objects. 'sse-s3': with keys of its own; 'auto': that,\n"
        "where it can; 'sse-kms', 'sse-kms:KEY': with a key of its key service; 'sse-c': with the\n"
        "key in TINTYPE_S3_ENCRYPTION_KEY (32 bytes in base64; also _FILE, _COMMAND, ssm://NAME),\n"
        "which is sent along, so that all bytes go through this server; 'bucket': as the bucket\n"
        "has it. Photos from before stay as they are, and readable.",
        SettingScope::kTables, CombinedField{}, SettingUse::kRare},
    Setting{"auth", "on|off", "on",
            "Whether requests must be signed with a key of the data directory. 'off' is refused\n"
            "unless --dynamodb-address is on the loopback interface.",
            SettingScope::kServer, ChoiceField{&ServeConfig::auth, "on"}, SettingUse::kRare},
    Setting{
        "durability", "full|relaxed", "full",
        "'full' answers a write once it is synced to disk. 'relaxed' answers earlier: faster, but\n"
        "when the machine (not just the process) crashes or loses power, the last answered writes\n"
        "can be lost.",
        SettingScope::kTables, ChoiceField{&ServeConfig::relaxed_durability, "relaxed"}},
    Setting{
        "encryption", "on|off", "on",
        "Whether everything that the tables write is encrypted (AES-256). A data directory stays\n"
        "as it was created. 'off' is for measuring the cost: anyone who can read the disk, a copy\n"
        "or a backup can then read the data.",
        SettingScope::kTables, ChoiceField{&ServeConfig::encryption, "on"}, SettingUse::kRare},
    Setting{
        "blob-encryption", "auto|on|off", "auto",
        "Whether photos, and all that is made of them, are encrypted (AES-256-GCM) like the\n"
        "tables. It is about new files: 'tintype encrypt' encrypts those from before, and\n"
        "encrypted ones stay readable when it is off. It needs encrypted tables in the data\n"
        "directory: 'auto' is on where that is so and photos are there as well, 'on' fails where\n"
        "it is not. With 'on', photos on S3 are encrypted before they go there, and sent by this\n"
        "server.",
        SettingScope::kTables, ParsedField{ParseBlobEncryption}},
    Setting{
        "master-key-file", "FILE", "",
        "The file with the key that the tables are encrypted under: 32 random bytes as\n"
        "hexadecimal digits, base64 or raw. Without this, --master-key-command or\n"
        "TINTYPE_MASTER_KEY (the key, or 'ssm://NAME'), it is 'master.key' in the data directory,\n"
        "created at the first start; a copy of the directory then includes the key.",
        SettingScope::kTables, CombinedField{}},
    Setting{"master-key-file-mode", "private|any", "private",
            "'private' refuses a --master-key-file that anyone but its owner may read.",
            SettingScope::kTables, CombinedField{}, SettingUse::kRare},
    Setting{"master-key-command", "COMMAND", "",
            "A command, run with /bin/sh at the start, that writes the key to its standard output\n"
            "within 30 seconds.",
            SettingScope::kTables, CombinedField{}, SettingUse::kRare},
    Setting{
        "export-dir", "DIR", "",
        "The folder for exports and imports by the DynamoDB API: a request's S3Bucket is a folder\n"
        "in it. Exported files are not encrypted.\n"
        "Default: 'exports' in the data directory",
        SettingScope::kServer, TextField{&ServeConfig::export_dir}, SettingUse::kRare},
    Setting{"region", "NAME", "us-east-1", "The region in signatures and ARNs.",
            SettingScope::kTables, ParsedField{ParseRegion}, SettingUse::kRare},
    Setting{"log-level", "LEVEL", "info",
            "debug, info, warning or error. Logs go to standard error.", SettingScope::kServer,
            ParsedField{ParseLogLevel}},
    Setting{"core-dumps", "on|off", "off",
            "Whether the system may write the server's memory to a file when it crashes, or let\n"
            "other programs of its user look into it. Keys and photos are in it: turn it on to\n"
            "search for a fault, and remove the files afterwards.",
            SettingScope::kServer, ChoiceField{&ServeConfig::core_dumps, "on"}, SettingUse::kRare},
    Setting{"cache-mb", "MB", "256",
            "Memory for cached table blocks. Raise it when data that is read often does not fit.",
            SettingScope::kTables, MegabytesField{&ServeConfig::cache_bytes, 1}, SettingUse::kRare},
    Setting{
        "min-free-mb", "MB", "384",
        "With less free space than this on the disk of --data-dir, writes are refused (503) until\n"
        "there is room again; deletions are refused only below a quarter of it. 0: only when the\n"
        "disk is full.",
        SettingScope::kTables, MegabytesField{&ServeConfig::min_free_bytes, 0}, SettingUse::kRare},
    Setting{
        "ballast-mb", "MB", "64",
        "Disk space that is reserved by a file, and released when hardly any space is left. 0:\n"
        "none.",
        SettingScope::kTables, MegabytesField{&ServeConfig::ballast_bytes, 0}, SettingUse::kRare},
    Setting{
        "photo-reserve-mb", "MB", "256",
        "Photos are refused (503) while less than this is free beyond --min-free-mb, and are not\n"
        "developed below half of it, so that users can still cancel uploads and delete images to\n"
        "make room. With 0, photos can fill the disk until even that is refused.",
        SettingScope::kTables, MegabytesField{&ServeConfig::photo_reserve_bytes, 0},
        SettingUse::kRare},
    Setting{
        "tls-certificate", "FILE", "",
        "Serve --http-address and --dynamodb-address over TLS, with the certificate (and its\n"
        "chain) in this PEM file. Changed files are read again within a second, without a\n"
        "restart; if certificate and key do not match, that is logged and the old pair stays in\n"
        "use.",
        SettingScope::kPhotos, TextField{&ServeConfig::tls_certificate}},
    Setting{"tls-key", "FILE", "",
            "The private key of the certificate, a PEM file without a password.",
            SettingScope::kServer, TextField{&ServeConfig::tls_key}},
    Setting{"hsts", "SECONDS", "31536000",
            "For how long browsers that came over TLS use nothing else for this host, on any port\n"
            "(Strict-Transport-Security). 0: not said.",
            SettingScope::kServer,
            NumberField{&ServeConfig::hsts_seconds, 0, 10ULL * 365 * 24 * 60 * 60},
            SettingUse::kRare},
    Setting{
        "trusted-proxies", "NETWORKS", "",
        "The reverse proxies in front of this server: addresses or networks with commas between\n"
        "them, such as 127.0.0.1,10.0.0.0/8. Requests from them count for the client that they\n"
        "name in X-Forwarded-For or Forwarded. Such headers from others are ignored.\n"
        "Default: none",
        SettingScope::kServer, ParsedField{ParseTrustedProxies}},
    Setting{
        "proxy-header", "NAME", "either",
        "The header in which those proxies name their clients: x-forwarded-for, forwarded (RFC\n"
        "7239), or either, which reads X-Forwarded-For, and Forwarded only when that is absent.\n"
        "Set it to 'forwarded' for a proxy that writes only that: it passes on what clients put\n"
        "into the other.",
        SettingScope::kServer, ParsedField{ParseProxyHeader}, SettingUse::kRare},
    Setting{
        "header-timeout", "SECONDS", "10",
        "The time limit from a request's first byte, or the start of a connection, to the end of\n"
        "its header.",
        SettingScope::kServer, TimeoutField{&ServeConfig::header_timeout}, SettingUse::kRare},
    Setting{
        "body-timeout", "SECONDS", "60",
        "The time limit from the end of a request's header to the end of its body; for an upload,\n"
        "the longest pause between two bytes.",
        SettingScope::kServer, TimeoutField{&ServeConfig::body_timeout}, SettingUse::kRare},
    Setting{
        "idle-timeout", "SECONDS", "75",
        "How long a connection may wait for its next request. It should be longer than clients\n"
        "keep connections in a pool, so that they close first.",
        SettingScope::kServer, TimeoutField{&ServeConfig::idle_timeout}, SettingUse::kRare},
    Setting{"write-timeout", "SECONDS", "60", "How long a client may take to read an answer.",
            SettingScope::kServer, TimeoutField{&ServeConfig::write_timeout}, SettingUse::kRare},
    Setting{
        "connections-max", "NUMBER", "16384",
        "How many connections --dynamodb-address accepts. Never more than half of the files that\n"
        "the process may open.",
        SettingScope::kServer, NumberField{&ServeConfig::connections_max, 1, 1'000'000},
        SettingUse::kRare},
    Setting{
        "connections-per-client", "NUMBER", "0",
        "How many connections one client may have to each listener: an IPv4 address, or an IPv6\n"
        "network of 64 bits. Further ones are refused (503). Trusted proxies have no such limit.\n"
        "0: an eighth of what the listener accepts, and half of it for clients on this machine.",
        SettingScope::kServer, NumberField{&ServeConfig::connections_per_client, 0, 1'000'000},
        SettingUse::kRare},
    Setting{
        "unread-answers-mb", "MB", "256",
        "Memory for answers that clients are slow to read. When it is used up, clients that read\n"
        "nothing for 5 seconds are disconnected, and answers over 1 MB are refused (503).",
        SettingScope::kServer, MegabytesField{&ServeConfig::unread_answer_bytes_max, 1},
        SettingUse::kRare},
};

}  // namespace tintype::cli
