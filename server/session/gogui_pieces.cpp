#include "server/session/gogui_pieces.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "games/grid.hpp"
#include "games/letter_case.hpp"
#include "server/session/board_words.hpp"

namespace pitboss::server {

namespace {

struct Paint {
  std::string_view game;
  char piece;
  std::string_view colour;
};
constexpr std::array<Paint, 7> paints{{{"amazons", '*', "#505050"},
                                       {"cannon", 'B', "#000000"},
                                       {"cannon", 'W', "#ffffff"},
                                       {"rolit", 'R', "#d02020"},
                                       {"rolit", 'Y', "#e8d020"},
                                       {"rolit", 'G', "#20a030"},
                                       {"rolit", 'B', "#2040d0"}}};

constexpr std::string_view dark_edge = "#404040";
constexpr std::string_view light_edge = "#ffffff";

bool is_in_white_place(const games::AnyGame& game) { return games::index(game.to_move()) % 2 == 1; }

}  // namespace

std::string gogui_point(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

char gogui_stone(char content) { return content == 'X' || content == 'O' ? content : '.'; }

std::string piece_graphics(const games::AnyGame& game) {
  std::map<std::string_view, std::string> points_by_colour;
  for (const auto& [point, content] : contents(game)) {
    const auto* const paint = std::ranges::find_if(paints, [&, piece = content](const Paint& p) {
      return p.game == game.name() && p.piece == piece;
    });
    if (paint == paints.end()) continue;
    points_by_colour[paint->colour] += ' ' + gogui_point(point);
  }
  std::string text;
  for (const auto& [colour, points] : points_by_colour) {
    text += (text.empty() ? "COLOR " : "\nCOLOR ") + std::string(colour) + points;
  }
  return text;
}

std::string edge_graphics(const games::AnyGame& game) {
  if (game.name() != "hex") return {};
  const int last = game.shape().side() - 1;
  std::string dark;
  std::string light;
  for (int i = 1; i < last; ++i) {
    for (const int end : {0, last}) {
      dark += ' ' + gogui_point(games::point_text(i, end));
      light += ' ' + gogui_point(games::point_text(end, i));
    }
  }
  return "COLOR " + std::string(dark_edge) + dark + "\nCOLOR " + std::string(light_edge) + light;
}

std::string gogui_side_to_move(const games::AnyGame& game) {
  return is_in_white_place(game) ? "white" : "black";
}

std::optional<games::Colour> gogui_colour(const games::AnyGame& game, std::string_view colour) {
  const bool has_other_colours = game.colours().front() != "black";
  const bool is_white =
      games::same_ignoring_case(colour, "w") || games::same_ignoring_case(colour, "white");
  const bool is_black =
      games::same_ignoring_case(colour, "b") || games::same_ignoring_case(colour, "black");
  if (!has_other_colours || !(is_white || is_black)) return std::nullopt;
  const int turn = games::index(game.to_move());
  const bool is_turn = is_white == is_in_white_place(game);
  return static_cast<games::Colour>(is_turn ? turn : (turn + 1) % game.players());
}

}  // namespace pitboss::server
