#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/images/trash.h"
#include "flows/parts.h"

/// Deleting all that is in the trash, however much that is. One piece of work goes over it, a page
/// a turn, and queues the deletion of each image, behind everything that others wait for; where it
/// got to is in its input, so that it goes on after a crash as all work does.
namespace tintype::flows {

inline constexpr std::string_view kEmptyTrashWork = "empty-trash";
std::string EmptyTrashWorkId(std::string_view user_id);

/// Begins. Answers the moment that counts: an image that comes into the trash after it stays.
/// Asking again moves the moment.
Result<std::string> EmptyTrash(const TrashParts& parts, const Account& account);

/// One turn. `work` is leased; it is complete when all was seen.
Status ContinueEmptyTrash(const TrashParts& parts, const contexts::backlog::Work& work);

}  // namespace tintype::flows
