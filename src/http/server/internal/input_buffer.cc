#include "http/server/internal/input_buffer.h"

#include <cstring>

namespace tintype::http::internal {

std::span<char> InputBuffer::Room() {
  if (begin_ > 0) {
    std::memmove(data_, data_ + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  return {data_ + end_, shared_.size() - end_};
}

void InputBuffer::Keep() {
  if (begin_ == end_) {
    own_.reset();
    data_ = shared_.data();
    begin_ = end_ = 0;
  } else if (own_ == nullptr) {
    own_ = std::make_unique_for_overwrite<char[]>(shared_.size());
    std::memcpy(own_.get(), data_ + begin_, end_ - begin_);
    data_ = own_.get();
    end_ -= begin_;
    begin_ = 0;
  }
}

}  // namespace tintype::http::internal
