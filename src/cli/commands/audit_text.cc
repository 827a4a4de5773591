#include "cli/commands/audit_text.h"

#include <algorithm>
#include <string_view>

#include "access/audit/reader.h"
#include "base/strings.h"
#include "cli/admin/message.h"
#include "cli/console/console.h"
#include "json/value.h"

namespace tintype::cli {
namespace {

/// More than any entry has.
constexpr size_t kLineBytesMax = size_t{1} << 20;

std::string TextOf(const json::Value& object, std::string_view name) {
  const json::Value* const member = object.Find(name);
  return member != nullptr && member->text() != nullptr ? *member->text() : "";
}

int64_t NumberOf(const json::Value& object, std::string_view name) {
  const json::Value* const member = object.Find(name);
  return member != nullptr ? member->integer().value_or(0) : 0;
}

std::string Padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

}  // namespace

Result<std::string> EntryText(const std::string& json_line) {
  ASSIGN_OR_RETURN(const json::Value entry, json::Parse(json_line, kLineBytesMax));
  std::string text =
      StrCat(TextOf(entry, "time"), "  ", Padded(TextOf(entry, "outcome"), 6), "  ",
             Padded(TextOf(entry, "kind"), 22), "  ", TextOf(entry, "principalKind"));
  const auto add = [&](std::string_view before, std::string_view name) {
    if (const std::string value = TextOf(entry, name); !value.empty()) {
      StrAppend(text, before, value);
    }
  };
  add(" ", "principalId");
  add(", account ", "accountId");
  add(", from ", "address");
  add(": ", "subject");
  if (const int64_t count = NumberOf(entry, "count"); count > 1) {
    StrAppend(text, ", ", count, " times");
  }
  if (const json::Value* const details = entry.Find("details");
      details != nullptr && details->object() != nullptr) {
    for (const auto& [name, value] : *details->object()) {
      StrAppend(text, ", ", name, "=", value.text() != nullptr ? *value.text() : "");
    }
  }
  add(", request ", "requestId");
  return OneLine(text);
}

Result<bool> IsBehind(const std::string& json_line, const std::string& positions) {
  if (positions.empty()) {
    return false;
  }
  ASSIGN_OR_RETURN(const json::Value entry, json::Parse(json_line, kLineBytesMax));
  ASSIGN_OR_RETURN(const access::audit::Positions ends, access::audit::ParsePositions(positions));
  const auto end = ends.find(TextOf(entry, "chain"));
  return end == ends.end() || NumberOf(entry, "sequence") > end->second;
}

Result<std::string> ChainText(const std::string& message_line) {
  ASSIGN_OR_RETURN(const AdminMessage message, ParseMessage(message_line));
  const AdminFields& fields = message.fields;
  ASSIGN_OR_RETURN(const std::string chain, fields.Text("chain"));
  ASSIGN_OR_RETURN(const std::string fault, fields.Text("fault"));
  ASSIGN_OR_RETURN(const std::string head, fields.Text("head"));
  ASSIGN_OR_RETURN(const int64_t first, fields.Number("first"));
  ASSIGN_OR_RETURN(const int64_t last, fields.Number("last"));
  ASSIGN_OR_RETURN(const int64_t entries, fields.Number("entries"));
  ASSIGN_OR_RETURN(const int64_t fault_sequence, fields.Number("fault_sequence"));
  if (!fault.empty()) {
    return OneLine(StrCat("chain ", chain, ": DAMAGED at entry ", fault_sequence, ": ", fault));
  }
  return OneLine(entries == 0 ? StrCat("chain ", chain, ": empty")
                              : StrCat("chain ", chain, ": ", entries, " entries, ", first, " to ",
                                       last, ", head ", head));
}

}  // namespace tintype::cli
