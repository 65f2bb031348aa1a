#include "clients/review/review.hpp"

#include <set>
#include <utility>

#include "games/rules_text.hpp"

namespace pitboss::clients {

namespace {

/// The game with its positions; nothing of the findings yet.
ReviewedGame replayed(GameOnFile game) {
  ReviewedGame out;
  out.rules = rules_text(*game.record.start);
  const auto position = game.record.start->clone();
  out.positions.push_back(position->position());
  for (const std::string& move : game.record.moves) {
    out.movers.push_back(static_cast<int>(games::index(position->to_move())));
    position->play(move);
    out.positions.push_back(position->position());
  }
  if (position->result().finished()) {
    const auto shares = shares_in(*position);
    out.values.emplace_back(shares.begin(), shares.end());
  }
  out.game = std::move(game);
  return out;
}

/// How many of its positions are searched.
std::size_t searched(const ReviewedGame& game) {
  return game.positions.size() - game.values.size();
}

/// Whether each position of the game was found.
bool take_findings(ReviewedGame& game, const std::map<GamePosition, Finding>& findings) {
  std::vector<PositionValues> values;
  for (std::size_t i = 0; i < searched(game); ++i) {
    const auto found = findings.find({game.rules, game.positions[i]});
    if (found == findings.end()) return false;
    game.findings.push_back(&found->second);
    values.push_back(found->second.values);
  }
  if (game.findings.size() < game.positions.size()) {
    game.findings.push_back(nullptr);
    values.push_back(game.values.front());
  }
  game.values = std::move(values);
  return true;
}

std::vector<MoveMade> moves_of(const ReviewedGame& game) {
  std::vector<MoveMade> moves;
  for (std::size_t i = 0; i < game.movers.size(); ++i) {
    const std::string& best = game.findings[i]->lines.front().moves.front();
    moves.push_back({game.movers[i], best == game.game.record.moves[i]});
  }
  return moves;
}

}  // namespace

std::vector<GamePosition> questions_of(std::span<const GameOnFile> games) {
  std::vector<GamePosition> questions;
  std::set<GamePosition> known;
  for (const GameOnFile& game : games) {
    const ReviewedGame read = replayed(game);
    for (std::size_t i = 0; i < searched(read); ++i) {
      GamePosition question{read.rules, read.positions[i]};
      if (known.insert(question).second) questions.push_back(std::move(question));
    }
  }
  return questions;
}

std::vector<ReviewedGame> reviewed(std::vector<GameOnFile> games,
                                   const std::map<GamePosition, Finding>& findings,
                                   const Thresholds& thresholds) {
  std::vector<ReviewedGame> out;
  for (GameOnFile& game : games) {
    ReviewedGame read = replayed(std::move(game));
    if (!take_findings(read, findings)) continue;
    read.verdicts = verdicts_on(read.values, moves_of(read), thresholds);
    out.push_back(std::move(read));
  }
  return out;
}

}  // namespace pitboss::clients
