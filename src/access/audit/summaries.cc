#include "access/audit/summaries.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "base/time_text.h"

namespace tintype::access::audit {
namespace {

constexpr int64_t kMinuteMs = 60'000;
/// Kinds are constants, but nothing depends on that: beyond these they are one.
constexpr size_t kTogetherMax = 64;

bool IsStranger(const Entry& entry) { return entry.principal.kind == PrincipalKind::kAnonymous; }

std::string WhatOf(const Entry& entry) {
  return StrCat(entry.kind, "\n", NameOf(entry.outcome), "\n",
                IsStranger(entry) ? "stranger" : "known");
}

std::string WhoOf(const Entry& entry) {
  return StrCat(WhatOf(entry), "\n",
                IsStranger(entry) ? entry.principal.address : entry.principal.id);
}

/// The entry for `count` occurrences like `first`, of which only what they share is kept.
Entry SummaryOf(const Entry& first, int64_t count, int64_t began_ms, int64_t last_ms) {
  Entry summary;
  summary.kind = first.kind;
  summary.outcome = first.outcome;
  summary.principal = first.principal;
  summary.count = count;
  summary.details = {
      {"summary", "true"}, {"first", TimeText(began_ms)}, {"last", TimeText(last_ms)}};
  return summary;
}

}  // namespace

bool Summaries::Spend(bool stranger, int64_t now_ms) {
  Allowance& allowance = stranger ? strangers_ : known_;
  if (allowance.filled_ms == 0) {
    allowance = {config_.burst, now_ms};
  }
  if (now_ms < allowance.filled_ms) {
    allowance.filled_ms = now_ms;  // The clock was set back.
  }
  const int64_t gained = (now_ms - allowance.filled_ms) * config_.per_minute / kMinuteMs;
  if (gained > 0) {
    allowance.left = std::min(config_.burst, allowance.left + gained);
    allowance.filled_ms = now_ms;
  }
  if (allowance.left == 0) {
    return false;
  }
  --allowance.left;
  return true;
}

void Summaries::CountTogether(const Entry& entry, int64_t count, int64_t now_ms) {
  std::string key = WhatOf(entry);
  if (together_.size() >= kTogetherMax && !together_.contains(key)) {
    key = together_.begin()->first;
  }
  Tally& tally = together_[key];
  if (tally.counted == 0) {
    tally.first = entry;
    tally.first.principal = {};
    tally.first.principal.kind = entry.principal.kind;
    tally.began_ms = now_ms;
  }
  tally.counted += count;
  tally.last_ms = now_ms;
}

std::optional<Entry> Summaries::Add(Entry entry, int64_t now_ms) {
  const std::string who = WhoOf(entry);
  auto found = tallies_.find(who);
  if (found == tallies_.end()) {
    if (tallies_.size() >= config_.tallies_max) {
      CountTogether(entry, entry.count, now_ms);
      return std::nullopt;
    }
    found = tallies_.emplace(who, Tally{.first = entry, .began_ms = now_ms}).first;
  }
  Tally& tally = found->second;
  if (tally.counted == 0 && tally.singles < config_.singles && Spend(IsStranger(entry), now_ms)) {
    ++tally.singles;
    return entry;
  }
  if (tally.counted == 0) {
    tally.first = std::move(entry);
    tally.counted = tally.first.count;
  } else {
    tally.counted += entry.count;
  }
  tally.last_ms = now_ms;
  return std::nullopt;
}

std::vector<Entry> Summaries::TakeDue(int64_t now_ms, bool all) {
  std::vector<Entry> due;
  for (auto at = tallies_.begin(); at != tallies_.end();) {
    const Tally& tally = at->second;
    // A clock that was set back ends the minute too.
    if (!all && now_ms >= tally.began_ms && now_ms < tally.began_ms + kMinuteMs) {
      ++at;
      continue;
    }
    if (tally.counted > 0 && (all || Spend(IsStranger(tally.first), now_ms))) {
      due.push_back(SummaryOf(tally.first, tally.counted, tally.began_ms, tally.last_ms));
    } else if (tally.counted > 0) {
      CountTogether(tally.first, tally.counted, now_ms);
    }
    at = tallies_.erase(at);
  }
  for (auto at = together_.begin(); at != together_.end();) {
    const Tally& tally = at->second;
    const bool over = now_ms < tally.began_ms || now_ms >= tally.began_ms + kMinuteMs;
    if (all || (over && Spend(IsStranger(tally.first), now_ms))) {
      due.push_back(SummaryOf(tally.first, tally.counted, tally.began_ms, tally.last_ms));
      due.back().details.emplace("addresses", "several");
      at = together_.erase(at);
    } else {
      ++at;
    }
  }
  return due;
}

bool Summaries::empty() const {
  return together_.empty() &&
         std::ranges::none_of(tallies_, [](const auto& tally) { return tally.second.counted > 0; });
}

}  // namespace tintype::access::audit
