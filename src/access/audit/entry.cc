#include "access/audit/entry.h"

#include <utility>

#include "base/check.h"
#include "base/json_text.h"

namespace tintype::access::audit {
namespace {

/// Cut at a byte limit, never in the middle of a character.
std::string Cut(std::string_view text, size_t bytes_max) {
  std::string valid = ValidUtf8(text);
  if (valid.size() <= bytes_max) {
    return valid;
  }
  size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(valid[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  valid.resize(end);
  return valid;
}

}  // namespace

std::string_view NameOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kDone:
      return "done";
    case Outcome::kDenied:
      return "denied";
    case Outcome::kFailed:
      return "failed";
  }
  CHECK(false);
}

std::optional<Outcome> OutcomeNamed(std::string_view name) {
  for (const Outcome outcome : {Outcome::kDone, Outcome::kDenied, Outcome::kFailed}) {
    if (NameOf(outcome) == name) {
      return outcome;
    }
  }
  return std::nullopt;
}

Entry Trimmed(Entry entry) {
  entry.kind = Cut(entry.kind, kKindBytesMax);
  for (std::string* text : {&entry.principal.id, &entry.principal.account_id,
                            &entry.principal.address, &entry.request_id, &entry.subject}) {
    *text = Cut(*text, kTextBytesMax);
  }
  std::map<std::string, std::string> details;
  for (const auto& [name, value] : entry.details) {
    if (details.size() < kDetailsMax && !name.empty()) {
      details.emplace(Cut(name, kDetailNameBytesMax), Cut(value, kDetailBytesMax));
    }
  }
  entry.details = std::move(details);
  entry.count = entry.count < 1 ? 1 : entry.count;
  return entry;
}

}  // namespace tintype::access::audit
