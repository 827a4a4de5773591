#include "darkroom/pages/testing/pages_test.h"

#include "base/check.h"

namespace tintype::darkroom::pages {
namespace {

constexpr char kAccount[] = "ada";

DrawnPage Decode(std::string file) {
  DrawnPage page;
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  CHECK(png_image_begin_read_from_memory(&image, file.data(), file.size()) != 0);
  page.grey = (image.format & PNG_FORMAT_FLAG_COLOR) == 0;
  image.format = PNG_FORMAT_RGB;
  page.width = static_cast<int32_t>(image.width);
  page.height = static_cast<int32_t>(image.height);
  page.rgb.resize(PNG_IMAGE_SIZE(image));
  CHECK(png_image_finish_read(&image, nullptr, page.rgb.data(), 0, nullptr) != 0);
  page.file = std::move(file);
  return page;
}

}  // namespace

int64_t DrawnPage::DarkIn(int32_t left, int32_t top, int32_t right, int32_t bottom) const {
  int64_t dark = 0;
  for (int32_t y = height * top / 1000; y < height * bottom / 1000; ++y) {
    for (int32_t x = width * left / 1000; x < width * right / 1000; ++x) {
      const uint8_t* pixel = At(x, y);
      dark += pixel[0] + pixel[1] + pixel[2] < 3 * 128 ? 1 : 0;
    }
  }
  return dark;
}

Config PagesTest::HelperConfig() {
  Config config;
  config.helper_path = TINTYPE_PAGES_HELPER;
  config.processes_max = 1;
  config.sandbox = SandboxUse::kPreferred;  // Builds with a sanitizer have none.
  return config;
}

Result<DocumentProbe> PagesTest::Probe(Darkroom& darkroom, std::string_view file,
                                       const std::string& media_type) {
  const MemoryFile input(file);
  return darkroom.ProbeDocument(kAccount, {.input = input.number(), .media_type = media_type});
}

Result<DrawnPage> PagesTest::Draw(Darkroom& darkroom, std::string_view file, int32_t page,
                                  int32_t longest_side, const std::string& media_type) {
  const MemoryFile input(file);
  const MemoryFile output("what was there before");
  ASSIGN_OR_RETURN(const DocumentPage drawn,
                   darkroom.MakePage(kAccount, {.input = input.number(),
                                                .media_type = media_type,
                                                .page = page,
                                                .longest_side = longest_side,
                                                .output = output.number()}));
  DrawnPage decoded = Decode(output.Content());
  CHECK(decoded.width == drawn.width && decoded.height == drawn.height);
  return decoded;
}

Result<PagesTest::ReadText> PagesTest::Text(Darkroom& darkroom, std::string_view file,
                                            int32_t pages_max, const std::string& media_type) {
  const MemoryFile input(file);
  const MemoryFile output("what was there before");
  ASSIGN_OR_RETURN(const DocumentText text,
                   darkroom.DocumentText(kAccount, {.input = input.number(),
                                                    .media_type = media_type,
                                                    .pages_max = pages_max,
                                                    .output = output.number()}));
  return ReadText{output.Content(), text.pages, text.complete};
}

}  // namespace tintype::darkroom::pages
