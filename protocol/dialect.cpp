#include "protocol/dialect.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "games/notation.hpp"

namespace pitboss::protocol {

namespace {

constexpr std::array<std::string_view, 3> names{"plain", "gogui", "hexgui"};

/// The word for the swap rule's move.
constexpr std::string_view swap = "swap";
constexpr std::string_view hexgui_swap = "swap-pieces";

games::Notation notation(Dialect dialect, const games::BoardShape& shape) {
  switch (dialect) {
    case Dialect::hexgui:
      // HexGui draws row 1 at the top. Where that keeps neighbours together, rows keep their names.
      return {true, draws_upside_down(dialect, shape) ? 0 : shape.height};
    case Dialect::gogui:
      return {false, draws_upside_down(dialect, shape) ? shape.height : 0};
    case Dialect::plain:
      break;
  }
  return {};
}

}  // namespace

std::string_view dialect_name(Dialect dialect) { return names[static_cast<std::size_t>(dialect)]; }

std::optional<Dialect> dialect_named(std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Dialect>(found - names.begin());
}

bool draws_upside_down(Dialect dialect, const games::BoardShape& shape) {
  return dialect != Dialect::plain && shape.lattice == games::Lattice::hexagonal_falling;
}

std::string spoken(Dialect dialect, const games::BoardShape& shape, std::string_view move) {
  if (dialect == Dialect::hexgui && move == swap) return std::string(hexgui_swap);
  return games::rewritten(move, {}, notation(dialect, shape));
}

std::string heard(Dialect dialect, const games::BoardShape& shape, std::string_view move) {
  const auto is_same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  if (dialect == Dialect::hexgui && std::ranges::equal(move, hexgui_swap, is_same)) {
    return std::string(swap);
  }
  return games::rewritten(move, notation(dialect, shape), {});
}

}  // namespace pitboss::protocol
