#include "cli/risks.h"

#include <unistd.h>

#include <algorithm>

#include "base/logging.h"
#include "crypto/secret_key.h"

namespace tintype::cli {
namespace {

/// What others can see or do of what goes over the network, and what the process itself could do.
void WarnOfSurroundings(const ServeConfig& config) {
  const bool plain = config.tls_certificate.empty();
  // A proxy that is named ends TLS before it comes here.
  if (plain && !config.http_address.IsLoopback() && config.trusted_proxies.empty()) {
    LogWarning(
        "passwords, sessions and photos cross the network unencrypted: anyone on the way can "
        "read and use them",
        {{"listener", "http"},
         {"address", config.http_address.text()},
         {"then", "--tls-certificate and --tls-key, or a proxy and --trusted-proxies"}});
  }
  if (plain && !config.remote_tables && !config.dynamodb_address.IsLoopback()) {
    LogWarning("items of the tables cross the network unencrypted",
               {{"listener", "dynamodb"},
                {"address", config.dynamodb_address.text()},
                {"then", "--tls-certificate and --tls-key"}});
  }
  if (!config.metrics_address.IsLoopback()) {
    LogWarning("metrics and their token cross the network unencrypted",
               {{"listener", "metrics"}, {"address", config.metrics_address.text()}});
  }
  if (std::ranges::find(config.allowed_hosts, "*") != config.allowed_hosts.end()) {
    LogWarning("any web page can have a browser take this server for its own",
               {{"setting", "--allowed-hosts *"}});
  }
  if (::geteuid() == 0) {
    LogWarning(
        "the server runs as root: a fault in it would be one of the whole machine. Run it as a "
        "user of its own, who owns the data directory",
        {{"user", "root"}});
  }
}

}  // namespace

void WarnOfRisks(const ServeConfig& config, const DataDirectory& directory) {
  WarnOfSurroundings(config);
  if (config.remote_tables) {
    return;  // They are the other server's.
  }
  if (!config.encryption) {
    LogWarning("anyone with the disk, a copy or a backup can read the tables",
               {{"setting", "--encryption off"}});
  } else if (config.master_key.IsDefault()) {
    LogWarning(
        "the master key lies beside the data: a copied directory is protected once it is moved",
        {{"file", directory.master_key()}, {"then", "--master-key-file"}});
  }
  if (config.encryption && crypto::KeyMemoryOfProcess() == crypto::KeyMemory::kSwappable) {
    LogWarning("keys may be written to swap: the server may not lock memory",
               {{"then", "a limit of locked memory of 2 MB or more (ulimit -l, LimitMEMLOCK=)"}});
  }
  if (!config.auth) {
    LogWarning("requests are not authenticated", {{"setting", "--auth off"}});
  }
  if (config.relaxed_durability) {
    LogWarning("a crash of the machine can lose the last answered writes",
               {{"setting", "--durability relaxed"}});
  }
}

}  // namespace tintype::cli
