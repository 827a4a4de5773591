#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/mutex.h"
#include "metrics/instruments.h"
#include "metrics/samples.h"

namespace tintype::metrics {

class Registry;

/// Keeps a collector in its registry, which outlives this. When it is gone, the collector is not
/// called any more: so it is the last member of whatever the collector reads.
class [[nodiscard]] Registration {
 public:
  Registration() = default;
  Registration(Registration&& other) noexcept;
  Registration& operator=(Registration&& other) noexcept;
  ~Registration() { Remove(); }

 private:
  friend class Registry;
  Registration(Registry& registry, uint64_t id) : registry_(&registry), id_(id) {}
  void Remove();

  Registry* registry_ = nullptr;
  uint64_t id_ = 0;
};

/// The metrics of one process. Made by the program's wiring, which hands it to each room; outlives
/// them. Thread-safe. Nothing survives the process, as Prometheus expects.
class Registry {
 public:
  using Collector = std::function<void(Samples& samples)>;

  Registry() = default;
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // The instrument of a name and labels: the same one each time, made by the first call. It lives
  // as long as the registry. Finding it takes a lock, so hot paths keep the reference. Once a
  // metric has Family::kSeriesMax instruments, all further labels share one whose values are
  // `other`.
  // REQUIRES: IsMetricName; all others that name the metric give it the same type and help.
  Counter& GetCounter(std::string_view name, std::string_view help, Labels labels = {});
  Gauge& GetGauge(std::string_view name, std::string_view help, Labels labels = {});
  Histogram& GetHistogram(std::string_view name, std::string_view help,
                          std::span<const double> bounds, Labels labels = {});

  /// Has `collector` called at every scrape, one scrape after another, for figures that are kept
  /// elsewhere. It may block for a moment, must not use what it is called for (this registry's
  /// Render and Collect), and must not be in progress on the thread that ends its Registration.
  Registration Collect(Collector collector);

  /// Everything as text; see exposition.h.
  std::string Render() const;

 private:
  friend class Registration;
  using Instrument =
      std::variant<std::unique_ptr<Counter>, std::unique_ptr<Gauge>, std::unique_ptr<Histogram>>;
  struct Instruments {
    Type type;
    std::string help;
    std::map<OwnedLabels, Instrument> series;
  };

  template <typename Kind, typename Make>
  Kind& Get(std::string_view name, Type type, std::string_view help, Labels labels, Make make);
  void Read(Samples& samples) const;
  void Remove(uint64_t id);

  mutable Mutex mutex_;
  std::map<std::string, Instruments, std::less<>> instruments_ GUARDED_BY(mutex_);
  // Another mutex, since collectors take their time and may wait for threads that use instruments.
  mutable Mutex collectors_mutex_;
  uint64_t last_id_ GUARDED_BY(collectors_mutex_) = 0;
  std::map<uint64_t, Collector> collectors_ GUARDED_BY(collectors_mutex_);
};

}  // namespace tintype::metrics
