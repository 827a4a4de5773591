#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/retry.h"
#include "cli/settings/environment.h"
#include "net/http_client.h"

/// Secrets that are kept in AWS's parameter store, or in a service that answers as it does.
namespace tintype::cli {

/// Which parameter a text such as `ssm:///tintype/prod/master-key` names:
/// `/tintype/prod/master-key`. Nothing for any other text.
std::optional<std::string> ParameterNameIn(std::string_view text);

struct ParameterStoreOptions {
  /// Null: a client of its own.
  net::HttpClient* client = nullptr;
  RetryPolicy retries{.attempts_max = 4,
                      .wait_first = std::chrono::milliseconds(200),
                      .wait_max = std::chrono::milliseconds(2'000),
                      .sleep = {}};
};

/// The value of a parameter, decrypted. Asks as AWS's clients do: with the key that
/// FindAwsCredentials finds, in the region AWS_REGION or AWS_DEFAULT_REGION, at
/// AWS_ENDPOINT_URL_SSM or AWS_ENDPOINT_URL, else at AWS itself; AWS_CA_BUNDLE names the
/// certificates to trust. No error tells what the value is.
///
/// Errors: kValidation when one of these is missing or wrong, or the answer is none; kNotFound,
/// kAccessDenied and kUnauthenticated when the store says so; kUnavailable when it does not answer,
/// or goes on being busy.
Result<std::string> ReadParameter(const std::string& name, const Environment& environment,
                                  const ParameterStoreOptions& options = {});

}  // namespace tintype::cli
