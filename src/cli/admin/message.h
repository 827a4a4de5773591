#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/console/progress.h"

namespace tintype::cli {

/// The arguments of a command or what came of it: texts, whole numbers, booleans, lists of texts
/// and null by name.
class AdminFields {
 public:
  using Texts = std::vector<std::string>;
  /// JSON's null: something that has no value, such as a limit that there is not.
  using Null = std::monostate;
  using Value = std::variant<std::string, int64_t, bool, Texts, Null>;

  AdminFields() = default;
  AdminFields(std::initializer_list<std::pair<const std::string, Value>> values)
      : values_(values) {}

  void Set(std::string name, Value value) { values_.insert_or_assign(std::move(name), value); }
  const std::map<std::string, Value, std::less<>>& values() const { return values_; }

  /// A field of that name and type. Errors: kValidation, naming the field, when it is not there or
  /// of another type.
  Result<std::string> Text(std::string_view name) const { return Get<std::string>(name, "text"); }
  Result<int64_t> Number(std::string_view name) const { return Get<int64_t>(name, "a number"); }
  Result<bool> Flag(std::string_view name) const { return Get<bool>(name, "true or false"); }
  Result<Texts> List(std::string_view name) const { return Get<Texts>(name, "a list of texts"); }

 private:
  template <typename T>
  Result<T> Get(std::string_view name, std::string_view type) const;

  std::map<std::string, Value, std::less<>> values_;
};

/// One line of what is spoken over the admin socket: a JSON object with one member, whose value is
/// an object of simple fields, such as {"backup": {"to": "/mnt/backup", "keep": 7}}. A request's
/// name is the command; an answer's is `progress`, `done` or `error`. Commands that print JSON for
/// machines print the same lines.
struct AdminMessage {
  std::string name;
  AdminFields fields;
};

/// Without the newline that ends it on the socket.
std::string FormatMessage(const AdminMessage& message);

/// Errors: kValidation, saying what is wrong with the line.
Result<AdminMessage> ParseMessage(std::string_view line);

AdminMessage ProgressMessage(const ProgressStep& step);
AdminMessage ErrorMessage(const Error& error);

}  // namespace tintype::cli
