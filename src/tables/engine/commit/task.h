#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "tables/engine/changes/change_record.h"
#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/committer.h"
#include "tables/engine/commit/core.h"
#include "tables/language/database.h"

namespace tintype::tables::engine {

/// What a task does to the space on the disk.
enum class Space {
  kTakes,    ///< It adds data.
  kReserve,  ///< It is this server's own, such as a login, and may take what is kept for that.
  kFrees,    ///< It leaves less behind than was there.
};

/// Of a write of that origin.
constexpr Space SpaceOf(bool adds_data, ChangeOrigin origin) {
  if (!adds_data) {
    return Space::kFrees;
  }
  return origin == ChangeOrigin::kServer ? Space::kReserve : Space::kTakes;
}

/// A CommitTask whose outcome is one Result: `decide` computes it on the commit thread, `done`
/// receives it once everything that `decide` saw and staged is durable.
template <typename Response, typename Decide>
class ResultTask : public CommitTask {
 public:
  enum class Kind { kWrite, kTableChange, kOwnWork };

  ResultTask(Decide decide, Done<Response> done, Kind kind, Space space)
      : decide_(std::move(decide)), done_(std::move(done)), kind_(kind), space_(space) {}

  bool alone() const override { return kind_ != Kind::kWrite; }
  bool always_accepted() const override { return kind_ == Kind::kOwnWork; }
  bool fits_nearly_full_disk() const override { return space_ != Space::kTakes; }
  void Evaluate(CommitGroup& group) override { outcome_.emplace(decide_(group)); }
  void Finish() override { done_(std::move(*outcome_)); }
  void Refuse(Error error) override { done_(std::move(error)); }

 private:
  Decide decide_;
  Done<Response> done_;
  const Kind kind_;
  const Space space_;
  std::optional<Result<Response>> outcome_;
};

/// Queues `decide`, a function from CommitGroup& to Result<Response>, for the commit thread.
template <typename Response, typename Decide>
void SubmitWrite(Core& core, Space space, Decide decide, Done<Response> done) {
  using Task = ResultTask<Response, Decide>;
  core.committer.Submit(
      std::make_unique<Task>(std::move(decide), std::move(done), Task::Kind::kWrite, space));
}

/// The same for a change to tables themselves, which gets a group of its own.
template <typename Response, typename Decide>
void SubmitTableChange(Core& core, Space space, Decide decide, Done<Response> done) {
  using Task = ResultTask<Response, Decide>;
  core.committer.Submit(
      std::make_unique<Task>(std::move(decide), std::move(done), Task::Kind::kTableChange, space));
}

/// The same for work that the engine goes on with by itself, whatever clients ask of it.
template <typename Response, typename Decide>
void SubmitOwnWork(Core& core, Space space, Decide decide, Done<Response> done) {
  using Task = ResultTask<Response, Decide>;
  core.committer.Submit(
      std::make_unique<Task>(std::move(decide), std::move(done), Task::Kind::kOwnWork, space));
}

}  // namespace tintype::tables::engine
