#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "access/audit/audit.h"
#include "access/audit/reader.h"
#include "base/result.h"
#include "contract/contract.h"
#include "delivery/resizer.h"
#include "flows/accounts/sign_in.h"
#include "flows/product.h"
#include "flows/upkeep/upgrade.h"
#include "http/rest/api/authenticator.h"
#include "http/rest/api/problem.h"
#include "http/rest/protocol/keys.h"
#include "http/rest/protocol/link_keys.h"
#include "http/rest/protocol/url.h"
#include "http/server/message.h"
#include "json/value.h"
#include "json/writer.h"
#include "metrics/registry.h"
#include "views/sources.h"

namespace tintype::pipeline {
class ProfilePictures;
}

/// The REST API: what its handlers work with, and the one table of its routes.
namespace tintype::http::rest {

/// A body that is not streamed, which is JSON.
inline constexpr size_t kBodyBytesMax = size_t{256} * 1024;

struct ApiConfig {
  /// Whether cookies are for https alone.
  bool secure_cookies = false;
  /// How long links to media are good for.
  std::chrono::seconds url_kept{60 * 60};
  /// No link is good for longer, whoever signed it. More than twice the above.
  std::chrono::seconds url_kept_max{24 * 60 * 60};
  /// Whether media are had from the storage itself, where it has links of its own.
  bool redirect_to_storage = false;
  /// Media that are kept open for the next who asks, of two files at most.
  size_t ready_media_max = 512;
  /// For the bytes of those of them that are encrypted where they are kept.
  uint64_t media_memory_max = uint64_t{128} << 20;
  /// One upload, in bytes.
  int64_t upload_bytes_max = int64_t{512} << 20;
};

struct Pools;
class RateLimit;

/// What handlers work with. Owned by the program's wiring; thread-safe.
struct Api {
  ApiConfig config;
  flows::Product& product;
  views::Sources views;
  flows::Identity& identity;
  SignatureKeys keys;
  const LinkKeys& link_keys;
  delivery::Resizer& resizer;
  /// Something was put into the backlog.
  std::function<void()> wake;
  /// How often each account may begin an upload.
  RateLimit& upload_rate;
  /// How often each account may ask for an edit.
  RateLimit& job_rate;
  /// How often each account may ask for a link to another size.
  RateLimit& link_rate;
  /// How often each account may send a profile picture.
  RateLimit& picture_rate;
  pipeline::ProfilePictures& pictures;
  /// Where whatever is worth counting is counted.
  metrics::Registry& metrics;
  /// Where the endpoint records what was done and denied, and where administrators read it.
  access::audit::Audit& audit;
  access::audit::AuditReader audit_reader;
  /// Whether lists that an upgrade fills are complete.
  flows::UpgradeProgress upgrades{product};
};

/// What a handler tells the audit of a call, beside what the request says.
struct CallNotes {
  std::string refusal;                       // The `code` of the problem that it was answered with.
  std::string subject;                       // What it was done to, where the path does not say so.
  std::optional<flows::SignedIn> signed_in;  // Who has just come in.
  std::string_view act;  // Its kind in the audit, where the operation does not say so: a constant.
};

/// One request on its way through a handler.
struct Call {
  const Request& request;
  Target target;
  std::vector<std::string> parameters;  // What stood for the braces of the route's path.
  std::string request_id;
  std::optional<std::string> trace_id;             // From `traceparent`.
  std::optional<Caller> caller;                    // Always there for routes that need one.
  const contract::Operation* operation = nullptr;  // Of the route.
  /// What ReadBody answers.
  Result<json::Value> body = Error::Validation("There is no body.");
  /// The endpoint's; null where nothing is audited.
  CallNotes* notes = nullptr;

  const flows::Account& account() const { return caller->account; }
};

/// A handler may block: it runs on one of the endpoint's pools.
using HandlerFunction = Response (*)(Api& api, const Call& call);
/// Decides who takes the body of a request that was authenticated, as far as its route needs that.
/// Must not block.
using BodyFunction = BodyDecision (*)(Api& api, Pools pools, const Call& call);

struct Route {
  std::string_view method;
  std::string_view path;  // With `{name}` for what varies.
  HandlerFunction handle = nullptr;
  std::string_view operation_id;     // In the contract.
  BodyFunction take_body = nullptr;  // Null: bodies are received whole.
};

/// All routes of the API.
std::span<const Route> Routes();

/// Confirms who makes a call, and decides whether they may (access/rest). For calls of operations
/// that are not for anyone, whose caller was recognised. May block. Errors: those of
/// Authenticator::Confirm and access::rest::Decide.
Status Admit(Api& api, const Call& call, Caller& caller);

// What handlers share.

Response JsonResponse(int status, std::string body);
Response Refuse(const Call& call, const Error& error);
Response Refuse(const Call& call, const Reason& reason, std::string detail);

/// Reads the body of an operation that takes JSON, for ReadBody. Errors: those of CheckFields, and
/// kValidation for a body that the operation does not take. A body that is no JSON is for the
/// handler to refuse, since some have other things to refuse first.
Status TakeJson(Call& call);
/// The JSON object of a request's body. Errors: kValidation.
const Result<json::Value>& ReadBody(const Call& call);
/// A member that has to be a text. Errors: kValidation, which names it.
Result<std::string> RequiredText(const json::Value& body, std::string_view name);
Result<std::optional<std::string>> OptionalText(const json::Value& body, std::string_view name);

/// `limit` of a list, or what the contract has when none is given. Errors: kValidation.
Result<int64_t> PageLimit(const Call& call);
/// `limit` and `cursor` of a list. Errors: kValidation.
Result<views::PageRequest> ReadPage(const Api& api, const Call& call, std::string_view list);
/// The member `lastEvaluatedKey` of a list: where it goes on, or null at its end.
void WriteCursor(json::Writer& json, const Api& api, const Call& call, std::string_view list,
                 const std::optional<tables::Item>& key);

}  // namespace tintype::http::rest
