#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access/audit/audit.h"
#include "access/audit/chain_store.h"
#include "access/audit/reader.h"
#include "access/audit/verify.h"
#include "base/clock.h"
#include "base/testing/temporary_directory.h"
#include "tables/engine/rocks_database.h"
#include "tables/language/blocking_database.h"

namespace tintype::product {

/// The audit of a node on the embedded engine, with a clock that the test turns.
class AuditTest : public testing::Test {
 protected:
  static constexpr int64_t kDayMs = int64_t{24} * 60 * 60 * 1000;

  void SetUp() override;

  virtual access::audit::AuditConfig Config(const std::string& node = "node") const;

  /// Stops the audit, if there is one, and opens it again as a restart does.
  void OpenAudit(tables::Database* database = nullptr);

  access::audit::Audit& audit() { return *audit_; }
  tables::Database& database() { return database_->AsServer(); }
  tables::BlockingDatabase& tables() { return *blocking_; }

  static access::audit::Entry SomeEntry(const std::string& subject = "image");
  /// Records that many entries, of the subjects 1, 2 and so on.
  void RecordMany(int count);

  /// What verifying says of a chain.
  access::audit::ChainReport Verify(const std::string& chain = "node");
  std::vector<access::audit::Link> Links(const std::string& chain = "node");
  /// An item of the table; its range key is a number with its zeros, `head` or `base`.
  tables::Item FindItem(const std::string& sequence, const std::string& chain = "node");
  void PutItem(const tables::Item& item);
  void DeleteItem(const std::string& sequence, const std::string& chain = "node");

  FakeClock clock_{1'800'000'000'000};
  TemporaryDirectory directory_;
  std::unique_ptr<tables::engine::RocksDatabase> database_;
  std::optional<tables::BlockingDatabase> blocking_;
  std::unique_ptr<access::audit::Audit> audit_;
};

}  // namespace tintype::product
