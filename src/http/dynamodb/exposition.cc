#include "http/dynamodb/exposition.h"

#include <array>
#include <cstdio>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::http::dynamodb {
namespace {

std::string_view NameOf(Exposition::Type type) {
  switch (type) {
    case Exposition::Type::kCounter:
      return "counter";
    case Exposition::Type::kGauge:
      return "gauge";
    case Exposition::Type::kHistogram:
      return "histogram";
  }
  return "untyped";
}

/// Backslashes and ends of line, and within quotes those too.
void AppendEscaped(std::string& out, std::string_view text, bool quoted) {
  for (const char c : text) {
    if (c == '\n') {
      out.append("\\n");
    } else {
      if (c == '\\' || (quoted && c == '"')) {
        out.push_back('\\');
      }
      out.push_back(c);
    }
  }
}

std::string Number(double number) {
  std::array<char, 32> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.9g", number);
  return {text.data(), static_cast<size_t>(length)};
}

}  // namespace

void Exposition::Begin(std::string_view name, Type type, std::string_view help) {
  CHECK(name.ends_with("_total") == (type == Type::kCounter));
  family_ = name;
  StrAppend(text_, "# HELP ", name, " ");
  AppendEscaped(text_, help, /*quoted=*/false);
  StrAppend(text_, "\n# TYPE ", name, " ", NameOf(type), "\n");
}

void Exposition::AppendSample(std::string_view suffix, Labels labels, std::string_view bound,
                              std::string_view value) {
  StrAppend(text_, family_, suffix);
  char before = '{';
  for (const auto& [name, text] : labels) {
    StrAppend(text_, std::exchange(before, ','), name, "=\"");
    AppendEscaped(text_, text, /*quoted=*/true);
    text_.push_back('"');
  }
  if (!bound.empty()) {
    StrAppend(text_, std::exchange(before, ','), "le=\"", bound, "\"");
  }
  StrAppend(text_, before == ',' ? "} " : " ", value, "\n");
}

void Exposition::Sample(Labels labels, uint64_t value) {
  AppendSample("", labels, "", StrCat(value));
}

void Exposition::Sample(Labels labels, double value) {
  AppendSample("", labels, "", Number(value));
}

void Exposition::Histogram(Labels labels, const Distribution& distribution) {
  CHECK(distribution.counts.size() == distribution.bounds.size() + 1);
  uint64_t so_far = 0;
  for (size_t i = 0; i < distribution.counts.size(); ++i) {
    so_far += distribution.counts[i];
    const bool last = i == distribution.bounds.size();
    AppendSample("_bucket", labels, last ? "+Inf" : Number(distribution.bounds[i]), StrCat(so_far));
  }
  AppendSample("_sum", labels, "", Number(distribution.sum));
  AppendSample("_count", labels, "", StrCat(so_far));
}

}  // namespace tintype::http::dynamodb
