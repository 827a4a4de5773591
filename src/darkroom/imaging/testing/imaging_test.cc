#include "darkroom/imaging/testing/imaging_test.h"

namespace tintype::darkroom {

Config ImagingTest::HelperConfig() {
  Config config;
  config.helper_path = TINTYPE_DARKROOM_HELPER;
  config.processes_max = 1;
  config.sandbox = SandboxUse::kPreferred;  // Builds with a sanitizer have none.
  return config;
}

}  // namespace tintype::darkroom
