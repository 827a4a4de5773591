#include "http/server/internal/connection.h"

#include <poll.h>

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/redirect_error.hpp>
#include <cstring>

#include "base/logging.h"
#include "base/numbers.h"
#include "base/strings.h"

namespace tintype::http::internal {
namespace {

using ErrorCode = boost::system::error_code;

// Answers from this size on are refused when too many others wait to be read. Smaller ones are not:
// they fit into the operating system's buffers, and they may tell of something that was done.
constexpr size_t kRefusableAnswerBytes = 1024 * 1024;
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

Connection::Connection(Socket socket, EventLoop& loop, const IpAddress& peer_address)
    : loop_(loop),
      state_(loop.state()),
      socket_(std::move(socket)),
      descriptor_(socket_.native_handle()),
      peer_(PeerName(socket_)),
      peer_address_(peer_address),
      tls_context_(state_.tls()),
      tls_(tls_context_ == nullptr ? nullptr : std::make_unique<TlsSession>(*tls_context_)),
      parser_({.header_bytes_max = state_.config.header_bytes_max,
               .body_bytes_max = state_.config.body_bytes_max,
               .streamed_body_bytes_max = state_.config.streamed_body_bytes_max}),
      mailbox_(std::make_shared<Mailbox>(*this)),
      input_(loop.input()),
      outgoing_(loop, socket_, tls_.get()),
      https_(tls_ != nullptr) {}

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

Awaitable<void> Connection::RunTurnedAway(std::shared_ptr<Connection> self, std::string_view why) {
  ErrorCode ignored;
  self->socket_.non_blocking(true, ignored);
  co_await self->RefuseAndClose(self->state_.handler.Refuse(503, why));
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
      co_await RefuseAndClose(Refusal());
      co_return;
    }
    if (large_body_refusal_ && parser_.body_bytes() >= kLargeBodyBytes) {
      co_await RefuseAndClose(*std::move(large_body_refusal_));
      co_return;
    }
    if (!AccountBody()) {
      co_await RefuseAndClose(
          state_.handler.Refuse(503, "There are too many large requests at once."));
      co_return;
    }
    if (stream_ != nullptr && PieceIsReady(outcome)) {
      const bool taken = co_await WritePiece();
      if (!taken) {
        co_return;
      }
    }
    if (outcome == RequestParser::Outcome::kComplete) {
      Handle();
      if (!mailbox_->full()) {
        co_await WaitForResponse();
        if (!mailbox_->full()) {
          co_return;
        }
      }
      AnswerFromMailbox();
      ReleaseBody();
      parser_.Reset();
      if (source_) {
        const bool complete = co_await SendSource();
        if (!complete) {
          co_return;
        }
      }
      if (closing_ || outgoing_.full()) {
        if (!outgoing_.TrySend()) {
          alive = co_await Flush();
        }
        alive = alive && !closing_;
      }
    } else {
      if (parser_.header_done() && parser_.expects_continue() && !continue_sent_) {
        outgoing_.AddContinue();
        continue_sent_ = true;
      }
      if (!outgoing_.TrySend()) {
        alive = co_await Flush();
      }
      if (alive) {
        alive = co_await Fill();
      }
    }
  }
  if (stream_ != nullptr && parser_.body_bytes() > 0 && stream_->sink->KeepsPart()) {
    co_await HandOverPiece();  // There is nobody to tell, whatever it says.
  }
}

RequestParser::Outcome Connection::Parse() {
  if (input_.empty()) {
    return RequestParser::Outcome::kNeedMore;
  }
  RequestParser::Step step = parser_.Feed(input_.unread());
  input_.Consume(step.consumed);
  if (step.outcome == RequestParser::Outcome::kHead) {
    if (!TakeBody()) {
      return RequestParser::Outcome::kRefused;
    }
    step = parser_.Feed(input_.unread());
    input_.Consume(step.consumed);
  }
  return step.outcome;
}

// Says where a request comes from, and returns the address.
IpAddress Connection::FillOrigin(Request& request) const {
  const RequestOrigin origin =
      OriginOf(request.headers, {peer_address_, tls_ != nullptr}, state_.config.proxies);
  request.peer = peer_;
  request.address = origin.address.text();
  request.https = origin.https;
  return origin.address;
}

// Asks where the body is to go. False when it is refused.
bool Connection::TakeBody() {
  Request& head = parser_.head();
  body_client_ = FillOrigin(head);
  https_ = head.https;
  BodyDecision decision = state_.handler.TakeBody(head);
  if (decision.refusal_if_large) {
    const auto length = ParseDigits<uint64_t>(head.Header("content-length").value_or(""));
    if (length && *length >= kLargeBodyBytes) {
      decision.refusal = std::move(decision.refusal_if_large);
    } else {
      large_body_refusal_ = std::move(decision.refusal_if_large);
    }
  }
  if (decision.refusal) {
    body_refusal_ = std::move(decision.refusal);
    return false;
  }
  if (decision.sink != nullptr) {
    stream_ = std::make_shared<BodyStream>();
    stream_->sink = std::move(decision.sink);
    stream_->received_bytes = input_.unread().size();  // What came along with the head.
    parser_.Stream();
  }
  return true;
}

Response Connection::Refusal() {
  return body_refusal_ ? *std::move(body_refusal_)
                       : state_.handler.Refuse(parser_.refusal_status(), parser_.refusal_reason());
}

void Connection::Handle() {
  EnterUntimed(Phase::kHandling);
  Request request = parser_.TakeRequest();
  FillOrigin(request);
  https_ = request.https;
  head_request_ = request.method == "HEAD";
  first_request_ = false;
  continue_sent_ = false;
  large_body_refusal_.reset();
  if (stream_ != nullptr) {
    request.sink = std::move(stream_->sink);
    stream_.reset();
    std::string().swap(request.body);  // The buffer of the pieces.
    ReleaseBody();
  }
  request.client = mailbox_;
  Mailbox::HandlingScope scope(*mailbox_);
  state_.handler.Handle(std::move(request), Mailbox::MakeRespond(mailbox_));
}

void Connection::Answer(Response&& response, bool close) {
  if (response.body.size() >= kRefusableAnswerBytes &&
      !state_.answers.HasRoom(response.body.size())) {
    response = state_.handler.Refuse(503, "There are too many large answers at once.");
  }
  AddHeaders(response);
  closing_ = close || state_.stopping.load(std::memory_order_relaxed);
  if (response.source && !head_request_ && HasBody(response.status)) {
    source_ = response.source;
  }
  outgoing_.Add(std::move(response), {.head_only = head_request_, .close = closing_});
  head_request_ = false;
}

// Adds what all answers carry.
void Connection::AddHeaders(Response& response) const {
  const auto add = [&response](const Headers& headers) {
    for (const auto& [name, value] : headers) {
      const auto has_name = [&name](const auto& each) {
        return EqualsIgnoreCase(each.first, name);
      };
      if (std::ranges::none_of(response.headers, has_name)) {
        response.headers.emplace_back(name, value);
      }
    }
  };
  add(state_.config.headers);
  if (https_) {
    add(state_.config.https_headers);
  }
}

// Takes the response out, so that the mailbox of an idle connection holds none.
void Connection::AnswerFromMailbox() {
  Response response = *mailbox_->Take();
  Answer(std::move(response), !parser_.keep_alive());
}

// Counts large bodies against the server's budget; false when that is used up.
bool Connection::AccountBody() {
  const size_t bytes = stream_ == nullptr ? parser_.body_bytes() : RequestParser::kPieceBytes;
  if (bytes < kLargeBodyBytes || bytes == body_bytes_counted_) {
    return true;
  }
  const size_t more = bytes - body_bytes_counted_;
  const size_t before = state_.body_bytes_in_flight.fetch_add(more, std::memory_order_relaxed);
  body_bytes_counted_ = bytes;
  const bool has_share = state_.clients.AddBody(body_client_, more);
  return has_share && before + more <= state_.config.body_bytes_in_flight_max;
}

void Connection::ReleaseBody() {
  if (body_bytes_counted_ > 0) {
    state_.body_bytes_in_flight.fetch_sub(body_bytes_counted_, std::memory_order_relaxed);
    state_.clients.RemoveBody(body_client_, body_bytes_counted_);
    body_bytes_counted_ = 0;
  }
}

// Whether the sink gets what was received so far: when that is all, when there might not be room
// for what one more read brings, or when it comes slowly and even a part is of use.
bool Connection::PieceIsReady(RequestParser::Outcome outcome) {
  constexpr std::chrono::seconds kHeldBackMax{1};
  const size_t bytes = parser_.body_bytes();
  if (bytes == 0 || outcome == RequestParser::Outcome::kComplete) {
    return bytes > 0;
  }
  return bytes + first_bytes_.size() + TlsSession::kKeptBytesMax > RequestParser::kPieceBytes ||
         (stream_->sink->KeepsPart() &&
          SteadyClock::now() - stream_->handed_over_at > kHeldBackMax);
}

// Gives the sink what was received, and waits until it is done with it. False when it is not to be
// waited for.
Awaitable<bool> Connection::HandOverPiece() {
  EnterUntimed(Phase::kHandling);
  const SteadyClock::time_point before = SteadyClock::now();
  // There is one buffer: nothing is received while the sink has it.
  stream_->piece.swap(parser_.body());
  {
    Mailbox::HandlingScope scope(*mailbox_);
    stream_->sink->Write(stream_->piece, Mailbox::MakeNext(mailbox_, stream_));
  }
  if (!mailbox_->full()) {
    co_await WaitForResponse();
  }
  stream_->handed_over_at = SteadyClock::now();
  stream_->waited_since += stream_->handed_over_at - before;
  co_return mailbox_->full();
}

// Has the sink take what was received, and waits until it wants more. False when the connection is
// to end.
Awaitable<bool> Connection::WritePiece() {
  const bool done = co_await HandOverPiece();
  if (!done) {
    co_return false;
  }
  std::optional<Response> refusal = mailbox_->Take();
  if (refusal) {
    co_await RefuseAndClose(*std::move(refusal));
    co_return false;
  }
  stream_->piece.clear();
  stream_->piece.swap(parser_.body());
  co_return true;
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
    if (stream_ != nullptr) {
      EnterStreamedBody();
    }
    input_.Keep();
    ErrorCode error;
    const size_t first = co_await socket_.async_read_some(asio::buffer(first_bytes_),
                                                          asio::redirect_error(kAwait, error));
    // A request that arrives at the last moment for an idle connection is still served.
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
  std::span<char> room = tls_ == nullptr ? input_.Room() : loop_.cipher_input();
  if (stream_ != nullptr) {
    const size_t kept = tls_ == nullptr ? 0 : TlsSession::kKeptBytesMax;
    const size_t left = RequestParser::kPieceBytes - parser_.body_bytes() - kept;
    room = room.first(std::min(room.size(), left));
  }
  if (room.size() < first_bytes_.size()) {
    return false;  // A chunk header or trailer that does not end: nothing sane to answer.
  }
  std::memcpy(room.data(), first_bytes_.data(), first);
  size_t bytes = first;
  if (first == first_bytes_.size()) {
    ErrorCode ignored;  // The next read will find it again.
    bytes += socket_.read_some(asio::buffer(room.data() + first, room.size() - first), ignored);
  }
  if (stream_ != nullptr) {
    stream_->received_bytes += bytes;
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
  if (!outgoing_.TrySend()) {
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

bool Connection::ClientHungUp() const {
  // Bytes that were sent before may still be unread, so that reading would not tell. Should the
  // socket have been closed meanwhile, whatever has its number now is only looked at, and nobody
  // gets the answer anyway.
  pollfd wanted{.fd = descriptor_, .events = POLLRDHUP, .revents = 0};
  return ::poll(&wanted, 1, 0) > 0;
}

void Connection::Wake() {
  if (waiter_) {
    auto waiter = std::move(waiter_);
    waiter();
  }
}

// Writes what is left of the answers. False when the client is gone or does not read.
Awaitable<bool> Connection::Flush() {
  if (!outgoing_.begun() && outgoing_.TrySend()) {
    co_return true;
  }
  input_.Keep();
  Enter(Phase::kWriting, state_.config.write_timeout);
  {
    AnswerBudget::Hold hold(state_.answers, *this, outgoing_.unsent());
    while (outgoing_.has_piece() && !broken_) {
      const auto piece = outgoing_.NextPiece();
      hold.Left(outgoing_.unsent());
      ErrorCode error;
      const size_t sent =
          co_await socket_.async_write_some(piece, asio::redirect_error(kAwait, error));
      outgoing_.Sent(sent);
      broken_ = broken_ || error || outgoing_.failed();
      if (outgoing_.has_file() && !broken_) {
        Enter(Phase::kWriting, state_.config.write_timeout);
      }
    }
  }
  if (outgoing_.file_left() > 0 && !broken_) {
    co_await FlushFile();
  }
  outgoing_.Clear();
  co_return !broken_;
}

// Sends what is left of a file from a plain connection. The time-out is for each part that the
// client takes, however long all take.
Awaitable<void> Connection::FlushFile() {
  broken_ = outgoing_.failed();
  while (outgoing_.file_left() > 0 && !broken_) {
    ErrorCode error;
    co_await socket_.async_wait(Socket::wait_write, asio::redirect_error(kAwait, error));
    if (!error && outgoing_.SendFile()) {
      Enter(Phase::kWriting, state_.config.write_timeout);
    }
    broken_ = error || outgoing_.failed();
  }
}

Awaitable<void> Connection::RefuseAndClose(Response refusal) {
  stream_.reset();
  if (body_bytes_counted_ > 0) {
    // Others should not wait for the client to read that it was refused.
    std::string().swap(parser_.body());
    ReleaseBody();
  }
  Answer(std::move(refusal), true);
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

// The time-out is for each read, however long all take; but what has arrived so far must not have
// taken longer than the slowest client may.
void Connection::EnterStreamedBody() {
  const ServerConfig& config = state_.config;
  Enter(Phase::kBody, config.body_timeout);
  if (config.streamed_body_rate_min > 0) {
    const std::chrono::milliseconds allowed(
        static_cast<int64_t>(stream_->received_bytes * 1000 / config.streamed_body_rate_min));
    deadline_ = std::min(deadline_, stream_->waited_since + config.streamed_body_grace + allowed);
  }
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
