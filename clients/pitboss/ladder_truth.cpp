#include "clients/pitboss/ladder_truth.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <variant>

#include "clients/experiments/statistics/intervals.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "games/rules_text.hpp"

namespace pitboss::clients {

namespace {

/// The options of a player of ours without the exact solver, with which no result would be lost.
std::vector<engine::Assignment> unsolved_options(const Player& player) {
  std::vector<engine::Assignment> out = player.options;
  std::erase_if(out, [](const engine::Assignment& option) { return option.name == "exact"; });
  out.push_back({"exact", "off"});
  return out;
}

bool is_bounded_by_time(const std::vector<engine::Assignment>& options) {
  return std::ranges::count(options, "movetime", &engine::Assignment::name) > 0;
}

/// Those of the flags, if the player plays at one of them; else its own.
ServerFlags servers_of(const Player& player, const ServerFlags& flags) {
  ServerFlags out = flags;
  const auto* const own = std::get_if<Address>(&player.location);
  if (own != nullptr && std::ranges::count(out.servers, own->text()) == 0) {
    out.servers = {own->text()};
  }
  return out;
}

int sign(int value) { return (value > 0) - (value < 0); }

bool is_lost_by(const TruthPosition& of, const std::string& move) {
  const auto best =
      std::ranges::max_element(of.moves, {}, [](const auto& one) { return one.second; });
  const auto chosen = of.moves.find(move);
  require(chosen != of.moves.end(), of.position.position + " has no value of " + move);
  return sign(chosen->second) < sign(best->second);
}

TruthPosition position_in(const std::string& line) {
  const auto json = nlohmann::json::parse(line);
  Match match;
  set_game(match, json.at("game").get<std::string>());
  const auto position = match.initial_position();
  position->set_position(json.at("position").get<std::string>());
  TruthPosition out{{games::rules_text(*position), position->position()}, json.at("moves")};
  require(!out.moves.empty(), "no move has a value");
  return out;
}

}  // namespace

std::vector<TruthPosition> read_truth_positions(const std::filesystem::path& path) {
  std::vector<TruthPosition> out;
  std::istringstream lines(read_text_file(path));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = path.string() + ", line " + std::to_string(++number) + ": ";
    try {
      out.push_back(position_in(line));
    } catch (const nlohmann::json::exception& e) {
      throw UserError(where + e.what());
    } catch (const games::BadGame& e) {
      throw UserError(where + e.what());
    } catch (const UserError& e) {
      throw UserError(where + e.what());
    }
  }
  return out;
}

std::optional<int> measure_errors(const std::vector<TruthPosition>& positions,
                                  const std::vector<GameLadders>& games, const Results& results,
                                  const std::filesystem::path& folder, const ServerFlags& servers,
                                  TruthErrors& errors) {
  struct Asked {
    const Player* player;
    std::string title;
    std::vector<const TruthPosition*> positions;
  };
  std::vector<Asked> all;
  for (const GameLadders& game : games) {
    const Match& match = results.matches()[game.tournament.matches.front()].match();
    const std::string rules = games::rules_text(*match.initial_position());
    std::vector<const TruthPosition*> own;
    for (const TruthPosition& of : positions) {
      if (of.position.rules == rules) own.push_back(&of);
    }
    if (own.empty()) continue;
    for (const Player* player : players_of(results.experiment())) {
      const bool is_here = std::ranges::count(game.tournament.players, player->name) > 0;
      if (!is_here || player->language != Language::pitboss || player->clock) continue;
      all.push_back({player, game.tournament.title, own});
    }
  }
  std::filesystem::create_directories(folder);
  const Interruption interruption;
  for (const auto& [player, title, own] : all) {
    const std::vector<engine::Assignment> options = unsolved_options(*player);
    FindingsFile file(folder / (title + "-" + player->name + ".jsonl"),
                      {{"version", 1}, {"options", text_of(options)}, {"seed", 1}, {"lines", 1}});
    std::vector<GamePosition> questions;
    for (const TruthPosition* of : own) questions.push_back(of->position);
    // Searches that time bounds are not made side by side.
    const ReviewSearch search{
        .options = options, .lines = 1, .connections = is_bounded_by_time(options) ? 1 : 0};
    std::vector<std::string> refused;
    if (const auto code = search_missing(servers_of(*player, servers), search, questions, file,
                                         interruption, refused)) {
      return code;
    }
    require(refused.empty(), refused.empty() ? "" : refused.front());
    int lost = 0;
    for (const TruthPosition* of : own) {
      lost += is_lost_by(*of, file.findings().at(of->position).lines.front().moves.front()) ? 1 : 0;
    }
    const int count = static_cast<int>(own.size());
    Cell& share = errors[{title, player->name}];
    share = share_cell(static_cast<double>(lost) / count, wilson_interval(lost, count), count);
    share.is_strong = false;  // a half means nothing here
  }
  return std::nullopt;
}

}  // namespace pitboss::clients
