#include "clients/pitboss/commands.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/feature_timing.hpp"
#include "clients/pitboss/network_figures.hpp"
#include "clients/pitboss/network_timing.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/search_signature.hpp"
#include "clients/pitboss/search_timing.hpp"
#include "engine/search.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

namespace {

using engine::Options;

/// The measured times of one game.
struct Timings {
  std::vector<Timing> variants;
  std::vector<Timing> threads;  ///< the first one is for one thread
  PlayoutTiming playouts;
};
using Features = std::vector<FeatureTiming>;
using Networks = std::vector<NetworkTiming>;

void print_json(const std::string& signature, const std::vector<Timings>& games,
                const Features& features, const Networks& networks) {
  using Json = nlohmann::ordered_json;
  Json json{{"signature", signature}};
  auto& rows = json["rows"] = Json::array();
  const auto add = [&](const Timing& t, double overhead, double speedup) {
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
                    {"overhead", overhead},
                    {"speedup", speedup},
                    {"line_ns", t.options.threads > 1 ? Json(1e9 * t.line_seconds) : Json()},
                    {"bytes_per_node", t.bytes_per_node}});
  };
  for (const Timings& game : games) {
    for (const Timing& t : game.variants) add(t, t.ratio, 1);
    for (const Timing& t : game.threads) add(t, 1, 1 / t.ratio);
  }
  for (const Timings& game : games) {
    const PlayoutTiming& t = game.playouts;
    json["playouts"].push_back({{"game", t.game},
                                {"bytes", t.bytes},
                                {"playouts_per_second", 1 / t.seconds},
                                {"plies", t.plies},
                                {"ns_per_move", 1e9 * t.seconds / t.plies}});
  }
  for (const FeatureTiming& timing : features) json["features"].push_back(json_of(timing));
  for (const NetworkTiming& timing : networks) {
    Json network{{"game", timing.game}};
    network.update(json_of(timing));
    json["networks"].push_back(std::move(network));
  }
  std::cout << json.dump(2) << "\n";
}

/// The options in which a search differs from a plain one.
std::string variant_name(const Options& options) {
  if (is_plain(options)) return "-";
  if (!options.estimators.empty()) return engine::get_option(options, "estimators");
  if (bonus_name(options) != "none") return "bonus: " + bonus_name(options);
  if (options.solver) return "solver";
  if (options.mast != 0) return "mast " + engine::get_option(options, "mast");
  return engine::get_option(options, "novelty");
}

/// How long a cache line takes between threads, if there are several threads.
std::string line_text(const Timing& timing) {
  return timing.options.threads > 1 ? std::to_string(std::lround(1e9 * timing.line_seconds)) : "-";
}

void print_tables(const std::string& signature, const std::vector<Timings>& games,
                  const Features& features, const Networks& networks) {
  std::printf("%-15s %-8s %-22s %12s %8s %9s %11s\n", "game", "leaf", "with", "sim/s", "ns/sim",
              "overhead", "bytes/node");
  for (const Timings& game : games) {
    for (const Timing& t : game.variants) {
      const bool plays_out = t.options.evaluation == engine::EvaluatorKind::playout;
      const std::string leaf = engine::get_option(t.options, plays_out ? "playout" : "evaluation");
      std::printf("%-15s %-8s %-22s %12.0f %8.0f %9.3f %11.0f\n", t.game.c_str(), leaf.c_str(),
                  variant_name(t.options).c_str(), 1 / t.seconds, 1e9 * t.seconds, t.ratio,
                  t.bytes_per_node);
    }
  }
  std::printf("\n%-14s %-8s %-9s %11s %12s %8s %9s %8s\n", "game", "leaf", "threads", "simulations",
              "sim/s", "ns/sim", "speedup", "line, ns");
  for (const Timings& game : games) {
    for (const Timing& t : game.threads) {
      std::printf("%-14s %-8s %-9d %11lld %12.0f %8.0f %9.3f %8s\n", t.game.c_str(),
                  engine::get_option(t.options, "evaluation").c_str(),
                  static_cast<int>(t.options.threads),
                  static_cast<long long>(engine::simulation_bound(t.options, false)), 1 / t.seconds,
                  1e9 * t.seconds, 1 / t.ratio, line_text(t).c_str());
    }
  }
  std::printf("\n%-14s %8s %12s %8s %8s\n", "game", "bytes", "playouts/s", "plies", "ns/move");
  for (const Timings& game : games) {
    const PlayoutTiming& t = game.playouts;
    std::printf("%-14s %8zu %12.0f %8.1f %8.1f\n", t.game.c_str(), t.bytes, 1 / t.seconds, t.plies,
                1e9 * t.seconds / t.plies);
  }
  if (!features.empty()) {
    std::printf("\n");
    print_table(features);
  }
  if (!networks.empty()) {
    std::printf("\n");
    print_tables(networks);
    std::printf("\n");
  }
  std::printf("signature %s\n", signature.c_str());
}

}  // namespace

int bench(const std::vector<std::string>& arguments) {
  namespace po = boost::program_options;
  std::vector<std::string> names;
  std::int64_t simulations = 5000;
  int threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 64);
  double seconds = 2;
  po::options_description description("pitboss bench: the speed of the search");
  description.add_options()("help", "this text")("json", "print JSON instead of a table")(
      "game", po::value(&names), "a game to measure; may be repeated; default all")(
      "simulations", po::value(&simulations)->default_value(simulations), "simulations a search")(
      "threads", po::value(&threads)->default_value(threads), "most threads for one search")(
      "seconds", po::value(&seconds)->default_value(seconds), "time to spend on each game")(
      "features", "time features, too: how long a position takes, and a biased search")(
      "networks",
      "time networks, too: the novelty papers' with random weights, in searches of a tenth of the "
      "simulations; takes as long again");
  const auto given = read_flags("bench", "", description, arguments);
  if (!given) return 0;
  if (simulations < 1 || simulations > 10'000'000) {
    throw UserError("simulations must be from 1 to 10000000");
  }
  if (threads < 1 || threads > 64) throw UserError("threads must be from 1 to 64");
  if (!(seconds >= 0 && seconds <= 3600)) throw UserError("seconds must be from 0 to 3600");
  if (names.empty()) names.assign(games::game_names().begin(), games::game_names().end());
  std::vector<Timings> timings;
  Features features;
  Networks networks;
  try {
    for (const std::string& name : names) {
      const auto game = games::make_game(name);
      // Only long searches profit from several threads.
      timings.push_back({time_variants(*game, simulations, 0.65 * seconds),
                         time_threads(*game, 20 * simulations, threads, 0.25 * seconds),
                         time_playouts(*game, 0.1 * seconds)});
      if (given->contains("features")) {
        features.push_back(time_features(*game, simulations, seconds));
      }
      if (given->contains("networks")) {
        // These searches are much slower than the others.
        const std::int64_t fewer = std::max<std::int64_t>(simulations / 10, 1);
        networks.push_back(time_paper_network(*game, fewer, seconds));
      }
    }
  } catch (const games::BadGame& bad) {
    throw UserError(bad.what());
  }
  const std::string hash = search_signature(names);
  if (given->contains("json")) {
    print_json(hash, timings, features, networks);
  } else {
    print_tables(hash, timings, features, networks);
  }
  return 0;
}

}  // namespace pitboss::clients
