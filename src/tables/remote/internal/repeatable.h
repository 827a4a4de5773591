#pragma once

#include "tables/language/requests.h"

/// Whether a request whose answer was lost may be sent again: whether carrying it out twice leaves
/// the same behind, and answers the same, as carrying it out once.
///
/// Another client's write may have come in between and is then overwritten, as it would have been
/// by a request that took longer.
namespace tintype::tables::remote::internal {

/// A condition may have become false by the first time, and the old values are gone after it.
inline bool IsRepeatable(const WriteOptions& options) {
  return !options.condition && options.return_values != ReturnValues::kAllOld &&
         options.return_values != ReturnValues::kUpdatedOld;
}

/// No counting, no appending, nothing that reads what it changes.
bool IsRepeatable(const Update& update);

inline bool IsRepeatable(const PutItemRequest& request) { return IsRepeatable(request.options); }
inline bool IsRepeatable(const DeleteItemRequest& request) { return IsRepeatable(request.options); }
inline bool IsRepeatable(const UpdateItemRequest& request) {
  return IsRepeatable(request.options) && IsRepeatable(request.update);
}
/// A table that exists already, or exists no more, is an error the second time, and so is time to
/// live that is on or off already.
inline bool IsRepeatable(const CreateTableRequest& /*request*/) { return false; }
inline bool IsRepeatable(const UpdateTableRequest& /*request*/) { return false; }
inline bool IsRepeatable(const DeleteTableRequest& /*request*/) { return false; }
inline bool IsRepeatable(const UpdateTimeToLiveRequest& /*request*/) { return false; }
/// A policy that is put where another revision is expected finds its own the second time; one that
/// is deleted is no longer there, and the answer does not name it.
inline bool IsRepeatable(const PutResourcePolicyRequest& request) {
  return !request.expected_revision_id;
}
inline bool IsRepeatable(const DeleteResourcePolicyRequest& /*request*/) { return false; }
/// Reads, batches and tags; and transactions, which have a token for it.
template <typename Request>
bool IsRepeatable(const Request& /*request*/) {
  return true;
}

}  // namespace tintype::tables::remote::internal
