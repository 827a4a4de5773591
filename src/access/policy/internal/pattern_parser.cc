#include <algorithm>

#include "access/policy/internal/condition_keys.h"
#include "access/policy/internal/pattern.h"
#include "access/policy/policy.h"
#include "base/strings.h"

namespace tintype::access::internal {

/// Reads one pattern from front to back.
class PatternParser {
 public:
  PatternParser(std::string_view text, const PatternOptions& options)
      : text_(text), options_(options) {
    pattern_.ignore_case_ = options.ignore_case;
  }

  Result<Pattern> Parse() {
    if (text_.size() > Policy::kPatternBytesMax) {
      return Error::Validation(StrCat("one text is longer than ", Policy::kPatternBytesMax,
                                      " bytes: \"", text_.substr(0, 40), "...\""));
    }
    if (options_.form == PatternForm::kResource && text_ != "*" && !text_.starts_with("arn:")) {
      return Wrong("is neither an ARN, which begins with \"arn:\", nor \"*\"");
    }
    while (at_ < text_.size()) {
      if (options_.variables && text_.substr(at_).starts_with("${")) {
        RETURN_IF_ERROR(ParseVariable());
      } else {
        RETURN_IF_ERROR(ParseCharacter(text_[at_]));
        ++at_;
      }
    }
    RETURN_IF_ERROR(CompleteArn());
    if (wildcards_ > Policy::kPatternWildcardsMax) {
      return Wrong(StrCat("has more than ", Policy::kPatternWildcardsMax, " wildcards"));
    }
    FindLongestText();
    return std::move(pattern_);
  }

 private:
  using Kind = Pattern::Kind;

  Error Wrong(std::string_view what) const {
    return Error::Validation(StrCat("\"", text_, "\" ", what));
  }

  bool IsArn() const {
    return (options_.form == PatternForm::kResource || options_.form == PatternForm::kArn) &&
           text_ != "*";
  }
  /// Whether wildcards stop at colons here.
  bool IsBounded() const { return IsArn() && colons_ < kArnColons; }

  Status ParseCharacter(char c) {
    if (options_.form == PatternForm::kLiteral || (c != '*' && c != '?')) {
      if (options_.form == PatternForm::kResource && c == '/' && IsBounded()) {
        return Wrong(
            "has a slash before its sixth part: an ARN is \"arn:aws:dynamodb:REGION:"
            "ACCOUNT:table/NAME\", and \"*\" stands for a part that does not matter");
      }
      AppendText(c);
      return OkStatus();
    }
    ++wildcards_;
    if (c == '?') {
      Append(IsBounded() ? Kind::kOneInPart : Kind::kOne);
      return OkStatus();
    }
    const bool ends_part = at_ + 1 == text_.size() || text_[at_ + 1] == ':';
    const bool goes_on = options_.form == PatternForm::kResource && ends_part;
    AppendMany(IsBounded() && !goes_on ? Kind::kManyInPart : Kind::kMany);
    return OkStatus();
  }

  Status ParseVariable() {
    const size_t end = text_.find('}', at_);
    if (end == std::string_view::npos) {
      return Wrong("has a variable without its closing brace");
    }
    std::string_view name = text_.substr(at_ + 2, end - at_ - 2);
    at_ = end + 1;
    if (name == "*" || name == "?" || name == "$") {
      AppendText(name[0]);
      return OkStatus();
    }
    Pattern::Piece piece;
    piece.kind = Kind::kVariable;
    if (const size_t comma = name.find(','); comma != std::string_view::npos) {
      const std::string_view fallback = Trim(name.substr(comma + 1));
      if (fallback.size() < 2 || fallback.front() != '\'' || fallback.back() != '\'') {
        return Wrong(
            "has a default value that is not in single quotes, as in "
            "\"${aws:username, 'nobody'}\"");
      }
      piece.has_default = true;
      piece.text = fallback.substr(1, fallback.size() - 2);
      name = name.substr(0, comma);
    }
    if (!IsConditionKey(name)) {
      return Wrong(
          StrCat("has a variable \"", name, "\" that is no condition key, such as aws:username"));
    }
    if (options_.form == PatternForm::kResource && IsBounded()) {
      // AWS: a variable may stand only in the part after the fifth colon.
      return Wrong("has a variable before its sixth part");
    }
    piece.key = ConditionKeyOf(name);
    pattern_.has_variables_ = true;
    pattern_.pieces_.push_back(std::move(piece));
    return OkStatus();
  }

  /// AWS takes parts that an ARN of `Resource` lacks at its end for `*`.
  Status CompleteArn() {
    if (!IsArn()) {
      return OkStatus();
    }
    if (options_.form == PatternForm::kArn && colons_ < kArnColons && !pattern_.has_variables_) {
      return Wrong("is no ARN: it has fewer than six parts");
    }
    while (options_.form == PatternForm::kResource && colons_ < kArnColons) {
      AppendText(':');
      AppendMany(Kind::kMany);
    }
    return OkStatus();
  }

  void FindLongestText() {
    size_t bytes = 0;
    for (size_t i = 1; i < pattern_.pieces_.size(); ++i) {
      const Pattern::Piece& piece = pattern_.pieces_[i];
      if (piece.kind == Kind::kText && piece.text.size() > bytes) {
        bytes = piece.text.size();
        pattern_.longest_text_ = i;
      }
    }
  }

  void AppendText(char c) {
    colons_ += c == ':' ? 1 : 0;
    if (pattern_.pieces_.empty() || pattern_.pieces_.back().kind != Kind::kText) {
      Append(Kind::kText);
    }
    pattern_.pieces_.back().text.push_back(c);
  }

  void AppendMany(Kind kind) {
    // Several in a row are as good as the widest of them.
    if (!pattern_.pieces_.empty()) {
      Kind& last = pattern_.pieces_.back().kind;
      if (last == Kind::kMany || last == Kind::kManyInPart) {
        last = last == Kind::kMany ? last : kind;
        return;
      }
    }
    Append(kind);
  }

  void Append(Kind kind) { pattern_.pieces_.emplace_back().kind = kind; }

  static constexpr int kArnColons = 5;

  const std::string_view text_;
  const PatternOptions& options_;
  Pattern pattern_;
  size_t at_ = 0;
  size_t wildcards_ = 0;
  int colons_ = 0;
};

Result<Pattern> Pattern::Parse(std::string_view text, const PatternOptions& options) {
  return PatternParser(text, options).Parse();
}

}  // namespace tintype::access::internal
