// M2C-11: files of an encrypted file system hold no plain text and read as they were written; what
// is damaged, foreign or cut off is told apart.

#include "tables/engine/encryption/encrypted_file_system.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "tables/engine/encryption/file_cipher.h"

namespace tintype::tables::engine {
namespace {

using rocksdb::IOStatus;
using rocksdb::Slice;

class EncryptedFileSystemTest : public testing::Test {
 protected:
  std::string Path(std::string_view name) const { return StrCat(directory_.path(), "/", name); }

  void Write(const std::string& path, std::string_view content) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    ASSERT_TRUE(files_->NewWritableFile(path, {}, &file, nullptr).ok());
    ASSERT_TRUE(file->Append(Slice(content.data(), content.size()), {}, nullptr).ok());
    ASSERT_TRUE(file->Close({}, nullptr).ok());
  }

  // The content, or the status in words.
  std::string ReadAll(const std::string& path) {
    std::string content;
    const IOStatus status = rocksdb::ReadFileToString(files_.get(), path, &content);
    return status.ok() ? content : status.ToString();
  }
  std::string ReadAt(const std::string& path, uint64_t offset, size_t size) {
    std::unique_ptr<rocksdb::FSRandomAccessFile> file;
    IOStatus status = files_->NewRandomAccessFile(path, {}, &file, nullptr);
    Slice result;
    std::string scratch(size, '\0');
    if (status.ok()) {
      status = file->Read(offset, size, {}, &result, scratch.data(), nullptr);
    }
    return status.ok() ? result.ToString() : status.ToString();
  }
  uint64_t SizeOf(const std::string& path) {
    uint64_t size = 0;
    EXPECT_TRUE(files_->GetFileSize(path, {}, &size, nullptr).ok());
    return size;
  }

  static std::string Stored(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void Store(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  TemporaryDirectory directory_;
  std::shared_ptr<Keyring> keyring_ = std::make_shared<Keyring>(Keyring::Create(0));
  std::shared_ptr<rocksdb::FileSystem> files_ =
      MakeEncryptedFileSystem(rocksdb::FileSystem::Default(), keyring_);
};

// Appended in pieces of every kind of size, reopened in between, read at random places.
TEST_F(EncryptedFileSystemTest, ReadsWhatWasWritten) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(StrCat("seed ", seed));
  std::mt19937 random(seed);
  const std::string path = Path("000001.sst");
  std::string expected;
  for (int i = 0; i < 60; ++i) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    ASSERT_TRUE((i == 0 ? files_->NewWritableFile(path, {}, &file, nullptr)
                        : files_->ReopenWritableFile(path, {}, &file, nullptr))
                    .ok());
    EXPECT_EQ(file->GetFileSize({}, nullptr), expected.size());
    for (int j = 0; j < 10; ++j) {
      const bool large = i == 30 && j == 5;
      std::string piece(large ? 2'500'000 : random() % 200, '\0');
      for (char& c : piece) {
        c = static_cast<char>(random());
      }
      ASSERT_TRUE(file->Append(piece, {}, nullptr).ok());
      expected += piece;
    }
    EXPECT_EQ(file->GetFileSize({}, nullptr), expected.size());
    ASSERT_TRUE(file->Close({}, nullptr).ok());
  }
  EXPECT_EQ(SizeOf(path), expected.size());
  EXPECT_EQ(Stored(path).size(), expected.size() + FileCipher::kPrefixBytes);
  EXPECT_TRUE(ReadAll(path) == expected);

  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  ASSERT_TRUE(files_->NewRandomAccessFile(path, {}, &file, nullptr).ok());
  const auto read_a_lot = [&](uint32_t thread_seed) {
    // Of nothing at all the files below do not read.
    std::mt19937 choose(thread_seed);
    std::string scratch(10'000, '\0');
    for (int i = 0; i < 2000; ++i) {
      const uint64_t offset = choose() % (expected.size() + 100);
      const size_t size = 1 + choose() % scratch.size();
      Slice result;
      ASSERT_TRUE(file->Read(offset, size, {}, &result, scratch.data(), nullptr).ok());
      const std::string_view wanted =
          offset > expected.size() ? "" : std::string_view(expected).substr(offset, size);
      ASSERT_TRUE(std::string_view(result.data(), result.size()) == wanted) << offset;
    }
  };
  std::thread other(read_a_lot, seed + 1);
  read_a_lot(seed + 2);
  other.join();

  // Several ranges at once.
  std::string first(100, '\0');
  std::string second(50, '\0');
  rocksdb::FSReadRequest requests[2];
  requests[0].offset = 17;
  requests[0].len = first.size();
  requests[0].scratch = first.data();
  requests[1].offset = 1000;
  requests[1].len = second.size();
  requests[1].scratch = second.data();
  ASSERT_TRUE(file->MultiRead(requests, 2, {}, nullptr).ok());
  EXPECT_EQ(requests[0].result.ToString(), expected.substr(17, 100));
  EXPECT_EQ(requests[1].result.ToString(), expected.substr(1000, 50));

  // In order, with parts left out.
  std::unique_ptr<rocksdb::FSSequentialFile> sequence;
  ASSERT_TRUE(files_->NewSequentialFile(path, {}, &sequence, nullptr).ok());
  Slice result;
  ASSERT_TRUE(sequence->Skip(333).ok());
  ASSERT_TRUE(sequence->Read(100, {}, &result, first.data(), nullptr).ok());
  EXPECT_EQ(result.ToString(), expected.substr(333, 100));
  ASSERT_TRUE(sequence->Skip(1).ok());
  ASSERT_TRUE(sequence->Read(50, {}, &result, second.data(), nullptr).ok());
  EXPECT_EQ(result.ToString(), expected.substr(434, 50));
}

// Nothing of the content is legible, and equal contents do not look alike, in part or as a whole.
TEST_F(EncryptedFileSystemTest, StoresNoPlainText) {
  const std::string content(4096, 'x');
  Write(Path("a"), content);
  Write(Path("b"), content);
  const std::string a = Stored(Path("a")).substr(FileCipher::kPrefixBytes);
  const std::string b = Stored(Path("b")).substr(FileCipher::kPrefixBytes);
  for (size_t i = 0; i + 16 <= a.size(); i += 16) {
    EXPECT_EQ(a.find(a.substr(i, 16), i + 1), std::string::npos);
    EXPECT_EQ(b.find(a.substr(i, 16)), std::string::npos);
  }
  EXPECT_EQ(a.find("xxxx"), std::string::npos);
}

TEST_F(EncryptedFileSystemTest, ADamagedPrefixIsCorruptionThatNamesTheFile) {
  const std::string path = Path("000001.log");
  Write(path, "content");
  const std::string stored = Stored(path);
  for (size_t i = 0; i < FileCipher::kPrefixBytes; ++i) {
    std::string damaged = stored;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    Store(path, damaged);
    std::unique_ptr<rocksdb::FSWritableFile> file;
    const IOStatus reopened = files_->ReopenWritableFile(path, {}, &file, nullptr);
    for (const std::string& text : {ReadAll(path), ReadAt(path, 0, 7), reopened.ToString()}) {
      EXPECT_TRUE(text.starts_with(StrCat("Corruption: ", path, ": "))) << i << ": " << text;
    }
    EXPECT_EQ(Stored(path), damaged);
  }
  Store(path, std::string(200, 'p'));
  EXPECT_EQ(ReadAll(path), StrCat("Corruption: ", path, ": not encrypted, or damaged"));
}

// A crash leaves of a file that was never synced what it leaves without encryption: an empty file,
// which may also be started over.
TEST_F(EncryptedFileSystemTest, AFileShorterThanItsPrefixIsEmpty) {
  const std::string path = Path("000001.log");
  Write(path, "content");
  const std::string stored = Stored(path);
  for (size_t size = 0; size <= FileCipher::kPrefixBytes; ++size) {
    Store(path, stored.substr(0, size));
    EXPECT_EQ(ReadAll(path), "") << size;
    EXPECT_EQ(ReadAt(path, 0, 7), "") << size;
    EXPECT_EQ(SizeOf(path), 0U) << size;
    std::unique_ptr<rocksdb::FSWritableFile> file;
    ASSERT_TRUE(files_->ReopenWritableFile(path, {}, &file, nullptr).ok()) << size;
    ASSERT_TRUE(file->Truncate(0, {}, nullptr).ok());
    ASSERT_TRUE(file->Append("again", {}, nullptr).ok());
    ASSERT_TRUE(file->Close({}, nullptr).ok());
    EXPECT_EQ(ReadAll(path), "again") << size;
  }
}

TEST_F(EncryptedFileSystemTest, AFileIsCutWhereItsReaderSays) {
  const std::string path = Path("000001.log");
  Write(path, "content and more");
  {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    ASSERT_TRUE(files_->ReopenWritableFile(path, {}, &file, nullptr).ok());
    ASSERT_TRUE(file->Truncate(7, {}, nullptr).ok());
    EXPECT_EQ(file->GetFileSize({}, nullptr), 7U);
    ASSERT_TRUE(file->Close({}, nullptr).ok());
  }
  EXPECT_EQ(ReadAll(path), "content");
  std::vector<rocksdb::FileAttributes> attributes;
  ASSERT_TRUE(files_->GetChildrenFileAttributes(directory_.path(), {}, &attributes, nullptr).ok());
  for (const rocksdb::FileAttributes& each : attributes) {
    EXPECT_TRUE(each.name != "000001.log" || each.size_bytes == 7U);
  }
}

// Files stay readable when data keys come, and a file whose key is gone says so.
TEST_F(EncryptedFileSystemTest, FilesKeepTheirDataKey) {
  Write(Path("old"), "old content");
  auto grown = std::make_shared<Keyring>(*keyring_);
  grown->Add(1);
  files_ = MakeEncryptedFileSystem(rocksdb::FileSystem::Default(), grown);
  Write(Path("new"), "new content");
  EXPECT_EQ(ReadAll(Path("old")), "old content");
  EXPECT_EQ(ReadAll(Path("new")), "new content");
  files_ = MakeEncryptedFileSystem(rocksdb::FileSystem::Default(), keyring_);
  EXPECT_EQ(ReadAll(Path("old")), "old content");
  EXPECT_NE(ReadAll(Path("new")).find("which is not in KEYS"), std::string::npos);
}

// Calls that would use key stream twice, or write plain text, are not there.
TEST_F(EncryptedFileSystemTest, WhatWouldTellIsRefused) {
  Write(Path("a"), "content");
  std::unique_ptr<rocksdb::FSWritableFile> file;
  std::unique_ptr<rocksdb::FSRandomRWFile> random;
  std::unique_ptr<rocksdb::MemoryMappedFileBuffer> mapped;
  std::shared_ptr<rocksdb::Logger> logger;
  EXPECT_TRUE(files_->ReuseWritableFile(Path("b"), Path("a"), {}, &file, nullptr).IsNotSupported());
  EXPECT_TRUE(files_->NewRandomRWFile(Path("a"), {}, &random, nullptr).IsNotSupported());
  EXPECT_TRUE(files_->NewMemoryMappedFileBuffer(Path("a"), &mapped).IsNotSupported());
  EXPECT_TRUE(files_->NewLogger(Path("LOG"), {}, &logger, nullptr).IsNotSupported());
  EXPECT_TRUE(files_->Truncate(Path("a"), 3, {}, nullptr).IsNotSupported());
  ASSERT_TRUE(files_->ReopenWritableFile(Path("a"), {}, &file, nullptr).ok());
  EXPECT_TRUE(file->PositionedAppend("x", 0, {}, nullptr).IsNotSupported());
  EXPECT_EQ(ReadAll(Path("a")), "content");
  EXPECT_EQ(ReadAll(Path("none")).find("IO error: No such file or directory"), 0U);
}

}  // namespace
}  // namespace tintype::tables::engine
