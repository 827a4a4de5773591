#pragma once

#include <vector>

#include "base/clock.h"
#include "base/ulid.h"
#include "blobs/blob_store.h"
#include "blobs/disk_room.h"
#include "blobs/spool.h"
#include "contexts/analysis/analysis.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/intake/intake.h"
#include "contexts/jobs/jobs.h"
#include "contexts/people/people.h"
#include "flows/accounts/account_locks.h"
#include "flows/config.h"
#include "flows/parts.h"
#include "tables/language/database.h"

namespace tintype::flows {

/// Every part that flows work on. Owned by the program's wiring and used by all threads at once:
/// its parts are thread-safe. A flow takes those of them that it uses (`parts.h`), never all.
struct Product {
  ProductConfig config;
  tables::Database& database;
  blobs::BlobStore& blobs;
  blobs::Spool& spool;
  const blobs::DiskRoom& room;
  /// Held while an upload begins that the account's uploads on their way are counted for.
  AccountLocks& beginnings;
  /// Reading a whole file for its checksums takes one of these: that keeps a processor busy, and a
  /// page is to be answered meanwhile.
  HashingSlots& hashing;
  const Clock& clock;
  UlidGenerator& ids;

  contexts::identity::Accounts& accounts;
  contexts::catalog::Catalog& catalog;
  contexts::intake::Intake& intake;
  contexts::people::People& people;
  contexts::analysis::AnalysisRecords& analysis;
  contexts::jobs::Jobs& jobs;
  contexts::backlog::Backlog& backlog;

  /// How long flows insist when the database is busy.
  RetryPolicy retries;
};

/// All tables of the product.
std::vector<contexts::ProductTable> ProductTables(const ProductConfig& config);

}  // namespace tintype::flows
