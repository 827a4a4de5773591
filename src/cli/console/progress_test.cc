#include "cli/console/progress.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "base/clock.h"
#include "base/strings.h"

namespace tintype::cli {
namespace {

constexpr uint64_t kMb = uint64_t{1} << 20;

/// What a printer has written, with a clock that the test turns.
class ProgressTest : public ::testing::Test {
 protected:
  ~ProgressTest() override { std::fclose(out_); }

  std::string Written() {
    std::rewind(out_);
    char buffer[4096];
    return {buffer, std::fread(buffer, 1, sizeof buffer, out_)};
  }

  std::FILE* out_ = std::tmpfile();
  FakeClock clock_{1000};
};

// Proves that sizes are written for people, in the units of the settings.
TEST_F(ProgressTest, BytesAreReadable) {
  const std::pair<uint64_t, std::string> cases[] = {
      {0, "0 bytes"},          {1023, "1023 bytes"},          {1024, "1.0 KB"},
      {1536 * 1024, "1.5 MB"}, {uint64_t{5} << 40, "5.0 TB"}, {~uint64_t{0}, "16384.0 PB"},
  };
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(FormatBytes(bytes), text);
  }
}

// Proves that a step tells share, bytes, rate and the time that is left, as far as they are known.
TEST_F(ProgressTest, StepTellsRateAndTimeLeft) {
  EXPECT_EQ(FormatStep({"tables", 0, 40 * kMb}, 0), "tables 0 %, 0 bytes of 40.0 MB");
  EXPECT_EQ(FormatStep({"tables", 10 * kMb, 40 * kMb}, 100), "tables 25 %, 10.0 MB of 40.0 MB");
  EXPECT_EQ(FormatStep({"tables", 10 * kMb, 40 * kMb}, 2000),
            "tables 25 %, 10.0 MB of 40.0 MB, 5.0 MB/s, 0:06 left");
  EXPECT_EQ(FormatStep({"tables", 1 * kMb, 7200 * kMb}, 1000),
            "tables 0 %, 1.0 MB of 7.0 GB, 1.0 MB/s, 1:59:59 left");
  EXPECT_EQ(FormatStep({"tables", 1, 7200 * kMb}, 1000),
            "tables 0 %, 1 bytes of 7.0 GB, 1 bytes/s");
  EXPECT_EQ(FormatStep({"tables", 40 * kMb, 40 * kMb}, 4000),
            "tables 100 %, 40.0 MB of 40.0 MB, 10.0 MB/s");
  EXPECT_EQ(FormatStep({"files", 0, 0}, 0), "files 100 %, 0 bytes of 0 bytes");
  EXPECT_EQ(FormatStep({"records and blobs", 21, 0}, 4000), "records and blobs 21");
  EXPECT_EQ(FormatStep({"rebuild", 10, 40, "images", "2 failed"}, 5000),
            "rebuild 25 %, 10 of 40 images, 0:15 left, 2 failed");
  EXPECT_EQ(FormatStep({"import", 1024, 2048, "", "1 of 2 files"}, 0),
            "import 50 %, 1.0 KB of 2.0 KB, 1 of 2 files");
}

// Proves that the bar shows the share and never breaks the line, however narrow the terminal is.
TEST_F(ProgressTest, BarFitsTheTerminal) {
  const ProgressStep half{"tables", 2 * kMb, 4 * kMb};
  EXPECT_EQ(FormatBar(half, 0, 200), "[##########..........]  50 % tables 2.0 MB of 4.0 MB");
  EXPECT_EQ(FormatBar(half, 2000, 200),
            "[##########..........]  50 % tables 2.0 MB of 4.0 MB, 0:02 left, 1.0 MB/s");
  EXPECT_EQ(FormatBar(half, 2000, 40), "[#####.....]  50 % tables 0:02 left");
  EXPECT_EQ(FormatBar(half, 2000, 39), "[#####.....]  50 % tables 1.0 MB/s");
  EXPECT_EQ(FormatBar(half, 2000, 38), "[#####.....]  50 % tables");
  EXPECT_EQ(FormatBar(half, 2000, 5), "table");
  EXPECT_EQ(FormatBar({"files found", 21, 0}, 4000, 79), "files found 21");
  for (size_t width = 1; width < 200; ++width) {
    EXPECT_LE(FormatBar(half, 0, width).size(), width);
    EXPECT_LE(
        FormatBar({"import", 5 * kMb, 7200 * kMb, "", "1 of 40000 files"}, 60'000, width).size(),
        width);
  }
}

/// The parts of a line that a reader looks at, and where each of them begins.
struct Places {
  size_t bar_ends;
  size_t stage;
  bool left;
  bool files;

  bool operator==(const Places&) const = default;
};

// Proves that at 80 columns an import's line keeps its bar and its parts in place from the first
// photo to the last, with figures of every length.
TEST_F(ProgressTest, BarKeepsItsPlace) {
  constexpr uint64_t kTotal = 7200 * kMb;
  const auto places = [&](uint64_t done, int64_t elapsed_ms) {
    const uint64_t files = done * 12'000 / kTotal;
    const std::string line =
        FormatBar({"import", done, kTotal, "", StrCat(files, " of 12000 files")}, elapsed_ms, 79);
    EXPECT_LE(line.size(), 79U) << line;
    return Places{line.find(']'), line.find("import"), line.find(" left") != std::string::npos,
                  line.find(" files") != std::string::npos};
  };
  const Places first = places(kMb, 1000);
  EXPECT_EQ(first, (Places{21, 29, /*left=*/true, /*files=*/false}));
  int64_t elapsed_ms = 1000;
  for (uint64_t done = kMb; done < kTotal; done += kTotal / 997) {
    EXPECT_EQ(places(done, elapsed_ms), first) << done;
    elapsed_ms += 7919;
  }
}

// Proves that nothing is drawn again that is there already.
TEST_F(ProgressTest, BarIsDrawnOnlyWhenItChanges) {
  ProgressPrinter printer(ProgressPrinter::Style::kBar, out_, clock_);
  for (int i = 0; i < 10; ++i) {
    printer.Show({"import", 0, 100 * kMb});
    clock_.AdvanceMs(1000);
  }
  EXPECT_EQ(Written(), "\r[....................]   0 % import 0 bytes of 100.0 MB\033[K");
}

// Proves that a log gets few lines: one every five seconds, and one when a stage is done.
TEST_F(ProgressTest, LinesAreFew) {
  ProgressPrinter printer(ProgressPrinter::Style::kLines, out_, clock_);
  for (uint64_t i = 0; i <= 120; ++i) {
    printer.Show({"tables", i * kMb, 120 * kMb});
    clock_.AdvanceMs(100);
  }
  printer.Show({"files", 0, 10});
  printer.Show({"files", 10, 10});
  printer.Show({"files", 10, 10});
  EXPECT_EQ(Written(),
            "tables 41 %, 50.0 MB of 120.0 MB, 10.0 MB/s, 0:07 left\n"
            "tables 83 %, 100.0 MB of 120.0 MB, 10.0 MB/s, 0:02 left\n"
            "tables 100 %, 120.0 MB of 120.0 MB, 10.0 MB/s\n"
            "files 100 %, 10 bytes of 10 bytes\n");
}

// Proves that the rate of a stage that goes on where an earlier command stopped is this command's.
TEST_F(ProgressTest, RateIsThisCommands) {
  EXPECT_EQ(FormatStep({"tables", 30 * kMb, 40 * kMb}, 2000, 20 * kMb),
            "tables 75 %, 30.0 MB of 40.0 MB, 5.0 MB/s, 0:02 left");
  ProgressPrinter printer(ProgressPrinter::Style::kLines, out_, clock_);
  printer.Show({"tables", 20 * kMb, 40 * kMb});
  clock_.AdvanceMs(5000);
  printer.Show({"tables", 30 * kMb, 40 * kMb});
  EXPECT_EQ(Written(), "tables 75 %, 30.0 MB of 40.0 MB, 2.0 MB/s, 0:05 left\n");
}

// Proves that a note is shown at once, on a line of its own, in every style.
TEST_F(ProgressTest, NotesAreLines) {
  ProgressStep note;
  note.note = "going on";
  ProgressPrinter bar(ProgressPrinter::Style::kBar, out_, clock_);
  bar.Show({"import", 0, 100 * kMb});
  bar.Show(note);
  ProgressPrinter(ProgressPrinter::Style::kLines, out_, clock_).Show(note);
  ProgressPrinter(ProgressPrinter::Style::kJson, out_, clock_).Show(note);
  EXPECT_EQ(Written(),
            "\r[....................]   0 % import 0 bytes of 100.0 MB\033[K\r\033[Kgoing on\n"
            "going on\n{\"note\": {\"message\": \"going on\"}}\n");
}

// Proves that programs get a JSON object per line.
TEST_F(ProgressTest, JsonIsForPrograms) {
  ProgressPrinter printer(ProgressPrinter::Style::kJson, out_, clock_);
  printer.Show({"tables", 0, 20});
  clock_.AdvanceMs(1000);
  printer.Show({"tables", 10, 20});
  printer.Show({"tables", 11, 20});
  printer.Show({"tables", 20, 20});
  EXPECT_EQ(Written(),
            "{\"progress\": {\"done\": 10, \"stage\": \"tables\", \"total\": 20}}\n"
            "{\"progress\": {\"done\": 20, \"stage\": \"tables\", \"total\": 20}}\n");
}

// Proves that the bar is drawn over itself and taken away in the end.
TEST_F(ProgressTest, BarIsTakenAway) {
  ProgressPrinter printer(ProgressPrinter::Style::kBar, out_, clock_);
  printer.Show({"a", 0, 0});
  printer.End();
  printer.End();
  EXPECT_EQ(Written(), "\r[####################] 100 % a 0 bytes of 0 bytes\033[K\r\033[K");
}

}  // namespace
}  // namespace tintype::cli
