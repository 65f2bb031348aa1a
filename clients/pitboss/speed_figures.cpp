#include "clients/pitboss/speed_figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/network_figures.hpp"
#include "clients/pitboss/overhead_json.hpp"
#include "clients/pitboss/search_signature.hpp"
#include "clients/results/document/formatting.hpp"
#include "engine/search/search.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

using Json = nlohmann::ordered_json;

namespace {

using engine::Options;

using StartList = std::vector<std::unique_ptr<games::AnyGame>>;

StartList games_named(const std::vector<std::string>& names) {
  try {
    StartList out;
    for (const std::string& name : names) out.push_back(games::make_game(name));
    return out;
  } catch (const games::BadGame& bad) {
    throw UserError(bad.what());
  }
}

/// How long a cache line takes between threads, if there are several threads.
std::string line_text(const Timing& timing) {
  return timing.options.threads > 1 ? std::to_string(std::lround(1e9 * timing.line_seconds)) : "-";
}

}  // namespace

std::string command_of(const SpeedPlan& plan) {
  std::string out = "pitboss bench --json";
  for (const std::string& game : plan.games) out += " --game " + game;
  out += " --simulations " + std::to_string(plan.searches.simulations);
  out += format(" --threads %d --seconds %g", plan.threads, plan.seconds);
  for (const std::string& row : plan.searches.rows) out += " --row '" + row + "'";
  for (const auto& [name, value] : plan.searches.settings) out += " --set " + name + "=" + value;
  if (plan.has_features) out += " --features";
  if (plan.has_networks) out += " --networks";
  return out;
}

namespace {

/// Throws UserError if no game has a row of a name.
void check_rows(const StartList& games, const SearchPlan& plan) {
  std::set<std::string> known;
  for (const auto& game : games) {
    for (const Options& options : variants(*game, plan)) {
      for (std::string& name : row_names(options)) known.insert(std::move(name));
    }
  }
  for (const std::string& row : plan.rows) {
    if (known.contains(row)) continue;
    std::string all;
    for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
    throw UserError("no search is called '" + row + "'; --row takes " + all);
  }
}

GameSpeed measured(const games::AnyGame& game, const SpeedPlan& plan, DisturbanceWatch& watch) {
  const SearchPlan& searches = plan.searches;
  const auto variants_in = [&](double seconds) {
    return watch.during([&] { return time_variants(game, searches, seconds); });
  };
  if (!searches.rows.empty()) return {variants_in(plan.seconds), {}, {}};
  // Only long searches profit from several threads.
  SearchPlan longer = searches;
  longer.simulations *= 20;
  return {variants_in(0.65 * plan.seconds),
          time_threads(game, longer, plan.threads, 0.25 * plan.seconds),
          watch.during([&] { return time_playouts(game, 0.1 * plan.seconds); })};
}

}  // namespace

SpeedFigures measure_speed(const SpeedPlan& plan) {
  const std::int64_t simulations = plan.searches.simulations;
  require(simulations >= 1 && simulations <= 10'000'000, "simulations must be from 1 to 10000000");
  require(plan.threads >= 1 && plan.threads <= 64, "threads must be from 1 to 64");
  require(plan.seconds >= 0 && plan.seconds <= 3600, "seconds must be from 0 to 3600");
  const StartList games = games_named(plan.games);
  check_rows(games, plan.searches);
  SpeedFigures out;
  out.command = command_of(plan);
  DisturbanceWatch watch;
  for (const auto& game : games) {
    out.games.push_back(measured(*game, plan, watch));
    if (plan.has_features) {
      out.features.push_back(time_features(*game, simulations, plan.seconds));
    }
    if (plan.has_networks) {
      // These searches are much slower than the others.
      const std::int64_t fewer = std::max<std::int64_t>(simulations / 10, 1);
      out.networks.push_back(
          time_paper_network(*game, {fewer, plan.seconds, plan.searches.settings}));
    }
  }
  out.disturbance = watch.seen();
  out.signature = search_signature(plan.games);
  return out;
}

Json json_of(const SpeedFigures& figures) {
  Json json{{"command", figures.command},
            {"signature", figures.signature},
            {"load", figures.disturbance.load},
            {"time_lost", figures.disturbance.lost}};
  auto& rows = json["rows"] = Json::array();
  const auto add = [&](const Timing& t, const MedianEstimate& overhead, double speedup) {
    rows.push_back({{"game", t.game},
                    {"evaluation", engine::get_option(t.options, "evaluation")},
                    {"novelty", engine::get_option(t.options, "novelty")},
                    {"playout", engine::get_option(t.options, "playout")},
                    {"estimators", engine::get_option(t.options, "estimators")},
                    {"bonus", bonus_name(t.options)},
                    {"solver", t.options.solver},
                    {"mast", t.options.mast},
                    {"selection", engine::get_option(t.options, "selection")},
                    {"threads", t.options.threads},
                    {"simulations", engine::simulation_bound(t.options, false)},
                    {"simulations_per_second", 1 / t.seconds},
                    {"ns_per_simulation", 1e9 * t.seconds},
                    {"speedup", speedup},
                    {"line_ns", t.options.threads > 1 ? Json(1e9 * t.line_seconds) : Json()},
                    {"bytes_per_node", t.bytes_per_node}});
    put_overhead(rows.back(), overhead);
  };
  for (const GameSpeed& game : figures.games) {
    for (const Timing& t : game.variants) add(t, t.ratio, 1);
    for (const Timing& t : game.threads) {
      // Several threads have a speed-up instead.
      const MedianEstimate none{1, std::nullopt, t.ratio.count};
      add(t, t.options.threads == 1 ? t.ratio : none, 1 / t.ratio.value);
    }
  }
  for (const GameSpeed& game : figures.games) {
    if (!game.playouts) continue;
    const PlayoutTiming& t = *game.playouts;
    json["playouts"].push_back({{"game", t.game},
                                {"bytes", t.bytes},
                                {"playouts_per_second", 1 / t.seconds},
                                {"plies", t.plies},
                                {"ns_per_move", 1e9 * t.seconds / t.plies}});
  }
  for (const FeatureTiming& timing : figures.features) json["features"].push_back(json_of(timing));
  for (const NetworkTiming& timing : figures.networks) {
    Json network{{"game", timing.game}};
    network.update(json_of(timing));
    json["networks"].push_back(std::move(network));
  }
  return json;
}

namespace {

void print_threads(const std::vector<GameSpeed>& games) {
  std::printf("\n%-14s %-8s %-9s %11s %12s %8s %9s %8s\n", "game", "leaf", "threads", "simulations",
              "sim/s", "ns/sim", "speedup", "line, ns");
  for (const GameSpeed& game : games) {
    for (const Timing& t : game.threads) {
      std::printf("%-14s %-8s %-9d %11lld %12.0f %8.0f %9.3f %8s\n", t.game.c_str(),
                  engine::get_option(t.options, "evaluation").c_str(),
                  static_cast<int>(t.options.threads),
                  static_cast<long long>(engine::simulation_bound(t.options, false)), 1 / t.seconds,
                  1e9 * t.seconds, 1 / t.ratio.value, line_text(t).c_str());
    }
  }
}

void print_playouts(const std::vector<GameSpeed>& games) {
  std::printf("\n%-14s %8s %12s %8s %8s\n", "game", "bytes", "playouts/s", "plies", "ns/move");
  for (const GameSpeed& game : games) {
    const PlayoutTiming& t = *game.playouts;
    std::printf("%-14s %8zu %12.0f %8.1f %8.1f\n", t.game.c_str(), t.bytes, 1 / t.seconds, t.plies,
                1e9 * t.seconds / t.plies);
  }
}

}  // namespace

void print_tables(const SpeedFigures& figures) {
  std::printf("%-15s %-8s %-22s %12s %8s %9s %11s\n", "game", "leaf", "with", "sim/s", "ns/sim",
              "overhead", "bytes/node");
  for (const GameSpeed& game : figures.games) {
    for (const Timing& t : game.variants) {
      std::printf("%-15s %-8s %-22s %12.0f %8.0f %9.3f %11.0f\n", t.game.c_str(),
                  leaf_name(t.options).c_str(), variant_name(t.options).c_str(), 1 / t.seconds,
                  1e9 * t.seconds, t.ratio.value, t.bytes_per_node);
    }
  }
  if (figures.games[0].playouts) {
    print_threads(figures.games);
    print_playouts(figures.games);
  }
  if (!figures.features.empty()) {
    std::printf("\n");
    print_table(figures.features);
  }
  if (!figures.networks.empty()) {
    std::printf("\n");
    print_tables(figures.networks);
    std::printf("\n");
  }
  std::printf("signature %s\n", figures.signature.c_str());
  print_if_disturbed(figures.disturbance);
}

}  // namespace pitboss::clients
