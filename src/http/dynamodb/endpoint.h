#pragma once

#include <optional>
#include <string>

#include "access/audit/audit.h"
#include "access/tables/table_access.h"
#include "base/clock.h"
#include "http/dynamodb/dispatch.h"
#include "http/dynamodb/request_metrics.h"
#include "http/server/message.h"
#include "sigv4/sigv4.h"

namespace tintype::http::dynamodb {

struct EndpointConfig {
  /// The keys that requests must be signed with. Null turns authentication off, which is for
  /// loopback only: then only requests that name this machine as their host, and do not come from a
  /// web page, are answered. Must outlive the endpoint.
  const sigv4::CredentialStore* credentials = nullptr;
  /// Who those keys belong to. Needed with `credentials`, as Services::access is.
  const access::TableCallers* callers = nullptr;
  /// Where control calls and refused signatures are recorded; null for nowhere. Must outlive the
  /// endpoint.
  access::audit::Audit* audit = nullptr;
  /// What signatures must be valid for; see VerifierConfig. The default takes any region.
  sigv4::VerifierConfig verifier;
  /// The region that the health check names. Default: us-east-1.
  std::string region = "us-east-1";
  /// What a compressed request may decompress to, in bytes. Default 16 MB, as for plain ones.
  size_t body_bytes_max = 16 * 1024 * 1024;
};

/// DynamoDB's HTTP protocol (DynamoDB_20120810 and DynamoDBStreams_20120810, JSON) in front of a
/// Database and its like: target and content type, authentication, compression, request ids,
/// checksums, logs and metrics. Never sends CORS headers.
///
/// Thread-safe. Everything it is given must outlive it, and the requests it passed on.
class DynamoDbEndpoint : public Handler {
 public:
  DynamoDbEndpoint(const Services& services, EndpointConfig config, RequestMetrics& metrics,
                   const Clock& clock);

  void Handle(Request request, Respond respond) override;
  /// Answers what has the same answer whatever its body is, such as a request that is not signed,
  /// before there is memory for a large one.
  BodyDecision TakeBody(const Request& head) override;
  Response Refuse(int status, std::string_view reason) override;

 private:
  class Exchange;
  struct Target;

  /// Tells the exchange about a request. The answer if the request is not for any operation.
  std::optional<Reply> Route(const Request& request, bool has_body, Exchange& exchange,
                             Target& target) const;
  Result<access::TableCaller> Authenticate(const Request& request);
  /// Tells the audit of a request that was turned away.
  void NoteDenial(const Exchange& exchange, const Request& request, std::string_view operation,
                  const Error& error) const;
  /// The same of a call that its caller may not make.
  void NoteForbidden(const Exchange& exchange, const OperationCall& call, const Error& error);
  /// Has a control call carried out and recorded, before it is answered.
  void DispatchAudited(Exchange exchange, const OperationCall& call, std::string_view kind);
  Status DecodeBody(Request& request) const;
  Status CheckLocal(const Request& request) const;

  const Services services_;
  const EndpointConfig config_;
  RequestMetrics& metrics_;
  const Clock& clock_;
  std::optional<sigv4::SignatureVerifier> verifier_;
};

}  // namespace tintype::http::dynamodb
