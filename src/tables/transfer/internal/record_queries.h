#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "tables/transfer/internal/records.h"

/// How records are found: by token, by ARN, by pages. The same for exports and imports.
namespace tintype::tables::transfer {

/// How long a client token is remembered.
inline constexpr int64_t kTokenMs = int64_t{8} * 60 * 60 * 1000;

/// The record that a request with this token began, or nothing. Errors: `conflict` when it was
/// another request.
template <typename Records>
Result<const typename Records::mapped_type*> FindByToken(const Records& records,
                                                         const std::optional<std::string>& token,
                                                         const std::string& parameters,
                                                         int64_t now_ms, const Error& conflict) {
  for (const auto& [id, record] : records) {
    const auto& description = record.description;
    if (token && description.client_token == token && description.started_ms + kTokenMs > now_ms) {
      if (record.parameters != parameters) {
        return conflict;
      }
      return &record;
    }
  }
  return nullptr;
}

/// How many are being done or wait for it.
template <typename Records>
size_t CountUnfinished(const Records& records) {
  return static_cast<size_t>(std::ranges::count_if(records, [](const auto& entry) {
    return entry.second.description.status == TransferStatus::kInProgress;
  }));
}

/// Records of one table, or of all, from `next_token` on.
template <typename Response, typename Records, typename Request, typename Descriptions>
Response ListRecords(const Records& records, const Request& request,
                     Descriptions Response::*descriptions) {
  Response response;
  std::string last;
  auto it = request.next_token ? records.upper_bound(*request.next_token) : records.begin();
  for (; it != records.end(); ++it) {
    const auto& description = it->second.description;
    if (request.table_arn && description.table_arn != *request.table_arn) {
      continue;
    }
    if ((response.*descriptions).size() == request.limit) {
      response.next_token = last;
      break;
    }
    (response.*descriptions).push_back(description);
    last = it->first;
  }
  return response;
}

/// The record that an ARN names: that of a table, `kind` and the id.
template <typename Records>
const typename Records::mapped_type* FindByArn(const Records& records, const std::string& arn) {
  const auto it = records.find(arn.substr(arn.rfind('/') + 1));
  return it != records.end() && it->second.description.arn == arn ? &it->second : nullptr;
}

}  // namespace tintype::tables::transfer
