#include <utility>

#include "http/server/internal/connection.h"

namespace tintype::http::internal {

// Sends a body piece by piece, where the next is asked for when the one before is written. Leaves
// the last one to be written. False when the connection is to end.
Awaitable<bool> Connection::SendSource() {
  SourceBody body = *std::exchange(source_, std::nullopt);
  while (body.length > 0) {
    if (!outgoing_.TrySend()) {
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
      co_await WaitForResponse();
      if (!mailbox_->full()) {
        co_return false;
      }
    }
    Response piece = *mailbox_->Take();
    // The client has its header: all that is left is to end before what it promised.
    if (piece.status != 200 || piece.body.empty() || piece.body.size() > body.length) {
      co_return false;
    }
    body.length -= piece.body.size();
    outgoing_.AddPiece(std::move(piece.body));
  }
  co_return true;
}

}  // namespace tintype::http::internal
