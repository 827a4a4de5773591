#include "http/dynamodb/metrics.h"

#include <algorithm>
#include <cstdio>

#include "base/strings.h"
#include "http/dynamodb/dispatch.h"

namespace tintype::http::dynamodb {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

std::string Seconds(double seconds) {
  std::array<char, 32> text;
  const int length = std::snprintf(text.data(), text.size(), "%.9g", seconds);
  return {text.data(), static_cast<size_t>(length)};
}

std::string_view NameOf(size_t operation) {
  return operation < OperationNames().size() ? OperationNames()[operation] : "other";
}

void AppendHeader(std::string& out, std::string_view name, std::string_view type,
                  std::string_view help) {
  StrAppend(out, "# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n");
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
  MutexLock lock(mutex_);
  gauges_.push_back({std::move(name), std::move(help), std::move(value)});
}

std::string Metrics::Render() const {
  std::string out;
  AppendHeader(out, "tintype_dynamodb_requests_total", "counter",
               "Requests answered, by operation and class of HTTP status.");
  for (size_t i = 0; i < operations_.size(); ++i) {
    for (size_t status = 1; status < operations_[i].by_status_class.size(); ++status) {
      const uint64_t count = operations_[i].by_status_class[status].load(kRelaxed);
      if (count > 0) {
        StrAppend(out, "tintype_dynamodb_requests_total{operation=\"", NameOf(i), "\",code=\"",
                  status, "xx\"} ", count, "\n");
      }
    }
  }

  constexpr std::string_view kDuration = "tintype_dynamodb_request_duration_seconds";
  AppendHeader(out, kDuration, "histogram",
               "Time from a request's last byte to its answer, by operation.");
  for (size_t i = 0; i < operations_.size(); ++i) {
    const auto& buckets = operations_[i].by_duration;
    uint64_t total = 0;
    for (const auto& bucket : buckets) {
      total += bucket.load(kRelaxed);
    }
    if (total == 0) {
      continue;
    }
    // Requests are counted meanwhile, so that the sum above may be behind; the buckets are added up
    // again for the lines to agree with each other.
    uint64_t so_far = 0;
    for (size_t b = 0; b < buckets.size(); ++b) {
      so_far += buckets[b].load(kRelaxed);
      const std::string bound =
          b < kBoundsUs.size() ? Seconds(static_cast<double>(kBoundsUs[b]) / 1e6) : "+Inf";
      StrAppend(out, kDuration, "_bucket{operation=\"", NameOf(i), "\",le=\"", bound, "\"} ",
                so_far, "\n");
    }
    const auto ns = static_cast<double>(operations_[i].duration_ns.load(kRelaxed));
    StrAppend(out, kDuration, "_sum{operation=\"", NameOf(i), "\"} ", Seconds(ns / 1e9), "\n",
              kDuration, "_count{operation=\"", NameOf(i), "\"} ", so_far, "\n");
  }

  std::string open, accepted, refused, unread;
  {
    MutexLock lock(mutex_);
    for (const auto& [name, stats_of] : listeners_) {
      const ServerStats stats = stats_of();
      const std::string label = StrCat("{listener=\"", name, "\"} ");
      StrAppend(open, "tintype_http_connections_open", label, stats.connections_open, "\n");
      StrAppend(accepted, "tintype_http_connections_accepted_total", label,
                stats.connections_accepted, "\n");
      StrAppend(refused, "tintype_http_connections_refused_total", label, stats.connections_refused,
                "\n");
      StrAppend(unread, "tintype_http_unread_answer_bytes", label, stats.unread_answer_bytes, "\n");
    }
  }
  AppendHeader(out, "tintype_http_connections_open", "gauge", "Connections that are open now.");
  out.append(open);
  AppendHeader(out, "tintype_http_connections_accepted_total", "counter",
               "Connections that were accepted.");
  out.append(accepted);
  AppendHeader(out, "tintype_http_connections_refused_total", "counter",
               "Connections that were refused because there were too many.");
  out.append(refused);
  AppendHeader(out, "tintype_http_unread_answer_bytes", "gauge",
               "Memory of answers that clients have not read yet.");
  out.append(unread);

  MutexLock lock(mutex_);
  for (const Gauge& gauge : gauges_) {
    AppendHeader(out, gauge.name, "gauge", gauge.help);
    StrAppend(out, gauge.name, " ", gauge.value(), "\n");
  }
  return out;
}

}  // namespace tintype::http::dynamodb
