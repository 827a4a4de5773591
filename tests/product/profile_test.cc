#include "flows/accounts/profile.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/strings.h"
#include "base/time_text.h"
#include "blobs/testing/whole_blobs.h"
#include "contexts/identity/reasons.h"
#include "crypto/digest.h"
#include "flows/accounts/delete_account.h"
#include "flows/accounts/profile_picture.h"
#include "flows/media_keys.h"
#include "product_fixture.h"
#include "tripwire.h"

// Profiles and their pictures: the account, its copy in Sparks, and the blob agree.

namespace tintype::product {
namespace {

using flows::Account;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr int64_t kMinuteMs = 60 * kSecondMs;

class ProfileTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    ada_ = SignUp("ada");
  }

  Account Now(const Account& account) {
    const auto found = product().accounts.Find(account.id);
    CHECK(found.ok() && *found);
    return **found;
  }
  std::optional<tables::Item> User(const Account& account) {
    return Get("sparks", {{"PK", account.email}, {"SK", account.email}});
  }
  /// The bytes under the key of the account's picture; empty when there are none.
  std::string Stored(const Account& account) {
    const auto bytes = blobs::GetBlob(*blobs_, {"images", flows::ProfilePictureKey(account.email)});
    return bytes.ok() ? *bytes : "";
  }
  std::vector<std::string> Pictures() {
    std::vector<std::string> keys;
    for (const std::string& key : Blobs("images")) {
      if (key.starts_with("profile-pictures/")) {
        keys.push_back(key);
      }
    }
    return keys;
  }
  Account SetPicture(const Account& account, std::string_view jpeg) {
    const auto set = flows::SetProfilePicture(product(), account.id, jpeg);
    CHECK(set.ok());
    return *set;
  }
  /// Time goes by in which the server is up.
  void Wait(int64_t ms) {
    for (int64_t waited = 0; waited < ms; waited += kMinuteMs) {
      clock_.AdvanceMs(kMinuteMs);
      Drain();
    }
  }
  /// The blob, the account and the USER item say the same.
  void ExpectAgreement(const Account& account) {
    const Account now = Now(account);
    const std::string stored = Stored(account);
    EXPECT_EQ(now.picture_sha256.has_value(), !stored.empty());
    EXPECT_EQ(now.picture_sha256.value_or(crypto::Sha256Hex("")), crypto::Sha256Hex(stored));
    EXPECT_EQ(TextOf(User(account), "profilePicture"),
              stored.empty() ? "" : flows::ProfilePictureKey(account.email));
  }
  /// As if it had been written an hour ago by the clock of the test.
  void Age(const Account& account) {
    const std::string path =
        StrCat(directory_.path(), "/blobs/images/", flows::ProfilePictureKey(account.email));
    const auto now = std::filesystem::file_time_type::clock::now();
    const auto real_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                             std::chrono::system_clock::now().time_since_epoch())
                             .count();
    std::filesystem::last_write_time(
        path, now - std::chrono::milliseconds(real_ms - clock_.NowMs() + kHourMs));
  }

  Account ada_;
};

// Proves that the account and the USER item change together, each text by itself, and that the
// item has what else the profile consists of.
TEST_F(ProfileTest, ChangesAccountAndUser) {
  const auto text = [&](std::string_view name) { return TextOf(User(ada_), name); };
  EXPECT_EQ(text("userId"), ada_.id);
  EXPECT_EQ(IntegerOf(User(ada_), "createdAt"), ada_.created_ms / 1000);
  clock_.AdvanceMs(kHourMs);
  ASSERT_TRUE(flows::ChangeProfile(product(), ada_, {.display_name = {"Ada Lovelace"}}).ok());
  EXPECT_EQ(text("username"), "Ada Lovelace");
  EXPECT_EQ(text("displayName"), "Ada Lovelace");
  EXPECT_EQ(text("lastModified"), TimeText(clock_.NowMs()));
  const auto changed =
      flows::ChangeProfile(product(), Now(ada_), {.about = {"Counts with machines."}});
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(changed->display_name, "Ada Lovelace");
  EXPECT_EQ(text("about"), "Counts with machines.");
  EXPECT_EQ(text("username"), "Ada Lovelace");
  const std::optional<std::string> nothing;
  ASSERT_TRUE(
      flows::ChangeProfile(product(), Now(ada_), {.display_name = nothing, .about = nothing}).ok());
  EXPECT_EQ(Now(ada_).display_name, std::nullopt);
  EXPECT_EQ(Now(ada_).about, std::nullopt);
  EXPECT_EQ(text("username"), "ada");
  EXPECT_EQ(text("displayName"), "");
  EXPECT_EQ(text("about"), "");
  EXPECT_TRUE(flows::ChangeProfile(product(), ada_, {}).ok());
  EXPECT_EQ(KindOf(flows::ChangeProfile(product(), ada_, {.about = {std::string(501, 'x')}})),
            ErrorKind::kValidation);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a USER item from before it had these attributes gets them with the next change.
TEST_F(ProfileTest, CompletesAnOldUserItem) {
  CHECK(tables::BlockingDatabase(*database_)
            .PutItem({"sparks",
                      contexts::ItemBuilder()
                          .Text("PK", ada_.email)
                          .Text("SK", ada_.email)
                          .Text("entityType", "USER")
                          .Text("email", ada_.email)
                          .Text("username", "ada")
                          .Build(),
                      {}})
            .ok());
  EXPECT_THAT(Findings(), IsEmpty());
  SetPicture(ada_, "pixels");
  EXPECT_EQ(TextOf(User(ada_), "userId"), ada_.id);
  EXPECT_EQ(IntegerOf(User(ada_), "createdAt"), ada_.created_ms / 1000);
  ExpectAgreement(ada_);
}

// Proves that a picture is at the document's key, that another one has another revision and the
// same one has not, and that none is left when it is removed.
TEST_F(ProfileTest, HasAPicture) {
  EXPECT_EQ(SetPicture(ada_, "first").picture_revision, 1);
  EXPECT_THAT(Pictures(), ElementsAre(StrCat("profile-pictures/", ada_.email, "/profile.jpg")));
  EXPECT_EQ(Stored(ada_), "first");
  ExpectAgreement(ada_);
  EXPECT_EQ(SetPicture(ada_, "first").picture_revision, 1);
  EXPECT_EQ(SetPicture(ada_, "second").picture_revision, 2);
  EXPECT_EQ(Stored(ada_), "second");
  ExpectAgreement(ada_);
  EXPECT_EQ(flows::RemoveProfilePicture(product(), ada_.id)->picture_revision, 3);
  EXPECT_THAT(Pictures(), IsEmpty());
  ExpectAgreement(ada_);
  EXPECT_EQ(flows::RemoveProfilePicture(product(), ada_.id)->picture_revision, 3);
  // Links to the first one stay what they were: no good.
  EXPECT_EQ(SetPicture(ada_, "first").picture_revision, 4);
  EXPECT_FALSE(product().backlog.CountIn(contexts::backlog::WorkStatus::kDelayed, 10)->total());
}

// Proves that accounts whose emails look like paths have pictures of their own.
TEST_F(ProfileTest, KeepsEmailsApart) {
  const auto other = flows::CreateAccount(product(), {"ada@example.com/x", "slash", "hash"});
  ASSERT_TRUE(other.ok());
  SetPicture(ada_, "of ada");
  SetPicture(*other, "of the other");
  ASSERT_TRUE(flows::DeleteAccount(product(), {Administrator().id}, ada_.id).ok());
  Wait(2 * kMinuteMs);
  EXPECT_FALSE(product().accounts.Find(ada_.id)->has_value());
  EXPECT_EQ(Stored(*other), "of the other");
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that blob, account and USER item agree again a while after any crash between two calls,
// whether a picture is set for the first time, replaced or removed, and that nothing is left over.
TEST_F(ProfileTest, AgreesAfterACrash) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  tripped->product.retries.attempts_max = 1;
  for (const std::string what : {"set", "replace", "remove"}) {
    FailingCalls calls(wire);
    while (calls.Next()) {
      const Account account = SignUp(StrCat(what, calls.turn()));
      if (what != "set") {
        SetPicture(account, "before");
      }
      calls.Arm();
      const auto changed = what == "remove"
                               ? flows::RemoveProfilePicture(tripped->product, account.id)
                               : flows::SetProfilePicture(tripped->product, account.id, "after");
      calls.Note(changed.ok());
      const std::string stored = Stored(account);
      Wait(2 * kMinuteMs);
      EXPECT_EQ(Stored(account), stored) << what << " " << calls.n();
      ExpectAgreement(account);
    }
    EXPECT_GT(calls.turn(), 10) << what;
  }
  EXPECT_FALSE(product().backlog.CountIn(contexts::backlog::WorkStatus::kDelayed, 10)->total());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that of two who change a picture at once, wherever the one comes in between, one has
// theirs, whole, and nothing has to be put right later.
TEST_F(ProfileTest, OneOfTwoWins) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto slow = Wire(stores.database(), stores.blobs());
  for (const bool removes : {false, true}) {
    int n = 0;
    bool tripped = true;
    while (tripped) {
      const Account account = SignUp(StrCat(removes ? "remover" : "setter", ++n));
      SetPicture(account, "before");
      wire.Interrupt(n, [&] {
        const auto quick = removes ? flows::RemoveProfilePicture(product(), account.id)
                                   : flows::SetProfilePicture(product(), account.id, "quick");
        EXPECT_TRUE(quick.ok());
      });
      EXPECT_TRUE(flows::SetProfilePicture(slow->product, account.id, "slow").ok());
      tripped = wire.tripped();
      wire.Set(0, Tripwire::When::kNever);
      ExpectAgreement(account);
    }
    EXPECT_GT(n, 5);
  }
}

// The same with threads, as requests come.
TEST_F(ProfileTest, ManyAtOnceAgree) {
  for (int round = 0; round < 5; ++round) {
    InThreads(4, [&](int i) {
      EXPECT_TRUE(
          flows::SetProfilePicture(product(), ada_.id, StrCat("picture ", round, " ", i)).ok());
    });
    ExpectAgreement(ada_);
    EXPECT_TRUE(Stored(ada_).starts_with(StrCat("picture ", round, " ")));
  }
}

// Proves that a picture that comes while its account is deleted does not stay, wherever the
// deletion comes in between.
TEST_F(ProfileTest, GoesWithTheAccount) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto slow = Wire(stores.database(), stores.blobs());
  const flows::Actor root{Administrator().id};
  for (const bool to_the_end : {false, true}) {
    int n = 0;
    bool tripped = true;
    while (tripped) {
      const Account account = SignUp(StrCat(to_the_end ? "gone" : "going", ++n));
      SetPicture(account, "before");
      wire.Interrupt(n, [&] {
        EXPECT_TRUE(flows::DeleteAccount(product(), root, account.id).ok());
        if (to_the_end) {
          Wait(2 * kMinuteMs);
        }
      });
      const auto set = flows::SetProfilePicture(slow->product, account.id, "after");
      tripped = wire.tripped();
      wire.Set(0, Tripwire::When::kNever);
      if (tripped && !set.ok()) {
        EXPECT_TRUE(set.error().Is(contexts::identity::kAccountDeleting));
      }
      if (tripped) {
        Wait(3 * kMinuteMs);
        EXPECT_FALSE(product().accounts.Find(account.id)->has_value());
        EXPECT_EQ(Stored(account), "") << n;
      }
    }
    EXPECT_GT(n, 5);
  }
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a server that dies while the account is deleted under a picture that comes leaves no
// picture either.
TEST_F(ProfileTest, GoesWithTheAccountAfterACrash) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  tripped->product.retries.attempts_max = 1;
  const flows::Actor root{Administrator().id};
  FailingCalls calls(wire);
  while (calls.Next()) {
    const Account account = SignUp(StrCat("user", calls.turn()));
    calls.Arm();
    calls.Note(flows::SetProfilePicture(tripped->product, account.id, "after").ok());
    ASSERT_TRUE(flows::DeleteAccount(product(), root, account.id).ok());
    Wait(3 * kMinuteMs);
    EXPECT_FALSE(product().accounts.Find(account.id)->has_value());
    EXPECT_EQ(Stored(account), "") << calls.n();
  }
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that work which somebody else put into the backlog takes no picture away.
TEST_F(ProfileTest, SettlesNothingThatIsRight) {
  SetPicture(ada_, "pixels");
  contexts::backlog::Work work;
  work.id = "settle-picture-forged";
  work.type = flows::kSettlePictureWork;
  for (const std::string& id : {ada_.id, std::string("nobody")}) {
    work.input = {{"accountId", id}, {"email", ada_.email}};
    ASSERT_TRUE(contexts::Transaction(StrCat("forged ", id))
                    .Add(product().backlog.Enqueue(work))
                    .Commit(product().database)
                    .ok());
    Drain();
    EXPECT_EQ(Stored(ada_), "pixels");
    EXPECT_EQ(Now(ada_).picture_revision, 1);
  }
}

// Proves that a picture which a deleted account left under its email goes, and does not become the
// picture of the next account of that email; and that blob and records agree though that one sets
// its own picture at any moment of this.
TEST_F(ProfileTest, TakesNothingOverFromAnAccountThatIsGone) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto slow = Wire(stores.database(), stores.blobs());
  bool tripped = true;
  for (int n = 1; tripped; ++n) {
    const Account heir = SignUp(StrCat("heir", n));
    const blobs::BlobKey blob{"images", flows::ProfilePictureKey(heir.email)};
    ASSERT_TRUE(blobs::PutBlob(*blobs_, blob, "left").ok());
    contexts::backlog::Work work;
    work.id = StrCat("settle-picture-", n);
    work.type = flows::kSettlePictureWork;
    work.input = {{"accountId", "nobody"}, {"email", heir.email}};
    ASSERT_TRUE(contexts::Transaction(work.id)
                    .Add(product().backlog.Enqueue(work))
                    .Commit(product().database)
                    .ok());
    wire.Interrupt(
        n, [&] { EXPECT_TRUE(flows::SetProfilePicture(product(), heir.id, "quick").ok()); });
    DoOne(slow->product);
    tripped = wire.tripped();
    wire.Set(0, Tripwire::When::kNever);
    Wait(2 * kMinuteMs);
    EXPECT_NE(Stored(heir), "left") << n;
    ExpectAgreement(heir);
    if (!tripped) {
      EXPECT_EQ(Stored(heir), "");
      EXPECT_GT(n, 5);
    }
  }
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that the scrub tells of a picture that is lost or another one, of one without an account,
// and of a copy that differs; and not of what is just being written.
TEST_F(ProfileTest, IsScrubbed) {
  const std::string key = flows::ProfilePictureKey(ada_.email);
  const blobs::BlobKey blob{"images", key};
  SetPicture(ada_, "pixels");
  ASSERT_THAT(Findings(), IsEmpty());
  ASSERT_TRUE(blobs::PutBlob(*blobs_, blob, "others").ok());
  EXPECT_THAT(Findings(), IsEmpty());
  Age(ada_);
  EXPECT_THAT(Findings(), ElementsAre(StrCat("damaged-blob ", ada_.id, " images/", key)));
  ASSERT_TRUE(blobs_->Delete(blob).ok());
  EXPECT_THAT(Findings(), ElementsAre(StrCat("missing-blob ", ada_.id, " images/", key)));
  ASSERT_TRUE(flows::RemoveProfilePicture(product(), ada_.id).ok());
  EXPECT_THAT(Findings(), IsEmpty());

  Account nobody = ada_;
  nobody.email = "nobody@example.com";
  for (const Account& account : {ada_, nobody}) {
    ASSERT_TRUE(
        blobs::PutBlob(*blobs_, {"images", flows::ProfilePictureKey(account.email)}, "x").ok());
    EXPECT_THAT(Findings(), account.email == ada_.email
                                ? std::vector<std::string>{}
                                : std::vector{StrCat("orphaned-blob ", ada_.id, " images/", key)});
    Age(account);
  }
  EXPECT_THAT(Findings(),
              UnorderedElementsAre(
                  StrCat("orphaned-blob ", ada_.id, " images/", key),
                  "orphaned-blob  images/profile-pictures/nobody@example.com/profile.jpg"));
  for (const Account& account : {ada_, nobody}) {
    ASSERT_TRUE(blobs_->Delete({"images", flows::ProfilePictureKey(account.email)}).ok());
  }

  ASSERT_TRUE(contexts::Transaction("foreign")
                  .Add(contexts::people::People::ChangeUser(
                      {ada_.email, "ada"}, {.username = "somebody"}, "2026-01-01T00:00:00.000Z"))
                  .Commit(product().database)
                  .ok());
  EXPECT_THAT(Findings(), ElementsAre(StrCat("differing-copy ", ada_.id, " sparks ", ada_.email)));
}

}  // namespace
}  // namespace tintype::product
