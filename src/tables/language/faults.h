#pragma once

#include "base/error.h"

/// The faults of a request that DynamoDB announces in different ways. To a client all of them are
/// ValidationExceptions; what tells them apart is for the code that words the answer.
namespace tintype::tables::reasons {

/// A number, or a set of numbers, is none that DynamoDB stores.
inline constexpr Reason kInvalidNumber{ErrorKind::kValidation, "InvalidNumber"};
/// A set has a member twice.
inline constexpr Reason kDuplicateMembers{ErrorKind::kValidation, "DuplicateMembers"};
/// An attribute value has no type, or several.
inline constexpr Reason kAmbiguousValue{ErrorKind::kValidation, "AmbiguousValue"};
/// Lists and maps are nested deeper than they may be.
inline constexpr Reason kNestedTooDeep{ErrorKind::kValidation, "NestedTooDeep"};
/// An item is larger than an item may be.
inline constexpr Reason kItemTooLarge{ErrorKind::kValidation, "ItemTooLarge"};
/// A key condition is well formed, but is none that a query can follow.
inline constexpr Reason kKeyConditionNotSupported{ErrorKind::kValidation,
                                                  "KeyConditionNotSupported"};

}  // namespace tintype::tables::reasons
