#include "cli/settings/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string_view>
#include <variant>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"

namespace tintype::cli {
namespace {

using ::testing::HasSubstr;

class ConfigTest : public ::testing::Test {
 protected:
  // Always names a file, so that a tintype.toml where the test happens to run plays no part.
  ConfigTest() { SetFile(""); }

  std::string Write(const std::string& name, const std::string& text) {
    std::string path = folder_.path() + "/" + name;
    std::ofstream(path) << text;
    std::filesystem::permissions(path, std::filesystem::perms(0644));  // Whatever the umask is.
    return path;
  }
  void SetFile(const std::string& text) { variables_["TINTYPE_CONFIG"] = Write("t.toml", text); }

  Environment Variables() {
    return [this](const std::string& name) {
      const auto it = variables_.find(name);
      return it == variables_.end() ? std::nullopt : std::optional<std::string>(it->second);
    };
  }
  Result<ServeConfig> Resolve() { return ResolveServeConfig(flags_, Variables()); }
  std::string ErrorMessage() {
    const auto config = Resolve();
    return config.ok() ? "no error" : config.error().message();
  }

  TemporaryDirectory folder_;
  SettingValues flags_;
  SettingValues variables_;
};

// Proves that a start without any setting gets the documented defaults.
TEST_F(ConfigTest, DefaultsAreTheDocumentedOnes) {
  const auto config = Resolve();
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->data_dir, "./data");
  EXPECT_EQ(config->http_address.port, 8080);
  EXPECT_EQ(config->dynamodb_address.port, 8000);
  EXPECT_EQ(config->metrics_address.port, 9464);
  EXPECT_EQ(config->dynamodb_address.host, "127.0.0.1");
  EXPECT_TRUE(config->auth);
  EXPECT_FALSE(config->relaxed_durability);
  EXPECT_EQ(config->region, "us-east-1");
  EXPECT_EQ(config->export_dir, "./data/exports");
  EXPECT_EQ(config->rendition_quality, 85U);
  EXPECT_EQ(config->rendition_effort, 4U);
  EXPECT_EQ(config->cache_bytes, uint64_t{256} << 20);
  EXPECT_EQ(config->min_free_bytes, uint64_t{384} << 20);
  EXPECT_EQ(config->ballast_bytes, uint64_t{64} << 20);
  EXPECT_EQ(config->upload_kept, std::chrono::hours(24));
  EXPECT_EQ(config->uploads_in_progress, 100U);
  EXPECT_EQ(config->uploads_per_minute, 600U);
  EXPECT_EQ(config->upload_rate_min, 1024U);
  EXPECT_EQ(config->tls_certificate, "");
  EXPECT_EQ(config->tls_key, "");
  EXPECT_EQ(config->header_timeout, std::chrono::seconds(10));
  EXPECT_EQ(config->body_timeout, std::chrono::seconds(60));
  EXPECT_EQ(config->idle_timeout, std::chrono::seconds(75));
  EXPECT_EQ(config->write_timeout, std::chrono::seconds(60));
  EXPECT_EQ(config->connections_max, 16384U);
  EXPECT_EQ(config->unread_answer_bytes_max, uint64_t{256} << 20);
  EXPECT_EQ(config->darkroom_sandbox, "required");
  EXPECT_EQ(config->photo_pixels_max, 200'000'000U);
  EXPECT_FALSE(config->root_access_key_id.has_value());
  EXPECT_FALSE(config->blobs.s3.has_value());
  EXPECT_EQ(config->blobs.buckets, BucketNames());
  EXPECT_EQ(config->stack, "");
  EXPECT_EQ(config->environment, "");
  EXPECT_FALSE(config->uploads_shared);
  EXPECT_FALSE(config->show_addresses);
  EXPECT_EQ(config->s3_timeout, std::chrono::seconds(25));
}

// Proves that what becomes a part of the names of tables and buckets is checked by their rules, at
// their longest too.
TEST_F(ConfigTest, RefusesNamesThatTablesAndBucketsCannotHave) {
  const struct {
    std::string name;
    std::string good;
    std::vector<std::string> bad;
  } cases[] = {
      {"stack", std::string(235, 'a'), {std::string(236, 'a'), "a b", "a/b", "st\303\244ck", "a#"}},
      {"environment", "Prod_2.eu-west", {std::string(239, 'a'), "a:b", "$stage"}},
      {"environment", std::string(238, 'a'), {"a\nb"}},
      {"images-bucket",
       "images-lego-moc-prod",
       {"Images", "im", std::string(64, 'a'), "a_b", "-images", "images.", "a..b", "10.0.0.1"}},
      {"uploads-bucket", std::string(63, 'a'), {"up loads", "../x"}},
  };
  for (const auto& [name, good, bad] : cases) {
    flags_ = {{name, good}};
    EXPECT_TRUE(Resolve().ok()) << name << " " << good;
    for (const std::string& value : bad) {
      flags_ = {{name, value}};
      EXPECT_THAT(ErrorMessage(), HasSubstr(value)) << name;
    }
  }
  flags_ = {{"environment", "a b"}};
  EXPECT_EQ(ErrorMessage(),
            "--environment: 'a b' is not valid; expected a part of a table's name: up to 238 "
            "letters, digits, '_', '-' and '.'");
  flags_ = {{"images-bucket", "one-place"}, {"uploads-bucket", "one-place"}};
  EXPECT_THAT(ErrorMessage(), HasSubstr("two buckets"));
}

// Proves that photos on S3 need a key and buckets, and that each mistake is named.
TEST_F(ConfigTest, RefusesBlobSettingsThatCannotBe) {
  const SettingValues good = {{"blobs", "s3://tintype"}, {"s3-access-key-id", "AKIAEXAMPLE"}};
  variables_["TINTYPE_S3_SECRET_ACCESS_KEY"] = "s3cret";
  flags_ = good;
  ASSERT_TRUE(Resolve().ok());
  EXPECT_TRUE(Resolve()->blobs.s3->redirect);
  const struct {
    std::string name;
    std::string value;
    std::string message;
  } cases[] = {{"blobs", "https://tintype", "--blobs is 'files' or s3://"},
               {"blobs", "s3://UPPER", "'UPPER-uploads', the bucket for uploads"},
               {"blobs", "s3://", "'-uploads', the bucket for uploads"},
               {"images-bucket", "a_b", "'a_b', the bucket for images"},
               {"images-bucket", "tintype-uploads", "two buckets"},
               {"s3-access-key-id", "", "needs --s3-access-key-id"},
               {"s3-delivery", "pigeon", "--s3-delivery is 'redirect' or 'proxy'"},
               {"s3-encryption", "rot13", "--s3-encryption is auto, bucket, sse-s3, sse-kms"},
               {"s3-encryption", "sse-c", "TINTYPE_S3_ENCRYPTION_KEY (or _FILE, or _COMMAND)"}};
  for (const auto& [name, value, message] : cases) {
    flags_ = good;
    flags_[name] = value;
    EXPECT_THAT(ErrorMessage(), HasSubstr(message));
  }
  flags_ = good;
  variables_.erase("TINTYPE_S3_SECRET_ACCESS_KEY");
  EXPECT_THAT(ErrorMessage(), HasSubstr("TINTYPE_S3_SECRET_ACCESS_KEY_FILE"));
}

// Proves that a key for the storage to encrypt with is a key, and crosses no network in plain.
TEST_F(ConfigTest, TakesAKeyForTheStorage) {
  flags_ = {{"blobs", "s3://tintype"}, {"s3-access-key-id", "A"}, {"s3-encryption", "sse-c"}};
  variables_ = {{"TINTYPE_S3_SECRET_ACCESS_KEY", "s3cret"}};
  const std::string key = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  variables_["TINTYPE_S3_ENCRYPTION_KEY"] = key;
  ASSERT_TRUE(Resolve().ok()) << ErrorMessage();
  EXPECT_EQ(Resolve()->blobs.s3->encryption.own_key->bytes(), "0123456789abcdef0123456789abcdef");
  flags_["s3-endpoint"] = "http://storage.example";
  EXPECT_THAT(ErrorMessage(), HasSubstr("use https://"));
  flags_["s3-endpoint"] = "http://127.0.0.1:9000";
  EXPECT_TRUE(Resolve().ok());
  for (const char* bad : {"too short", "MDEy", "****"}) {
    variables_["TINTYPE_S3_ENCRYPTION_KEY"] = bad;
    EXPECT_THAT(ErrorMessage(), HasSubstr("32 bytes in base64")) << bad;
  }
  // For what was written with it before.
  variables_["TINTYPE_S3_ENCRYPTION_KEY"] = key;
  flags_["s3-encryption"] = "sse-s3";
  EXPECT_TRUE(Resolve()->blobs.s3->encryption.own_key.has_value());
}

// Proves the order of precedence, taking one layer away after the other.
TEST_F(ConfigTest, FlagWinsOverVariableOverFile) {
  flags_["region"] = "from-flag";
  variables_["TINTYPE_REGION"] = "from-variable";
  SetFile("region = 'from-file'\n");
  EXPECT_EQ(Resolve()->region, "from-flag");
  flags_.clear();
  EXPECT_EQ(Resolve()->region, "from-variable");
  variables_.erase("TINTYPE_REGION");
  EXPECT_EQ(Resolve()->region, "from-file");
}

/// What a setting is given in the file, the others that it cannot be without, and how it is seen.
struct InTheFile {
  std::string value;
  std::function<bool(const ServeConfig& config)> reached;
  std::string others = {};
};
using C = const ServeConfig&;

/// For a setting whose row says what it takes: a value that is not its default.
class SampleOf {
 public:
  explicit SampleOf(const Setting& setting) : setting_(setting) {}

  InTheFile operator()(const TextField& to) const {
    return {"'some text'", [to](C c) { return c.*to.field == "some text"; }};
  }
  InTheFile operator()(const NumberField& to) const {
    const uint64_t number = Other(to.max, to.min);
    return {StrCat(number), [=](C c) { return c.*to.field == number * to.unit; }};
  }
  InTheFile operator()(const MegabytesField& to) const {
    const uint64_t number = Other(to.min + 1, to.min + 2);
    return {StrCat(number), [=](C c) { return c.*to.field == number << 20; }};
  }
  InTheFile operator()(const TimeoutField& to) const {
    return {"'0.25'", [to](C c) { return c.*to.field == std::chrono::milliseconds(250); }};
  }
  InTheFile operator()(const WholeSecondsField& to) const {
    return {"61", [to](C c) { return c.*to.field == std::chrono::seconds(61); }};
  }
  InTheFile operator()(const ChoiceField& to) const {
    const std::string_view hint = setting_.value_hint;
    const std::string_view first = hint.substr(0, hint.find('|'));
    const std::string word(setting_.fallback == first ? hint.substr(first.size() + 1) : first);
    return {StrCat("'", word, "'"), [=](C c) { return c.*to.field == (word == to.truth); }};
  }
  InTheFile operator()(const AddressField& to) const {
    return {"'localhost:2'", [to](C c) { return (c.*to.field).text() == "127.0.0.1:2"; }};
  }
  InTheFile operator()(const ParsedField& /*field*/) const { return {}; }
  InTheFile operator()(const CombinedField& /*field*/) const { return {}; }

 private:
  uint64_t Other(uint64_t number, uint64_t otherwise) const {
    return setting_.fallback == StrCat(number) ? otherwise : number;
  }

  const Setting& setting_;
};

constexpr const char* kOnS3 = "blobs = 's3://tintype'\ns3-access-key-id = 'AKIAEXAMPLE'\n";

/// For the others, and those that need companions.
const std::map<std::string_view, InTheFile> kSamples = {
    {"data-dir", {"'/srv/tintype'", [](C c) { return c.data_dir == "/srv/tintype"; }}},
    {"tables",
     {"'http://10.0.0.5:8000'",
      [](C c) {
        return c.remote_tables && c.remote_tables->url == "http://10.0.0.5:8000" &&
               c.remote_tables->key.access_key_id == "AKIAEXAMPLE";
      }}},
    {"public-url",
     {"'https://p.example/'", [](C c) { return c.public_url == "https://p.example"; }}},
    {"blobs",
     {"'s3://tintype'",
      [](C c) {
        return c.blobs.s3 && c.blobs.buckets.images == "tintype-images" &&
               c.blobs.s3->secret_access_key == "s3cret";
      },
      "s3-access-key-id = 'AKIAEXAMPLE'\n"}},
    {"uploads-bucket",
     {"'arrivals'", [](C c) { return !c.blobs.s3 && c.blobs.buckets.uploads == "arrivals"; }}},
    {"images-bucket",
     {"'pictures'", [](C c) { return c.blobs.s3 && c.blobs.buckets.images == "pictures"; }, kOnS3}},
    {"s3-endpoint",
     {"'http://127.0.0.1:7480'",
      [](C c) { return c.blobs.s3 && c.blobs.s3->endpoint == "http://127.0.0.1:7480"; }, kOnS3}},
    {"s3-region",
     {"'eu-central-1'", [](C c) { return c.blobs.s3 && c.blobs.s3->region == "eu-central-1"; },
      kOnS3}},
    {"s3-access-key-id",
     {"'AKIAOTHER'", [](C c) { return c.blobs.s3 && c.blobs.s3->access_key_id == "AKIAOTHER"; },
      "blobs = 's3://tintype'\n"}},
    {"s3-delivery", {"'proxy'", [](C c) { return c.blobs.s3 && !c.blobs.s3->redirect; }, kOnS3}},
    {"s3-encryption",
     {"'sse-kms:alias/photos'",
      [](C c) { return c.blobs.s3 && c.blobs.s3->encryption.managed_key == "alias/photos"; },
      kOnS3}},
    {"master-key-file", {"'k'", [](C c) { return c.master_key.file == "k"; }}},
    {"master-key-file-mode", {"'any'", [](C c) { return !c.master_key.private_file; }}},
    {"master-key-command", {"'cat k'", [](C c) { return c.master_key.command == "cat k"; }}},
    {"oidc-issuer",
     {"'https://id.example'", [](C c) { return c.oidc_issuer == "https://id.example"; },
      "oidc-client-id = 'tintype'\n"}},
    {"oidc-client-id",
     {"'tintype'", [](C c) { return c.oidc_client_id == "tintype"; },
      "oidc-issuer = 'https://id.example'\n"}},
    {"oidc-scopes", {"'email openid'", [](C c) { return c.oidc_scopes == "email openid"; }}},
    {"oidc-sign-up", {"'open'", [](C c) { return c.oidc_sign_up == "open"; }}},
    {"oidc-administrator-role",
     {"'admins'", [](C c) { return c.oidc_administrator_role == "admins"; },
      "oidc-roles-claim = 'groups'\n"}},
    {"darkroom-sandbox", {"'off'", [](C c) { return c.darkroom_sandbox == "off"; }}},
    {"sign-up", {"'closed'", [](C c) { return c.sign_up == "closed"; }}},
    {"stack", {"'lego'", [](C c) { return c.stack == "lego"; }}},
    {"environment", {"'prod'", [](C c) { return c.environment == "prod"; }}},
    {"region", {"'eu-central-1'", [](C c) { return c.region == "eu-central-1"; }}},
    {"core-dumps", {"'on'", [](C c) { return c.core_dumps; }}},
    {"blob-encryption", {"'on'", [](C c) { return c.blob_encryption == true; }}},
    {"log-level", {"'warning'", [](C c) { return c.log_level == LogLevel::kWarning; }}},
    {"trusted-proxies",
     {"'127.0.0.1, 2001:db8::/32'",
      [](C c) {
        return c.trusted_proxies.size() == 2 && c.trusted_proxies[0].text() == "127.0.0.1/32" &&
               c.trusted_proxies[1].text() == "2001:db8::/32";
      }}},
    {"proxy-header", {"'forwarded'", [](C c) { return c.proxy_header == "forwarded"; }}},
    {"allowed-hosts",
     {"'nas, *.example.org'",
      [](C c) {
        return c.allowed_hosts == std::vector<std::string>{"nas", "*.example.org"};
      }}},
    {"metrics-token-file", {"'FILE'", [](C c) { return c.metrics_token == "0123456789abcdef"; }}},
    {"tls-certificate", {"'a'", [](C c) { return c.tls_certificate == "a"; }, "tls-key = 'b'\n"}},
    {"tls-key", {"'a'", [](C c) { return c.tls_key == "a"; }, "tls-certificate = 'b'\n"}},
};

// Proves that every setting reaches its field from the file, numbers included.
TEST_F(ConfigTest, EverySettingCanStandInTheFile) {
  variables_["TINTYPE_S3_SECRET_ACCESS_KEY"] = "s3cret";
  variables_["AWS_ACCESS_KEY_ID"] = "AKIAEXAMPLE";
  variables_["AWS_SECRET_ACCESS_KEY"] = "s3cret";
  const std::string secret_file = Write("token", "0123456789abcdef\n");
  std::filesystem::permissions(secret_file, std::filesystem::perms(0600));
  const auto defaults = Resolve();
  ASSERT_TRUE(defaults.ok());
  for (const Setting& setting : ServeSettings()) {
    SCOPED_TRACE(setting.name);
    const auto sample = kSamples.find(setting.name);
    const InTheFile each =
        sample != kSamples.end() ? sample->second : std::visit(SampleOf(setting), setting.field);
    ASSERT_TRUE(each.reached) << "it needs a sample above";
    const std::string value =
        each.value == "'FILE'" ? StrCat("'", secret_file, "'") : std::string(each.value);
    SetFile(StrCat(each.others, setting.name, " = ", value, "\n"));
    const auto config = Resolve();
    ASSERT_TRUE(config.ok()) << config.error().message();
    EXPECT_FALSE(each.reached(*defaults));
    EXPECT_TRUE(each.reached(*config));
  }
}

// Proves that mistakes in the file are reported with the key and the line they stand on.
TEST_F(ConfigTest, MistakesInTheFileNameKeyAndLine) {
  SetFile("region = 'a'\ncolour = 'red'\n");
  EXPECT_THAT(ErrorMessage(), HasSubstr("t.toml:2: there is no setting 'colour'"));
  SetFile("cache-mb = 1.5\n");
  EXPECT_THAT(ErrorMessage(), HasSubstr("t.toml:1: the value of 'cache-mb' must be"));
  SetFile("region = 'a'\n\nregion ! 3\n");
  EXPECT_THAT(ErrorMessage(), HasSubstr("t.toml:3:"));
  SetFile("auth = 'maybe'\n");
  EXPECT_THAT(ErrorMessage(), HasSubstr("t.toml, auth: 'maybe' is not valid"));
  SetFile("region = true\n");
  EXPECT_THAT(ErrorMessage(), HasSubstr("t.toml:1: the value of 'region' must be"));
}

// Proves that a setting of two words lists them in the order of the help, also to those who wrote
// TOML's own false.
TEST_F(ConfigTest, ChoicesAreListed) {
  SetFile("auth = false\n");
  EXPECT_THAT(ErrorMessage(),
              HasSubstr("t.toml, auth: 'false' is not valid; expected 'on' or 'off'"));
  flags_ = {{"auth", "on"}, {"durability", "none"}};
  EXPECT_THAT(ErrorMessage(), HasSubstr("expected 'full' or 'relaxed'"));
}

// Proves that commands on tables get their settings from every layer, and that the ones they have
// no use for cannot be in their way.
TEST_F(ConfigTest, TableCommandsLookOnlyAtTheirOwnSettings) {
  SetFile("data-dir = 'from-file'\nauth = false\n");
  variables_["TINTYPE_AUTH"] = "maybe";
  variables_["TINTYPE_ROOT_ACCESS_KEY_ID"] = "AKIAALONE";
  flags_["region"] = "eu-west-1";
  const auto config = ResolveTablesConfig(flags_, Variables());
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->data_dir, "from-file");
  EXPECT_EQ(config->region, "eu-west-1");
  flags_["region"] = "EU";
  EXPECT_EQ(ResolveTablesConfig(flags_, Variables()).error().kind(), ErrorKind::kValidation);
}

// Proves that commands on photos get what makes a photo what it is from where the server does, and
// are not kept by what only a server cares about.
TEST_F(ConfigTest, PhotoCommandsHaveTheSettingsOfTheGallery) {
  SetFile("upload-mb = 7\nrendition-quality = 60\nhttp-address = \"[::1]:81\"");
  variables_["TINTYPE_UPLOAD_KEPT"] = "60";
  variables_["TINTYPE_CONNECTIONS_MAX"] = "nonsense";
  auto config = ResolvePhotosConfig(flags_, Variables());
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->upload_bytes_max, uint64_t{7} << 20);
  EXPECT_EQ(config->rendition_quality, 60U);
  EXPECT_EQ(config->upload_kept, std::chrono::seconds(60));
  EXPECT_EQ(PublicUrlOf(*config, 81), "http://[::1]:81");
  config->tls_certificate = "c";
  EXPECT_EQ(PublicUrlOf(*config, 82), "https://[::1]:82");
  config->public_url = "https://photos.example.com";
  EXPECT_EQ(PublicUrlOf(*config, 82), "https://photos.example.com");
}

// Proves that the address to open is one that a browser can go to, whatever the server listens on.
TEST_F(ConfigTest, PageHasAnAddressToOpen) {
  const std::pair<const char*, const char*> cases[] = {{"127.0.0.1:0", "http://127.0.0.1:81/"},
                                                       {"10.1.2.3:80", "http://10.1.2.3:81/"},
                                                       {"0.0.0.0:80", "http://127.0.0.1:81/"},
                                                       {"[::]:80", "http://[::1]:81/"},
                                                       {"[fd00::7]:80", "http://[fd00::7]:81/"}};
  for (const auto& [address, url] : cases) {
    flags_["http-address"] = address;
    EXPECT_EQ(PageUrlOf(Resolve().value(), 81), url);
  }
  flags_["tls-certificate"] = "c";
  flags_["tls-key"] = "k";
  EXPECT_EQ(PageUrlOf(Resolve().value(), 81), "https://[fd00::7]:81/");
  flags_["public-url"] = "https://photos.example.com/";
  EXPECT_EQ(PageUrlOf(Resolve().value(), 81), "https://photos.example.com/");
}

// Proves that a file the user named must exist.
TEST_F(ConfigTest, NamedFileMustExist) {
  flags_["config"] = folder_.path() + "/none.toml";
  const auto config = Resolve();
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error().kind(), ErrorKind::kNotFound);
  EXPECT_THAT(config.error().message(), HasSubstr("none.toml"));
}

struct BadValue {
  const char* setting;
  const char* value;
};

// Proves that each bad value is refused, with the flag's name and the value in the message.
TEST_F(ConfigTest, BadValuesAreRefused) {
  constexpr BadValue kBad[] = {
      {"data-dir", ""},
      {"http-address", "8080"},
      {"http-address", ":8080"},
      {"http-address", "::1:8080"},
      {"http-address", "localhost.example.org:1"},
      {"http-address", "[127.0.0.1]:1"},
      {"dynamodb-address", "127.0.0.1:65536"},
      {"dynamodb-address", "127.0.0.1:-1"},
      {"metrics-address", "127.0.0.1:"},
      {"metrics-address", "[]:1"},
      {"auth", "ON"},
      {"durability", "none"},
      {"region", "US East"},
      {"region", ""},
      {"log-level", "loud"},
      {"rendition-quality", "0"},
      {"rendition-quality", "101"},
      {"rendition-effort", "7"},
      {"cache-mb", "0"},
      {"cache-mb", "12x"},
      {"cache-mb", "99999999999"},
      {"min-free-mb", "-1"},
      {"ballast-mb", "a lot"},
      {"header-timeout", "0"},
      {"body-timeout", "-1"},
      {"idle-timeout", "1m"},
      {"write-timeout", "nan"},
      {"connections-max", "0"},
      {"unread-answers-mb", "0"},
      {"trusted-proxies", "10.0.0.1/8"},
      {"trusted-proxies", "10.0.0.1,"},
      {"trusted-proxies", ",10.0.0.1"},
      {"trusted-proxies", "10.0.0.1,,10.0.0.2"},
      {"trusted-proxies", "proxy.example.org"},
      {"trusted-proxies", "all"},
      {"proxy-header", "X-Real-IP"},
      {"proxy-header", ""},
      {"allowed-hosts", "photos.lan:8080"},
      {"allowed-hosts", "http://photos.lan"},
      {"allowed-hosts", "photos*.lan"},
      {"allowed-hosts", "*."},
      {"allowed-hosts", "nas,"},
      {"oidc-scopes", "email profile"},
      {"hsts", "1y"},
      {"connections-per-client", "-1"},
  };
  for (const BadValue& bad : kBad) {
    flags_ = {{bad.setting, bad.value}};
    EXPECT_THAT(ErrorMessage(),
                HasSubstr(std::string("--") + bad.setting + ": '" + bad.value + "' is not valid"));
  }
}

// Proves that signatures can only be turned off where no other machine can connect.
TEST_F(ConfigTest, AuthOffNeedsLoopback) {
  flags_["auth"] = "off";
  for (const char* address : {"127.0.0.1:0", "127.9.9.9:1", "[::1]:1", "localhost:1"}) {
    flags_["dynamodb-address"] = address;
    EXPECT_TRUE(Resolve().ok()) << address;
  }
  for (const char* address : {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "[::ffff:10.0.0.1]:1"}) {
    flags_["dynamodb-address"] = address;
    EXPECT_THAT(ErrorMessage(), HasSubstr("loopback")) << address;
  }
}

// Proves that metrics are open to this machine alone, and to others with a token that nobody
// guesses.
TEST_F(ConfigTest, MetricsForOthersNeedAToken) {
  EXPECT_EQ(Resolve()->metrics_token, "");
  for (const char* address : {"0.0.0.0:9464", "[::]:9464", "10.0.0.1:9464"}) {
    flags_["metrics-address"] = address;
    EXPECT_THAT(ErrorMessage(), HasSubstr("--metrics-token-file")) << address;
    EXPECT_THAT(ErrorMessage(), HasSubstr(address));
  }
  flags_["metrics-token-file"] = Write("token", "0123456789abcdef\n");
  std::filesystem::permissions(flags_["metrics-token-file"], std::filesystem::perms(0600));
  EXPECT_EQ(Resolve()->metrics_token, "0123456789abcdef");
  variables_["TINTYPE_METRICS_TOKEN"] = "fedcba9876543210";
  EXPECT_THAT(ErrorMessage(), HasSubstr("set only one"));
  flags_.erase("metrics-token-file");
  EXPECT_EQ(Resolve()->metrics_token, "fedcba9876543210");
  for (const char* bad : {"too short", "0123456789 abcdef", "\xC3\xA4 0123456789abcdef"}) {
    variables_["TINTYPE_METRICS_TOKEN"] = bad;
    EXPECT_THAT(ErrorMessage(), HasSubstr("16 characters or more")) << bad;
  }
  variables_.erase("TINTYPE_METRICS_TOKEN");
  variables_["TINTYPE_METRICS_TOKEN_FILE"] = folder_.path() + "/none";
  EXPECT_THAT(ErrorMessage(), HasSubstr("Cannot open"));
}

// Proves both ways to give a secret, that a trailing newline is dropped, and that they exclude
// each other.
TEST_F(ConfigTest, SecretsComeFromVariablesOrFiles) {
  variables_["TINTYPE_ROOT_ACCESS_KEY_ID"] = "AKIAEXAMPLE";
  EXPECT_THAT(ErrorMessage(), HasSubstr("go together"));
  const std::string file = Write("secret", "s3cret\n");
  variables_["TINTYPE_ROOT_SECRET_ACCESS_KEY_FILE"] = file;
  // Everybody could have read it.
  EXPECT_THAT(ErrorMessage(), HasSubstr("'chmod o= " + file + "'"));
  std::filesystem::permissions(file, std::filesystem::perms(0640));
  auto config = Resolve();
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->root_access_key_id, "AKIAEXAMPLE");
  EXPECT_EQ(config->root_secret_access_key, "s3cret");

  variables_["TINTYPE_ROOT_SECRET_ACCESS_KEY"] = "other";
  EXPECT_THAT(ErrorMessage(), HasSubstr("set only one"));
  variables_.erase("TINTYPE_ROOT_SECRET_ACCESS_KEY");
  variables_["TINTYPE_ROOT_SECRET_ACCESS_KEY_FILE"] = folder_.path() + "/none";
  EXPECT_THAT(ErrorMessage(), HasSubstr("TINTYPE_ROOT_SECRET_ACCESS_KEY_FILE: Cannot open"));
}

// Proves that the master key has one source, wherever that is set, and none by default.
TEST_F(ConfigTest, TheMasterKeyComesFromOnePlace) {
  EXPECT_TRUE(Resolve()->encryption);
  EXPECT_TRUE(Resolve()->master_key.IsDefault());
  EXPECT_TRUE(Resolve()->master_key.private_file);

  variables_["TINTYPE_MASTER_KEY_FILE"] = "by-variable";
  EXPECT_EQ(Resolve()->master_key.file, "by-variable");
  flags_["master-key-file"] = "by-flag";
  flags_["master-key-file-mode"] = "any";
  EXPECT_EQ(Resolve()->master_key.file, "by-flag");
  EXPECT_FALSE(Resolve()->master_key.private_file);
  variables_["TINTYPE_MASTER_KEY"] = "00";
  EXPECT_THAT(ErrorMessage(), HasSubstr("comes from one place"));
  flags_.clear();
  variables_.erase("TINTYPE_MASTER_KEY_FILE");
  EXPECT_EQ(Resolve()->master_key.value, "00");
  EXPECT_EQ(ResolveMasterKeyConfig(flags_, Variables())->source.value, "00");
  flags_["encryption"] = "off";
  EXPECT_THAT(ErrorMessage(), HasSubstr("contradict"));
  variables_.erase("TINTYPE_MASTER_KEY");
  EXPECT_FALSE(Resolve()->encryption);
}

}  // namespace
}  // namespace tintype::cli
