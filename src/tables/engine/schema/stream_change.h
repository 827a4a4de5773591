#pragma once

#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/core.h"

/// How streams of tables begin and end. All on the commit thread.
namespace tintype::tables::engine {

/// Begins the stream that `table.definition.stream` asks for.
void BeginStream(CommitGroup& group, TableInfo& table);

/// Ends the enabled stream of a table, if it has one: it stays readable for a day.
void RetireStream(CommitGroup& group, const TableInfo& table);

/// Stores a retired stream, new or changed, and publishes it once it is on disk.
void StageRetiredStream(CommitGroup& group, StreamInfo stream);

/// Forgets retired streams whose records are too old.
void ForgetOldStreams(CommitGroup& group);

}  // namespace tintype::tables::engine
