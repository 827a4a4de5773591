#include "http/rest/media/blob_source.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "base/strings.h"

namespace tintype::http::rest {
namespace {

constexpr size_t kPieceNow = 4 * blobs::kChunkBytes;

/// A blob that counts what is read of it by whom, and which has some of its first bytes in memory.
class PartlyThere : public blobs::OpenBlob {
 public:
  PartlyThere(size_t bytes, size_t there) : there_(there), info_{.bytes = bytes} {
    for (size_t i = 0; i < bytes; ++i) {
      bytes_.push_back(static_cast<char>(i * 7 + i / 251));
    }
  }
  const blobs::BlobInfo& info() const override { return info_; }
  int descriptor() const override { return -1; }
  int named_descriptor() const override { return -1; }
  Result<size_t> Read(uint64_t offset, std::span<char> out) const override {
    ++reads;
    if (offset >= broken_from) {
      return Error::Corruption("It is damaged");
    }
    return offset < bytes_.size() ? bytes_.copy(out.data(), out.size(), offset) : 0;
  }
  Result<std::optional<size_t>> ReadNow(uint64_t offset, std::span<char> out) const override {
    if (offset >= broken_from) {
      return Error::Corruption("It is damaged");
    }
    if (offset + out.size() > there_) {
      return std::optional<size_t>();
    }
    ++reads_now;
    return std::optional(bytes_.copy(out.data(), out.size(), offset));
  }
  const std::string& bytes() const { return bytes_; }

  uint64_t broken_from = UINT64_MAX;
  mutable std::atomic<int> reads = 0;
  mutable std::atomic<int> reads_now = 0;

 private:
  const size_t there_;
  const blobs::BlobInfo info_;
  std::string bytes_;
};

/// What a client gets, and how many of the pieces came at once.
struct Received {
  std::string bytes;
  int at_once = 0;
  bool ended_early = false;
};

Received ReceiveAll(const std::shared_ptr<BlobSource>& source, size_t length) {
  Received received;
  const auto caller = std::this_thread::get_id();
  while (received.bytes.size() < length) {
    std::promise<std::optional<std::string>> promise;
    std::thread::id answered_by;
    source->Read([&](std::optional<std::string> piece) {
      answered_by = std::this_thread::get_id();
      promise.set_value(std::move(piece));
    });
    const auto piece = promise.get_future().get();
    if (!piece) {
      received.ended_early = true;
      return received;
    }
    received.at_once += answered_by == caller ? 1 : 0;
    received.bytes += *piece;
  }
  return received;
}

// Proves that what is in memory is answered by the caller's own thread, in pieces that end where
// chunks do, and all else by the pool.
TEST(BlobSourceTest, AnswersAtOnceWhatIsThere) {
  Pool pool({.threads = 1});
  const size_t there = 2 * kPieceNow;
  const auto blob = std::make_shared<PartlyThere>(there + 100, there);
  const size_t offset = kPieceNow - 10;
  const size_t length = blob->bytes().size() - offset;
  const auto source = std::make_shared<BlobSource>(blob, BlobSource::Part{offset, length}, pool);
  const Received received = ReceiveAll(source, length);
  EXPECT_TRUE(received.bytes == blob->bytes().substr(offset));
  EXPECT_EQ(received.at_once, 2) << "the ten bytes of the first piece, and the whole second one";
  EXPECT_EQ(blob->reads_now, 2);
  EXPECT_EQ(blob->reads, 1) << "what is behind them";
  pool.Stop();
}

// Proves that a damaged blob ends the answer, whoever reads it.
TEST(BlobSourceTest, EndsWhereItIsDamaged) {
  Pool pool({.threads = 1});
  const auto blob = std::make_shared<PartlyThere>(2 * kPieceNow, 2 * kPieceNow);
  blob->broken_from = kPieceNow;
  const auto source =
      std::make_shared<BlobSource>(blob, BlobSource::Part{0, blob->bytes().size()}, pool);
  const Received received = ReceiveAll(source, blob->bytes().size());
  EXPECT_TRUE(received.ended_early);
  EXPECT_TRUE(received.bytes == blob->bytes().substr(0, kPieceNow));
  EXPECT_EQ(blob->reads, 1) << "the pool finds the damage and says so";
  pool.Stop();
}

}  // namespace
}  // namespace tintype::http::rest
