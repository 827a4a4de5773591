#include "kept_values.h"

namespace tintype::conformance {

std::string KeptValues::Keep(const Step& step, simdjson::dom::element body) {
  std::string missing;
  for (const auto& [name, pointer] : step.keep) {
    simdjson::dom::element value;
    if (body.at_pointer(pointer).get(value) == simdjson::SUCCESS) {
      values_[name] = simdjson::minify(value);
    } else {
      missing +=
          "nothing to keep at " + pointer + " of " + std::string(simdjson::minify(body)) + "\n";
    }
  }
  return missing;
}

std::string KeptValues::Fill(std::string_view json) const {
  std::string filled;
  for (size_t at = 0;;) {
    const size_t begin = json.find("${", at);
    const size_t end = begin == std::string_view::npos ? begin : json.find('}', begin);
    if (end == std::string_view::npos) {
      return filled.append(json.substr(at));
    }
    filled.append(json.substr(at, begin - at));
    at = end + 1;
    const auto kept = values_.find(json.substr(begin + 2, end - begin - 2));
    if (kept == values_.end()) {
      filled.append(json.substr(begin, at - begin));
    } else if (filled.ends_with('"') && json.substr(at).starts_with('"')) {
      filled.pop_back();
      filled.append(kept->second);
      ++at;
    } else {
      const std::string_view text = kept->second;
      filled.append(text.starts_with('"') ? text.substr(1, text.size() - 2) : text);
    }
  }
}

}  // namespace tintype::conformance
