#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "clients/referee/ledger/database_server.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/schedule.hpp"
#include "environment/processors.hpp"
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
    const RefereeEntry referee = made_referee(std::to_string(number), std::to_string(number));
    ledger_.open_for_writing([&] { ledger_.enter(referee, std::chrono::seconds(30)); });
  }

  struct Done {
    int written = 0;
    int read = 0;  ///< rounds that others have finished
  };
  /// Writes the rounds that it holds and claims as many others, in one transaction.
  Done turn(int rounds) {
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
    return {static_cast<int>(finished.size()), static_cast<int>(news.finished.size())};
  }

 private:
  const Experiment& experiment_;
  std::vector<PlayedGame> games_;
  Ledger ledger_;
  Schedule schedule_;
  std::vector<Claim> claims_ = std::vector<Claim>(rounds_at_hand);
};

/// Processor time of this process.
double own_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Processor time of a PostgreSQL server in a folder, of its connections only those that have
/// ended.
double time_of_server(const std::filesystem::path& folder) {
  std::string process;
  std::getline(std::ifstream(folder / "data/postmaster.pid"), process);
  std::ifstream file("/proc/" + process + "/stat");
  const std::string line{std::istreambuf_iterator<char>(file), {}};
  std::istringstream words(line.substr(line.rfind(')') + 1));
  const std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
  double ticks = 0;
  for (std::size_t i = 11; i < 15; ++i) ticks += std::stod(fields.at(i));
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// What some referees have done in some time.
struct Measured {
  double seconds = 0;
  double transactions = 0;
  double written = 0;
  double read = 0;
  double referees_time = 0;  ///< of processors
  double server_time = 0;

  [[nodiscard]] double rounds() const { return written / seconds; }
};

Measured measure(const LedgerPlace& place, int referees, int rounds, double seconds) {
  const Experiment experiment = long_match();
  std::vector<std::unique_ptr<Scribe>> scribes;
  for (int i = 0; i < referees; ++i) {
    scribes.push_back(std::make_unique<Scribe>(place, experiment, i));
    scribes.back()->turn(rounds);
  }
  std::atomic<int> transactions = 0;
  std::atomic<int> written = 0;
  std::atomic<int> read = 0;
  const double time_before = own_time();
  const auto begun = Clock::now();
  std::vector<std::jthread> threads;
  for (auto& scribe : scribes) {
    threads.emplace_back([&, of = scribe.get()] {
      while (Seconds(Clock::now() - begun).count() < seconds) {
        const Scribe::Done done = of->turn(rounds);
        written += done.written;
        read += done.read;
        ++transactions;
      }
    });
  }
  threads.clear();
  Measured out;
  out.seconds = Seconds(Clock::now() - begun).count();
  out.referees_time = own_time() - time_before;
  out.transactions = transactions;
  out.written = written;
  out.read = read;
  return out;
}

/// The costs of a transaction, of a round written and of a round read that fit times best, by least
/// squares of the deviations from each; none is below 0.
template <class Time>
LedgerCosts fitted(const std::vector<Measured>& all, const Time& time) {
  std::array<double, 3> costs{};
  for (int turn = 0; turn < 10'000; ++turn) {
    for (std::size_t i = 0; i < 3; ++i) {  // coordinate descent
      double above = 0;
      double below = 0;
      for (const Measured& one : all) {
        const std::array counts{one.transactions, one.written, one.read};
        double rest = time(one);
        for (std::size_t j = 0; j < 3; ++j) rest -= j == i ? 0 : costs[j] * counts[j];
        const double weight = 1 / (time(one) * time(one));
        above += weight * rest * counts[i];
        below += weight * counts[i] * counts[i];
      }
      costs[i] = below > 0 ? std::max(0.0, above / below) : 0;
    }
  }
  LedgerCosts out;
  out.transaction = costs[0];
  out.own_round = costs[1];
  out.other_round = costs[2];
  return out;
}

/// What the simulation says of referees without games, each with `rounds` in play.
double simulated(const LedgerCosts& costs, int referees, int rounds) {
  Referees of;
  of.count = referees;
  of.in_play = rounds;
  of.round_time = 0;
  of.gathering = 0;
  return LedgerSimulation(costs, of).run(20);
}

void row(const std::string& where, int referees, int rounds, const Measured& one,
         const LedgerCosts& costs) {
  std::cout << "| " << where << " | " << referees << " | " << rounds << " | "
            << std::lround(one.transactions / one.seconds) << " | " << std::lround(one.rounds())
            << " | " << std::lround(simulated(costs, referees, rounds)) << " |\n"
            << std::flush;
}

/// Of referees that play alone: what is left of a transaction's time if nobody computes.
double wait_of(const Measured& alone) {
  return std::max(0.0,
                  (alone.seconds - alone.referees_time - alone.server_time) / alone.transactions);
}

std::string cost_line(const std::string& whose, const LedgerCosts& costs) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(3) << "| " << whose << " | " << costs.transaction * 1e3
      << " | " << costs.own_round * 1e3 << " | " << costs.other_round * 1e3 << " |\n";
  return out.str();
}

void run(const std::filesystem::path& folder, double seconds) {
  const std::array sizes{1, 10, 100};
  const auto processors = environment::processors();
  std::vector<Measured> in_file;
  for (const int rounds : sizes) {
    in_file.push_back(measure(folder / ("file" + std::to_string(rounds)), 1, rounds, seconds));
  }
  const std::filesystem::path home = folder / "server";
  const std::string url = start_server(home).url();
  std::vector<Measured> in_database;
  std::vector<std::pair<int, int>> kinds;
  for (const int rounds : sizes) {
    for (const int referees : {1, 2, 4, 8}) {
      const double before = time_of_server(home);
      const DatabasePlace place(url, std::to_string(rounds) + " of " + std::to_string(referees));
      Measured one = measure(place, referees, rounds, seconds);
      std::this_thread::sleep_for(std::chrono::milliseconds(200));  // until connections have ended
      one.server_time = time_of_server(home) - before;
      in_database.push_back(one);
      kinds.emplace_back(referees, rounds);
    }
  }
  stop_server(home);

  const auto referees_time = [](const Measured& one) { return one.referees_time; };
  const auto server_time = [](const Measured& one) { return one.server_time; };
  const auto all_time = [](const Measured& one) { return one.referees_time + one.server_time; };
  LedgerCosts file = fitted(in_file, referees_time);
  file.wait = wait_of(in_file.front());
  LedgerCosts here = fitted(in_database, all_time);
  here.wait = wait_of(in_database.front());
  here.processors = processors;
  std::cout << "| Ledger | Referees | Rounds a transaction | Transactions/s | Rounds/s | "
               "Simulation |\n| --- | --- | --- | --- | --- | --- |\n";
  for (std::size_t i = 0; i < sizes.size(); ++i) row("SQLite", 1, sizes[i], in_file[i], file);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    row("PostgreSQL", kinds[i].first, kinds[i].second, in_database[i], here);
  }
  LedgerCosts server = fitted(in_database, server_time);
  std::cout << "\n| Processor time, ms | a transaction | a round written | a round of others read "
               "|\n| --- | --- | --- | --- |\n"
            << cost_line("SQLite, referee", file) << cost_line("PostgreSQL, server", server)
            << cost_line("PostgreSQL, referee", fitted(in_database, referees_time))
            << "\nBeside it a transaction waits " << here.wait * 1e3 << " ms, in a file "
            << file.wait * 1e3 << " ms; there are " << processors << " processors.\n\n"
            << "| Referees | Rounds/s of each, if nothing waits | All | Simulation | Formula | "
               "Bound |\n| --- | --- | --- | --- | --- | --- |\n"
            << std::fixed << std::setprecision(0);
  // Each on a machine of its own, the server on one like this.
  server.wait = here.wait;
  server.processors = processors;
  for (const int referees : {1, 8, 64, 256}) {
    for (const int each : {1, 10, 100}) {
      Referees of;
      of.count = referees;
      of.in_play = 100;
      of.round_time = static_cast<double>(of.in_play) / each;
      std::cout << "| " << referees << " | " << each << " | " << referees * each << " | "
                << LedgerSimulation(server, of).run(200 * (of.round_time + 1)) << " | "
                << predicted(server, of) << " | " << bound(server, referees) << " |\n";
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
