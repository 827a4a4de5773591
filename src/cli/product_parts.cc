#include "cli/product_parts.h"

#include <utility>

#include "base/clock.h"
#include "contexts/common/tables.h"

namespace tintype::cli {
namespace {

contexts::backlog::BacklogConfig BacklogConfigOf(const flows::ProductConfig& config) {
  contexts::backlog::BacklogConfig backlog;
  backlog.stack = config.stack;
  return backlog;
}

}  // namespace

ProductParts::ProductParts(flows::ProductConfig config, std::unique_ptr<blobs::FileBlobStore> store,
                           tables::Database& tables)
    : ids(SystemClock()),
      blobs(std::move(store)),
      accounts(tables),
      catalog(tables),
      intake(tables),
      people(tables),
      analysis(config.stack, tables),
      jobs(config.environment, tables, SystemClock()),
      backlog(BacklogConfigOf(config), tables, SystemClock()),
      product{std::move(config),
              tables,
              *blobs,
              SystemClock(),
              ids,
              accounts,
              catalog,
              intake,
              people,
              analysis,
              jobs,
              backlog,
              {}} {}

Result<std::unique_ptr<ProductParts>> ProductParts::Open(const ServeConfig& config,
                                                         const DataDirectory& directory,
                                                         const std::string& public_url,
                                                         tables::engine::RocksDatabase& database) {
  flows::ProductConfig product;
  product.public_url = public_url;
  product.upload_limit = static_cast<int64_t>(config.upload_limit);
  product.quality = static_cast<int32_t>(config.rendition_quality);
  product.effort = static_cast<int32_t>(config.rendition_effort);
  tables::Database& tables = database.AsServer();
  RETURN_IF_ERROR(contexts::CreateTables(flows::ProductTables(product), tables, &database));
  ASSIGN_OR_RETURN(auto store,
                   blobs::FileBlobStore::OpenRoot(
                       {directory.blobs(), {product.uploads_bucket, product.images_bucket}}));
  return std::unique_ptr<ProductParts>(
      new ProductParts(std::move(product), std::move(store), tables));
}

}  // namespace tintype::cli
