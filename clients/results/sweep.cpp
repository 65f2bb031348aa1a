#include "clients/results/sweep.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "clients/experiments/number_in.hpp"
#include "clients/results/document/formatting.hpp"

namespace pitboss::clients {

namespace {

using enum Text::Kind;

using Assignments = std::map<std::string, std::string>;

Assignments assignments_of(const Player& player) {
  Assignments out;
  for (const auto& [name, value] : player.options) out[name] = value;
  return out;
}

std::string value_of(const Assignments& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? "-" : found->second;
}

/// The options in which some differ, with their values.
std::vector<SweptOption> differing(const std::vector<Assignments>& all) {
  std::set<std::string> names;
  for (const Assignments& options : all) {
    for (const auto& [name, value] : options) names.insert(name);
  }
  std::vector<SweptOption> out;
  for (const std::string& name : names) {
    SweptOption option{name, {}};
    for (const Assignments& options : all) {
      const std::string value = value_of(options, name);
      if (std::ranges::find(option.values, value) == option.values.end()) {
        option.values.push_back(value);
      }
    }
    if (option.values.size() < 2) continue;
    const bool are_numbers = std::ranges::all_of(option.values, [](const std::string& value) {
      return number_in<double>(value).has_value();
    });
    if (are_numbers) std::ranges::sort(option.values, {}, number_in<double>);
    out.push_back(std::move(option));
  }
  return out;
}

/// The sweep that these matches make, if they make one.
std::optional<Sweep> sweep_of(const Results& results, const std::vector<int>& matches) {
  std::vector<Assignments> all;
  for (const int i : matches) {
    all.push_back(assignments_of(results.matches()[i].match().players[0]));
  }
  const Match& first = results.matches()[matches.front()].match();
  Sweep out{rules_text(first), first.players[1].name, differing(all), {}};
  if (out.options.empty() || out.options.size() > 2) return std::nullopt;
  std::size_t combinations = 1;
  for (const SweptOption& option : out.options) combinations *= option.values.size();
  if (combinations != matches.size()) return std::nullopt;
  out.matches.assign(combinations, -1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t place = 0;
    for (const auto& [name, values] : out.options) {
      const auto value = std::ranges::find(values, value_of(all[i], name));
      place = place * values.size() + static_cast<std::size_t>(value - values.begin());
    }
    if (out.matches[place] >= 0) return std::nullopt;
    out.matches[place] = matches[i];
  }
  return out;
}

std::vector<std::string> values_at(const Sweep& sweep, std::size_t place) {
  std::vector<std::string> out(sweep.options.size());
  for (std::size_t i = out.size(); i-- > 0;) {
    const auto& values = sweep.options[i].values;
    out[i] = values[place % values.size()];
    place /= values.size();
  }
  return out;
}

Cell score_at(const Results& results, const Sweep& sweep, std::size_t place) {
  return score_cell(results.matches()[sweep.matches[place]].standings().tally(0));
}

std::string names_of(const Sweep& sweep) {
  std::string out;
  for (const SweptOption& option : sweep.options) {
    out += (out.empty() ? "" : " and ") + option.name;
  }
  return out;
}

DataTable scores_table(const Results& results, const Sweep& sweep) {
  DataTable out{.name = "sweep", .columns = {{"game"}, {"against"}}};
  for (const auto& [name, values] : sweep.options) out.columns.push_back({name, name});
  out.columns.push_back({"games", "games"});
  out.columns.push_back(estimate_column("score", "score %", Form::percent, 1));
  out.folded = "Scores with their intervals";
  for (std::size_t place = 0; place < sweep.matches.size(); ++place) {
    Cells& row = out.rows.emplace_back(Cells{sweep.game, sweep.opponent});
    for (const std::string& value : values_at(sweep, place)) row.emplace_back(value);
    row.emplace_back(results.matches()[sweep.matches[place]].standings().games());
    row.push_back(score_at(results, sweep, place));
  }
  return out;
}

/// What was best, and what may be as good.
std::vector<Block> best_of(const Results& results, const Sweep& sweep) {
  std::optional<std::size_t> best;
  Cell highest;
  std::size_t played = 0;
  for (std::size_t place = 0; place < sweep.matches.size(); ++place) {
    Cell score = score_at(results, sweep, place);
    const auto* const share = std::get_if<double>(&score.value);
    if (share == nullptr) continue;
    ++played;
    if (best && *share <= std::get<double>(highest.value)) continue;
    best = place;
    highest = std::move(score);
  }
  if (!best) return {Text{"No game has been played yet.", note}};
  int alike = 0;
  for (std::size_t place = 0; place < sweep.matches.size(); ++place) {
    const Cell score = score_at(results, sweep, place);
    if (place != *best && score.high && *score.high >= *highest.low) ++alike;
  }
  std::string options;
  const auto values = values_at(sweep, *best);
  for (std::size_t i = 0; i < values.size(); ++i) {
    options += (i == 0 ? "" : " ") + sweep.options[i].name + "=" + values[i];
  }
  return {
      Text{format("Highest: %s, %.1f %% ", options.c_str(), 100 * std::get<double>(highest.value)) +
               percent_text({*highest.low, *highest.high}) +
               format(" of %lld games. The intervals of %d of the %zu others reach into its.",
                      static_cast<long long>(highest.count), alike, played - 1),
           item},
      Text{"The highest of many scores owes some of its lead to chance; a match with other "
           "openings tells how much.",
           note}};
}

Figure line_of(const Results& results, const Sweep& sweep) {
  const auto& [name, values] = sweep.options.front();
  const std::string title = "Score over " + name;
  std::vector<Point> low;
  std::vector<Point> mean;
  std::vector<Point> high;
  double least = 45;
  double most = 55;
  for (std::size_t place = 0; place < values.size(); ++place) {
    const Cell score = score_at(results, sweep, place);
    const auto* const share = std::get_if<double>(&score.value);
    if (share == nullptr) continue;
    const double x = static_cast<double>(place) + 0.5;
    low.push_back({x, 100 * *score.low});
    mean.push_back({x, 100 * *share});
    high.push_back({x, 100 * *score.high});
    least = std::min(least, low.back().y);
    most = std::max(most, high.back().y);
  }
  const auto end = static_cast<double>(values.size());
  Chart chart(title, "The score against " + sweep.opponent + " with its 95 % interval",
              Axis{.label = name, .high = end, .names = values},
              Axis{.label = "score %", .low = least, .high = most});
  chart.level(50, "even", "50 %");
  chart.band(low, high);
  chart.add(ChartMark::Kind::line, mean, "first");
  for (const Point& point : mean) chart.add(ChartMark::Kind::dot, {point}, "first");
  chart.keys = {{"first", "score"}, {"band", "95 % interval"}};
  return {std::move(chart), scores_table(results, sweep), {}};
}

DataTable map_of(const Results& results, const Sweep& sweep) {
  const SweptOption& down = sweep.options[0];
  const SweptOption& across = sweep.options[1];
  DataTable out{.columns = {{"", down.name + " \\ " + across.name}},
                .caption = "Score % against " + sweep.opponent + " and games, by " + down.name +
                           " (left) and " + across.name +
                           " (above); bold where the 95 % interval excludes 50 %"};
  for (const std::string& value : across.values) {
    out.columns.push_back({"", value, Form::heat, 1});
  }
  for (std::size_t i = 0; i < down.values.size(); ++i) {
    Cells& row = out.rows.emplace_back(Cells{down.values[i]});
    for (std::size_t j = 0; j < across.values.size(); ++j) {
      row.push_back(score_at(results, sweep, i * across.values.size() + j));
    }
  }
  return out;
}

}  // namespace

std::vector<Sweep> sweeps_in(const Results& results) {
  std::set<std::string> seconds;
  for (const MatchResults& match : results.matches()) seconds.insert(match.match().players[1].name);
  std::vector<std::pair<std::pair<std::string, std::string>, std::vector<int>>> groups;
  for (std::size_t i = 0; i < results.matches().size(); ++i) {
    const Match& match = results.matches()[i].match();
    if (seconds.contains(match.players[0].name)) continue;
    const std::pair key{rules_text(match), match.players[1].name};
    auto group = std::ranges::find(groups, key, [](const auto& of) { return of.first; });
    if (group == groups.end()) group = groups.insert(groups.end(), {key, {}});
    group->second.push_back(static_cast<int>(i));
  }
  std::vector<Sweep> out;
  for (const auto& [key, matches] : groups) {
    if (matches.size() < 3) continue;
    if (auto sweep = sweep_of(results, matches)) out.push_back(std::move(*sweep));
  }
  return out;
}

Section sweep_section(const Results& results, const Sweep& sweep) {
  Section out{"Sweep of " + names_of(sweep) + " at " + sweep.game + " against " + sweep.opponent};
  out.blocks = best_of(results, sweep);
  if (sweep.options.size() == 1) {
    out.blocks.emplace_back(line_of(results, sweep));
  } else {
    out.blocks.emplace_back(map_of(results, sweep));
    out.blocks.emplace_back(scores_table(results, sweep));
  }
  return out;
}

}  // namespace pitboss::clients
