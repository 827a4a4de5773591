#include "pipeline/follower_positions.h"

#include <optional>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"
#include "tables/language/blocking_database.h"

namespace tintype::pipeline {
namespace {

using contexts::ItemBuilder;
using contexts::ItemReader;
using tables::FollowerPosition;
using tables::ShardName;

std::string TableName() { return std::string(contexts::kSystemTable); }

std::string PartitionOf(std::string_view name) { return StrCat("FOLLOWER#", name); }
/// No name of a table has a '#'.
std::string SortOf(const ShardName& shard) { return StrCat(shard.table, "#", shard.shard); }
ShardName ShardOf(std::string_view sort) {
  const size_t separator = sort.find('#');
  return separator == std::string_view::npos ? ShardName{std::string(sort), ""}
                                             : ShardName{std::string(sort.substr(0, separator)),
                                                         std::string(sort.substr(separator + 1))};
}

tables::Item OldKey(std::string_view name) {
  return ItemBuilder().Text("PK", StrCat("POSITION#", name)).Text("SK", "POSITION").Build();
}

}  // namespace

Result<std::vector<FollowerPosition>> FollowerPositions::Load() const {
  tables::QueryRequest query;
  query.table = TableName();
  query.key_condition = contexts::KeyConditionOf(
      "PK = :follower", {{}, {{":follower", tables::Value::String(PartitionOf(name_))}}});
  query.options.consistent_read = true;
  std::vector<FollowerPosition> positions;
  do {
    ASSIGN_OR_RETURN(auto page, tables::BlockingDatabase(database_).Query(query));
    for (const tables::Item& item : page.items) {
      const ItemReader read(item);
      positions.push_back({ShardOf(read.Text("SK")), read.Text("position"), read.Text("text")});
    }
    query.options.exclusive_start_key = std::move(page.last_evaluated_key);
  } while (query.options.exclusive_start_key);
  return positions;
}

contexts::Piece FollowerPositions::Store(const FollowerPosition& position) const {
  return contexts::PutPiece(TableName(), ItemBuilder()
                                             .Text("PK", PartitionOf(name_))
                                             .Text("SK", SortOf(position.shard))
                                             .Text("position", position.position)
                                             .Text("text", position.text)
                                             .Build());
}

contexts::Piece FollowerPositions::Remove(const ShardName& shard) const {
  return contexts::DeletePiece(
      TableName(), ItemBuilder().Text("PK", PartitionOf(name_)).Text("SK", SortOf(shard)).Build());
}

Status FollowerPositions::TakeOver(tables::ChangeLog& log,
                                   const std::vector<std::string>& followed) const {
  ASSIGN_OR_RETURN(
      const auto old,
      tables::BlockingDatabase(database_).GetItem(
          {.table = TableName(), .key = OldKey(name_), .projection = {}, .consistent_read = true}));
  if (!old.item) {
    return OkStatus();
  }
  const std::string position = ItemReader(*old.item).Text("position");
  contexts::Transaction take_over(StrCat("take-over ", name_));
  take_over.Add(contexts::DeletePiece(TableName(), OldKey(name_)));
  for (const std::string& table : followed) {
    ASSIGN_OR_RETURN(const auto shards, log.ListShards(table));
    for (const tables::ChangeShard& shard : shards) {
      take_over.Add(Store({shard.name, position, "taken over from format 1"}));
    }
  }
  return take_over.Commit(database_);
}

}  // namespace tintype::pipeline
