#include "flows/upkeep/reconcile.h"

#include <gmock/gmock.h>

#include <atomic>

#include "base/strings.h"
#include "base/testing/eventually.h"
#include "flows/images/trash.h"
#include "flows/images/update_image.h"
#include "product_fixture.h"
#include "tripwire.h"

// What follows from writes that others make straight to the tables, through the endpoint's
// Database.

namespace tintype::product {
namespace {

using contexts::ItemBuilder;
using flows::Account;
using tables::Value;
using testing::ElementsAre;
using testing::IsEmpty;

class ReconcileTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
  }

  tables::BlockingDatabase Endpoint() { return tables::BlockingDatabase(*database_); }
  static tables::Item KeyOf(const std::string& id) {
    return ItemBuilder().Text("PK", StrCat("IMAGE#", id)).Text("SK", "METADATA").Build();
  }
  void DeleteOutside(const std::string& id) {
    ASSERT_TRUE(Endpoint().DeleteItem({"ImageMetadata", KeyOf(id), {}}).ok());
  }
  void SetOutsideIn(const std::string& table, const tables::Item& key, const std::string& name,
                    Value value) {
    ASSERT_TRUE(
        Endpoint()
            .UpdateItem({table,
                         key,
                         contexts::UpdateOf("SET #name = :value",
                                            {{{"#name", name}}, {{":value", std::move(value)}}}),
                         {}})
            .ok());
  }
  /// As the document's update has it, but for the version, which not everybody raises.
  void SetOutside(const std::string& id, const std::string& name, Value value) {
    SetOutsideIn("ImageMetadata", KeyOf(id), name, std::move(value));
  }
  void SetTagsOutside(const std::string& id, const std::vector<std::string>& tags) {
    SetOutside(id, "tags", contexts::TextListValue(tags));
  }
  std::unique_ptr<RunningReconciler> Start() {
    return std::make_unique<RunningReconciler>(product(), *database_);
  }
  bool IsQueued(const std::string& work) {
    const auto found = product().backlog.Find(work);
    return found.ok() && found->has_value();
  }
  /// Returns when everything that was written so far has been read: a change of an image that is
  /// there for this alone has led to work. Twice, since shards are read one after the other: when
  /// the second change is seen, all shards were read after the first.
  void CatchUp() {
    if (marker_.empty()) {
      marker_ = Upload(account_, "marker").id;
    }
    const std::string work = StrCat("reconcile-", marker_);
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(contexts::Transaction(StrCat("withdraw ", ++marks_))
                      .Add(product().backlog.Withdraw(work))
                      .Commit(product().database)
                      .ok());
      SetOutside(marker_, "description", Value::String(StrCat("mark ", marks_)));
      ASSERT_TRUE(Eventually([&] { return IsQueued(work); }));
    }
  }
  std::vector<std::string> Postings(const std::string& id) {
    std::vector<std::string> tags;
    const std::string prefix = StrCat("TAG#", account_.id, "#");
    for (const tables::Item& item : Items("tintype")) {
      if (TextOf(item, "PK").starts_with(prefix) && TextOf(item, "SK") == id) {
        tags.push_back(TextOf(item, "PK").substr(prefix.size()));
      }
    }
    std::ranges::sort(tags);
    return tags;
  }
  std::vector<std::string> SparksTags(const std::string& id) {
    const auto item = Get("sparks", {{"PK", id}, {"SK", "UPLOADED_BY#ada@example.com"}});
    return item ? contexts::ItemReader(*item).TextList("tags") : std::vector<std::string>{"none"};
  }
  std::string Tagged(const std::string& content, const std::vector<std::string>& tags) {
    std::string id = UploadDeveloped(account_, content).id;
    contexts::catalog::DetailsChange change;
    change.tags = tags;
    CHECK(flows::UpdateImage(product(), account_, id, 1, change).ok());
    return id;
  }

  Account account_;
  std::string marker_;
  int marks_ = 0;
};

// Proves that postings of the trash follow what others write: setting `trashedAt` has an image
// posted, with a deletion at the time that is posted; removing it leaves neither; and no posting
// stays of a record that is removed.
TEST_F(ReconcileTest, TheTrashFollows) {
  const auto running = Start();
  const std::string id = UploadDeveloped(account_, "pixels").id;
  const auto posting = [&](const std::string& at) {
    return Get("tintype", {{"PK", StrCat("TRASH#", account_.id)}, {"SK", StrCat(at, "#", id)}});
  };
  const auto due = [&] {
    return IntegerOf(Get("so0050-tintype-backlog", {{"id", StrCat("delete-image-", id)}}), "dueAt");
  };
  const std::string first = "2025-01-01T00:00:00.000Z";
  const std::string second = "2025-02-01T00:00:00.000Z";
  SetOutside(id, "trashedAt", Value::String(first));
  CatchUp();
  Drain();
  EXPECT_EQ(IntegerOf(posting(first), "deletesAt"), clock_.NowMs() + 30 * kDayMs);
  EXPECT_EQ(due(), clock_.NowMs() + 30 * kDayMs);
  SetOutside(id, "trashedAt", Value::String(second));
  CatchUp();
  Drain();
  EXPECT_FALSE(posting(first));
  EXPECT_EQ(IntegerOf(posting(second), "deletesAt"), due());
  ASSERT_TRUE(
      Endpoint()
          .UpdateItem({"ImageMetadata", KeyOf(id), contexts::UpdateOf("REMOVE trashedAt", {}), {}})
          .ok());
  CatchUp();
  Drain();
  EXPECT_FALSE(posting(second));
  EXPECT_FALSE(due());

  ASSERT_TRUE(flows::TrashImage(product(), account_, id).ok());
  const std::string third = TextOf(ImageItem(id), "trashedAt");
  EXPECT_TRUE(posting(third));
  DeleteOutside(id);
  CatchUp();
  Drain();
  EXPECT_FALSE(posting(third));
  EXPECT_THAT(TracesOf(id), IsEmpty());
}

// Proves that a record which somebody deletes ends as the deletion lifecycle does: no records, no
// postings, no blobs, the limit back once.
TEST_F(ReconcileTest, EndsADeletionFromOutside) {
  const std::string id = Tagged("pixels", {"sea", "sun"});
  const auto reconciler = Start();
  DeleteOutside(id);
  ASSERT_TRUE(Eventually([&] { return IsQueued(StrCat("delete-image-", id)); }));
  Drain();
  EXPECT_THAT(TracesOf(id), IsEmpty());
  EXPECT_EQ(Limit(account_), 10);
}

// Proves the same of a record whose time to live has passed.
TEST_F(ReconcileTest, EndsAnExpiry) {
  const std::string id = Tagged("pixels", {"sea"});
  const auto reconciler = Start();
  SetOutside(id, "ttl", Value::Integer(clock_.NowMs() / 1000 + 60));
  clock_.AdvanceMs(2 * 60 * kSecondMs);
  ASSERT_TRUE(Eventually([&] { return IsQueued(StrCat("delete-image-", id)); }));
  Drain();
  EXPECT_THAT(TracesOf(id), IsEmpty());
  EXPECT_EQ(Limit(account_), 10);
}

// Proves that tags and a description that somebody changes end in copies and postings, however
// often they are changed before anyone gets to it, and whether or not that raises the version.
TEST_F(ReconcileTest, MovesCopiesAndPostings) {
  const std::string id = Tagged("pixels", {"sea", "sun"});
  const auto reconciler = Start();
  SetTagsOutside(id, {"sun", "sky"});
  ASSERT_TRUE(Eventually([&] { return IsQueued(StrCat("reconcile-", id)); }));
  SetTagsOutside(id, {"sand", "a\nb"});
  SetTagsOutside(id, {"sun", "rock"});
  SetOutside(id, "description", Value::String("seen from outside"));
  CatchUp();
  Drain();
  EXPECT_THAT(Postings(id), ElementsAre("rock", "sun"));
  EXPECT_THAT(SparksTags(id), ElementsAre("sun", "rock"));
  EXPECT_EQ(TextOf(Get("photos", {{"username", "ada"}, {"id", id}}), "description"),
            "seen from outside");
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a change of ours at any call of a reconciliation counts, and not what was read before
// it.
TEST_F(ReconcileTest, GivesWayToAChangeOfOurs) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto interrupted = Wire(stores.database(), *blobs_);
  bool reached = true;
  for (int n = 1; reached; ++n) {
    ASSERT_LT(n, 40);
    const std::string id = Tagged(StrCat("pixels ", n), {"sea", "sun"});
    auto reconciler = Start();
    SetTagsOutside(id, {"sky"});
    ASSERT_TRUE(Eventually([&] { return IsQueued(StrCat("reconcile-", id)); }));
    reconciler.reset();
    const auto work = product().backlog.Lease();
    ASSERT_TRUE(work.ok() && *work);
    reached = false;
    wire.Interrupt(n, [&] {
      reached = true;
      contexts::catalog::DetailsChange change;
      change.tags = {{"sea", "rock"}};
      change.description = "ours";
      EXPECT_TRUE(flows::UpdateImage(product(), account_, id, 2, change).ok());
    });
    flows::ReconcileImage(interrupted->product, **work).PermitUncheckedError();
    clock_.AdvanceMs(kHourMs);
    Drain();
    if (reached) {
      EXPECT_THAT(Postings(id), ElementsAre("rock", "sea")) << n;
      EXPECT_THAT(SparksTags(id), ElementsAre("sea", "rock")) << n;
    } else {
      EXPECT_THAT(Postings(id), ElementsAre("sky"));
    }
    ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
    Drain();
  }
}

// Proves that lists of tags which we would not take harm nothing: far too many, far too long, the
// same twice, a set, something else.
TEST_F(ReconcileTest, LivesWithTagsOfAnyShape) {
  const std::string id = Tagged("pixels", {"sea"});
  const auto reconciler = Start();
  std::vector<std::string> many(3000);
  for (size_t i = 0; i < many.size(); ++i) {
    many[i] = StrCat("tag ", i);
  }
  const std::vector<Value> shapes = {
      contexts::TextListValue({"twice", "twice", "", std::string(3000, 'x')}),
      contexts::TextListValue(many),
      *Value::Set(tables::Type::kStringSet, {"b", "a"}),
      Value::Integer(7),
      Value::List({Value::Integer(7), Value::String("text")}),
  };
  for (const Value& shape : shapes) {
    SetOutside(id, "tags", shape);
    CatchUp();
    Drain();
    EXPECT_THAT(Findings(), IsEmpty());
  }
  EXPECT_THAT(Postings(id), ElementsAre("text"));
  DeleteOutside(id);
  CatchUp();
  Drain();
  EXPECT_THAT(TracesOf(id), IsEmpty());
}

// Proves that what this server writes itself asks for nothing more.
TEST_F(ReconcileTest, IgnoresOurOwnWrites) {
  const auto reconciler = Start();
  const std::string changed = Tagged("changed", {"sea"});
  const std::string deleted = Tagged("deleted", {"sea"});
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, deleted).ok());
  Drain();
  CatchUp();
  EXPECT_FALSE(IsQueued(StrCat("reconcile-", changed)));
  EXPECT_FALSE(IsQueued(StrCat("delete-image-", deleted)));
  EXPECT_EQ(Limit(account_), 8);
}

// Proves that after a restart nothing is missed and nothing is done twice.
TEST_F(ReconcileTest, GoesOnWhereItWas) {
  const std::string before = Tagged("before", {"sea"});
  const std::string meanwhile = Tagged("meanwhile", {"sea"});
  auto reconciler = Start();
  DeleteOutside(before);
  ASSERT_TRUE(Eventually([&] { return IsQueued(StrCat("delete-image-", before)); }));
  reconciler->Stop();
  Drain();
  DeleteOutside(meanwhile);
  reconciler.reset();
  Open();
  reconciler = Start();
  CatchUp();
  EXPECT_FALSE(IsQueued(StrCat("delete-image-", before)));
  EXPECT_TRUE(IsQueued(StrCat("delete-image-", meanwhile)));
  reconciler.reset();
  Drain();
  EXPECT_THAT(TracesOf(meanwhile), IsEmpty());
  EXPECT_EQ(Limit(account_), 9);  // The marker is left.
}

// Proves that only image records that others add, remove or whose copies they change lead to work,
// and that the record's key says which image it is, not what is in it.
TEST_F(ReconcileTest, KnowsWhatAChangeAsksFor) {
  using tables::Change;
  const auto image = [](const std::string& id, const std::vector<std::string>& tags) {
    return ItemBuilder().Text("id", id).Text("userId", "u").TextList("tags", tags).Build();
  };
  Change change;
  change.table = "ImageMetadata";
  change.event = Change::Event::kModify;
  change.key = KeyOf("1");
  change.old_image = image("2", {"a"});
  change.new_image = image("2", {"b"});
  const auto work_of = [&](const Change& of) {
    const auto work = flows::ConsequenceOf(product(), of);
    return work ? work->id : "";
  };
  EXPECT_EQ(work_of(change), "reconcile-1");
  Change ours = change;
  ours.origin = Change::Origin::kServer;
  EXPECT_EQ(work_of(ours), "");
  Change elsewhere = change;
  elsewhere.table = "tintype";
  EXPECT_EQ(work_of(elsewhere), "");
  Change same = change;
  same.new_image = change.old_image;
  EXPECT_EQ(work_of(same), "");
  Change version = change;
  version.key = ItemBuilder().Text("PK", "IMAGE#1").Text("SK", "VERSION#1").Build();
  EXPECT_EQ(work_of(version), "");
  Change removed = change;
  removed.event = Change::Event::kRemove;
  removed.new_image.reset();
  EXPECT_EQ(work_of(removed), "delete-image-1");
  removed.origin = Change::Origin::kExpiry;
  EXPECT_EQ(work_of(removed), "delete-image-1");
  Change added = change;
  added.event = Change::Event::kInsert;
  added.old_image.reset();
  EXPECT_EQ(work_of(added), "reconcile-1");
}

// Proves that copies which others change become the master's again, and that persons are summed up
// from the taggings that others write.
TEST_F(ReconcileTest, CopiesFollowTheirMaster) {
  const std::string id = Tagged("pixels", {"sea"});
  const auto reconciler = Start();
  const tables::Item photo = ItemBuilder().Text("username", "ada").Text("id", id).Build();
  const tables::Item sparks =
      ItemBuilder().Text("PK", id).Text("SK", "UPLOADED_BY#ada@example.com").Build();
  SetOutsideIn("photos", photo, "description", Value::String("not the catalog's"));
  SetOutsideIn("sparks", sparks, "tags", contexts::TextListValue({"other"}));
  for (const std::string person : {"person2", "person1"}) {
    ASSERT_TRUE(Endpoint()
                    .PutItem({"sparks",
                              ItemBuilder()
                                  .Text("PK", id)
                                  .Text("SK", StrCat("PERSON#", person))
                                  .Text("entityType", StrCat("TAGGING#", person))
                                  .Build(),
                              {}})
                    .ok());
  }
  const auto persons = [&] {
    Drain();
    const auto item = Get("sparks", {{"PK", id}, {"SK", "UPLOADED_BY#ada@example.com"}});
    return contexts::ItemReader(*item).TextList("persons");
  };
  EXPECT_TRUE(Eventually([&] { return persons().size() == 2; }));
  EXPECT_THAT(persons(), ElementsAre("person1", "person2"));
  EXPECT_TRUE(Eventually([&] {
    Drain();
    return TextOf(Get("photos", {{"username", "ada"}, {"id", id}}), "description").empty() &&
           SparksTags(id) == std::vector<std::string>{"sea"};
  }));
  ASSERT_TRUE(
      Endpoint()
          .DeleteItem(
              {"sparks", ItemBuilder().Text("PK", id).Text("SK", "PERSON#person1").Build(), {}})
          .ok());
  EXPECT_TRUE(Eventually([&] { return persons() == std::vector<std::string>{"person2"}; }));
}

// Proves that a photo whose item somebody removes from `photos` is deleted as a whole; and from
// `sparks` too, where giving back the limit is for whoever removes the item.
TEST_F(ReconcileTest, EndsADeletionFromAnyTable) {
  const std::string photo = Tagged("photo", {"sea"});
  const std::string shared = Tagged("shared", {"sea"});
  const auto reconciler = Start();
  ASSERT_TRUE(
      Endpoint()
          .DeleteItem(
              {"photos", ItemBuilder().Text("username", "ada").Text("id", photo).Build(), {}})
          .ok());
  EXPECT_TRUE(Eventually([&] {
    Drain();
    return TracesOf(photo).empty();
  }));
  EXPECT_EQ(Limit(account_), 9);
  ASSERT_TRUE(
      Endpoint()
          .DeleteItem(
              {"sparks",
               ItemBuilder().Text("PK", shared).Text("SK", "UPLOADED_BY#ada@example.com").Build(),
               {}})
          .ok());
  EXPECT_TRUE(Eventually([&] {
    Drain();
    return TracesOf(shared).empty();
  }));
  EXPECT_EQ(Limit(account_), 9);
}

// Proves that a record which others add gets its postings, and that one of nobody's harms nothing.
TEST_F(ReconcileTest, FollowsNewRecords) {
  const auto reconciler = Start();
  contexts::catalog::Image image;
  image.id = "from-outside";
  image.user_id = account_.id;
  image.uploaded_at = "2026-01-02T03:04:05.678Z";
  image.tags = {"sea"};
  ASSERT_TRUE(Endpoint().PutItem({"ImageMetadata", contexts::catalog::ToItem(image), {}}).ok());
  EXPECT_TRUE(Eventually([&] {
    Drain();
    return Postings(image.id) == std::vector<std::string>{"sea"};
  }));
  for (const std::string table : {"photos", "sparks"}) {
    const tables::Item item = table == "photos"
                                  ? ItemBuilder().Text("username", "x").Text("id", "x").Build()
                                  : ItemBuilder().Text("PK", "x").Text("SK", "PERSON#x").Build();
    ASSERT_TRUE(Endpoint().PutItem({table, item, {}}).ok());
    ASSERT_TRUE(Endpoint().DeleteItem({table, item, {}}).ok());
  }
  CatchUp();
  Drain();
  EXPECT_EQ(Postings(image.id), std::vector<std::string>{"sea"});
  EXPECT_THAT(product().backlog.List({contexts::backlog::WorkStatus::kDead, 100, {}})->work,
              IsEmpty());
}

// Proves that a job which others write is worked on as one of ours, and fails where REST would have
// refused it.
TEST_F(ReconcileTest, WorksOnJobsFromOutside) {
  const std::string id = Tagged("pixels", {});
  const flows::Account other = SignUp("bob");
  const auto reconciler = Start();
  const auto add = [&](const std::string& job, const std::string& user, const std::string& image) {
    contexts::jobs::Job item;
    item.id = job;
    item.user_id = user;
    item.image_id = image;
    item.provider = "stub";
    item.operations = "[]";
    const std::string table = contexts::jobs::Jobs::Table(Config().environment).definition.name;
    ASSERT_TRUE(Endpoint().PutItem({table, contexts::jobs::ToItem(item), {}}).ok());
  };
  const auto ends_as = [&](const std::string& job, contexts::jobs::JobStatus status) {
    return Eventually([&] {
      Drain();
      const auto found = product().jobs.Find(job);
      return found.ok() && *found && (*found)->status == status;
    });
  };
  add("good", account_.id, id);
  EXPECT_TRUE(ends_as("good", contexts::jobs::JobStatus::kCompleted));
  add("of-another", other.id, id);
  add("of-nothing", account_.id, "nothing");
  EXPECT_TRUE(ends_as("of-another", contexts::jobs::JobStatus::kFailed));
  EXPECT_TRUE(ends_as("of-nothing", contexts::jobs::JobStatus::kFailed));
  EXPECT_EQ((*product().jobs.Find("of-another"))->error->code, "INVALID_JOB");
  EXPECT_EQ(product().catalog.ListVersions(id)->size(), 1U);
}

/// The log of a service that several servers write: it does not say who made a change.
class AnonymousLog : public tables::ChangeLog {
 public:
  explicit AnonymousLog(tables::ChangeLog& log) : log_(log) {}

  Result<std::vector<tables::ChangeShard>> ListShards(const std::string& table) override {
    return log_.ListShards(table);
  }
  Result<tables::ReadChangesResponse> ReadChanges(
      const tables::ReadChangesRequest& request) override {
    auto response = log_.ReadChanges(request);
    if (response.ok()) {
      for (tables::Change& change : response->changes) {
        change.origin = tables::Change::Origin::kUnknown;
      }
    }
    return response;
  }
  uint64_t CommitCount() const override { return log_.CommitCount(); }
  bool WaitForCommit(uint64_t seen, std::chrono::milliseconds at_most) override {
    return log_.WaitForCommit(seen, at_most);
  }

 private:
  tables::ChangeLog& log_;
};

// Proves that a record no key can be made of holds up nothing: not the changes after it, and not
// the workers.
TEST_F(ReconcileTest, LivesWithAUserIdOfAnyLength) {
  const std::string id = Tagged("pixels", {"sea"});
  tables::Item odd = ItemBuilder()
                         .Text("PK", "IMAGE#odd")
                         .Text("SK", "METADATA")
                         .Text("userId", std::string(3000, 'u'))
                         .TextList("tags", {"sea"})
                         .Build();
  ASSERT_TRUE(Endpoint().PutItem({"ImageMetadata", odd, {}}).ok());
  SetTagsOutside(id, {"sky"});
  const auto change = [](const std::string& position, const std::string& of,
                         std::optional<tables::Item> after) {
    tables::Change made;
    made.position = position;
    made.table = "ImageMetadata";
    made.origin = tables::Change::Origin::kUnknown;
    made.key = KeyOf(of);
    made.new_image = std::move(after);
    return made;
  };
  pipeline::Reconciler anonymous({}, product(), *database_, {});
  const std::vector<tables::Change> changes = {change("1", "odd", odd),
                                               change("2", id, ImageItem(id))};
  const Status followed = anonymous.Follow(changes, {{"ImageMetadata", "shard"}, "2", ""});
  ASSERT_TRUE(followed.ok()) << followed.error().message();
  EXPECT_TRUE(IsQueued(StrCat("reconcile-", id)));

  const auto reconciler = Start();
  ASSERT_TRUE(Eventually([&] { return IsQueued("reconcile-odd"); }));
  Drain();
  EXPECT_EQ((*product().backlog.Find("reconcile-odd"))->status,
            contexts::backlog::WorkStatus::kDead);
  DeleteOutside("odd");
  ASSERT_TRUE(Eventually([&] { return IsQueued("delete-image-odd"); }));
  Drain();
  EXPECT_FALSE(IsQueued("delete-image-odd"));
}

// Proves that where nobody knows who made a change, ours lead to nothing and those of others to the
// same as elsewhere.
TEST_F(ReconcileTest, WritesOnlyWhatDiffersWhenNobodyKnowsTheOrigin) {
  const std::string kept = Tagged("kept", {"sea"});
  const std::string deleted = Tagged("deleted", {"sea"});
  const std::string outside = Tagged("outside", {"sea"});
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, deleted).ok());
  Drain();
  AnonymousLog log(*database_);
  std::atomic<int> queued = 0;
  RunningReconciler reconciler(product(), log, [&] { ++queued; });
  // All shards have been read once: earlier changes have led to nothing.
  ASSERT_TRUE(Eventually([&] {
    return Query("tintype", "", "PK = :follower",
                 {{}, {{":follower", Value::String("FOLLOWER#reconciler")}}})
               .size() == 4 * reconciler.reconciler.tables().size();
  }));
  EXPECT_EQ(queued, 0);
  SetTagsOutside(kept, {"sky"});
  ASSERT_TRUE(Eventually([&] { return IsQueued(StrCat("reconcile-", kept)); }));
  Drain();
  EXPECT_THAT(Postings(kept), ElementsAre("sky"));
  EXPECT_EQ(queued, 1);
  DeleteOutside(outside);
  ASSERT_TRUE(Eventually([&] { return IsQueued(StrCat("delete-image-", outside)); }));
  Drain();
  EXPECT_THAT(TracesOf(outside), IsEmpty());
  EXPECT_EQ(Limit(account_), 9);
  EXPECT_EQ(queued, 2);
}

}  // namespace
}  // namespace tintype::product
