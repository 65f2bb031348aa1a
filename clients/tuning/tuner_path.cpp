#include "clients/tuning/tuner_path.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/tuning/tried_games.hpp"
#include "clients/tuning/unit_space.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace {

/// Of the path.
constexpr std::size_t most_steps = 40;

Axis axis_of(const SweptOption& option) {
  return {.label = option.name,
          .high = static_cast<double>(option.values.size()),
          .names = option.values};
}

/// The places of a tuning's games on the map, as its axes have them. Games with a word that is not
/// on it have none.
std::vector<std::vector<double>> places_of(const Sweep& sweep,
                                           const std::vector<TriedGame>& games) {
  SearchSpace grid;
  for (const auto& [name, values] : sweep.options) grid.push_back({name, values, {}});
  const UnitSpace space(grid);
  std::vector<std::vector<double>> out;
  for (const TriedGame& game : games) {
    Values values;
    for (const SweptOption& option : sweep.options) {
      values.push_back(value_in(game.options, option.name));
    }
    UnitPoint point = space.point_of(values);
    if (std::ranges::any_of(point, [](double u) { return u < 0; })) continue;
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] *= static_cast<double>(sweep.options[i].values.size());
    }
    out.push_back(std::move(point));
  }
  return out;
}

}  // namespace

Figure tuner_path(const Results& results, const Sweep& sweep, const std::filesystem::path& tuning) {
  const Experiment plan = read_plan(tuning);
  const auto places = places_of(sweep, tried_games(plan, Ledger(tuning, plan).played()));
  if (places.empty()) return {{}, {}, "The tuning has played no game with these options."};
  const bool is_map = sweep.options.size() == 2;
  const Axis up =
      is_map ? axis_of(sweep.options[0])
             : Axis{.label = "games", .high = static_cast<double>(places.size()), .is_count = true};
  Chart chart("The tuner's path", "Means of the values that the tuning tried, from first to last",
              axis_of(sweep.options.back()), up);
  if (is_map) {
    const std::size_t across = sweep.options[1].values.size();
    for (std::size_t i = 0; i < sweep.matches.size(); ++i) {
      const Tally tally = results.matches()[sweep.matches[i]].standings().tally(0);
      if (tally.games() == 0) continue;
      const std::size_t row = i / across;
      chart.add(ChartMark::Kind::label,
                {{static_cast<double>(i % across) + 0.5, static_cast<double>(row) + 0.5}}, "",
                format("%.0f", 100 * tally.score()));
    }
  }
  std::vector<Point> path;
  const std::size_t count = std::min(most_steps, places.size());
  for (std::size_t step = 0; step < count; ++step) {
    const std::size_t begin = step * places.size() / count;
    const std::size_t end = (step + 1) * places.size() / count;
    Point mean{0, is_map ? 0 : static_cast<double>(end)};
    for (std::size_t i = begin; i < end; ++i) {
      const double share = 1 / static_cast<double>(end - begin);
      mean.x += share * places[i].back();
      if (is_map) mean.y += share * places[i].front();
    }
    path.push_back(mean);
  }
  chart.add(ChartMark::Kind::line, path, "first");
  chart.add(ChartMark::Kind::dot, {path.back()}, "first");
  chart.keys = {{"first", "means of the tuner's values, to the dot"}};
  return {std::move(chart), {}, is_map ? "The numbers are the sweep's scores, in per cent." : ""};
}

void check_path(const PlannedTuning& plan, const SweepSettings& settings,
                const std::filesystem::path& tuning) {
  const Experiment recorded = read_plan(tuning);
  require(recorded.tuning.has_value(), tuning.string() + " holds no tuning");
  const auto configuration = nlohmann::ordered_json::parse(recorded.tuning->text);
  const auto game = configuration["matches"][0].value("game", "");
  require(game == plan.file.itself.game,
          "--tuning: " + tuning.string() + " is of " + game + ", not " + plan.file.itself.game);
  for (const std::string& over : settings.over) {
    const std::string name = over.substr(0, over.find('='));
    bool is_tuned = false;
    for (const auto& of : configuration["parameters"].items()) {
      is_tuned |= games::same_ignoring_case(of.key(), name);
    }
    require(is_tuned, "--tuning: " + tuning.string() + " does not tune " + name);
  }
}

}  // namespace pitboss::clients
