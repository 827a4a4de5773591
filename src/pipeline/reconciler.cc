#include "pipeline/reconciler.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/logging.h"
#include "base/strings.h"
#include "contexts/backlog/work.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"
#include "contexts/common/transaction.h"
#include "flows/reconcile.h"
#include "flows/work_tags.h"
#include "tables/language/blocking_database.h"
#include "tables/language/errors.h"

namespace tintype::pipeline {
namespace {

using contexts::ItemBuilder;
using contexts::ItemReader;
using contexts::Transaction;
using contexts::backlog::Work;

/// As many as fit one transaction, with the position.
constexpr size_t kChangesMax = 90;

tables::Item PositionKey() {
  return ItemBuilder().Text("PK", "POSITION#reconciler").Text("SK", "POSITION").Build();
}

contexts::Piece PositionPiece(tables::ChangePosition position) {
  return contexts::PutPiece(std::string(contexts::kSystemTable),
                            ItemBuilder()
                                .Text("PK", "POSITION#reconciler")
                                .Text("SK", "POSITION")
                                .Text("position", std::to_string(position))
                                .Build());
}

/// What the changes ask for, by the id of the work. Another change of the same image asks for the
/// same, now or in what is queued: what is in the tables then counts. But which tags the image had
/// in between is known from each of them alone.
Result<std::map<std::string, Work>> ConsequencesOf(flows::Product& product,
                                                   const std::vector<tables::Change>& changes) {
  std::map<std::string, Work> consequences;
  for (const tables::Change& change : changes) {
    std::optional<Work> work = flows::ConsequenceOf(product, change);
    if (!work) {
      continue;
    }
    const auto known = consequences.find(work->id);
    if (known != consequences.end()) {
      flows::AddWorkTags(known->second, flows::WorkTags(*work));
      continue;
    }
    const std::string id = work->id;
    ASSIGN_OR_RETURN(Work joined, flows::JoinQueued(product, *std::move(work)));
    consequences.emplace(id, std::move(joined));
  }
  return consequences;
}

}  // namespace

Reconciler::Reconciler(ReconcilerConfig config, flows::Product& product, tables::ChangeLog& changes,
                       std::function<void()> woken)
    : config_(config), product_(product), changes_(changes), woken_(std::move(woken)) {
  thread_ = std::thread([this] { Run(); });
}

Reconciler::~Reconciler() { Stop(); }

void Reconciler::Pause() {
  const MutexLock lock(mutex_);
  if (!stopping_) {
    changed_.WaitFor(mutex_, config_.pause);
  }
}

void Reconciler::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.SignalAll();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

Result<tables::ChangePosition> Reconciler::LoadPosition() {
  tables::BlockingDatabase database(product_.database);
  ASSIGN_OR_RETURN(const auto response,
                   database.GetItem({.table = std::string(contexts::kSystemTable),
                                     .key = PositionKey(),
                                     .projection = {},
                                     .consistent_read = true}));
  if (!response.item) {
    return tables::ChangePosition{0};
  }
  const std::string text = ItemReader(*response.item).Text("position");
  return static_cast<tables::ChangePosition>(std::strtoull(text.c_str(), nullptr, 10));
}

Result<bool> Reconciler::Round() {
  if (!position_) {
    ASSIGN_OR_RETURN(position_, LoadPosition());
  }
  tables::ReadChangesRequest request;
  request.tables = {std::string(contexts::catalog::kTable)};
  request.after = *position_;
  request.limit = kChangesMax;
  Result<tables::ReadChangesResponse> read = changes_.ReadChanges(request);
  if (!read.ok() && read.error().Is(tables::reasons::kTrimmed)) {
    LogWarning("what others wrote to the tables over a day ago may have been missed",
               {{"then", "tintype scrub"}});
    request.after = 0;  // Where what is kept begins.
    read = changes_.ReadChanges(request);
  }
  if (!read.ok()) {
    return read.error();
  }
  ASSIGN_OR_RETURN(const auto consequences, ConsequencesOf(product_, read->changes));
  const int64_t now_ms = product_.clock.NowMs();
  if (!consequences.empty() || now_ms - stored_ms_ > config_.store_interval.count()) {
    Transaction queue(StrCat("reconciler ", *position_, " ", read->next));
    queue.Add(PositionPiece(read->next));
    for (const auto& [id, work] : consequences) {
      queue.Add(product_.backlog.Enqueue(work));
    }
    Status queued = queue.Commit(product_.database, product_.retries);
    if (!queued.ok() && queued.error().kind() == ErrorKind::kValidation) {
      queued = QueueOneByOne(consequences, read->next);
    }
    RETURN_IF_ERROR(queued);
    stored_ms_ = now_ms;
  }
  position_ = read->next;
  if (!consequences.empty() && woken_) {
    woken_();
  }
  return !read->changes.empty();
}

Status Reconciler::QueueOneByOne(const std::map<std::string, Work>& consequences,
                                 tables::ChangePosition next) {
  for (const auto& [id, work] : consequences) {
    Status queued = Transaction(StrCat("reconciler ", id, " ", next))
                        .Add(product_.backlog.Enqueue(work))
                        .Commit(product_.database, product_.retries);
    if (!queued.ok() && queued.error().kind() != ErrorKind::kValidation) {
      return queued;
    }
    if (!queued.ok()) {
      LogError("change cannot be followed", {{"work", id}, {"error", queued.error().message()}});
    }
  }
  return Transaction(StrCat("reconciler ", next))
      .Add(PositionPiece(next))
      .Commit(product_.database, product_.retries);
}

void Reconciler::Run() {
  while (true) {
    {
      const MutexLock lock(mutex_);
      if (stopping_) {
        return;
      }
    }
    const tables::ChangePosition latest = changes_.LatestChange();
    const Result<bool> round = Round();
    if (!round.ok()) {
      LogWarning("changes cannot be followed", {{"error", round.error().message()}});
    }
    if (!round.ok() || !*round) {
      // Every commit to any table ends the wait: a pause, so that many of them make one round.
      Pause();
      changes_.WaitForChange(latest, config_.wait);
    }
  }
}

}  // namespace tintype::pipeline
