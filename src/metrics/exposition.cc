#include "metrics/exposition.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <variant>

#include "base/strings.h"

namespace tintype::metrics {
namespace {

std::string_view NameOf(Type type) {
  switch (type) {
    case Type::kCounter:
      return "counter";
    case Type::kGauge:
      return "gauge";
    case Type::kHistogram:
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

std::string NumberText(double number) {
  if (std::isnan(number)) {
    return "NaN";
  }
  if (std::isinf(number)) {
    return number > 0 ? "+Inf" : "-Inf";
  }
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

/// Writes one line: a sample of `family`. An empty `bound` is none.
struct LineWriter {
  std::string& out;
  std::string_view family;
  const OwnedLabels& labels;

  void Write(std::string_view suffix, std::string_view bound, std::string_view number) const {
    StrAppend(out, family, suffix);
    char before = '{';
    for (const auto& [name, value] : labels) {
      StrAppend(out, std::exchange(before, ','), name, "=\"");
      AppendEscaped(out, value, /*quoted=*/true);
      out.push_back('"');
    }
    if (!bound.empty()) {
      StrAppend(out, std::exchange(before, ','), "le=\"", bound, "\"");
    }
    StrAppend(out, before == ',' ? "} " : " ", number, "\n");
  }

  void operator()(uint64_t number) const { Write("", "", StrCat(number)); }
  void operator()(double number) const { Write("", "", NumberText(number)); }
  void operator()(const Distribution& distribution) const {
    uint64_t so_far = 0;
    for (size_t i = 0; i < distribution.counts.size(); ++i) {
      so_far += distribution.counts[i];
      const bool last = i == distribution.bounds.size();
      Write("_bucket", last ? "+Inf" : NumberText(distribution.bounds[i]), StrCat(so_far));
    }
    Write("_sum", "", NumberText(distribution.sum));
    Write("_count", "", StrCat(so_far));
  }
};

}  // namespace

std::string WriteExposition(const Samples& samples) {
  std::string out;
  for (const auto& [name, family] : samples.families()) {
    StrAppend(out, "# HELP ", name, " ");
    AppendEscaped(out, family.help(), /*quoted=*/false);
    StrAppend(out, "\n# TYPE ", name, " ", NameOf(family.type()), "\n");
    for (const auto& [labels, value] : family.values()) {
      std::visit(LineWriter{out, name, labels}, value);
    }
  }
  return out;
}

}  // namespace tintype::metrics
