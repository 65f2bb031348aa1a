#include "clients/results/ladder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include "clients/experiments/ladder.hpp"
#include "clients/experiments/number_in.hpp"
#include "clients/experiments/statistics/ratings.hpp"
#include "clients/results/document/formatting.hpp"

namespace pitboss::clients {

namespace {

using enum Text::Kind;

/// Styles of curves, taken in turn.
constexpr std::array<const char*, 5> styles{"first", "second", "third", "fourth", "fifth"};

// ---- ladders in an experiment

/// What the rungs of a ladder have in common: name, option, and all other options.
using Common = std::tuple<std::string, std::string, std::vector<std::string>>;

/// The ladders to which a player may belong, with its value there.
std::vector<std::pair<Common, std::string>> places_of(const Player& player) {
  std::vector<std::pair<Common, std::string>> out;
  for (const auto& [name, value] : player.options) {
    const std::string ending = rung_name("", value);
    if (!player.name.ends_with(ending) || player.name == ending) continue;
    Common common{player.name.substr(0, player.name.size() - ending.size()), name, {}};
    for (const auto& [other, its_value] : player.options) {
      if (other != name) std::get<2>(common).push_back(other + "=" + its_value);
    }
    out.emplace_back(std::move(common), value);
  }
  return out;
}

/// Orders the rungs, if they are different numbers, and counts doublings.
void put_in_order(std::vector<Rung>& rungs) {
  const auto number = [](const Rung& rung) { return number_in<double>(rung.value); };
  const auto is_finite = [&](const Rung& rung) {
    return number(rung) && std::isfinite(*number(rung));
  };
  if (!std::ranges::all_of(rungs, is_finite)) return;
  std::ranges::stable_sort(rungs, {}, number);
  const double first = *number(rungs.front());
  if (first <= 0 || std::ranges::adjacent_find(rungs, {}, number) != rungs.end()) return;
  for (Rung& rung : rungs) rung.doublings = std::log2(*number(rung) / first);
}

std::vector<Ladder> ladders_of(const Results& results, const Tournament& tournament) {
  std::map<std::string, const Player*> players;
  for (const int i : tournament.matches) {
    for (const Player& player : results.matches()[i].match().players) {
      players.try_emplace(player.name, &player);
    }
  }
  std::vector<std::pair<Common, Ladder>> found;
  for (std::size_t i = 0; i < tournament.players.size(); ++i) {
    for (auto& [common, value] : places_of(*players.at(tournament.players[i]))) {
      auto ladder = std::ranges::find(found, common, [](const auto& of) { return of.first; });
      if (ladder == found.end()) {
        Ladder fresh{std::get<0>(common), std::get<1>(common), {}};
        ladder = found.insert(found.end(), {std::move(common), std::move(fresh)});
      }
      ladder->second.rungs.push_back({static_cast<int>(i), value, std::nullopt});
    }
  }
  const auto meet = [&](const Rung& one, const Rung& other) {
    return std::ranges::any_of(tournament.matches, [&](int m) {
      const auto& [first, second] = results.matches()[m].match().players;
      const std::string& a = tournament.players[one.player];
      const std::string& b = tournament.players[other.player];
      return (first.name == a && second.name == b) || (first.name == b && second.name == a);
    });
  };
  std::vector<Ladder> out;
  for (auto& [common, ladder] : found) {
    std::vector<Rung>& rungs = ladder.rungs;
    put_in_order(rungs);
    const bool is_broken =
        std::ranges::adjacent_find(rungs, [&](const Rung& one, const Rung& other) {
          return !meet(one, other);
        }) != rungs.end();
    if (rungs.size() >= 2 && !is_broken) out.push_back(std::move(ladder));
  }
  return out;
}

// ---- what a ladder tells

using Rungs = std::span<const Rung>;
using Weights = std::vector<std::pair<int, double>>;

/// With which weights ratings add up to the slope of the line through them, by least squares.
Weights slope_weights(Rungs rungs) {
  double mean = 0;
  for (const Rung& rung : rungs) mean += *rung.doublings / static_cast<double>(rungs.size());
  double sum = 0;
  for (const Rung& rung : rungs) sum += std::pow(*rung.doublings - mean, 2);
  Weights out;
  for (const Rung& rung : rungs) out.emplace_back(rung.player, (*rung.doublings - mean) / sum);
  return out;
}

/// Of a ladder whose values are numbers above 0: Elo a doubling.
struct Slopes {
  EloEstimate whole;
  // With three rungs or more: of the lower and the upper half, and by how much they differ.
  EloEstimate first;
  EloEstimate last;
  EloEstimate change;
};

bool has_slopes(const Ladder& ladder) { return ladder.rungs.front().doublings.has_value(); }
bool has_halves(const Ladder& ladder) { return has_slopes(ladder) && ladder.rungs.size() > 2; }

/// Of seven rungs the first four and the last four; of six the first three and the last three.
std::pair<Rungs, Rungs> halves_of(const Ladder& ladder) {
  const Rungs all(ladder.rungs);
  const std::size_t size = (all.size() - 1) / 2 + 1;
  return {all.first(size), all.last(size)};
}

Slopes slopes_of(const Ladder& ladder, const Ratings& ratings) {
  Slopes out{.whole = ratings.contrast(slope_weights(ladder.rungs)), .first{}, .last{}, .change{}};
  if (!has_halves(ladder)) return out;
  const auto [lower, upper] = halves_of(ladder);
  const Weights first = slope_weights(lower);
  Weights change = slope_weights(upper);
  out.first = ratings.contrast(first);
  out.last = ratings.contrast(change);
  for (const auto& [player, weight] : first) change.emplace_back(player, -weight);
  out.change = ratings.contrast(change);
  return out;
}

/// What a rung has over the one before it: of numbers a doubling's share.
EloEstimate gain_of(const Rung& before, const Rung& rung, const Ratings& ratings) {
  const double steps = rung.doublings ? *rung.doublings - *before.doublings : 1;
  return ratings.contrast({{rung.player, 1 / steps}, {before.player, -1 / steps}});
}

Cell undefined() { return Cell(std::optional<double>()).with_words("-"); }

/// The rating above that of the first rung with which it can be compared.
Cell rating_cell(const Rung& rung, const std::vector<Ladder>& ladders, const Ratings& ratings) {
  const Rating& rating = ratings.players[rung.player];
  if (rating.status != RatingStatus::rated) {
    return undefined().with_words(std::string(why_unrated(rating.status)));
  }
  for (const Ladder& ladder : ladders) {
    for (const Rung& zero : ladder.rungs) {
      if (ratings.players[zero.player].component != rating.component) continue;
      if (zero.player == rung.player) return Cell(0.0).with_words("0");
      return ratings.contrast({{rung.player, 1}, {zero.player, -1}});
    }
  }
  return undefined();
}

std::string range_of(const Ladder& ladder) {
  return ladder.rungs.front().value + " to " + ladder.rungs.back().value;
}

std::string verdict_on(const Ladder& ladder, const std::string& game, const Ratings& ratings) {
  std::string out = ladder.player + " at " + game + ", " + ladder.option + " " + range_of(ladder);
  const Slopes slopes = slopes_of(ladder, ratings);
  if (!is_told(slopes.whole)) return out + ": too few games.";
  out += ": Elo " + elo_text(slopes.whole) + " a doubling";
  if (!is_told(slopes.first) || !is_told(slopes.last)) return out + ".";
  const char* const bend = *slopes.change.high < 0  ? "it flattens"
                           : *slopes.change.low > 0 ? "it steepens"
                                                    : "no bend is shown";
  return out + "; " + signed_text(slopes.first.elo) + " in the lower half, " +
         signed_text(slopes.last.elo) + " in the upper: " + bend + " (" + elo_text(slopes.change) +
         ").";
}

DataTable slopes_table(const std::vector<GameLadders>& games, const std::vector<Ratings>& ratings) {
  DataTable out{.name = "ladders",
                .columns = {{"game", "game"},
                            {"player", "player"},
                            {"option", "option"},
                            {"from", "from"},
                            {"to", "to"},
                            estimate_column("slope", "Elo a doubling", Form::elo),
                            estimate_column("lower", "lower half", Form::elo),
                            estimate_column("upper", "upper half", Form::elo),
                            estimate_column("change", "upper less lower", Form::elo)}};
  for (std::size_t g = 0; g < games.size(); ++g) {
    for (const Ladder& ladder : games[g].ladders) {
      if (!has_slopes(ladder)) continue;
      const Slopes slopes = slopes_of(ladder, ratings[g]);
      const auto half = [&](const EloEstimate& of) {
        return has_halves(ladder) ? Cell(of) : undefined();
      };
      out.rows.push_back({games[g].tournament.title, ladder.player, ladder.option,
                          ladder.rungs.front().value, ladder.rungs.back().value, slopes.whole,
                          half(slopes.first), half(slopes.last), half(slopes.change)});
    }
  }
  return out;
}

/// The slopes of all ladders below each other.
Chart slopes_chart(const DataTable& slopes) {
  Chart chart("What a doubling is worth", "Elo a doubling of each ladder, with its 95 % interval",
              {"Elo a doubling", 0, 1}, std::vector<std::string>());
  const std::size_t column = slopes.place_of("slope");
  for (const Cells& row : slopes.rows) {
    const Cell& slope = row[column];
    const auto* const elo = std::get_if<double>(&slope.value);
    if (elo == nullptr || !std::isfinite(*elo) || !slope.low || !slope.high) continue;
    const double y = static_cast<double>(chart.rows.size()) + 0.5;
    chart.rows.push_back(std::get<std::string>(row[0].value) + " " +
                         std::get<std::string>(row[1].value));
    chart.x.low = std::min(chart.x.low, *slope.low);
    chart.x.high = std::max(chart.x.high, *slope.high);
    chart.box(*slope.low, *slope.high, y - 0.06, y + 0.06, "whisker");
    chart.add(ChartMark::Kind::dot, {{*elo, y}}, "mark");
  }
  chart.y = {"", 0, static_cast<double>(chart.rows.size())};
  chart.x.high *= 1.05;
  if (!chart.rows.empty()) chart.add(ChartMark::Kind::upright, {{0, 0}}, "even");
  return chart;
}

/// Where values stand: numbers above 0 at their logarithms, words one beside the other.
class Scale {
 public:
  explicit Scale(const std::vector<Ladder>& ladders) {
    for (const Ladder& ladder : ladders) {
      has_numbers_ = has_numbers_ && has_slopes(ladder);
      for (const Rung& rung : ladder.rungs) {
        if (std::ranges::find(values_, rung.value) == values_.end()) values_.push_back(rung.value);
      }
    }
    if (!has_numbers_) return;
    std::ranges::sort(values_, {}, number_in<double>);
    for (std::size_t i = 1; i < values_.size(); ++i) {
      is_doubled_ = is_doubled_ && number(values_[i]) == 2 * number(values_[i - 1]);
    }
  }

  [[nodiscard]] double place_of(const std::string& value) const {
    if (has_numbers_ && !is_doubled_) return std::log10(number(value));
    return static_cast<double>(std::ranges::find(values_, value) - values_.begin()) + 0.5;
  }
  [[nodiscard]] Axis axis(const std::string& label) const {
    if (has_numbers_ && !is_doubled_) {
      const double margin = 0.03 * (place_of(values_.back()) - place_of(values_.front()));
      return {.label = label,
              .low = place_of(values_.front()) - margin,
              .high = place_of(values_.back()) + margin,
              .is_logarithmic = true};
    }
    return {.label = label, .high = static_cast<double>(values_.size()), .names = values_};
  }

 private:
  static double number(const std::string& value) { return *number_in<double>(value); }

  std::vector<std::string> values_;
  bool has_numbers_ = true;
  bool is_doubled_ = true;
};

/// The ladders of a game by option, so that the values of each stand on one scale.
std::vector<std::vector<Ladder>> by_option(const std::vector<Ladder>& ladders) {
  std::vector<std::vector<Ladder>> out;
  for (const Ladder& ladder : ladders) {
    const auto is_alike = [&](const std::vector<Ladder>& others) {
      return others.front().option == ladder.option &&
             has_slopes(others.front()) == has_slopes(ladder);
    };
    auto found = std::ranges::find_if(out, is_alike);
    if (found == out.end()) found = out.insert(out.end(), std::vector<Ladder>());
    found->push_back(ladder);
  }
  return out;
}

/// The ratings by value of ladders that are alike, as a picture and a table.
std::pair<Chart, DataTable> rungs_of(const GameLadders& game, const std::vector<Ladder>& ladders,
                                     const Ratings& ratings, const TruthErrors& errors) {
  const std::string& option = ladders.front().option;
  const Scale scale(ladders);
  Chart chart("Elo by " + option + ", " + game.tournament.title,
              "Ratings with 95 % intervals, above the first rung", scale.axis(option),
              Axis{"Elo", 0, 1});
  DataTable table{.name = "rungs",
                  .columns = {{"game"},
                              {"player", "player"},
                              {"option"},
                              {"value", option},
                              estimate_column("elo", "Elo", Form::elo),
                              estimate_column("gain",
                                              has_slopes(ladders.front()) ? "Elo a doubling"
                                                                          : "above the one before",
                                              Form::elo),
                              {"games", "games"},
                              estimate_column("errors", "errors %", Form::percent, 1)},
                  .has_heads = false};
  const bool has_errors = std::ranges::any_of(
      errors, [&](const auto& entry) { return entry.first.first == game.tournament.title; });
  if (!has_errors) table.columns.pop_back();
  for (std::size_t i = 0; i < ladders.size(); ++i) {
    const Ladder& ladder = ladders[i];
    const char* const style = styles[i % styles.size()];
    std::vector<Point> line;
    const Rung* before = nullptr;
    for (const Rung& rung : ladder.rungs) {
      const std::string& name = game.tournament.players[rung.player];
      const Cell rating = rating_cell(rung, game.ladders, ratings);
      Cells& row = table.rows.emplace_back(
          Cells{game.tournament.title, ladder.player, ladder.option, rung.value, rating,
                before == nullptr ? undefined() : Cell(gain_of(*before, rung, ratings)),
                game.tournament.table.total(rung.player).games()});
      if (has_errors) {
        const auto error = errors.find({game.tournament.title, name});
        row.push_back(error == errors.end() ? undefined() : error->second);
      }
      before = &rung;
      const auto* const elo = std::get_if<double>(&rating.value);
      if (elo == nullptr || !std::isfinite(*elo)) continue;
      const double x = scale.place_of(rung.value);
      line.push_back({x, *elo});
      chart.add(ChartMark::Kind::dot, {{x, *elo}}, style);
      chart.add(ChartMark::Kind::line,
                {{x, rating.low.value_or(*elo)}, {x, rating.high.value_or(*elo)}}, style);
      chart.y.low = std::min(chart.y.low, rating.low.value_or(*elo));
      chart.y.high = std::max(chart.y.high, rating.high.value_or(*elo));
    }
    chart.add(ChartMark::Kind::line, line, style);
    if (!line.empty()) chart.keys.push_back({style, ladder.player});
  }
  const double margin = (chart.y.high - chart.y.low) / 20;
  chart.y.low -= margin;
  chart.y.high += margin;
  return {std::move(chart), std::move(table)};
}

}  // namespace

std::vector<GameLadders> ladders_in(const Results& results) {
  std::vector<GameLadders> out;
  for (Tournament& game : tournaments_by_game(results)) {
    std::vector<Ladder> ladders = ladders_of(results, game);
    if (!ladders.empty()) out.push_back({std::move(game), std::move(ladders)});
  }
  return out;
}

Section ladders_section(const std::vector<GameLadders>& games, const TruthErrors& errors) {
  Section out{"Ladders"};
  std::vector<Ratings> ratings;
  for (const GameLadders& game : games) {
    ratings.push_back(rate(game.tournament.table));
    for (const Ladder& ladder : game.ladders) {
      if (!has_slopes(ladder)) continue;
      out.blocks.emplace_back(
          Text{verdict_on(ladder, game.tournament.title, ratings.back()), item});
    }
  }
  DataTable slopes = slopes_table(games, ratings);
  if (!slopes.rows.empty()) {
    out.blocks.emplace_back(
        Text{"A slope is that of the line through a ladder's ratings, by least squares; its "
             "interval holds whether or not they lie on one. Ratings are Bradley-Terry's, of all "
             "games at a game together; the first rung that has one is 0.",
             note});
    if (slopes.rows.size() > 1) out.blocks.emplace_back(Figure{slopes_chart(slopes), {}, {}});
    out.blocks.emplace_back(std::move(slopes));
  }
  for (std::size_t g = 0; g < games.size(); ++g) {
    Section& section = out.sections.emplace_back(Section{games[g].tournament.title});
    for (const std::vector<Ladder>& ladders : by_option(games[g].ladders)) {
      auto [chart, table] = rungs_of(games[g], ladders, ratings[g], errors);
      section.blocks.emplace_back(Figure{std::move(chart), {}, {}});
      section.blocks.emplace_back(std::move(table));
    }
    if (ratings[g].components > 1) {
      section.blocks.emplace_back(
          Text{"Some players have no rating beside the others: no games, or only wins, connect "
               "them. Those who are connected with each other alone have a 0 of their own.",
               note});
    }
  }
  return out;
}

}  // namespace pitboss::clients
