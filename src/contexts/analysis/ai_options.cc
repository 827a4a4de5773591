#include "contexts/analysis/ai_options.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "contexts/common/item.h"

namespace tintype::contexts::analysis {
namespace {

constexpr std::string_view kAll = "all";
constexpr std::string_view kNone = "none";

size_t IndexOf(std::string_view name) {
  return static_cast<size_t>(std::ranges::find(kAiOptions, name) - kAiOptions.begin());
}

}  // namespace

Result<AiOptions> AiOptions::Parse(std::string_view text) {
  AiOptions options;
  if (text == kAll) {
    return options;
  }
  options.wanted_.reset();
  if (text == kNone) {
    return options;
  }
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    const size_t index = IndexOf(name);
    if (index == kAiOptions.size()) {
      return Error::Validation(StrCat("'", name,
                                      "' is nothing that can be looked for: name some of ",
                                      StrJoin(kAiOptions, ", "), ", or say 'all' or 'none'."));
    }
    options.wanted_.set(index);
    begin = end + 1;
  }
  return options;
}

AiOptions AiOptions::FromItem(tables::MapView item) {
  AiOptions options;
  const ItemReader read(item);
  for (size_t i = 0; i < kAiOptions.size(); ++i) {
    options.wanted_.set(i, read.Bool(kAiOptions[i], true));
  }
  return options;
}

bool AiOptions::Wants(std::string_view name) const {
  const size_t index = IndexOf(name);
  CHECK(index < kAiOptions.size());
  return wanted_.test(index);
}

std::string AiOptions::Text() const {
  if (wanted_.all() || wanted_.none()) {
    return std::string(wanted_.all() ? kAll : kNone);
  }
  std::string text;
  for (size_t i = 0; i < kAiOptions.size(); ++i) {
    if (wanted_.test(i)) {
      text += text.empty() ? "" : ",";
      text += kAiOptions[i];
    }
  }
  return text;
}

tables::Item AiOptions::ToItem() const {
  ItemBuilder item;
  for (size_t i = 0; i < kAiOptions.size(); ++i) {
    item.Bool(kAiOptions[i], wanted_.test(i));
  }
  return item.Build();
}

}  // namespace tintype::contexts::analysis
