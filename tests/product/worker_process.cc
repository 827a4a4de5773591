// A worker in a process of its own: takes work from the backlog of a server that it reaches over
// HTTP, until its standard input ends, and then tells what it did. Arguments: the server's address,
// the folder of the blobs, the darkroom's helper.

#include <unistd.h>

#include <cstdio>

#include "base/logging.h"
#include "base/strings.h"
#include "pipeline/steps.h"
#include "product_fixture.h"
#include "tables/remote/remote_database.h"

int main(int argc, char** argv) {
  using namespace tintype;
  CHECK(argc == 4);
  SetLogLevel(LogLevel::kError);
  tables::remote::RemoteConfig remote;
  remote.endpoint = argv[1];
  remote.credentials = {"AKIAWORKER", "secret", std::nullopt};
  const auto database = tables::remote::RemoteDatabase::Open(remote, SystemClock()).value();
  const flows::ProductConfig config;
  const auto blobs =
      blobs::FileBlobStore::OpenRoot({argv[2], {config.uploads_bucket, config.images_bucket}})
          .value();
  UlidGenerator ids(SystemClock());
  const auto spool = blobs::Spool::OpenFolder({.root = StrCat(argv[2], "-spool")}).value();
  const blobs::DiskRoom room(argv[2], {});
  product::Wiring wiring(config, *database, *blobs, *spool, room, SystemClock(), ids);
  darkroom::Config helper;
  // quick_helper.cc enters none, and programs with a sanitizer have none.
  helper.sandbox = darkroom::SandboxUse::kPreferred;
  helper.helper_path = argv[3];
  helper.processes_max = 1;
  darkroom::Darkroom darkroom(helper);
  product::ForgottenFiles derived;
  const pipeline::Analyzers analyzers({});
  pipeline::WorkersConfig one;
  one.threads = 1;
  one.idle_wait = std::chrono::milliseconds(10);
  pipeline::Workers workers(
      one, wiring.product,
      pipeline::AllSteps(wiring.product, {darkroom, darkroom, darkroom}, derived, analyzers));
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  workers.Stop();
  const pipeline::WorkersStats stats = workers.stats();
  std::printf("completed %d, failed %d, dead %d, lost %d\n", static_cast<int>(stats.completed),
              static_cast<int>(stats.failed), static_cast<int>(stats.dead),
              static_cast<int>(stats.lost));
}
