#include "http/server/internal/connection.h"

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/redirect_error.hpp>
#include <cstring>

#include "base/logging.h"
#include "base/strings.h"

namespace tintype::http::internal {
namespace {

using ErrorCode = boost::system::error_code;

// Pipelined answers are gathered up to this size before they are written.
constexpr size_t kGatherBytesMax = 128 * 1024;
// Bodies from this size on are written from where they are instead of being copied.
constexpr size_t kLargeBodyBytes = 8 * 1024;
// Answers from this size on are refused when too many others wait to be read. Smaller ones are not:
// they fit into the operating system's buffers, and they may tell of something that was done.
constexpr size_t kRefusableAnswerBytes = 1024 * 1024;
// Bodies below this size are not counted against body_bytes_in_flight_max.
constexpr size_t kCountedBodyBytes = 64 * 1024;
// Answers are encrypted in pieces, so that a large one is not in memory twice.
constexpr size_t kEncryptBytesMax = 64 * 1024;
// A client that is refused in the middle of its request gets to send this much more, unread, for
// this long. Closing at once would reset the connection, and the client would not see the answer.
constexpr size_t kDrainBytesMax = 64 * 1024 * 1024;
constexpr std::chrono::seconds kDrainTimeout{5};

std::string PeerName(const Socket& socket) {
  ErrorCode error;
  const Tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) {
    return "unknown";
  }
  return StrCat(peer.address().to_string(), ":", peer.port());
}

}  // namespace

Connection::Connection(Socket socket, EventLoop& loop)
    : loop_(loop),
      state_(loop.state()),
      socket_(std::move(socket)),
      peer_(PeerName(socket_)),
      tls_context_(state_.tls()),
      tls_(tls_context_ == nullptr ? nullptr : std::make_unique<TlsSession>(*tls_context_)),
      parser_({.header_bytes_max = state_.config.header_bytes_max,
               .body_bytes_max = state_.config.body_bytes_max}),
      mailbox_(std::make_shared<Mailbox>(*this)),
      input_(loop.input()) {}

Connection::~Connection() { ReleaseBody(); }

Awaitable<void> Connection::Run(std::shared_ptr<Connection> self) {
  ErrorCode ignored;
  self->socket_.set_option(Tcp::no_delay(true), ignored);
  self->socket_.non_blocking(true, ignored);
  try {
    co_await self->Serve();
  } catch (const std::exception& exception) {
    // Nothing of ours throws but allocation; the connection ends, the server goes on.
    LogError("connection failed", {{"peer", self->peer_}, {"what", exception.what()}});
  }
  self->mailbox_->Detach();
  self->EndTls();
  self->Close();
  self->loop_.Served(*self);
}

Awaitable<void> Connection::RunTurnedAway(std::shared_ptr<Connection> self) {
  ErrorCode ignored;
  self->socket_.non_blocking(true, ignored);
  co_await self->RefuseAndClose(503, "There are too many connections.");
  self->mailbox_->Detach();
  self->Close();
  self->loop_.TurnedAway(*self);
}

// GCC 12 miscompiles co_await inside a condition with && or inside a switch, so that each stands in
// a statement of its own here.
Awaitable<void> Connection::Serve() {
  bool alive = true;
  while (alive) {
    const RequestParser::Outcome outcome = Parse();
    if (outcome == RequestParser::Outcome::kRefused) {
      co_await RefuseAndClose(parser_.refusal_status(), parser_.refusal_reason());
      alive = false;
    } else if (!AccountBody()) {
      co_await RefuseAndClose(503, "There are too many large requests at once.");
      alive = false;
    } else if (outcome == RequestParser::Outcome::kComplete) {
      Handle();
      if (!mailbox_->full()) {
        co_await WaitForResponse();
        if (!mailbox_->full()) {
          co_return;
        }
      }
      Answer(mailbox_->Take(), !parser_.keep_alive());
      ReleaseBody();
      parser_.Reset();
      if (closing_ || output_.size() > kGatherBytesMax || !large_body_.empty()) {
        if (!TrySend()) {
          alive = co_await Flush();
        }
        alive = alive && !closing_;
      }
    } else {
      if (!TrySend()) {
        alive = co_await Flush();
      }
      if (alive) {
        alive = co_await Fill();
      }
    }
  }
}

RequestParser::Outcome Connection::Parse() {
  if (input_.empty()) {
    return RequestParser::Outcome::kNeedMore;
  }
  const auto [outcome, consumed] = parser_.Feed(input_.unread());
  input_.Consume(consumed);
  if (outcome == RequestParser::Outcome::kNeedMore && parser_.header_done() &&
      parser_.expects_continue() && !continue_sent_) {
    output_.append("HTTP/1.1 100 Continue\r\n\r\n");
    continue_sent_ = true;
  }
  return outcome;
}

void Connection::Handle() {
  EnterUntimed(Phase::kHandling);
  Request request = parser_.TakeRequest();
  request.peer = peer_;
  head_request_ = request.method == "HEAD";
  first_request_ = false;
  continue_sent_ = false;
  Mailbox::HandlingScope scope(*mailbox_);
  state_.handler.Handle(std::move(request), Mailbox::MakeRespond(mailbox_));
}

void Connection::Answer(Response response, bool close) {
  if (response.body.size() >= kRefusableAnswerBytes &&
      !state_.answers.HasRoom(response.body.size())) {
    response = state_.handler.Refuse(503, "There are too many large answers at once.");
  }
  closing_ = close || state_.stopping.load(std::memory_order_relaxed);
  if (output_.empty()) {
    output_ = loop_.TakeOutput();
  }
  AppendResponseHead(output_, response, loop_.date(), closing_);
  if (head_request_) {
    head_request_ = false;
    return;
  }
  if (response.body.size() < kLargeBodyBytes) {
    output_.append(response.body);
  } else {
    large_body_ = std::move(response.body);
  }
}

// Counts large bodies against the server's budget; false when that is used up.
bool Connection::AccountBody() {
  const size_t bytes = parser_.body_bytes();
  if (bytes < kCountedBodyBytes || bytes == body_bytes_counted_) {
    return true;
  }
  const size_t more = bytes - body_bytes_counted_;
  const size_t before = state_.body_bytes_in_flight.fetch_add(more, std::memory_order_relaxed);
  body_bytes_counted_ = bytes;
  return before + more <= state_.config.body_bytes_in_flight_max;
}

void Connection::ReleaseBody() {
  if (body_bytes_counted_ > 0) {
    state_.body_bytes_in_flight.fetch_sub(body_bytes_counted_, std::memory_order_relaxed);
    body_bytes_counted_ = 0;
  }
}

// Reads what there is. False when the connection is to end.
Awaitable<bool> Connection::Fill() {
  const bool idle = input_.empty() && !parser_.started();
  if (idle && state_.stopping.load(std::memory_order_relaxed)) {
    co_return false;
  }
  const ServerConfig& config = state_.config;
  if (idle) {
    // The empty lines that may stand before a request do not count as activity.
    if (phase_ != Phase::kIdle || deadline_ == SteadyClock::time_point::max()) {
      Enter(Phase::kIdle, first_request_ ? config.header_timeout : config.idle_timeout);
    }
  } else if (!parser_.header_done()) {
    // The time runs from the first byte on, however slowly the others come.
    if (phase_ != Phase::kHeader) {
      Enter(Phase::kHeader, config.header_timeout);
    }
  } else if (phase_ != Phase::kBody) {
    Enter(Phase::kBody, config.body_timeout);
  }

  // A TLS handshake, too, happens here: then nothing is received that would be parsed.
  const size_t before = input_.unread().size();
  while (input_.unread().size() == before && !broken_) {
    input_.Keep();
    ErrorCode error;
    const size_t first = co_await socket_.async_read_some(asio::buffer(first_bytes_),
                                                          asio::redirect_error(kAwait, error));
    // What arrives at the last moment for an idle connection is still served.
    if (error || (timed_out_ && phase_ != Phase::kIdle) || !Receive(first)) {
      broken_ = true;
    }
    while (!broken_ && tls_ != nullptr && !tls_->unsent().empty()) {
      input_.Keep();
      const size_t sent = co_await socket_.async_write_some(asio::buffer(tls_->unsent()),
                                                            asio::redirect_error(kAwait, error));
      tls_->Sent(sent);
      broken_ = static_cast<bool>(error);
    }
  }
  if (!broken_) {
    co_return true;
  }
  if (timed_out_ && phase_ != Phase::kIdle && !aborted_) {
    broken_ = false;
    Answer(state_.handler.Refuse(408, "The request took too long to arrive."), true);
    co_await Flush();
  }
  co_return false;
}

// Puts the first bytes of what has arrived, and the rest of it, into input_. On a TLS connection
// that may be nothing. False when no more will come, or fit.
bool Connection::Receive(size_t first) {
  const std::span<char> room = tls_ == nullptr ? input_.Room() : loop_.cipher_input();
  if (room.size() < first_bytes_.size()) {
    return false;  // A chunk header or trailer that does not end: nothing sane to answer.
  }
  std::memcpy(room.data(), first_bytes_.data(), first);
  size_t bytes = first;
  if (first == first_bytes_.size()) {
    ErrorCode ignored;  // The next read will find it again.
    bytes += socket_.read_some(asio::buffer(room.data() + first, room.size() - first), ignored);
  }
  if (tls_ == nullptr) {
    input_.Received(bytes);
    return true;
  }
  const std::span<char> plain = input_.Room();
  if (tls_->ended() || plain.size() < bytes + TlsSession::kKeptBytesMax) {
    return false;
  }
  const size_t decrypted = tls_->Receive({room.data(), bytes}, plain);
  input_.Received(decrypted);
  if (tls_->ended() && decrypted == 0) {
    EndTls();  // Sends the alert that says why, if there is one.
    return false;
  }
  return true;
}

Awaitable<void> Connection::WaitForResponse() {
  // The answers before this one should not wait for it.
  if (!TrySend()) {
    const bool written = co_await Flush();
    if (!written) {
      co_return;
    }
    EnterUntimed(Phase::kHandling);
  }
  input_.Keep();
  if (!mailbox_->full() && !aborted_) {
    co_await asio::async_initiate<const asio::use_awaitable_t<Executor>, void()>(
        [this](auto handler) { waiter_ = std::move(handler); }, kAwait);
  }
}

void Connection::Wake() {
  if (waiter_) {
    auto waiter = std::move(waiter_);
    waiter();
  }
}

size_t Connection::unsent() const {
  return output_.size() + large_body_.size() - output_sent_ +
         (tls_ == nullptr ? 0 : tls_->unsent().size());
}

// What is to be given to the socket next. REQUIRES: something is unsent.
std::array<asio::const_buffer, 2> Connection::NextPiece() {
  const size_t head_sent = std::min(output_sent_, output_.size());
  std::array<asio::const_buffer, 2> plain = {
      asio::buffer(output_) + head_sent, asio::buffer(large_body_) + (output_sent_ - head_sent)};
  if (tls_ == nullptr) {
    return plain;
  }
  if (tls_->unsent().empty()) {
    const asio::const_buffer next = plain[0].size() > 0 ? plain[0] : plain[1];
    const size_t bytes = std::min(next.size(), kEncryptBytesMax);
    broken_ = broken_ || !tls_->Encrypt({static_cast<const char*>(next.data()), bytes});
    output_sent_ += bytes;
  }
  return {asio::buffer(tls_->unsent()), asio::const_buffer()};
}

void Connection::Sent(size_t bytes) {
  if (tls_ == nullptr) {
    output_sent_ += bytes;
  } else {
    tls_->Sent(bytes);
  }
}

// Writes without waiting. True when everything is written; false when some is left, or the write
// failed, which Flush will find out.
bool Connection::TrySend() {
  if (output_.empty()) {
    return true;
  }
  ErrorCode error;
  if (tls_ == nullptr && large_body_.empty()) {
    Sent(socket_.write_some(asio::buffer(output_), error));
  } else {
    while (unsent() > 0 && !error && !broken_) {
      Sent(socket_.write_some(NextPiece(), error));
    }
  }
  if (unsent() > 0) {
    return false;
  }
  ReleaseOutput();
  return true;
}

// Writes what is left of the answers. False when the client is gone or does not read.
Awaitable<bool> Connection::Flush() {
  if (output_sent_ == 0 && TrySend()) {
    co_return true;
  }
  input_.Keep();
  Enter(Phase::kWriting, state_.config.write_timeout);
  {
    AnswerBudget::Hold hold(state_.answers, *this, unsent());
    while (unsent() > 0 && !broken_) {
      ErrorCode error;
      const size_t sent =
          co_await socket_.async_write_some(NextPiece(), asio::redirect_error(kAwait, error));
      Sent(sent);
      hold.Left(unsent());
      broken_ = broken_ || error;
    }
  }
  ReleaseOutput();
  co_return !broken_;
}

void Connection::ReleaseOutput() {
  loop_.GiveBackOutput(std::exchange(output_, std::string()));
  // Assigning an empty string would keep the memory.
  std::string().swap(large_body_);
  output_sent_ = 0;
}

Awaitable<void> Connection::RefuseAndClose(int status, std::string_view reason) {
  Answer(state_.handler.Refuse(status, reason), true);
  const bool written = co_await Flush();
  if (written) {
    co_await Drain();
  }
}

Awaitable<void> Connection::Drain() {
  EndTls();
  ErrorCode error;
  socket_.shutdown(Tcp::socket::shutdown_send, error);
  Enter(Phase::kDraining, kDrainTimeout);
  for (size_t drained = 0; !error && drained < kDrainBytesMax;) {
    co_await socket_.async_wait(Socket::wait_read, asio::redirect_error(kAwait, error));
    if (!error) {
      const std::span<char> shared = loop_.input();
      drained += socket_.read_some(asio::buffer(shared.data(), shared.size()), error);
      if (error == asio::error::would_block) {
        error.clear();
      }
    }
  }
}

// Says goodbye, as far as that takes no waiting.
void Connection::EndTls() {
  if (tls_ != nullptr) {
    tls_->End();
    ErrorCode ignored;
    tls_->Sent(socket_.write_some(asio::buffer(tls_->unsent()), ignored));
  }
}

void Connection::Enter(Phase phase, std::chrono::milliseconds timeout) {
  phase_ = phase;
  timed_out_ = false;
  deadline_ = SteadyClock::now() + timeout;
}

void Connection::EnterUntimed(Phase phase) {
  phase_ = phase;
  deadline_ = SteadyClock::time_point::max();
}

void Connection::Sweep(SteadyClock::time_point now) {
  if (now < deadline_) {
    return;
  }
  // A read may have completed just now, or a write may go on with its next piece; so the mark
  // stays, and the next sweep cancels again.
  timed_out_ = true;
  ErrorCode ignored;
  socket_.cancel(ignored);
}

void Connection::Finish() {
  if (phase_ == Phase::kIdle || phase_ == Phase::kDraining) {
    Close();
  }
}

void Connection::Abort() {
  const auto self = shared_from_this();  // Waking the coroutine may end it.
  aborted_ = true;
  Close();
  Wake();
}

void Connection::GiveUpWriting() {
  if (phase_ == Phase::kWriting) {
    Close();
  }
}

void Connection::Close() {
  ErrorCode ignored;
  socket_.shutdown(Tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

}  // namespace tintype::http::internal
