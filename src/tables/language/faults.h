#pragma once

#include "base/error.h"

/// The faults of a request that DynamoDB announces in different ways. To a client all of them are
/// ValidationExceptions; what tells them apart is for the code that words the answer.
namespace tintype::tables::reasons {

/// A number, or a set of numbers, is none that DynamoDB stores.
inline constexpr Reason kInvalidNumber{ErrorKind::kValidation, "InvalidNumber"};
/// A set has a member twice.
inline constexpr Reason kDuplicateMembers{ErrorKind::kValidation, "DuplicateMembers"};
/// An item is larger than an item may be.
inline constexpr Reason kItemTooLarge{ErrorKind::kValidation, "ItemTooLarge"};

}  // namespace tintype::tables::reasons
