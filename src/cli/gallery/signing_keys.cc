#include "cli/gallery/signing_keys.h"

#include <utility>
#include <vector>

#include "base/clock.h"
#include "cli/tables/sealing.h"

namespace tintype::cli {

Result<SigningKeys> SigningKeys::Open(const std::string& public_url, std::string_view secret,
                                      tables::Database& database) {
  using contexts::identity::KeyRing;
  const auto ring_for = [&](const contexts::identity::KeyPurpose& purpose) {
    return std::make_unique<KeyRing>(purpose, RingSealingKeyOf(secret), database, SystemClock());
  };
  SigningKeys keys;
  contexts::identity::TokensConfig config;
  config.issuer = public_url;
  auto token_ring = ring_for(contexts::identity::kAccessTokenKeys);
  ASSIGN_OR_RETURN(keys.tokens,
                   contexts::identity::Tokens::Open(config, *token_ring, SystemClock()));
  auto link_ring = ring_for(contexts::identity::kLinkKeys);
  // The first is the one that links were signed with before there was a ring.
  ASSIGN_OR_RETURN(const auto link_keys,
                   link_ring->ReadOrMake([&] { return std::string(secret); }));
  keys.links = std::make_unique<http::rest::LinkKeys>(SystemClock());
  keys.links->Take(link_keys);
  std::vector<KeyWatch::Watched> watched;
  watched.push_back({std::move(token_ring), [tokens = keys.tokens.get()](const auto& read) {
                       return tokens->Take(read);
                     }});
  watched.push_back({std::move(link_ring), [links = keys.links.get()](const auto& read) {
                       links->Take(read);
                       return OkStatus();
                     }});
  keys.watch = std::make_unique<KeyWatch>(std::move(watched));
  return keys;
}

}  // namespace tintype::cli
