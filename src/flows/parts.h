#pragma once

#include <cstddef>
#include <semaphore>

#include "base/retry.h"
#include "contexts/identity/accounts/account.h"

namespace tintype {
class Clock;
class UlidGenerator;
}  // namespace tintype
namespace tintype::tables {
class Database;
}
namespace tintype::blobs {
class BlobStore;
class DiskRoom;
class Spool;
}  // namespace tintype::blobs
namespace tintype::contexts::analysis {
class AnalysisRecords;
}
namespace tintype::contexts::backlog {
class Backlog;
}
namespace tintype::contexts::catalog {
class Catalog;
}
namespace tintype::contexts::identity {
class Accounts;
}
namespace tintype::contexts::intake {
class Intake;
}
namespace tintype::contexts::jobs {
class Jobs;
}
namespace tintype::contexts::people {
class People;
}

/// One function per use case: each composes pieces of several contexts into one transaction.
namespace tintype::flows {

/// Who does something: the account that a request was authenticated for.
using contexts::identity::Account;

class AccountLocks;
struct ProductConfig;

/// How many whole files are read for their checksums at once.
inline constexpr std::ptrdiff_t kHashingSlots = 2;
using HashingSlots = std::counting_semaphore<kHashingSlots>;

// What a flow may use, one struct a name, so that a flow's header says what it is handed. Each is
// made from whatever has a member of that name: the whole `Product`, or the parts of another flow.

struct ConfigPart {
  const ProductConfig& config;
  explicit ConfigPart(const auto& from) : config(from.config) {}
};

/// Where transactions are committed, and how long a flow insists when it is busy.
struct DatabasePart {
  tables::Database& database;
  const RetryPolicy& retries;
  explicit DatabasePart(const auto& from) : database(from.database), retries(from.retries) {}
};

struct BlobsPart {
  blobs::BlobStore& blobs;
  explicit BlobsPart(const auto& from) : blobs(from.blobs) {}
};

struct RoomPart {
  const blobs::DiskRoom& room;
  explicit RoomPart(const auto& from) : room(from.room) {}
};

struct SpoolPart {
  blobs::Spool& spool;
  explicit SpoolPart(const auto& from) : spool(from.spool) {}
};

struct BeginningsPart {
  AccountLocks& beginnings;
  explicit BeginningsPart(const auto& from) : beginnings(from.beginnings) {}
};

struct HashingPart {
  HashingSlots& hashing;
  explicit HashingPart(const auto& from) : hashing(from.hashing) {}
};

struct ClockPart {
  const Clock& clock;
  explicit ClockPart(const auto& from) : clock(from.clock) {}
};

struct IdsPart {
  UlidGenerator& ids;
  explicit IdsPart(const auto& from) : ids(from.ids) {}
};

struct AccountsPart {
  contexts::identity::Accounts& accounts;
  explicit AccountsPart(const auto& from) : accounts(from.accounts) {}
};

struct CatalogPart {
  contexts::catalog::Catalog& catalog;
  explicit CatalogPart(const auto& from) : catalog(from.catalog) {}
};

struct IntakePart {
  contexts::intake::Intake& intake;
  explicit IntakePart(const auto& from) : intake(from.intake) {}
};

struct PeoplePart {
  contexts::people::People& people;
  explicit PeoplePart(const auto& from) : people(from.people) {}
};

struct AnalysisPart {
  contexts::analysis::AnalysisRecords& analysis;
  explicit AnalysisPart(const auto& from) : analysis(from.analysis) {}
};

struct JobsPart {
  contexts::jobs::Jobs& jobs;
  explicit JobsPart(const auto& from) : jobs(from.jobs) {}
};

struct BacklogPart {
  contexts::backlog::Backlog& backlog;
  explicit BacklogPart(const auto& from) : backlog(from.backlog) {}
};

/// The parts that a flow uses, and nothing else: references, cheap to make at each call. The
/// objects that they refer to outlive the call.
template <typename... Parts>
struct Uses : Parts... {
  /// Implicit, so that callers hand over what they have.
  Uses(const auto& from) : Parts(from)... {}  // NOLINT(google-explicit-constructor)
};

}  // namespace tintype::flows
