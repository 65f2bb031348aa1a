#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iomanip>
#include <iostream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "clients/referee/ledger/database_server.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/new_referee.hpp"
#include "clients/referee/schedule.hpp"
#include "tests/bench/ledger_model.hpp"
#include "tests/clients/referee/recorded_games.hpp"

// How many rounds a second a ledger takes: `bench FOLDER SECONDS` has 1, 2, 4 and 8 referees, which
// play nothing, claim rounds and write them as fast as they can, in a file and in a PostgreSQL
// server that it starts in FOLDER; then it tells what the model in ledger_model.hpp makes of it.
namespace {

using namespace pitboss::clients;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int rounds_at_hand = 200'000;  // more than can be written

Experiment long_match() {
  Experiment experiment{.name = "bench", .matches = {}, .sprt = {}};
  experiment.matches.push_back(made_match("connect4", "A", "B", rounds_at_hand));
  return experiment;
}

/// Games to be written down again and again, under other numbers.
std::vector<PlayedGame> sample(const Match& match) {
  std::vector<PlayedGame> games;
  for (int game = 0; game < 64; ++game) games.push_back(recorded_game(match, game));
  return games;
}

/// A referee whose games cost nothing.
class Scribe {
 public:
  Scribe(const LedgerPlace& place, const Experiment& experiment, int number)
      : experiment_(experiment),
        games_(sample(experiment.matches[0])),
        ledger_(place, experiment),
        schedule_(experiment, {}) {
    ledger_.open_for_writing();
    RefereeEntry referee = new_referee(std::filesystem::temp_directory_path());
    referee.id += std::to_string(number);
    referee.name += std::to_string(number);
    ledger_.transact([&] { ledger_.enter(referee, std::chrono::seconds(30)); });
  }

  /// Writes the rounds that it holds and claims as many others, in one transaction; returns how
  /// many were written.
  int turn(int rounds) {
    std::vector<PlayedRound> finished;
    while (const auto task = schedule_.next([](int) { return true; })) {
      PlayedGame game = games_[static_cast<std::size_t>(task->game) % games_.size()];
      game.game = task->game + 1;
      game.round = round_of(experiment_.matches[0], task->game) + 1;
      if (auto round = schedule_.add(*task, std::move(game))) finished.push_back(std::move(*round));
    }
    const int games = rounds * experiment_.matches[0].round();
    const auto requests = schedule_.requests([&](int) { return games; }, [](int) { return false; },
                                             Supply{.idle = games - 1, .ahead = 1});
    News news;
    ledger_.transact([&] {
      for (const PlayedRound& round : finished) {
        ledger_.finish(claims_[static_cast<std::size_t>(round.round)], round);
      }
      news = ledger_.ask(requests);
    });
    for (const PlayedRound& round : finished) schedule_.learn(round.match, round.round);
    for (const PlayedRound& round : news.finished) schedule_.learn(round.match, round.round);
    schedule_.hold(news.held);
    for (const Claim& claim : news.claims) {
      claims_[static_cast<std::size_t>(claim.round)] = claim;
      static_cast<void>(schedule_.grant(claim.match, claim.round));
    }
    return static_cast<int>(finished.size());
  }

 private:
  const Experiment& experiment_;
  std::vector<PlayedGame> games_;
  Ledger ledger_;
  Schedule schedule_;
  std::vector<Claim> claims_ = std::vector<Claim>(rounds_at_hand);
};

struct Rate {
  double transactions = 0;  ///< a second, of all referees
  double rounds = 0;
};

Rate measure(const LedgerPlace& place, int referees, int rounds, double seconds) {
  const Experiment experiment = long_match();
  std::vector<std::unique_ptr<Scribe>> scribes;
  for (int i = 0; i < referees; ++i) {
    scribes.push_back(std::make_unique<Scribe>(place, experiment, i));
    scribes.back()->turn(rounds);
  }
  std::atomic<int> transactions = 0;
  std::atomic<int> written = 0;
  const auto begun = Clock::now();
  std::vector<std::jthread> threads;
  for (auto& scribe : scribes) {
    threads.emplace_back([&, of = scribe.get()] {
      while (Seconds(Clock::now() - begun).count() < seconds) {
        written += of->turn(rounds);
        ++transactions;
      }
    });
  }
  threads.clear();
  const double time = Seconds(Clock::now() - begun).count();
  return {transactions / time, written / time};
}

/// Costs by three measurements: one referee with few and with many rounds a transaction, and two.
LedgerCosts costs_of(const Rate& one_few, const Rate& one_many, const Rate& two_many, int few,
                     int many, int processors) {
  LedgerCosts out;
  out.processors = processors;
  const double small = 1 / one_few.transactions;
  const double large = 1 / one_many.transactions;
  out.own_round = (large - small) / (many - few);
  out.transaction = std::max(0.0, small - few * out.own_round);
  const double each = std::min(2, processors) / two_many.transactions;
  out.other_round = std::max(0.0, (each - large) / many);
  return out;
}

void row(const std::string& where, int referees, int rounds, const Rate& rate, double predicted) {
  std::cout << "| " << where << " | " << referees << " | " << rounds << " | "
            << std::lround(rate.transactions) << " | " << std::lround(rate.rounds) << " | "
            << std::lround(predicted) << " |\n"
            << std::flush;
}

/// What a model of referees without games, each with `rounds` in play, foretells.
double foretold(const LedgerCosts& costs, int referees, int rounds) {
  return LedgerSimulation(costs,
                          {.count = referees, .in_play = rounds, .round_time = 0, .gathering = 0})
      .run(20);
}

void run(const std::filesystem::path& folder, double seconds) {
  constexpr int few = 1;
  constexpr int many = 100;
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  std::cout << "| Ledger | Referees | Rounds a transaction | Transactions/s | Rounds/s | "
               "Simulation |\n| --- | --- | --- | --- | --- | --- |\n";
  int number = 0;
  const auto in_file = [&](int rounds) {
    return measure(folder / ("file" + std::to_string(++number)), 1, rounds, seconds);
  };
  const Rate file_few = in_file(few);
  const Rate file_many = in_file(many);
  const LedgerCosts file = costs_of(file_few, file_many, file_many, few, many, 1);
  row("SQLite", 1, few, file_few, foretold(file, 1, few));
  row("SQLite", 1, many, file_many, foretold(file, 1, many));

  const std::string url = start_server(folder / "server").url();
  const auto in_database = [&](int referees, int rounds) {
    const DatabasePlace place(url, "bench " + std::to_string(++number));
    return measure(place, referees, rounds, seconds);
  };
  std::vector<std::pair<int, int>> kinds;
  for (const int rounds : {few, 10, many}) {
    for (const int referees : {1, 2, 4, 8}) kinds.emplace_back(referees, rounds);
  }
  std::map<std::pair<int, int>, Rate> rates;
  for (const auto& kind : kinds) rates[kind] = in_database(kind.first, kind.second);
  stop_server(folder / "server");
  const LedgerCosts costs =
      costs_of(rates[{1, few}], rates[{1, many}], rates[{2, many}], few, many, processors);
  for (const auto& [referees, rounds] : kinds) {
    row("PostgreSQL", referees, rounds, rates[{referees, rounds}],
        foretold(costs, referees, rounds));
  }
  std::cout << std::fixed << std::setprecision(3) << "\nA transaction in PostgreSQL costs "
            << costs.transaction * 1e3 << " ms, a round written " << costs.own_round * 1e3
            << " ms, a round of others read " << costs.other_round * 1e3 << " ms, of "
            << costs.processors << " processors.\n\n"
            << std::setprecision(0)
            << "| Referees | Rounds/s of each, if nothing waits | All | Simulation | Formula | "
               "Bound |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const int referees : {1, 8, 64, 256}) {
    for (const int each : {1, 10, 100}) {
      constexpr int in_play = 100;
      const Referees of{
          .count = referees, .in_play = in_play, .round_time = static_cast<double>(in_play) / each};
      std::cout << "| " << referees << " | " << each << " | " << referees * each << " | "
                << LedgerSimulation(costs, of).run(20 * (of.round_time + 1)) << " | "
                << predicted(costs, of) << " | " << bound(costs, referees) << " |\n";
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return EXIT_FAILURE;
  try {
    const std::filesystem::path folder = arguments[1];
    std::filesystem::create_directories(folder);
    ::chmod(folder.c_str(), 0711);  // for the user that runs the server if root runs this
    run(folder, std::atof(arguments[2]));
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
