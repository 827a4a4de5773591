#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace tintype::http::internal {

/// The bytes that a connection has received but not parsed yet. They are in a buffer that all
/// connections of an event loop share, and move to one of their own only when the connection has to
/// wait with some left, such as half a header. So a connection that is idle has none, and many
/// busy ones use the same warm memory. Not thread-safe; the shared buffer must outlive it.
class InputBuffer {
 public:
  explicit InputBuffer(std::span<char> shared) : shared_(shared), data_(shared.data()) {}

  std::string_view unread() const { return {data_ + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }
  void Consume(size_t bytes) { begin_ += bytes; }

  /// Where to put what is received next; empty when unread bytes fill all of it.
  std::span<char> Room();
  void Received(size_t bytes) { end_ += bytes; }

  /// To be called before others may use the shared buffer, that is before the coroutine waits.
  void Keep();

 private:
  const std::span<char> shared_;
  std::unique_ptr<char[]> own_;  // As large as the shared one.
  char* data_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace tintype::http::internal
