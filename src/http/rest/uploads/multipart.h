#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::http::rest {

/// The `boundary` of a Content-Type of multipart/form-data; nothing when it is none.
std::optional<std::string> MultipartBoundary(std::string_view content_type);

/// Takes a form apart as it arrives: hands on the bytes of its one part named `file`, keeps the
/// other parts if they are small. Memory does not grow with the file. Not thread-safe.
class MultipartReader {
 public:
  /// `take` gets the file's bytes in order, and may refuse them.
  using Take = std::function<Status(std::string_view bytes)>;
  /// Gets the name of each part before its content, and may refuse it.
  using CheckName = std::function<Status(std::string_view name)>;
  MultipartReader(std::string_view boundary, Take take, CheckName check_name);

  /// The next bytes of the body. Errors: kValidation for what is no form; kRepeatedField for a part
  /// that comes again; those of `take` and `check_name`.
  Status Write(std::string_view piece);
  /// Call at the end of the body. Errors: kValidation when the form ended early or had no file.
  Status Finish() const;

  /// What the part `file` said its name was; empty before it was seen.
  const std::string& filename() const { return filename_; }
  /// The other parts, by name.
  const std::map<std::string, std::string>& fields() const { return fields_; }

 private:
  enum class State { kPreamble, kHeaders, kFile, kField, kAfterBoundary, kEnd };

  /// Takes what can be told of `buffer_`; false when more is needed.
  Result<bool> Step();
  Status ReadHeaders(std::string_view headers);
  Status TakeContent(std::string_view bytes);

  const std::string delimiter_;  // With the line break before it.
  const Take take_;
  const CheckName check_name_;
  State state_ = State::kPreamble;
  std::string buffer_;
  std::string filename_;
  std::string field_;
  bool has_file_ = false;
  std::map<std::string, std::string> fields_;
};

}  // namespace tintype::http::rest
