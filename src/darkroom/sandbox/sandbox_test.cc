#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "darkroom/darkroom.h"
#include "darkroom/testing/memory_file.h"

// What a helper can do that has been taken over by a file, by one that tries what its input says.

namespace tintype::darkroom {
namespace {

Config HelperConfig(std::string path) {
  Config config;
  config.helper_path = std::move(path);
  config.processes_max = 1;
  config.sandbox = SandboxUse::kPreferred;
  return config;
}

Result<Developed> Develop(Darkroom& darkroom, const MemoryFile& input) {
  const MemoryFile output;
  return darkroom.Develop("ada",
                          {.input = input.number(), .sizes = {{"THUMB", 256, output.number()}}});
}

/// How an attempt ended: the signal that the helper died of, or what it was told.
std::string Attempt(Darkroom& darkroom, std::string_view script) {
  const MemoryFile input(script);
  const auto result = Develop(darkroom, input);
  if (result.ok()) {
    return "well";
  }
  const Error& error = result.error();
  return KindOf(error) == FailureKind::kDied ? error.note() : error.message();
}

// A sanitizer's helper has no sandbox, because reports need what it would refuse.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr char kKilled[] = "ended by signal 31 (SYS)";
constexpr char kNoSuchFile[] = "Permission denied";

// Proves that a helper has neither files nor a network, and no power over other processes: it is
// refused what libraries ask for in good faith, and killed for the rest.
TEST(SandboxTest, RefusesWhatDecodingDoesNotNeed) {
  const struct {
    std::string_view script;
    std::string_view expected;
  } cases[] = {
      {"open-file", kNoSuchFile},
      {"create-file", kNoSuchFile},
      {"look-at-file", kNoSuchFile},
      {"reopen-input", kNoSuchFile},
      {"make-internet-socket", kKilled},
      {"make-local-socket", kKilled},
      {"connect", kKilled},
      {"send-elsewhere", kKilled},
      {"execute", kKilled},
      {"fork", kKilled},
      {"fork-by-clone3", "Function not implemented"},
      {"trace", kKilled},
      {"read-parent", kKilled},
      {"signal-all", kKilled},
      {"signal-thread", kKilled},
      {"raise-limit", kKilled},
      {"gain-rights", kKilled},
      {"leave-death-signal", "Operation not permitted"},
  };
  Config config = HelperConfig(TINTYPE_SCRIPTED_HELPER);
  config.sandbox = SandboxUse::kRequired;
  Darkroom darkroom(config);
  for (const auto& test : cases) {
    EXPECT_EQ(Attempt(darkroom, test.script), test.expected) << test.script;
    EXPECT_EQ(Attempt(darkroom, "well"), "well") << test.script;
  }
  EXPECT_TRUE(darkroom.sandboxed());
}
#endif

// Proves that helpers work without a sandbox where the kernel has none, that this is known, and
// that the same attempts succeed there, so that it is the sandbox which refuses them.
TEST(SandboxTest, IsMissedWhereTheKernelHasNone) {
  Darkroom darkroom(HelperConfig(TINTYPE_OLD_KERNEL_HELPER));
  ASSERT_TRUE(darkroom.Prepare().ok());
  EXPECT_FALSE(darkroom.sandboxed());
  EXPECT_EQ(Attempt(darkroom, "well"), "well");
  for (const std::string_view script :
       {"open-file", "look-at-file", "make-internet-socket", "fork", "signal-all"}) {
    EXPECT_EQ(Attempt(darkroom, script), "done") << script;
  }
}

// Proves that nobody who says nothing about it goes without the sandbox.
TEST(SandboxTest, IsRequiredByDefault) { EXPECT_EQ(Config().sandbox, SandboxUse::kRequired); }

// Proves that the sandbox can be switched off where the kernel has one, and that this is known.
TEST(SandboxTest, CanBeSwitchedOff) {
  Config config = HelperConfig(TINTYPE_SCRIPTED_HELPER);
  config.sandbox = SandboxUse::kOff;
  Darkroom darkroom(config);
  EXPECT_EQ(Attempt(darkroom, "open-file"), "done");
  EXPECT_FALSE(darkroom.sandboxed());
  EXPECT_EQ(darkroom.sandbox_missing(), "it is switched off");
}

// Proves that a server which requires the sandbox uses no helper without.
TEST(SandboxTest, CanBeRequired) {
  Config config = HelperConfig(TINTYPE_OLD_KERNEL_HELPER);
  config.sandbox = SandboxUse::kRequired;
  Darkroom darkroom(config);
  const Status prepared = darkroom.Prepare();
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(KindOf(prepared.error()), FailureKind::kNotRunning);
  EXPECT_EQ(prepared.error().message(), "The image helper has no sandbox, and one is required");
  EXPECT_NE(prepared.error().note(), "");
  EXPECT_EQ(darkroom.sandbox_missing(), prepared.error().note());
  const MemoryFile input("well");
  EXPECT_FALSE(Develop(darkroom, input).ok());
  EXPECT_TRUE(darkroom.process_ids().empty());
}

}  // namespace
}  // namespace tintype::darkroom
