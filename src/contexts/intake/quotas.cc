#include "contexts/intake/quotas.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/strings.h"
#include "contexts/common/find_items.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"

namespace tintype::contexts::intake {
namespace {

using tables::Value;

constexpr std::string_view kQuotaPrefix = "QUOTA#";
constexpr std::string_view kAccountSort = "QUOTA";

std::string QuotaPartition(std::string_view account_id) { return StrCat(kQuotaPrefix, account_id); }

tables::Item QuotaKey(std::string_view account_id, std::string_view sort) {
  return ItemBuilder().Text("PK", QuotaPartition(account_id)).Text("SK", sort).Build();
}

StorageUse UseFromItem(const ItemReader& read) {
  return {read.Integer("usedBytes"), read.Integer("freeBytes", kNoQuota)};
}

/// With the names of both numbers, and what they are where there is no item yet.
Bindings UseBindings(std::map<std::string, Value, std::less<>> values) {
  values.emplace(":nothing", Value::Integer(0));
  return {{}, std::move(values)};
}

constexpr std::string_view kMoreUse =
    "SET usedBytes = if_not_exists(usedBytes, :nothing) + :bytes, "
    "freeBytes = if_not_exists(freeBytes, :noQuota) - :bytes";

Bindings MoreUseBindings(int64_t bytes) {
  return UseBindings({{":bytes", Value::Integer(bytes)}, {":noQuota", Value::Integer(kNoQuota)}});
}

/// So many bytes more, or fewer.
Piece AddUse(std::string_view account_id, int64_t bytes) {
  return UpdatePiece(std::string(kSystemTable), QuotaKey(account_id, kAccountSort),
                     UpdateOf(kMoreUse, MoreUseBindings(bytes)));
}

Error ChargeIsAnother() {
  return {kChargeIsAnother, "The files of this image were changed just now."};
}

/// So many bytes fewer, of an account of which something is kept.
Piece TakeFromUse(std::string_view account_id, int64_t bytes) {
  return UpdatePiece(std::string(kSystemTable), QuotaKey(account_id, kAccountSort),
                     UpdateIf(kMoreUse, "attribute_exists(PK)", MoreUseBindings(-bytes)),
                     ChargeIsAnother());
}

}  // namespace

Result<StorageUse> Quotas::Find(std::string_view account_id) {
  ASSIGN_OR_RETURN(const auto response,
                   database_.GetItem({.table = std::string(kSystemTable),
                                      .key = QuotaKey(account_id, kAccountSort),
                                      .projection = {},
                                      .consistent_read = true}));
  return response.item ? UseFromItem(ItemReader(*response.item)) : StorageUse();
}

Result<std::unordered_map<std::string, StorageUse>> Quotas::FindAll(
    const std::vector<std::string>& account_ids) {
  std::vector<tables::Item> keys;
  keys.reserve(account_ids.size());
  for (const std::string& id : account_ids) {
    keys.push_back(QuotaKey(id, kAccountSort));
  }
  ASSIGN_OR_RETURN(const auto items, FindItems(database_, kSystemTable, std::move(keys)));
  std::unordered_map<std::string, StorageUse> found;
  found.reserve(items.size());
  for (const tables::Item& item : items) {
    const ItemReader read(item);
    found.emplace(read.Text("PK").substr(kQuotaPrefix.size()), UseFromItem(read));
  }
  return found;
}

Result<ChargeView> Quotas::FindCharge(std::string_view account_id, std::string_view image_id) {
  ASSIGN_OR_RETURN(const auto items,
                   FindItems(database_, kSystemTable,
                             {QuotaKey(account_id, kAccountSort), QuotaKey(account_id, image_id)}));
  ChargeView view;
  for (const tables::Item& item : items) {
    const ItemReader read(item);
    if (read.Text("SK") == kAccountSort) {
      view.has_account = true;
    } else {
      view.bytes = read.Integer("bytes");
    }
  }
  return view;
}

Result<ChargedAccountsPage> Quotas::ListAccounts(const std::optional<tables::Item>& after,
                                                 int64_t limit) {
  tables::ScanRequest scan;
  scan.table = std::string(kSystemTable);
  scan.options.filter =
      ConditionOf("begins_with(PK, :quota)", {{}, {{":quota", Value::String(kQuotaPrefix)}}});
  scan.options.consistent_read = true;
  scan.options.limit = limit;
  scan.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database_.Scan(std::move(scan)));
  ChargedAccountsPage page;
  // The items of an account are side by side: one that was on the page before is not new here.
  std::string last = after ? ItemReader(*after).Text("PK") : "";
  for (const tables::Item& item : response.items) {
    std::string partition = ItemReader(item).Text("PK");
    if (partition != last) {
      page.account_ids.push_back(partition.substr(kQuotaPrefix.size()));
      last = std::move(partition);
    }
  }
  page.last_evaluated_key = std::move(response.last_evaluated_key);
  return page;
}

Result<ChargesPage> Quotas::ListCharges(std::string_view account_id,
                                        const std::optional<tables::Item>& after) {
  constexpr int64_t kChargesAtOnce = 1000;
  tables::QueryRequest query;
  query.table = std::string(kSystemTable);
  query.key_condition = KeyConditionOf(
      "PK = :account", {{}, {{":account", Value::String(QuotaPartition(account_id))}}});
  query.options.consistent_read = true;
  query.options.limit = kChargesAtOnce;
  query.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database_.Query(std::move(query)));
  ChargesPage page;
  for (const tables::Item& item : response.items) {
    const ItemReader read(item);
    if (std::string id = read.Text("SK"); id != kAccountSort) {
      page.charges.push_back({std::move(id), read.Integer("bytes")});
    }
  }
  page.last_evaluated_key = std::move(response.last_evaluated_key);
  return page;
}

Piece Quotas::SetQuota(std::string_view account_id, int64_t quota) {
  return UpdatePiece(std::string(kSystemTable), QuotaKey(account_id, kAccountSort),
                     UpdateOf("SET usedBytes = if_not_exists(usedBytes, :nothing), "
                              "freeBytes = :quota - if_not_exists(usedBytes, :nothing)",
                              UseBindings({{":quota", Value::Integer(quota)}})));
}

Piece Quotas::Remove(std::string_view account_id) {
  return DeletePiece(std::string(kSystemTable), QuotaKey(account_id, kAccountSort));
}

Piece Quotas::SetUsed(std::string_view account_id, int64_t seen, int64_t used) {
  Bindings bindings = MoreUseBindings(used - seen);
  bindings.values.emplace(":seen", Value::Integer(seen));
  return UpdatePiece(std::string(kSystemTable), QuotaKey(account_id, kAccountSort),
                     UpdateIf(kMoreUse,
                              seen == 0 ? "attribute_not_exists(usedBytes) OR usedBytes = :seen"
                                        : "usedBytes = :seen",
                              bindings),
                     ChargeIsAnother());
}

Piece Quotas::Take(std::string_view account_id, int64_t bytes) {
  // An account that has used up all cannot begin with nothing either: some uploads do not say how
  // much comes.
  return UpdatePiece(
      std::string(kSystemTable), QuotaKey(account_id, kAccountSort),
      UpdateIf(kMoreUse, "attribute_not_exists(freeBytes) OR freeBytes >= :needed",
               UseBindings({{":bytes", Value::Integer(bytes)},
                            {":noQuota", Value::Integer(kNoQuota)},
                            {":needed", Value::Integer(std::max<int64_t>(bytes, 1))}})),
      Error(kQuotaExceeded, "There is no room for this: the account's quota is used up."));
}

Piece Quotas::SetCharge(std::string_view account_id, std::string_view image_id,
                        const std::optional<int64_t>& seen, int64_t bytes) {
  tables::Item item = ItemBuilder()
                          .Text("PK", QuotaPartition(account_id))
                          .Text("SK", image_id)
                          .Integer("bytes", bytes)
                          .Build();
  return PutPiece(std::string(kSystemTable), std::move(item),
                  seen ? ConditionOf("bytes = :seen", {{}, {{":seen", Value::Integer(*seen)}}})
                       : ConditionOf("attribute_not_exists(PK)", {}),
                  ChargeIsAnother());
}

Pieces Quotas::Charge(std::string_view account_id, std::string_view image_id,
                      const ChargeView& seen, int64_t bytes) {
  if (seen.bytes == bytes) {
    return {};
  }
  Pieces pieces;
  pieces.push_back(SetCharge(account_id, image_id, seen.bytes, bytes));
  pieces.push_back(AddUse(account_id, bytes - seen.bytes.value_or(0)));
  return pieces;
}

Pieces Quotas::Release(std::string_view account_id, std::string_view image_id,
                       const ChargeView& seen) {
  if (!seen.bytes) {
    return {};
  }
  Pieces pieces;
  pieces.push_back(
      DeletePiece(std::string(kSystemTable), QuotaKey(account_id, image_id),
                  ConditionOf("bytes = :seen", {{}, {{":seen", Value::Integer(*seen.bytes)}}}),
                  ChargeIsAnother()));
  if (seen.has_account) {
    pieces.push_back(TakeFromUse(account_id, *seen.bytes));
  }
  return pieces;
}

}  // namespace tintype::contexts::intake
