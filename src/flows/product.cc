#include "flows/product.h"

namespace tintype::flows {

std::vector<contexts::ProductTable> ProductTables(const ProductConfig& config) {
  std::vector<contexts::ProductTable> wanted = {
      contexts::catalog::Catalog::Table(),
      contexts::intake::Intake::Table(),
      contexts::people::People::Table(),
      contexts::jobs::Jobs::Table(config.environment),
      contexts::backlog::Backlog::Table(config.stack),
      contexts::SystemTable(),
  };
  for (contexts::ProductTable& table : contexts::analysis::AnalysisRecords::Tables(config.stack)) {
    wanted.push_back(std::move(table));
  }
  return wanted;
}

}  // namespace tintype::flows
