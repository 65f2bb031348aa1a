#include "clients/pitboss/search_checks.hpp"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "clients/experiments/seating.hpp"
#include "clients/players/engine_failure.hpp"
#include "clients/referee/first_moves.hpp"
#include "clients/referee/move_costs.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

using environment::AwakeClock;

constexpr int openings_asked = 8;
constexpr std::size_t moves_each = 4;
constexpr std::chrono::seconds enough_asked{10};

/// The moves that an engine chooses after the openings of the first rounds.
using Lines = std::vector<std::vector<std::string>>;

asio::awaitable<Lines> lines_of(Engine& engine, const Match& match, int openings) {
  Lines lines;
  const auto start = AwakeClock::now();
  while (static_cast<int>(lines.size()) < openings && AwakeClock::now() - start < enough_asked) {
    const int round = static_cast<int>(lines.size());
    // One seed for both engines, so that they can be compared.
    const std::int64_t seed = engine_seed(match, round * match.round(), 0);
    std::vector<std::string> line;
    const auto made = co_await first_moves(engine, match, round, seed, moves_each);
    for (const TimedMove& one : made) line.push_back(one.move);
    lines.push_back(std::move(line));
  }
  co_return lines;
}

/// Where a line is another one than before: "after d1 d2 it chose d3, and then e1".
std::string difference(const std::vector<std::string>& opening, const std::vector<std::string>& one,
                       const std::vector<std::string>& other) {
  const auto [a, b] = std::ranges::mismatch(one, other);
  if (a == one.end() || b == other.end()) return {};
  std::string after;
  for (const std::string& move : opening) after += " " + move;
  std::for_each(one.begin(), a, [&](const std::string& move) { after += " " + move; });
  return (after.empty() ? "at first" : "after" + after) + " it chose " + *a + ", and then " + *b;
}

/// The file of the program that runs in a build's work tree, if it lies there: without a slash in
/// its name it is one of PATH.
fs::path program_file(const EngineBuild& engine, const std::string& program) {
  if (program.starts_with('/') || program.find('/') == std::string::npos) return {};
  std::error_code error;
  const fs::path file = fs::canonical(engine.tree() / program, error);
  if (error || !fs::is_regular_file(file, error)) return {};
  const fs::path inside = file.lexically_relative(fs::canonical(engine.tree()));
  return *inside.begin() == ".." ? fs::path() : file;
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A script may start anything; of a compiled program the file tells.
bool are_same_programs(const fs::path& one, const fs::path& other) {
  if (one.empty() || other.empty() || fs::file_size(one) != fs::file_size(other)) return false;
  const std::string bytes = content_of(one);
  return bytes.starts_with(
             "\x7f"
             "ELF") &&
         bytes == content_of(other);
}

}  // namespace

SearchChecks check_searches(const Match& match, const std::array<EngineBuild, 2>& builds,
                            const std::string& program, const std::string& bench,
                            const std::atomic<bool>& stop) {
  SearchChecks checks;
  checks.bench = bench;
  checks.is_same_program =
      are_same_programs(program_file(builds[0], program), program_file(builds[1], program));
  if (!bench.empty()) {
    for (const std::size_t i : {0, 1}) {
      checks.bench_says[i] = output_in(builds[i], bench, stop);
      checks.is_bench_alike[i] = output_in(builds[i], bench, stop) == checks.bench_says[i];
      if (stop) return checks;
    }
  }
  const bool is_fixed = std::ranges::none_of(match.players, may_time_end_moves);
  std::array<Lines, 2> lines;
  for (const std::size_t i : {0, 1}) {
    const Player& player = match.players[i];
    int openings = is_fixed ? openings_asked : 0;
    const auto ask = [&](Engine& engine, const Declaration&) {
      return lines_of(engine, match, openings);
    };
    try {
      lines[i] = ask_engine<Lines>(make_engine, match, player, ask, stop);
      if (!is_fixed) continue;
      openings = static_cast<int>(lines[i].size());
      const auto again = ask_engine<Lines>(make_engine, match, player, ask, stop);
      for (std::size_t r = 0; r < again.size() && checks.other_move[i].empty(); ++r) {
        const auto opening = opening_of(match, static_cast<int>(r));
        checks.other_move[i] = difference(opening, lines[i][r], again[r]);
      }
    } catch (const EngineFailure& failure) {
      if (stop) return checks;
      throw EngineUnfit(builds[i].commit.text() + " does not play " + rules_text(match) + ": " +
                        failure.what());
    }
  }
  if (!is_fixed) return checks;
  const std::size_t both = std::min(lines[0].size(), lines[1].size());
  checks.openings = static_cast<int>(both);
  for (std::size_t r = 0; r < both; ++r) checks.alike += lines[0][r] == lines[1][r] ? 1 : 0;
  return checks;
}

std::vector<std::string> remarks_on(const SearchChecks& checks, const Match& match) {
  std::vector<std::string> out;
  for (const std::size_t i : {0, 1}) {
    const std::string& name = match.players[i].name;
    if (!checks.other_move[i].empty()) {
      out.push_back("a search of " + name + " does not repeat: " + checks.other_move[i]);
    }
    if (!checks.bench.empty() && !checks.is_bench_alike[i]) {
      out.push_back("the bench of " + name + " does not say the same twice");
    }
  }
  if (checks.is_same_program) {
    out.emplace_back("both commits build the same program, byte for byte");
  }
  if (!checks.bench.empty() && checks.bench_says[0] == checks.bench_says[1]) {
    out.emplace_back("the bench says the same of both commits");
  }
  if (checks.openings && checks.alike == *checks.openings && *checks.openings > 0) {
    out.push_back("both choose the same first moves after all of " +
                  std::to_string(*checks.openings) + " openings");
  }
  return out;
}

}  // namespace pitboss::clients
