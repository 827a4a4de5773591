#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tintype::contexts::identity {

/// A secret that the server hands out once and then knows only by its hash: the refresh token of a
/// session, an API key, an invitation, a one-time link. As text it is `id.secret`. The secret has
/// 256 random bits, so a plain SHA-256 keeps it as well as a slow hash would.
struct SecretToken {
  std::string id;
  std::string secret;

  /// With a new secret.
  static SecretToken Make(std::string id);
  /// Nothing for a text that can be none. Does not say whether there is such a token.
  static std::optional<SecretToken> Parse(std::string_view text);

  std::string Text() const;
  /// What is stored of it.
  std::string Hash() const;
  /// Whether `hash` is of this secret. Takes the same time either way.
  bool Matches(std::string_view hash) const;
};

}  // namespace tintype::contexts::identity
