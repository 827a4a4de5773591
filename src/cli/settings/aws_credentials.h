#pragma once

#include <string_view>

#include "base/result.h"
#include "cli/settings/environment.h"
#include "sigv4/sigv4.h"

namespace tintype::cli {

/// The key that AWS's clients would sign with: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, if it
/// is set, AWS_SESSION_TOKEN; else the profile AWS_PROFILE (`default`) of the file that
/// AWS_SHARED_CREDENTIALS_FILE names (`~/.aws/credentials`). `wanted_for` says what needs it, for
/// messages. Errors: kValidation, naming what is missing; kNotFound or kIo for a file that was
/// named and cannot be read.
Result<sigv4::Credentials> FindAwsCredentials(const Environment& environment,
                                              std::string_view wanted_for);

}  // namespace tintype::cli
