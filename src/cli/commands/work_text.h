#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/admin/message.h"
#include "contexts/backlog/work.h"

/// How `tintype work` tells of work: as fields for programs, as text for people.
namespace tintype::cli {

/// What a list has of one piece of work. Long errors are cut: the whole one is in AllFieldsOf.
AdminFields FieldsOf(const contexts::backlog::Work& work, int64_t now_ms);
/// Everything that is known of it. `input.NAME` has what its type needs to know.
AdminFields AllFieldsOf(const contexts::backlog::Work& work, int64_t now_ms);

/// A line for each, with columns and their titles; nothing for none. `rows` are from FieldsOf.
std::string WorkTable(const std::vector<AdminFields>& rows);
/// A line for each field, without an end of line behind the last.
std::string WorkText(const AdminFields& fields);

/// `12 s`, `3 min`, `5 h`, `8 d`.
std::string FormatAge(int64_t seconds);

}  // namespace tintype::cli
