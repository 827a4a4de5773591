#include <filesystem>
#include <memory>

#include "cli/command_line/command.h"
#include "cli/commands/bench_engine.h"

namespace tintype::cli {
namespace {

constexpr const char* kBenchFooter = R"(
The benchmark works in a scratch directory, which it removes at the end; it does not touch a running server.

Examples
  tintype bench engine
  tintype bench engine --items 1000000 --scratch-dir /srv --json)";

}  // namespace

void DescribeBench(CLI::App& app, Run& run) {
  CLI::App* bench = app.add_subcommand("bench", "Measure how fast Tintype is on this machine.");
  bench->require_subcommand(1);
  CLI::App* engine = bench->add_subcommand("engine", "Measure the tables alone, without HTTP.");
  const auto config = std::make_shared<BenchEngineConfig>();
  config->scratch = std::filesystem::temp_directory_path().string();
  engine
      ->add_option("--items", config->items,
                   "How many items to load first, about 1 KB each on disk.\nDefault: 100000")
      ->check(CLI::Range(size_t{1}, size_t{1'000'000'000}))
      ->option_text("N");
  engine
      ->add_option(
          "--scratch-dir", config->scratch,
          "Where to create the scratch directory.\nDefault: the system's temporary directory")
      ->option_text("DIR");
  // Not as a negated flag: CLI11 would print the value that it stands for behind its name.
  engine->add_flag_callback(
      "--no-encryption", [config] { config->encryption = false; },
      "Write plain files, to see what encryption costs.");
  engine->add_flag("--json", config->json, "Print one JSON object per line.");
  engine->footer(kBenchFooter);
  engine->callback([&run, config] { run = [config] { return Finish(BenchEngine(*config)); }; });
}

}  // namespace tintype::cli
