#include "tables/remote/internal/batch_writer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/strings.h"
#include "tables/wire/client_codec.h"

namespace tintype::tables::remote::internal {

namespace {

size_t CountActions(const std::vector<BatchWriteItemRequest::Table>& tables) {
  size_t actions = 0;
  for (const BatchWriteItemRequest::Table& table : tables) {
    actions += table.actions.size();
  }
  return actions;
}

void Add(ConsumedCapacity::Units& to, const ConsumedCapacity::Units& more) {
  to.read += more.read;
  to.write += more.write;
}

void Add(ConsumedCapacity& to, const ConsumedCapacity& more) {
  Add(to.table_units, more.table_units);
  for (const auto& [index, units] : more.local_indexes) {
    Add(to.local_indexes[index], units);
  }
  for (const auto& [index, units] : more.global_indexes) {
    Add(to.global_indexes[index], units);
  }
}

void Add(BatchWriteItemResponse& to, BatchWriteItemResponse more) {
  for (ConsumedCapacity& capacity : more.capacity) {
    const auto same = std::ranges::find(to.capacity, capacity.table, &ConsumedCapacity::table);
    if (same != to.capacity.end()) {
      Add(*same, capacity);
    } else {
      to.capacity.push_back(std::move(capacity));
    }
  }
  for (auto& [table, metrics] : more.collection_metrics) {
    const auto same = std::ranges::find_if(
        to.collection_metrics, [&name = table](const auto& entry) { return entry.first == name; });
    if (same != to.collection_metrics.end()) {
      std::ranges::move(metrics, std::back_inserter(same->second));
    } else {
      to.collection_metrics.emplace_back(table, std::move(metrics));
    }
  }
}

/// What is known of a batch after the answers so far. Of the client's thread.
struct Batch {
  BatchWriteItemRequest options;  // Without its actions.
  size_t actions = 0;
  size_t left = 0;
  BatchWriteItemResponse response;
  std::optional<Error> unreadable;
};

std::optional<Caller::FollowUp> OnBatchAnswer(Batch& batch, std::string_view body) {
  auto answer = wire::DecodeBatchWriteItemResponse(body);
  if (!answer.ok()) {
    batch.unreadable = std::move(answer).error();
    return std::nullopt;
  }
  Add(batch.response, std::move(answer->response));
  const size_t left = CountActions(answer->unprocessed);
  const bool progress = left < batch.left;
  batch.left = left;
  if (left == 0) {
    return std::nullopt;
  }
  BatchWriteItemRequest rest = batch.options;
  rest.tables = std::move(answer->unprocessed);
  return Caller::FollowUp{
      .body = wire::EncodeRequest(rest),
      .progress = progress,
      .otherwise = Error(ErrorKind::kOverloaded,
                         StrCat("The service left ", left, " of the batch's ", batch.actions,
                                " writes unprocessed; the others were carried out."))};
}

}  // namespace

void StartBatchWrite(Caller& caller, const BatchWriteItemRequest& request,
                     Done<BatchWriteItemResponse> done) {
  // Shared between the look at each answer and the end of the call.
  auto batch = std::make_shared<Batch>();
  batch->options.return_capacity = request.return_capacity;
  batch->options.return_collection_metrics = request.return_collection_metrics;
  batch->actions = batch->left = CountActions(request.tables);
  caller.Start({.operation = "BatchWriteItem",
                .body = wire::EncodeRequest(request),
                .repeatable = true,
                .follow_up = [batch](std::string_view body) { return OnBatchAnswer(*batch, body); },
                .done =
                    [batch, done = std::move(done)](Result<std::string> body) mutable {
                      if (!body.ok()) {
                        done(std::move(body).error());
                      } else if (batch->unreadable) {
                        done(*std::move(batch->unreadable));
                      } else {
                        done(std::move(batch->response));
                      }
                    }});
}

}  // namespace tintype::tables::remote::internal
