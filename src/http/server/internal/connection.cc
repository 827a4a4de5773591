#include "http/server/internal/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <cstring>

#include "base/logging.h"
#include "base/strings.h"

namespace tintype::http::internal {
namespace {

using ErrorCode = boost::system::error_code;

// Room for a whole header, and for bodies to come in by pieces of some size.
constexpr size_t kInputBytesMin = 32 * 1024;
// Pipelined answers are gathered up to this size before they are written.
constexpr size_t kGatherBytesMax = 128 * 1024;
// Bodies from this size on are written from where they are instead of being copied.
constexpr size_t kLargeBodyBytes = 32 * 1024;
// Bodies below this size are not counted against body_bytes_in_flight_max.
constexpr size_t kCountedBodyBytes = 64 * 1024;
// A client that is refused in the middle of its request gets to send this much more, unread, for
// this long. Closing at once would reset the connection, and the client would not see the answer.
constexpr size_t kDrainBytesMax = 64 * 1024 * 1024;
constexpr std::chrono::seconds kDrainTimeout{5};

thread_local const Mailbox* handling_mailbox = nullptr;

// Delivers exactly one response, come what may: a handler that drops its Respond answers 500.
class Responder {
 public:
  explicit Responder(std::shared_ptr<Mailbox> mailbox) : mailbox_(std::move(mailbox)) {}
  Responder(Responder&&) = default;
  Responder& operator=(Responder&&) = delete;
  ~Responder() {
    if (mailbox_ != nullptr) {
      mailbox_->Deliver({.status = 500, .headers = {}, .body = {}});
    }
  }
  void operator()(Response response) {
    std::exchange(mailbox_, nullptr)->Deliver(std::move(response));
  }

 private:
  std::shared_ptr<Mailbox> mailbox_;
};

std::string PeerName(const Socket& socket) {
  ErrorCode error;
  const Tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) {
    return "unknown";
  }
  return StrCat(peer.address().to_string(), ":", peer.port());
}

}  // namespace

Mailbox::HandlingScope::HandlingScope(Mailbox& mailbox) : outer_(handling_mailbox) {
  handling_mailbox = &mailbox;
}
Mailbox::HandlingScope::~HandlingScope() { handling_mailbox = outer_; }

void Mailbox::Deliver(Response response) {
  if (handling_mailbox == this) {
    response_ = std::move(response);
    full_ = true;
    return;
  }
  MutexLock lock(mutex_);
  if (connection_ == nullptr) {
    return;
  }
  posted_ = std::move(response);
  // The event loop is alive as long as connection_ is set, which the lock keeps so for now.
  asio::post(connection_->context(), [self = shared_from_this()] { self->Arrived(); });
}

void Mailbox::Arrived() {
  Connection* connection = nullptr;
  {
    MutexLock lock(mutex_);
    connection = connection_;
    response_ = std::move(posted_);
  }
  full_ = true;
  // Only this thread ends connections, so that the pointer holds without the lock.
  if (connection != nullptr) {
    connection->Wake();
  }
}

Response Mailbox::Take() {
  full_ = false;
  return std::move(response_);
}

void Mailbox::Detach() {
  MutexLock lock(mutex_);
  connection_ = nullptr;
}

Connection::Connection(Socket socket, EventLoop& loop)
    : loop_(loop),
      state_(loop.state()),
      socket_(std::move(socket)),
      peer_(PeerName(socket_)),
      parser_({.header_bytes_max = state_.config.header_bytes_max,
               .body_bytes_max = state_.config.body_bytes_max}),
      mailbox_(std::make_shared<Mailbox>(*this)),
      input_capacity_(std::max(kInputBytesMin, state_.config.header_bytes_max + 4)) {
  input_ = std::make_unique_for_overwrite<char[]>(input_capacity_);
}

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
    if (outcome == RequestParser::Outcome::kComplete) {
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
    } else if (outcome == RequestParser::Outcome::kRefused) {
      co_await RefuseAndClose(parser_.refusal_status(), parser_.refusal_reason());
      alive = false;
    } else if (!AccountBody()) {
      co_await RefuseAndClose(503, "There are too many large requests at once.");
      alive = false;
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
  if (input_begin_ == input_end_) {
    return RequestParser::Outcome::kNeedMore;
  }
  const auto [outcome, consumed] =
      parser_.Feed({input_.get() + input_begin_, input_end_ - input_begin_});
  input_begin_ += consumed;
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
  state_.handler.Handle(std::move(request), Responder(mailbox_));
}

void Connection::Answer(Response response, bool close) {
  closing_ = close || state_.stopping.load(std::memory_order_relaxed);
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
  const bool idle = input_begin_ == input_end_ && !parser_.started();
  if (idle && state_.stopping.load(std::memory_order_relaxed)) {
    co_return false;
  }
  if (input_begin_ == input_end_) {
    input_begin_ = input_end_ = 0;
  } else if (input_end_ == input_capacity_) {
    if (input_begin_ == 0) {
      co_return false;  // A chunk header or trailer that does not end: nothing sane to answer.
    }
    std::memmove(input_.get(), input_.get() + input_begin_, input_end_ - input_begin_);
    input_end_ -= input_begin_;
    input_begin_ = 0;
  }

  const ServerConfig& config = state_.config;
  if (idle) {
    Enter(Phase::kIdle, first_request_ ? config.header_timeout : config.idle_timeout);
  } else if (!parser_.header_done()) {
    // The time runs from the first byte on, however slowly the others come.
    if (phase_ != Phase::kHeader) {
      Enter(Phase::kHeader, config.header_timeout);
    }
  } else if (phase_ != Phase::kBody) {
    Enter(Phase::kBody, config.body_timeout);
  }

  ErrorCode error;
  const size_t read = co_await socket_.async_read_some(
      asio::buffer(input_.get() + input_end_, input_capacity_ - input_end_),
      asio::redirect_error(kAwait, error));
  input_end_ += read;
  if (!error && !(timed_out_ && phase_ != Phase::kIdle)) {
    co_return true;
  }
  if (timed_out_ && phase_ != Phase::kIdle) {
    Answer(state_.handler.Refuse(408, "The request took too long to arrive."), true);
    co_await Flush();
  }
  co_return false;
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

// Writes without waiting. True when everything is written; false when some is left, or the write
// failed, which Flush will find out.
bool Connection::TrySend() {
  const std::array<asio::const_buffer, 2> buffers = {asio::buffer(output_),
                                                     asio::buffer(large_body_)};
  const size_t total = output_.size() + large_body_.size();
  if (total == 0) {
    return true;
  }
  ErrorCode error;
  output_sent_ = large_body_.empty() ? socket_.write_some(buffers[0], error)
                                     : socket_.write_some(buffers, error);
  if (output_sent_ < total) {
    return false;
  }
  output_.clear();
  large_body_.clear();
  output_sent_ = 0;
  return true;
}

// Writes what is left of the answers. False when the client is gone or does not read.
Awaitable<bool> Connection::Flush() {
  if (output_sent_ == 0 && TrySend()) {
    co_return true;
  }
  Enter(Phase::kWriting, state_.config.write_timeout);
  const size_t head_sent = std::min(output_sent_, output_.size());
  const std::array<asio::const_buffer, 2> buffers = {
      asio::buffer(output_) + head_sent, asio::buffer(large_body_) + (output_sent_ - head_sent)};
  ErrorCode error;
  co_await asio::async_write(socket_, buffers, asio::redirect_error(kAwait, error));
  output_.clear();
  large_body_.clear();
  output_sent_ = 0;
  co_return !error;
}

Awaitable<void> Connection::RefuseAndClose(int status, std::string_view reason) {
  Answer(state_.handler.Refuse(status, reason), true);
  const bool written = co_await Flush();
  if (!written) {
    co_return;
  }
  ErrorCode error;
  socket_.shutdown(Tcp::socket::shutdown_send, error);
  Enter(Phase::kDraining, kDrainTimeout);
  size_t drained = 0;
  while (!error && drained < kDrainBytesMax) {
    const size_t read = co_await socket_.async_read_some(
        asio::buffer(input_.get(), input_capacity_), asio::redirect_error(kAwait, error));
    drained += read;
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

void Connection::Close() {
  ErrorCode ignored;
  socket_.shutdown(Tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

}  // namespace tintype::http::internal
