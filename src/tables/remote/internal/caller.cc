#include "tables/remote/internal/caller.h"

#include <libdeflate.h>

#include <utility>

#include "base/retry.h"
#include "base/strings.h"

namespace tintype::tables::remote::internal {

using net::HttpOutcome;
using std::chrono::milliseconds;

struct Caller::State {
  Call call;
  net::HttpRequest request;  // The attempt that is under way.
  SteadyClock::time_point deadline;
  int attempts = 0;  // Since the service last made progress.
};

namespace {

bool ChecksumFits(const net::HttpAnswer& answer) {
  const std::string_view checksum = answer.Header("x-amz-crc32");
  return checksum.empty() ||
         checksum == std::to_string(libdeflate_crc32(0, answer.body.data(), answer.body.size()));
}

/// What is done about an attempt that got no answer, or not a whole one.
RetryAdvice RetryOf(HttpOutcome::Kind kind) {
  switch (kind) {
    case HttpOutcome::Kind::kNotSent:
      return RetryAdvice::kRefused;
    case HttpOutcome::Kind::kLost:
      return RetryAdvice::kOutcomeOpen;
    default:
      return RetryAdvice::kNever;
  }
}

}  // namespace

Caller::Caller(RemoteConfig config, const Clock& clock)
    : config_(std::move(config)),
      endpoint_(net::ParseEndpoint(config_.endpoint).value()),
      clock_(clock),
      loop_({.ca_file = config_.ca_file,
             .connect_timeout = config_.connect_timeout,
             .idle_max = config_.idle_max,
             .answer_bytes_max = config_.response_bytes_max},
            config_.connections_max) {}

void Caller::Start(Call call) {
  // Calls that are being sent, wait for a connection, or wait to be tried again.
  if (outstanding_.fetch_add(1) >= config_.connections_max + config_.waiting_max) {
    outstanding_.fetch_sub(1);
    call.done(Error(ErrorKind::kOverloaded, "Too many calls to the tables are waiting; try again.")
                  .WithNote(StrCat("the tables are at ", endpoint_.url)));
    return;
  }
  auto state = std::make_shared<State>();
  state->call = std::move(call);
  state->deadline = SteadyClock::now() + config_.call_timeout;
  net::HttpLoop::Task task([this, state] { Attempt(state); });
  if (!loop_.Post(task)) {
    Finish(state, Error(ErrorKind::kUnavailable, "The client of the tables is being closed.")
                      .WithNote(StrCat("the tables are at ", endpoint_.url)));
  }
}

void Caller::Attempt(const StatePointer& state) {
  ++state->attempts;
  // Signed anew each time: a signature is good for minutes only.
  state->request = {.method = "POST",
                    .url = endpoint_.url,
                    .headers = SignedHeaders(state->call),
                    .body = {.text = state->call.body},
                    .timeout = config_.attempt_timeout};
  loop_.Send(state->request, state->deadline,
             [this, state](HttpOutcome outcome) { OnOutcome(state, std::move(outcome)); });
}

sigv4::HeaderList Caller::SignedHeaders(const Call& call) {
  sigv4::HeaderList headers = {{"host", endpoint_.host},
                               {"content-type", "application/x-amz-json-1.0"},
                               {"x-amz-target", StrCat(call.api, ".", call.operation)}};
  sigv4::SignOptions options;
  options.region = config_.region;
  options.service = "dynamodb";
  options.now_ms = clock_.NowMs();
  for (auto& header : sigv4::Sign(
           {.method = "POST", .path = "/", .query = "", .headers = headers, .body = call.body},
           config_.credentials, options, keys_)) {
    headers.push_back(std::move(header));
  }
  return headers;
}

void Caller::OnOutcome(const StatePointer& state, HttpOutcome outcome) {
  if (outcome.answered()) {
    if (ChecksumFits(outcome.answer)) {
      OnAnswer(state, outcome);
      return;
    }
    outcome.kind = HttpOutcome::Kind::kLost;
    outcome.problem = "its checksum does not fit the answer";
  }
  const bool too_large = outcome.kind == HttpOutcome::Kind::kTooLarge;
  const RetryAdvice retry = RetryOf(outcome.kind);
  const bool may_be_done = too_large || retry == RetryAdvice::kOutcomeOpen;
  // The address of the tables is for the operator, not for clients.
  Error error =
      Error(
          too_large ? ErrorKind::kLimitExceeded : ErrorKind::kUnavailable,
          StrCat("No answer from the tables.", may_be_done ? " It may have been carried out." : ""))
          .WithNote(StrCat(endpoint_.url, " to ", state->call.operation, ": ", outcome.problem));
  TryAgain(state, retry, std::move(error));
}

void Caller::OnAnswer(const StatePointer& state, HttpOutcome& outcome) {
  if (outcome.answer.status != 200) {
    Error error = wire::DecodeError(outcome.answer.status, outcome.answer.body);
    // A cancelled transaction is its caller's to send again: it knows what it was for.
    const RetryAdvice retry =
        error.Is(ErrorKind::kAborted) ? RetryAdvice::kNever : RetryAdviceFor(error);
    TryAgain(state, retry, std::move(error));
    return;
  }
  if (state->call.follow_up) {
    if (auto more = state->call.follow_up(outcome.answer.body)) {
      state->call.body = std::move(more->body);
      state->attempts = more->progress ? 0 : state->attempts;
      TryAgain(state, RetryAdvice::kRefused, std::move(more->otherwise));
      return;
    }
  }
  Finish(state, std::move(outcome.answer.body));
}

void Caller::TryAgain(const StatePointer& state, RetryAdvice retry, Error error) {
  const bool allowed = retry == RetryAdvice::kRefused ||
                       (retry == RetryAdvice::kOutcomeOpen && state->call.repeatable);
  if (!allowed || state->attempts >= config_.attempts_max) {
    Finish(state, std::move(error));
    return;
  }
  const milliseconds wait = BackoffWait(config_.backoff_base, config_.backoff_max, state->attempts);
  // The error tells more than that time is up would, and waiting for that would tell it later.
  if (SteadyClock::now() + wait >= state->deadline) {
    Finish(state, std::move(error));
    return;
  }
  loop_.After(wait, [this, state] { Attempt(state); });
}

void Caller::Finish(const StatePointer& state, Result<std::string> result) {
  outstanding_.fetch_sub(1);
  state->call.done(std::move(result));
}

}  // namespace tintype::tables::remote::internal
