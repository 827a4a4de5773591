#include "darkroom/imaging/planes/scan_bits.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tintype::darkroom {
namespace {

constexpr int kFirstRestart = 0xD0;
constexpr int kEndOfImage = 0xD9;

}  // namespace

ScanBits::ScanBits(int input, int64_t offset)
    : input_(input), offset_(offset), file_(kBufferBytes), bytes_(kBufferBytes + kReserveBytes) {
  window_.bytes_ = bytes_.data();
}

bool ScanBits::ReadFile() {
  ssize_t count = 0;
  do {
    count = ::pread(input_, file_.data(), file_.size(), offset_);
  } while (count < 0 && errno == EINTR);
  file_at_ = 0;
  file_end_ = count > 0 ? static_cast<size_t>(count) : 0;
  offset_ += static_cast<int64_t>(file_end_);
  return count > 0;
}

void ScanBits::Read() {
  // Zeros that were taken beyond the end are none of the file's: there is no way back from them.
  const size_t left = end_ > window_.at_ ? end_ - window_.at_ : 0;
  std::memmove(bytes_.data(), bytes_.data() + window_.at_, left);
  window_.at_ -= std::min(window_.at_, end_);
  end_ = left;
  while (end_ < kBufferBytes && marker_ == 0) {
    if (file_at_ == file_end_ && !ReadFile()) {
      marker_ = kEndOfImage;
    } else if (after_ff_) {
      const uint8_t byte = file_[file_at_++];
      after_ff_ = byte == 0xFF;  // There may be any number of them before a marker.
      if (byte == 0) {
        bytes_[end_++] = 0xFF;
      } else if (!after_ff_) {
        marker_ = byte;
      }
    } else {
      const size_t room = std::min(file_end_ - file_at_, kBufferBytes - end_);
      const uint8_t* const from = &file_[file_at_];
      const void* const found = std::memchr(from, 0xFF, room);
      const size_t plain =
          found == nullptr ? room : static_cast<size_t>(static_cast<const uint8_t*>(found) - from);
      std::memcpy(&bytes_[end_], from, plain);
      end_ += plain;
      after_ff_ = found != nullptr;
      file_at_ += plain + (after_ff_ ? 1 : 0);
    }
  }
  std::memset(&bytes_[end_], 0, bytes_.size() - end_);
}

bool ScanBits::Restart(int number) {
  Fill();
  // Less than a byte is left, which fills the last one up.
  if (marker_ != kFirstRestart + number || Left() < 0 || Left() > 7) {
    return false;
  }
  window_.at_ = 0;
  end_ = 0;
  window_.word_ = 0;
  window_.count_ = 0;
  marker_ = 0;
  Read();
  return true;
}

}  // namespace tintype::darkroom
