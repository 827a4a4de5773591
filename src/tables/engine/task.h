#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "tables/engine/commit_group.h"
#include "tables/engine/committer.h"
#include "tables/engine/core.h"
#include "tables/language/database.h"

namespace tintype::tables::engine {

/// A CommitTask whose outcome is one Result: `decide` computes it on the commit thread, `done`
/// receives it once everything that `decide` saw and staged is durable.
template <typename Response, typename Decide>
class ResultTask : public CommitTask {
 public:
  ResultTask(Decide decide, Done<Response> done, bool alone)
      : decide_(std::move(decide)), done_(std::move(done)), alone_(alone) {}

  bool alone() const override { return alone_; }
  void Evaluate(CommitGroup& group) override { outcome_.emplace(decide_(group)); }
  void Finish() override { done_(std::move(*outcome_)); }
  void Refuse(Error error) override { done_(std::move(error)); }

 private:
  Decide decide_;
  Done<Response> done_;
  const bool alone_;
  std::optional<Result<Response>> outcome_;
};

/// Queues `decide`, a function from CommitGroup& to Result<Response>, for the commit thread.
template <typename Response, typename Decide>
void SubmitWrite(Core& core, Decide decide, Done<Response> done) {
  core.committer.Submit(std::make_unique<ResultTask<Response, Decide>>(std::move(decide),
                                                                       std::move(done), false));
}

/// The same for a change to tables themselves, which gets a group of its own.
template <typename Response, typename Decide>
void SubmitTableChange(Core& core, Decide decide, Done<Response> done) {
  core.committer.Submit(
      std::make_unique<ResultTask<Response, Decide>>(std::move(decide), std::move(done), true));
}

}  // namespace tintype::tables::engine
