#include "clients/pitboss/commands.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/speed_figures.hpp"
#include "environment/processors.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

int bench(const std::vector<std::string>& arguments) {
  namespace po = boost::program_options;
  SpeedPlan plan;
  std::vector<std::string> settings;
  plan.threads = std::clamp(environment::processors(), 1, 64);
  po::options_description description("pitboss bench: the speed of the search");
  description.add_options()("help", "this text")("json", "print JSON instead of a table")(
      "game", po::value(&plan.games), "a game to measure; may be repeated; default all")(
      "simulations",
      po::value(&plan.searches.simulations)->default_value(plan.searches.simulations),
      "simulations a search")("threads", po::value(&plan.threads)->default_value(plan.threads),
                              "most threads for one search")(
      "seconds", po::value(&plan.seconds)->default_value(plan.seconds),
      "time to spend on each game")(
      "row", po::value(&plan.searches.rows)->value_name("NAME"),
      "time the searches of this name alone, with those that they are compared with: a leaf, such "
      "as static, what it is with, such as pseudocount, or both, \"static pseudocount\"; may be "
      "repeated")("set", po::value(&settings)->value_name("NAME=VALUE"),
                  "an option of all searches, such as k=0.06; may be repeated")(
      "features", "time features, too: how long a position takes, and a biased search")(
      "networks",
      "time networks, too: the novelty papers' with random weights, in searches of a tenth of the "
      "simulations; takes as long again");
  const auto given = read_flags("bench", "", description, arguments);
  if (!given) return 0;
  if (plan.games.empty()) plan.games.assign(games::game_names().begin(), games::game_names().end());
  plan.has_features = given->contains("features");
  plan.has_networks = given->contains("networks");
  try {
    plan.searches.settings = settings_of_rows(settings, {"evaluation", "playout", "simulations"});
    const SpeedFigures figures = measure_speed(plan);
    if (given->contains("json")) {
      std::cout << json_of(figures).dump(2) << "\n";
    } else {
      print_tables(figures);
    }
  } catch (const engine::BadOption& bad) {
    throw UserError(bad.what());
  }
  return 0;
}

}  // namespace pitboss::clients
