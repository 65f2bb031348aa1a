#include "clients/referee/verify_games.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "clients/referee/exact_score.hpp"
#include "engine/exact/exact_solver.hpp"

namespace pitboss::clients {

namespace {

/// The position after the recorded moves.
std::unique_ptr<games::AnyGame> replay(const Match& match, const PlayedGame& record) {
  auto position = match.initial_position();
  for (const std::string& move : split(record.moves)) {
    check_record(!position->result().finished(), "it goes on after its end");
    std::string canonical;
    try {
      canonical = position->canonical(move);
    } catch (const games::BadGame& e) {
      throw std::runtime_error("move " + move + ": " + e.what());
    }
    check_record(canonical == move, "a move is not written as we write it");
    position->play(move);
  }
  return position;
}

/// Of a game that a solver ended, at this position.
void check_proof(const Match& match, const PlayedGame& record, const games::AnyGame& position) {
  check_record(match.adjudication.exact, "the experiment has no exact adjudication");
  if (!engine::expected_positions(position)) return;
  const auto score = exact_score_at_once(position);
  check_record(score.has_value(), "no solver proves a result for its last position");
  const int mover = seating_of(match, record.game - 1).player_of(position.to_move());
  const auto& winner = match.players[*score > 0 ? mover : 1 - mover].name;
  check_record(record.winner == (*score == 0 ? "draw" : winner),
               "the result is not what a solver proves");
}

void check(const Match& match, const PlayedGame& record) {
  const int game = record.game - 1;
  check_record(game >= 0 && record.round == round_of(match, game) + 1, "it is not in its round");
  check_record(record.seats == seats_in(match, game), "the players have the wrong seats");
  check_record(record.opening == join(opening_of(match, round_of(match, game))),
               "the opening is not the round's");
  check_record((record.moves + " ").starts_with(record.opening.empty() ? "" : record.opening + " "),
               "it does not begin with the opening");
  check_game(record, sides_of(match));

  const auto position = replay(match, record);
  check_record(position->result().finished() == (record.reason == "rules"),
               "the reason does not fit the end of the game");
  if (record.reason == "rules") {
    check_record(record.result == games::score_text(*position),
                 "the result is not what the rules say");
  }
  if (record.reason == "length") {
    check_record(match.max_plies > 0 && record.plies == match.max_plies,
                 "the game did not reach max_plies");
  }
  if (record.reason == time_forfeit) {
    const bool is_first = record.loser() == match.players[0].name;
    check_record(match.players[is_first ? 0 : 1].clock.has_value(), "the loser had no clock");
  }
  if (record.reason == "adjudicated") {
    check_record(match.adjudication.hears_values(), "the experiment has no adjudication by values");
  }
  if (record.reason == exact_verdict) check_proof(match, record, *position);
}

}  // namespace

std::string fault_in(const Match& match, const PlayedGame& record) {
  try {
    check(match, record);
    return {};
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

std::vector<std::string> faults_in(const Experiment& experiment,
                                   const std::vector<PlayedRound>& played) {
  std::vector<std::string> faults;
  for (const PlayedRound& round : played) {
    const Match& match = experiment.matches[round.match];
    const std::string where =
        "match " + std::to_string(round.match + 1) + " (" + match.game + "), ";
    const bool is_whole = round.games.size() == static_cast<std::size_t>(match.round());
    if (!is_whole && !experiment.tuning) {  // which may propose a part
      faults.push_back(where + "round " + std::to_string(round.round + 1) + " is not whole");
    }
    for (const PlayedGame& game : round.games) {
      const std::string fault = fault_in(match, game);
      if (!fault.empty()) {
        faults.push_back(where + "game " + std::to_string(game.game) + ": " + fault);
      }
    }
  }
  return faults;
}

std::vector<std::string> unproven_in(const Experiment& experiment,
                                     const std::vector<PlayedRound>& played) {
  std::map<int, int> games;  // by match
  for (const PlayedRound& round : played) {
    const auto start = experiment.matches[round.match].initial_position();
    if (engine::expected_positions(*start)) continue;
    const auto proven = std::ranges::count(round.games, exact_verdict, &PlayedGame::reason);
    if (proven > 0) games[round.match] += static_cast<int>(proven);
  }
  std::vector<std::string> sentences;
  for (const auto& [match, count] : games) {
    const auto start = experiment.matches[match].initial_position();
    sentences.push_back(
        "match " + std::to_string(match + 1) + ": " + std::to_string(count) +
        " results that a solver has proven are not checked: " + engine::why_unsolved(*start));
  }
  return sentences;
}

}  // namespace pitboss::clients
