#include "tables/transfer/internal/paths.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/random.h"
#include "tables/transfer/internal/export_names.h"

namespace tintype::tables::transfer {
namespace {

namespace fs = std::filesystem;

// A bucket is one plain name, whoever asks: in-process callers pass no patterns.
TEST(PathsTest, BucketsArePlainNames) {
  for (const char* bucket : {"a1", "my.bucket-1_x", "A"}) {
    EXPECT_TRUE(CheckBucket(bucket).ok()) << bucket;
  }
  const std::string_view refused[] = {
      "", ".", "..", "a/b", "/a", "../a", ".a", "a.", "-a", "a\\b", std::string_view("a\0b", 3),
      "ä"};
  for (const std::string_view bucket : refused) {
    const Status status = CheckBucket(bucket);
    ASSERT_FALSE(status.ok()) << bucket;
    EXPECT_EQ(status.error().kind(), ErrorKind::kValidation);
  }
  EXPECT_FALSE(CheckBucket(std::string(256, 'a')).ok());
}

// A prefix stays below its bucket.
TEST(PathsTest, PrefixesAreNormalizedOrRefused) {
  const std::pair<std::string, std::string> cases[] = {
      {"", ""},           {"a", "a"},
      {"a/b/", "a/b/"},   {"/a//b", "a/b"},
      {"///", ""},        {"..a/b..", "..a/b.."},
      {"a b/é", "a b/é"}, {"a\\..\\b", "a\\..\\b"},
  };
  for (const auto& [prefix, normalized] : cases) {
    const auto result = NormalizePrefix(prefix);
    ASSERT_TRUE(result.ok()) << prefix;
    EXPECT_EQ(*result, normalized);
  }
  const std::string refused[] = {"..",
                                 ".",
                                 "../a",
                                 "a/..",
                                 "a/../b",
                                 "a/./b",
                                 "/../a",
                                 "a//../b",
                                 "a/.",
                                 std::string("a\0b", 3),
                                 std::string(256, 'a'),
                                 std::string(1025, '/')};
  for (const std::string& prefix : refused) {
    const auto result = NormalizePrefix(prefix);
    ASSERT_FALSE(result.ok()) << prefix;
    EXPECT_EQ(result.error().kind(), ErrorKind::kValidation);
  }
}

class SourcesTest : public ::testing::Test {
 protected:
  SourcesTest() : folder_(::testing::TempDir() + "sources-" + RandomUuid()) {}
  ~SourcesTest() override { fs::remove_all(folder_); }

  void Touch(const std::string& key) {
    const fs::path path = fs::path(folder_) / key;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "x";
  }
  std::vector<std::string> Keys(const std::string& prefix, SourceKind kind) {
    const auto files = ListSources({folder_, prefix, kind});
    EXPECT_TRUE(files.ok());
    std::vector<std::string> keys;
    for (const SourceFile& file : *files) {
      keys.push_back(file.key);
      EXPECT_EQ(file.gzip, file.key.ends_with(".gz"));
      EXPECT_EQ(file.bytes, 1u);
    }
    return keys;
  }

  const std::string folder_;
};

using Texts = std::vector<std::string>;

// Prefixes are texts, as in S3, not folders; what an export writes beside its data is no data.
TEST_F(SourcesTest, FindsDataByPrefix) {
  for (const char* key :
       {"a/x.json", "a/y.json.gz", "ab/z.json", "a.json", "a/manifest-files.json",
        "a/manifest-summary.json", "a/table.json", "a/_started", "a/x.txt", "a/x.json.gz.tmp"}) {
    Touch(key);
  }
  EXPECT_EQ(Keys("", SourceKind::kAny), (Texts{"a.json", "a/x.json", "a/y.json.gz", "ab/z.json"}));
  EXPECT_EQ(Keys("a", SourceKind::kPlain), (Texts{"a.json", "a/x.json", "ab/z.json"}));
  EXPECT_EQ(Keys("a/", SourceKind::kPlain), (Texts{"a/x.json"}));
  EXPECT_EQ(Keys("a/", SourceKind::kGzip), (Texts{"a/y.json.gz"}));
  EXPECT_EQ(Keys("a/x", SourceKind::kAny), (Texts{"a/x.json"}));
  EXPECT_EQ(Keys("b/", SourceKind::kAny), Texts{});
}

// Links are not followed, wherever they are but for the bucket itself.
TEST_F(SourcesTest, LinksAreNotFollowed) {
  Touch("bucket/x.json");
  Touch("elsewhere/secret.json");
  Touch("elsewhere/folder/secret.json");
  fs::create_symlink(folder_ + "/elsewhere", folder_ + "/bucket/link");
  fs::create_symlink(folder_ + "/elsewhere/secret.json", folder_ + "/bucket/secret.json");
  fs::create_symlink(folder_ + "/bucket", folder_ + "/linked-bucket");
  for (const char* bucket : {"/bucket", "/linked-bucket"}) {
    for (const auto& [prefix, count] :
         {std::pair("", 1U), {"link/", 0U}, {"link/s", 0U}, {"link/folder/", 0U}}) {
      const auto files = ListSources({folder_ + bucket, prefix, SourceKind::kAny});
      ASSERT_TRUE(files.ok());
      EXPECT_EQ(files->size(), count) << bucket << prefix;
    }
  }
}

TEST_F(SourcesTest, AMissingFolderIsAnError) {
  const auto files = ListSources({folder_ + "/none"});
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().kind(), ErrorKind::kNotFound);
}

// Only tables that an export made may be removed at a start.
TEST(ExportNamesTest, ScratchTablesAreToldApart) {
  const std::string id = NewTransferId(1'695'353'076'000);
  EXPECT_TRUE(id.starts_with("01695353076000-")) << id;
  EXPECT_TRUE(IsTransferId(id)) << id;
  EXPECT_TRUE(IsScratchTable(ScratchTable(id)));
  for (const char* name :
       {"tintype-export-", "tintype-export-photos", "photos",
        "tintype-export-01695353076000-a1b2c3dX", "tintype-export-01695353076000xa1b2c3d4",
        "tintype-export-01695353076000-a1b2c3d44"}) {
    EXPECT_FALSE(IsScratchTable(name)) << name;
  }
}

}  // namespace
}  // namespace tintype::tables::transfer
