#include "unreliable_database.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>
#include <thread>

#include "base/strings.h"
#include "contexts/catalog/catalog.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "flows/images/update_image.h"
#include "product_fixture.h"

// Everything at once on a database that refuses, conflicts, forgets to answer and lags behind:
// random people, outside writers, workers and the reconciler. In the end all of it has to add up.
// TINTYPE_UNRELIABLE_SEED repeats a run's choices, TINTYPE_UNRELIABLE_SECONDS makes it longer.

namespace tintype::product {
namespace {

using contexts::ItemReader;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;
using flows::Account;
using testing::IsEmpty;

constexpr int64_t kUploadLimit = 25;
constexpr std::string_view kBacklog = "so0050-tintype-backlog";
constexpr std::string_view kJobs = "photoeditor-dev-jobs";

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// What an unreliable database may answer, and no more: anything else is a bug that it brought to
/// light.
bool IsExpected(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kOverloaded:
    case ErrorKind::kIo:
    case ErrorKind::kAborted:
    case ErrorKind::kUnavailable:
    case ErrorKind::kNotFound:
    case ErrorKind::kInUse:
    case ErrorKind::kConditionFailed:
    case ErrorKind::kLimitExceeded:
      return true;
    default:
      return false;
  }
}

class UnreliableTest : public ProductTest {
 protected:
  flows::ProductConfig Config() const override {
    flows::ProductConfig config = ProductTest::Config();
    config.upload_limit = kUploadLimit;
    config.upload_kept = std::chrono::hours(1);
    return config;
  }

  /// A person who does one thing after another.
  class Person {
   public:
    Person(UnreliableTest& test, flows::Product& product, Account account, uint64_t seed)
        : test_(test), product_(product), account_(std::move(account)), random_(seed) {}

    void DoSomething() {
      test_.clock_.AdvanceMs(static_cast<int64_t>(Roll(400)));
      switch (Roll(16)) {
        case 0:
        case 1:
        case 2:
        case 3:
          return Upload();
        case 4:
          return Note(flows::BeginUpload(product_, account_, {"forgotten.png"}));
        case 5:
        case 6:
        case 7:
          return ChangeTags();
        case 8:
          return Note(flows::SetImageVisibility(product_, account_, AnyImage(), AnyVisibility()));
        case 9:
          return Note(flows::TrashImage(product_, account_, AnyImage()));
        case 10:
          return Note(flows::RestoreImage(product_, account_, AnyImage()));
        case 11:
          return Note(flows::DeleteImageNow(product_, account_, AnyImage()));
        case 12:
        case 13:
          return Edit();
        case 14:
          return WriteFromOutside();
        default:
          return LookAround();
      }
    }

   private:
    uint64_t Roll(uint64_t sides) { return random_() % sides; }

    template <typename T>
    void Note(const Result<T>& outcome) {
      if (!outcome.ok()) {
        EXPECT_TRUE(IsExpected(outcome.error().kind()))
            << static_cast<int>(outcome.error().kind()) << " " << outcome.error().message();
      }
    }

    contexts::people::Visibility AnyVisibility() {
      return Roll(2) == 0 ? contexts::people::Visibility::kShared
                          : contexts::people::Visibility::kPrivate;
    }
    /// One of the latest images, trashed and deleted ones too, or none that there is.
    std::string AnyImage() {
      if (images_.empty() || Roll(20) == 0) {
        return "01NOSUCHIMAGE";
      }
      const size_t recent = std::min<size_t>(images_.size(), 12);
      return images_[images_.size() - 1 - Roll(recent)];
    }
    std::vector<std::string> AnyTags() {
      std::set<std::string> tags;
      for (uint64_t i = Roll(4); i > 0; --i) {
        tags.insert(StrCat("tag", Roll(6)));
      }
      return {tags.begin(), tags.end()};
    }

    void LookAround() {
      const auto page = product_.catalog.ListOfUser(account_.id, 10, {});
      Note(page);
      if (page.ok()) {
        for (const contexts::catalog::Image& image : page->images) {
          images_.push_back(image.id);
        }
      }
    }

    void Upload() {
      const flows::UploadRequest request{"photo.png"};
      const auto upload = flows::BeginUpload(product_, account_, request);
      Note(upload);
      if (!upload.ok()) {
        // Room has to be made.
        return Note(flows::DeleteImageNow(product_, account_, AnyImage()));
      }
      // Few enough contents for duplicates, some of which cannot be developed.
      const std::string content = StrCat(Roll(10) == 0 ? "bad " : "good ", Roll(200));
      const auto bytes = test_.WriteBytes(upload->id, content);
      const auto completed = flows::CompleteUpload(product_, account_, *upload, request, bytes);
      Note(completed);
      if (completed.ok()) {
        images_.push_back(completed->image.id);
        return;
      }
      images_.push_back(upload->id);  // Nobody knows: it may be there.
      Note(flows::AbandonUpload(product_, upload->id));
    }

    void ChangeTags() {
      const std::string id = AnyImage();
      const auto seen = product_.catalog.Find(id);
      Note(seen);
      if (!seen.ok() || !*seen) {
        return;
      }
      contexts::catalog::DetailsChange change;
      change.tags = AnyTags();
      if (Roll(2) == 0) {
        change.description = StrCat("description ", Roll(100));
      }
      Note(flows::UpdateImage(product_, account_, id, (*seen)->version, change));
    }

    void Edit() {
      const auto job =
          flows::CreateJob(product_, account_, {AnyImage(), "local", R"([{"op":"auto_levels"}])"});
      Note(job);
      if (job.ok() && Roll(4) == 0) {
        Note(flows::CancelJob(product_, account_, job->id));
      }
    }

    /// As the documents' own update and delete do, through the endpoint.
    void WriteFromOutside() {
      tables::BlockingDatabase endpoint(*test_.database_);
      const tables::Item key = contexts::catalog::ImageKey(AnyImage());
      if (Roll(4) == 0) {
        Note(endpoint.DeleteItem({"ImageMetadata", key, {}}));
        return;
      }
      contexts::UpdateWithCondition update = contexts::UpdateIf(
          "SET tags = :tags, #version = #version + :one", "attribute_exists(PK)",
          {{{"#version", "version"}},
           {{":tags", contexts::TextListValue(AnyTags())}, {":one", tables::Value::Integer(1)}}});
      tables::UpdateItemRequest request{"ImageMetadata", key, std::move(update.update), {}};
      request.options.condition = std::move(update.condition);
      Note(endpoint.UpdateItem(std::move(request)));
    }

    UnreliableTest& test_;
    flows::Product& product_;
    const Account account_;
    std::mt19937_64 random_;
    std::vector<std::string> images_;
  };

  /// Until nothing is left to do but what waits in the trash.
  void EndAllWork() {
    for (int round = 0; round < 200; ++round) {
      Drain();
      bool waiting = false;
      for (const tables::Item& item : Items(std::string(kBacklog))) {
        const Work work = contexts::backlog::WorkFromItem(item);
        if (work.status == WorkStatus::kDead) {
          ASSERT_TRUE(product().backlog.Replay(work.id).ok());
        }
        const bool trash = work.type == "delete-image" && work.status == WorkStatus::kDelayed &&
                           work.retry_count == 0;
        waiting = waiting || !trash;
      }
      if (!waiting) {
        return;
      }
      clock_.AdvanceMs(kHourMs);
    }
    FAIL() << "the backlog does not run empty";
  }

  std::set<std::string> Ids(const std::string& table, std::string_view attribute,
                            std::string_view sort_prefix) {
    std::set<std::string> ids;
    for (const tables::Item& item : Items(table)) {
      if (sort_prefix.empty() || TextOf(item, "SK").starts_with(sort_prefix)) {
        ids.insert(TextOf(item, attribute));
      }
    }
    return ids;
  }

  void ExpectRecordsAgree() {
    const std::set<std::string> images = Ids("ImageMetadata", "id", "METADATA");
    EXPECT_EQ(Ids("photos", "id", ""), images);
    EXPECT_EQ(Ids("sparks", "imageId", "UPLOADED_BY#"), images);
    EXPECT_EQ(Ids("so0050-tintype-ingest", "uuid", ""), images);
    for (const std::string& id : Ids("ImageMetadata", "id", "VERSION#")) {
      EXPECT_TRUE(images.contains(id)) << "version of " << id;
    }
    std::set<std::string> postings;
    for (const tables::Item& item : Items("ImageMetadata")) {
      const contexts::catalog::Image image = contexts::catalog::ImageFromItem(item);
      if (TextOf(item, "SK") != "METADATA") {
        continue;
      }
      for (const std::string& tag : image.tags) {
        postings.insert(StrCat("TAG#", image.user_id, "#", tag, " ", image.id));
      }
      postings.insert(StrCat("CHECKSUM#", image.user_id, " ", image.sha256));
      const bool settled =
          image.processing_status == contexts::catalog::ProcessingStatus::kCompleted ||
          image.processing_status == contexts::catalog::ProcessingStatus::kFailed;
      EXPECT_TRUE(settled) << image.id;
      EXPECT_EQ(ItemReader(item).Has("GSI1SK"), !image.is_trashed()) << image.id;
      EXPECT_EQ(Get(std::string(kBacklog), {{"id", StrCat("delete-image-", image.id)}}).has_value(),
                image.is_trashed())
          << image.id;
    }
    std::set<std::string> posted;
    for (const tables::Item& item : Items("tintype")) {
      const std::string key = TextOf(item, "PK");
      EXPECT_FALSE(key.starts_with("UPLOAD#")) << key;
      if (key.starts_with("TAG#") || key.starts_with("CHECKSUM#")) {
        posted.insert(StrCat(key, " ", TextOf(item, "SK")));
      }
    }
    EXPECT_EQ(posted, postings);
  }

  /// Acts on the changes that the reader had not come to when it was stopped. No last change could
  /// tell that it is through, since shards have no order among each other.
  void FollowTheRest() {
    pipeline::Reconciler reconciler({}, product(), *database_, [] {});
    const auto stored = reconciler.LoadPositions();
    ASSERT_TRUE(stored.ok());
    std::map<tables::ShardName, tables::ChangePosition> positions;
    for (const tables::FollowerPosition& each : *stored) {
      positions[each.shard] = each.position;
    }
    for (const std::string& table : reconciler.tables()) {
      const std::vector<tables::ChangeShard> shards = database_->ListShards(table).value();
      for (const tables::ChangeShard& shard : shards) {
        tables::ReadChangesRequest request{.shard = shard.name, .after = positions[shard.name]};
        for (bool more = true; more;) {
          const auto page = database_->ReadChanges(request);
          ASSERT_TRUE(page.ok()) << page.error().message();
          ASSERT_TRUE(reconciler.Follow(page->changes, {shard.name, page->next, ""}).ok());
          request.after = page->next;
          more = page->more;
        }
      }
    }
  }

  void ExpectJobsEnded() {
    for (const tables::Item& item : Items(std::string(kJobs))) {
      const std::string status = TextOf(item, "status");
      EXPECT_TRUE(status == "COMPLETED" || status == "FAILED") << status;
    }
  }
};

// Proves that after a day with an unreliable database everything is in one consistent state: no
// finding, every copy as its master, every limit as many as there are images, nothing left over.
TEST_F(UnreliableTest, AddsUpInTheEnd) {
  const uint64_t seed = FromEnvironment("TINTYPE_UNRELIABLE_SEED", std::random_device()());
  const auto seconds = std::chrono::seconds(FromEnvironment("TINTYPE_UNRELIABLE_SECONDS", 3));
  std::cout << "TINTYPE_UNRELIABLE_SEED=" << seed << std::endl;
  SCOPED_TRACE(StrCat("seed ", seed));

  UnreliableDatabase database(database_->AsServer(), seed, {});
  const auto wiring = Wire(database, *blobs_);
  const std::vector<Account> accounts = {SignUp("ada"), SignUp("bob")};
  {
    pipeline::Workers workers({.threads = 4,
                               .idle_wait = std::chrono::milliseconds(2),
                               .renew_interval = std::chrono::milliseconds(20)},
                              wiring->product, Steps(wiring->product));
    RunningReconciler reconciler(wiring->product, *database_, [&] { workers.Wake(); });
    const auto deadline = std::chrono::steady_clock::now() + seconds;
    std::atomic<int> deeds = 0;
    std::vector<std::thread> people;
    for (size_t i = 0; i < 4; ++i) {
      people.emplace_back([&, i] {
        Person person(*this, wiring->product, accounts[i % 2], seed + i + 1);
        while (std::chrono::steady_clock::now() < deadline) {
          person.DoSomething();
          ++deeds;
        }
      });
    }
    for (std::thread& thread : people) {
      thread.join();
    }
    database.BecomeReliable();
    workers.Stop();
    const pipeline::WorkersStats stats = workers.stats();
    std::cout << deeds << " deeds; work: " << stats.completed << " done, " << stats.failed
              << " failed, " << stats.lost << " lost, " << stats.dead << " dead" << std::endl;
  }
  FollowTheRest();
  EndAllWork();
  EXPECT_THAT(Findings(), IsEmpty());
  ExpectRecordsAgree();
  ExpectJobsEnded();
  EXPECT_THAT(Blobs("uploads"), IsEmpty());
  for (const Account& account : accounts) {
    int64_t images = 0;
    for (const tables::Item& item : Items("ImageMetadata")) {
      images += TextOf(item, "SK") == "METADATA" && TextOf(item, "userId") == account.id ? 1 : 0;
    }
    EXPECT_EQ(Limit(account), kUploadLimit - images) << account.username;
  }
}

}  // namespace
}  // namespace tintype::product
