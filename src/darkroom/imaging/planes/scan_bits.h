#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tintype::darkroom {

/// The bits of a JPEG file's scan, without the bytes that are stuffed between them, from one marker
/// to the next. Reads the descriptor by position. Used by one thread.
///
/// After Fill, a whole MCU may be taken without a look at how much there is: beyond the end come
/// zeros, and overrun() tells of it.
class ScanBits {
 public:
  /// More than the largest MCU takes: ten blocks of 64 coefficients of 16 bits of code and 15 of
  /// their own.
  static constexpr size_t kReserveBytes = 4096;

  /// `input` stays open while it lives.
  ScanBits(int input, int64_t offset);

  /// Before each MCU. Windows from before are of no use any more.
  void Fill() {
    if (end_ - window_.at_ < kReserveBytes && marker_ == 0) {
      Read();
    }
  }

  /// Where it is. A plain value, which the compiler keeps in registers while it is a local one.
  class Window {
   public:
    static constexpr int kBits = 56;

    /// Makes sure of kBits bits.
    void Refill() {
      uint64_t more = 0;
      std::memcpy(&more, bytes_ + at_, sizeof more);
      word_ |= __builtin_bswap64(more) >> count_;
      at_ += static_cast<size_t>((63 - count_) >> 3);
      count_ |= kBits;
    }
    /// The next `count` bits, 1 to 32 of those made sure of.
    uint32_t Peek(int count) const { return static_cast<uint32_t>(word_ >> (64 - count)); }
    /// `count` of them, 0 to 31, behind the next `skipped`.
    uint32_t Peek(int skipped, int count) const {
      return static_cast<uint32_t>((word_ << skipped >> 1) >> (63 - count));
    }
    void Skip(int count) {
      word_ <<= count;
      count_ -= count;
    }

   private:
    friend class ScanBits;
    const uint8_t* bytes_ = nullptr;
    size_t at_ = 0;
    uint64_t word_ = 0;
    int count_ = 0;
  };
  const Window& window() const { return window_; }
  /// Goes on from there: a window of this, from which more was taken.
  void set_window(const Window& window) { window_ = window; }

  /// Whether more was taken than there was.
  bool overrun() const { return Left() < 0; }
  /// Goes on behind the restart marker of that number, 0 to 7. False when it does not come next.
  bool Restart(int number);

 private:
  static constexpr size_t kBufferBytes = 64 * 1024;

  int64_t Left() const {
    return (static_cast<int64_t>(end_) - static_cast<int64_t>(window_.at_)) * 8 + window_.count_;
  }
  void Read();
  bool ReadFile();

  const int input_;
  int64_t offset_;
  std::vector<uint8_t> file_;  // As it is in the file.
  size_t file_at_ = 0;
  size_t file_end_ = 0;
  bool after_ff_ = false;  // The byte before was 0xFF, which means something only with the next.

  std::vector<uint8_t> bytes_;
  size_t end_ = 0;
  int marker_ = 0;  // What ended the bytes; 0 while more may come.
  Window window_;
};

}  // namespace tintype::darkroom
