#include "audit_fixture.h"

#include "access/audit/chain_items.h"
#include "base/check.h"
#include "base/logging.h"

namespace tintype::product {

using namespace access::audit;  // NOLINT(google-build-using-namespace): all of this is about it.
using tables::Item;
using tables::Value;

namespace {

Item KeyOf(const std::string& chain, const std::string& sequence) {
  return Item::Of({{"chain", Value::String(chain)}, {"sequence", Value::String(sequence)}});
}

}  // namespace

void AuditTest::SetUp() {
  // Damage is what most of these tests are about.
  SetLogLevel(LogLevel::kError);
  tables::engine::EngineConfig engine;
  engine.directory = directory_.path() + "/tables";
  engine.relaxed_durability = true;
  engine.ballast_bytes = 0;
  auto opened = tables::engine::RocksDatabase::Open(std::move(engine), clock_);
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  database_ = *std::move(opened);
  blocking_.emplace(database_->AsServer());
  const auto created = blocking_->CreateTable({AuditTable(kAuditTable), {}});
  ASSERT_TRUE(created.ok()) << created.error().message();
  OpenAudit();
}

AuditConfig AuditTest::Config(const std::string& node) const {
  AuditConfig config;
  config.node = node;
  config.key = AuditKey("secret");
  config.witness_path = directory_.path() + "/audit.head." + node;
  return config;
}

void AuditTest::OpenAudit(tables::Database* database) {
  audit_.reset();
  auto opened = Audit::Open(Config(), database != nullptr ? *database : this->database(), clock_);
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  audit_ = *std::move(opened);
  ASSERT_TRUE(audit_->Settle().ok());
}

Entry AuditTest::SomeEntry(const std::string& subject) {
  Entry entry;
  entry.kind = kShareImage;
  entry.principal = {access::PrincipalKind::kSession, "session", "account", false, {}, "192.0.2.7"};
  entry.request_id = "request-" + subject;
  entry.subject = subject;
  return entry;
}

void AuditTest::RecordMany(int count) {
  for (int i = 1; i <= count; ++i) {
    ASSERT_TRUE(audit().Record(SomeEntry(std::to_string(i))).ok());
    clock_.AdvanceMs(10);
  }
}

ChainReport AuditTest::Verify(const std::string& chain) {
  const AuditConfig config = Config();
  const auto reports =
      VerifyChains({config.table, config.key, config.node, config.witness_path}, database(),
                   [](const std::string&, int64_t, int64_t) { return true; });
  CHECK(reports.ok());
  for (const ChainReport& report : *reports) {
    if (report.chain == chain) {
      return report;
    }
  }
  return {.chain = {}, .head = {}, .fault = "there is no such chain"};
}

std::vector<Link> AuditTest::Links(const std::string& chain) {
  const Sealer sealer(AuditKey("secret"));
  auto links = ChainStore(std::string(kAuditTable), sealer, database()).ReadAfter(chain, 0, 1000);
  CHECK(links.ok());
  return *std::move(links);
}

Item AuditTest::FindItem(const std::string& sequence, const std::string& chain) {
  auto found = tables().GetItem({std::string(kAuditTable), KeyOf(chain, sequence), {}, true});
  CHECK(found.ok() && found->item);
  return *std::move(found->item);
}

void AuditTest::PutItem(const Item& item) {
  const auto put = tables().PutItem({std::string(kAuditTable), item, {}});
  ASSERT_TRUE(put.ok()) << put.error().message();
}

void AuditTest::DeleteItem(const std::string& sequence, const std::string& chain) {
  const auto deleted = tables().DeleteItem({std::string(kAuditTable), KeyOf(chain, sequence), {}});
  ASSERT_TRUE(deleted.ok()) << deleted.error().message();
}

}  // namespace tintype::product
