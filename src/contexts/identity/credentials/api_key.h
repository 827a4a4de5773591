#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tintype::contexts::identity {

/// What every API key begins with, so that people and scanners recognise one.
inline constexpr std::string_view kApiKeyPrefix = "tintype_";

/// Whether a bearer token is meant to be an API key.
constexpr bool LooksLikeApiKey(std::string_view text) { return text.starts_with(kApiKeyPrefix); }

/// A key of an account for the REST API, without its secret.
struct ApiKey {
  std::string id;
  std::string account_id;
  std::string name;
  std::vector<std::string> scopes;
  int64_t created_ms = 0;
  std::optional<int64_t> expires_ms;
  std::optional<int64_t> last_used_ms;  // To the hour.
};

/// A key that somebody wants.
struct NewApiKey {
  std::string name;
  std::vector<std::string> scopes;
  std::optional<int64_t> expires_ms;
};

struct CreatedApiKey {
  ApiKey key;
  std::string text;  // All of it, for its owner alone.
};

}  // namespace tintype::contexts::identity
