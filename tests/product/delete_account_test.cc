#include "flows/accounts/delete_account.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/strings.h"
#include "contexts/identity/reasons.h"
#include "contexts/intake/imports.h"
#include "flows/accounts/api_keys.h"
#include "flows/accounts/manage_accounts.h"
#include "flows/accounts/profile.h"
#include "flows/accounts/profile_picture.h"
#include "flows/accounts/sign_in.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "flows/images/update_image.h"
#include "flows/upkeep/purge_work.h"
#include "flows/uploads/resumable_upload.h"
#include "product_fixture.h"
#include "tripwire.h"

// Accounts that are deleted with all that is their own.

namespace tintype::product {
namespace {

using contexts::backlog::Work;
using flows::Account;
using testing::IsEmpty;

class DeleteAccountTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    root_ = {Administrator().id};
    bob_ = SignUp("bob");
    bobs_ = UploadDeveloped(bob_, "the same pixels").id;
    Drain();
  }

  /// An account that has something of everything.
  Account MakeRich(const std::string& username) {
    Account account = SignUp(username);
    // The same bytes as another account's, which stay there.
    images_ = {UploadDeveloped(account, "the same pixels").id,
               UploadDeveloped(account, StrCat(username, " shared")).id,
               UploadDeveloped(account, StrCat(username, " trashed")).id};
    CHECK(flows::SetImageVisibility(product(), account, images_[1],
                                    contexts::people::Visibility::kShared)
              .ok());
    CHECK(flows::CreateJob(product(), account, {images_[0], "stub", "[]"}).ok());
    Drain();
    CHECK(flows::TrashImage(product(), account, images_[2]).ok());
    // Not even developed.
    images_.push_back(Upload(account, StrCat(username, " new")).id);
    CHECK(flows::BeginLongUpload(product(), account, {"on-its-way.png"}, {.length = 100}).ok());
    CHECK(flows::LogIn(product(), identity_->identity,
                       {username, "correct horse battery", "192.0.2.1"})
              .ok());
    CHECK(flows::CreateApiKey(product(), account, {"key", {"read"}, {}}).ok());
    CHECK(flows::MakePasswordLink(product(), account.id).ok());
    CHECK(flows::ChangeProfile(product(), account, {.display_name = {"Somebody"}}).ok());
    CHECK(contexts::Transaction(StrCat("import ", account.id))
              .Add(contexts::intake::Imports::Record({account.id, "hash", "a.png", 1, 1, "", true}))
              .Commit(product().database, product().retries)
              .ok());
    CHECK(flows::SetProfilePicture(product(), account.id, "pixels").ok());
    return account;
  }

  /// Everything that names the account by its id, email or username, in tables and buckets.
  std::vector<std::string> TracesOfAccount(const Account& account) {
    std::vector<std::string> traces;
    for (const contexts::ProductTable& table : flows::ProductTables(Config())) {
      for (const tables::Item& item : Items(table.definition.name)) {
        if (item.payload().find(account.id) != std::string::npos ||
            item.payload().find(account.email) != std::string::npos) {
          traces.push_back(StrCat(table.definition.name, " ", TextOf(item, "PK"),
                                  TextOf(item, "jobId"), TextOf(item, "id")));
        }
      }
    }
    for (const std::string bucket : {"images", "uploads"}) {
      for (const std::string& key : Blobs(bucket)) {
        if (key.find(account.id) != std::string::npos ||
            key.find(account.email) != std::string::npos) {
          traces.push_back(key);
        }
      }
    }
    return traces;
  }

  /// Works until nothing is due within a day.
  void DrainAll() {
    for (int i = 0; i < 20; ++i) {
      clock_.AdvanceMs(3 * kSecondMs);
      Drain();
    }
  }

  void ExpectGone(const Account& account) {
    EXPECT_FALSE(product().accounts.Find(account.id)->has_value());
    for (const std::string& id : images_) {
      EXPECT_THAT(TracesOf(id), IsEmpty());
    }
    // Uploads that were given up.
    EXPECT_THAT(TracesOfAccount(account), IsEmpty());
  }

  void ExpectOthersStay() {
    EXPECT_TRUE(ImageItem(bobs_));
    EXPECT_EQ(product().catalog.ListOfUser(bob_.id, 10, {})->images.size(), 1U);
    EXPECT_EQ(Limit(bob_), 9);
    EXPECT_TRUE(
        flows::LogIn(product(), identity_->identity, {"bob", "correct horse battery", "192.0.2.1"})
            .ok());
  }

  flows::Actor root_;
  Account bob_;
  std::string bobs_;
  std::vector<std::string> images_;  // Of the account that was made last.
};

// Proves that everything of an account goes and nothing of anybody else, and that its names are
// free then.
TEST_F(DeleteAccountTest, DeletesEverythingThatIsItsOwn) {
  const Account ada = MakeRich("ada");
  ASSERT_TRUE(flows::DeleteAccount(product(), root_, ada.id).ok());
  ASSERT_TRUE(flows::DeleteAccount(product(), root_, ada.id).ok());
  const auto deleting = flows::FindAccount(product(), ada.id);
  ASSERT_TRUE(deleting.ok());
  EXPECT_TRUE(deleting->account.deleting);
  DrainAll();
  ExpectGone(ada);
  ExpectOthersStay();
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(KindOf(flows::DeleteAccount(product(), root_, ada.id)), ErrorKind::kNotFound);
  const Account again = SignUp("ada");
  EXPECT_NE(again.id, ada.id);
  EXPECT_EQ(Limit(again), 10);
  EXPECT_THAT(product().catalog.ListOfUser(again.id, 10, {})->images, IsEmpty());
}

// Proves that from the first moment nobody signs in, changes or opens the account, and that its
// names are taken until the end.
TEST_F(DeleteAccountTest, DisablesAtOnceAndForGood) {
  const Account ada = MakeRich("ada");
  const std::string link = flows::MakePasswordLink(product(), ada.id)->token;
  ASSERT_TRUE(flows::DeleteAccount(product(), root_, ada.id).ok());
  const auto log_in =
      flows::LogIn(product(), identity_->identity, {"ada", "correct horse battery", "192.0.2.1"});
  ASSERT_FALSE(log_in.ok());
  EXPECT_TRUE(log_in.error().Is(contexts::identity::kAccountDisabled));
  const auto enabled = flows::ChangeAccount(product(), root_, ada.id, {.disabled = false});
  ASSERT_FALSE(enabled.ok());
  EXPECT_TRUE(enabled.error().Is(contexts::identity::kAccountDeleting));
  const auto another = flows::MakePasswordLink(product(), ada.id);
  ASSERT_FALSE(another.ok());
  EXPECT_TRUE(another.error().Is(contexts::identity::kAccountDeleting));
  EXPECT_EQ(KindOf(flows::CreateAccount(product(), {"ada@example.com", "other", ""})),
            ErrorKind::kInUse);
}

// Proves that administrators cannot delete themselves, and that there is nobody to delete where
// there is no account.
TEST_F(DeleteAccountTest, RefusesOnesOwnAndUnknownAccounts) {
  const Status own = flows::DeleteAccount(product(), root_, root_.account_id);
  ASSERT_FALSE(own.ok());
  EXPECT_TRUE(own.error().Is(flows::kOwnAccount));
  EXPECT_EQ(KindOf(flows::DeleteAccount(product(), root_, "nobody")), ErrorKind::kNotFound);
}

// Proves that work which nobody asked for deletes nobody, and that the work cannot be purged.
TEST_F(DeleteAccountTest, DoesWhatWasAskedForAlone) {
  Work stray;
  stray.id = "delete-account-stray";
  stray.type = flows::kDeleteAccountWork;
  stray.input.emplace("accountId", bob_.id);
  ASSERT_TRUE(contexts::Transaction("stray")
                  .Add(product().backlog.Enqueue(stray))
                  .Commit(product().database, product().retries)
                  .ok());
  EXPECT_EQ(KindOf(flows::WhatPurgingLoses(product(), stray)), ErrorKind::kValidation);
  DrainAll();
  ExpectOthersStay();
}

// Proves that a deletion ends wherever it crashed: at each call of each of its turns, before and
// after the call was done.
TEST_F(DeleteAccountTest, EndsWhereverItCrashed) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  tripped->product.retries.attempts_max = 1;
  FailingCalls calls(wire);
  while (calls.Next()) {
    const Account account = MakeRich(StrCat("user", calls.turn()));
    ASSERT_TRUE(flows::DeleteAccount(product(), root_, account.id).ok());
    clock_.AdvanceMs(3 * kSecondMs);
    // The first turn, in which everything is found.
    std::optional<Work> work;
    while (!work) {
      const auto leased = product().backlog.Lease();
      ASSERT_TRUE(leased.ok() && *leased);
      if ((*leased)->type == flows::kDeleteAccountWork) {
        work = **leased;
      } else {
        ASSERT_TRUE(Steps(product()).at((*leased)->type).run(**leased).ok());
      }
    }
    calls.Arm();
    calls.Note(flows::ContinueDeleteAccount(tripped->product, *work).ok());
    clock_.AdvanceMs(kHourMs);
    DrainAll();
    ExpectGone(account);
  }
  EXPECT_GT(calls.turn(), 16);  // Or the wire is not where it should be.
  ExpectOthersStay();
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves the same of the last turn, in which the account itself goes.
TEST_F(DeleteAccountTest, EndsWhereverItsLastTurnCrashed) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  tripped->product.retries.attempts_max = 1;
  FailingCalls calls(wire);
  while (calls.Next()) {
    images_.clear();
    const Account account = SignUp(StrCat("user", calls.turn()));
    ASSERT_TRUE(flows::CreateApiKey(product(), account, {"key", {"read"}, {}}).ok());
    ASSERT_TRUE(flows::DeleteAccount(product(), root_, account.id).ok());
    clock_.AdvanceMs(3 * kSecondMs);
    const auto leased = product().backlog.Lease();
    ASSERT_TRUE(leased.ok() && *leased);
    calls.Arm();
    calls.Note(flows::ContinueDeleteAccount(tripped->product, **leased).ok());
    clock_.AdvanceMs(kHourMs);
    DrainAll();
    ExpectGone(account);
  }
  EXPECT_GT(calls.turn(), 10);
  ExpectOthersStay();
}

}  // namespace
}  // namespace tintype::product
