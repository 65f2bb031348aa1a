#include "clients/pitboss/search_timing.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <thread>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/cache_line_time.hpp"
#include "engine/search/slice.hpp"

namespace pitboss::clients {

namespace {

using engine::Options;
using engine::Progress;

constexpr auto whole_search = std::chrono::hours(1);

/// From so many seconds on, a search hardly notices cold caches at its beginning.
constexpr double long_search = 0.1;

/// A search with its helper threads, which sleep between searches.
class Team {
 public:
  Team(const games::AnyGame& game, std::int64_t threads) : search_(engine::make_search(game)) {
    for (std::int64_t i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
  }
  ~Team() {
    ended_ = true;
    call();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] const engine::Search& search() const { return *search_; }
  [[nodiscard]] engine::Report searched(const games::AnyGame& game, const Options& options) {
    call();
    // The threads wake up before the time begins.
    while (awake_ < helpers_.size()) std::this_thread::yield();
    engine::Report report = clients::searched(*search_, game, options);
    called_ = false;
    while (awake_ > 0) std::this_thread::yield();
    return report;
  }

 private:
  void call() {
    called_ = true;
    called_.notify_all();
  }
  void help() {
    for (called_.wait(false); !ended_; called_.wait(false)) {
      ++awake_;
      while (called_ && !ended_) {
        if (search_->help(whole_search) == Progress::done) std::this_thread::yield();
      }
      --awake_;
    }
  }

  std::unique_ptr<engine::Search> search_;
  std::atomic<bool> called_ = false;
  std::atomic<bool> ended_ = false;
  std::atomic<std::size_t> awake_ = 0;
  std::vector<std::jthread> helpers_;
};

/// Times of one search, one per round.
using Times = std::vector<double>;

/// The median of the rounds' ratios, not the ratio of the fastest rounds: on a busy machine a
/// single fast round may be luck.
MedianEstimate median_ratio(const Times& times, const Times& base) {
  Times ratios;
  std::ranges::transform(times, base, std::back_inserter(ratios), std::divides());
  return estimate_median(std::move(ratios));
}

/// Times searches in turn, round after round, so that all of them meet a change in the machine's
/// speed. Ratios compare with the first search.
std::vector<Timing> timed(const games::AnyGame& game, std::span<const Options> list,
                          double seconds) {
  std::vector<Times> times(list.size());
  std::vector<double> lasted(list.size(), 0);  // seconds of the round before
  std::vector<Timing> timings;
  for (const Options& options : list) timings.push_back({std::string(game.name()), options});
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::vector<std::unique_ptr<Team>> teams;
  for (const Options& options : list)
    teams.push_back(std::make_unique<Team>(game, options.threads));
  const bool shared = list.back().threads > 1;
  Times lines;
  for (int round = 0; round < 2 || std::chrono::steady_clock::now() < end; ++round) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      // A warm-up search comes first: the other searches' trees have driven this one's out of the
      // caches.
      if (lasted[i] < long_search) static_cast<void>(teams[i]->searched(game, list[i]));
      const engine::Report report = teams[i]->searched(game, list[i]);
      lasted[i] = report.seconds;
      if (round == 0) continue;  // the first round allocates the memory
      times[i].push_back(seconds_a_simulation(teams[i]->search(), report));
      timings[i].bytes_per_node =
          static_cast<double>(report.bytes) / static_cast<double>(report.nodes);
    }
    if (shared) lines.push_back(time_line());
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    timings[i].seconds = median(times[i]);
    timings[i].ratio = median_ratio(times[i], times[0]);
    if (list[i].threads > 1) timings[i].line_seconds = median(lines);
  }
  return timings;
}

}  // namespace

engine::Report searched(engine::Search& search, const games::AnyGame& game,
                        const Options& options) {
  search.begin(game, 0, options, engine::limits_of(options));
  while (search.run(whole_search) != Progress::done) {
  }
  return search.report();
}

double seconds_a_simulation(const engine::Search& search, const engine::Report& report) {
  const std::chrono::duration<double> processor_time = search.effort().processor_time;
  const double seconds = report.options.threads > 1 ? report.seconds : processor_time.count();
  return seconds / static_cast<double>(report.simulations);
}

std::vector<engine::Assignment> settings_of_rows(const std::vector<std::string>& words,
                                                 const std::vector<std::string_view>& others) {
  constexpr std::array<std::string_view, 7> of_rows{
      "novelty", "estimators", "mast", "solver", "relative_bonus", "qualitative_bonus", "threads"};
  std::string text;
  for (const std::string& word : words) text += word + " ";
  auto settings = engine::parse_assignments(text);
  for (const auto& [name, value] : settings) {
    require(std::ranges::find(of_rows, name) == of_rows.end() &&
                std::ranges::find(others, name) == others.end(),
            "--set " + name + ": the rows differ in this option");
  }
  Options options;
  set_options(options, settings);
  return settings;
}

void set_options(Options& options, const std::vector<engine::Assignment>& settings) {
  for (const auto& [name, value] : settings) engine::set_option(options, name, value);
}

namespace {

/// Appends the options if the game supports them.
void add_if_possible(std::vector<Options>& list, const games::AnyGame& game,
                     const Options& options) {
  try {
    engine::check_options(game, options);
    list.push_back(options);
  } catch (const engine::BadOption&) {
    return;
  }
}

/// The bonuses with the playouts that they were made for, after these playouts alone.
void add_bonuses(std::vector<Options>& list, const games::AnyGame& game, const Options& plain) {
  Options options = plain;
  options.playout = engine::Playout::informed;
  const std::size_t before = list.size();
  add_if_possible(list, game, options);
  if (list.size() == before) options.playout = engine::Playout::uniform;
  options.relative_bonus = true;
  add_if_possible(list, game, options);
  options.qualitative_bonus = true;
  add_if_possible(list, game, options);
}

/// The options that look at every legal move of a playout: much slower, so with fewer simulations.
void add_learning(std::vector<Options>& list, const games::AnyGame& game, const Options& plain) {
  Options options = plain;
  options.simulations = std::max<std::int64_t>(simulation_bound(plain, false) / 5, 1);
  list.push_back(options);
  if (options.evaluation == engine::EvaluatorKind::playout) {
    options.mast = 0.3;
    add_if_possible(list, game, options);
    options.mast = 0;
  }
  for (const char* estimators :
       {"history,global", "history,global,3x3", "history,global,3x3,oma"}) {
    engine::set_option(options, "estimators", estimators);
    add_if_possible(list, game, options);
  }
}

}  // namespace

void add_measures(std::vector<Options>& list, const games::AnyGame& game, Options options) {
  using engine::Novelty;
  for (const auto measure : {Novelty::none, Novelty::pseudocount, Novelty::pseudocount_features,
                             Novelty::evaluation, Novelty::threshold}) {
    options.novelty = measure;
    add_if_possible(list, game, options);
  }
}

std::vector<Options> variants(const games::AnyGame& game, const SearchPlan& plan) {
  std::vector<Options> list;
  Options plain;
  plain.seed = 1;
  plain.simulations = plan.simulations;
  set_options(plain, plan.settings);
  engine::check_options(game, plain);
  for (const auto evaluation :
       {engine::EvaluatorKind::static_value, engine::EvaluatorKind::playout}) {
    plain.evaluation = evaluation;
    add_measures(list, game, plain);
    Options options = plain;
    options.solver = true;
    add_if_possible(list, game, options);
    if (evaluation == engine::EvaluatorKind::playout) add_bonuses(list, game, plain);
    add_learning(list, game, plain);
  }
  return list;
}

bool is_plain(const Options& options) {
  return options.novelty == engine::Novelty::none && options.estimators.empty() &&
         options.mast == 0 && !options.solver && bonus_name(options) == "none";
}

std::string bonus_name(const Options& options) {
  if (options.relative_bonus) return options.qualitative_bonus ? "both" : "relative";
  return options.qualitative_bonus ? "qualitative" : "none";
}

std::string leaf_name(const Options& options) {
  const bool plays_out = options.evaluation == engine::EvaluatorKind::playout;
  return engine::get_option(options, plays_out ? "playout" : "evaluation");
}

std::string variant_name(const Options& options) {
  if (is_plain(options)) return "-";
  if (!options.estimators.empty()) return engine::get_option(options, "estimators");
  if (bonus_name(options) != "none") return "bonus: " + bonus_name(options);
  if (options.solver) return "solver";
  if (options.mast != 0) return "mast " + engine::get_option(options, "mast");
  return engine::get_option(options, "novelty");
}

std::vector<std::string> row_names(const Options& options) {
  return {leaf_name(options), variant_name(options),
          leaf_name(options) + " " + variant_name(options)};
}

PlayoutTiming time_playouts(const games::AnyGame& game, double seconds) {
  using SteadyClock = std::chrono::steady_clock;
  constexpr int playouts_a_round = 100;
  games::Random random(1);
  std::vector<double> times;
  std::int64_t plies = 0;
  const auto end = SteadyClock::now() + std::chrono::duration<double>(seconds);
  do {
    const auto begin = engine::thread_time();
    for (int i = 0; i < playouts_a_round; ++i) plies += game.random_playout(random).plies;
    const std::chrono::duration<double> spent = engine::thread_time() - begin;
    times.push_back(spent.count() / playouts_a_round);
  } while (SteadyClock::now() < end);
  const auto playouts = static_cast<double>(times.size() * playouts_a_round);
  return {std::string(game.name()), game.bytes(), median(times),
          static_cast<double>(plies) / playouts};
}

namespace {

bool is_picked(const Options& options, const SearchPlan& plan) {
  const auto names = row_names(options);
  return plan.rows.empty() || std::ranges::find_first_of(names, plan.rows) != names.end();
}

}  // namespace

std::vector<Timing> time_variants(const games::AnyGame& game, const SearchPlan& plan,
                                  double seconds) {
  auto list = variants(game, plan);
  // A bonus bounded by 0 takes the same work and leaves the tree unchanged.
  for (Options& options : list) options.bonus_bound = 0;
  // Each plain search that is picked, or with which one that is picked is compared.
  std::vector<std::vector<Options>> groups;
  for (auto begin = list.begin(); begin != list.end();) {
    const auto end = std::find_if(begin + 1, list.end(), is_plain);
    std::vector<Options> group{*begin};
    std::copy_if(begin + 1, end, std::back_inserter(group),
                 [&](const Options& options) { return is_picked(options, plan); });
    if (group.size() > 1 || is_picked(group[0], plan)) groups.push_back(std::move(group));
    begin = end;
  }
  std::vector<Timing> timings;
  for (const auto& group : groups) {
    std::ranges::move(timed(game, group, seconds / static_cast<double>(groups.size())),
                      std::back_inserter(timings));
  }
  return timings;
}

std::vector<Timing> time_threads(const games::AnyGame& game, const SearchPlan& plan,
                                 int most_threads, double seconds) {
  std::vector<Options> list;
  Options options = variants(game, plan).front();
  for (options.threads = 1; options.threads <= most_threads; options.threads *= 2) {
    list.push_back(options);
  }
  return timed(game, list, seconds);
}

}  // namespace pitboss::clients
