#include "clients/follow/followed_experiment.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/clients/referee/ledger/first_format.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

TEST_CASE("FollowedExperiment: what a ledger tells since it was upgraded while it was followed") {
  const ScratchFolder folder;
  Experiment experiment;
  experiment.matches = {made_match("connect4", "A", "B", 3)};
  {
    Ledger ledger(folder.path(), experiment);
    ledger.open_for_writing();
    record(ledger, recorded_round(experiment, 0, 0));
    ledger.set_paused(true);  // so that it stays open
  }
  make_first_format(folder.path());
  FollowedExperiment followed("one", folder.path());
  CHECK(followed.look().row["state"] == "paused");
  const auto values = [&](std::size_t game) {
    return nlohmann::json::parse(followed.games_json()).at(game).at("values").get<std::string>();
  };
  CHECK(values(0).empty());
  {
    Ledger ledger(folder.path(), experiment);
    ledger.open_for_writing([&] { ledger.add(made_referee("r", "folder")); });
    record(ledger, recorded_round(experiment, 0, 1));
  }
  CHECK(followed.look().tables["referees"].size() == 1);
  CHECK(values(0).empty());
  CHECK(values(2) == recorded_round(experiment, 0, 1).games[0].values);
  CHECK_FALSE(values(2).empty());
}

}  // namespace pitboss::clients
