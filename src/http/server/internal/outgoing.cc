#include "http/server/internal/outgoing.h"

#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/logging.h"
#include "http/server/internal/response_writer.h"

namespace tintype::http::internal {
namespace {

using ErrorCode = boost::system::error_code;

// Bodies from this size on are written from where they are instead of being copied.
constexpr size_t kLargeBodyBytes = 8 * 1024;
// Answers are encrypted in pieces, so that a large one is not in memory twice.
constexpr size_t kEncryptBytesMax = 64 * 1024;
// What is sent of a file before other connections get their turn: most pictures at once.
constexpr uint64_t kFileBytesMax = 2 * 1024 * 1024;

}  // namespace

void Outgoing::Add(Response&& response, How how) {
  if (output_.empty()) {
    output_ = loop_.TakeOutput();
  }
  AppendResponseHead(output_, response, loop_.date(), how.close);
  if (how.head_only || !HasBody(response.status)) {
    return;
  }
  if (response.file) {
    CHECK(response.file->file != nullptr);
    if (response.file->length > 0) {
      file_ = std::move(response.file);
    }
  } else if (response.body.size() < kLargeBodyBytes) {
    output_.append(response.body);
  } else {
    large_body_ = std::move(response.body);
  }
}

void Outgoing::AddPiece(std::string piece) {
  CHECK(large_body_.empty() && !file_);
  (output_.empty() ? output_ : large_body_) = std::move(piece);
}

size_t Outgoing::unsent() const {
  return output_.size() + large_body_.size() - output_sent_ +
         (tls_ == nullptr ? 0 : tls_->unsent().size());
}

bool Outgoing::TrySend() {
  if (output_.empty()) {
    return true;
  }
  ErrorCode error;
  if (tls_ == nullptr && large_body_.empty()) {
    // The header of a small file should not be a packet of its own.
    const int flags = file_ ? MSG_MORE : 0;
    Sent(socket_.send(asio::buffer(output_), flags, error));
  } else {
    while (unsent() > 0 && !error && !failed_) {
      Sent(socket_.write_some(NextPiece(), error));
    }
  }
  if (unsent() > 0) {
    return false;
  }
  if (tls_ == nullptr && file_) {
    SendFile();
  }
  if (file_left() > 0) {
    return false;
  }
  Clear();
  return true;
}

std::array<asio::const_buffer, 2> Outgoing::NextPiece() {
  const size_t head_sent = std::min(output_sent_, output_.size());
  std::array<asio::const_buffer, 2> plain = {
      asio::buffer(output_) + head_sent, asio::buffer(large_body_) + (output_sent_ - head_sent)};
  if (tls_ == nullptr) {
    return plain;
  }
  if (tls_->unsent().empty()) {
    const asio::const_buffer next = plain[0].size() > 0 ? plain[0] : plain[1];
    if (next.size() > 0) {
      const size_t bytes = std::min(next.size(), kEncryptBytesMax);
      failed_ = failed_ || !tls_->Encrypt({static_cast<const char*>(next.data()), bytes});
      output_sent_ += bytes;
    } else {
      EncryptFilePiece();
    }
  }
  return {asio::buffer(tls_->unsent()), asio::const_buffer()};
}

void Outgoing::Sent(size_t bytes) {
  if (tls_ == nullptr) {
    output_sent_ += bytes;
  } else {
    tls_->Sent(bytes);
  }
}

void Outgoing::EncryptFilePiece() {
  const std::span<char> shared = loop_.input();
  const size_t wanted = std::min({file_->length, uint64_t{kEncryptBytesMax}, shared.size()});
  const ssize_t read =
      ::pread(file_->file->number(), shared.data(), wanted, static_cast<off_t>(file_->offset));
  if (read <= 0) {
    return FileFailed(read == 0 ? "it is too short" : std::strerror(errno));
  }
  const auto bytes = static_cast<size_t>(read);
  failed_ = failed_ || !tls_->Encrypt({shared.data(), bytes});
  file_->offset += bytes;
  file_->length -= bytes;
}

bool Outgoing::SendFile() {
  auto offset = static_cast<off_t>(file_->offset);
  const ssize_t sent = ::sendfile(socket_.native_handle(), file_->file->number(), &offset,
                                  std::min(file_->length, kFileBytesMax));
  if (sent > 0) {
    file_->offset += static_cast<uint64_t>(sent);
    file_->length -= static_cast<uint64_t>(sent);
    return true;
  }
  if (sent == 0) {
    FileFailed("it is too short");
  } else if (errno == EPIPE || errno == ECONNRESET || errno == ETIMEDOUT) {
    failed_ = true;
  } else if (errno != EAGAIN && errno != EINTR) {
    FileFailed(std::strerror(errno));
  }
  return false;
}

// The client has its header: all that is left is to end the connection before what it promised.
void Outgoing::FileFailed(std::string_view why) {
  LogError("file not sent", {{"offset", file_->offset}, {"missing", file_->length}, {"why", why}});
  failed_ = true;
}

void Outgoing::Clear() {
  loop_.GiveBackOutput(std::exchange(output_, std::string()));
  // Assigning an empty string would keep the memory.
  std::string().swap(large_body_);
  file_.reset();
  output_sent_ = 0;
}

}  // namespace tintype::http::internal
