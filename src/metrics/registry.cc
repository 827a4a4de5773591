#include "metrics/registry.h"

#include <utility>

#include "base/check.h"
#include "metrics/exposition.h"

namespace tintype::metrics {

Registration::Registration(Registration&& other) noexcept
    : registry_(std::exchange(other.registry_, nullptr)), id_(other.id_) {}

Registration& Registration::operator=(Registration&& other) noexcept {
  if (this != &other) {
    Remove();
    registry_ = std::exchange(other.registry_, nullptr);
    id_ = other.id_;
  }
  return *this;
}

void Registration::Remove() {
  if (registry_ != nullptr) {
    std::exchange(registry_, nullptr)->Remove(id_);
  }
}

template <typename Kind, typename Make>
Kind& Registry::Get(std::string_view name, Type type, std::string_view help, Labels labels,
                    Make make) {
  OwnedLabels owned = Family::Own(labels);
  const MutexLock lock(mutex_);
  auto found = instruments_.find(name);
  if (found == instruments_.end()) {
    CHECK(IsMetricName(name, type));
    found = instruments_.emplace(name, Instruments{type, std::string(help), {}}).first;
  }
  Instruments& instruments = found->second;
  CHECK(instruments.type == type && instruments.help == help);
  auto& series = instruments.series;
  if (series.size() >= Family::kSeriesMax - 1 && !series.contains(owned)) {
    for (auto& [label, value] : owned) {
      value = "other";
    }
  }
  auto place = series.find(owned);
  if (place == series.end()) {
    place = series.emplace(std::move(owned), make()).first;
  }
  return *std::get<std::unique_ptr<Kind>>(place->second);
}

Counter& Registry::GetCounter(std::string_view name, std::string_view help, Labels labels) {
  return Get<Counter>(name, Type::kCounter, help, labels,
                      [] { return std::make_unique<Counter>(); });
}

Gauge& Registry::GetGauge(std::string_view name, std::string_view help, Labels labels) {
  return Get<Gauge>(name, Type::kGauge, help, labels, [] { return std::make_unique<Gauge>(); });
}

Histogram& Registry::GetHistogram(std::string_view name, std::string_view help,
                                  std::span<const double> bounds, Labels labels) {
  return Get<Histogram>(name, Type::kHistogram, help, labels,
                        [bounds] { return std::make_unique<Histogram>(bounds); });
}

Registration Registry::Collect(Collector collector) {
  const MutexLock lock(collectors_mutex_);
  collectors_.emplace(++last_id_, std::move(collector));
  return {*this, last_id_};
}

void Registry::Remove(uint64_t id) {
  const MutexLock lock(collectors_mutex_);
  collectors_.erase(id);
}

void Registry::Read(Samples& samples) const {
  const MutexLock lock(mutex_);
  for (const auto& [name, instruments] : instruments_) {
    Family& family = samples.Find(name, instruments.type, instruments.help);
    for (const auto& [labels, instrument] : instruments.series) {
      if (const auto* counter = std::get_if<std::unique_ptr<Counter>>(&instrument)) {
        family.Put(labels, (*counter)->value());
      } else if (const auto* gauge = std::get_if<std::unique_ptr<Gauge>>(&instrument)) {
        family.Put(labels, static_cast<double>((*gauge)->value()));
      } else {
        family.Put(labels, std::get<std::unique_ptr<Histogram>>(instrument)->Read());
      }
    }
  }
}

std::string Registry::Render() const {
  Samples samples;
  Read(samples);
  {
    const MutexLock lock(collectors_mutex_);
    for (const auto& [id, collector] : collectors_) {
      collector(samples);
    }
  }
  return WriteExposition(samples);
}

}  // namespace tintype::metrics
