#include "access/audit/chain.h"

#include "base/big_endian.h"
#include "base/check.h"
#include "base/hex.h"
#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::access::audit {
namespace {

constexpr std::string_view kLinkLabel = "tintype audit link 1\n";
constexpr size_t kKeyBytes = 32;
constexpr size_t kKeyIdBytes = 8;

/// Texts one after another, each with its length before it, so that no two lists of texts give the
/// same bytes.
class Canonical {
 public:
  explicit Canonical(std::string_view label) : bytes_(label) {}

  Canonical& Add(std::string_view text) {
    AppendBigEndian64(bytes_, text.size());
    bytes_.append(text);
    return *this;
  }
  Canonical& Add(int64_t number) { return Add(std::string_view(std::to_string(number))); }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace

Sealer::Sealer(std::string_view key)
    : key_(key),
      key_id_(ToHex(crypto::Bytes(key_.Of("tintype audit key\n")).substr(0, kKeyIdBytes))) {
  CHECK(key.size() == kKeyBytes);
}

std::string Sealer::Seal(std::string_view what, std::string_view text) const {
  return ToHex(crypto::Bytes(key_.Of(StrCat("tintype audit ", what, " seal 1\n", text))));
}

std::string Sealer::OfLink(std::string_view hash) const { return Seal("link", hash); }

std::string Sealer::OfHead(std::string_view chain, const Head& head) const {
  return Seal("head", Canonical("").Add(chain).Add(head.sequence).Add(head.hash).bytes());
}

std::string Sealer::OfBase(std::string_view chain, const Base& base) const {
  return Seal("base", Canonical("").Add(chain).Add(base.sequence).Add(base.hash).bytes());
}

std::string CanonicalBytes(const Link& link) {
  const Link::Fields& entry = link.entry;
  Canonical bytes(kLinkLabel);
  bytes.Add(link.chain)
      .Add(link.sequence)
      .Add(link.time_ms)
      .Add(entry.kind)
      .Add(entry.outcome)
      .Add(entry.principal_kind)
      .Add(entry.principal_id)
      .Add(entry.account_id)
      .Add(entry.administrator ? 1 : 0)
      .Add(entry.address)
      .Add(entry.request_id)
      .Add(entry.subject)
      .Add(entry.count)
      .Add(static_cast<int64_t>(entry.details.size()));
  for (const auto& [name, value] : entry.details) {
    bytes.Add(name).Add(value);
  }
  bytes.Add(link.previous);
  return bytes.bytes();
}

Link MakeLink(const std::string& chain, const Head& head, int64_t time_ms, const Entry& entry,
              const Sealer& sealer) {
  Link link;
  link.chain = chain;
  link.sequence = head.sequence + 1;
  link.time_ms = time_ms;
  link.entry = {.kind = entry.kind,
                .outcome = std::string(NameOf(entry.outcome)),
                .principal_kind = std::string(access::NameOf(entry.principal.kind)),
                .principal_id = entry.principal.id,
                .account_id = entry.principal.account_id,
                .administrator = entry.principal.administrator,
                .address = entry.principal.address,
                .request_id = entry.request_id,
                .subject = entry.subject,
                .details = entry.details,
                .count = entry.count};
  link.previous = head.hash;
  link.hash = crypto::Sha256Hex(CanonicalBytes(link));
  link.key_id = sealer.key_id();
  link.seal = sealer.OfLink(link.hash);
  return link;
}

std::optional<std::string> FindFault(const Link& link, const Head& head, const Sealer& sealer) {
  if (link.sequence != head.sequence + 1) {
    return StrCat("entry ", head.sequence + 1, " is missing");
  }
  if (link.previous != head.hash) {
    return StrCat(
        "entry ", link.sequence,
        " does not follow the one before it: one of the two is not the one that was written");
  }
  if (link.hash != crypto::Sha256Hex(CanonicalBytes(link))) {
    return StrCat("entry ", link.sequence, " was changed after it was written");
  }
  if (link.key_id != sealer.key_id()) {
    return StrCat("entry ", link.sequence, " is sealed with another secret (key ", link.key_id,
                  ") than this server's (key ", sealer.key_id(), ")");
  }
  if (!crypto::EqualInConstantTime(link.seal, sealer.OfLink(link.hash))) {
    return StrCat("entry ", link.sequence, " was not written by a server of this secret");
  }
  return std::nullopt;
}

}  // namespace tintype::access::audit
