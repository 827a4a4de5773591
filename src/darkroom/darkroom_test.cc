#include "darkroom/darkroom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/strings.h"
#include "base/testing/eventually.h"
#include "darkroom/testing/memory_file.h"

// How the server deals with helpers, by one that does what the first word of its input says.

namespace tintype::darkroom {
namespace {

Config ScriptedConfig() {
  Config config;
  config.helper_path = TINTYPE_SCRIPTED_HELPER;
  config.processes_max = 1;
  config.sandbox = SandboxUse::kPreferred;  // Builds with a sanitizer have none.
  return config;
}

Result<Developed> DevelopFile(Darkroom& darkroom, std::string_view account,
                              const MemoryFile& input) {
  const MemoryFile output;
  return darkroom.Develop(account,
                          {.input = input.number(), .sizes = {{"THUMB", 256, output.number()}}});
}

Result<Developed> Develop(Darkroom& darkroom, std::string_view script,
                          std::string_view account = "ada") {
  return DevelopFile(darkroom, account, MemoryFile(script));
}

size_t CountDescriptors() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

bool Runs(pid_t pid) { return ::kill(pid, 0) == 0; }

/// Of a child that nobody has waited for yet.
bool HasEnded(pid_t pid) {
  siginfo_t info = {};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

// Proves that a helper is started for the first item alone and kept for the next ones.
TEST(DarkroomTest, KeepsItsHelper) {
  Darkroom darkroom(ScriptedConfig());
  EXPECT_TRUE(darkroom.process_ids().empty());
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  const auto first = darkroom.process_ids();
  ASSERT_EQ(first.size(), 1U);
  const auto developed = Develop(darkroom, "well");
  ASSERT_TRUE(developed.ok());
  EXPECT_EQ(developed->original.width, 3);
  EXPECT_EQ(darkroom.process_ids(), first);
}

// Proves that every way to fail is told apart and told truly, and that the next item is served.
TEST(DarkroomTest, ReplacesAHelperThatFails) {
  const struct {
    std::string_view script;
    FailureKind expected;
  } cases[] = {
      {"abort", FailureKind::kDied},      {"exit", FailureKind::kDied},
      {"hang", FailureKind::kOutOfTime},  {"close-and-hang", FailureKind::kDied},
      {"garbage", FailureKind::kDied},    {"too-much", FailureKind::kDied},
      {"wrong-type", FailureKind::kDied}, {"wrong-answer", FailureKind::kDied},
  };
  Config config = ScriptedConfig();
  config.limits.wall_ms = 3'000;
  Darkroom darkroom(config);
  for (const auto& test : cases) {
    const auto failed = Develop(darkroom, test.script);
    ASSERT_FALSE(failed.ok()) << test.script;
    EXPECT_EQ(FailureName(KindOf(failed.error())), FailureName(test.expected)) << test.script;
    EXPECT_EQ(failed.error().kind(), ErrorKind::kUnavailable) << test.script;
    EXPECT_FALSE(IsPermanent(failed.error())) << test.script;
    EXPECT_TRUE(darkroom.process_ids().empty()) << test.script;
    EXPECT_TRUE(Develop(darkroom, "well").ok()) << test.script;
  }
}

// Proves that a refusal by a helper that is well comes through as such, and that it is kept.
TEST(DarkroomTest, HandsOnRefusals) {
  Darkroom darkroom(ScriptedConfig());
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  const auto before = darkroom.process_ids();
  const auto refused = Develop(darkroom, "refuse");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind(), ErrorKind::kValidation);
  EXPECT_EQ(refused.error().message(), "refused");
  EXPECT_TRUE(IsPermanent(refused.error()));
  EXPECT_EQ(darkroom.process_ids(), before);
}

// Proves that what a helper says it wrote is compared with what it wrote.
TEST(DarkroomTest, ComparesOutputsWithWhatIsSaid) {
  Darkroom darkroom(ScriptedConfig());
  const auto developed = Develop(darkroom, "well");
  ASSERT_TRUE(developed.ok());
  EXPECT_EQ(developed->renditions[0].name, "THUMB");
  EXPECT_EQ(developed->renditions[0].bytes, 3);
  const auto lie = Develop(darkroom, "write-less-than-it-says");
  ASSERT_FALSE(lie.ok());
  EXPECT_EQ(KindOf(lie.error()), FailureKind::kDied);
}

// Proves the same for documents, where the output itself has to be what was asked for.
TEST(DarkroomTest, LooksIntoPagesAndTexts) {
  Darkroom darkroom(ScriptedConfig());
  const MemoryFile output;
  const MemoryFile drawn("draw-something-else");
  const auto page = darkroom.MakePage(
      "ada", {.input = drawn.number(), .media_type = "application/pdf", .output = output.number()});
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(KindOf(page.error()), FailureKind::kDied);
  for (const char* script :
       {"read-well", "read-less-than-it-says", "read-fewer-pages-than-it-says"}) {
    const MemoryFile input(script);
    const auto text = darkroom.DocumentText(
        "ada",
        {.input = input.number(), .media_type = "application/pdf", .output = output.number()});
    EXPECT_EQ(text.ok(), script == std::string_view("read-well")) << script;
    if (!text.ok()) {
      EXPECT_EQ(KindOf(text.error()), FailureKind::kDied) << script;
    }
  }
}

// Proves that a transcript is that of the recording, in the language that was asked for, or the
// helper is not used again.
TEST(DarkroomTest, ComparesTranscriptsWithTheRecording) {
  Darkroom darkroom(ScriptedConfig());
  const auto hear = [&](std::string script, const std::string& language) {
    script.resize(1601, ' ');
    const MemoryFile input(script);
    return darkroom.Transcribe("ada", {.input = input.number(),
                                       .encoder = input.number(),
                                       .decoder = input.number(),
                                       .vocabulary = input.number(),
                                       .language = language});
  };
  const auto heard = hear("hear", "");
  ASSERT_TRUE(heard.ok()) << heard.error().message();
  EXPECT_EQ(heard->duration_ms, 50);
  EXPECT_EQ(heard->segments[0].text, "Well.");
  EXPECT_TRUE(hear("hear", "en").ok());
  EXPECT_EQ(darkroom.process_ids().size(), 1U);
  EXPECT_EQ(KindOf(hear("hear", "de").error()), FailureKind::kDied);
  EXPECT_EQ(KindOf(hear("hear-more-than-there-is", "").error()), FailureKind::kDied);
  EXPECT_TRUE(darkroom.process_ids().empty());
}

// Proves the limit on the processor time of an item; the clock alone would give it an hour.
TEST(DarkroomTest, LimitsProcessorTime) {
  Config config = ScriptedConfig();
  config.limits.cpu_seconds = 1;
  config.limits.wall_ms = 3'600'000;
  Darkroom darkroom(config);
  const auto spun = Develop(darkroom, "spin");
  ASSERT_FALSE(spun.ok());
  EXPECT_EQ(KindOf(spun.error()), FailureKind::kOutOfTime);
  EXPECT_THAT(spun.error().note(), testing::HasSubstr("XCPU"));
}

// Proves the limit on what can be written.
TEST(DarkroomTest, LimitsOutputs) {
  Config config = ScriptedConfig();
  config.limits.output_bytes = 4 << 20;
  Darkroom darkroom(config);
  const auto large = Develop(darkroom, "write-without-end");
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(KindOf(large.error()), FailureKind::kOutput);
  EXPECT_EQ(large.error().kind(), ErrorKind::kIo);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Proves the limit on memory, and that a helper that hit it is not used again.
TEST(DarkroomTest, LimitsMemory) {
  Config config = ScriptedConfig();
  Darkroom darkroom(config);
  const auto taken = Develop(darkroom, "take-two-gigabytes");
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(KindOf(taken.error()), FailureKind::kOutOfMemory);
  EXPECT_FALSE(IsPermanent(taken.error()));
  EXPECT_TRUE(darkroom.process_ids().empty());
  config.limits.address_space_bytes = int64_t{4} << 30;
  Darkroom generous(config);
  EXPECT_TRUE(Develop(generous, "take-two-gigabytes").ok());
}
#endif

// Proves that a helper that grew, or that has served its number of items, is replaced.
TEST(DarkroomTest, RetiresHelpers) {
  Config config = ScriptedConfig();
  config.items_per_process = 3;
  config.resident_bytes_max = 48 << 20;
  Darkroom darkroom(config);
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  EXPECT_EQ(darkroom.process_ids().size(), 1U);
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  EXPECT_TRUE(darkroom.process_ids().empty());
  ASSERT_TRUE(Develop(darkroom, "grow").ok());
  EXPECT_TRUE(darkroom.process_ids().empty());
}

// Proves that a helper that was killed while it was idle costs no item.
TEST(DarkroomTest, NoticesThatAnIdleHelperDied) {
  Darkroom darkroom(ScriptedConfig());
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  const pid_t killed = darkroom.process_ids().at(0);
  ASSERT_EQ(::kill(killed, SIGKILL), 0);
  ASSERT_TRUE(Eventually([&] { return HasEnded(killed); }));
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  EXPECT_NE(darkroom.process_ids().at(0), killed);
  EXPECT_EQ(darkroom.stats().replaced_failed, 1U);
  EXPECT_EQ(darkroom.stats().templates_started, 1U);
}

// Proves that a helper that is killed in the midst of its work fails that item alone.
TEST(DarkroomTest, SurvivesAKillInTheMidst) {
  Config config = ScriptedConfig();
  config.processes_max = 2;
  Darkroom darkroom(config);
  auto hanging = std::async(std::launch::async, [&] { return Develop(darkroom, "hang"); });
  ASSERT_TRUE(Eventually([&] { return darkroom.process_ids().size() == 1; }));
  const pid_t victim = darkroom.process_ids().at(0);
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  ASSERT_EQ(::kill(victim, SIGKILL), 0);
  const auto killed = hanging.get();
  ASSERT_FALSE(killed.ok());
  EXPECT_EQ(KindOf(killed.error()), FailureKind::kDied);
  EXPECT_THAT(killed.error().note(), testing::HasSubstr("KILL"));
  EXPECT_TRUE(Develop(darkroom, "well").ok());
}

// Proves that a helper outlives the thread whose item it was started for.
TEST(DarkroomTest, KeepsItsHelperWhenACallerEnds) {
  Darkroom darkroom(ScriptedConfig());
  std::thread([&] { EXPECT_TRUE(Develop(darkroom, "well").ok()); }).join();
  const auto started = darkroom.process_ids();
  ASSERT_EQ(started.size(), 1U);
  EXPECT_TRUE(Develop(darkroom, "well").ok());
  EXPECT_EQ(darkroom.process_ids(), started);
}

// Proves that there are never more helpers than allowed, and that all who wait are served.
TEST(DarkroomTest, BoundsTheNumberOfHelpers) {
  Config config = ScriptedConfig();
  config.processes_max = 2;
  config.items_per_process = 5;
  Darkroom darkroom(config);
  std::atomic<int> served = 0;
  std::atomic<size_t> most = 0;
  std::vector<std::thread> callers;
  callers.reserve(8);
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] {
      for (int item = 0; item < 10; ++item) {
        served += Develop(darkroom, "well").ok() ? 1 : 0;
        most = std::max<size_t>(most, darkroom.process_ids().size());
      }
    });
  }
  for (std::thread& caller : callers) {
    caller.join();
  }
  EXPECT_EQ(served, 80);
  EXPECT_LE(most, 2U);
}

// Proves that no helper that has seen a file of one account is ever given one of another, however
// many of both are at work at the same time: each tells all that it has seen.
TEST(DarkroomTest, KeepsAccountsApart) {
  Config config = ScriptedConfig();
  config.processes_max = 3;
  config.items_per_process = 7;
  Darkroom darkroom(config);
  ASSERT_TRUE(darkroom.Prepare().ok());
  Mutex mutex;
  std::map<std::string, std::set<std::string>> accounts_of_helper;
  constexpr int kCallers = 6;
  std::vector<std::thread> callers;
  callers.reserve(kCallers);
  for (int caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&, account = StrCat("account", caller % 4)] {
      for (int item = 0; item < 30; ++item) {
        const auto told = Develop(darkroom, StrCat("name-all ", account), account);
        const std::string_view text = told.error().message();
        const MutexLock lock(mutex);
        std::set<std::string>& seen =
            accounts_of_helper[std::string(text.substr(0, text.find(' ')))];
        for (size_t at = text.find(' '); at != std::string_view::npos;
             at = text.find(' ', at + 1)) {
          seen.emplace(text.substr(at + 1, account.size()));
        }
        EXPECT_TRUE(seen.contains(account)) << text;
      }
    });
  }
  for (std::thread& caller : callers) {
    caller.join();
  }
  EXPECT_GE(accounts_of_helper.size(), 4U);
  for (const auto& [helper, accounts] : accounts_of_helper) {
    EXPECT_EQ(accounts.size(), 1U) << helper;
  }
}

// Proves that helpers which wait for another item of their account are bounded, that those which
// have waited longest go first, and that a helper without an account serves whoever comes.
TEST(DarkroomTest, BoundsIdleHelpers) {
  Config config = ScriptedConfig();
  config.idle_max = 2;
  Darkroom darkroom(config);
  ASSERT_TRUE(darkroom.Prepare().ok());
  const pid_t first = darkroom.process_ids().at(0);
  ASSERT_TRUE(Develop(darkroom, "well", "ada").ok());
  EXPECT_EQ(darkroom.process_ids(), std::vector{first});
  ASSERT_TRUE(Develop(darkroom, "well", "bob").ok());
  const auto both = darkroom.process_ids();
  ASSERT_EQ(both.size(), 2U);
  ASSERT_TRUE(Develop(darkroom, "well", "ada").ok());
  ASSERT_TRUE(Develop(darkroom, "well", "eve").ok());
  const auto now = darkroom.process_ids();
  EXPECT_EQ(now.size(), 2U);
  EXPECT_THAT(now, testing::Contains(first));
  EXPECT_FALSE(Runs(both.at(1)));
  EXPECT_EQ(darkroom.stats().replaced_unused, 1U);
  EXPECT_EQ(darkroom.stats().templates_started, 1U);
}

// Proves that a template that is killed is replaced when a helper is wanted, at whatever moment
// that happens, and that neither helpers at work nor idle ones end with it.
TEST(DarkroomTest, ReplacesAKilledTemplate) {
  Config config = ScriptedConfig();
  config.processes_max = 2;
  config.idle_max = 1;
  Darkroom darkroom(config);
  const MemoryFile waiting("wait");
  auto at_work =
      std::async(std::launch::async, [&] { return DevelopFile(darkroom, "ada", waiting); });
  ASSERT_TRUE(Eventually([&] { return darkroom.stats().busy == 1; }));
  for (int round = 0; round < 30; ++round) {
    auto item = std::async(std::launch::async,
                           [&] { return Develop(darkroom, "well", StrCat("account", round)); });
    const pid_t killed = darkroom.template_id();
    if (killed > 0) {
      ::kill(killed, SIGKILL);
    }
    const auto developed = item.get();
    ASSERT_TRUE(developed.ok()) << round << ": " << developed.error().note();
  }
  EXPECT_GT(darkroom.stats().templates_started, 1U);
  ASSERT_EQ(::pwrite(waiting.number(), " go", 3, 4), 3);
  const auto developed = at_work.get();
  EXPECT_TRUE(developed.ok()) << developed.error().note();
  const auto kept = darkroom.process_ids();
  ASSERT_EQ(::kill(darkroom.template_id(), SIGKILL), 0);
  EXPECT_TRUE(Develop(darkroom, "well", "ada").ok());
  EXPECT_EQ(darkroom.process_ids(), kept);
}

// Proves that after a crash helpers are no more copies of the one that crashed.
TEST(DarkroomTest, RenewsTheTemplateAfterACrash) {
  Darkroom darkroom(ScriptedConfig());
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  const pid_t first = darkroom.template_id();
  ASSERT_GT(first, 0);
  ASSERT_FALSE(Develop(darkroom, "abort").ok());
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  EXPECT_NE(darkroom.template_id(), first);
  EXPECT_FALSE(Runs(first));
}

// Proves what a helper's end says about its template: a limit or a kill nothing, since no file has
// had the helper in its hands; whatever a file may have brought about, that others are no more like
// it.
TEST(DarkroomTest, RenewsTheTemplateForGoodReason) {
  const struct {
    std::string_view script;
    bool renews;
  } cases[] = {
      {"abort", true},   {"exit", true},         {"close-and-hang", true},
      {"garbage", true}, {"wrong-answer", true}, {"write-less-than-it-says", true},
      {"refuse", false}, {"spin", false},        {"write-without-end", false},
      {"hang", false},
  };
  for (const auto& test : cases) {
    Config config = ScriptedConfig();
    config.limits.cpu_seconds = 1;
    config.limits.output_bytes = 4 << 20;
    // Others have as long as they want.
    config.limits.wall_ms = test.script == "hang" ? 1'000 : 3'600'000;
    Darkroom darkroom(config);
    ASSERT_FALSE(Develop(darkroom, test.script).ok()) << test.script;
    ASSERT_TRUE(darkroom.Prepare().ok()) << test.script;
    EXPECT_EQ(darkroom.stats().templates_started, test.renews ? 2U : 1U) << test.script;
  }
  Darkroom darkroom(ScriptedConfig());
  auto killed = std::async(std::launch::async, [&] { return Develop(darkroom, "hang"); });
  ASSERT_TRUE(Eventually([&] { return darkroom.process_ids().size() == 1; }));
  ASSERT_EQ(::kill(darkroom.process_ids().at(0), SIGKILL), 0);
  ASSERT_FALSE(killed.get().ok());
  ASSERT_TRUE(darkroom.Prepare().ok());
  EXPECT_EQ(darkroom.stats().templates_started, 1U) << "killed";
}

// Proves that a helper gets no file when another one of its template crashes while it is started.
TEST(DarkroomTest, RenewsAHelperThatIsStartedDuringACrash) {
  Config config = ScriptedConfig();
  config.processes_max = 2;
  Darkroom darkroom(config);
  ASSERT_TRUE(Develop(darkroom, "well", "ada").ok());
  const pid_t first = darkroom.template_id();
  ASSERT_EQ(::kill(first, SIGSTOP), 0);
  auto bobs = std::async(std::launch::async, [&] { return Develop(darkroom, "well", "bob"); });
  const bool started = Eventually([&] { return darkroom.stats().starting == 1; });
  const bool crashed = !Develop(darkroom, "abort", "ada").ok();
  ::kill(first, SIGCONT);
  EXPECT_TRUE(bobs.get().ok());
  ASSERT_TRUE(started && crashed);
  EXPECT_EQ(darkroom.stats().templates_started, 2U);
  EXPECT_EQ(darkroom.process_ids().size(), 1U) << "it is kept";
}

// Proves that a template that cannot fork for want of room is kept, and is asked once for each
// item.
TEST(DarkroomTest, KeepsATemplateThatCannotFork) {
  Config config = ScriptedConfig();
  config.helper_path = TINTYPE_FULL_MACHINE_HELPER;
  Darkroom darkroom(config);
  for (int item = 0; item < 3; ++item) {
    const auto failed = Develop(darkroom, "well");
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(KindOf(failed.error()), FailureKind::kNotRunning);
    EXPECT_THAT(failed.error().note(), testing::HasSubstr("cannot fork"));
  }
  EXPECT_EQ(darkroom.stats().templates_started, 1U);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Proves that a program with threads is no template, and says why.
TEST(DarkroomTest, RefusesATemplateWithThreads) {
  Config config = ScriptedConfig();
  config.helper_path = TINTYPE_THREADED_HELPER;
  Darkroom darkroom(config);
  const Status prepared = darkroom.Prepare();
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(KindOf(prepared.error()), FailureKind::kNotRunning);
  EXPECT_THAT(prepared.error().note(), testing::HasSubstr("it has 2"));
}
#endif

// Proves that helpers of the same template as one that crashed get no more files, whether they are
// idle then or at work.
TEST(DarkroomTest, RenewsHelpersAfterACrash) {
  Config config = ScriptedConfig();
  config.processes_max = 3;
  Darkroom darkroom(config);
  ASSERT_TRUE(Develop(darkroom, "well", "ada").ok());
  const pid_t idle = darkroom.process_ids().at(0);
  const MemoryFile waiting("wait");
  auto at_work =
      std::async(std::launch::async, [&] { return DevelopFile(darkroom, "bob", waiting); });
  ASSERT_TRUE(Eventually([&] { return darkroom.stats().busy == 1; }));
  ASSERT_FALSE(Develop(darkroom, "abort", "carl").ok());
  ASSERT_EQ(::pwrite(waiting.number(), " go", 3, 4), 3);
  EXPECT_TRUE(at_work.get().ok());
  EXPECT_EQ(darkroom.process_ids(), std::vector<pid_t>{idle});
  ASSERT_TRUE(Develop(darkroom, "well", "ada").ok());
  EXPECT_FALSE(Runs(idle));
  EXPECT_EQ(darkroom.stats().templates_started, 2U);
  EXPECT_EQ(darkroom.stats().replaced_worn, 2U);
}

// Proves that a template that does nothing keeps no server from stopping.
TEST(DarkroomTest, StopsThoughItsTemplateHangs) {
  Config config = ScriptedConfig();
  config.processes_max = 2;
  Darkroom darkroom(config);
  ASSERT_TRUE(darkroom.Prepare().ok());
  ASSERT_TRUE(Develop(darkroom, "well", "ada").ok());
  ASSERT_EQ(::kill(darkroom.template_id(), SIGSTOP), 0);
  auto waiting = std::async(std::launch::async, [&] { return Develop(darkroom, "well", "bob"); });
  ASSERT_TRUE(Eventually([&] { return darkroom.stats().starting == 1; }));
  const auto begun = std::chrono::steady_clock::now();
  darkroom.Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
  const auto stopped = waiting.get();
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(KindOf(stopped.error()), FailureKind::kNotRunning);
}

// Proves that whoever waits for a helper need not, once no more are started, and that what helpers
// are at work on is finished.
TEST(DarkroomTest, FinishesWhatItHasWhenItStartsNoMore) {
  Config config = ScriptedConfig();
  config.processes_max = 2;
  Darkroom darkroom(config);
  const MemoryFile file("wait");
  auto at_work = std::async(std::launch::async, [&] { return DevelopFile(darkroom, "ada", file); });
  ASSERT_TRUE(Eventually([&] { return darkroom.stats().busy == 1; }));
  ASSERT_EQ(::kill(darkroom.template_id(), SIGSTOP), 0);
  auto starting = std::async(std::launch::async, [&] { return Develop(darkroom, "well", "bob"); });
  ASSERT_TRUE(Eventually([&] { return darkroom.stats().starting == 1; }));
  auto waiting = std::async(std::launch::async, [&] { return Develop(darkroom, "well", "carl"); });
  ASSERT_TRUE(Eventually([&] { return darkroom.stats().waiting == 1; }));
  const auto begun = std::chrono::steady_clock::now();
  darkroom.StartNoMore();
  for (const Result<Developed>& result :
       {starting.get(), waiting.get(), Develop(darkroom, "well", "eve")}) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(KindOf(result.error()), FailureKind::kNotRunning);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
  ASSERT_EQ(::pwrite(file.number(), " go", 3, 4), 3);
  EXPECT_TRUE(at_work.get().ok());
  EXPECT_TRUE(Develop(darkroom, "well", "ada").ok()) << "its helper is still there";
}

// Proves that calls beyond those that may wait are refused at once.
TEST(DarkroomTest, RefusesWhenTooManyWait) {
  Config config = ScriptedConfig();
  config.waiting_max = 0;
  Darkroom darkroom(config);
  auto hanging = std::async(std::launch::async, [&] { return Develop(darkroom, "hang"); });
  ASSERT_TRUE(Eventually([&] { return darkroom.process_ids().size() == 1; }));
  const auto refused = Develop(darkroom, "well");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind(), ErrorKind::kOverloaded);
  darkroom.Stop();
  EXPECT_FALSE(hanging.get().ok());
}

// Proves that Stop ends helpers in the midst of their work, those who wait, and those to come.
TEST(DarkroomTest, Stops) {
  Darkroom darkroom(ScriptedConfig());
  auto hanging = std::async(std::launch::async, [&] { return Develop(darkroom, "hang"); });
  ASSERT_TRUE(Eventually([&] { return darkroom.process_ids().size() == 1; }));
  const pid_t helper = darkroom.process_ids().at(0);
  auto waiting = std::async(std::launch::async, [&] { return Develop(darkroom, "well"); });
  ASSERT_TRUE(Eventually([&] { return darkroom.stats().waiting == 1; }));
  darkroom.Stop();
  EXPECT_EQ(darkroom.stats().waiting, 0U);
  EXPECT_FALSE(Runs(helper));
  for (const Result<Developed>& result :
       {hanging.get(), waiting.get(), Develop(darkroom, "well")}) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(KindOf(result.error()), FailureKind::kNotRunning);
    EXPECT_FALSE(IsPermanent(result.error()));
  }
}

// Proves that a helper that cannot be started, or is no helper, is told as such.
TEST(DarkroomTest, SaysThatTheHelperDoesNotStart) {
  for (const char* path : {"/nowhere/tintype-darkroom", "/bin/true"}) {
    Config config = ScriptedConfig();
    config.helper_path = path;
    Darkroom darkroom(config);
    const auto failed = Develop(darkroom, "well");
    ASSERT_FALSE(failed.ok()) << path;
    EXPECT_EQ(KindOf(failed.error()), FailureKind::kNotRunning) << path;
  }
}

// Proves that what is plainly wrong is refused without a helper.
TEST(DarkroomTest, RefusesWithoutAHelper) {
  Config config = ScriptedConfig();
  config.limits.input_bytes = 10;
  Darkroom darkroom(config);
  EXPECT_EQ(KindOf(Develop(darkroom, "").error()), FailureKind::kNotAnImage);
  EXPECT_EQ(KindOf(Develop(darkroom, "more than ten").error()), FailureKind::kTooLarge);
  const MemoryFile file("well");
  EXPECT_EQ(KindOf(darkroom.Develop("ada", {.input = file.number()}).error()),
            FailureKind::kInvalidRequest);
  EXPECT_EQ(
      KindOf(darkroom.Edit("ada", {.input = file.number(), .operations = {Rotate{45}}}).error()),
      FailureKind::kInvalidRequest);
  EXPECT_EQ(KindOf(Develop(darkroom, "well", "").error()), FailureKind::kInvalidRequest);
  EXPECT_TRUE(darkroom.process_ids().empty());
  EXPECT_FALSE(Config{.helper_path = "relative"}.Validate().ok());
}

// Proves that no item, whatever came of it, leaves a descriptor behind; files that a helper sends
// along least of all.
TEST(DarkroomTest, LeaksNoDescriptors) {
  Config config = ScriptedConfig();
  config.items_per_process = 10;
  Darkroom darkroom(config);
  ASSERT_TRUE(Develop(darkroom, "well").ok());
  const size_t before = CountDescriptors();
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(Develop(darkroom, "well-with-files").ok());
    if (i % 20 == 0) {
      ASSERT_FALSE(Develop(darkroom, "abort").ok());
    }
  }
  // One less when the last item was the last one of its helper.
  EXPECT_LE(CountDescriptors(), before);
}

}  // namespace
}  // namespace tintype::darkroom
