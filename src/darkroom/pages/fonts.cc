#include "darkroom/pages/fonts.h"

#include <fontconfig/fontconfig.h>
#include <strings.h>

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "darkroom/pages/kept_files.h"

namespace tintype::darkroom::pages {
namespace {

constexpr size_t kFontsOfTextMax = 24;

// What documents ask for without bringing it along, and the languages of those whose fonts are
// large and rare.
constexpr std::array kFamilies = {"Helvetica",    "Times",      "Courier", "Symbol",
                                  "ZapfDingbats", "sans-serif", "serif",   "monospace"};
constexpr std::array kLanguages = {"en", "ja", "zh-cn", "zh-tw", "ko"};

struct FreeFontSet {
  void operator()(FcFontSet* set) const { FcFontSetDestroy(set); }
};
using FontSet = std::unique_ptr<FcFontSet, FreeFontSet>;

/// The fonts that are nearest to a family, and enough others for every character that there is.
FontSet NearestFonts(const char* family, const char* language) {
  FcPattern* pattern = FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family, FC_LANG,
                                      FcTypeString, language, nullptr);
  FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);
  FcResult result = FcResultMatch;
  FontSet fonts(FcFontSort(nullptr, pattern, FcTrue, nullptr, &result));
  FcPatternDestroy(pattern);
  return fonts;
}

std::string TextOf(const FcPattern* font, const char* property) {
  FcChar8* text = nullptr;
  return FcPatternGetString(font, property, 0, &text) == FcResultMatch
             ? std::string(reinterpret_cast<const char*>(text))
             : std::string();
}

/// Of those kinds that poppler opens.
bool IsFontFile(const std::string& path) {
  for (const std::string_view ending : {".ttf", ".ttc", ".otf", ".pfa", ".pfb", ".t1"}) {
    if (path.size() > ending.size() &&
        ::strcasecmp(path.c_str() + path.size() - ending.size(), ending.data()) == 0) {
      return true;
    }
  }
  return false;
}

bool KeepFont(const FcPattern* font) {
  const std::string path = TextOf(font, FC_FILE);
  return IsFontFile(path) && KeptFiles::Instance().Keep(path);
}

std::set<std::string> FamiliesNeeded() {
  std::set<std::string> families;
  for (const char* family : kFamilies) {
    for (const char* language : kLanguages) {
      const FontSet fonts = NearestFonts(family, language);
      for (int i = 0; fonts != nullptr && i < fonts->nfont; ++i) {
        families.insert(TextOf(fonts->fonts[i], FC_FAMILY));
      }
    }
  }
  return families;
}

}  // namespace

void KeepFonts() {
  FcConfig* config = FcInit() == FcTrue ? FcConfigGetCurrent() : nullptr;
  FcFontSet* fonts = config == nullptr ? nullptr : FcConfigGetFonts(config, FcSetSystem);
  if (fonts == nullptr) {
    return;
  }
  // Looking whether its settings have changed would be refused.
  FcConfigSetRescanInterval(config, 0);
  const std::set<std::string> needed = FamiliesNeeded();
  for (int i = 0; i < fonts->nfont; ++i) {
    if (needed.contains(TextOf(fonts->fonts[i], FC_FAMILY))) {
      KeepFont(fonts->fonts[i]);
    }
  }
  int kept = 0;
  for (int i = 0; i < fonts->nfont; ++i) {
    if (KeepFont(fonts->fonts[i])) {
      fonts->fonts[kept++] = fonts->fonts[i];
    }
  }
  // The descriptions of the others are lost, which the process can bear once.
  fonts->nfont = kept;
}

std::vector<FontFile> FontsOfText() {
  std::vector<FontFile> files;
  const FontSet fonts = NearestFonts("monospace", "en");
  for (int i = 0; fonts != nullptr && i < fonts->nfont && files.size() < kFontsOfTextMax; ++i) {
    FcBool scalable = FcFalse;
    FontFile file = {TextOf(fonts->fonts[i], FC_FILE), 0};
    FcPatternGetInteger(fonts->fonts[i], FC_INDEX, 0, &file.index);
    FcPatternGetBool(fonts->fonts[i], FC_SCALABLE, 0, &scalable);
    if (scalable == FcTrue && !KeptFiles::Instance().Find(file.path).empty()) {
      files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace tintype::darkroom::pages
