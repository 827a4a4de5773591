#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/strings.h"
#include "base/testing/eventually.h"
#include "darkroom/pages/kept_files.h"
#include "darkroom/pages/testing/pages_test.h"
#include "darkroom/pages/testing/pdf_writer.h"

// The real helper as a process: what it has, and that it does not wear out.

namespace tintype::darkroom::pages {
namespace {

class PagesHelperTest : public PagesTest {
 protected:
  static std::string Read(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  static size_t CountEntries(const std::string& path) {
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path)) {
      ++count;
    }
    return count;
  }
  std::string Proc(std::string_view name) const {
    return StrCat("/proc/", darkroom_.process_ids().at(0), "/", name);
  }
  int64_t ResidentKilobytes() const {
    const std::string status = Read(Proc("status"));
    return std::stol(status.substr(status.find("VmRSS:") + 6));
  }
};

// Proves that what the helper knows of fonts is memory alone: it has no file open but its socket,
// nor has its template, and what it shares with others cannot be written.
TEST_F(PagesHelperTest, HasFontsWithoutFiles) {
  ASSERT_TRUE(Draw(darkroom_, SimplePdf({DrawText("a", 60, 700)})).ok());
  EXPECT_EQ(CountEntries(Proc("fd")), 4U);
  EXPECT_EQ(CountEntries(StrCat("/proc/", darkroom_.template_id(), "/fd")), 4U);
  EXPECT_EQ(Read(Proc("environ")), "");
  std::istringstream maps(Read(Proc("maps")));
  std::string line;
  size_t fonts = 0;
  while (std::getline(maps, line)) {
    if (line.find("/usr/share/fonts") != std::string::npos ||
        line.find("/usr/share/poppler") != std::string::npos) {
      EXPECT_NE(line.find(" r--p "), std::string::npos) << line;
      ++fonts;
    }
  }
  EXPECT_GT(fonts, 3U);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Proves that neither descriptors nor memory grow with the number of documents, good and bad ones.
TEST_F(PagesHelperTest, DoesNotWearOut) {
  const std::string files[] = {SimplePdf({DrawText("a page", 60, 700), ""}),
                               SimplePdf({"1 0 0 rg 0 0 300 300 re f"}),
                               SimplePdf({DrawText("torn", 60, 700)}).substr(0, 300), "%PDF-"};
  const auto work = [&](int items) {
    for (int i = 0; i < items; ++i) {
      const std::string& file = files[static_cast<size_t>(i) % std::size(files)];
      Draw(darkroom_, file).PermitUncheckedError();
      Text(darkroom_, file).PermitUncheckedError();
      Draw(darkroom_, "some text", 0, 300, kPlain).PermitUncheckedError();
    }
  };
  work(20);
  const pid_t helper = darkroom_.process_ids().at(0);
  const size_t descriptors = CountEntries(Proc("fd"));
  const int64_t before = ResidentKilobytes();
  work(100);
  EXPECT_EQ(darkroom_.process_ids().at(0), helper);
  EXPECT_EQ(CountEntries(Proc("fd")), descriptors);
  EXPECT_LT(ResidentKilobytes(), before + 8 * 1024) << "before: " << before;
}
#endif

/// Goes through what KeptFilesTest proves, in a process of its own. Returns the first step that
/// went wrong, or 0.
int TryKeptFiles() {
  const std::filesystem::path folder = testing::TempDir() + "kept_files_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "below");
  const std::string kept = folder / "below/kept";
  const std::string other = folder / "other";
  std::ofstream(kept, std::ios::binary) << std::string("a\0b", 3);
  KeptFiles& files = KeptFiles::Instance();
  files.KeepFolder(folder);
  std::ofstream(other) << "other";
  std::FILE* before = std::fopen(other.c_str(), "r");
  files.Seal();
  std::FILE* open = std::fopen(kept.c_str(), "rbe");
  std::array<char, 8> bytes = {};
  const bool steps[] = {
      before != nullptr,
      files.count() == 1,
      !files.Keep(folder),
      !files.Keep(folder / "nowhere"),
      files.Find(kept) == std::string_view("a\0b", 3),
      files.Find(other).empty(),
      open != nullptr && std::fseek(open, 0, SEEK_END) == 0 && std::ftell(open) == 3,
      open != nullptr && std::fseek(open, 0, SEEK_SET) == 0 &&
          std::fread(bytes.data(), 1, bytes.size(), open) == 3 && bytes[2] == 'b',
      std::fopen(kept.c_str(), "r+") == nullptr,
      std::fopen(kept.c_str(), "w") == nullptr,
      std::fopen(other.c_str(), "r") == nullptr,
  };
  return static_cast<int>(std::ranges::find(steps, false) - std::begin(steps) + 1) %
         static_cast<int>(std::size(steps) + 1);
}

// Proves what a library gets that asks for a file: memory of one that is kept, however it reads it,
// and after the sealing nothing else, though this process has no sandbox.
TEST(KeptFilesTest, AreAllThatCanBeOpened) {
  EXPECT_EXIT(::_exit(TryKeptFiles()), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tintype::darkroom::pages
