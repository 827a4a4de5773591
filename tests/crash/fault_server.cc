// A server whose disk or clock misbehaves: the real engine and endpoint on a FaultFileSystem, or
// with a clock of its own. Takes the flags that the tests give to `tintype serve`, and:
//   --seed N                what a power cut leaves behind; without it the disk is the system's,
//                           so that SIGKILL leaves what it leaves of a real server
//   --cut-at N              power is cut before the n-th operation on a file
//   --fail K:O:N            the n-th operation O (create, append, sync, rename, syncdir) on a file
//                           of kind K (log, table, manifest, other) fails
//   --durability relaxed    answers before the sync, which a test that works must notice
//   --clock S:F:N           the clock shows S when the system's shows F, and goes N times as fast;
//                           both in milliseconds since 1970. Anything due is looked for often
// The tables are encrypted under the key in TINTYPE_MASTER_KEY_FILE, 32 bytes as they are.
// SIGTERM cuts the power too. Ends with code 88 after a power cut, with 3 when the engine gave up,
// which is followed by a power cut as well.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/strings.h"
#include "crypto/secret_key.h"
#include "http/dynamodb/endpoint.h"
#include "http/server/server.h"
#include "tables/engine/rocks_database.h"
#include "tables/engine/testing/fault_file_system.h"

namespace tintype {
namespace {

using crypto::SecretKey;
using tables::engine::EngineConfig;
using tables::engine::FaultFileSystem;
using tables::engine::FileKind;
using tables::engine::FileOperation;
using tables::engine::RocksDatabase;

constexpr int kExitGaveUp = 3;
constexpr int kExitPowerCut = 88;

const std::map<std::string_view, FileKind> kKinds = {{"log", FileKind::kLog},
                                                     {"table", FileKind::kTable},
                                                     {"manifest", FileKind::kManifest},
                                                     {"other", FileKind::kOther}};
const std::map<std::string_view, FileOperation> kOperations = {
    {"create", FileOperation::kCreate},
    {"append", FileOperation::kAppend},
    {"sync", FileOperation::kSync},
    {"rename", FileOperation::kRename},
    {"syncdir", FileOperation::kSyncDirectory}};

struct Flags {
  std::string data_dir;
  std::optional<uint32_t> seed;
  uint64_t cut_at = 0;
  std::string fail;
  std::string clock;
  bool relaxed = false;
};

Flags ParseFlags(int argc, char** argv) {
  Flags flags;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--data-dir") {
      flags.data_dir = value;
    } else if (name == "--seed") {
      flags.seed = static_cast<uint32_t>(std::stoul(value));
    } else if (name == "--cut-at") {
      flags.cut_at = std::stoull(value);
    } else if (name == "--fail") {
      flags.fail = value;
    } else if (name == "--clock") {
      flags.clock = value;
    } else if (name == "--durability") {
      flags.relaxed = value == "relaxed";
    }
  }
  return flags;
}

SecretKey ReadMasterKey() {
  const char* path = std::getenv("TINTYPE_MASTER_KEY_FILE");
  CHECK(path != nullptr);
  std::ifstream stream(path, std::ios::binary);
  const auto key = SecretKey::FromBytes(std::string((std::istreambuf_iterator<char>(stream)), {}));
  CHECK(key.has_value());
  return *key;
}

// Ends the process, by a power cut if the disk is one that can show it.
[[noreturn]] void Cut(FaultFileSystem* disk, int code) {
  if (disk != nullptr) {
    disk->PowerCut();
  }
  std::_Exit(code);
}

// The part of `text` before the next colon, which is removed with it.
std::string_view TakePart(std::string_view& text) {
  const size_t colon = text.find(':');
  const std::string_view part = text.substr(0, colon);
  text.remove_prefix(colon == std::string_view::npos ? text.size() : colon + 1);
  return part;
}

void Misbehave(FaultFileSystem& disk, const Flags& flags) {
  if (!flags.fail.empty()) {
    std::string_view rest = flags.fail;
    const FileKind kind = kKinds.at(TakePart(rest));
    const std::string_view word = TakePart(rest);
    const FileOperation operation = kOperations.at(word);
    disk.Intercept(
        [kind, operation, word = std::string(word), left = std::stoull(std::string(rest))](
            FileKind of, FileOperation what, const std::string& name) mutable {
          if (of == kind && what == operation && left > 0 && --left == 0) {
            return FaultFileSystem::IOStatus::IOError(
                StrCat("While ", word, " of ", name, ": Input/output error"));
          }
          return FaultFileSystem::IOStatus::OK();
        });
  } else if (flags.cut_at > 0) {
    disk.Intercept(
        [&disk, left = flags.cut_at](FileKind, FileOperation, const std::string&) mutable {
          if (--left == 0) {
            Cut(&disk, kExitPowerCut);
          }
          return FaultFileSystem::IOStatus::OK();
        });
  }
}

// Runs from a given moment on, at its own pace. As both ends know the system's clock, a test can
// tell what it shows.
class TurnedClock : public Clock {
 public:
  TurnedClock(int64_t shows_ms, int64_t from_ms, int64_t pace)
      : shows_ms_(shows_ms), from_ms_(from_ms), pace_(pace) {}
  int64_t NowMs() const override { return shows_ms_ + (SystemClock().NowMs() - from_ms_) * pace_; }

 private:
  const int64_t shows_ms_;
  const int64_t from_ms_;
  const int64_t pace_;
};

std::unique_ptr<Clock> MakeClock(const Flags& flags) {
  std::string_view rest = flags.clock;
  const auto number = [&rest] { return std::stoll(std::string(TakePart(rest))); };
  const int64_t shows_ms = number();
  const int64_t from_ms = number();
  return std::make_unique<TurnedClock>(shows_ms, from_ms, number());
}

int Main(int argc, char** argv) {
  // Before any thread exists, so that all inherit it.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const Flags flags = ParseFlags(argc, argv);
  const std::string directory = flags.data_dir + "/tables";
  std::shared_ptr<FaultFileSystem> disk;
  if (flags.seed) {
    disk = std::make_shared<FaultFileSystem>(directory, *flags.seed);
    Misbehave(*disk, flags);
  }

  EngineConfig config;
  config.directory = directory;
  config.file_system = disk;
  config.master_key = ReadMasterKey();
  config.relaxed_durability = flags.relaxed;
  // Small, so that files are written out and merged all the time.
  config.write_buffer_bytes = size_t{64} << 10;
  config.on_failure = [&disk](const Error& error) {
    std::fprintf(stderr, "gave up: %s\n", error.note().c_str());
    Cut(disk.get(), kExitGaveUp);
  };
  std::unique_ptr<Clock> turned;
  if (!flags.clock.empty()) {
    turned = MakeClock(flags);
    config.housekeeping_interval = std::chrono::milliseconds(5);
  }
  auto database = RocksDatabase::Open(config, turned ? *turned : SystemClock());
  if (!database.ok()) {
    std::fprintf(stderr, "not opened: %s\n", database.error().message().c_str());
    Cut(disk.get(), kExitGaveUp);
  }
  metrics::Registry registry;
  http::dynamodb::RequestMetrics metrics(registry);
  http::dynamodb::DynamoDbEndpoint endpoint({**database, database->get(), database->get()}, {},
                                            metrics, SystemClock());
  http::ServerConfig server_config;
  server_config.address = "127.0.0.1";
  server_config.port = 0;
  const auto server = http::Server::Start(server_config, endpoint);
  CHECK(server.ok());
  std::printf("dynamodb 127.0.0.1:%d\nready\n", (*server)->port());
  std::fflush(stdout);

  int signal = 0;
  ::sigwait(&signals, &signal);
  Cut(disk.get(), kExitPowerCut);
}

}  // namespace
}  // namespace tintype

int main(int argc, char** argv) { return tintype::Main(argc, argv); }
