#include "product_fixture.h"

#include <gmock/gmock.h>

#include "base/logging.h"
#include "base/strings.h"
#include "blobs/hashing_writer.h"
#include "contexts/common/secrets.h"
#include "flows/media_keys.h"
#include "flows/scrub.h"
#include "flows/upkeep/upgrade.h"
#include "pipeline/steps.h"

namespace tintype::product {
namespace {

using contexts::Transaction;
using contexts::backlog::Backlog;
using contexts::backlog::Work;

RetryPolicy WithoutWaits() {
  RetryPolicy retries;
  retries.sleep = [](std::chrono::milliseconds) {};
  return retries;
}

contexts::identity::PasswordCost QuickCost() { return {1, 8192}; }

std::unique_ptr<contexts::identity::Tokens> OpenTokens(tables::Database& database,
                                                       const Clock& clock) {
  contexts::identity::KeyRing ring(contexts::identity::kAccessTokenKeys,
                                   contexts::DeriveKey("secret", "sealing"), database, clock);
  auto opened = contexts::identity::Tokens::Open({}, ring, clock);
  CHECK(opened.ok());
  return *std::move(opened);
}

}  // namespace

Wiring::Wiring(const flows::ProductConfig& config, tables::Database& database,
               blobs::BlobStore& blobs, blobs::Spool& spool, const blobs::DiskRoom& room,
               const Clock& clock, UlidGenerator& ids)
    : accounts_(database),
      catalog_(database),
      similarity_(database),
      intake_(database),
      people_(database),
      analysis_(config.stack, database),
      jobs_(config.environment, database, clock),
      backlog_({.stack = config.stack, .node = config.node}, database, clock),
      product{config,   database,  blobs, spool,     room,          beginnings_,
              hashing_, clock,     ids,   accounts_, catalog_,      intake_,
              people_,  analysis_, jobs_, backlog_,  WithoutWaits()},
      views{accounts_, catalog_, similarity_, people_, analysis_, jobs_} {}

IdentityParts::IdentityParts(tables::Database& database, const Clock& clock,
                             flows::SignInConfig config)
    : passwords(QuickCost()),
      sessions({}, contexts::DeriveKey("secret", "sessions"), database, clock),
      tokens(OpenTokens(database, clock)),
      throttle({}, clock),
      devices(contexts::DeriveKey("secret", "device tokens"), clock),
      api_keys(database, clock),
      live(database, api_keys, clock),
      identity{std::move(config), passwords, sessions, *tokens, throttle, devices, live} {}

ProductTest::ProductTest() { SetLogLevel(LogLevel::kError); }
ProductTest::~ProductTest() = default;

flows::ProductConfig ProductTest::Config() const {
  flows::ProductConfig config;
  config.upload_limit = 10;
  return config;
}

std::string ProductTest::HelperPath() const { return TINTYPE_QUICK_HELPER; }

void ProductTest::Open() {
  identity_.reset();
  wiring_.reset();
  spool_.reset();
  blobs_.reset();
  database_.reset();
  tables::engine::EngineConfig engine;
  engine.directory = directory_.path() + "/tables";
  engine.relaxed_durability = true;
  engine.ballast_bytes = 0;
  engine.housekeeping_interval = std::chrono::milliseconds(5);
  auto opened = tables::engine::RocksDatabase::Open(std::move(engine), clock_);
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  database_ = *std::move(opened);
  const flows::ProductConfig config = Config();
  auto store = blobs::FileBlobStore::OpenRoot(
      {directory_.path() + "/blobs", {config.uploads_bucket, config.images_bucket}});
  ASSERT_TRUE(store.ok()) << store.error().message();
  blobs_ = *std::move(store);
  auto spool = blobs::Spool::OpenFolder(
      {.root = directory_.path() + "/uploads", .insistence = std::chrono::milliseconds(10)});
  ASSERT_TRUE(spool.ok()) << spool.error().message();
  spool_ = *std::move(spool);
  darkroom::Config helper;
  // quick_helper.cc enters none, and programs with a sanitizer have none.
  helper.sandbox = darkroom::SandboxUse::kPreferred;
  helper.helper_path = HelperPath();
  helper.processes_max = 2;
  darkroom_ = std::make_unique<darkroom::Darkroom>(helper);
  wiring_ = Wire(database_->AsServer(), *blobs_);
  const Status upgraded = flows::UpgradeTables(
      flows::UpgradeSteps(), flows::ProductTables(config),
      {product().database, product().backlog, clock_, product().retries}, database_.get());
  ASSERT_TRUE(upgraded.ok()) << upgraded.error().message();
  flows::SignInConfig sign_in;
  sign_in.sign_up = flows::SignUpMode::kOpen;
  identity_ = std::make_unique<IdentityParts>(database_->AsServer(), clock_, sign_in);
}

std::unique_ptr<Wiring> ProductTest::Wire(tables::Database& database, blobs::BlobStore& blobs) {
  return std::make_unique<Wiring>(Config(), database, blobs, *spool_, room_, clock_, ids_);
}

std::unique_ptr<Wiring> ProductTest::WireNode(const std::string& name, blobs::Spool& spool) {
  flows::ProductConfig config = Config();
  config.node = name;
  return std::make_unique<Wiring>(config, database_->AsServer(), *blobs_, spool, room_, clock_,
                                  ids_);
}

std::unique_ptr<blobs::Spool> ProductTest::OpenSpool(const std::string& folder) {
  auto spool = blobs::Spool::OpenFolder({.root = directory_.path() + "/" + folder});
  CHECK(spool.ok());
  return *std::move(spool);
}

flows::Account ProductTest::Administrator() {
  const auto found = product().accounts.FindForLogin("root");
  CHECK(found.ok());
  return *found ? (*found)->account : SignUpAs("root");
}

flows::Account ProductTest::SignUp(const std::string& username) {
  CHECK(Administrator().administrator);
  return SignUpAs(username);
}

flows::Account ProductTest::SignUpAs(const std::string& username) {
  const auto signed_in = flows::SignUp(
      product(), identity_->identity,
      {StrCat(username, "@example.com"), username, "correct horse battery", {}, "here"});
  CHECK(signed_in.ok());
  return signed_in->account;
}

contexts::intake::Upload ProductTest::Begin(const flows::Account& account,
                                            const std::string& filename) {
  const auto upload = flows::BeginUpload(product(), account, {filename});
  CHECK(upload.ok());
  return *upload;
}

flows::UploadedBytes ProductTest::WriteBytes(const std::string& id, const std::string& content) {
  auto created = blobs_->Create({Config().uploads_bucket, flows::UploadKey(id)});
  CHECK(created.ok());
  blobs::HashingWriter writer(*std::move(created));
  CHECK(writer.Write(content).ok());
  const blobs::ContentHashes hashes = writer.hashes();
  CHECK(writer.Commit().ok());
  return {static_cast<int64_t>(content.size()), hashes.md5, hashes.sha256, "image/png"};
}

contexts::catalog::Image ProductTest::Upload(const flows::Account& account,
                                             const std::string& content,
                                             const flows::UploadRequest& request) {
  const auto upload = flows::BeginUpload(product(), account, request);
  CHECK(upload.ok());
  const flows::UploadedBytes bytes = WriteBytes(upload->id, content);
  const auto completed = flows::CompleteUpload(product(), account, *upload, request, bytes);
  CHECK(completed.ok());
  return completed->image;
}

contexts::catalog::Image ProductTest::UploadDeveloped(const flows::Account& account,
                                                      const std::string& content) {
  const std::string id = Upload(account, content).id;
  Drain();
  const auto image = product().catalog.Find(id);
  CHECK(image.ok() && *image);
  return **image;
}

std::map<std::string, pipeline::Step> ProductTest::Steps(flows::Product& of) {
  return pipeline::AllSteps(of, {*darkroom_, *darkroom_, *darkroom_}, derived_, analyzers_);
}

bool ProductTest::DoOne(flows::Product& of) {
  const auto leased = of.backlog.Lease();
  if (!leased.ok() || !*leased) {
    return false;
  }
  const Work& work = **leased;
  const std::map<std::string, pipeline::Step> steps = Steps(of);
  const pipeline::Step& step = steps.at(work.type);
  const Status done = step.run(work);
  if (!done.ok()) {
    const bool permanent = step.is_permanent && step.is_permanent(done.error());
    Backlog::GivenBack given_back =
        of.backlog.GiveBack(work, done.error().message(),
                            permanent ? Backlog::Failure::kForGood : Backlog::Failure::kForNow, {});
    Transaction give_back(StrCat("give-back ", work.token));
    give_back.Add(std::move(given_back.piece));
    if (given_back.status == contexts::backlog::WorkStatus::kDead && step.when_dead) {
      give_back.Add(step.when_dead(work, done.error()));
    }
    give_back.Commit(of.database, of.retries).PermitUncheckedError();
  }
  return true;
}

int ProductTest::Drain() {
  int count = 0;
  while (DoOne(product())) {
    ++count;
  }
  return count;
}

std::optional<tables::Item> ProductTest::Get(const std::string& table,
                                             const std::map<std::string, std::string>& key) {
  contexts::ItemBuilder attributes;
  for (const auto& [name, text] : key) {
    attributes.Text(name, text);
  }
  tables::GetItemRequest request;
  request.table = table;
  request.key = attributes.Build();
  const auto got = tables::BlockingDatabase(*database_).GetItem(std::move(request));
  CHECK(got.ok());
  return got->item;
}

std::optional<tables::Item> ProductTest::ImageItem(const std::string& id) {
  return Get("ImageMetadata", {{"PK", StrCat("IMAGE#", id)}, {"SK", "METADATA"}});
}

std::vector<tables::Item> ProductTest::Query(const std::string& table, const std::string& index,
                                             std::string_view condition,
                                             const contexts::Bindings& bindings) {
  tables::QueryRequest request;
  request.table = table;
  request.key_condition = contexts::KeyConditionOf(condition, bindings);
  if (!index.empty()) {
    request.options.index = index;
  }
  const auto page = tables::BlockingDatabase(*database_).Query(std::move(request));
  CHECK(page.ok());
  return page->items;
}

std::vector<tables::Item> ProductTest::Items(const std::string& table) {
  tables::ScanRequest request;
  request.table = table;
  std::vector<tables::Item> items;
  do {
    auto page = tables::BlockingDatabase(*database_).Scan(request);
    CHECK(page.ok());
    items.insert(items.end(), page->items.begin(), page->items.end());
    request.options.exclusive_start_key = page->last_evaluated_key;
  } while (request.options.exclusive_start_key);
  return items;
}

int64_t ProductTest::Limit(const flows::Account& account) {
  const auto limit = product().people.FindLimit(account.email);
  CHECK(limit.ok() && *limit);
  return **limit;
}

std::vector<std::string> ProductTest::Blobs(const std::string& bucket) {
  const auto page = blobs_->List({bucket, "", "", blobs::kListLimitMax});
  CHECK(page.ok() && !page->more);
  std::vector<std::string> keys;
  for (const blobs::ListedBlob& blob : page->blobs) {
    keys.push_back(blob.key);
  }
  return keys;
}

std::vector<std::string> ProductTest::TracesOf(const std::string& id) {
  std::vector<std::string> traces;
  const std::string jobs = contexts::jobs::Jobs::Table(Config().environment).definition.name;
  for (const contexts::ProductTable& table : flows::ProductTables(Config())) {
    for (const tables::Item& item : Items(table.definition.name)) {
      const bool about = item.payload().find(id) != std::string::npos;
      const bool tombstone = TextOf(item, "PK") == StrCat("TOMBSTONE#", id);
      if (about && !tombstone && table.definition.name != jobs) {
        const contexts::ItemReader read(item);
        traces.push_back(StrCat(table.definition.name, " ", read.Text("PK"), read.Text("id"),
                                read.Text("uuid"), " ", read.Text("SK")));
      }
    }
  }
  for (const std::string& bucket : {Config().uploads_bucket, Config().images_bucket}) {
    for (const std::string& key : Blobs(bucket)) {
      if (key.find(id) != std::string::npos) {
        traces.push_back(StrCat(bucket, ": ", key));
      }
    }
  }
  if (spool_->Bytes(id).value()) {
    traces.emplace_back("in the spool");
  }
  return traces;
}

std::vector<std::string> ProductTest::Findings() {
  const auto scrubbed = flows::Scrub(product(), {}, {},
                                     {[](const flows::ScrubState&) { return true; },
                                      [](const flows::ScrubState&) { return OkStatus(); }});
  if (!scrubbed.ok()) {
    return {StrCat("error: ", scrubbed.error().message())};
  }
  std::vector<std::string> findings;
  for (const flows::Finding& finding : scrubbed->findings) {
    findings.push_back(StrCat(finding.kind, " ", finding.id, " ", finding.detail));
  }
  return findings;
}

}  // namespace tintype::product
