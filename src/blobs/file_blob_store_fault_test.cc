#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "blobs/file_blob_store.h"
#include "blobs/testing/losing_disk.h"
#include "blobs/testing/whole_blobs.h"

/// The file store on a disk that loses what was not synced, and on one that fails.
namespace tintype::blobs {
namespace {

using Blobs = std::map<std::string, std::string>;  // Keys to bytes.
using Unsynced = LosingDisk::Unsynced;

/// One operation, what there is after it, and what there may be if it was stopped half-way, beside
/// what was before and what is after.
struct Step {
  std::string name;
  std::function<Status(BlobStore&)> run;
  std::function<void(Blobs&)> apply;
  std::vector<std::function<void(Blobs&)>> halfway;
};

Step PutStep(const std::string& key, const std::string& bytes) {
  return {StrCat("put ", key),
          [=](BlobStore& store) -> Status {
            RETURN_IF_ERROR(PutBlob(store, {"images", key}, bytes));
            return OkStatus();
          },
          [=](Blobs& blobs) { blobs[key] = bytes; },
          {}};
}

Step DeleteStep(const std::string& key) {
  return {StrCat("delete ", key),
          [=](BlobStore& store) {
            return store.Delete({"images", key});
          },
          [=](Blobs& blobs) { blobs.erase(key); },
          {}};
}

Step MoveStep(const std::string& from, const std::string& to) {
  return {StrCat("move ", from, " to ", to),
          [=](BlobStore& store) {
            return store.Move({"images", from}, {"images", to});
          },
          [=](Blobs& blobs) {
            blobs[to] = blobs.at(from);
            blobs.erase(from);
          },
          {[=](Blobs& blobs) { blobs[to] = blobs.at(from); }}};
}

Step DeletePrefixStep(const std::string& prefix, const std::vector<std::string>& keys) {
  Step step{StrCat("delete all of ", prefix),
            [=](BlobStore& store) -> Status {
              RETURN_IF_ERROR(store.DeletePrefix("images", prefix));
              return OkStatus();
            },
            [=](Blobs& blobs) {
              for (const std::string& key : keys) {
                blobs.erase(key);
              }
            },
            {}};
  for (size_t count = 1; count < keys.size(); ++count) {
    step.halfway.emplace_back([=](Blobs& blobs) {
      for (size_t i = 0; i < count; ++i) {
        blobs.erase(keys[i]);
      }
    });
  }
  return step;
}

Step AbandonStep(const std::string& key) {
  return {StrCat("begin ", key),
          [=](BlobStore& store) -> Status {
            ASSIGN_OR_RETURN(const auto writer, store.Create({"images", key}));
            return writer->Write("never to be seen");
          },
          [](Blobs&) {},
          {}};
}

constexpr const char* kSpooled = "spooled";  // A file beside the store, and its bytes.

/// A disk with a file on it that was uploaded outside of the store.
class DiskWithUpload : public LosingDisk {
 public:
  DiskWithUpload() { AddOutside(kSpooled, std::string(5000, 's')); }
};

Step AdoptStep(const std::string& key) {
  return {StrCat("adopt ", key),
          [=](BlobStore& store) -> Status {
            RETURN_IF_ERROR(store.Adopt(kSpooled, {"images", key}));
            return OkStatus();
          },
          [=](Blobs& blobs) { blobs[key] = std::string(5000, 's'); },
          {}};
}

Step RewriteStep(const std::string& key, const std::string& bytes) {
  return {StrCat("rewrite ", key),
          [=](BlobStore& store) -> Status {
            ASSIGN_OR_RETURN(BlobRewrite rewrite, store.Rewrite({"images", key}));
            RETURN_IF_ERROR(rewrite.writer->Write(bytes));
            RETURN_IF_ERROR(rewrite.writer->Commit());
            return OkStatus();
          },
          [=](Blobs& blobs) { blobs[key] = bytes; },
          {}};
}

/// Everything a store does, with folders that come and go.
std::vector<Step> Story() {
  return {
      PutStep("a/b/1", std::string(3000, '1')),
      PutStep("a/2", "two"),
      AbandonStep("a/b/3"),
      PutStep("a/2", "another two, longer"),
      MoveStep("a/2", "new/folder/2"),
      PutStep("a/b/4", "four"),
      MoveStep("a/b/4", "new/folder/2"),
      DeleteStep("a/b/1"),
      PutStep("a/b/1", "again"),
      RewriteStep("new/folder/2", "in another form"),
      RewriteStep("a/b/1", std::string(4000, 'f')),
      PutStep("i/1/LARGE", "L"),
      PutStep("i/1/v2/LARGE", "L2"),
      PutStep("i/10/LARGE", "L10"),
      DeletePrefixStep("i/1/", {"i/1/LARGE", "i/1/v2/LARGE"}),
      DeleteStep("i/10/LARGE"),
      PutStep("empty", ""),
      AdoptStep("uploads/1"),
      AdoptStep("empty"),
      AdoptStep("empty"),
  };
}

Result<std::unique_ptr<FileBlobStore>> OpenStore(LosingDisk& disk) {
  return FileBlobStore::OpenOn(disk.Mount(), {"images"});
}

Blobs ReadAll(BlobStore& store) {
  Blobs blobs;
  const auto list = store.List({.bucket = "images"});
  EXPECT_TRUE(list.ok());
  for (const ListedBlob& blob : list->blobs) {
    const auto bytes = GetBlob(store, {"images", blob.key});
    EXPECT_TRUE(bytes.ok());
    blobs[blob.key] = bytes.value();
  }
  return blobs;
}

/// How far a story came.
struct Outcome {
  Blobs certain{};                // What there was when the last step that succeeded was over.
  std::vector<Blobs> possible{};  // What there may be, given the step that failed.
  std::string failed_step{};
  std::optional<Error> error{};
};

Outcome Tell(const std::vector<Step>& story, BlobStore& store) {
  Outcome outcome;
  for (const Step& step : story) {
    Status status = step.run(store);
    outcome.possible = {outcome.certain};
    if (!status.ok()) {
      for (const auto& halfway : step.halfway) {
        halfway(outcome.possible.emplace_back(outcome.certain));
      }
      step.apply(outcome.possible.emplace_back(outcome.certain));
      outcome.failed_step = step.name;
      outcome.error = std::move(status).error();
      return outcome;
    }
    step.apply(outcome.certain);
    outcome.possible = {outcome.certain};
  }
  return outcome;
}

/// The number of calls that opening and the whole story make.
uint64_t CallsOfStory() {
  DiskWithUpload disk;
  auto store = OpenStore(disk);
  EXPECT_EQ(Tell(Story(), **store).failed_step, "");
  return disk.calls();
}

void ExpectPossible(const Outcome& outcome, const Blobs& found, const std::string& context) {
  EXPECT_THAT(outcome.possible, ::testing::Contains(found))
      << context << ", in the step: " << outcome.failed_step;
}

// At whatever call the power goes, and whatever the disk makes of what was not synced: every step
// that had returned is done, the one that had not is done or not, and each blob is whole.
TEST(FileBlobStoreFaultTest, SurvivesAPowerCutAtAnyCall) {
  const uint64_t calls = CallsOfStory();
  ASSERT_GT(calls, 100U);
  for (uint64_t cut = 1; cut <= calls + 1; ++cut) {
    for (uint32_t seed = 0; seed < 22; ++seed) {
      const Unsynced unsynced = seed == 0   ? Unsynced::kLost
                                : seed == 1 ? Unsynced::kKept
                                            : Unsynced::kSomeLost;
      DiskWithUpload disk;
      disk.CutPowerAtCall(cut);
      Outcome outcome{.possible = {Blobs{}}};
      if (auto store = OpenStore(disk); store.ok()) {
        outcome = Tell(Story(), **store);
      }
      disk.Restart(unsynced, seed);
      auto store = OpenStore(disk);
      ASSERT_TRUE(store.ok());
      ExpectPossible(outcome, ReadAll(**store), StrCat("cut at call ", cut, ", seed ", seed));
      // Unfinished files are gone.
      for (const std::string& path : disk.Paths()) {
        EXPECT_TRUE(!path.starts_with(".tmp/") || path == ".tmp/") << path;
      }
      if (HasFailure()) {
        return;  // One is enough to read.
      }
    }
  }
}

// A step that was stopped, because the process was killed or a call failed, can be repeated, and is
// then on disk, whatever of it had been done.
TEST(FileBlobStoreFaultTest, StoppedStepsCanBeRepeated) {
  const Blobs before = {{"a/1", "one"}, {"a/b/2", "two"}, {"a/b/3", "three"}};
  // Repeats one step after it was stopped at a call, and looks at what is there after a power cut.
  const auto repeat = [&](const Step& step, uint64_t stop, bool killed, uint32_t seed) {
    DiskWithUpload disk;
    auto store = OpenStore(disk).value();
    for (const auto& [key, bytes] : before) {
      ASSERT_TRUE(PutBlob(*store, {"images", key}, bytes).ok());
    }
    if (killed) {
      disk.CutPowerAtCall(disk.calls() + stop);
    } else {
      disk.FailCall(disk.calls() + stop, EIO);
    }
    step.run(*store).PermitUncheckedError();
    disk.CutPowerAtCall(UINT64_MAX);
    disk.FailCall(UINT64_MAX, 0);
    if (killed) {
      store = OpenStore(disk).value();
    }
    ASSERT_TRUE(step.run(*store).ok());
    disk.Restart(seed == 0 ? Unsynced::kLost : Unsynced::kSomeLost, seed);
    Blobs expected = before;
    step.apply(expected);
    ASSERT_EQ(ReadAll(*OpenStore(disk).value()), expected);
  };
  for (const Step& step :
       {MoveStep("a/1", "b/c/1"), DeleteStep("a/b/2"), PutStep("a/1", "new"), AdoptStep("a/1"),
        AdoptStep("u/v"), DeletePrefixStep("a/b/", {"a/b/2", "a/b/3"}),
        DeletePrefixStep("a/", {"a/1", "a/b/2", "a/b/3"})}) {
    for (uint64_t stop = 1; stop < 50; ++stop) {
      for (uint32_t seed = 0; seed < 10; ++seed) {
        for (const bool killed : {true, false}) {
          SCOPED_TRACE(StrCat(step.name, killed ? ", killed" : ", failed", " at call ", stop,
                              ", seed ", seed));
          repeat(step, stop, killed, seed);
          if (HasFatalFailure()) {
            return;
          }
        }
      }
    }
  }
}

// Whichever call fails, and with what: the error is clear, what was there is there, nothing else is
// left behind, and the same store goes on.
TEST(FileBlobStoreFaultTest, AnyCallMayFail) {
  const struct {
    SystemError number;
    ErrorKind kind;
  } errors[] = {
      {EIO, ErrorKind::kIo}, {ENOSPC, ErrorKind::kUnavailable}, {EDQUOT, ErrorKind::kUnavailable}};
  const uint64_t calls = CallsOfStory();
  for (const auto& [number, kind] : errors) {
    for (uint64_t failing = 1; failing <= calls; ++failing) {
      SCOPED_TRACE(StrCat("call ", failing, " fails with ", number));
      DiskWithUpload disk;
      disk.FailCall(failing, number);
      auto store = OpenStore(disk);
      if (!store.ok()) {
        ASSERT_EQ(store.error().kind(), kind);
        continue;
      }
      const Outcome outcome = Tell(Story(), **store);
      if (outcome.error.has_value()) {
        ASSERT_EQ(outcome.error->kind(), kind) << outcome.error->note();
        // Paths are for logs alone.
        ASSERT_EQ(outcome.error->message().find("images"), std::string::npos);
      }
      const Blobs found = ReadAll(**store);
      ExpectPossible(outcome, found, disk.failed_call());

      // Folders that lead to no blob, and unfinished files, stay only if removing them failed.
      for (const std::string& path : disk.Paths()) {
        const bool base = path == ".tmp/" || path == "images/" || path == kSpooled;
        const bool leads_to_blob = std::ranges::any_of(found, [&](const auto& blob) {
          return StrCat("images/", blob.first).starts_with(path);
        });
        const std::string call = disk.failed_call();
        ASSERT_TRUE(base || leads_to_blob || call == "Unlink" || call == "RemoveDirectory")
            << path << " is left after " << call << ", in the step: " << outcome.failed_step;
      }
      ASSERT_TRUE(PutBlob(**store, {"images", "later"}, "x").ok());
    }
  }
}

// A failed write ends the blob: bytes after a gap must not be committed.
TEST(FileBlobStoreFaultTest, AFailedWriteCannotBeCommitted) {
  LosingDisk disk;
  auto store = OpenStore(disk).value();
  const auto writer = store->Create({"images", "a"}).value();
  disk.FailCall(disk.calls() + 1, ENOSPC);
  EXPECT_EQ(writer->Write("first").error().kind(), ErrorKind::kUnavailable);
  EXPECT_FALSE(writer->Write("second").ok());
  EXPECT_FALSE(writer->Commit().ok());
  EXPECT_THAT(disk.Paths(), ::testing::UnorderedElementsAre(".tmp/", "images/"));
}

// A failed read is an error, not an end.
TEST(FileBlobStoreFaultTest, AFailedReadIsAnError) {
  LosingDisk disk;
  auto store = OpenStore(disk).value();
  ASSERT_TRUE(PutBlob(*store, {"images", "a"}, "bytes").ok());
  const auto blob = store->Open({"images", "a"}).value();
  disk.FailCall(disk.calls() + 1, EIO);
  std::string bytes(5, '\0');
  EXPECT_EQ(blob->Read(0, bytes).error().kind(), ErrorKind::kIo);
  EXPECT_EQ(blob->Read(0, bytes).value(), 5U);
}

}  // namespace
}  // namespace tintype::blobs
