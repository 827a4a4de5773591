#include "cli/commands/work_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

#include "base/json_text.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "cli/console/console.h"
#include "cli/console/text_table.h"

namespace tintype::cli {
namespace {

using contexts::backlog::Work;
using contexts::backlog::WorkStatus;

constexpr size_t kErrorBytesMax = 200;

std::string Lower(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return lower;
}

std::string TextOf(const AdminFields& fields, std::string_view name) {
  const auto it = fields.values().find(name);
  if (it == fields.values().end()) {
    return "";
  }
  if (const auto* number = std::get_if<int64_t>(&it->second)) {
    return StrCat(*number);
  }
  if (const auto* truth = std::get_if<bool>(&it->second)) {
    return *truth ? "true" : "false";
  }
  const auto* text = std::get_if<std::string>(&it->second);
  return text == nullptr ? "" : OneLine(*text);
}

}  // namespace

std::string FormatAge(int64_t seconds) {
  constexpr int64_t kMinute = 60;
  constexpr int64_t kHour = 60 * kMinute;
  constexpr int64_t kDay = 24 * kHour;
  if (seconds < 2 * kMinute) {
    return StrCat(seconds, " s");
  }
  if (seconds < 2 * kHour) {
    return StrCat(seconds / kMinute, " min");
  }
  return seconds < 2 * kDay ? StrCat(seconds / kHour, " h") : StrCat(seconds / kDay, " d");
}

AdminFields FieldsOf(const Work& work, int64_t now_ms) {
  AdminFields fields = {{"id", work.id},
                        {"type", work.type},
                        {"status", Lower(NameOf(work.status))},
                        {"uuid", work.uuid},
                        {"ageSeconds", std::max<int64_t>(0, now_ms - work.created_ms) / 1000},
                        {"dueAt", TimeText(work.due_ms)},
                        {"attempts", work.retry_count}};
  if (work.last_error) {
    fields.Set("lastError", ValidUtf8(work.last_error->substr(0, kErrorBytesMax)));
  }
  return fields;
}

AdminFields AllFieldsOf(const Work& work, int64_t now_ms) {
  AdminFields fields = FieldsOf(work, now_ms);
  fields.Set("priority", std::string(NameOf(work.priority)));
  fields.Set("createdAt", TimeText(work.created_ms));
  fields.Set("updatedAt", TimeText(work.updated_ms));
  fields.Set("maxRetries", work.max_retries);
  if (work.last_error) {
    fields.Set("lastError", *work.last_error);
  }
  if (work.correlation_id) {
    fields.Set("correlationId", *work.correlation_id);
  }
  if (work.status == WorkStatus::kLeased) {
    fields.Set("leaseUntil", TimeText(work.lease_until_ms));
  }
  for (const auto& [name, text] : work.input) {
    fields.Set(StrCat("input.", name), text);
  }
  return fields;
}

std::string WorkTable(const std::vector<AdminFields>& rows) {
  std::vector<std::array<std::string, 5>> lines = {{"ID", "TYPE", "AGE", "TRIED", "LAST ERROR"}};
  for (const AdminFields& row : rows) {
    const Result<int64_t> age = row.Number("ageSeconds");
    lines.push_back({TextOf(row, "id"), TextOf(row, "type"), FormatAge(age.ok() ? *age : 0),
                     TextOf(row, "attempts"), TextOf(row, "lastError")});
  }
  return rows.empty() ? "" : TextTable(lines);
}

std::string WorkText(const AdminFields& fields) {
  size_t width = 0;
  for (const auto& [name, value] : fields.values()) {
    width = std::max(width, name.size());
  }
  std::vector<std::string> lines;
  for (const auto& [name, value] : fields.values()) {
    lines.push_back(StrCat(name, std::string(width - name.size() + 2, ' '), TextOf(fields, name)));
  }
  return StrJoin(lines, "\n");
}

}  // namespace tintype::cli
