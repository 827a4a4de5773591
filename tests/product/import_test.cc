#include "imports/import.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "base/strings.h"
#include "product_fixture.h"

// What every importer has in common, from a source that is no folder.

namespace tintype::product {
namespace {

using flows::Account;
using imports::FoundFile;
using imports::ImportResult;
using testing::ElementsAre;
using testing::HasSubstr;

/// Files in memory.
class MemorySource : public imports::Source {
 public:
  struct File {
    std::string bytes;
    int64_t modified_ns = 1;
    bool unreadable = false;
    bool changes_while_read = false;
  };

  Result<imports::PassedOver> Walk(const Visit& visit, const Unreadable& unreadable) override {
    for (const auto& [path, file] : files) {
      if (file.unreadable) {
        unreadable(path, Error::Io(StrCat(path, " cannot be read")));
      } else {
        RETURN_IF_ERROR(visit({path, file.bytes.size(), file.modified_ns}));
      }
    }
    return imports::PassedOver{.hidden = 3, .links = 0, .special = 0};
  }

  Result<std::unique_ptr<imports::OpenFile>> Open(const std::string& path) override {
    opened.push_back(path);
    return std::unique_ptr<imports::OpenFile>(std::make_unique<Opened>(path, files.at(path)));
  }

  std::map<std::string, File> files;
  std::vector<std::string> opened;

 private:
  class Opened : public imports::OpenFile {
   public:
    Opened(const std::string& path, const File& file)
        : file_(file), found_{path, file.bytes.size(), file.modified_ns} {}

    const FoundFile& found() const override { return found_; }
    Result<size_t> Read(uint64_t offset, char* buffer, size_t size) const override {
      const size_t start = std::min<size_t>(offset, file_.bytes.size());
      return file_.bytes.copy(buffer, size, start);
    }
    Result<FoundFile> Now() const override {
      FoundFile now = found_;
      now.modified_ns += file_.changes_while_read ? 1 : 0;
      return now;
    }

   private:
    const File& file_;
    const FoundFile found_;
  };
};

class ImportTest : public ProductTest {
 protected:
  static std::string Photo(const std::string& content) {
    return StrCat("\x89PNG\r\n\x1a\n", content);
  }

  ImportResult Import(const Account& account, bool dry_run = false) {
    imports::ImportRequest request;
    request.dry_run = dry_run;
    request.file_bytes_max = 1000;
    const imports::ImportHost host{false, [this](const imports::ImportProgress& progress) {
                                     last_ = progress;
                                     return !stop_ || progress.counting;
                                   }};
    auto result = imports::Import(product(), account, source_, request, host);
    EXPECT_TRUE(result.ok()) << result.error().message();
    return result.ok() ? *result : ImportResult{};
  }

  MemorySource source_;
  imports::ImportProgress last_;
  bool stop_ = false;
};

TEST_F(ImportTest, TakesPhotosOnceAndSaysWhatItLeftOut) {
  const Account account = SignUp("ada");
  source_.files = {{"album/a.png", {Photo("a")}},
                   {"album/again.png", {Photo("a")}},
                   {"album/b.png", {Photo("b")}},
                   {"empty.png", {""}},
                   {"large.png", {Photo(std::string(1000, 'x'))}},
                   {"locked.png", {.bytes = "", .unreadable = true}},
                   {"notes.txt", {"some words"}},
                   {"torn.png", {.bytes = Photo("t"), .changes_while_read = true}}};

  const ImportResult first = Import(account);
  EXPECT_EQ(first.files, 7);
  EXPECT_EQ(first.imported, 2);
  EXPECT_EQ(first.duplicates, 1);
  EXPECT_EQ(first.known, 0);
  EXPECT_EQ(first.failed, 3);
  EXPECT_THAT(first.problems,
              ElementsAre(HasSubstr("large.png"), HasSubstr("locked.png"), HasSubstr("torn.png")));
  EXPECT_EQ(first.unsupported.size(), 2U);
  EXPECT_EQ(first.passed_over.hidden, 3);
  EXPECT_FALSE(first.stopped);
  EXPECT_EQ(last_.files, 7U);
  EXPECT_EQ(last_.bytes, last_.bytes_total);
  // The torn one gave its place back.
  EXPECT_EQ(Limit(account), 8);

  source_.opened.clear();
  source_.files.at("album/b.png").modified_ns = 2;
  const ImportResult second = Import(account);
  EXPECT_EQ(second.imported, 0);
  EXPECT_EQ(second.known, 2);
  EXPECT_EQ(second.duplicates, 1);
  EXPECT_THAT(source_.opened, testing::Not(testing::Contains("album/a.png")));
}

TEST_F(ImportTest, ADryRunWritesNothing) {
  const Account account = SignUp("ada");
  for (char name = 'a'; name <= 'l'; ++name) {
    source_.files[std::string(1, name)] = {Photo(std::string(1, name))};
  }
  const size_t items = Items("tintype").size();
  const ImportResult result = Import(account, true);
  EXPECT_EQ(result.imported, 12);
  EXPECT_EQ(result.over_limit, 2);
  EXPECT_EQ(Items("tintype").size(), items);
  EXPECT_EQ(Limit(account), 10);
}

TEST_F(ImportTest, EndsAtTheLimitAndOnAFullDiskAndWhenAskedTo) {
  const Account account = SignUp("ada");
  for (char name = 'a'; name <= 'l'; ++name) {
    source_.files[std::string(1, name)] = {Photo(std::string(1, name))};
  }
  free_bytes_ = 10;
  const ImportResult full = Import(account);
  ASSERT_TRUE(full.stopped);
  EXPECT_EQ(full.stopped->kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(full.imported, 0);

  free_bytes_.reset();
  stop_ = true;
  const ImportResult stopped = Import(account);
  ASSERT_TRUE(stopped.stopped);
  EXPECT_LE(stopped.imported, 1);

  stop_ = false;
  const ImportResult limited = Import(account);
  ASSERT_TRUE(limited.stopped);
  EXPECT_TRUE(limited.stopped->Is(contexts::people::kUploadLimitReached));
  EXPECT_EQ(stopped.imported + limited.imported, 10);
}

}  // namespace
}  // namespace tintype::product
