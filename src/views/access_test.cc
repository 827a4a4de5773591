#include "views/access.h"

#include <gtest/gtest.h>

namespace tintype::views {
namespace {

using contexts::catalog::Image;
using contexts::people::Sharing;
using contexts::people::Visibility;

const contexts::identity::Account kAda{"ada-id", "ada@example.org", "ada"};
const contexts::identity::Account kBob{"bob-id", "bob@example.org", "bob"};
constexpr Sharing kShared{Visibility::kShared, false};
constexpr Sharing kPrivate{Visibility::kPrivate, false};
constexpr Sharing kSharedInTrash{Visibility::kShared, true};

Image AdasImage() {
  Image image;
  image.id = "image";
  image.user_id = kAda.id;
  return image;
}

// Proves the rule case by case, for the owner and for somebody else.
TEST(AccessTest, DecidesBySharingAndTrash) {
  const Image kept = AdasImage();
  Image trashed = AdasImage();
  trashed.trashed_at = "2026-01-01T00:00:00Z";
  struct Case {
    const char* what;
    ImageFacts facts;
    Sight owner;
    Sight other;
  };
  const Case cases[] = {
      {"shared", {&kept, kShared}, Sight::kEverything, Sight::kRenditions},
      {"private", {&kept, kPrivate}, Sight::kEverything, Sight::kNothing},
      {"nobody said", {&kept, {}}, Sight::kEverything, Sight::kNothing},
      {"taken out of the feed", {&kept, kSharedInTrash}, Sight::kEverything, Sight::kNothing},
      {"in the trash", {&trashed, kSharedInTrash}, Sight::kNothing, Sight::kNothing},
      {"in the trash, still shared", {&trashed, kShared}, Sight::kNothing, Sight::kNothing},
      {"in sparks alone", {nullptr, kShared}, Sight::kRenditions, Sight::kRenditions},
      {"in sparks alone, private", {nullptr, kPrivate}, Sight::kNothing, Sight::kNothing},
      {"nowhere", {}, Sight::kNothing, Sight::kNothing},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(SightOf(kAda, each.facts), each.owner) << each.what;
    EXPECT_EQ(SightOf(kBob, each.facts), each.other) << each.what;
  }
}

// Proves whose links are good in which state of an image, and that every audience has a name.
TEST(AccessTest, LinksAreGoodWhileTheImageIsAsItWas) {
  const Image kept = AdasImage();
  Image trashed = AdasImage();
  trashed.trashed_at = "2026-01-01T00:00:00Z";
  struct Case {
    const char* what;
    ImageFacts facts;
    bool owner;
    bool viewer;
    bool trash;
  };
  const Case cases[] = {
      {"shared", {&kept, kShared}, true, true, false},
      {"private", {&kept, kPrivate}, true, false, false},
      {"nobody said", {&kept, {}}, true, false, false},
      {"taken out of the feed", {&kept, kSharedInTrash}, true, false, false},
      {"in the trash", {&trashed, kSharedInTrash}, false, false, true},
      {"in the trash, still shared", {&trashed, kShared}, false, false, true},
      {"in sparks alone", {nullptr, kShared}, false, false, false},
      {"nowhere", {}, false, false, false},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(MayFollow(LinkAudience::kOwner, test.facts), test.owner) << test.what;
    EXPECT_EQ(MayFollow(LinkAudience::kViewer, test.facts), test.viewer) << test.what;
    EXPECT_EQ(MayFollow(LinkAudience::kTrash, test.facts), test.trash) << test.what;
    EXPECT_FALSE(MayFollow(LinkAudience::kPeople, test.facts)) << test.what;
  }
  // A disabled account's own links stop; what it shares stays shared.
  EXPECT_FALSE(MayFollow(LinkAudience::kOwner, {&kept, kShared, true}));
  EXPECT_FALSE(MayFollow(LinkAudience::kTrash, {&trashed, kShared, true}));
  EXPECT_TRUE(MayFollow(LinkAudience::kViewer, {&kept, kShared, true}));
  for (const LinkAudience each :
       {LinkAudience::kOwner, LinkAudience::kViewer, LinkAudience::kTrash, LinkAudience::kPeople}) {
    EXPECT_EQ(LinkAudienceOf(NameOf(each)), each);
  }
  EXPECT_EQ(LinkAudienceOf(""), std::nullopt);
  EXPECT_EQ(AudienceOf(Sight::kEverything, kept), LinkAudience::kOwner);
  EXPECT_EQ(AudienceOf(Sight::kEverything, trashed), LinkAudience::kTrash);
  EXPECT_EQ(AudienceOf(Sight::kRenditions, kept), LinkAudience::kViewer);
}

// Proves that the list of the trash shows its owner what is in it, and nobody anything else.
TEST(AccessTest, TheTrashIsItsOwners) {
  const Image kept = AdasImage();
  Image trashed = AdasImage();
  trashed.trashed_at = "2026-01-01T00:00:00Z";
  EXPECT_EQ(SightInTrash(kAda, trashed), Sight::kEverything);
  EXPECT_EQ(SightInTrash(kAda, kept), Sight::kNothing);
  EXPECT_EQ(SightInTrash(kBob, trashed), Sight::kNothing);
  EXPECT_EQ(SightInTrash(kBob, kept), Sight::kNothing);
}

// Proves that one sees one's own address and others' usernames, or nothing where none is known, and
// addresses if the operator shows them.
TEST(AccessTest, OthersAreShownByTheirUsernames) {
  const Uploader ada{kAda.email, kAda.username};
  const Uploader stranger{"eve@example.org", {}};
  EXPECT_EQ(NameShown(kAda, ada, /*show_addresses=*/false), kAda.email);
  EXPECT_EQ(NameShown(kBob, ada, /*show_addresses=*/false), "ada");
  EXPECT_EQ(NameShown(kBob, stranger, /*show_addresses=*/false), "");
  EXPECT_EQ(NameShown(kBob, ada, /*show_addresses=*/true), kAda.email);
  EXPECT_EQ(NameShown(kBob, stranger, /*show_addresses=*/true), stranger.email);
}

// Proves that a missing item means private, and that originals are their owner's.
TEST(AccessTest, WhatNobodySharedIsPrivate) {
  EXPECT_EQ(VisibilityOf({}), Visibility::kPrivate);
  EXPECT_EQ(VisibilityOf(kShared), Visibility::kShared);
  EXPECT_TRUE(MaySeeOriginal(Sight::kEverything));
  EXPECT_FALSE(MaySeeOriginal(Sight::kRenditions));
}

// Proves that jobs are seen by their owner alone.
TEST(AccessTest, JobsAreTheirOwners) {
  contexts::jobs::Job job;
  job.user_id = kAda.id;
  EXPECT_TRUE(MaySee(kAda, job));
  EXPECT_FALSE(MaySee(kBob, job));
}

}  // namespace
}  // namespace tintype::views
