#include "tables/remote/config.h"

#include "base/strings.h"
#include "net/endpoint.h"

namespace tintype::tables::remote {

namespace {

Status Require(bool holds, std::string_view what) {
  return holds ? OkStatus()
               : Status(Error::Validation(StrCat("The remote service's settings: ", what, '.')));
}

}  // namespace

Status RemoteConfig::Validate() const {
  RETURN_IF_ERROR(net::ParseEndpoint(endpoint));
  RETURN_IF_ERROR(Require(!region.empty(), "region is empty"));
  RETURN_IF_ERROR(Require(!credentials.access_key_id.empty() && !credentials.secret.empty(),
                          "credentials lack the access key id or the secret"));
  RETURN_IF_ERROR(Require(connections_max > 0, "connections_max must be at least 1"));
  RETURN_IF_ERROR(Require(idle_max.count() > 0, "idle_max must be at least 1 s"));
  RETURN_IF_ERROR(Require(connect_timeout.count() > 0, "connect_timeout must be above 0"));
  RETURN_IF_ERROR(Require(attempt_timeout.count() > 0, "attempt_timeout must be above 0"));
  RETURN_IF_ERROR(Require(call_timeout.count() > 0, "call_timeout must be above 0"));
  RETURN_IF_ERROR(Require(attempts_max > 0, "attempts_max must be at least 1"));
  RETURN_IF_ERROR(Require(backoff_base.count() > 0 && backoff_max >= backoff_base,
                          "backoff_base must be above 0, and backoff_max no less"));
  return Require(response_bytes_max > 0, "response_bytes_max must be at least 1");
}

}  // namespace tintype::tables::remote
