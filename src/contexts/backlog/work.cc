#include "contexts/backlog/work.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "base/strings.h"
#include "contexts/common/item.h"

namespace tintype::contexts::backlog {
namespace {

constexpr std::array<std::string_view, 4> kStatusNames = {"PENDING", "DELAYED", "LEASED", "DEAD"};

WorkStatus StatusOf(std::string_view name) {
  for (size_t i = 0; i < kStatusNames.size(); ++i) {
    if (kStatusNames[i] == name) {
      return static_cast<WorkStatus>(i);
    }
  }
  return WorkStatus::kPending;
}

Priority PriorityOf(int64_t number) {
  const auto* const found = std::ranges::find_if(
      kPriorities, [&](Priority each) { return number <= static_cast<int64_t>(each); });
  return found == kPriorities.end() ? Priority::kLow : *found;
}

}  // namespace

std::string_view NameOf(WorkStatus status) { return kStatusNames[static_cast<size_t>(status)]; }

std::string_view NameOf(Priority priority) {
  switch (priority) {
    case Priority::kHigh:
      return "high";
    case Priority::kNormal:
      return "normal";
    case Priority::kAnalysis:
      return "analysis";
    case Priority::kLow:
      return "low";
  }
  return "";
}

std::string OrderOf(Priority priority, int64_t time_ms, std::string_view id) {
  std::array<char, 32> time{};
  std::snprintf(time.data(), time.size(), "%015lld", static_cast<long long>(time_ms));
  return StrCat(static_cast<int>(priority), "#", std::string_view(time.data()), "#", id);
}

int64_t OrderMs(const Work& work) {
  switch (work.status) {
    case WorkStatus::kLeased:
      return work.lease_until_ms;
    case WorkStatus::kPending:
      return work.turn_ms > 0 ? work.turn_ms : work.due_ms;
    case WorkStatus::kDelayed:
    case WorkStatus::kDead:
      break;
  }
  return work.due_ms;
}

bool IsExpensive(const Work& work) { return work.cost_ms > kExpensive.count(); }

tables::Item WorkKey(std::string_view id) { return ItemBuilder().Text("id", id).Build(); }

tables::Item ToItem(const Work& work) {
  ItemBuilder input;
  for (const auto& [name, text] : work.input) {
    input.Text(name, text);
  }
  ItemBuilder item;
  item.Text("id", work.id)
      .Text("type", work.type)
      .Text("uuid", work.uuid)
      .Map("input", input.Build())
      .Integer("priority", static_cast<int64_t>(work.priority))
      .Text("status", NameOf(work.status))
      .Text("order", OrderOf(work.priority, OrderMs(work), work.id))
      .Integer("dueAt", work.due_ms)
      .Integer("createdAt", work.created_ms)
      .Integer("updatedAt", work.updated_ms)
      .Integer("retryCount", work.retry_count)
      .Integer("maxRetries", work.max_retries)
      .MaybeText("lastError", work.last_error)
      .MaybeText("correlationId", work.correlation_id);
  if (!work.account_id.empty()) {
    item.Text("accountId", work.account_id).Integer("turnAt", work.turn_ms);
  }
  if (work.cost_ms > 0) {
    item.Integer("costMs", work.cost_ms);
  }
  if (work.status == WorkStatus::kLeased) {
    item.Text("token", work.token)
        .Integer("leaseUntil", work.lease_until_ms)
        .Text("node", work.node);
  }
  return item.Build();
}

Work WorkFromItem(const tables::Item& item) {
  const ItemReader read(item);
  Work work;
  work.id = read.Text("id");
  work.type = read.Text("type");
  work.uuid = read.Text("uuid");
  for (const auto& [name, value] : read.Map("input").view()) {
    if (value.type() == tables::Type::kString) {
      work.input.emplace(name, value.AsString());
    }
  }
  work.priority = PriorityOf(read.Integer("priority", static_cast<int64_t>(Priority::kNormal)));
  work.status = StatusOf(read.Text("status"));
  work.due_ms = read.Integer("dueAt");
  work.account_id = read.Text("accountId");
  work.cost_ms = read.Integer("costMs");
  work.turn_ms = read.Integer("turnAt");
  work.created_ms = read.Integer("createdAt");
  work.updated_ms = read.Integer("updatedAt");
  work.retry_count = read.Integer("retryCount");
  work.max_retries = read.Integer("maxRetries", Work().max_retries);
  work.last_error = read.OptionalText("lastError");
  work.correlation_id = read.OptionalText("correlationId");
  work.order = read.Text("order");
  work.token = read.Text("token");
  work.lease_until_ms = read.Integer("leaseUntil");
  work.node = read.Text("node");
  return work;
}

}  // namespace tintype::contexts::backlog
