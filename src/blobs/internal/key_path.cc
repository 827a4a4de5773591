#include "blobs/internal/key_path.h"

namespace tintype::blobs {
namespace {

constexpr std::string_view kDot = "%2E";
constexpr std::string_view kPercent = "%25";

}  // namespace

std::string EncodeComponent(std::string_view component) {
  std::string name;
  name.reserve(component.size());
  for (const char c : component) {
    if (c == '%') {
      name.append(kPercent);
    } else if (c == '.' && name.empty()) {
      name.append(kDot);
    } else {
      name.push_back(c);
    }
  }
  return name;
}

std::optional<std::string> DecodeComponent(std::string_view name) {
  std::string component;
  component.reserve(name.size());
  for (size_t i = 0; i < name.size();) {
    const std::string_view rest = name.substr(i);
    if (rest.starts_with(kPercent) || (i == 0 && rest.starts_with(kDot))) {
      component.push_back(rest.starts_with(kPercent) ? '%' : '.');
      i += kPercent.size();
    } else if (rest[0] == '%' || (i == 0 && rest[0] == '.')) {
      return std::nullopt;
    } else {
      component.push_back(rest[0]);
      ++i;
    }
  }
  return component;
}

std::string EncodeKey(std::string_view key) {
  std::string path;
  size_t begin = 0;
  for (size_t slash = key.find('/'); slash != std::string_view::npos;
       slash = key.find('/', begin)) {
    path.append(EncodeComponent(key.substr(begin, slash - begin))).push_back('/');
    begin = slash + 1;
  }
  return path.append(EncodeComponent(key.substr(begin)));
}

}  // namespace tintype::blobs
