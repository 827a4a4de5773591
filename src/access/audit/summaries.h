#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "access/audit/entry.h"

namespace tintype::access::audit {

/// Keeps a flood of denials from filling the disk. The first few of a kind and outcome by one
/// principal (or, of strangers, from one address) within a minute become entries; those after them
/// are counted, and become one entry when the minute is over.
///
/// Two bounds hold whatever comes. Memory: at most `tallies_max` are counted apart, the rest
/// together by kind. Disk: entries take from an allowance that fills slowly, one for strangers and
/// one for those who were let in; when it is used up, denials are counted together by kind, until
/// there is some again. So a day has at most `burst` + 1,440 * `per_minute` entries of each, and
/// every denial is in the count of one of them.
///
/// Not thread-safe: the audit's lock guards it.
class Summaries {
 public:
  struct Config {
    size_t tallies_max = 1024;
    int64_t singles = 5;      // Entries of one tally in a minute before it is counted.
    int64_t per_minute = 10;  // What the allowance gains.
    int64_t burst = 1000;     // What it holds at most.
  };

  explicit Summaries(const Config& config) : config_(config) {}

  /// What is to be written now: the entry, or nothing when it was counted instead.
  std::optional<Entry> Add(Entry entry, int64_t now_ms);

  /// The summaries of minutes that are over; of all when `all`.
  std::vector<Entry> TakeDue(int64_t now_ms, bool all = false);

  /// Whether anything is counted that TakeDue has not given out.
  bool empty() const;

 private:
  struct Allowance {
    int64_t left = 0;
    int64_t filled_ms = 0;
  };
  struct Tally {
    Entry first;  // What the summary repeats.
    int64_t began_ms = 0;
    int64_t singles = 0;
    int64_t counted = 0;
    int64_t last_ms = 0;
  };

  bool Spend(bool stranger, int64_t now_ms);
  void CountTogether(const Entry& entry, int64_t count, int64_t now_ms);

  const Config config_;
  Allowance strangers_;
  Allowance known_;
  std::map<std::string, Tally> tallies_;   // By kind, outcome and who.
  std::map<std::string, Tally> together_;  // By kind and outcome, whoever it was.
};

}  // namespace tintype::access::audit
