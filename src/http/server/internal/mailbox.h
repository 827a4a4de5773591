#pragma once

#include <memory>

#include "base/mutex.h"
#include "http/server/message.h"

namespace tintype::http::internal {

class Connection;

/// Where the response to a connection's current request arrives, from whatever thread. It outlives
/// the connection if a handler is still busy when that ends: what arrives then is dropped.
class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  explicit Mailbox(Connection& connection) : connection_(&connection) {}

  /// Marks this thread as inside Handle for this mailbox: a response given there is taken directly,
  /// without a trip through the event loop.
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

  /// Any thread, once per request.
  void Deliver(Response response);

  /// The rest is for the connection, on its loop's thread.
  bool full() const { return full_; }
  Response Take();
  void Detach();

 private:
  void Arrived();

  Mutex mutex_;
  Connection* connection_ GUARDED_BY(mutex_);  // Null once the connection has ended.
  Response posted_ GUARDED_BY(mutex_);         // On its way to the loop's thread.
  Response response_;                          // Of the loop's thread, as is full_.
  bool full_ = false;
};

}  // namespace tintype::http::internal
