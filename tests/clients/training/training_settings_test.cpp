#include "clients/training/training_settings.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/clients/error_of.hpp"
#include "tests/clients/training/tiny_run.hpp"

namespace pitboss::clients {

TEST_CASE("training settings: what is written is what was read") {
  const std::string text = settings_text(tiny());
  CHECK(settings_text(training_settings(parse_settings(text, "again"))) == text);
  CHECK(text.find("games_per_file = 5 ") != std::string::npos);
  TrainingSettings plain;
  plain.game = "othello size=8";
  CHECK(settings_text(training_settings(parse_settings("game = \"othello\"", "plain"))) ==
        settings_text(plain));
}

TEST_CASE("training settings: every mistake has its sentence") {
  struct Mistake {
    const char* text;
    const char* says;
  };
  for (const Mistake& mistake : std::initializer_list<Mistake>{
           {"", "\"game\" is missing"},
           {"game = \"othelo\"", "othello"},
           {"game = \"hex\"\ngenerations = 0", "a whole number"},
           {"game = \"hex\"\ngeneration = 3", "did you mean"},
           {"game = \"hex\"\narchitecture = \"resnet\"", "\"paper\" or \"tower\""},
           {"game = \"hex\"\n[self_play]\ngame = 3", "did you mean"},
           {"game = \"hex\"\n[self_play]\nfull_share = 2.0", "a number from"},
           {"game = \"hex\"\n[self_play]\noptions = \"c_pukt=1\"", "c_puct"},
           {"game = \"hex\"\n[self_play]\noptions = \"evaluation=static\"", "must be left out"},
           {"game = \"hex\"\n[evaluation]\nanchor = \"seed=3\"", "must be left out"},
           {"game = \"hex\"\n[evaluation]\nanchor = \"evaluation=network\"", "without a network"},
           {"game = \"hex\"\n[self_play]\nstages = []", "the first stage"},
           {"game = \"hex\"\n[self_play]\nstages = [{from = 0.5, full = 1, fast = 1}]",
            "the first stage"},
           {"game = \"hex\"\n[self_play]\nvisits_most = 100000", "a whole number"},
           {"game = \"hex\"\n[self_play]\nforced_playouts = 2.0\ngumbel_moves = 16",
            "exclude each other"},
           {"game = \"hex\"\n[self_play]\ngumbel_moves = 16\noptions = \"estimators=history\"",
            "without split_moves and estimators"},
           {"game = \"amazons\"\n[self_play]\nforced_playouts = 2.0\noptions = "
            "\"split_moves=true\"",
            "without split_moves and estimators"},
           {"game = \"hex\"\n[self_play]\npolicy_surprise = 1.5", "a number from"},
           {"game = \"hex\"\n[learner]\nrate_drops = [0.9, 0.1]", "in ascending order"},
           {"game = \"hex\"\n[learner]\nbatch = \"many\"", "a whole number"}}) {
    CAPTURE(mistake.text);
    const std::string said = error_of(
        [&] { static_cast<void>(training_settings(parse_settings(mistake.text, "file"))); });
    CAPTURE(said);
    CHECK(said.find(mistake.says) != std::string::npos);
  }
}

TEST_CASE("training settings: stages and games of a generation") {
  TrainingSettings settings;
  settings.generations = 100;
  settings.self_play.stages = {{0, 64, 16}, {0.25, 160, 32}, {0.6, 400, 50}};
  settings.self_play.early_games = 100;
  CHECK(stage_of(settings, 1).full == 64);
  CHECK(stage_of(settings, 25).full == 64);
  CHECK(stage_of(settings, 26).full == 160);
  CHECK(stage_of(settings, 61).fast == 50);
  CHECK(games_of(settings, 10) == 100);
  CHECK(games_of(settings, 11) == 300);
}

TEST_CASE("training settings: full searches follow from the number of legal moves") {
  SelfPlaySettings settings;
  settings.visits_per_move = 4.5;
  settings.visits_most = 300;
  const SearchStage stage{0, 100, 32};
  CHECK(full_simulations(settings, stage, 7) == 100);
  CHECK(full_simulations(settings, stage, 40) == 180);
  CHECK(full_simulations(settings, stage, 41) == 185);  // 184.5, rounded up
  CHECK(full_simulations(settings, stage, 2000) == 300);
  settings.visits_per_move = 0;
  CHECK(full_simulations(settings, stage, 2000) == 100);
  // Bounds never take from what a stage says.
  CHECK(full_simulations(settings, {0, 400, 32}, 81) == 400);
}

TEST_CASE("training settings: by default every game's searches suffice, and all are learned from") {
  TrainingSettings settings;
  CHECK(settings.self_play.full_share == 1);
  CHECK(settings.self_play.decided_value == 1);
  for (const int moves : {1, 7, 25, 38, 49, 81, 100}) {
    const int full = full_simulations(settings.self_play, stage_of(settings, 1), moves);
    CHECK(full >= 128);
    CHECK(full >= 6 * moves);
    CHECK(full <= 600);
  }
}

TEST_CASE("training settings: quick ones are settings, and less work") {
  const auto simulations = [](const TrainingSettings& settings) {
    double sum = 0;
    for (int g = 1; g <= settings.generations; ++g) {
      const int full = full_simulations(settings.self_play, stage_of(settings, g), 121);
      sum += games_of(settings, g) * static_cast<double>(full);
    }
    return sum;
  };
  TrainingSettings settings;
  settings.game = "hex size=11 swap=off";
  const TrainingSettings little = quick(settings);
  CHECK(little.game == settings.game);
  CHECK(settings_text(training_settings(parse_settings(settings_text(little), "quick"))) ==
        settings_text(little));
  CHECK(simulations(little) < simulations(settings) / 30);
}

TEST_CASE("training settings: the learner's are in run.json by the same names") {
  const auto json = nlohmann::json::parse(learner_json(tiny().learner));
  CHECK(json.at("batch") == 16);
  CHECK(json.at("device") == "auto");
  CHECK(json.at("rate_drops").size() == 3);
  CHECK(json.at("held_out") == 0.1);
}

}  // namespace pitboss::clients
