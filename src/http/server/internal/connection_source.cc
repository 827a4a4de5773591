#include <utility>

#include "http/server/internal/connection.h"

namespace tintype::http::internal {
namespace {

// What comes from a source at once before other connections get their turn: most pictures whole.
constexpr size_t kTurnBytes = 1024 * 1024;

}  // namespace

// Sends a body piece by piece, where the next is asked for when the one before is written. Leaves
// the last one to be written. False when the connection is to end.
Awaitable<bool> Connection::SendSource() {
  SourceBody body = *std::exchange(source_, std::nullopt);
  size_t sent_in_turn = 0;
  // The header goes with the first piece, unless that takes waiting.
  for (bool first = true; body.length > 0; first = false) {
    if (!first && !outgoing_.TrySend()) {
      const bool written = co_await Flush();
      if (!written) {
        co_return false;
      }
    }
    EnterUntimed(Phase::kHandling);
    {
      Mailbox::HandlingScope scope(*mailbox_);
      body.source->Read(Mailbox::MakePiece(mailbox_));
    }
    if (!mailbox_->full()) {
      sent_in_turn = 0;
      co_await WaitForResponse();
      if (!mailbox_->full()) {
        co_return false;
      }
    } else if (sent_in_turn >= kTurnBytes) {
      // A source and a client that are both fast would keep the loop from all others.
      sent_in_turn = 0;
      co_await asio::post(socket_.get_executor(), kAwait);
    }
    Response piece = *mailbox_->Take();
    // The client has its header: all that is left is to end before what it promised.
    if (piece.status != 200 || piece.body.empty() || piece.body.size() > body.length) {
      co_return false;
    }
    body.length -= piece.body.size();
    sent_in_turn += piece.body.size();
    outgoing_.AddPiece(std::move(piece.body));
  }
  co_return true;
}

}  // namespace tintype::http::internal
