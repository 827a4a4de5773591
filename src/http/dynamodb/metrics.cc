#include "http/dynamodb/metrics.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "http/dynamodb/dispatch.h"

namespace tintype::http::dynamodb {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

std::string_view NameOf(size_t operation) {
  return operation < OperationNames().size() ? OperationNames()[operation] : "other";
}

}  // namespace

Metrics::Metrics() : operations_(OperationNames().size() + 1) {}

void Metrics::Count(size_t operation, int status, std::chrono::nanoseconds duration) {
  Operation& counters = operations_[std::min(operation, operations_.size() - 1)];
  const auto status_class = static_cast<size_t>(std::clamp(status / 100, 0, 5));
  counters.by_status_class[status_class].fetch_add(1, kRelaxed);
  const auto ns = static_cast<uint64_t>(duration.count());
  const auto bucket = std::ranges::lower_bound(kBoundsUs, (ns + 999) / 1000) - kBoundsUs.begin();
  counters.by_duration[static_cast<size_t>(bucket)].fetch_add(1, kRelaxed);
  counters.duration_ns.fetch_add(ns, kRelaxed);
}

void Metrics::AddListener(std::string name, std::function<ServerStats()> stats) {
  MutexLock lock(mutex_);
  listeners_.emplace_back(std::move(name), std::move(stats));
}

void Metrics::AddGauge(std::string name, std::string help, std::function<uint64_t()> value) {
  AddCollector(
      [name = std::move(name), help = std::move(help), value = std::move(value)](Exposition& out) {
        out.Begin(name, Exposition::Type::kGauge, help);
        out.Sample({}, value());
      });
}

void Metrics::AddCollector(std::function<void(Exposition&)> collector) {
  MutexLock lock(mutex_);
  collectors_.push_back(std::move(collector));
}

void Metrics::ShowRequests(Exposition& out) const {
  out.Begin("tintype_dynamodb_requests_total", Exposition::Type::kCounter,
            "Requests answered, by operation and class of HTTP status.");
  for (size_t i = 0; i < operations_.size(); ++i) {
    for (size_t status = 1; status < operations_[i].by_status_class.size(); ++status) {
      const uint64_t count = operations_[i].by_status_class[status].load(kRelaxed);
      if (count > 0) {
        out.Sample({{"operation", NameOf(i)}, {"code", StrCat(status, "xx")}}, count);
      }
    }
  }
}

void Metrics::ShowDurations(Exposition& out) const {
  out.Begin("tintype_dynamodb_request_duration_seconds", Exposition::Type::kHistogram,
            "Time from a request's last byte to its answer, by operation.");
  std::array<double, kBoundsUs.size()> bounds{};
  std::ranges::transform(kBoundsUs, bounds.begin(),
                         [](uint64_t us) { return static_cast<double>(us) / 1e6; });
  for (size_t i = 0; i < operations_.size(); ++i) {
    // Copied first: requests are counted meanwhile, and the lines have to agree with each other.
    std::array<uint64_t, kBoundsUs.size() + 1> counts{};
    std::ranges::transform(operations_[i].by_duration, counts.begin(),
                           [](const auto& count) { return count.load(kRelaxed); });
    if (std::ranges::any_of(counts, [](uint64_t count) { return count > 0; })) {
      const auto ns = static_cast<double>(operations_[i].duration_ns.load(kRelaxed));
      out.Histogram({{"operation", NameOf(i)}}, {bounds, counts, ns / 1e9});
    }
  }
}

void Metrics::ShowListeners(Exposition& out) const {
  std::vector<std::pair<std::string_view, ServerStats>> listeners;
  for (const auto& [name, stats_of] : listeners_) {
    listeners.emplace_back(name, stats_of());
  }
  const auto show = [&](std::string_view name, Exposition::Type type, std::string_view help,
                        auto field) {
    out.Begin(name, type, help);
    for (const auto& [listener, stats] : listeners) {
      out.Sample({{"listener", listener}}, static_cast<uint64_t>(stats.*field));
    }
  };
  show("tintype_http_connections_open", Exposition::Type::kGauge, "Connections that are open now.",
       &ServerStats::connections_open);
  show("tintype_http_connections_accepted_total", Exposition::Type::kCounter,
       "Connections that were accepted.", &ServerStats::connections_accepted);
  show("tintype_http_connections_refused_total", Exposition::Type::kCounter,
       "Connections that were refused because there were too many.",
       &ServerStats::connections_refused);
  show("tintype_http_unread_answer_bytes", Exposition::Type::kGauge,
       "Memory of answers that clients have not read yet.", &ServerStats::unread_answer_bytes);
}

std::string Metrics::Render() const {
  Exposition out;
  ShowRequests(out);
  ShowDurations(out);
  MutexLock lock(mutex_);
  ShowListeners(out);
  for (const auto& collector : collectors_) {
    collector(out);
  }
  return std::move(out).Take();
}

}  // namespace tintype::http::dynamodb
