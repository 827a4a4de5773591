#include "http/dynamodb/endpoint.h"

#include <libdeflate.h>

#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/logging.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "http/dynamodb/audited_call.h"
#include "http/dynamodb/gzip.h"
#include "http/dynamodb/request_id.h"
#include "tables/language/errors.h"
#include "tables/wire/codec.h"
#include "tables/wire/error_table.h"

namespace tintype::http::dynamodb {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::string_view kJson10 = "application/x-amz-json-1.0";
constexpr std::string_view kJson11 = "application/x-amz-json-1.1";
constexpr std::string_view kJson = "application/json";
// Answers from this size on are compressed for clients that ask for it, as DynamoDB does. Larger
// ones than the other are not: that would keep the other clients of the thread waiting.
constexpr size_t kCompressBytesMin = 4 * 1024;
constexpr size_t kCompressBytesMax = 4 * 1024 * 1024;

std::string Checksum(std::string_view body) {
  return std::to_string(libdeflate_crc32(0, body.data(), body.size()));
}

// The media type that answers have, which is the request's; nothing when that is not one of ours.
std::optional<std::string_view> AnswerType(const Request& request, bool has_body) {
  std::string_view type = request.Header("content-type").value_or("");
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) {
    type.remove_suffix(1);
  }
  for (const std::string_view known : {kJson10, kJson11, kJson}) {
    if (EqualsIgnoreCase(type, known)) {
      return known;
    }
  }
  if (!has_body) {
    return kJson10;
  }
  return std::nullopt;
}

// The name of a Host header, without its port.
std::string_view HostName(std::string_view host) {
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    return end == std::string_view::npos ? host : host.substr(0, end + 1);
  }
  return host.substr(0, host.find(':'));
}

std::pair<std::string_view, std::string_view> PathAndQuery(std::string_view target) {
  const size_t question = target.find('?');
  if (question == std::string_view::npos) {
    return {target, {}};
  }
  return {target.substr(0, question), target.substr(question + 1)};
}

}  // namespace

// One request on its way to its answer. Moves along into the database's callback.
class DynamoDbEndpoint::Exchange {
 public:
  Exchange(DynamoDbEndpoint& endpoint, Respond respond)
      : metrics_(&endpoint.metrics_), respond_(std::move(respond)) {}

  void set_operation(size_t index) { operation_ = index; }
  void set_content_type(std::string_view type) { content_type_ = type; }
  void set_gzip(bool accepted) { gzip_ = accepted; }
  const std::string& request_id() const { return request_id_; }

  void Answer(Reply reply) {
    const auto duration = SteadyClock::now() - begin_;
    metrics_->Count(operation_, reply.status, duration);
    const LogLevel level = reply.status >= 500 ? LogLevel::kError : LogLevel::kDebug;
    if (LogEnabled(level)) {
      WriteLog(level, reply, duration);
    }
    Headers headers;
    headers.reserve(4);
    if (ShouldCompress(reply.body.size())) {
      reply.body = Compress(reply.body);
      headers.emplace_back("Content-Encoding", "gzip");
    }
    // Of what is sent: clients check it before they decompress.
    std::string checksum = Checksum(reply.body);
    if (!content_type_.empty()) {
      headers.emplace_back("Content-Type", content_type_);
    }
    headers.emplace_back("x-amzn-RequestId", std::move(request_id_));
    headers.emplace_back("x-amz-crc32", std::move(checksum));
    respond_(
        {.status = reply.status, .headers = std::move(headers), .body = std::move(reply.body)});
  }

 private:
  // Answers to writes come from the commit thread, which has better things to do; they go as they
  // are.
  bool ShouldCompress(size_t bytes) const {
    return gzip_ && bytes >= kCompressBytesMin && bytes <= kCompressBytesMax &&
           thread_ == std::this_thread::get_id();
  }

  void WriteLog(LogLevel level, const Reply& reply, SteadyClock::duration duration) const {
    const auto names = OperationNames();
    const Error none(ErrorKind::kInternal, "");
    const Error& error = reply.error ? *reply.error : none;
    Log(level, "request",
        {{"request_id", request_id_},
         {"operation", operation_ < names.size() ? names[operation_] : "other"},
         {"status", reply.status},
         {"duration_us", std::chrono::duration_cast<std::chrono::microseconds>(duration).count()},
         {"error", error.message()},
         {"note", error.note()}});
  }

  RequestMetrics* metrics_;
  Respond respond_;
  std::string request_id_ = NewRequestId();
  std::string_view content_type_ = kJson10;  // Always one of the constants above.
  size_t operation_ = OperationNames().size();
  bool gzip_ = false;
  std::thread::id thread_ = std::this_thread::get_id();
  SteadyClock::time_point begin_ = SteadyClock::now();
};

DynamoDbEndpoint::DynamoDbEndpoint(const Services& services, EndpointConfig config,
                                   RequestMetrics& metrics, const Clock& clock)
    : services_(services), config_(std::move(config)), metrics_(metrics), clock_(clock) {
  if (config_.credentials != nullptr) {
    CHECK(config_.callers != nullptr && services_.access != nullptr);
    verifier_.emplace(config_.verifier, *config_.credentials);
  }
}

// The operation that a request is for. The name is a view into the request.
struct DynamoDbEndpoint::Target {
  std::string_view operation;
  std::optional<size_t> index;  // Absent: it is none of ours.

  std::string_view known_operation() const { return index ? operation : std::string_view(); }
};

std::optional<Reply> DynamoDbEndpoint::Route(const Request& request, bool has_body,
                                             Exchange& exchange, Target& out) const {
  if (!verifier_) {
    if (auto local = CheckLocal(request); !local.ok()) {
      NoteDenial(exchange, request, "", local.error());
      Reply reply = ErrorReply(std::move(local).error());
      reply.status = 403;
      return reply;
    }
  }

  const std::string_view path = PathAndQuery(request.target).first;
  if (request.method == "GET" || request.method == "HEAD") {
    exchange.set_content_type("");
    // The blank at the end is AWS's.
    return Reply{.status = 200,
                 .body = StrCat("healthy: dynamodb.", config_.region, ".amazonaws.com "),
                 .error = {}};
  }
  const auto type = AnswerType(request, has_body);
  if (request.method != "POST" || path != "/" || !type) {
    exchange.set_content_type("");
    return Reply{.status = 404, .body = "<UnknownOperationException/>\n", .error = {}};
  }
  exchange.set_content_type(*type);
  if (const auto accepted = request.Header("accept-encoding")) {
    exchange.set_gzip(AcceptsGzip(*accepted));
  }

  const std::string_view target = request.Header("x-amz-target").value_or("");
  const size_t dot = target.find('.');
  const std::string_view api = target.substr(0, dot);
  if (dot == std::string_view::npos || (api != kTablesApi && api != kStreamsApi)) {
    return ErrorReply(Error(
        tables::reasons::kUnknownOperation,
        "The X-Amz-Target header must be DynamoDB_20120810 or DynamoDBStreams_20120810, a dot "
        "and an operation."));
  }
  out.operation = target.substr(dot + 1);
  const auto index = OperationIndex(out.operation);
  if (index && ApiOf(*index) == api) {
    out.index = index;
    exchange.set_operation(*index);
  }
  return std::nullopt;
}

BodyDecision DynamoDbEndpoint::TakeBody(const Request& head) {
  // The usual case: it will be asked once, when the body is there. And what is too large, whoever
  // sends it, is told so by the server.
  const auto length = ParseDigits<uint64_t>(head.Header("content-length").value_or(""));
  if (length && (*length < kLargeBodyBytes || *length > config_.body_bytes_max)) {
    return {};
  }
  std::optional<Response> refusal;
  Exchange exchange(*this, [&refusal](Response response) { refusal = std::move(response); });
  Target target;
  std::optional<Reply> reply = Route(head, /*has_body=*/true, exchange, target);
  if (!reply && verifier_) {
    const auto [path, query] = PathAndQuery(head.target);
    Status verified = verifier_->VerifyHead(
        {.method = head.method, .path = path, .query = query, .headers = head.headers, .body = {}},
        clock_.NowMs());
    if (!verified.ok()) {
      reply = ErrorReply(std::move(verified).error());
    }
  }
  if (reply) {
    exchange.Answer(*std::move(reply));
  }
  return {.sink = nullptr, .refusal = {}, .refusal_if_large = std::move(refusal)};
}

void DynamoDbEndpoint::Handle(Request request, Respond respond) {
  Exchange exchange(*this, std::move(respond));
  Target target;
  if (auto reply = Route(request, !request.body.empty(), exchange, target)) {
    return exchange.Answer(*std::move(reply));
  }
  const auto caller = Authenticate(request);
  if (!caller.ok()) {
    NoteDenial(exchange, request, target.known_operation(), caller.error());
    return exchange.Answer(ErrorReply(caller.error()));
  }
  // Only now: the signature is of the body as it was sent, and strangers get nothing decompressed.
  if (auto decoded = DecodeBody(request); !decoded.ok()) {
    return exchange.Answer(ErrorReply(std::move(decoded).error()));
  }
  if (!target.index) {
    return exchange.Answer(ErrorReply(UnknownOperation(target.operation)));
  }
  const OperationCall call{
      .operation = target.operation,
      .body = request.body,
      .host = request.Header("host").value_or(""),
      .caller = &*caller,
      .confirms_self_removal =
          target.operation == "PutResourcePolicy" &&
          request.Header("x-amz-confirm-remove-self-resource-access") == "true"};
  if (const std::string_view kind = AuditKindOf(*target.index);
      !kind.empty() && config_.audit != nullptr) {
    return DispatchAudited(std::move(exchange), call, kind);
  }
  // Dispatch decides who may do what before it returns, so denials are made on this thread.
  Dispatch(services_, call,
           [this, asked = &call, thread = std::this_thread::get_id(),
            exchange = std::move(exchange)](Reply reply) mutable {
             if (reply.error && reply.error->Is(ErrorKind::kAccessDenied) &&
                 thread == std::this_thread::get_id()) {
               NoteForbidden(exchange, *asked, *reply.error);
             }
             exchange.Answer(std::move(reply));
           });
}

void DynamoDbEndpoint::NoteForbidden(const Exchange& exchange, const OperationCall& call,
                                     const Error& error) {
  if (config_.audit != nullptr) {
    access::audit::Entry entry = CallEntry(call, access::audit::kForbidden, exchange.request_id());
    entry.principal = call.caller->principal;
    AddError(entry, error);
    config_.audit->Note(std::move(entry));
  }
}

void DynamoDbEndpoint::NoteDenial(const Exchange& exchange, const Request& request,
                                  std::string_view operation, const Error& error) const {
  if (config_.audit != nullptr) {
    config_.audit->Note(DenialEntry(request, operation, error, exchange.request_id()));
  }
}

void DynamoDbEndpoint::DispatchAudited(Exchange exchange, const OperationCall& call,
                                       std::string_view kind) {
  access::audit::Audit& audit = *config_.audit;
  if (auto ready = audit.CheckReady(); !ready.ok()) {
    return exchange.Answer(ErrorReply(std::move(ready).error()));
  }
  access::audit::Entry entry = CallEntry(call, kind, exchange.request_id());
  entry.principal = call.caller->principal;
  Dispatch(services_, call,
           [&audit, entry = std::move(entry), exchange = std::move(exchange)](Reply reply) mutable {
             if (reply.error) {
               // Nothing was changed, so nothing waits for it.
               AddError(entry, *reply.error);
               audit.Note(std::move(entry));
               exchange.Answer(std::move(reply));
               return;
             }
             audit.RecordThen(
                 std::move(entry), [exchange = std::move(exchange),
                                    reply = std::move(reply)](Status recorded) mutable {
                   exchange.Answer(recorded.ok() ? std::move(reply)
                                                 : ErrorReply(std::move(recorded).error()));
                 });
           });
}

Response DynamoDbEndpoint::Refuse(int status, std::string_view why) {
  const Reason reason = status == 413   ? Reason(ErrorKind::kRequestTooLarge)
                        : status == 503 ? Reason(ErrorKind::kUnavailable)
                                        : tables::reasons::kSerialization;
  const Error error(reason, std::string(why));
  std::string body =
      tables::wire::EncodeError(tables::wire::ErrorEntryFor(reason).exception, error);
  std::string checksum = Checksum(body);
  metrics_.Count(OperationNames().size(), status, std::chrono::nanoseconds(0));
  Response response{.status = status,
                    .headers = {{"Content-Type", std::string(kJson10)},
                                {"x-amzn-RequestId", NewRequestId()},
                                {"x-amz-crc32", std::move(checksum)}},
                    .body = std::move(body)};
  if (status == 503) {
    response.headers.emplace_back("Retry-After", "1");
  }
  return response;
}

Result<access::TableCaller> DynamoDbEndpoint::Authenticate(const Request& request) {
  // Where nobody is authenticated, everybody is taken for the owner of the data directory.
  access::TableCaller caller;
  caller.principal.kind = access::PrincipalKind::kRootKey;
  if (verifier_) {
    const auto [path, query] = PathAndQuery(request.target);
    ASSIGN_OR_RETURN(const sigv4::VerifiedIdentity identity,
                     verifier_->Verify({.method = request.method,
                                        .path = path,
                                        .query = query,
                                        .headers = request.headers,
                                        .body = request.body},
                                       clock_.NowMs()));
    std::optional<access::TableCaller> known = config_.callers->CallerOf(identity.access_key_id);
    if (!known) {  // Deleted just now.
      return Error(sigv4::reasons::kUnrecognizedClient,
                   "The security token included in the request is invalid.");
    }
    caller = *std::move(known);
  }
  caller.principal.address = request.address;
  caller.secure = request.https;
  caller.user_agent = request.Header("user-agent").value_or("");
  return caller;
}

// DynamoDB answers 500 to a body that is damaged or in another encoding, which makes SDKs try it
// again in vain, and has no limit for what it decompresses to.
Status DynamoDbEndpoint::DecodeBody(Request& request) const {
  const auto encoding = request.Header("content-encoding");
  if (!encoding || EqualsIgnoreCase(*encoding, "identity")) {
    return OkStatus();
  }
  const bool gzip = EqualsIgnoreCase(*encoding, "gzip");
  if (!gzip && !EqualsIgnoreCase(*encoding, "deflate")) {
    return tables::SerializationError("A Content-Encoding is gzip or deflate.");
  }
  ASSIGN_OR_RETURN(request.body, Decompress(gzip ? Encoding::kGzip : Encoding::kDeflate,
                                            request.body, config_.body_bytes_max));
  return OkStatus();
}

// Without authentication, a web page that the user visits could send us requests: directly, which
// its Origin header tells, or by giving its own host name our address, which the Host header tells.
Status DynamoDbEndpoint::CheckLocal(const Request& request) const {
  if (request.Header("origin")) {
    return Error(ErrorKind::kAccessDenied,
                 "Requests from web pages are refused while authentication is off.");
  }
  const std::string_view host = HostName(request.Header("host").value_or(""));
  if (!EqualsIgnoreCase(host, "localhost") && host != "127.0.0.1" && host != "[::1]") {
    return Error(ErrorKind::kAccessDenied,
                 "While authentication is off, the Host header must be localhost, 127.0.0.1 or "
                 "[::1], with any port.");
  }
  return OkStatus();
}

}  // namespace tintype::http::dynamodb
