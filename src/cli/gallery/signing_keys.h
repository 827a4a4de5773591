#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/gallery/key_watch.h"
#include "contexts/identity/credentials/tokens.h"
#include "http/rest/protocol/link_keys.h"
#include "tables/language/database.h"

namespace tintype::cli {

/// The keys that all nodes sign with, and what this one makes of them. Those that were replaced
/// meanwhile are noticed (KeyWatch).
struct SigningKeys {
  std::unique_ptr<contexts::identity::Tokens> tokens;
  std::unique_ptr<http::rest::LinkKeys> links;
  std::unique_ptr<KeyWatch> watch;  // Last: it uses the others.

  /// Reads them, or makes the first. `secret` is that of the data directory. Errors: those of
  /// contexts::identity::KeyRing::ReadOrMake.
  static Result<SigningKeys> Open(const std::string& public_url, std::string_view secret,
                                  tables::Database& database);
};

}  // namespace tintype::cli
