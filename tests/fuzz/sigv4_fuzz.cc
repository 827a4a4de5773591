// Signatures: nothing unsigned passes, whatever its headers and query say; whatever is signed, by
// header or by query, passes; and it no longer does after a change. Input as a request looks: a
// line with method and target, header lines, an empty line, the body.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "input.h"
#include "sigv4/sigv4.h"

namespace tintype::sigv4 {
namespace {

constexpr int64_t kNowMs = 1'700'000'000'000;  // 20231114T221320Z

class OneKey : public CredentialStore {
 public:
  std::optional<AccessKeySecret> SecretFor(std::string_view access_key_id) const override {
    if (access_key_id != "AKIDEXAMPLE") {
      return std::nullopt;
    }
    return AccessKeySecret{.secret = "secret", .session_token = {}};
  }
};

struct Message {
  std::string method;
  std::string path;
  std::string query;
  HeaderList headers;
  std::string body;

  SignableRequest view() const {
    return {.method = method, .path = path, .query = query, .headers = headers, .body = body};
  }
};

// Header lines as the HTTP server passes them on: names in lower case, values without blanks
// around.
Message Read(fuzz::Input& input) {
  Message message;
  std::string_view line = input.Line();
  const size_t space = std::min(line.find(' '), line.size());
  message.method = line.substr(0, space);
  const std::string_view target = line.substr(std::min(space + 1, line.size()));
  const size_t mark = std::min(target.find('?'), target.size());
  message.path = target.substr(0, mark);
  message.query = target.substr(std::min(mark + 1, target.size()));
  while (!(line = input.Line()).empty() && message.headers.size() < 32) {
    const size_t colon = std::min(line.find(':'), line.size());
    std::string name(line.substr(0, colon));
    for (char& c : name) {
      c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    }
    std::string_view value = line.substr(std::min(colon + 1, line.size()));
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    value = value.substr(0, value.find_last_not_of(" \t") + 1);
    message.headers.emplace_back(std::move(name), value);
  }
  message.body = input.Rest();
  return message;
}

bool IsToken(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

// Leaves what a client of ours would sign.
void MakeSignable(Message& message) {
  std::erase_if(message.headers, [](const auto& header) {
    const std::string& name = header.first;
    return !IsToken(name) || name.starts_with("x-amz-") || name == "authorization" ||
           name == "date" || name == "host";
  });
  message.headers.emplace_back("host", "localhost:8000");
  // The names of parameters may be encoded, so that it takes little to have one of ours there
  // already.
  if (message.query.find_first_of("%zZ") != std::string::npos) {
    message.query.clear();
  }
}

// Accepted as it is, refused after any change and when its time is over.
void CheckSigned(SignatureVerifier& verifier, const Message& message) {
  const Result<VerifiedIdentity> identity = verifier.Verify(message.view(), kNowMs);
  CHECK(identity.ok());
  CHECK(identity->access_key_id == "AKIDEXAMPLE" && identity->region == "eu-central-1");
  CHECK(!verifier.Verify(message.view(), kNowMs + 16 * 60 * 1000).ok());

  const auto refused = [&](const Message& changed) {
    return !verifier.Verify(changed.view(), kNowMs).ok();
  };
  Message changed = message;
  changed.body += "x";
  CHECK(refused(changed));
  changed = message;
  changed.method += "X";
  CHECK(refused(changed));
  changed = message;
  for (auto& [name, value] : changed.headers) {
    value += name == "host" ? "x" : "";
  }
  CHECK(refused(changed));
  changed = message;
  changed.query += changed.query.empty() ? "x=1" : "&x=1";
  CHECK(refused(changed));
}

void Check(Message message) {
  const OneKey store;
  SignatureVerifier verifier({}, store);
  CHECK(!verifier.Verify(message.view(), kNowMs).ok());
  MakeSignable(message);
  CHECK(!verifier.Verify(message.view(), kNowMs).ok());

  SigningKeyCache cache;
  Message signed_message = message;
  const HeaderList added = Sign(
      message.view(), {.access_key_id = "AKIDEXAMPLE", .secret = "secret", .session_token = {}},
      {.region = "eu-central-1", .service = "dynamodb", .now_ms = kNowMs}, cache);
  signed_message.headers.insert(signed_message.headers.end(), added.begin(), added.end());
  CheckSigned(verifier, signed_message);

  Message presigned = message;
  presigned.query.append(presigned.query.empty() ? "" : "&");
  presigned.query.append(
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20231114T221320Z&X-Amz-Expires=60"
      "&X-Amz-Credential=AKIDEXAMPLE%2F20231114%2Feu-central-1%2Fdynamodb%2Faws4_request"
      "&X-Amz-SignedHeaders=host");
  const SigningScope scope{.date = "20231114", .region = "eu-central-1", .service = "dynamodb"};
  const std::string to_sign =
      StringToSign("20231114T221320Z", scope,
                   CanonicalRequest(presigned.view(), {"host"}, crypto::Sha256Hex(presigned.body)));
  presigned.query.append("&X-Amz-Signature=");
  presigned.query.append(Signature(cache.KeyFor("AKIDEXAMPLE", "secret", scope), to_sign));
  CheckSigned(verifier, presigned);
}

}  // namespace
}  // namespace tintype::sigv4

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tintype::fuzz::Input input(data, size);
  tintype::sigv4::Check(tintype::sigv4::Read(input));
  return 0;
}
