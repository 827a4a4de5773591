#include "delivery/resizer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/mutex.h"
#include "base/strings.h"
#include "base/testing/eventually.h"
#include "base/testing/temporary_directory.h"
#include "blobs/file_blob_store.h"

namespace tintype::delivery {
namespace {

using darkroom::OutputFormat;

/// What stands for the darkroom: writes what was asked for, when it is let.
class SlowDarkroom {
 public:
  Status Resize(std::string_view account_id, const darkroom::ResizeRequest& request) {
    const int64_t number = ++begun;
    MutexLock lock(mutex_);
    accounts_.emplace_back(account_id);
    while (number > allowed_) {
      changed_.Wait(mutex_);
    }
    if (failing_) {
      return Error(ErrorKind::kUnavailable, "It failed.");
    }
    std::string input(100, '\0');
    input.resize(static_cast<size_t>(::pread(request.input, input.data(), input.size(), 0)));
    const std::string text = StrCat(input, " at ", request.width);
    CHECK(::write(request.output, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    return OkStatus();
  }
  void Allow(int64_t count) {
    const MutexLock lock(mutex_);
    allowed_ = count;
    changed_.SignalAll();
  }
  void Fail(bool failing) {
    const MutexLock lock(mutex_);
    failing_ = failing;
  }

  /// Whose pictures were begun, in their order.
  std::vector<std::string> accounts() {
    const MutexLock lock(mutex_);
    return accounts_;
  }

  std::atomic<int64_t> begun = 0;

 private:
  Mutex mutex_;
  CondVar changed_;
  int64_t allowed_ GUARDED_BY(mutex_) = 1000;
  bool failing_ GUARDED_BY(mutex_) = false;
  std::vector<std::string> accounts_ GUARDED_BY(mutex_);
};

class ResizerTest : public testing::Test {
 protected:
  ResizerTest() {
    blobs_ = *blobs::FileBlobStore::OpenRoot({directory_.path() + "/blobs", {"images"}});
    cache_ = *ResizedCache::Open({directory_.path() + "/cache", 1 << 20});
    Write("picture");
    Start({});
  }
  void Start(ResizerConfig config) {
    config.threads = config.threads > 0 ? config.threads : 2;
    resizer_ = std::make_unique<Resizer>(
        config, *cache_, *blobs_,
        [this](std::string_view account_id, const darkroom::ResizeRequest& request) {
          return darkroom_.Resize(account_id, request);
        });
  }
  void Write(const std::string& content) {
    auto writer = *blobs_->Create({"images", "id"});
    CHECK(writer->Write(content).ok());
    CHECK(writer->Commit().ok());
  }
  Source Original(const std::string& account) {
    const blobs::BlobKey key{"images", "id"};
    const auto info = *blobs_->Head(key);
    return {"id", account, 0, key, info.value_or(blobs::BlobInfo{})};
  }

  void Ask(int32_t width, const std::string& account = "ada") {
    ResizeParameters resizing;
    resizing.width = width;
    const auto take = [this](const Result<Picture>& picture) {
      const MutexLock lock(mutex_);
      answers_.push_back(picture.ok() ? ReadAll(*picture) : picture.error().message());
    };
    const bool leaves = leaving_;
    resizer_->Get(Original(account), resizing, OutputFormat::kWebp, take,
                  [this, leaves] { return leaves && left_; });
  }
  static std::string ReadAll(const Picture& picture) {
    std::string content(picture.bytes, '\0');
    CHECK(::pread(picture.file->number(), content.data(), content.size(), 0) ==
          static_cast<ssize_t>(content.size()));
    return content;
  }
  std::vector<std::string> Answers(size_t count) {
    EXPECT_TRUE(Eventually([&] {
      const MutexLock lock(mutex_);
      return answers_.size() >= count;
    }));
    const MutexLock lock(mutex_);
    return std::exchange(answers_, {});
  }

  TemporaryDirectory directory_;
  std::unique_ptr<blobs::FileBlobStore> blobs_;
  std::unique_ptr<ResizedCache> cache_;
  SlowDarkroom darkroom_;
  bool leaving_ = false;            // Whether who asks from now on is among those who leave.
  std::atomic<bool> left_ = false;  // Whether those have left.
  Mutex mutex_;
  std::vector<std::string> answers_ GUARDED_BY(mutex_);
  std::unique_ptr<Resizer> resizer_;  // Last: its threads use the others.
};

// Proves that however many ask for a picture at once, it is made once, and that it is found from
// then on.
TEST_F(ResizerTest, MakesAPictureOnce) {
  darkroom_.Allow(0);
  for (int i = 0; i < 100; ++i) {
    Ask(512);
  }
  Ask(256);
  EXPECT_TRUE(Eventually([&] { return darkroom_.begun == 2; }));
  darkroom_.Allow(1000);
  const auto answers = Answers(101);
  EXPECT_EQ(std::ranges::count(answers, "picture at 512"), 100);
  EXPECT_EQ(std::ranges::count(answers, "picture at 256"), 1);
  Ask(512);
  EXPECT_EQ(Answers(1), std::vector<std::string>{"picture at 512"});
  EXPECT_EQ(darkroom_.begun, 2);
  EXPECT_EQ(resizer_->stats().made, 2U);
  EXPECT_EQ(resizer_->stats().found, 1U);
}

// Proves that the darkroom is told whose picture it makes, so that it can keep accounts apart.
TEST_F(ResizerTest, SaysWhosePictureItIs) {
  Ask(100, "ada");
  Answers(1);
  Ask(200, "bob");
  Answers(1);
  EXPECT_EQ(darkroom_.accounts(), (std::vector<std::string>{"ada", "bob"}));
}

// Proves that a failure is told to all who wait, and not remembered.
TEST_F(ResizerTest, TriesAgainAfterAFailure) {
  darkroom_.Fail(true);
  Ask(512);
  EXPECT_EQ(Answers(1), std::vector<std::string>{"It failed."});
  darkroom_.Fail(false);
  Ask(512);
  EXPECT_EQ(Answers(1), std::vector<std::string>{"picture at 512"});
  EXPECT_EQ(resizer_->stats().failed, 1U);
}

// Proves that what waits is bounded, by pictures and by callers, and that both recover.
TEST_F(ResizerTest, RefusesWhatIsTooMuch) {
  Start({.waiting_max = 2, .callers_max = 6});
  darkroom_.Allow(0);
  for (int32_t width = 1; width <= 2; ++width) {
    Ask(width);
  }
  EXPECT_TRUE(Eventually([&] { return darkroom_.begun == 2; }));
  for (int32_t width = 3; width <= 4; ++width) {
    Ask(width);
  }
  Ask(5);
  EXPECT_EQ(Answers(1)[0], "Too many pictures are being resized. Try again.");
  Ask(4);
  Ask(1);
  Ask(1);
  EXPECT_EQ(Answers(1)[0], "Too many pictures are being resized. Try again.");
  EXPECT_EQ(resizer_->stats().refused, 2U);
  EXPECT_EQ(resizer_->stats().waiting, 2U);
  darkroom_.Allow(1000);
  EXPECT_EQ(Answers(6).size(), 6U);
  Ask(5);
  EXPECT_EQ(Answers(1)[0], "picture at 5");
}

// Proves that one account has a bound of its own, and that another's picture is made next however
// many of the first one's wait.
TEST_F(ResizerTest, AccountsTakeTurns) {
  Start({.threads = 1, .waiting_max = 6, .waiting_per_account_max = 4});
  darkroom_.Allow(0);
  Ask(1);
  EXPECT_TRUE(Eventually([&] { return darkroom_.begun == 1; }));
  for (int32_t width = 2; width <= 6; ++width) {
    Ask(width);
  }
  EXPECT_EQ(Answers(1)[0], "Too many pictures are being resized. Try again.");
  Ask(100, "bob");
  EXPECT_EQ(resizer_->stats().waiting, 5U);
  // The one in progress ends, then one of each.
  darkroom_.Allow(3);
  const auto answers = Answers(3);
  EXPECT_EQ(std::ranges::count(answers, "picture at 100"), 1);
  darkroom_.Allow(1000);
  EXPECT_EQ(Answers(3).size(), 3U);
}

// Proves that a picture that waits is not made once all who asked for it have left, and that it
// makes room for another at once.
TEST_F(ResizerTest, DropsWhatNobodyWaitsFor) {
  Start({.waiting_max = 3});
  darkroom_.Allow(0);
  Ask(1);
  Ask(2);
  EXPECT_TRUE(Eventually([&] { return darkroom_.begun == 2; }));
  leaving_ = true;
  for (int32_t width = 3; width <= 5; ++width) {
    Ask(width);
  }
  leaving_ = false;
  Ask(3);
  left_ = true;
  Ask(6);
  EXPECT_EQ(Answers(2), std::vector<std::string>(2, "Nobody waited for the picture any more."));
  leaving_ = true;
  Ask(7);
  EXPECT_EQ(resizer_->stats().waiting, 3U);
  darkroom_.Allow(1000);
  const auto answers = Answers(6);
  EXPECT_EQ(std::ranges::count(answers, "picture at 3"), 2);
  EXPECT_EQ(std::ranges::count(answers, "picture at 6"), 1);
  EXPECT_EQ(std::ranges::count(answers, "Nobody waited for the picture any more."), 1);
  EXPECT_EQ(darkroom_.begun, 4);
}

// Proves that what is being made of an image while that is deleted is neither kept nor answered.
TEST_F(ResizerTest, ForgetsWhatIsBeingMade) {
  darkroom_.Allow(0);
  Ask(512);
  EXPECT_TRUE(Eventually([&] { return darkroom_.begun == 1; }));
  resizer_->Forget("another");
  resizer_->Forget("id");
  darkroom_.Allow(1000);
  EXPECT_EQ(Answers(1)[0], "The image has been deleted.");
  EXPECT_EQ(cache_->count(), 0U);
}

// Proves that another original has other pictures, though all that is asked for is the same.
TEST_F(ResizerTest, TellsOriginalsApart) {
  Ask(512);
  EXPECT_EQ(Answers(1)[0], "picture at 512");
  Write("another one");
  Ask(512);
  EXPECT_EQ(Answers(1)[0], "another one at 512");
}

// Proves that an original that has gone is told of, and can be asked for again.
TEST_F(ResizerTest, TellsThatTheOriginalIsGone) {
  const blobs::BlobKey key{"images", "id"};
  ASSERT_TRUE(blobs_->Delete(key).ok());
  Ask(512);
  EXPECT_EQ(Answers(1)[0], "No such blob");
  Write("back");
  Ask(512);
  EXPECT_EQ(Answers(1)[0], "back at 512");
}

// Proves that stopping answers everybody.
TEST_F(ResizerTest, AnswersEverybodyWhenItStops) {
  darkroom_.Allow(0);
  for (int32_t width = 1; width <= 4; ++width) {
    Ask(width);
  }
  EXPECT_TRUE(Eventually([&] { return darkroom_.begun == 2; }));
  std::thread stopper([&] { resizer_->Stop(); });
  EXPECT_EQ(Answers(2), std::vector<std::string>(2, "The server is stopping."));
  darkroom_.Allow(1000);
  stopper.join();
  EXPECT_EQ(Answers(2).size(), 2U);
  Ask(9);
  EXPECT_EQ(Answers(1)[0], "The server is stopping.");
}

}  // namespace
}  // namespace tintype::delivery
