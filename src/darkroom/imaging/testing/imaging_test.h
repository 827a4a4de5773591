#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "darkroom/darkroom.h"
#include "darkroom/imaging/testing/pictures.h"
#include "darkroom/testing/memory_file.h"

namespace tintype::darkroom {

/// Tests of the real helper, through the server's side of it.
class ImagingTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { StartPictures(); }

  static Config HelperConfig();
  /// Whose all files are.
  static constexpr char kAccount[] = "ada";

  /// A development to one size, with the file that it gave.
  struct Print {
    Developed developed;
    std::string bytes;
  };
  Result<Print> Develop(std::string_view file, int32_t longest_side,
                        int32_t quality = DevelopRequest().quality) {
    const MemoryFile input(file);
    const MemoryFile output;
    ASSIGN_OR_RETURN(
        Developed developed,
        darkroom_.Develop(kAccount, {.input = input.number(),
                                     .sizes = {{"SIZE", longest_side, output.number()}},
                                     .quality = quality}));
    return Print{std::move(developed), output.Content()};
  }

  /// The same by another darkroom, to a small size that nobody looks at.
  static Result<Developed> DevelopOn(Darkroom& darkroom, const MemoryFile& input) {
    const MemoryFile output;
    return darkroom.Develop(kAccount,
                            {.input = input.number(), .sizes = {{"SIZE", 64, output.number()}}});
  }

  Darkroom darkroom_{HelperConfig()};
};

}  // namespace tintype::darkroom
