#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/players/gtp_engine.hpp"
#include "clients/players/move_notation.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// Any engine that speaks GTP 2 (Farnebäck, *Specification of the Go Text Protocol*). GTP
/// cannot say which game is to be played, only the size of a square board.
class PlainGtpEngine final : public GtpEngine {
 public:
  PlainGtpEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : GtpEngine(executor, player) {}

  boost::asio::awaitable<Declaration> examine(const Match& match) override;
  [[nodiscard]] Declaration declaration() const override { return declaration_; }
  boost::asio::awaitable<std::vector<MoveFigures>> figures() override;
  boost::asio::awaitable<void> play(games::Colour mover, std::string move) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;

 private:
  boost::asio::awaitable<void> greet() override;
  boost::asio::awaitable<void> look_for_clock();
  boost::asio::awaitable<void> set_up(const Match& match, std::int64_t seed) override;

  boost::asio::awaitable<void> find_notation(const Match& match);
  boost::asio::awaitable<void> hear_what_it_lists();
  boost::asio::awaitable<bool> takes(const NotationQuestion& question);
  boost::asio::awaitable<void> expect_swap();

  boost::asio::awaitable<void> start_over();
  boost::asio::awaitable<void> replay();
  boost::asio::awaitable<void> tell_all();
  boost::asio::awaitable<bool> takes_move(const games::AnyGame& position, games::Colour mover,
                                          const std::string& move);
  boost::asio::awaitable<bool> takes_word(games::Colour mover,
                                          std::vector<std::string_view>& words);
  boost::asio::awaitable<std::string> ask_for_move(games::Colour mover,
                                                   std::chrono::milliseconds timeout);
  boost::asio::awaitable<std::string> hear_move(games::Colour mover,
                                                std::chrono::milliseconds timeout);
  [[nodiscard]] bool must_pass() const;
  [[nodiscard]] bool is_hex() const { return initial_->name() == "hex"; }
  [[nodiscard]] std::string_view swap_of_hex() const;
  [[nodiscard]] bool is_other_sides(const std::string& answer) const;

  std::string commands_;  ///< that the engine lists, a line each
  std::unique_ptr<games::AnyGame> initial_;
  std::unique_ptr<games::AnyGame> position_;
  std::vector<std::string> moves_;  ///< of this game
  std::string found_for_;           ///< the rules for which the notation was found; empty: for none
  std::optional<NotationCandidates> notation_;
  /// The words that it may take for these moves. Without any for a pass it passes by itself;
  /// without any for a swap it is told the stone as one of the colour that has it then.
  std::vector<std::string_view> pass_words_;
  std::vector<std::string_view> swap_words_;
  Declaration declaration_;
  std::vector<MoveFigures> figures_;  ///< as its comments have told
};

}  // namespace pitboss::clients
