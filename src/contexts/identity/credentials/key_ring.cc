#include "contexts/identity/credentials/key_ring.h"

#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"

namespace tintype::contexts::identity {

struct KeyRing::Stored {
  RingKeys keys;
  int64_t rotation = 0;  // How often they were rotated.
};

tables::Item KeyRing::ItemKey() const {
  return ItemBuilder().Text("PK", StrCat("KEY#", purpose_.name)).Text("SK", "KEY").Build();
}

std::string KeyRing::SealedText(std::string_view secret) const {
  return Base64Url(Seal(sealing_key_, purpose_.context, secret));
}

Result<std::string> KeyRing::Unsealed(std::string_view text) const {
  // Anything else than base64 is no sealed text either.
  return Unseal(sealing_key_, purpose_.context, ParseBase64Url(text).value_or(""));
}

Result<KeyRing::Stored> KeyRing::Load() {
  ASSIGN_OR_RETURN(const auto found, database_.GetItem({.table = std::string(kSystemTable),
                                                        .key = ItemKey(),
                                                        .projection = {},
                                                        .consistent_read = true}));
  if (!found.item) {
    return Error::NotFound(StrCat("There is no key for ", purpose_.name, " yet."));
  }
  const ItemReader read(*found.item);
  Stored stored;
  stored.rotation = read.Integer("rotation");
  RingKey newest;
  ASSIGN_OR_RETURN(newest.secret, Unsealed(read.Text("sealed")));
  newest.used_from_ms = read.Integer("usedFrom");
  stored.keys.push_back(std::move(newest));
  const auto older = found.item->view().Find("older");
  if (!older || older->type() != tables::Type::kList) {
    return stored;
  }
  for (const tables::ValueView& member : older->AsList()) {
    if (member.type() != tables::Type::kMap) {
      return Error::Corruption(StrCat("The older keys for ", purpose_.name, " are damaged."));
    }
    const ItemReader entry(member.AsMap());
    RingKey key;
    ASSIGN_OR_RETURN(key.secret, Unsealed(entry.Text("sealed")));
    key.used_from_ms = entry.Integer("usedFrom");
    // One that does not say for how long was damaged: it is good for nothing rather than for ever.
    key.honoured_until_ms = entry.Integer("honouredUntil", 1);
    stored.keys.push_back(std::move(key));
  }
  return stored;
}

Result<RingKeys> KeyRing::Read() {
  ASSIGN_OR_RETURN(Stored stored, Load());
  return std::move(stored.keys);
}

Result<RingKeys> KeyRing::ReadOrMake(const std::function<std::string()>& make_secret) {
  Result<RingKeys> found = Read();
  if (found.ok() || found.error().kind() != ErrorKind::kNotFound) {
    return found;
  }
  tables::PutItemRequest put;
  put.table = std::string(kSystemTable);
  put.item = ItemBuilder()
                 .Text("PK", StrCat("KEY#", purpose_.name))
                 .Text("SK", "KEY")
                 .Text("sealed", SealedText(make_secret()))
                 .Build();
  put.options.condition = ConditionOf("attribute_not_exists(PK)", {});
  const auto stored = database_.PutItem(std::move(put));
  if (!stored.ok() && stored.error().kind() != ErrorKind::kConditionFailed) {
    return stored.error();
  }
  return Read();
}

Result<RingKeys> KeyRing::Rotate(Rotation rotation) {
  ASSIGN_OR_RETURN(const Stored stored, Load());
  const int64_t now_ms = clock_.NowMs();
  RingKeys keys;
  keys.push_back({std::move(rotation.secret), rotation.at_once ? now_ms : now_ms + kSettleMs, 0});
  std::vector<tables::Value> older;
  for (const RingKey& key : stored.keys) {
    if (rotation.at_once || !IsHonoured(key, now_ms)) {
      continue;
    }
    RingKey kept = key;
    if (kept.honoured_until_ms == 0) {
      kept.honoured_until_ms = keys.front().used_from_ms + rotation.honour_ms;
    }
    older.push_back(tables::Value::Map(ItemBuilder()
                                           .Text("sealed", SealedText(kept.secret))
                                           .Integer("usedFrom", kept.used_from_ms)
                                           .Integer("honouredUntil", kept.honoured_until_ms)
                                           .Build()));
    keys.push_back(std::move(kept));
  }
  if (keys.size() > kKeysMax) {
    return Error(ErrorKind::kLimitExceeded,
                 StrCat("There are ", stored.keys.size(),
                        " keys whose signatures are still good. Wait until the first of them is "
                        "not, or rotate with --at-once."));
  }
  tables::PutItemRequest put;
  put.table = std::string(kSystemTable);
  put.item = ItemBuilder()
                 .Text("PK", StrCat("KEY#", purpose_.name))
                 .Text("SK", "KEY")
                 .Text("sealed", SealedText(keys.front().secret))
                 .Integer("usedFrom", keys.front().used_from_ms)
                 .Integer("rotation", stored.rotation + 1)
                 .Value("older", tables::Value::List(older))
                 .Build();
  put.options.condition =
      stored.rotation == 0 ? ConditionOf("attribute_exists(PK) AND attribute_not_exists(#rotation)",
                                         {{{"#rotation", "rotation"}}, {}})
                           : ConditionOf("#rotation = :before",
                                         {{{"#rotation", "rotation"}},
                                          {{":before", tables::Value::Integer(stored.rotation)}}});
  const auto written = database_.PutItem(std::move(put));
  if (written.ok()) {
    return keys;
  }
  if (written.error().kind() != ErrorKind::kConditionFailed) {
    return written.error();
  }
  // Written, but the answer got lost and it was sent again.
  if (const auto now = Load(); now.ok() && now->keys.front().secret == keys.front().secret) {
    return keys;
  }
  return Error(kRotatedMeanwhile, StrCat("Somebody else rotated the keys for ", purpose_.name,
                                         " at the same moment."));
}

}  // namespace tintype::contexts::identity
