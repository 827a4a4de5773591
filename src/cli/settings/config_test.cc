#include "cli/settings/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"

namespace tintype::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

class ConfigTest : public ::testing::Test {
 protected:
  // Always names a file, so that a tintype.toml where the test happens to run plays no part.
  ConfigTest() { SetFile(""); }

  std::string Write(const std::string& name, const std::string& text) {
    std::string path = folder_.path() + "/" + name;
    std::ofstream(path) << text;
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
  EXPECT_FALSE(config->darkroom_sandbox_required);
  EXPECT_EQ(config->photo_pixels_max, 200'000'000U);
  EXPECT_FALSE(config->root_access_key_id.has_value());
  EXPECT_FALSE(config->blobs.s3.has_value());
  EXPECT_EQ(config->s3_timeout, std::chrono::seconds(25));
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
               {"s3-delivery", "pigeon", "--s3-delivery is 'redirect' or 'proxy'"}};
  for (const auto& [name, value, message] : cases) {
    flags_ = good;
    flags_[name] = value;
    EXPECT_THAT(ErrorMessage(), HasSubstr(message));
  }
  flags_ = good;
  variables_.erase("TINTYPE_S3_SECRET_ACCESS_KEY");
  EXPECT_THAT(ErrorMessage(), HasSubstr("TINTYPE_S3_SECRET_ACCESS_KEY_FILE"));
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

/// A setting in the file, the others that it cannot be without, and how it is seen.
struct InTheFile {
  std::string_view name;
  std::string_view value;
  bool (*reached)(const ServeConfig& config);
  std::string_view others = "";
};

constexpr std::string_view kOnS3 = "blobs = 's3://tintype'\ns3-access-key-id = 'AKIAEXAMPLE'\n";
constexpr uint64_t kMegabyte = uint64_t{1} << 20;
using C = const ServeConfig&;

constexpr InTheFile kEverySetting[] = {
    {"data-dir", "'/srv/tintype'", [](C c) { return c.data_dir == "/srv/tintype"; }},
    {"tables", "'http://10.0.0.5:8000'",
     [](C c) {
       return c.remote_tables && c.remote_tables->url == "http://10.0.0.5:8000" &&
              c.remote_tables->key.access_key_id == "AKIAEXAMPLE";
     }},
    {"http-address", "'[::1]:1'", [](C c) { return c.http_address.text() == "[::1]:1"; }},
    {"dynamodb-address", "'localhost:2'",
     [](C c) { return c.dynamodb_address.text() == "127.0.0.1:2"; }},
    {"metrics-address", "'0.0.0.0:3'", [](C c) { return c.metrics_address.text() == "0.0.0.0:3"; }},
    {"gallery", "'off'", [](C c) { return !c.gallery; }},
    {"public-url", "'https://p.example/'", [](C c) { return c.public_url == "https://p.example"; }},
    {"sign-up", "'closed'", [](C c) { return !c.open_sign_up; }},
    {"upload-limit", "6", [](C c) { return c.upload_limit == 6; }},
    {"upload-mb", "7", [](C c) { return c.upload_bytes_max == 7 * kMegabyte; }},
    {"upload-kept", "60", [](C c) { return c.upload_kept == std::chrono::seconds(60); }},
    {"uploads-in-progress", "3", [](C c) { return c.uploads_in_progress == 3; }},
    {"uploads-per-minute", "4", [](C c) { return c.uploads_per_minute == 4; }},
    {"upload-rate-min", "0", [](C c) { return c.upload_rate_min == 0; }},
    {"workers", "5", [](C c) { return c.workers == 5; }},
    {"rendition-quality", "71", [](C c) { return c.rendition_quality == 71; }},
    {"rendition-effort", "6", [](C c) { return c.rendition_effort == 6; }},
    {"resize-cache-mb", "0", [](C c) { return c.resize_cache_bytes_max == 0; }},
    {"darkroom", "'/opt/helper'", [](C c) { return c.darkroom == "/opt/helper"; }},
    {"darkroom-sandbox", "'required'", [](C c) { return c.darkroom_sandbox_required; }},
    {"photo-megapixels", "30", [](C c) { return c.photo_pixels_max == 30'000'000; }},
    {"photo-pages", "4", [](C c) { return c.photo_pages_max == 4; }},
    {"photo-memory-mb", "1024", [](C c) { return c.photo_memory_bytes == 1024 * kMegabyte; }},
    {"photo-seconds", "11", [](C c) { return c.photo_cpu_seconds == 11; }},
    {"blobs", "'s3://tintype'",
     [](C c) {
       return c.blobs.s3 && c.blobs.s3->images_bucket == "tintype-images" &&
              c.blobs.s3->secret_access_key == "s3cret";
     },
     "s3-access-key-id = 'AKIAEXAMPLE'\n"},
    {"uploads-bucket", "'arrivals'",
     [](C c) { return c.blobs.s3 && c.blobs.s3->uploads_bucket == "arrivals"; }, kOnS3},
    {"images-bucket", "'pictures'",
     [](C c) { return c.blobs.s3 && c.blobs.s3->images_bucket == "pictures"; }, kOnS3},
    {"s3-endpoint", "'http://127.0.0.1:7480'",
     [](C c) { return c.blobs.s3 && c.blobs.s3->endpoint == "http://127.0.0.1:7480"; }, kOnS3},
    {"s3-region", "'eu-central-1'",
     [](C c) { return c.blobs.s3 && c.blobs.s3->region == "eu-central-1"; }, kOnS3},
    {"s3-access-key-id", "'AKIAOTHER'",
     [](C c) { return c.blobs.s3 && c.blobs.s3->access_key_id == "AKIAOTHER"; },
     "blobs = 's3://tintype'\n"},
    {"s3-delivery", "'proxy'", [](C c) { return c.blobs.s3 && !c.blobs.s3->redirect; }, kOnS3},
    {"s3-timeout", "7", [](C c) { return c.s3_timeout == std::chrono::seconds(7); }},
    {"auth", "'off'", [](C c) { return !c.auth; }},
    {"durability", "'relaxed'", [](C c) { return c.relaxed_durability; }},
    {"encryption", "'off'", [](C c) { return !c.encryption; }},
    {"master-key-file", "'k'", [](C c) { return c.master_key.file == "k"; }},
    {"master-key-file-mode", "'any'", [](C c) { return !c.master_key.private_file; }},
    {"master-key-command", "'cat k'", [](C c) { return c.master_key.command == "cat k"; }},
    {"export-dir", "'/srv/exports'", [](C c) { return c.export_dir == "/srv/exports"; }},
    {"region", "'eu-central-1'", [](C c) { return c.region == "eu-central-1"; }},
    {"log-level", "'warning'", [](C c) { return c.log_level == LogLevel::kWarning; }},
    {"cache-mb", "7", [](C c) { return c.cache_bytes == 7 * kMegabyte; }},
    {"min-free-mb", "0", [](C c) { return c.min_free_bytes == 0; }},
    {"ballast-mb", "1", [](C c) { return c.ballast_bytes == kMegabyte; }},
    {"photo-reserve-mb", "2", [](C c) { return c.photo_reserve_bytes == 2 * kMegabyte; }},
    {"tls-certificate", "'server.pem'", [](C c) { return c.tls_certificate == "server.pem"; },
     "tls-key = 'server.key'\n"},
    {"tls-key", "'server.key'", [](C c) { return c.tls_key == "server.key"; },
     "tls-certificate = 'server.pem'\n"},
    {"header-timeout", "1", [](C c) { return c.header_timeout == std::chrono::seconds(1); }},
    {"body-timeout", "2", [](C c) { return c.body_timeout == std::chrono::seconds(2); }},
    {"idle-timeout", "'0.25'",
     [](C c) { return c.idle_timeout == std::chrono::milliseconds(250); }},
    {"write-timeout", "86400", [](C c) { return c.write_timeout == std::chrono::hours(24); }},
    {"connections-max", "9", [](C c) { return c.connections_max == 9; }},
    {"unread-answers-mb", "8", [](C c) { return c.unread_answer_bytes_max == 8 * kMegabyte; }},
};

// Proves that every setting reaches its field from the file, numbers included, and that the table
// above has every setting.
TEST_F(ConfigTest, EverySettingCanStandInTheFile) {
  variables_["TINTYPE_S3_SECRET_ACCESS_KEY"] = "s3cret";
  variables_["AWS_ACCESS_KEY_ID"] = "AKIAEXAMPLE";
  variables_["AWS_SECRET_ACCESS_KEY"] = "s3cret";
  const auto defaults = Resolve();
  ASSERT_TRUE(defaults.ok());
  std::vector<std::string_view> tested;
  for (const InTheFile& each : kEverySetting) {
    SCOPED_TRACE(each.name);
    SetFile(StrCat(each.others, each.name, " = ", each.value, "\n"));
    const auto config = Resolve();
    ASSERT_TRUE(config.ok()) << config.error().message();
    EXPECT_FALSE(each.reached(*defaults));
    EXPECT_TRUE(each.reached(*config));
    tested.push_back(each.name);
  }
  std::vector<std::string_view> settings;
  for (const Setting& setting : ServeSettings()) {
    settings.push_back(setting.name);
  }
  EXPECT_THAT(tested, UnorderedElementsAreArray(settings));
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

// Proves that `tintype keys` gets its two settings from every layer, and that the ones it has no
// use for cannot be in its way.
TEST_F(ConfigTest, KeysLookOnlyAtTheirOwnSettings) {
  SetFile("data-dir = 'from-file'\nauth = false\ncache-mb = 0\n");
  variables_["TINTYPE_AUTH"] = "maybe";
  variables_["TINTYPE_ROOT_ACCESS_KEY_ID"] = "AKIAALONE";
  flags_["region"] = "eu-west-1";
  const auto config = ResolveKeysConfig(flags_, Variables());
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->data_dir, "from-file");
  EXPECT_EQ(config->region, "eu-west-1");
  flags_["region"] = "EU";
  EXPECT_EQ(ResolveKeysConfig(flags_, Variables()).error().kind(), ErrorKind::kValidation);
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

// Proves both ways to give a secret, that a trailing newline is dropped, and that they exclude
// each other.
TEST_F(ConfigTest, SecretsComeFromVariablesOrFiles) {
  variables_["TINTYPE_ROOT_ACCESS_KEY_ID"] = "AKIAEXAMPLE";
  EXPECT_THAT(ErrorMessage(), HasSubstr("go together"));
  variables_["TINTYPE_ROOT_SECRET_ACCESS_KEY_FILE"] = Write("secret", "s3cret\n");
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
