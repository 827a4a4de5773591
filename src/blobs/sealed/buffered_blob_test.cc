#include "blobs/sealed/buffered_blob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tintype::blobs {
namespace {

/// A blob in memory that says what was read of it.
class FarBlob : public OpenBlob {
 public:
  explicit FarBlob(std::string content) : content_(std::move(content)) {
    info_.bytes = content_.size();
  }

  const BlobInfo& info() const override { return info_; }
  int descriptor() const override { return -1; }
  int named_descriptor() const override { return -1; }
  Result<size_t> Read(uint64_t offset, std::span<char> out) const override {
    reads.emplace_back(offset, out.size());
    if (fails) {
      return Error(ErrorKind::kUnavailable, "away");
    }
    return offset >= content_.size()
               ? 0
               : content_.copy(out.data(), out.size(), static_cast<size_t>(offset));
  }

  mutable std::vector<std::pair<uint64_t, size_t>> reads;
  bool fails = false;

 private:
  const std::string content_;
  BlobInfo info_;
};

std::string Content(size_t bytes) {
  std::string content(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) {
    content[i] = static_cast<char>(i * 31 % 251);
  }
  return content;
}

class BufferedBlobTest : public testing::Test {
 protected:
  std::string Read(uint64_t offset, size_t bytes) {
    std::string out(bytes, '\0');
    const auto count = blob_.Read(offset, out);
    EXPECT_TRUE(count.ok());
    out.resize(count.ok() ? *count : 0);
    return out;
  }

  const std::string content_ = Content(2 * BufferedBlob::kPieceBytes + 1000);
  const std::shared_ptr<FarBlob> far_ = std::make_shared<FarBlob>(content_);
  const BufferedBlob blob_{far_};
};

// Proves that many small reads are few requests, and read what is there.
TEST_F(BufferedBlobTest, ReadsAhead) {
  std::string all;
  for (uint64_t at = 0; at < content_.size(); at += 65'564) {
    all += Read(at, 65'564);
  }
  EXPECT_EQ(all, content_);
  EXPECT_EQ(far_->reads.size(), 3U);
}

// Proves that reads in any order, over the ends of pieces and of the blob, read what is there.
TEST_F(BufferedBlobTest, ReadsAnywhere) {
  const size_t piece = BufferedBlob::kPieceBytes;
  for (const auto& [offset, bytes] :
       std::vector<std::pair<uint64_t, size_t>>{{0, 0},
                                                {5, 10},
                                                {piece - 3, 7},
                                                {content_.size() - 1, 10},
                                                {0, 88},
                                                {content_.size(), 5},
                                                {content_.size() + 5, 5},
                                                {piece, piece},
                                                {3, 2 * piece}}) {
    const size_t from = std::min<size_t>(offset, content_.size());
    EXPECT_EQ(Read(offset, bytes), content_.substr(from, bytes)) << offset;
  }
}

// Proves that a read as large as a piece is asked for at once.
TEST_F(BufferedBlobTest, PassesLargeReadsOn) {
  EXPECT_EQ(Read(7, 2 * BufferedBlob::kPieceBytes),
            content_.substr(7, 2 * BufferedBlob::kPieceBytes));
  EXPECT_EQ(far_->reads.size(), 1U);
}

// Proves that an error is one, and that nothing of it is kept.
TEST_F(BufferedBlobTest, PassesErrorsOn) {
  far_->fails = true;
  char byte = 0;
  EXPECT_EQ(blob_.Read(0, {&byte, 1}).error().kind(), ErrorKind::kUnavailable);
  far_->fails = false;
  EXPECT_EQ(Read(0, 100), content_.substr(0, 100));
}

}  // namespace
}  // namespace tintype::blobs
