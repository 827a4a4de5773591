#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <semaphore>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/ulid.h"
#include "blobs/blob_store.h"
#include "blobs/disk_room.h"
#include "blobs/spool.h"
#include "contexts/analysis/analysis.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/identity/accounts.h"
#include "contexts/intake/intake.h"
#include "contexts/jobs/jobs.h"
#include "contexts/people/people.h"
#include "flows/account_locks.h"
#include "tables/language/database.h"

/// One function per use case: each composes pieces of several contexts into one transaction.
namespace tintype::flows {

struct ProductConfig {
  /// Where originals arrive, and where everything that is shown is kept.
  std::string uploads_bucket = "uploads";
  std::string images_bucket = "images";
  /// What links to media begin with. Default: this machine alone can follow them.
  std::string public_url = "http://127.0.0.1:8080";
  std::string stack = "tintype";    // In the names of Media2Cloud's tables.
  std::string environment = "dev";  // In the name of the photo editor's table.
  /// Which of the processes that work on these tables this one is. Empty: there is only one.
  std::string node;
  /// Of WebP renditions, 1 to 100.
  int32_t quality = 85;
  /// How hard the encoder tries, 0 to 6.
  int32_t effort = 4;
  /// Of uploads that do not say.
  contexts::people::Visibility visibility = contexts::people::Visibility::kPrivate;
  /// How many images a new user may upload.
  int64_t upload_limit = contexts::people::kDefaultLimit;
  /// How long an image stays in the trash before it is deleted.
  std::chrono::hours trash_kept{24 * 30};
  /// How long nothing may be heard of an upload before it counts as abandoned.
  std::chrono::seconds upload_kept{std::chrono::hours(24)};
  /// How many uploads of one account may be on their way at once, of those that last longer than a
  /// request.
  int64_t uploads_in_progress_max = 100;
};

/// How many whole files are read for their checksums at once.
inline constexpr std::ptrdiff_t kHashingSlots = 2;
using HashingSlots = std::counting_semaphore<kHashingSlots>;

/// What flows work on. Owned by the program's wiring and used by all threads at once: its parts are
/// thread-safe.
struct Product {
  ProductConfig config;
  tables::Database& database;
  blobs::BlobStore& blobs;
  blobs::Spool& spool;
  const blobs::DiskRoom& room;
  /// Held while an upload begins that the account's uploads on their way are counted for.
  AccountLocks& beginnings;
  /// Who reads a whole file for its checksums takes one of these: that keeps a processor busy, and
  /// a page is to be answered meanwhile.
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

/// Who does something: the account that a request was authenticated for.
using contexts::identity::Account;

/// All tables of the product.
std::vector<contexts::ProductTable> ProductTables(const ProductConfig& config);

}  // namespace tintype::flows
