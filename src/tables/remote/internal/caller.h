#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/callback.h"
#include "base/clock.h"
#include "base/result.h"
#include "net/endpoint.h"
#include "net/http_loop.h"
#include "sigv4/sigv4.h"
#include "tables/remote/config.h"
#include "tables/wire/client_codec.h"

namespace tintype::tables::remote::internal {

/// Carries out calls: signs, sends, judges answers, and tries again with random growing waits until
/// the call's deadline. README.md tells what is tried again.
///
/// Thread-safe. `done` is called exactly once: on the thread of the loop, or within Start, on the
/// caller's, when the call is refused at once. Destruction ends all calls with kUnavailable.
class Caller {
 public:
  /// More to send for the same call, made from an answer: what the service left over.
  struct FollowUp {
    std::string body;
    /// The service did part of it, so that attempts are counted anew.
    bool progress = false;
    /// What the call ends with if nothing more may be sent.
    Error otherwise;
  };
  struct Call {
    std::string_view operation;  // A literal.
    std::string body;
    /// The API that the operation is of; a literal.
    std::string_view api = "DynamoDB_20120810";
    /// Carrying it out twice does what carrying it out once does, and answers the same.
    bool repeatable = false;
    /// Looks at each answer of success, if given.
    std::function<std::optional<FollowUp>(std::string_view body)> follow_up = {};
    OnceCallback<Result<std::string>> done = {};
  };

  /// REQUIRES: config.Validate().
  Caller(RemoteConfig config, const Clock& clock);

  void Start(Call call);

  const RemoteConfig& config() const { return config_; }

 private:
  using SteadyClock = net::HttpLoop::SteadyClock;
  struct State;  // Of a call.
  /// Shared, because the callbacks of the loop must be able to outlive each other.
  using StatePointer = std::shared_ptr<State>;

  void Attempt(const StatePointer& state);
  void OnOutcome(const StatePointer& state, net::HttpOutcome outcome);
  void OnAnswer(const StatePointer& state, net::HttpOutcome& outcome);
  /// Another attempt if there may be one, else the end of the call.
  void TryAgain(const StatePointer& state, RetryAdvice retry, Error error);
  void Finish(const StatePointer& state, Result<std::string> result);
  sigv4::HeaderList SignedHeaders(const Call& call);

  const RemoteConfig config_;
  const net::Endpoint endpoint_;
  const Clock& clock_;
  sigv4::SigningKeyCache keys_;
  std::atomic<size_t> outstanding_ = 0;
  net::HttpLoop loop_;  // Last: its thread uses all of the above.
};

}  // namespace tintype::tables::remote::internal
