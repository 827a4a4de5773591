#pragma once

#include <memory>
#include <string>

#include "access/audit/audit.h"
#include "base/result.h"
#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"
#include "cli/tables/tables.h"
#include "flows/product.h"
#include "http/server/message.h"
#include "metrics/registry.h"

namespace tintype::cli {

/// Whether the directory's secret is the one that the gallery in the tables was made with. Changes
/// nothing in the tables. Errors: kValidation, with what to do.
Status CheckSecret(const ServeConfig& config, const DataDirectory& directory, Tables& tables);

/// The photo product of one process: its contexts over the tables, blobs, the darkroom, workers and
/// the REST endpoint, wired together. Created by `tintype serve`. Thread-safe.
class Gallery {
 public:
  struct Parts;

  /// Creates or upgrades the product's tables, and begins to work on what is in the backlog.
  /// `public_url` is what links begin with. `health` answers the health checks; it, the tables,
  /// the registry and the audit outlive the gallery.
  static Result<std::unique_ptr<Gallery>> Start(const ServeConfig& config,
                                                const DataDirectory& directory,
                                                const std::string& public_url, Tables& tables,
                                                http::Handler& health, metrics::Registry& registry,
                                                access::audit::Audit& audit);
  ~Gallery();

  http::Handler& handler();
  flows::Product& product();
  /// The token that the first account needs; empty once there is one.
  std::string setup_token() const;

  /// Ends the work in progress and joins all threads. Call when the listener has stopped.
  void Stop();

 private:
  explicit Gallery(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tintype::cli
