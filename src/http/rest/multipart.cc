#include "http/rest/multipart.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

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

/// The value of `name="..."` in a header, with `\"` and `%22` for a quote.
std::optional<std::string> HeaderParameter(std::string_view header, std::string_view name) {
  const std::string wanted = StrCat(name, "=\"");
  for (size_t at = header.find(wanted); at != std::string_view::npos;
       at = header.find(wanted, at + 1)) {
    // `filename` ends in `name`: what comes before decides.
    if (at > 0 && header[at - 1] != ' ' && header[at - 1] != ';') {
      continue;
    }
    std::string value;
    for (size_t i = at + wanted.size(); i < header.size() && header[i] != '"'; ++i) {
      if (header[i] == '\\' && i + 1 < header.size()) {
        ++i;
      }
      value.push_back(header[i]);
    }
    return value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> MultipartBoundary(std::string_view content_type) {
  constexpr std::string_view kType = "multipart/form-data";
  constexpr std::string_view kBoundary = "boundary=";
  if (content_type.size() < kType.size() ||
      !EqualsIgnoreCase(content_type.substr(0, kType.size()), kType)) {
    return std::nullopt;
  }
  const size_t at = content_type.find(kBoundary);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view boundary = content_type.substr(at + kBoundary.size());
  boundary = boundary.substr(0, boundary.find(';'));
  if (boundary.size() >= 2 && boundary.front() == '"' && boundary.back() == '"') {
    boundary = boundary.substr(1, boundary.size() - 2);
  }
  if (boundary.empty() || boundary.size() > kBoundaryBytesMax) {
    return std::nullopt;
  }
  return std::string(boundary);
}

MultipartReader::MultipartReader(std::string_view boundary, Take take)
    : delimiter_(StrCat("\r\n--", boundary)),
      take_(std::move(take)),
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
      // What may be the beginning of a boundary waits for the rest of it.
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
  const auto name = HeaderParameter(headers, "name");
  if (!name) {
    return NotAForm("a part has no name.");
  }
  if (*name == "file") {
    if (has_file_) {
      return NotAForm("it has more than one part named `file`. Upload one file at a time.");
    }
    has_file_ = true;
    filename_ = HeaderParameter(headers, "filename").value_or("");
    state_ = State::kFile;
    return OkStatus();
  }
  if (fields_.size() >= kFieldsMax) {
    return NotAForm("it has too many parts.");
  }
  field_ = *name;
  fields_[field_];
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
