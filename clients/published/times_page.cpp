#include <algorithm>
#include <string_view>

#include "clients/published/figure.hpp"
#include "clients/published/markdown.hpp"
#include "clients/published/pages.hpp"
#include "clients/results/document/formatting.hpp"

namespace pitboss::clients {

namespace {

/// A search that takes less than so many times as long is called negligibly slower.
constexpr double negligible = 1.05;

constexpr std::string_view about =
    R"(# Novelty in Monte Carlo Tree Search: the time that the measures cost

Table VIII and figures 5 and 6 of the paper tell what the novelty measures cost; its figures are not at hand. Here a ratio is the time of
a search with a measure over that of the same search without novelty, from the initial position by one thread.

)";

constexpr std::string_view reading =
    R"(The searches take turns, and a ratio is the median over the rounds of the ratio within a round. Its interval of 95 % goes from one
round's ratio to another's and rests on no distribution, only on rounds that do not depend on each other; with fewer than six rounds there
is none. It tells how well these rounds set the median, not how other machines or builds differ. The paper's names: `pseudocount` is N_C raw,
`pseudocount-features` N_C eval, `evaluation` N_E, `threshold` N_T ([novelty.md](../novelty.md)).
)";

template <class Seen>
void for_each_measure(const std::vector<GameTimes>& games, Seen seen) {
  for (const GameTimes& game : games) {
    for (const MeasureTime& measure : game.measures) seen(measure);
  }
}

/// "0.97 to 1.15 times as long in 6 games": from the least to the highest ratio.
std::string range_text(const std::vector<GameTimes>& games) {
  std::vector<double> ratios;
  for_each_measure(games,
                   [&](const MeasureTime& measure) { ratios.push_back(measure.ratio.value); });
  const auto [low, high] = std::ranges::minmax(ratios);
  return format("%.2f to %.2f times as long in %zu %s", low, high, games.size(),
                games.size() == 1 ? "game" : "games");
}

/// Whether the paper's word for networks holds.
std::string negligible_text(const std::vector<GameTimes>& networks) {
  int all = 0;
  int below = 0;
  for_each_measure(networks, [&](const MeasureTime& measure) {
    ++all;
    if (measure.ratio.interval && measure.ratio.interval->high < negligible) ++below;
  });
  if (below == all) {
    return format("every interval lies below %.2f: negligible, as the paper says", negligible);
  }
  return format(
      "of %d ratios %d have an interval below %.2f: that all are negligible, as the paper says, is "
      "not shown",
      all, below, negligible);
}

std::string ratio_text(const MedianEstimate& ratio) {
  std::string out = format("%.3f", ratio.value);
  if (ratio.interval) out += format(" [%.3f, %.3f]", ratio.interval->low, ratio.interval->high);
  return out;
}

std::string times_table(const std::vector<GameTimes>& games) {
  Row heads{"game", "simulations", "simulations/s without novelty", "rounds"};
  const std::vector<std::string> measures = measures_of(games);
  for (const std::string& measure : measures) heads.push_back("`" + measure + "`");
  std::vector<Row> rows;
  for (const GameTimes& game : games) {
    Row row{game.game, std::to_string(game.simulations),
            format("%.0f", game.simulations_per_second), std::to_string(game.rounds)};
    for (const std::string& measure : measures) {
      const auto found = std::ranges::find(game.measures, measure, &MeasureTime::novelty);
      row.push_back(found == game.measures.end() ? "-" : ratio_text(found->ratio));
    }
    rows.push_back(row);
  }
  return markdown_table(heads, rows);
}

}  // namespace

std::string findings_of(const Times& times) {
  std::string out =
      "a measure makes a search " + range_text(times.static_values) + " with static values";
  if (times.networks.empty()) return out;
  out += ", and " + range_text(times.networks) + " with networks, where ";
  return out + negligible_text(times.networks);
}

std::string times_page(const std::optional<Times>& times) {
  std::string out = made_by("data/results/times.json");
  out += about;
  if (!times) {
    return out +
           "**Not measured.** On a machine where nothing else runs\n\n```\n./dev results time "
           "--networks\n```\n\nmeasures them in some minutes and writes this page.\n";
  }
  std::string findings = findings_of(*times);
  findings.front() = 'A';
  out += "**" + findings + ".**\n\n";
  out += reading;
  out += "\n## Hand-coded evaluations\n\nLeaves have static values.\n\n" +
         times_table(times->static_values);
  if (!times->networks.empty()) {
    out +=
        "\n## Networks\n\nNetworks of the paper's shape with random weights, searches by PUCT that "
        "evaluate each position anew. A trained network may be faster, as more of what it computes "
        "is zero.\n\n" +
        times_table(times->networks);
  }
  out += format("\n## Figure\n\n![%s](%s.svg)\n", std::string(times_figure_title).c_str(),
                std::string(times_name).c_str());
  out +=
      "\n## Command\n\n`./dev results time` measures anew: `--networks` networks, too, `--seconds "
      "S` more rounds. On the machine, which the record does not name, these ratios depend, too. "
      "The "
      "record is what\n\n```\n" +
      times->command +
      "\n```\n\nprints, with the searches' [signature](../development.md#the-bench) `" +
      times->signature + "`.\n";
  return out;
}

}  // namespace pitboss::clients
