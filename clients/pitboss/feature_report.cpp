#include "clients/pitboss/feature_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "engine/policy/features/feature_picture.hpp"

namespace pitboss::clients {

namespace {

using engine::Content;
using engine::Element;
using engine::FeatureGame;
using engine::MoveFeature;
using engine::Spot;

constexpr double pixels = 34;  // the width of a cell

/// A place in a picture, in cells.
struct Place {
  double x;
  double y;
};

std::string text_of(double number) { return format("%.3g", number); }

/// Draws features of one game.
class Pictures {
 public:
  explicit Pictures(const FeatureGame& game)
      : game_(game), is_hexagonal_(engine::lean_of(game) != 0) {}

  [[nodiscard]] Markup of(const MoveFeature& feature) const {
    std::map<Spot, std::vector<const Element*>> tests;
    for (const Element& element : feature.elements) {
      tests[engine::spot_of(game_, element.walk)].push_back(&element);
    }
    // The anchor's neighbours show how the board continues.
    std::set<Spot> spots{{}};
    for (const int turn : engine::rotations_of(game_.rotations())) {
      spots.insert(engine::spot_of(game_, {{static_cast<std::int8_t>(turn)}}));
    }
    for (const auto& [spot, elements] : tests) spots.insert(spot);
    const auto target = spot_of(feature.to);
    const auto origin = spot_of(feature.from);
    if (target) spots.insert(*target);
    if (origin) spots.insert(*origin);

    Markup content;
    for (const Spot& spot : spots) content += cell(spot, has_edge(tests, spot));
    if (target) content += cell_shape(*target, {{"class", "changed"}});
    for (const auto& [spot, elements] : tests) {
      for (const Element* const element : elements) content += sign(spot, *element);
    }
    const bool has_arrow = target && origin && *target != *origin;
    if (has_arrow) content += arrow(place_of(*origin), place_of(*target));
    if (origin && !has_arrow) content += circle(place_of(*origin), 0.46, {{"class", "bound"}});
    return framed(spots, content);
  }

 private:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;

  [[nodiscard]] std::optional<Spot> spot_of(const std::optional<engine::Walk>& walk) const {
    if (!walk) return std::nullopt;
    return engine::spot_of(game_, *walk);
  }
  [[nodiscard]] Place place_of(const Spot& spot) const {
    const double height = is_hexagonal_ ? std::numbers::sqrt3 / 2 : 1;
    return {spot.x + spot.y * engine::lean_of(game_), -spot.y * height};
  }

  static bool has_edge(const std::map<Spot, std::vector<const Element*>>& tests, const Spot& spot) {
    const auto found = tests.find(spot);
    return found != tests.end() && std::ranges::any_of(found->second, [](const Element* element) {
             return element->content == Content::off && !element->negated;
           });
  }
  [[nodiscard]] Markup cell(const Spot& spot, bool is_off) const {
    if (!is_off) return cell_shape(spot, {{"class", "cell"}});
    return cell_shape(
        spot, {{"style", "fill: var(--burnt); stroke: var(--seam)"}, {"stroke-width", "0.025"}});
  }
  [[nodiscard]] Markup cell_shape(const Spot& spot, Attributes attributes) const {
    const Place middle = place_of(spot);
    const int corners = is_hexagonal_ ? 6 : 4;
    const double radius = is_hexagonal_ ? 1 / std::numbers::sqrt3 : 1 / std::numbers::sqrt2;
    std::string points;
    for (int i = 0; i < corners; ++i) {
      // Hexagons stand on a corner, squares on a side.
      const double angle = 2 * std::numbers::pi * (i + 0.5) / corners;
      points += (i > 0 ? " " : "") + text_of(middle.x + radius * std::cos(angle)) + "," +
                text_of(middle.y + radius * std::sin(angle));
    }
    return element("g", attributes, element("polygon", {{"points", points}}));
  }
  static Markup circle(const Place& middle, double radius, Attributes attributes) {
    return element(
        "g", attributes,
        element("circle",
                {{"cx", text_of(middle.x)}, {"cy", text_of(middle.y)}, {"r", text_of(radius)}}));
  }
  static Markup line(const Place& from, const Place& to, std::string_view style) {
    return element("line", {{"x1", text_of(from.x)},
                            {"y1", text_of(from.y)},
                            {"x2", text_of(to.x)},
                            {"y2", text_of(to.y)},
                            {"style", std::string(style)}});
  }
  /// From the origin to the target, which must be another place.
  static Markup arrow(const Place& from, const Place& to) {
    constexpr std::string_view style = "stroke: var(--mark); stroke-width: .09";
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const Place along{(to.x - from.x) / length, (to.y - from.y) / length};
    const auto barb = [&](double side) {
      return Place{to.x - 0.25 * along.x - side * 0.15 * along.y,
                   to.y - 0.25 * along.y + side * 0.15 * along.x};
    };
    return line(from, to, style) + line(to, barb(1), style) + line(to, barb(-1), style);
  }
  /// The sign for an element's test.
  [[nodiscard]] Markup sign(const Spot& spot, const Element& tested) const {
    const Place middle = place_of(spot);
    Markup drawn;
    switch (tested.content) {
      case Content::friendly:
        drawn = element("g", {{"class", "blue"}}, circle(middle, 0.34, {{"class", "piece"}}));
        break;
      case Content::enemy:
        drawn = element("g", {{"class", "red"}}, circle(middle, 0.34, {{"class", "piece"}}));
        break;
      case Content::empty:
        drawn =
            circle(middle, 0.2, {{"style", "fill: none; stroke: var(--burnt); stroke-width: .05"}});
        break;
      case Content::off:
        if (tested.negated) drawn = word(middle, "#");
        break;
      case Content::man:
      case Content::piece:
        drawn = word(middle, std::string(1, game_.letters[tested.argument]));
        break;
      case Content::arity:
        drawn = word(middle, std::to_string(tested.argument));
        break;
    }
    if (!tested.negated) return drawn;
    return drawn + line({middle.x - 0.36, middle.y + 0.36}, {middle.x + 0.36, middle.y - 0.36},
                        "stroke: var(--alarm); stroke-width: .1");
  }
  static Markup word(const Place& middle, const std::string& letters) {
    return element("text",
                   {{"x", text_of(middle.x)},
                    {"y", text_of(middle.y + 0.2)},
                    {"text-anchor", "middle"},
                    {"style", "font-size: .55px; fill: var(--burnt)"}},
                   text(letters));
  }
  [[nodiscard]] Markup framed(const std::set<Spot>& spots, const Markup& content) const {
    Place low{0, 0};
    Place high{0, 0};
    for (const Spot& spot : spots) {
      const Place place = place_of(spot);
      low = {std::min(low.x, place.x), std::min(low.y, place.y)};
      high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    const double width = high.x - low.x + 1.2;
    const double height = high.y - low.y + 1.4;
    return element("svg",
                   {{"class", "board"},
                    {"role", "img"},
                    {"width", text_of(pixels * width)},
                    {"height", text_of(pixels * height)},
                    {"viewBox", text_of(low.x - 0.6) + " " + text_of(low.y - 0.7) + " " +
                                    text_of(width) + " " + text_of(height)}},
                   content);
  }

  const FeatureGame& game_;
  bool is_hexagonal_;
};

}  // namespace

std::string features_page(const FeatureReport& report) {
  const engine::FeatureSet& set = report.set;
  const FeatureGame game = engine::feature_game(set);
  const std::string title = "Features of " + set.game;
  Section section{
      "",
      {Text{(set.parameters.empty() ? "" : set.parameters + "; ") +
            std::to_string(set.features.size()) + " features" +
            (set.procedure.empty() ? "" : ": " + set.procedure)},
       Text{"The heaviest first. The target of the move is shaded; an arrow leads to it from the "
            "origin, which is ringed if the target may be anywhere. Blue: a man of the mover. Red: "
            "one of another. A small ring: empty. Dark: off the board. A letter or number: that "
            "piece, so many neighbours. Struck through: not that. Each feature is active in any "
            "rotation and reflection. Active: for this share of the legal moves of " +
                std::to_string(report.games) + " random games.",
            Text::Kind::note}}};
  DataTable table{.columns = {{"", "picture"}}, .has_heads = false};
  for (int c = 0; c < set.columns; ++c) {
    const std::string head =
        "weight" + (set.columns == 1 ? "" : " of player " + std::to_string(c + 1));
    table.columns.push_back({"", head});
  }
  table.columns.push_back({"", "active, %"});
  table.columns.push_back({"", "as a line of the file"});
  const Pictures pictures(game);
  for (const std::size_t f : report.order) {
    Cells& row = table.rows.emplace_back(Cells{pictures.of(set.features[f])});
    for (int c = 0; c < set.columns; ++c) {
      const double weight = set.weight(f, static_cast<games::Colour>(c));
      row.push_back(Cell(weight).with_words(format("%+.3f", weight)));
    }
    row.push_back(Cell(report.shares[f]).with_words(format("%.3g", 100 * report.shares[f])));
    row.emplace_back(engine::text_of(set.features[f], game.letters));
  }
  section.blocks.emplace_back(std::move(table));
  return html_page({title, {std::move(section)}});
}

}  // namespace pitboss::clients
