#include "clients/bench.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "clients/user_error.hpp"
#include "engine/search.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

namespace {

using engine::Options;

struct Row {
  std::string game;
  std::string evaluation;
  std::string novelty;
  std::string selection;
  double seconds = 0;   ///< per simulation
  double overhead = 1;  ///< over the same search without novelty
};

engine::Report searched(const games::AnyGame& game, const Options& options) {
  const auto search = engine::make_search(game);
  search->begin(game, 0, options, engine::limits_of(options));
  while (search->run(std::chrono::hours(1)) != engine::Progress::done) {
  }
  return search->report();
}

/// All option sets that make sense for a game: static values with every measure, and playouts.
std::vector<Options> variants(const games::AnyGame& game, std::int64_t simulations) {
  std::vector<Options> list;
  for (const auto evaluation : {engine::Evaluation::static_value, engine::Evaluation::playout}) {
    for (const auto choice : engine::option_row("novelty").choices) {
      Options options;
      options.seed = 1;
      options.simulations = simulations;
      options.evaluation = evaluation;
      engine::set_option(options, "novelty", choice);
      try {
        engine::check_options(game, options);
        list.push_back(options);
      } catch (const engine::BadOption&) {
        continue;  // the game lacks what this variant needs
      }
    }
  }
  return list;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Times all variants of a game in turn, round after round, so that a change in the machine's speed
/// meets all of them; overheads are medians of the rounds' ratios.
std::vector<Row> timed(const games::AnyGame& game, std::int64_t simulations, double seconds) {
  const std::vector<Options> options = variants(game, simulations);
  std::vector<std::vector<double>> times(options.size());
  std::vector<std::vector<double>> ratios(options.size());
  std::vector<std::unique_ptr<engine::Search>> searches;
  for (std::size_t i = 0; i < options.size(); ++i) searches.push_back(engine::make_search(game));
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (int round = 0; round < 2 || std::chrono::steady_clock::now() < end; ++round) {
    double base = 0;
    for (std::size_t i = 0; i < options.size(); ++i) {
      searches[i]->begin(game, 0, options[i], engine::limits_of(options[i]));
      while (searches[i]->run(std::chrono::hours(1)) != engine::Progress::done) {
      }
      const engine::Report report = searches[i]->report();
      const double time = report.seconds / static_cast<double>(report.simulations);
      if (options[i].novelty == engine::Novelty::none) base = time;
      if (round == 0) continue;  // the memory is taken in the first round
      times[i].push_back(time);
      ratios[i].push_back(time / base);
    }
  }
  std::vector<Row> rows;
  for (std::size_t i = 0; i < options.size(); ++i) {
    rows.push_back({std::string(game.name()), engine::get_option(options[i], "evaluation"),
                    engine::get_option(options[i], "novelty"),
                    engine::get_option(options[i], "selection"), median(times[i]),
                    median(ratios[i])});
  }
  return rows;
}

void print_json(const std::string& signature, std::int64_t simulations,
                const std::vector<Row>& rows) {
  nlohmann::ordered_json json{{"signature", signature}, {"simulations", simulations}};
  json["rows"] = nlohmann::ordered_json::array();
  for (const Row& r : rows) {
    json["rows"].push_back({{"game", r.game},
                            {"evaluation", r.evaluation},
                            {"novelty", r.novelty},
                            {"selection", r.selection},
                            {"threads", 1},
                            {"simulations_per_second", 1 / r.seconds},
                            {"ns_per_simulation", 1e9 * r.seconds},
                            {"overhead", r.overhead}});
  }
  std::cout << json.dump(2) << "\n";
}

void print_table(const std::string& signature, const std::vector<Row>& rows) {
  std::printf("%-14s %-8s %-21s %12s %8s %9s\n", "game", "leaf", "novelty", "sim/s", "ns/sim",
              "overhead");
  for (const Row& r : rows) {
    std::printf("%-14s %-8s %-21s %12.0f %8.0f %9.3f\n", r.game.c_str(), r.evaluation.c_str(),
                r.novelty.c_str(), 1 / r.seconds, 1e9 * r.seconds, r.overhead);
  }
  std::printf("signature %s\n", signature.c_str());
}

}  // namespace

std::string search_signature(const std::vector<std::string>& names) {
  std::uint64_t hash = 0;
  for (const std::string& name : names) {
    const auto game = games::make_game(name);
    for (Options options : variants(*game, 2000)) {
      for (const char* preset : {"reference", "paper"}) {
        engine::set_option(options, "preset", preset);
        for (const engine::MoveReport& move : searched(*game, options).moves) {
          for (const char c : move.move) hash = games::mix(hash + static_cast<unsigned char>(c));
          hash = games::mix(hash + static_cast<std::uint64_t>(move.visits));
        }
      }
    }
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

int bench(const std::vector<std::string>& arguments) {
  namespace po = boost::program_options;
  std::vector<std::string> names;
  std::int64_t simulations = 5000;
  double seconds = 2;
  po::options_description description("pitboss bench: the speed of the search");
  description.add_options()("help", "this text")("json", "print JSON instead of a table")(
      "game", po::value(&names), "a game to measure; may be repeated; default all")(
      "simulations", po::value(&simulations)->default_value(simulations), "simulations a search")(
      "seconds", po::value(&seconds)->default_value(seconds), "time to spend on each game");
  po::variables_map given;
  try {
    po::store(po::command_line_parser(arguments).options(description).positional({}).run(), given);
    po::notify(given);
  } catch (const po::error& error) {
    throw UserError(error.what());
  }
  if (given.contains("help")) {
    std::cout << description;
    return 0;
  }
  if (simulations < 1 || simulations > 100'000'000) {
    throw UserError("simulations must be from 1 to 100000000");
  }
  if (!(seconds >= 0 && seconds <= 3600)) throw UserError("seconds must be from 0 to 3600");
  if (names.empty()) names.assign(games::game_names().begin(), games::game_names().end());
  std::vector<Row> rows;
  try {
    for (const std::string& name : names) {
      const auto game = games::make_game(name);
      for (Row& row : timed(*game, simulations, seconds)) rows.push_back(std::move(row));
    }
  } catch (const games::BadGame& bad) {
    throw UserError(bad.what());
  }
  const std::string hash = search_signature(names);
  if (given.contains("json")) {
    print_json(hash, simulations, rows);
  } else {
    print_table(hash, rows);
  }
  return 0;
}

}  // namespace pitboss::clients
