#include "metrics/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/strings.h"

namespace tintype::metrics {
namespace {

constexpr std::array<double, 1> kBounds = {1};

// Proves that a name with its labels is one instrument, whoever asks for it.
TEST(RegistryTest, FindsInstrumentsAgain) {
  Registry registry;
  registry.GetCounter("tintype_calls_total", "Calls.", {{"to", "a"}}).Add(2);
  registry.GetCounter("tintype_calls_total", "Calls.", {{"to", "a"}}).Add();
  registry.GetCounter("tintype_calls_total", "Calls.", {{"to", "b"}}).Add(5);
  registry.GetGauge("tintype_calls_open", "Open calls.").Set(-4);
  registry.GetHistogram("tintype_calls_seconds", "Time.", kBounds).Observe(0.5);
  EXPECT_EQ(registry.Render(),
            "# HELP tintype_calls_open Open calls.\n"
            "# TYPE tintype_calls_open gauge\n"
            "tintype_calls_open -4\n"
            "# HELP tintype_calls_seconds Time.\n"
            "# TYPE tintype_calls_seconds histogram\n"
            "tintype_calls_seconds_bucket{le=\"1\"} 1\n"
            "tintype_calls_seconds_bucket{le=\"+Inf\"} 1\n"
            "tintype_calls_seconds_sum 0.5\n"
            "tintype_calls_seconds_count 1\n"
            "# HELP tintype_calls_total Calls.\n"
            "# TYPE tintype_calls_total counter\n"
            "tintype_calls_total{to=\"a\"} 3\n"
            "tintype_calls_total{to=\"b\"} 5\n");
}

// Proves that labels that grow without end cost a bounded number of series, and that nothing goes
// uncounted.
TEST(RegistryTest, BoundsTheSeriesOfAMetric) {
  Registry registry;
  constexpr size_t kCalls = Family::kSeriesMax + 500;
  for (size_t i = 0; i < kCalls; ++i) {
    registry.GetCounter("tintype_calls_total", "Calls.", {{"to", StrCat(i)}}).Add();
  }
  EXPECT_EQ(registry.GetCounter("tintype_calls_total", "Calls.", {{"to", "0"}}).value(), 1U);
  EXPECT_EQ(registry.GetCounter("tintype_calls_total", "Calls.", {{"to", "other"}}).value(),
            kCalls - (Family::kSeriesMax - 1));
  const std::string text = registry.Render();
  EXPECT_EQ(std::ranges::count(text, '\n'), 2 + static_cast<int>(Family::kSeriesMax));
}

// Proves that collectors add to one family, and are not called once their registration is gone.
TEST(RegistryTest, CallsCollectorsWhileTheyAreRegistered) {
  Registry registry;
  const auto collect = [&registry](std::string purpose, int value) {
    return registry.Collect([purpose = std::move(purpose), value](Samples& samples) {
      samples.Gauge("tintype_helpers", "Helpers.").Sample({{"for", purpose}}, value);
    });
  };
  std::optional<Registration> first = collect("develop", 1);
  Registration second = collect("resize", 2);
  const std::string head = "# HELP tintype_helpers Helpers.\n# TYPE tintype_helpers gauge\n";
  EXPECT_EQ(registry.Render(), head +
                                   "tintype_helpers{for=\"develop\"} 1\n"
                                   "tintype_helpers{for=\"resize\"} 2\n");
  first.reset();
  EXPECT_EQ(registry.Render(), head + "tintype_helpers{for=\"resize\"} 2\n");
  second = collect("edit", 3);
  EXPECT_EQ(registry.Render(), head + "tintype_helpers{for=\"edit\"} 3\n");
  const Registration moved = std::move(second);
  EXPECT_EQ(registry.Render(), head + "tintype_helpers{for=\"edit\"} 3\n");
}

// Proves that an instrument can be used while a collector is at it: otherwise a collector that
// waits for a thread that counts would wait for ever.
TEST(RegistryTest, CollectorsMayCount) {
  Registry registry;
  const Registration registration = registry.Collect(
      [&registry](Samples&) { registry.GetCounter("tintype_scrapes_total", "Scrapes.").Add(); });
  registry.Render();
  EXPECT_NE(registry.Render().find("tintype_scrapes_total 1\n"), std::string::npos);
}

// Proves that one name cannot stand for two metrics.
TEST(RegistryDeathTest, RefusesANameTwice) {
  Registry registry;
  registry.GetGauge("tintype_calls", "Calls.");
  EXPECT_DEATH(registry.GetGauge("tintype_calls", "Other calls."), "");
  EXPECT_DEATH(registry.GetHistogram("tintype_calls", "Calls.", kBounds), "");
  EXPECT_DEATH(registry.GetCounter("tintype_calls", "Calls."), "");
}

}  // namespace
}  // namespace tintype::metrics
