#include "http/rest/media/ready_media.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>

#include "base/check.h"
#include "base/files.h"
#include "base/strings.h"
#include "base/testing/eventually.h"
#include "base/testing/temporary_directory.h"

namespace tintype::http::rest {
namespace {

constexpr int64_t kNow = 1'750'000'000'000;

class ReadyMediaTest : public testing::Test {
 protected:
  std::string PathOf(const std::string& name) const { return StrCat(directory_.path(), "/", name); }
  std::shared_ptr<const Descriptor> OpenNew(const std::string& name) {
    CHECK(WriteFileAtomically(PathOf(name), name, 0600).ok());
    auto file = std::make_shared<const Descriptor>(::open(PathOf(name).c_str(), O_RDONLY));
    CHECK(file->valid());
    return file;
  }
  void Add(const std::string& link, const std::string& name, const std::string& source = "") {
    auto medium = std::make_shared<ReadyMedium>();
    medium->file = OpenNew(name);
    medium->names = {medium->file};
    if (!source.empty()) {
      medium->names.push_back(OpenNew(source));
    }
    medium->expires_ms = kNow + 60'000;
    ready_.Add(link, std::move(medium));
  }

  static size_t OpenFiles() {
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }

  TemporaryDirectory directory_;
  FakeClock clock_{kNow};
  ReadyMedia ready_{3, 80, clock_};
};

// Proves that a link finds its file, and no other link does.
TEST_F(ReadyMediaTest, FindsByLink) {
  Add("/a", "a");
  EXPECT_NE(ready_.Find("/a"), nullptr);
  EXPECT_EQ(ready_.Find("/b"), nullptr);
  EXPECT_EQ(ready_.Find(""), nullptr);
  const auto before = ready_.Find("/a");
  Add("/a", "b");
  EXPECT_NE(ready_.Find("/a"), before);
}

// Proves that a blob without a file of its bytes is kept as well, as long as its file has a name.
TEST_F(ReadyMediaTest, KeepsBlobs) {
  auto medium = std::make_shared<ReadyMedium>();
  medium->names = {OpenNew("sealed")};
  medium->expires_ms = kNow + 60'000;
  ready_.Add("/sealed", std::move(medium));
  EXPECT_NE(ready_.Find("/sealed"), nullptr);
  ::unlink(PathOf("sealed").c_str());
  EXPECT_EQ(ready_.Find("/sealed"), nullptr);
  // Of one without a name nobody could tell.
  auto nameless = std::make_shared<ReadyMedium>();
  nameless->expires_ms = kNow + 60'000;
  ready_.Add("/nameless", std::move(nameless));
  EXPECT_EQ(ready_.Find("/nameless"), nullptr);
}

// Proves that what is deleted or replaced is not answered again, nor what was made of it.
TEST_F(ReadyMediaTest, NoticesWhatIsGone) {
  Add("/deleted", "deleted");
  Add("/replaced", "replaced");
  Add("/made", "made", "source");
  EXPECT_NE(ready_.Find("/made"), nullptr);
  ::unlink(PathOf("deleted").c_str());
  CHECK(WriteFileAtomically(PathOf("replaced"), "other", 0600).ok());
  ::unlink(PathOf("source").c_str());
  for (const std::string link : {"/deleted", "/replaced", "/made"}) {
    EXPECT_EQ(ready_.Find(link), nullptr) << link;
  }
}

// Proves that an entry ends with its link, and in any case soon, also when the clock is set back.
TEST_F(ReadyMediaTest, EndsInTime) {
  Add("/a", "a");
  clock_.AdvanceMs(ReadyMedia::kKeptMs);
  EXPECT_NE(ready_.Find("/a"), nullptr);
  clock_.AdvanceMs(1);
  EXPECT_EQ(ready_.Find("/a"), nullptr);
  auto medium = std::make_shared<ReadyMedium>();
  medium->file = OpenNew("b");
  medium->names = {medium->file};
  medium->expires_ms = clock_.NowMs() + 10;
  ready_.Add("/b", std::move(medium));
  clock_.AdvanceMs(10);
  EXPECT_NE(ready_.Find("/b"), nullptr);
  clock_.AdvanceMs(1);
  EXPECT_EQ(ready_.Find("/b"), nullptr);
  Add("/c", "c");
  clock_.AdvanceMs(-5000);
  EXPECT_EQ(ready_.Find("/c"), nullptr);
}

// Proves that no more than a number of files are kept open.
TEST_F(ReadyMediaTest, KeepsFewFilesOpen) {
  std::weak_ptr<const ReadyMedium> first;
  for (const std::string name : {"a", "b", "c", "d"}) {
    Add("/" + name, name);
    if (name == "a") {
      first = ready_.Find("/a");
    }
  }
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(ready_.Find("/a"), nullptr);
}

// Proves that what is in memory makes room for other such media and for nothing else, the oldest
// first, but not while a client is being sent it; and that it is gone when its file is.
TEST_F(ReadyMediaTest, KeepsLittleInMemory) {
  const auto add = [&](const std::string& link) {
    auto part = ready_.TakeMemory(10);
    auto medium = std::make_shared<ReadyMedium>();
    medium->names = {OpenNew(link.substr(1))};
    medium->file = MediaMemory::Hold(OpenNew("bytes"), std::move(part));
    ::unlink(PathOf("bytes").c_str());
    medium->in_memory = true;
    medium->expires_ms = kNow + 60'000;
    ready_.Add(link, std::move(medium));
  };
  EXPECT_EQ(ready_.TakeMemory(11), nullptr);  // More than an eighth.
  Add("/file", "file");
  add("/a");
  add("/b");
  EXPECT_NE(ready_.Find("/a"), nullptr);
  std::vector<MediaMemory::Part> others;
  for (int i = 0; i < 6; ++i) {
    others.push_back(ready_.TakeMemory(10));
    EXPECT_NE(others.back(), nullptr);
  }
  EXPECT_NE(ready_.Find("/a"), nullptr);
  const auto sent = ready_.Find("/b");
  EXPECT_NE(ready_.TakeMemory(10), nullptr);
  EXPECT_EQ(ready_.Find("/a"), nullptr);
  EXPECT_NE(ready_.Find("/file"), nullptr);
  others.push_back(ready_.TakeMemory(10));
  EXPECT_EQ(ready_.TakeMemory(10), nullptr);
  EXPECT_EQ(ready_.Find("/b"), nullptr);
  others.clear();
  add("/c");
  EXPECT_NE(ready_.Find("/c"), nullptr);
  ::unlink(PathOf("c").c_str());
  EXPECT_EQ(ready_.Find("/c"), nullptr);
}

// Proves that what nobody could find to be gone is not kept.
TEST_F(ReadyMediaTest, KeepsNothingWithoutAName) {
  auto medium = std::make_shared<ReadyMedium>();
  medium->file = OpenNew("a");
  medium->expires_ms = kNow + 60'000;
  ready_.Add("/a", std::move(medium));
  EXPECT_EQ(ready_.Find("/a"), nullptr);
}

// Proves that nothing stays open that is old or gone, though nobody asks for anything any more:
// the disk would not have the room of deleted files.
TEST_F(ReadyMediaTest, ClosesWhatNobodyAsksFor) {
  const size_t before = OpenFiles();
  Add("/old", "old");
  Add("/deleted", "deleted");
  Add("/made", "made", "source");
  EXPECT_EQ(OpenFiles(), before + 4);
  ::unlink(PathOf("deleted").c_str());
  ::unlink(PathOf("source").c_str());
  EXPECT_TRUE(Eventually([&] { return OpenFiles() == before + 1; }));
  clock_.AdvanceMs(ReadyMedia::kKeptMs + 1);
  EXPECT_TRUE(Eventually([&] { return OpenFiles() == before; }));
}

// Proves that what turns out to be gone is closed at once.
TEST_F(ReadyMediaTest, ClosesWhatIsFoundToBeGone) {
  Add("/a", "a");
  const std::weak_ptr<const ReadyMedium> medium = ready_.Find("/a");
  ::unlink(PathOf("a").c_str());
  EXPECT_EQ(ready_.Find("/a"), nullptr);
  EXPECT_TRUE(medium.expired());
}

}  // namespace
}  // namespace tintype::http::rest
