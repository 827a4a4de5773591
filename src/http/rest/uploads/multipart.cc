#include "http/rest/uploads/multipart.h"

#include <algorithm>
#include <utility>

#include "base/percent.h"
#include "base/strings.h"
#include "http/rest/protocol/reasons.h"
#include "http/rest/protocol/url.h"

namespace tintype::http::rest {
namespace {

constexpr size_t kBoundaryBytesMax = 70;  // RFC 2046.
constexpr size_t kHeaderBytesMax = 8 * 1024;
constexpr size_t kFieldBytesMax = 16 * 1024;
constexpr size_t kFieldsMax = 20;
constexpr std::string_view kBlankLine = "\r\n\r\n";

Error NotAForm(std::string_view what) {
  return Error::Validation(StrCat("The form cannot be read: ", what));
}

/// The value of a header among the lines of a part; empty when it has none.
std::string_view FindHeader(std::string_view lines, std::string_view name) {
  while (!lines.empty()) {
    const size_t end = std::min(lines.find("\r\n"), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 2, lines.size()));
    const size_t colon = std::min(line.find(':'), line.size());
    if (colon < line.size() && EqualsIgnoreCase(Trim(line.substr(0, colon)), name)) {
      return Trim(line.substr(colon + 1));
    }
  }
  return {};
}

/// Takes a text in quotes off the front of `rest`. A backslash that escapes nothing is one: some
/// clients send whole paths as they are.
std::string TakeQuoted(std::string_view& rest) {
  std::string text;
  size_t i = 1;
  for (; i < rest.size() && rest[i] != '"'; ++i) {
    const char next = i + 1 < rest.size() ? rest[i + 1] : '\0';
    if (rest[i] == '\\' && (next == '"' || next == '\\')) {
      ++i;
    }
    text.push_back(rest[i]);
  }
  rest.remove_prefix(std::min(i + 1, rest.size()));
  return text;
}

/// A parameter of a header, with or without quotes, its name in any case. `value` is what the
/// header has after its colon.
std::optional<std::string> HeaderParameter(std::string_view value, std::string_view wanted) {
  value.remove_prefix(std::min(value.find(';'), value.size()));
  while (!value.empty()) {
    value.remove_prefix(1);  // The semicolon.
    const size_t name_end = std::min(value.find_first_of("=;"), value.size());
    const std::string_view name = Trim(value.substr(0, name_end));
    value.remove_prefix(name_end);
    std::string text;
    if (value.starts_with('=')) {
      value = Trim(value.substr(1));
      if (value.starts_with('"')) {
        text = TakeQuoted(value);
      } else {
        text = Trim(value.substr(0, value.find(';')));
      }
      value.remove_prefix(std::min(value.find(';'), value.size()));
    }
    if (EqualsIgnoreCase(name, wanted)) {
      return text;
    }
  }
  return std::nullopt;
}

/// Browsers write the quotes and line breaks of a name so, and nothing else.
std::string DecodeName(std::string_view text) {
  constexpr std::pair<std::string_view, char> kEscapes[] = {
      {"%22", '"'}, {"%0D", '\r'}, {"%0A", '\n'}};
  std::string decoded;
  while (!text.empty()) {
    const auto* const escape = std::ranges::find_if(kEscapes, [&](const auto& known) {
      return EqualsIgnoreCase(text.substr(0, known.first.size()), known.first);
    });
    const bool found = escape != std::end(kEscapes);
    decoded.push_back(found ? escape->second : text.front());
    text.remove_prefix(found ? escape->first.size() : 1);
  }
  return decoded;
}

/// `filename*`, if it can be read, or else `filename`.
std::string FilenameIn(std::string_view disposition) {
  constexpr std::string_view kUtf8 = "utf-8'";
  const std::string extended = HeaderParameter(disposition, "filename*").value_or("");
  const std::string_view view = extended;
  if (EqualsIgnoreCase(view.substr(0, kUtf8.size()), kUtf8)) {
    const size_t language_end = view.find('\'', kUtf8.size());
    if (language_end != std::string_view::npos) {
      if (auto decoded = PercentDecode(view.substr(language_end + 1))) {
        return *std::move(decoded);
      }
    }
  }
  return DecodeName(HeaderParameter(disposition, "filename").value_or(""));
}

}  // namespace

std::optional<std::string> MultipartBoundary(std::string_view content_type) {
  constexpr std::string_view kType = "multipart/form-data";
  if (content_type.size() < kType.size() ||
      !EqualsIgnoreCase(content_type.substr(0, kType.size()), kType)) {
    return std::nullopt;
  }
  const std::string boundary = HeaderParameter(content_type, "boundary").value_or("");
  if (boundary.empty() || boundary.size() > kBoundaryBytesMax) {
    return std::nullopt;
  }
  return boundary;
}

MultipartReader::MultipartReader(std::string_view boundary, Take take, CheckName check_name)
    : delimiter_(StrCat("\r\n--", boundary)),
      take_(std::move(take)),
      check_name_(std::move(check_name)),
      // So that the first boundary, which has no line break before it, is found as the others are.
      buffer_("\r\n") {}

Status MultipartReader::Write(std::string_view piece) {
  buffer_.append(piece);
  while (true) {
    ASSIGN_OR_RETURN(const bool progress, Step());
    if (!progress) {
      return OkStatus();
    }
  }
}

Result<bool> MultipartReader::Step() {
  switch (state_) {
    case State::kPreamble:
    case State::kFile:
    case State::kField: {
      const size_t found = buffer_.find(delimiter_);
      // Bytes that may begin a boundary wait for the rest of it.
      const size_t known = found != std::string::npos
                               ? found
                               : buffer_.size() - std::min(buffer_.size(), delimiter_.size() - 1);
      if (state_ != State::kPreamble) {
        RETURN_IF_ERROR(TakeContent(std::string_view(buffer_).substr(0, known)));
      }
      buffer_.erase(0, known);
      if (found == std::string::npos) {
        return false;
      }
      buffer_.erase(0, delimiter_.size());
      state_ = State::kAfterBoundary;
      return true;
    }
    case State::kAfterBoundary: {
      if (buffer_.size() < 2) {
        return false;
      }
      if (buffer_.starts_with("--")) {
        state_ = State::kEnd;
        return true;
      }
      if (!buffer_.starts_with("\r\n")) {
        return NotAForm("a boundary is not followed by a line break.");
      }
      state_ = State::kHeaders;
      return true;
    }
    case State::kHeaders: {
      const size_t end = buffer_.find(kBlankLine);
      if (std::min(end, buffer_.size()) > kHeaderBytesMax) {
        return NotAForm("the headers of a part are too long.");
      }
      if (end == std::string::npos) {
        return false;
      }
      RETURN_IF_ERROR(ReadHeaders(std::string_view(buffer_).substr(0, end)));
      // The last line break may be the one before the next boundary, when a part is empty.
      buffer_.erase(0, end + kBlankLine.size());
      return true;
    }
    case State::kEnd:
      buffer_.clear();
      return false;
  }
  return false;
}

Status MultipartReader::ReadHeaders(std::string_view headers) {
  const std::string_view disposition = FindHeader(headers, "content-disposition");
  const auto given = HeaderParameter(disposition, "name");
  if (!given) {
    return NotAForm("a part has no name.");
  }
  const std::string name = DecodeName(*given);
  RETURN_IF_ERROR(check_name_(name));
  if (name == "file") {
    if (has_file_) {
      return NotAForm("it has more than one part named `file`. Upload one file at a time.");
    }
    has_file_ = true;
    filename_ = FilenameIn(disposition);
    state_ = State::kFile;
    return OkStatus();
  }
  if (fields_.size() >= kFieldsMax) {
    return NotAForm("it has too many parts.");
  }
  if (!fields_.emplace(name, "").second) {
    return Error(reasons::kRepeatedField,
                 StrCat("The field '", name, "' is given more than once."));
  }
  field_ = name;
  state_ = State::kField;
  return OkStatus();
}

Status MultipartReader::TakeContent(std::string_view bytes) {
  if (bytes.empty()) {
    return OkStatus();
  }
  if (state_ == State::kFile) {
    return take_(bytes);
  }
  std::string& field = fields_[field_];
  if (field.size() + bytes.size() > kFieldBytesMax) {
    return NotAForm(StrCat("the part `", field_, "` is too long."));
  }
  field.append(bytes);
  return OkStatus();
}

Status MultipartReader::Finish() const {
  if (state_ != State::kEnd) {
    return NotAForm("it ends before its last boundary.");
  }
  return has_file_ ? OkStatus() : Status(NotAForm("it has no part named `file`."));
}

}  // namespace tintype::http::rest
