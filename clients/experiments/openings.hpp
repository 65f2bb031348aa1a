#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"

namespace pitboss::clients {

/// How the games of a match begin. All games of a round begin alike. The opening of a round depends
/// on the game, these settings and the seed, not on the players.
///
/// Openings are counted in turns: a turn is one ply, except that a chain of captures is one turn
/// however long.
struct Openings {
  enum class Kind : std::uint8_t {
    random,  ///< each round draws `turns` uniformly random turns of each side
    all,     ///< each of `lines` once, in an order drawn from the seed, then all over again
    listed   ///< `lines` one after the other, then all over again
  };
  using Lines = std::vector<std::vector<std::string>>;

  int turns = 1;
  Kind kind = Kind::random;
  /// For `all`: one line of moves to each unfinished position after `turns` turns. Matches with the
  /// same openings share it.
  std::shared_ptr<const Lines> lines = nullptr;

  /// The openings as `parse_openings` reads them: "none", "random:1", "all:2",
  /// "list:d4 d5;c3".
  [[nodiscard]] std::string text() const;
  /// For the user: the same, but "all:2 (2352 openings)", "250 listed openings".
  [[nodiscard]] std::string summary() const;
  friend bool operator==(const Openings& a, const Openings& b) { return a.text() == b.text(); }
};

/// The most positions that are visited to find all openings.
inline constexpr std::size_t most_openings = 1'000'000;

/// Reads "none", "random:N" (N up to 1000), "all:N", "list:MOVES;MOVES", "book:NAME", one of the
/// game's books in the folder `data`, or "file:PATH"; a relative PATH is looked for in `folder`.
/// The moves must be legal from `start` and must not finish the game. Throws UserError for anything
/// else.
[[nodiscard]] Openings parse_openings(std::string_view text, const games::AnyGame& start,
                                      const std::filesystem::path& folder = {});

/// Openings from a list: moves from `start` separated by blanks, each line one
/// opening. Throws UserError, which names the line by its place in `lines`, from 1.
[[nodiscard]] Openings listed_openings(const std::vector<std::string>& lines,
                                       const games::AnyGame& start);

/// The first line of a book: the rules of its game.
[[nodiscard]] std::string book_heading(const games::AnyGame& start);

/// The same from a file; '#' begins a comment, empty lines are no openings. A book must be one of
/// this game.
[[nodiscard]] Openings read_openings(const std::filesystem::path& file,
                                     const games::AnyGame& start);

/// The most positions that are visited to count random openings.
inline constexpr std::size_t most_counted = 100'000;

/// How many different positions the openings lead to; nothing if there are too many to count.
[[nodiscard]] std::optional<std::size_t> distinct_openings(const Openings& openings,
                                                           const games::AnyGame& start);

/// The moves of a round's opening, from `start`. They never finish the game: a random opening that
/// does is drawn again. Throws UserError if no opening of that length was found.
[[nodiscard]] std::vector<std::string> draw_opening(const games::AnyGame& start,
                                                    const Openings& openings, std::int64_t seed,
                                                    int round);

/// `round` with the list's order drawn anew from the seed for each pass through it, so that who
/// plays every second round does not meet every second opening. As it is, for random openings.
[[nodiscard]] int round_in_random_order(const Openings& openings, std::int64_t seed, int round);
/// For each of so many rounds, the number of which `round_in_random_order` makes it.
[[nodiscard]] std::vector<int> numbers_in_random_order(const Openings& openings, std::int64_t seed,
                                                       int rounds);

}  // namespace pitboss::clients
