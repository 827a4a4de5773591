#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "contexts/common/transaction.h"
#include "tables/language/changes.h"
#include "tables/language/database.h"
#include "tables/language/follower.h"

namespace tintype::pipeline {

/// The stored positions of one follower, in the table `tintype`: `FOLLOWER#{name}` /
/// `{table}#{shard}` {position, text}. Thread-safe; keeps nothing.
class FollowerPositions {
 public:
  FollowerPositions(std::string name, tables::Database& database)
      : name_(std::move(name)), database_(database) {}

  Result<std::vector<tables::FollowerPosition>> Load() const;

  /// Goes into the transaction of what the changes before it led to.
  contexts::Piece Store(const tables::FollowerPosition& position) const;
  contexts::Piece Remove(const tables::ShardName& shard) const;

  /// Format 1 had one position for all tables, `POSITION#{name}` / `POSITION`. If it is there,
  /// every shard of these tables begins at it, so that no change since is missed, and it goes.
  Status TakeOver(tables::ChangeLog& log, const std::vector<std::string>& followed) const;

 private:
  const std::string name_;
  tables::Database& database_;
};

}  // namespace tintype::pipeline
