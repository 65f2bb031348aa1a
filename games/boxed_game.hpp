#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/any_game.hpp"
#include "games/planes.hpp"

namespace pitboss::games {

/// The one implementation of AnyGame: a game of type G and its parameters.
template <Game G>
class BoxedGame final : public AnyGame {
 public:
  explicit BoxedGame(Parameters parameters)
      : parameters_(std::make_shared<const Parameters>(std::move(parameters))),
        game_(G::create(*parameters_)) {}

  [[nodiscard]] const G& game() const { return game_; }

  [[nodiscard]] std::unique_ptr<AnyGame> clone() const override;
  [[nodiscard]] std::string_view name() const override { return G::name; }
  [[nodiscard]] const Parameters& parameters() const override { return *parameters_; }
  [[nodiscard]] std::span<const std::string_view> colours() const override;
  [[nodiscard]] std::string_view piece_letters() const override {
    return games::piece_letters<G>();
  }
  [[nodiscard]] int max_plies() const override { return G::max_plies; }
  [[nodiscard]] BoardShape shape() const override { return game_.shape(); }
  [[nodiscard]] Colour to_move() const override { return game_.to_move(); }
  [[nodiscard]] Result result() const override { return game_.result(); }
  [[nodiscard]] int margin() const override { return game_.margin(); }
  [[nodiscard]] std::vector<std::string> legal_moves() const override;
  [[nodiscard]] std::vector<SteppedMove> stepped_moves() const override;
  [[nodiscard]] Move find(std::string_view text) const override;
  [[nodiscard]] std::string text(Move move) const override { return game_.text(move); }
  using AnyGame::play;
  void play(Move move) override { game_.play(move); }
  [[nodiscard]] std::string random_move(Random& random) const override;
  Playout random_playout(Random& random) const override;
  Playout informed_playout(Random& random) const override;
  [[nodiscard]] std::size_t bytes() const override { return sizeof(G); }
  [[nodiscard]] int policy_size() const override { return game_.policy_size(); }
  void policy_moves(std::vector<PolicyMove>& moves) const override;
  [[nodiscard]] int plane_count() const override { return games::plane_count(game_); }
  void fill_planes(float* out) const override { games::fill_planes(game_, out); }
  void fill_planes(std::int8_t* out) const override { games::fill_planes(game_, out); }
  [[nodiscard]] std::optional<double> static_value() const override;
  [[nodiscard]] std::string board_text() const override;
  [[nodiscard]] std::string position() const override;
  void set_position(std::string_view text) override;
  [[nodiscard]] std::unique_ptr<Perft> perft(int depth) const override;
  [[nodiscard]] std::optional<std::vector<std::vector<std::string>>> distinct_lines(
      int turns, std::size_t limit) const override;

 private:
  std::shared_ptr<const Parameters> parameters_;  ///< the same for all clones
  G game_;
};

}  // namespace pitboss::games
