#pragma once

#include <string>

namespace tintype::http::dynamodb {

/// A new id for a request, in the form of DynamoDB's: 52 digits and capital letters. Unlikely to
/// come twice, but not a secret.
std::string NewRequestId();

}  // namespace tintype::http::dynamodb
