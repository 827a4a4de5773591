#include "cli/backup/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::cli {
namespace {

using ::testing::HasSubstr;

std::string Hex(char digit) { return std::string(64, digit); }

BackupManifest Sample() {
  return {7,
          1'700'000'000'123,
          4242,
          {{"tables/shared_checksum/000012_sX_9.sst", "tables/000012.sst", {Hex('a'), 9}},
           {"tables/meta/7", "", {Hex('b'), 100}},
           {"files/ab/abc", "odd names/ä\n\t%41\x7f", {Hex('c'), 0}}}};
}

/// `body` with the checksum line that makes it whole.
std::string Sealed(const std::string& body) {
  return StrCat(body, "sha256\t", crypto::Sha256Hex(body), "\n");
}

// Proves that a manifest reads back as it was written, odd file names included.
TEST(BackupManifestTest, ReadsWhatItWrites) {
  const BackupManifest written = Sample();
  const auto read = ParseManifest(FormatManifest(written));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->id, 7U);
  EXPECT_EQ(read->created_ms, 1'700'000'000'123);
  EXPECT_EQ(read->new_bytes, 4242U);
  EXPECT_EQ(read->bytes(), 109U);
  ASSERT_EQ(read->files.size(), written.files.size());
  for (size_t i = 0; i < written.files.size(); ++i) {
    EXPECT_EQ(read->files[i].stored, written.files[i].stored);
    EXPECT_EQ(read->files[i].target, written.files[i].target);
    EXPECT_EQ(read->files[i].sum, written.files[i].sum);
  }
}

// Proves that no changed bit and no missing end goes unnoticed.
TEST(BackupManifestTest, EveryDamageIsNoticed) {
  const std::string text = FormatManifest(Sample());
  for (size_t i = 0; i < text.size(); ++i) {
    EXPECT_FALSE(ParseManifest(text.substr(0, i)).ok()) << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      const auto read = ParseManifest(damaged);
      ASSERT_FALSE(read.ok()) << i;
      EXPECT_EQ(read.error().kind(), ErrorKind::kCorruption);
    }
  }
}

// Proves that a manifest with a fitting checksum is still not trusted: above all, no path may lead
// out of the directory.
TEST(BackupManifestTest, MalformedIsRefused) {
  const std::string head = "tintype backup 1\nid\t1\ncreated\t2\nnew-bytes\t3\n";
  const auto file = [&](const std::string& stored, const std::string& target) {
    return StrCat(head, "file\t", Hex('a'), "\t1\t", stored, "\t", target, "\n");
  };
  EXPECT_TRUE(ParseManifest(Sealed(head)).ok());
  EXPECT_TRUE(ParseManifest(Sealed(file("a/b", "c"))).ok());
  const std::pair<std::string, std::string> cases[] = {
      {"", "format"},
      {"tintype backup 2\nid\t1\ncreated\t2\nnew-bytes\t3\n", "format"},
      {"tintype backup 1\nid\tx\ncreated\t2\nnew-bytes\t3\n", "head"},
      {"tintype backup 1\nid\t1\nnew-bytes\t3\ncreated\t2\n", "head"},
      {file("/etc/passwd", "a"), "files"},
      {file("a/../../b", "a"), "files"},
      {file("a", "/etc/passwd"), "files"},
      {file("a", "../b"), "files"},
      {file("a", "b/.."), "files"},
      {file("a", "b//c"), "files"},
      {file("a", "%2e./c"), "files"},
      {file("a", "b%00c"), "files"},
      {file("a", "b%4"), "files"},
      {file("a", "b\tc"), "files"},
      {file("", "b"), "files"},
      {StrCat(head, "file\tabc\t1\ta\tb\n"), "files"},
      {StrCat(head, "file\t", Hex('a'), "\t-1\ta\tb\n"), "files"},
      {StrCat(head, "what\n"), "files"},
  };
  for (const auto& [body, reason] : cases) {
    const auto read = ParseManifest(Sealed(body));
    ASSERT_FALSE(read.ok()) << body;
    EXPECT_THAT(read.error().message(), HasSubstr(reason)) << body;
  }
}

}  // namespace
}  // namespace tintype::cli
