#include "tables/transfer/internal/line_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/random.h"
#include "tables/transfer/internal/gzip_writer.h"

namespace tintype::tables::transfer {
namespace {

class LineReaderTest : public ::testing::Test {
 protected:
  LineReaderTest() : path_(::testing::TempDir() + "lines-" + RandomUuid()) {}
  ~LineReaderTest() override { std::filesystem::remove(path_); }

  void Write(const std::string& content) { std::ofstream(path_, std::ios::binary) << content; }

  static std::string Compressed(const std::string& content) {
    const std::string path = ::testing::TempDir() + "compressed-" + RandomUuid();
    auto writer = GzipWriter::Create(path);
    EXPECT_TRUE(writer.ok());
    EXPECT_TRUE((*writer)->Write(content).ok());
    EXPECT_TRUE((*writer)->Finish().ok());
    auto bytes = ReadFile(path);
    std::filesystem::remove(path);
    return *bytes;
  }

  /// The lines, "TOO LONG" for those that are; the error's kind in `error_` if one ended it.
  std::vector<std::string> Lines(bool gzip, size_t line_bytes_max = size_t{1} << 20) {
    error_.reset();
    auto reader = LineReader::Open(path_, {"file", gzip, line_bytes_max});
    EXPECT_TRUE(reader.ok());
    std::vector<std::string> lines;
    for (;;) {
      const auto line = (*reader)->Next();
      if (!line.ok()) {
        error_ = line.error().kind();
        return lines;
      }
      if (!*line) {
        EXPECT_EQ((*reader)->file_bytes(), std::filesystem::file_size(path_));
        return lines;
      }
      lines.emplace_back((*line)->too_long ? "TOO LONG" : (*line)->text);
      EXPECT_EQ((*line)->number, lines.size());
    }
  }

  const std::string path_;
  std::optional<ErrorKind> error_;
};

using Texts = std::vector<std::string>;

// Lines end with either end, and the last one may have none.
TEST_F(LineReaderTest, SplitsLines) {
  const std::pair<std::string, Texts> cases[] = {
      {"", {}},
      {"\n", {""}},
      {"a", {"a"}},
      {"a\nb\r\n\nc", {"a", "b", "", "c"}},
      {"a\n\n", {"a", ""}},
  };
  for (const auto& [content, lines] : cases) {
    Write(content);
    EXPECT_EQ(Lines(false), lines) << content;
    Write(Compressed(content));
    EXPECT_EQ(Lines(true), lines) << content;
  }
}

// Lines of every length around the pieces in which a file is read come out whole, and those over
// the limit are told of without being kept.
TEST_F(LineReaderTest, ReadsLinesOfAnyLength) {
  std::string content;
  Texts lines;
  for (const size_t length : {262'143U, 1U, 262'144U, 0U, 262'145U, 1'000'000U, 524'287U, 7U}) {
    lines.emplace_back(length, static_cast<char>('a' + lines.size()));
    content += lines.back() + "\n";
  }
  Write(content);
  EXPECT_EQ(Lines(false), lines);
  const std::string compressed = Compressed(content);
  Write(compressed);
  EXPECT_EQ(Lines(true), lines);
  for (std::string& line : lines) {
    line = line.size() > 300'000 ? "TOO LONG" : line;
  }
  EXPECT_EQ(Lines(true, 300'000), lines);
  Write(content + std::string(400'000, 'x'));
  lines.emplace_back("TOO LONG");
  EXPECT_EQ(Lines(false, 300'000), lines);
}

// Several compressed files, one after the other, are one.
TEST_F(LineReaderTest, ReadsJoinedFiles) {
  Write(Compressed("a\nb") + Compressed("") + Compressed("c\n"));
  EXPECT_EQ(Lines(true), (Texts{"a", "bc"}));
}

// However much of a compressed file is missing, it is noticed.
TEST_F(LineReaderTest, NoticesEveryTruncation) {
  const std::string whole = Compressed("one\ntwo\nthree\n");
  for (size_t size = 0; size < whole.size(); ++size) {
    Write(whole.substr(0, size));
    Lines(true);
    EXPECT_EQ(error_, ErrorKind::kCorruption) << size;
  }
  Write(whole + "garbage");
  EXPECT_EQ(Lines(true), (Texts{"one", "two", "three"}));
  EXPECT_EQ(error_, ErrorKind::kCorruption);
}

// A changed byte is noticed by gzip's own checksum, wherever it matters.
TEST_F(LineReaderTest, NoticesDamage) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += RandomUuid() + "\n";
  }
  const std::string whole = Compressed(text);
  for (size_t at = 10; at < whole.size();
       at += 97) {  // After the header, whose fields are ignored.
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    Write(damaged);
    Lines(true);
    EXPECT_EQ(error_, ErrorKind::kCorruption) << at;
  }
}

TEST_F(LineReaderTest, NamesAFileThatIsNotThere) {
  const auto reader = LineReader::Open(path_, {"file", false, 1});
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().kind(), ErrorKind::kNotFound);
  EXPECT_EQ(reader.error().message(), "Cannot open file: No such file or directory");
}

}  // namespace
}  // namespace tintype::tables::transfer
