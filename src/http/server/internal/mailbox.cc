#include "http/server/internal/mailbox.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "http/server/internal/connection.h"

namespace tintype::http::internal {
namespace {

thread_local const Mailbox* handling_mailbox = nullptr;

// Delivers exactly one response, or the word to go on, come what may.
class Responder {
 public:
  explicit Responder(std::shared_ptr<Mailbox> mailbox) : mailbox_(std::move(mailbox)) {}
  Responder(Responder&&) = default;
  Responder& operator=(Responder&&) = delete;
  ~Responder() {
    if (mailbox_ != nullptr) {
      mailbox_->Deliver(Response{.status = 500, .headers = {}, .body = {}});
    }
  }
  void operator()(std::optional<Response> response) {
    std::exchange(mailbox_, nullptr)->Deliver(std::move(response));
  }

 private:
  std::shared_ptr<Mailbox> mailbox_;
};

}  // namespace

Mailbox::HandlingScope::HandlingScope(Mailbox& mailbox) : outer_(handling_mailbox) {
  handling_mailbox = &mailbox;
}
Mailbox::HandlingScope::~HandlingScope() { handling_mailbox = outer_; }

Respond Mailbox::MakeRespond(std::shared_ptr<Mailbox> mailbox) {
  return Responder(std::move(mailbox));
}

OnceCallback<std::optional<Response>> Mailbox::MakeNext(std::shared_ptr<Mailbox> mailbox,
                                                        std::shared_ptr<BodyStream> stream) {
  return [responder = Responder(std::move(mailbox)), kept = std::move(stream)](
             std::optional<Response> response) mutable { responder(std::move(response)); };
}

OnceCallback<std::optional<std::string>> Mailbox::MakePiece(std::shared_ptr<Mailbox> mailbox) {
  return [responder = Responder(std::move(mailbox))](std::optional<std::string> piece) mutable {
    Response response;
    response.status = piece ? 200 : 500;
    response.body = piece ? *std::move(piece) : "";
    responder(std::move(response));
  };
}

void Mailbox::Deliver(std::optional<Response>&& response) {
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

bool Mailbox::IsGone() const {
  const MutexLock lock(mutex_);
  return connection_ == nullptr || connection_->ClientHungUp();
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

std::optional<Response>&& Mailbox::Take() {
  full_ = false;
  return std::move(response_);
}

void Mailbox::Detach() {
  MutexLock lock(mutex_);
  connection_ = nullptr;
}

}  // namespace tintype::http::internal
