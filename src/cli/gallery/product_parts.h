#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/ulid.h"
#include "blobs/blob_store.h"
#include "blobs/disk_room.h"
#include "blobs/sealed/sealing_keys.h"
#include "blobs/spool.h"
#include "cli/gallery/membership.h"
#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"
#include "cli/tables/tables.h"
#include "flows/product.h"
#include "metrics/registry.h"
#include "views/sources.h"

namespace tintype::cli {

/// The contexts of the photo product over one data directory: what flows and views work on, without
/// anything that runs by itself. Thread-safe, as its parts are.
struct ProductParts {
  /// Creates the product's tables where they are missing, and upgrades older ones
  /// (flows/upkeep/upgrade.h). The tables and the registry outlive it. Errors: those of
  /// JoinGallery; kValidation when the tables are newer than this program.
  static Result<std::unique_ptr<ProductParts>> Open(const ServeConfig& config,
                                                    const DataDirectory& directory,
                                                    const std::string& public_url, Tables& tables,
                                                    metrics::Registry& registry);

  /// The gallery that this is. Recorded by whoever serves it (RecordMembership).
  Membership membership;
  UlidGenerator ids;
  /// What new files of photos are sealed with; null: they are plain.
  std::shared_ptr<const blobs::SealingKeys> sealing_keys;
  std::unique_ptr<blobs::BlobStore> blobs;
  std::unique_ptr<blobs::Spool> spool;
  blobs::DiskRoom room;
  flows::AccountLocks beginnings;
  flows::HashingSlots hashing{flows::kHashingSlots};
  contexts::identity::Accounts accounts;
  contexts::catalog::Catalog catalog;
  contexts::catalog::SimilarityIndex similarity;
  contexts::intake::Intake intake;
  contexts::people::People people;
  contexts::analysis::AnalysisRecords analysis;
  contexts::jobs::Jobs jobs;
  contexts::backlog::Backlog backlog;
  flows::Product product;
  views::Sources views;

 private:
  ProductParts(Membership gallery, flows::ProductConfig config,
               std::unique_ptr<blobs::BlobStore> store, std::unique_ptr<blobs::Spool> uploads,
               blobs::DiskRoom disk, views::ViewConfig view, tables::Database& tables);
};

}  // namespace tintype::cli
