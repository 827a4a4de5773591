#pragma once

#include <string>
#include <string_view>

/// Where a ListImports goes on. SDKs check what they send against DynamoDB's model, which wants 112
/// to 1024 hexadecimal digits in groups of 16; so what the database gives is written that way.
namespace tintype::tables::wire {

std::string EncodeImportToken(std::string_view token);

/// REQUIRES: `text` matches Pattern::kImportToken.
std::string DecodeImportToken(std::string_view text);

}  // namespace tintype::tables::wire
