#include "access/audit/chain_items.h"

#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/time_text.h"

namespace tintype::access::audit {
namespace {

using tables::Item;
using tables::Type;
using tables::Value;
using tables::ValueView;

constexpr size_t kSequenceDigits = 20;
// After all digits, so that a range of links holds neither.
constexpr std::string_view kHeadName = "head";
constexpr std::string_view kBaseName = "base";

using Attributes = std::vector<std::pair<std::string, Value>>;

void Add(Attributes& attributes, std::string_view name, std::string_view text) {
  attributes.emplace_back(name, Value::String(text));
}

/// Empty values are left out, as everywhere in the product's tables.
void AddUnlessEmpty(Attributes& attributes, std::string_view name, std::string_view text) {
  if (!text.empty()) {
    Add(attributes, name, text);
  }
}

Item KeyOf(std::string_view chain, std::string_view sequence) {
  Attributes key;
  Add(key, kChainAttribute, chain);
  Add(key, kSequenceAttribute, sequence);
  return Item::Of(std::move(key));
}

Item MarkItem(std::string_view chain, std::string_view name, const Head& place,
              std::string_view seal, const Sealer& sealer) {
  Attributes mark;
  Add(mark, kChainAttribute, chain);
  Add(mark, kSequenceAttribute, name);
  mark.emplace_back("number", Value::Integer(place.sequence));
  Add(mark, kHashAttribute, place.hash);
  Add(mark, "keyId", sealer.key_id());
  Add(mark, "seal", seal);
  return Item::Of(std::move(mark));
}

std::optional<std::string> FindText(tables::MapView item, std::string_view name) {
  const std::optional<ValueView> value = item.Find(name);
  if (!value || value->type() != Type::kString) {
    return std::nullopt;
  }
  return std::string(value->AsString());
}

std::string TextOf(tables::MapView item, std::string_view name) {
  return FindText(item, name).value_or("");
}

std::optional<int64_t> FindInteger(tables::MapView item, std::string_view name) {
  const std::optional<ValueView> value = item.Find(name);
  if (!value || value->type() != Type::kNumber) {
    return std::nullopt;
  }
  return ParseInteger<int64_t>(value->AsNumber().ToString());
}

}  // namespace

std::string SequenceText(int64_t sequence) {
  const std::string digits = std::to_string(sequence);
  return std::string(kSequenceDigits - digits.size(), '0') + digits;
}

Item LinkKey(std::string_view chain, int64_t sequence) {
  return KeyOf(chain, SequenceText(sequence));
}
Item HeadKey(std::string_view chain) { return KeyOf(chain, kHeadName); }
Item BaseKey(std::string_view chain) { return KeyOf(chain, kBaseName); }

Item LinkItem(const Link& link) {
  const Link::Fields& entry = link.entry;
  Attributes item;
  Add(item, kChainAttribute, link.chain);
  Add(item, kSequenceAttribute, SequenceText(link.sequence));
  Add(item, kTimeAttribute, TimeText(link.time_ms));
  Add(item, "kind", entry.kind);
  Add(item, "outcome", entry.outcome);
  Add(item, "principalKind", entry.principal_kind);
  AddUnlessEmpty(item, "principalId", entry.principal_id);
  AddUnlessEmpty(item, "accountId", entry.account_id);
  if (entry.administrator) {
    item.emplace_back("administrator", Value::Bool(true));
  }
  AddUnlessEmpty(item, "address", entry.address);
  AddUnlessEmpty(item, "requestId", entry.request_id);
  AddUnlessEmpty(item, "subject", entry.subject);
  if (entry.count != 1) {
    item.emplace_back("count", Value::Integer(entry.count));
  }
  if (!entry.details.empty()) {
    Attributes details;
    for (const auto& [name, value] : entry.details) {
      Add(details, name, value);
    }
    item.emplace_back("details", Value::Map(Item::Of(std::move(details))));
  }
  Add(item, "previous", link.previous);
  Add(item, kHashAttribute, link.hash);
  Add(item, "keyId", link.key_id);
  Add(item, "seal", link.seal);
  return Item::Of(std::move(item));
}

Result<Link> ReadLink(const Item& item) {
  const tables::MapView view = item.view();
  const std::optional<int64_t> sequence = ParseDigits<int64_t>(TextOf(view, kSequenceAttribute));
  if (!sequence) {
    return Error::Corruption("An item of the audit has no sequence number.");
  }
  const Result<int64_t> time_ms = ParseTimeText(TextOf(view, kTimeAttribute));
  if (!time_ms.ok()) {
    return Error::Corruption(StrCat("entry ", *sequence, " has no valid time"));
  }
  Link link;
  link.chain = TextOf(view, kChainAttribute);
  link.sequence = *sequence;
  link.time_ms = *time_ms;
  Link::Fields& entry = link.entry;
  entry.kind = TextOf(view, "kind");
  entry.outcome = TextOf(view, "outcome");
  entry.principal_kind = TextOf(view, "principalKind");
  entry.principal_id = TextOf(view, "principalId");
  entry.account_id = TextOf(view, "accountId");
  const std::optional<ValueView> administrator = view.Find("administrator");
  entry.administrator =
      administrator && administrator->type() == Type::kBool && administrator->AsBool();
  entry.address = TextOf(view, "address");
  entry.request_id = TextOf(view, "requestId");
  entry.subject = TextOf(view, "subject");
  entry.count = FindInteger(view, "count").value_or(1);
  if (const auto details = view.Find("details"); details && details->type() == Type::kMap) {
    for (const auto& [name, value] : details->AsMap()) {
      if (value.type() == Type::kString) {
        entry.details.emplace(name, value.AsString());
      }
    }
  }
  link.previous = TextOf(view, "previous");
  link.hash = TextOf(view, kHashAttribute);
  link.key_id = TextOf(view, "keyId");
  link.seal = TextOf(view, "seal");
  return link;
}

Item HeadItem(std::string_view chain, const Head& head, const Sealer& sealer) {
  return MarkItem(chain, kHeadName, head, sealer.OfHead(chain, head), sealer);
}

Item BaseItem(std::string_view chain, const Base& base, const Sealer& sealer) {
  return MarkItem(chain, kBaseName, base, sealer.OfBase(chain, base), sealer);
}

std::optional<Mark> ReadMark(const Item& item) {
  const std::optional<int64_t> number = FindInteger(item.view(), "number");
  const std::optional<std::string> hash = FindText(item.view(), kHashAttribute);
  if (!number || !hash) {
    return std::nullopt;
  }
  return Mark{{*number, *hash}, TextOf(item.view(), "keyId"), TextOf(item.view(), "seal")};
}

Item RegisterItem(std::string_view chain) { return KeyOf(kRegister, chain); }

}  // namespace tintype::access::audit
