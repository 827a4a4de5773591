#include "cli/gallery/product_parts.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/files.h"
#include "base/logging.h"
#include "base/strings.h"
#include "blobs/file_blob_store.h"
#include "blobs/metered_blob_store.h"
#include "blobs/s3/s3_blob_store.h"
#include "blobs/sealed/sealed_blob_store.h"
#include "cli/settings/blob_place.h"
#include "cli/tables/sealing.h"
#include "contexts/people/people.h"
#include "flows/upkeep/upgrade.h"

namespace tintype::cli {
namespace {

contexts::backlog::BacklogConfig BacklogConfigOf(const flows::ProductConfig& config) {
  contexts::backlog::BacklogConfig backlog;
  backlog.stack = config.stack;
  backlog.node = config.node;
  return backlog;
}

/// Photos that lie in files stay there, unseen, when the storage is another.
void WarnOfFiles(const std::string& folder) {
  std::error_code ignored;
  const std::filesystem::directory_iterator files(folder, ignored);
  if (files != std::filesystem::directory_iterator()) {
    LogWarning("photos in files of the data directory are not used, since blobs are on S3",
               {{"folder", folder}});
  }
}

/// How files beside the tables are encrypted, and photos.
struct BlobSealing {
  std::shared_ptr<const blobs::SealingKeys> keys;  // Null where none can be.
  /// Photos.
  blobs::NewBlobs photos = blobs::NewBlobs::kPlain;
  /// Whether some of the photos there may be encrypted already.
  bool some_photos = false;
  /// Uploads on their way and resized pictures, which are here whatever is done with photos on S3.
  blobs::NewBlobs files = blobs::NewBlobs::kPlain;
};

Result<BlobSealing> FindSealing(const ServeConfig& config, const DataDirectory& directory,
                                Tables& tables) {
  BlobSealing sealing;
  std::error_code error;
  sealing.some_photos = std::filesystem::exists(directory.sealed_blobs(), error);
  if (error) {
    return Error::Io(StrCat("Cannot look at ", directory.sealed_blobs(), ": ", error.message()));
  }
  sealing.keys = SealingKeysOf(tables.embedded(), "tintype blobs");
  if (sealing.keys == nullptr) {
    // Without the keys, encrypted photos would be handed out as they lie there.
    if (config.blob_encryption != true && !sealing.some_photos) {
      return sealing;
    }
    return Error::Validation(StrCat(
        "Encrypted photos need encrypted tables in the data directory, which have the keys: ",
        sealing.some_photos ? "start with those."
                            : "set 'blob-encryption off', or start with those."));
  }
  if (config.blob_encryption != false) {
    sealing.files = blobs::NewBlobs::kSealed;
  }
  // On S3 the storage encrypts, unless it is to get nothing that it could read.
  if (config.blobs.s3 ? config.blob_encryption == true : config.blob_encryption != false) {
    sealing.photos = blobs::NewBlobs::kSealed;
  }
  return sealing;
}

/// The store with encrypted photos, if there are or will be some.
Result<std::unique_ptr<blobs::BlobStore>> Sealed(std::unique_ptr<blobs::BlobStore> store,
                                                 const DataDirectory& directory,
                                                 const BlobSealing& sealing) {
  if (sealing.photos == blobs::NewBlobs::kSealed) {
    // Before the first of them: from then on each blob is looked at before it is handed out.
    RETURN_IF_ERROR(WriteFileAtomically(directory.sealed_blobs(), "", 0600));
  } else if (!sealing.some_photos) {
    return store;
  }
  return std::unique_ptr<blobs::BlobStore>(
      std::make_unique<blobs::SealedBlobStore>(std::move(store), sealing.keys, sealing.photos));
}

Result<std::unique_ptr<blobs::BlobStore>> OpenBlobs(const ServeConfig& config,
                                                    const DataDirectory& directory,
                                                    const flows::ProductConfig& product,
                                                    const BlobSealing& sealing) {
  const std::vector<std::string> buckets = {product.uploads_bucket, product.images_bucket};
  if (!config.blobs.s3) {
    ASSIGN_OR_RETURN(std::unique_ptr<blobs::BlobStore> files,
                     blobs::FileBlobStore::OpenRoot({directory.blobs(), buckets}));
    return Sealed(std::move(files), directory, sealing);
  }
  const S3Settings& settings = *config.blobs.s3;
  blobs::s3::S3Config s3;
  s3.endpoint = settings.endpoint;
  s3.region = settings.region;
  s3.credentials = {.access_key_id = settings.access_key_id,
                    .secret = settings.secret_access_key,
                    .session_token = std::nullopt};
  s3.buckets = buckets;
  s3.call_timeout = config.s3_timeout;
  s3.connect_timeout = std::min(s3.connect_timeout, s3.call_timeout);
  s3.stall_timeout = s3.call_timeout / 2;
  s3.temporary_folder = directory.blobs();
  s3.encryption = settings.encryption;
  ASSIGN_OR_RETURN(auto store, blobs::s3::S3BlobStore::Connect(std::move(s3), SystemClock()));
  WarnOfFiles(StrCat(directory.blobs(), "/", kDefaultImagesBucket));
  return Sealed(std::move(store), directory, sealing);
}

}  // namespace

ProductParts::ProductParts(Membership gallery, flows::ProductConfig config,
                           std::unique_ptr<blobs::BlobStore> store,
                           std::unique_ptr<blobs::Spool> uploads, blobs::DiskRoom disk,
                           views::ViewConfig view, tables::Database& tables)
    : membership(std::move(gallery)),
      ids(SystemClock()),
      blobs(std::move(store)),
      spool(std::move(uploads)),
      room(std::move(disk)),
      accounts(tables),
      catalog(tables),
      similarity(tables),
      intake(tables),
      people(tables),
      analysis(config.stack, tables),
      jobs(config.environment, tables, SystemClock()),
      backlog(BacklogConfigOf(config), tables, SystemClock()),
      product{std::move(config), tables,  *blobs,        *spool,   room,
              beginnings,        hashing, SystemClock(), ids,      accounts,
              catalog,           intake,  people,        analysis, jobs,
              backlog,           {}},
      views{accounts, catalog, similarity, people, analysis, jobs, view} {}

Result<std::unique_ptr<ProductParts>> ProductParts::Open(const ServeConfig& config,
                                                         const DataDirectory& directory,
                                                         const std::string& public_url,
                                                         Tables& tables,
                                                         metrics::Registry& registry) {
  ASSIGN_OR_RETURN(Membership membership, JoinGallery(config, directory, tables));
  flows::ProductConfig product;
  product.stack = membership.terms.stack;
  product.environment = membership.terms.environment;
  product.uploads_bucket = membership.blobs.buckets.uploads;
  product.images_bucket = membership.blobs.buckets.images;
  product.public_url = public_url;
  ASSIGN_OR_RETURN(product.node, NodeOf(directory));
  product.visibility = config.uploads_shared ? contexts::people::Visibility::kShared
                                             : contexts::people::Visibility::kPrivate;
  product.region = config.region;
  const auto ai_options = contexts::analysis::AiOptions::Parse(config.ai_options);
  if (!ai_options.ok()) {
    return Error::Validation(StrCat("--ai-options: ", ai_options.error().message()));
  }
  product.ai_options = *ai_options;
  product.upload_limit = static_cast<int64_t>(config.upload_limit);
  if (config.quota_mb > 0) {
    product.quota = static_cast<int64_t>(config.quota_mb << 20);
  }
  product.quality = static_cast<int32_t>(config.rendition_quality);
  product.effort = static_cast<int32_t>(config.rendition_effort);
  product.upload_kept = config.upload_kept;
  product.uploads_in_progress_max = static_cast<int64_t>(config.uploads_in_progress);
  product.jobs_waiting_max = static_cast<int64_t>(config.jobs_waiting);
  tables::Database& database = tables.as_server();
  contexts::backlog::Backlog backlog(BacklogConfigOf(product), database, SystemClock());
  RETURN_IF_ERROR(flows::UpgradeTables(flows::UpgradeSteps(), flows::ProductTables(product),
                                       {database, backlog, SystemClock()}, &tables.backups()));
  ASSIGN_OR_RETURN(const BlobSealing sealing, FindSealing(config, directory, tables));
  if (sealing.files == blobs::NewBlobs::kSealed) {
    RETURN_IF_ERROR(AllowSealedFiles(directory));
  }
  ASSIGN_OR_RETURN(auto uncounted, OpenBlobs(config, directory, product, sealing));
  auto store = std::make_unique<blobs::MeteredBlobStore>(
      std::move(uncounted), config.blobs.s3 ? "s3" : "files", registry);
  ASSIGN_OR_RETURN(auto spool, blobs::Spool::OpenFolder({.root = directory.uploads(),
                                                         .keys = sealing.keys,
                                                         .new_files = sealing.files}));
  const blobs::DiskRoom room(directory.path, {.tables_bytes = config.tables_min_free_bytes(),
                                              .reserve_bytes = config.photo_reserve_bytes,
                                              .photos_here = !config.blobs.s3});
  std::unique_ptr<ProductParts> parts(
      new ProductParts(std::move(membership), std::move(product), std::move(store),
                       std::move(spool), room, {.addresses = config.show_addresses}, database));
  parts->sealing_keys = sealing.files == blobs::NewBlobs::kSealed ? sealing.keys : nullptr;
  return parts;
}

}  // namespace tintype::cli
