#pragma once

#include <memory>
#include <optional>

#include "base/mutex.h"
#include "http/server/internal/body_stream.h"
#include "http/server/message.h"

namespace tintype::http::internal {

class Connection;

/// Where the response to a connection's current request arrives, from whatever thread, and before
/// it what a sink says to each piece of the body. It outlives the connection if a handler or a sink
/// is still busy when that ends: anything that arrives then is dropped. To them it is also the
/// client.
class Mailbox : public ClientState, public std::enable_shared_from_this<Mailbox> {
 public:
  explicit Mailbox(Connection& connection) : connection_(&connection) {}

  bool IsGone() const override;

  /// Marks this thread as inside Handle or Write for this mailbox: what is said there is taken
  /// directly, without a trip through the event loop.
  class HandlingScope {
   public:
    explicit HandlingScope(Mailbox& mailbox);
    ~HandlingScope();
    HandlingScope(const HandlingScope&) = delete;
    HandlingScope& operator=(const HandlingScope&) = delete;

   private:
    const Mailbox* const outer_;
  };

  /// What a handler gets to answer with. A handler that drops it answers 500.
  static Respond MakeRespond(std::shared_ptr<Mailbox> mailbox);
  /// What a sink gets to go on with; it keeps the stream alive until then. A sink that drops it
  /// answers 500.
  static OnceCallback<std::optional<Response>> MakeNext(std::shared_ptr<Mailbox> mailbox,
                                                        std::shared_ptr<BodyStream> stream);

  /// What a source gets for its next piece, which arrives as the body of a 200; nothing, as a 500.
  static OnceCallback<std::optional<std::string>> MakePiece(std::shared_ptr<Mailbox> mailbox);

  /// Any thread, once for each of the above.
  void Deliver(std::optional<Response>&& response);

  /// The rest is for the connection, on its loop's thread.
  bool full() const { return full_; }
  /// To be moved from, at once. REQUIRES: full().
  std::optional<Response>&& Take();
  void Detach();

 private:
  void Arrived();

  mutable Mutex mutex_;
  Connection* connection_ GUARDED_BY(mutex_);          // Null once the connection has ended.
  std::optional<Response> posted_ GUARDED_BY(mutex_);  // On its way to the loop's thread.
  std::optional<Response> response_;                   // Of the loop's thread, as is full_.
  bool full_ = false;
};

}  // namespace tintype::http::internal
