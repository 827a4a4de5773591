#include "darkroom/imaging/planes/reduced_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it.
#include <cstdlib>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <jpeglib.h>

#include "base/strings.h"
#include "darkroom/imaging/planes/jpeg_reader.h"
#include "darkroom/testing/memory_file.h"

// Beside libjpeg, which reads the coefficients of the same files: what is made of them here has to
// be what the sum of their waves comes to, rounded.

namespace tintype::darkroom {
namespace {

using Rows = std::vector<std::vector<uint8_t>>;
using ExactRows = std::vector<std::vector<double>>;

struct Kind {
  int width = 0;
  int height = 0;
  int across = 1;  // How many samples of luminance there are for one of colour.
  int down = 1;
  int quality = 90;
  unsigned restart_interval = 0;
  bool gray = false;
  bool optimized = false;
  bool noisy = false;

  std::string name() const {
    return StrCat(width, "x", height, ", ", across, "x", down, ", quality ", quality, ", restarts ",
                  restart_interval, gray ? ", gray" : "", noisy ? ", noisy" : "");
  }
};

// Shades with edges or nothing but noise, which fills every block to its last coefficient.
std::string MakeJpeg(const Kind& kind) {
  jpeg_compress_struct state = {};
  jpeg_error_mgr errors = {};
  state.err = jpeg_std_error(&errors);
  jpeg_create_compress(&state);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&state, &bytes, &size);
  state.image_width = static_cast<unsigned>(kind.width);
  state.image_height = static_cast<unsigned>(kind.height);
  state.input_components = kind.gray ? 1 : 3;
  state.in_color_space = kind.gray ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&state);
  jpeg_set_quality(&state, kind.quality, TRUE);
  state.comp_info[0].h_samp_factor = kind.across;
  state.comp_info[0].v_samp_factor = kind.down;
  state.restart_interval = kind.restart_interval;
  state.optimize_coding = kind.optimized ? TRUE : FALSE;
  jpeg_start_compress(&state, TRUE);
  std::minstd_rand chance(static_cast<unsigned>(kind.width));
  std::vector<uint8_t> row(static_cast<size_t>(kind.width * state.input_components));
  for (int y = 0; y < kind.height; ++y) {
    for (size_t x = 0; x < row.size(); ++x) {
      const auto shade = static_cast<unsigned>(y * 2) + static_cast<unsigned>(x / 3);
      const auto noise = static_cast<unsigned>(chance() >> 8);
      row[x] = static_cast<uint8_t>(kind.noisy ? noise : shade + noise % 9 + (x % 97 < 9 ? 99 : 0));
    }
    JSAMPROW pixels = row.data();
    jpeg_write_scanlines(&state, &pixels, 1);
  }
  jpeg_finish_compress(&state);
  jpeg_destroy_compress(&state);
  std::string result(reinterpret_cast<char*>(bytes), size);
  std::free(bytes);
  return result;
}

using Waves = std::array<std::array<double, DCTSIZE>, DCTSIZE>;

// Of each frequency the height at each of `side` samples.
Waves MakeWaves(int side) {
  Waves waves{};
  for (int wave = 0; wave < side; ++wave) {
    for (int at = 0; at < side; ++at) {
      const double angle = std::numbers::pi * (2 * at + 1) * wave / (2 * side);
      waves[static_cast<size_t>(wave)][static_cast<size_t>(at)] =
          wave == 0 ? 1 : std::numbers::sqrt2 * std::cos(angle);
    }
  }
  return waves;
}

/// What the blocks of one plane are in `side` by `side` samples each, from as many coefficients.
ExactRows PlaneOf(jpeg_decompress_struct& state, jvirt_barray_ptr blocks,
                  const jpeg_component_info& component, int side) {
  const Waves waves = MakeWaves(side);
  const auto length = static_cast<size_t>(side);
  ExactRows rows(component.height_in_blocks * length);
  const JQUANT_TBL& quantizers = *component.quant_table;
  for (JDIMENSION y = 0; y < component.height_in_blocks; ++y) {
    JBLOCKARRAY line =
        state.mem->access_virt_barray(reinterpret_cast<j_common_ptr>(&state), blocks, y, 1, FALSE);
    for (JDIMENSION x = 0; x < component.width_in_blocks; ++x) {
      const auto value = [&](size_t place) {
        return line[0][x][place] * static_cast<int>(quantizers.quantval[place]);
      };
      // Along the rows of coefficients, then down the columns.
      std::array<std::array<double, DCTSIZE>, DCTSIZE> sums{};
      for (size_t i = 0; i < length * length * length; ++i) {
        const size_t u = i % length;
        const size_t across = i / length % length;
        const size_t v = i / length / length;
        sums[v][across] += value(v * DCTSIZE + u) * waves[u][across];
      }
      for (size_t i = 0; i < length * length; ++i) {
        const size_t across = i % length;
        const size_t down = i / length;
        double sum = 0;
        for (size_t v = 0; v < length; ++v) {
          sum += sums[v][across] * waves[v][down];
        }
        rows[y * length + down].push_back(std::clamp(sum / DCTSIZE + 128, 0.0, 255.0));
      }
    }
  }
  return rows;
}

struct JumpingErrors {
  jpeg_error_mgr errors = {};
  std::jmp_buf jump;
};

/// The planes by libjpeg's coefficients; none when it finds anything wrong with the file.
std::vector<ExactRows> Expected(const std::string& bytes, int side) {
  std::vector<ExactRows> planes;
  jpeg_decompress_struct state = {};
  JumpingErrors errors;
  state.err = jpeg_std_error(&errors.errors);
  state.client_data = &errors;
  errors.errors.error_exit = [](j_common_ptr common) {
    std::longjmp(static_cast<JumpingErrors*>(common->client_data)->jump, 1);
  };
  errors.errors.output_message = [](j_common_ptr) {};
  if (setjmp(errors.jump) == 0) {
    jpeg_create_decompress(&state);
    jpeg_mem_src(&state, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&state, TRUE);
    jvirt_barray_ptr* const blocks = jpeg_read_coefficients(&state);
    for (int i = 0; i < state.num_components && errors.errors.num_warnings == 0; ++i) {
      planes.push_back(PlaneOf(state, blocks[i], state.comp_info[i], side));
    }
  } else {
    planes.clear();
  }
  jpeg_destroy_decompress(&state);
  return planes;
}

/// The planes by ReducedScan; none when it gives up.
std::vector<Rows> Reduced(const std::string& bytes, int side) {
  const MemoryFile file(bytes);
  JpegReader reader(file.number());
  if (!reader.ReadHeader() || !reader.StartReduced(side)) {
    return {};
  }
  std::vector<Rows> planes(reader.plane_count());
  while (!reader.finished()) {
    std::vector<std::vector<uint8_t*>> rows(planes.size());
    std::vector<uint8_t**> pointers;
    for (size_t i = 0; i < planes.size(); ++i) {
      const JpegPlane plane = reader.plane(i);
      planes[i].resize(planes[i].size() + static_cast<size_t>(plane.batch),
                       std::vector<uint8_t>(static_cast<size_t>(plane.size.width)));
      for (size_t row = planes[i].size() - static_cast<size_t>(plane.batch); row < planes[i].size();
           ++row) {
        rows[i].push_back(planes[i][row].data());
      }
      pointers.push_back(rows[i].data());
    }
    if (!reader.ReadBatch(pointers)) {
      return {};
    }
  }
  for (size_t i = 0; i < planes.size(); ++i) {
    planes[i].resize(static_cast<size_t>(reader.plane(i).size.height));
  }
  return planes;
}

// libjpeg's planes have whole blocks: those of ReducedScan end where the image does.
void ExpectSame(const std::vector<Rows>& reduced, const std::vector<ExactRows>& expected) {
  // Half a unit by rounding, and what is lost in the numbers that it reckons with.
  constexpr double kDifferenceMax = 0.505;
  ASSERT_EQ(reduced.size(), expected.size());
  for (size_t i = 0; i < reduced.size(); ++i) {
    ASSERT_LE(reduced[i].size(), expected[i].size());
    for (size_t y = 0; y < reduced[i].size(); ++y) {
      ASSERT_LE(reduced[i][y].size(), expected[i][y].size());
      for (size_t x = 0; x < reduced[i][y].size(); ++x) {
        ASSERT_NEAR(reduced[i][y][x], expected[i][y][x], kDifferenceMax)
            << "plane " << i << ", row " << y << ", column " << x;
      }
    }
  }
}

// Proves that every kind of baseline file is read as libjpeg reads it, to every reduced size.
TEST(ReducedScanTest, ReadsTheCoefficientsOfLibjpeg) {
  const Kind kinds[] = {
      {640, 427, 2, 2},
      {640, 427, 2, 1},
      {641, 429, 1, 2},
      {333, 222, 1, 1},
      {300, 200, 4, 1},
      {1, 1, 2, 2},
      {7, 9, 2, 2},
      {17, 33, 2, 1},
      {320, 240, 1, 1, 90, 0, true},
      {319, 241, 2, 2, 90, 3, true},
      {640, 427, 2, 2, 90, 1},
      {640, 427, 2, 2, 90, 7},
      {640, 427, 2, 2, 100, 0, false, true, true},
      {500, 300, 1, 1, 100, 0, false, false, true},
      {500, 300, 2, 2, 1, 0, false, true},
      {640, 427, 2, 2, 30, 11, false, true, true},
      {1000, 750, 2, 2, 95, 0, false, false, true},
  };
  for (const Kind& kind : kinds) {
    const std::string bytes = MakeJpeg(kind);
    for (int side = 1; side < DCTSIZE; ++side) {
      SCOPED_TRACE(StrCat(kind.name(), ", to ", side, " in 8"));
      const std::vector<Rows> reduced = Reduced(bytes, side);
      ASSERT_FALSE(reduced.empty());
      ExpectSame(reduced, Expected(bytes, side));
    }
  }
}

// Proves that what is wanted whole is left to libjpeg.
TEST(ReducedScanTest, LeavesTheFullSizeAlone) {
  EXPECT_TRUE(Reduced(MakeJpeg({64, 64}), DCTSIZE).empty());
}

// Proves that a damaged file is given up or read as libjpeg reads it, and harms nothing: wherever
// bytes are changed, left out or missing.
TEST(ReducedScanTest, GivesUpOnDamagedFiles) {
  std::minstd_rand chance(1);
  const Kind kinds[] = {{160, 120, 2, 2},
                        {160, 120, 2, 2, 100, 3, false, true, true},
                        {90, 70, 1, 1, 80, 1, true},
                        {120, 90, 2, 1, 95, 0, false, false, true}};
  int given_up = 0;
  int read = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = MakeJpeg(kinds[static_cast<size_t>(round) % std::size(kinds)]);
    const size_t at = chance() % bytes.size();
    switch (chance() % 4) {
      case 0:
        bytes[at] = static_cast<char>(chance());
        break;
      case 1:
        bytes.erase(at, 1 + chance() % 20);
        break;
      case 2:
        bytes.resize(at);
        break;
      default:
        bytes.insert(at, "\xFF\xD3");
        break;
    }
    const int side = 1 + round % (DCTSIZE - 1);
    const std::vector<Rows> reduced = Reduced(bytes, side);
    const std::vector<ExactRows> expected = Expected(bytes, side);
    given_up += reduced.empty() ? 1 : 0;
    if (!reduced.empty() && !expected.empty()) {
      SCOPED_TRACE(round);
      ++read;
      ExpectSame(reduced, expected);
    }
  }
  EXPECT_GT(given_up, 300);
  EXPECT_GT(read, 300);
}

}  // namespace
}  // namespace tintype::darkroom
