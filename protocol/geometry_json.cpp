#include "protocol/geometry_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/board_drawing.hpp"
#include "games/board_graph.hpp"
#include "games/grid.hpp"
#include "games/unboxed.hpp"

namespace pitboss::protocol {

using Json = nlohmann::ordered_json;

namespace {

/// As a picture needs it: three decimals.
double rounded(double length) {
  constexpr double places = 1000;
  return std::round(length * places) / places + 0.0;  // no -0
}

struct Spot {
  double x;
  double y;
};
Json json_of(Spot spot) { return {rounded(spot.x), rounded(spot.y)}; }

/// Where the points of a board lie in a picture: columns are one apart, rows above each other.
class Picture {
 public:
  explicit Picture(const games::AnyGame& game)
      : shape_(game.shape()), is_star_(games::board_style(game) == "holes") {
    games::unboxed(game, [&](const auto& g) { graph_.emplace(games::board_graph(g)); });
    const auto points = graph_->points();
    points_.assign(points.begin(), points.end());
    std::ranges::sort(points_, {}, [&](int point) { return shape_.cell(point); });
  }

  [[nodiscard]] Json sites(bool chequered) const {
    Json list = Json::array();
    for (const int point : points_) {
      const Spot at = spot(point);
      Json polygon = Json::array();
      for (int i = 0; i < corners(); ++i) polygon.push_back(json_of(corner(point, i)));
      Json neighbours = Json::array();
      for (int i = 0; i < graph_->arity(point); ++i) {
        const int other = graph_->neighbour(point, i);
        if (other != games::BoardGraph::off) neighbours.push_back(name(other));
      }
      list.push_back({{"name", name(point)},
                      {"x", rounded(at.x)},
                      {"y", rounded(at.y)},
                      {"polygon", std::move(polygon)},
                      {"dark", chequered && (column(point) + row(point)) % 2 == 0},
                      {"neighbours", std::move(neighbours)}});
    }
    return list;
  }

  /// Numbers of rows at the left, letters of columns below.
  [[nodiscard]] Json labels() const {
    constexpr double beside = 0.85;
    constexpr double aslant = 0.45;
    Json list = Json::array();
    const auto add = [&](std::string text, double x, double y) {
      list.push_back({{"text", std::move(text)}, {"x", rounded(x)}, {"y", rounded(y)}});
    };
    for (int y = shape_.height - 1; y >= 0; --y) {
      const Spot first = spot(*std::ranges::find(points_, y, [&](int p) { return row(p); }));
      // Beside the rows of a star there are names of columns.
      add(std::to_string(y + 1), (is_star_ ? least(&Spot::x) : first.x) - beside, first.y);
    }
    const double lean = shape_.lattice == games::Lattice::square ? 0 : lean_ > 0 ? -aslant : aslant;
    for (int x = 0; x < shape_.width; ++x) {
      const auto lowest =
          std::find_if(points_.rbegin(), points_.rend(), [&](int p) { return column(p) == x; });
      add(games::column_text(x), spot(*lowest).x + lean, spot(*lowest).y + beside);
    }
    return list;
  }

  /// With room for the labels.
  [[nodiscard]] Json bounds() const {
    constexpr double before = 1.15;
    constexpr double behind = 0.75;
    const double left = least(&Spot::x);
    const double top = least(&Spot::y);
    return {rounded(left - before), rounded(top - behind),
            rounded(most(&Spot::x) - left + before + behind),
            rounded(most(&Spot::y) - top + before + behind)};
  }

  /// The sides of a rhombus of hexagons: the first colour's are the bottom and the top.
  [[nodiscard]] Json sides(std::span<const std::string_view> colours) const {
    const int right = shape_.width - 1;
    const int top = shape_.height - 1;
    return {side(colours[0], {2, 1, 0}, [&](int p) { return row(p) == 0; }),
            side(colours[0], {3, 4, 5}, [&](int p) { return row(p) == top; }),
            side(colours[1], {2, 3, 4}, [&](int p) { return column(p) == 0; }),
            side(colours[1], {1, 0, 5}, [&](int p) { return column(p) == right; })};
  }

 private:
  [[nodiscard]] int column(int point) const { return point % shape_.stride; }
  [[nodiscard]] int row(int point) const { return point / shape_.stride; }
  [[nodiscard]] std::string name(int point) const {
    return games::point_text(column(point), row(point));
  }
  [[nodiscard]] Spot spot(int point) const {
    const bool is_square = shape_.lattice == games::Lattice::square;
    const double step = is_square ? 1 : std::numbers::sqrt3 / 2;
    return {column(point) + lean_ * row(point), -step * row(point)};
  }
  [[nodiscard]] int corners() const { return shape_.lattice == games::Lattice::square ? 4 : 6; }
  /// Of a square from the upper left clockwise, of a hexagon from the lower right clockwise.
  [[nodiscard]] Spot corner(int point, int i) const {
    const Spot at = spot(point);
    if (corners() == 4)
      return {at.x + (i == 1 || i == 2 ? 0.5 : -0.5), at.y + (i < 2 ? -0.5 : 0.5)};
    const double angle = (2 * i + 1) * std::numbers::pi / 6;
    const double radius = std::numbers::inv_sqrt3;
    return {at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)};
  }
  [[nodiscard]] double least(double Spot::*axis) const { return extreme(axis, false); }
  [[nodiscard]] double most(double Spot::*axis) const { return extreme(axis, true); }
  [[nodiscard]] double extreme(double Spot::*axis, bool largest) const {
    double found = spot(points_.front()).*axis;
    for (const int p : points_) {
      found = largest ? std::max(found, spot(p).*axis) : std::min(found, spot(p).*axis);
    }
    return found;
  }
  /// The corners `turns` of the points of a side, which is upwards or to the right.
  template <class IsOn>
  [[nodiscard]] Json side(std::string_view colour, std::array<int, 3> turns, IsOn is_on) const {
    std::vector<int> on;
    std::ranges::copy_if(points_, std::back_inserter(on), is_on);
    std::ranges::sort(on);
    Json line = Json::array();
    for (const int point : on) {
      for (const int turn : turns) {
        Json next = json_of(corner(point, turn));
        if (line.empty() || line.back() != next) line.push_back(std::move(next));
      }
    }
    return {{"colour", colour}, {"line", std::move(line)}};
  }

  games::BoardShape shape_;
  double lean_ = shape_.lattice == games::Lattice::square      ? 0
                 : shape_.lattice == games::Lattice::hexagonal ? -0.5
                                                               : 0.5;
  bool is_star_;
  std::optional<games::BoardGraph> graph_;
  std::vector<int> points_;  ///< by rows from the top, each from the left
};

}  // namespace

Json json_of_kind(const games::AnyGame& game) {
  const std::string parameters = game.parameters().line();
  return {{"version", json_version},
          {"game", game.name()},
          {"rules", std::string(game.name()) + (parameters.empty() ? "" : " ") + parameters}};
}

Json planes_shape(const games::AnyGame& game) {
  return {game.plane_count(), game.shape().height, game.shape().width};
}

std::string geometry_json(const games::AnyGame& game) {
  const games::BoardShape shape = game.shape();
  const std::string_view style = games::board_style(game);
  const Picture picture(game);
  Json json = json_of_kind(game);
  json["colours"] = game.colours();
  json["columns"] = shape.width;
  json["rows"] = shape.height;
  json["lattice"] = games::word_of(shape.lattice);
  json["style"] = style;
  json["bounds"] = picture.bounds();
  json["sites"] = picture.sites(style == "chequered");
  json["labels"] = picture.labels();
  json["sides"] = style == "sides" ? picture.sides(game.colours()) : Json::array();
  auto& pieces = json["pieces"] = Json::array();
  for (std::size_t kind = 0; kind < game.piece_letters().size(); ++kind) {
    const auto [colour, looks] = games::piece_drawing(game, kind);
    pieces.push_back({{"letter", game.piece_letters().substr(kind, 1)},
                      {"colour", colour.empty() ? Json() : Json(colour)},
                      {"shape", looks}});
  }
  json["actions"] = game.policy_size();
  json["planes"] = {{"shape", planes_shape(game)}};
  return json.dump();
}

}  // namespace pitboss::protocol
