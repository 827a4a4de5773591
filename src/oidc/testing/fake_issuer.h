#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "crypto/testing/key_pair.h"
#include "net/http_client.h"

namespace tintype::oidc::testing {

/// An issuer in memory, for tests that make it say what no issuer says. Of one thread.
class FakeIssuer : public net::HttpClient {
 public:
  static constexpr std::string_view kUrl = "https://issuer.example";

  /// With one key, `first`, for RS256.
  FakeIssuer();

  /// Answers one of its addresses; others are 404.
  net::HttpOutcome Perform(const net::HttpRequest& request) override;

  /// Another key. REQUIRES: the kind fits the pair.
  void AddKey(const std::string& id, crypto::SignatureKind kind,
              const crypto::testing::KeyPair& pair);
  void RemoveKeys() { keys_.clear(); }
  /// A token of these claims, by the key of that name.
  std::string Sign(std::string_view claims, const std::string& key = "first",
                   std::string_view more_header = "") const;

  /// Its own words instead of what it would say, by path.
  std::map<std::string, std::string> bodies;
  /// What it answers to a code, or says of a person.
  std::string token_answer;
  std::string user_info;
  /// Not 200: what it answers to everything.
  int status = 200;
  /// Not 200: what the userinfo endpoint answers.
  int user_info_status = 200;
  bool unreachable = false;
  /// What it was asked, in order.
  std::vector<std::string> urls;
  std::vector<std::string> bodies_received;
  std::vector<net::HeaderList> headers_received;

 private:
  struct Key {
    crypto::SignatureKind kind;
    crypto::testing::KeyPair pair;
  };
  std::string Answer(const std::string& path) const;
  std::string Jwks() const;

  std::map<std::string, Key> keys_;
};

}  // namespace tintype::oidc::testing
