#pragma once

#include <string>
#include <vector>

namespace tintype::darkroom::pages {

/// Has fontconfig read its settings, and keeps the fonts that it knows (KeptFiles): first those
/// that stand in for what documents ask for most, until there is no room. Fontconfig forgets the
/// others, so that it never names one that could not be opened. Without any font documents are
/// drawn all the same, with those that they bring along.
void KeepFonts();

/// A font in a file, which may have several.
struct FontFile {
  std::string path;
  int index = 0;
};

/// Kept fonts in which text files are drawn, the best first: a later one for what the ones before
/// it have no shape for.
std::vector<FontFile> FontsOfText();

}  // namespace tintype::darkroom::pages
