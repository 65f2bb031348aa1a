#include "server/metrics/server_metrics.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <optional>

namespace pitboss::server {

namespace {

using Type = Family::Type;
using Samples = std::vector<Family::Sample>;

double as_number(auto value) { return static_cast<double>(value); }

Family gauge(std::string name, std::string help, auto value) {
  return {std::move(name), std::move(help), Type::gauge, "", {{"", as_number(value)}}};
}
Family counter(std::string name, std::string help, auto value) {
  return {std::move(name), std::move(help), Type::counter, "", {{"", as_number(value)}}};
}

void add_clients(std::vector<Family>& all, const MetricSources& sources) {
  const Counters& counters = sources.counters;
  const Gauges& gauges = sources.gauges;
  all.push_back(
      gauge("pitboss_sessions", "sessions that somebody is connected to", gauges.sessions.load()));
  all.push_back(gauge("pitboss_sessions_limit", "--max-sessions, or what there are descriptors for",
                      sources.max_sessions));
  all.push_back(gauge("pitboss_connections", "connections, refused and closing ones included",
                      gauges.sockets.load()));
  all.push_back(
      counter("pitboss_sessions_total", "sessions since the start", counters.sessions.value()));
  all.push_back(
      counter("pitboss_received_bytes_total", "bytes of input", counters.bytes_received.value()));
  all.push_back(
      counter("pitboss_sent_bytes_total", "bytes of answers", counters.bytes_sent.value()));
}

void add_commands(std::vector<Family>& all, const Counters& counters) {
  all.push_back(counter("pitboss_lines_total", "lines of input", counters.lines.value()));
  all.push_back({"pitboss_answer_seconds",
                 "from the arrival of a line to its answer, by who handled it: the I/O thread at "
                 "once, or workers",
                 Type::histogram,
                 "handled",
                 {{"at_once", 0, &counters.answers_at_once},
                  {"by_workers", 0, &counters.answers_of_workers}}});
  all.push_back(counter("pitboss_failures_total", "answers that begin with a question mark",
                        counters.failures.value()));
  all.push_back(counter("pitboss_internal_errors_total",
                        "sessions that ended with an internal error",
                        counters.internal_errors.value()));
  Samples refusals;
  for (const protocol::LimitRow& row : protocol::limit_rows) {
    const Counter& met = counters.limits[static_cast<std::size_t>(row.limit)];
    refusals.push_back({std::string(row.name), as_number(met.value())});
  }
  all.push_back({"pitboss_refusals_total", "how often a limit was met, by limit", Type::counter,
                 "reason", std::move(refusals)});
}

void add_searches(std::vector<Family>& all, const MetricSources& sources) {
  const SearchCounts& counts = *sources.tables.counts;
  all.push_back(gauge("pitboss_running_commands", "commands that take time and have not ended",
                      sources.gauges.searching.load()));
  all.push_back(gauge("pitboss_pondering", "tables that use the opponent's time",
                      sources.gauges.pondering.load()));
  all.push_back(gauge("pitboss_tables", "tables with a name", sources.named_tables));
  all.push_back(gauge("pitboss_workers", "threads that search", sources.pool.threads()));
  const WorkerPool::Lengths lengths = sources.pool.lengths();
  all.push_back(
      {"pitboss_queue_length",
       "tasks that wait, by queue: for a worker, for an idle worker, for a value or a line",
       Type::gauge,
       "queue",
       {{"normal", as_number(lengths.normal)},
        {"idle", as_number(lengths.idle)},
        {"parked", as_number(lengths.parked)}}});
  all.push_back(counter("pitboss_searches_total", "searches, pondering included",
                        counts.searches.load(std::memory_order_relaxed)));
  all.push_back(counter("pitboss_simulations_total", "simulations of all searches",
                        counts.simulations.load(std::memory_order_relaxed)));
  all.push_back(counter("pitboss_searches_gave_way_total",
                        "searches that ended early, for clients with less than their share of "
                        "--memory",
                        counts.gave_way.load(std::memory_order_relaxed)));
}

/// What the system knows of this process.
struct ProcessFigures {
  std::optional<double> resident_bytes;  ///< nothing when no file can be opened
  double processor_seconds;
};
ProcessFigures process_figures() {
  long size = 0;
  long resident = 0;  // pages
  const bool is_known = bool(std::ifstream("/proc/self/statm") >> size >> resident);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  const double bytes = static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return {is_known ? std::optional(bytes) : std::nullopt,
          seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

void add_memory(std::vector<Family>& all, const MetricSources& sources) {
  using engine::MemoryBudget;
  const MemoryBudget& budget = *sources.tables.memory;
  Samples kinds;
  for (std::size_t i = 0; i < MemoryBudget::kinds; ++i) {
    kinds.push_back(
        {MemoryBudget::names[i], as_number(budget.used(static_cast<MemoryBudget::Kind>(i)))});
  }
  all.push_back({"pitboss_memory_bytes", "memory that is reserved, by kind", Type::gauge, "kind",
                 std::move(kinds)});
  all.push_back(gauge("pitboss_memory_limit_bytes", "--memory", budget.limit()));
  all.push_back(gauge("pitboss_waiting_answer_bytes", "answers that clients have not taken yet",
                      sources.waiting_answer_bytes));
  const ProcessFigures process = process_figures();
  if (process.resident_bytes) {
    all.push_back(gauge("process_resident_memory_bytes", "memory of the process in use",
                        *process.resident_bytes));
  }
  all.push_back(counter("process_cpu_seconds_total", "processor time of the process",
                        process.processor_seconds));
}

void add_evaluators(std::vector<Family>& all, const engine::RemoteService* service) {
  using engine::RemoteServer;
  const auto servers = service == nullptr ? std::vector<RemoteServer>{} : service->servers();
  const auto add = [&](std::string name, std::string help, Type type, auto value) {
    Family family{std::move(name), std::move(help), type, "server", {}};
    for (const RemoteServer& s : servers) family.samples.push_back({s.url, as_number(value(s))});
    all.push_back(std::move(family));
  };
  constexpr double per_millisecond = 1e-3;
  add("pitboss_evaluator_up",
      "1 if the evaluator is asked, else 0; this and what follows by evaluator", Type::gauge,
      [](const RemoteServer& s) { return s.breaker == "closed"; });
  add("pitboss_evaluator_requests_total", "requests that were answered", Type::counter,
      [](const RemoteServer& s) { return s.requests; });
  add("pitboss_evaluator_positions_total", "positions that were evaluated", Type::counter,
      [](const RemoteServer& s) { return s.positions; });
  add("pitboss_evaluator_failures_total", "requests that failed", Type::counter,
      [](const RemoteServer& s) { return s.failures; });
  add("pitboss_evaluator_deadline_misses_total", "requests that failed by being late",
      Type::counter, [](const RemoteServer& s) { return s.deadline_misses; });
  add("pitboss_evaluator_median_seconds", "that half of the last 1024 answers took at most",
      Type::gauge, [](const RemoteServer& s) { return s.latency_ms[0].second * per_millisecond; });
  add("pitboss_evaluator_p99_seconds", "that 99 % of the last 1024 answers took at most",
      Type::gauge, [](const RemoteServer& s) { return s.latency_ms[2].second * per_millisecond; });
  all.push_back(counter("pitboss_evaluator_unanswered_total",
                        "positions that no evaluator has answered",
                        service == nullptr ? 0 : service->unanswered()));
}

}  // namespace

std::vector<Family> server_metrics(const MetricSources& sources) {
  std::vector<Family> all;
  add_clients(all, sources);
  add_commands(all, sources.counters);
  add_searches(all, sources);
  add_memory(all, sources);
  add_evaluators(all, sources.evaluators);
  return all;
}

}  // namespace pitboss::server
