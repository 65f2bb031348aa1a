#include "clients/tuning/tuning_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clients/experiments/preset_file.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"

namespace pitboss::clients {

namespace {

const std::string novel =
    "[[player]]\nname = \"novel\"\noptions = { simulations = 9, k = 0.3, beta = 0.1 }\n";
const std::string plain = "[[player]]\nname = \"plain\"\noptions = { k = 0.5 }\n";
const std::string k_values = "[tune.parameters]\nk = [0.1, 0.3, 1]\n";
const std::string k_range = "[tune.parameters]\nk = { min = 0.01, max = 2, scale = \"log\" }\n";
const std::string ucb_method = "method = \"ucb1-tuned\"\ngames = 200\n";
const std::string spsa_method = "method = \"spsa\"\n";

/// A file with these players (from line 5) and this below [tune].
std::string file_with(const std::string& tune, const std::string& players = novel + plain) {
  return "game = \"hex\"\ngames = 20\n[[server]]\naddress = \"a:1\"\n" + players + "[tune]\n" +
         tune;
}

PlannedTuning read(const std::string& text, const TuningChoice& choice = {}) {
  const ScratchFolder folder;
  std::ofstream(folder / "t.toml") << text;
  return read_tuning(folder / "t.toml", choice);
}

/// The player's k, which stays where the player's options have it.
std::string k_of(const Player& player) {
  CHECK(std::ranges::count(player.options, "k", &engine::Assignment::name) == 1);
  return std::ranges::find(player.options, "k", &engine::Assignment::name)->value;
}

}  // namespace

TEST_CASE("read_tuning: a bandit against an opponent, and its fresh match") {
  const PlannedTuning plan = read(file_with(ucb_method + "lag = 3\n" + k_values));
  CHECK(plan.settings.lag == 3);
  CHECK(plan.settings.conditions.opponents == 1);
  CHECK(plan.settings.conditions.seatings == 2);
  CHECK(plan.settings.conditions.start == Values{"0.3"});
  CHECK(std::get<UcbSettings>(plan.settings.method).games == 200);
  CHECK(plan.examined().matches.size() == 3);  // 0.3 is the start

  const Match played = plan.match_of({{"1"}, 0, 4, 1});
  CHECK(played.players[0].name == "novel");
  CHECK(k_of(played.players[0]) == "1");
  CHECK(played.players[1].name == "plain");

  const Experiment fresh = plan.fresh_match({"1"});
  REQUIRE(fresh.matches.size() == 2);
  CHECK(fresh.matches[0].players[0].name == "novel.tuned");
  CHECK(fresh.matches[0].players[1].name == "novel");
  CHECK(fresh.matches[1].players[1].name == "plain");
  CHECK(fresh.matches[0].games == 20);
  CHECK(fresh.matches[0].seed != played.seed);
  CHECK(plan.fresh_match({"0.3"}).matches.size() == 1);  // nothing to compare the start with
}

TEST_CASE("read_tuning: a race, its answers, and its control, which has no novelty") {
  const std::string parameters = k_range + "alpha = [0, 0.01, 0.1]\n";
  const PlannedTuning plan = read(file_with("answers = [{ K = 0.5 }]\n" + parameters));
  const auto& race = std::get<RaceSettings>(plan.settings.method);
  CHECK(race.games == 3000);
  const Values& start = plan.settings.conditions.start;
  CHECK(race.answers == std::vector<Values>{{"0.5", start[1]}});
  CHECK(race.control == Values{start[0], "0"});
  const auto named = read(file_with("method = \"race\"\ncontrol = { k = 1 }\n" + parameters));
  CHECK(std::get<RaceSettings>(named.settings.method).control == Values{"1", start[1]});
  const auto without = read(file_with(k_range));
  CHECK_FALSE(std::get<RaceSettings>(without.settings.method).control);
}

TEST_CASE("read_tuning: one file for several games and players, of which one each is chosen") {
  const std::string text =
      "game = [\"hex size=7\", \"othello\"]\ngames = 20\npairings = { against = \"plain\" }\n"
      "[[server]]\naddress = \"a:1\"\n"
      "[[player]]\nname = \"novel\"\noptions = { simulations = 9, k = 0.3, othello = { k = 0.1 } "
      "}\n"
      "[[player]]\nname = \"control\"\ntuned = [\"K\"]\noptions = { simulations = 9, k = 0.4 }\n"
      "[[player]]\nname = \"plain\"\noptions = { k = 0.5 }\n"
      "[tune]\n" +
      ucb_method +
      "[tune.parameters]\nk = [0.1, 0.3, 1]\nothello = { k = [0.03, 0.06] }\n"
      "beta = [1, 2]\n";
  std::string n_tuple = text;
  n_tuple.replace(n_tuple.find(ucb_method), ucb_method.size(), "method = \"n-tuple\"\n");

  const PlannedTuning control = read(text, {"othello", "control"});
  CHECK(control.file.itself.game == "othello");
  CHECK(control.settings.conditions.start == Values{"0.4"});
  CHECK(control.space[0].values == std::vector<std::string>{"0.03", "0.06"});
  REQUIRE(control.file.file.experiment.matches.size() == 1);  // and not against novel
  CHECK(control.file.file.experiment.matches[0].players[1].name == "plain");

  const PlannedTuning novel = read(n_tuple, {"hex", ""});
  CHECK(novel.file.itself.players[0].name == "novel");
  CHECK(novel.settings.conditions.start == Values{"0.3", "0.02"});
  CHECK(novel.space.size() == 2);

  const auto error = [&](std::string of, const TuningChoice& choice) {
    return error_of([&] { read(of, choice); });
  };
  CHECK(error(text, {}).find("game: a tuning is for one game: choose it with --game") !=
        std::string::npos);
  CHECK(error(text, {"otelo", ""}).find("--game: \"otelo\" is no game of ") != std::string::npos);
  CHECK(error(text, {"otelo", ""}).find("did you mean 'othello'?") != std::string::npos);
  CHECK(error(text, {"hex", "nobody"}).find("is called \"nobody\"; known: novel, ") !=
        std::string::npos);
  // UCB1-Tuned has one parameter.
  CHECK(error(text, {"hex", ""}).find("parameters: ucb1-tuned tunes one parameter") !=
        std::string::npos);
  std::string wrong = text;
  wrong.replace(wrong.find("\"K\""), 3, "\"alpha\"");
  CHECK(error(wrong, {"hex", "control"})
            .find("line 11, tuned: \"alpha\" is no parameter in [tune.parameters]") !=
        std::string::npos);
  wrong.replace(wrong.find("\"alpha\""), 7, "\"k\", \"K\"");
  CHECK(error(wrong, {"hex", "novel"}).find("tuned: \"K\" is listed twice") != std::string::npos);
  wrong = text;
  wrong.replace(wrong.find("othello = { k = [0.03, 0.06] }"), 30,
                "othello = { beta = { min = 0, max = 1 } }");
  wrong.replace(wrong.find("[\"K\"]"), 5, "[\"beta\"]");
  CHECK(error(wrong, {"othello", "control"}).find("line 21, beta: bandits choose among values") !=
        std::string::npos);
  wrong = text;
  wrong.replace(wrong.find("othello = { k = [0.03"), 7, "gomoku");
  CHECK(error(wrong, {"hex", ""}).find("\"gomoku\" is not a game of this experiment") !=
        std::string::npos);
}

TEST_CASE("read_tuning: a game is chosen as the file names it, or by its name alone") {
  const auto game_of = [](const std::string& games, const std::string& choice) {
    std::string text = file_with(ucb_method + k_values);
    text.replace(text.find("\"hex\""), 5, games);
    return rules_text(read(text, {choice, ""}).file.itself);
  };
  const std::string two = "[\"gomoku\", \"gomoku size=7\"]";
  CHECK(game_of(two, "gomoku").find("size=7") == std::string::npos);
  CHECK(game_of(two, "gomoku size=7").find("size=7") != std::string::npos);
  CHECK(game_of("[\"hex\", \"gomoku size=7\"]", "gomoku").find("size=7") != std::string::npos);
  CHECK(error_of([&] {
          game_of("[\"gomoku size=9\", \"gomoku size=7\"]", "gomoku");
        }).find("--game: \"gomoku\" is more than one game of ") != std::string::npos);
}

TEST_CASE("PlannedTuning::examined: all pairs of listed values, and ranges' bounds one by one") {
  const PlannedTuning lists = read(file_with(
      "method = \"n-tuple\"\n[tune.parameters]\nk = [0.1, 0.3, 1]\nevaluation = [\"playout\", "
      "\"static\"]\n"));
  std::vector<std::string> names;
  for (const Match& match : lists.examined().matches) names.push_back(match.players[0].name);
  CHECK(names == std::vector<std::string>{
                     "novel", "novel with k=0.1 evaluation=static",
                     "novel with k=1 evaluation=static", "novel with k=0.3 evaluation=playout",
                     "novel with k=0.1 evaluation=playout", "novel with k=1 evaluation=playout"});
  const PlannedTuning three = read(file_with(
      "method = \"n-tuple\"\n[tune.parameters]\nk = [0.1, 0.3, 1]\nsolver = [false, true]\n"
      "reuse_tree = [false, true]\n"));
  CHECK(three.examined().matches.size() == 1 + 4 + 5);  // the start, one changed value, two
  const PlannedTuning ranges = read(
      file_with("self_play = true\n" + spsa_method + k_range + "beta = { min = 0.01, max = 1 }\n"));
  CHECK(ranges.examined().matches.size() == 5);
}

TEST_CASE("read_tuning: self-play gives both sides values, and needs no opponent") {
  const PlannedTuning plan = read(file_with("self_play = true\n" + spsa_method + k_range, novel));
  CHECK(plan.is_self_play());
  const Match played = plan.match_of({{"1"}, Values{"2"}, 0, 0});
  CHECK(k_of(played.players[0]) == "1");
  CHECK(k_of(played.players[1]) == "2");
  CHECK(played.players[1].name == "novel.other");
}

TEST_CASE("PlannedTuning::configuration: tells tunings apart, and not their prediction") {
  const std::string first = read(file_with(ucb_method + k_values)).configuration().text;
  CHECK(first == read(file_with(ucb_method + "start_loss = 9\n" + k_values)).configuration().text);
  for (const std::string& other :
       {ucb_method + "lag = 9\n" + k_values, ucb_method + "factor = 2\n" + k_values,
        spsa_method + k_range, ucb_method + "deviation_games = 100\n" + k_values,
        "player = \"plain\"\n" + ucb_method + k_values}) {
    CHECK(first != read(file_with(other)).configuration().text);
  }
}

TEST_CASE("PlannedTuning::configuration: more games of one stage are the same tuning") {
  const auto growing = [](const std::string& text) { return read(text).configuration().growing; };
  CHECK(growing(file_with(ucb_method + k_values)) == "games");
  CHECK(growing(file_with(spsa_method + k_range)) == "games");
  // A later stage begins behind them.
  CHECK(growing(file_with(ucb_method + "deviation_games = 100\n" + k_values)).empty());
  CHECK(growing(file_with("method = \"n-tuple\"\n" + k_values)).empty());
  const auto games = [](const std::string& text) {
    return nlohmann::json::parse(read(text).configuration().text)["games"].get<std::int64_t>();
  };
  CHECK(games(file_with(spsa_method + k_range)) == 6264);
  CHECK(games(file_with(spsa_method + "games = 7000\n" + k_range)) == 7000);
}

TEST_CASE("the authors' tuning procedure in data/ has its sizes") {
  const PlannedTuning plan =
      read_tuning(std::filesystem::path(tests::data_folder()) / "experiments/novelty-tuning.toml");
  CHECK(predict(plan.space, plan.settings).games == 8 * 3000 + 8 * 1000);
  CHECK(plan.space[0].values.size() == 5);
  CHECK(plan.space[1].values.size() == 25);
  CHECK(plan.space[1].values == plan.space[2].values);
  const Experiment fresh = plan.fresh_match({"0.3", "0.02", "2"});
  CHECK(fresh.matches[1].players[1].name == "baseline");
  CHECK(fresh.matches[1].games == 2000);
}

TEST_CASE("every mistake in a tuning's file has a sentence with line and key") {
  struct Row {
    std::string text;
    std::string error;  // contained
  };
  const std::string two = "k = [0.1, 0.3]\nbeta = [0.1, 0.3]\n";
  const std::vector<Row> rows{
      {"game = \"hex\"\ngames = 20\n", "[tune] is missing, which says what is tuned and how"},
      {"sprt = { elo0 = 0, elo1 = 5 }\n" + file_with(ucb_method + k_values),
       "line 1, sprt: this key is unknown"},
      {file_with("answers = [{ j = 1 }]\n" + k_values),
       "line 12, j: is no parameter of this tuning"},
      {file_with("control = { k = 9 }\n" + k_range), "line 12, k: 9 is not in the range"},
      {file_with("method = \"spsa\"\nanswers = []\n" + k_range), "answers: this key is unknown"},
      {file_with("method = \"ntbea\"\n" + k_values),
       "line 12, method: expected \"race\", \"ucb1-tuned\", \"n-tuple\" or \"spsa\""},
      {file_with(ucb_method), "line 11, tune: \"parameters\" is missing"},
      {file_with(ucb_method + "runs = 3\n" + k_values), "line 14, runs: this key is unknown"},
      {file_with("player = \"x\"\n" + ucb_method + k_values),
       "line 12, player: no player is called"},
      // What is tuned.
      {file_with(ucb_method + "[tune.parameters]\n"), "expected at least one parameter"},
      {file_with(ucb_method + "[tune.parameters]\nkk = [1, 2]\n"),
       "line 15, kk: unknown option 'kk'"},
      {file_with(ucb_method + "[tune.parameters]\nk = []\n"),
       "line 15, k: expected at least two values"},
      {file_with(ucb_method + "[tune.parameters]\nk = [1, 1]\n"),
       "line 15, k: the value 1 is given twice"},
      {file_with(ucb_method + "[tune.parameters]\nsimulations = [10, 20]\n"),
       "line 15, simulations: simulations cannot be tuned"},
      {file_with(ucb_method + k_range), "line 15, k: "},  // a range is not for bandits
      {file_with(spsa_method + k_values), "line 14, k: "},
      {file_with(ucb_method + "[tune.parameters]\n" + two), "ucb1-tuned"},
      {file_with(spsa_method + "[tune.parameters]\nk = { min = 2, max = 1 }\n"),
       "line 14, max: expected more than min"},
      {file_with(spsa_method + "[tune.parameters]\nk = { min = 0, max = 1, scale = \"log\" }\n"),
       "line 14, min: a logarithmic scale does not contain 0"},
      {file_with(spsa_method + "[tune.parameters]\nk = { min = 0.5, max = 1 }\n"), "line 14, k: "},
      // The budget.
      {file_with("method = \"ucb1-tuned\"\ngames = 4\n" + k_values), "line 13, games: "},
      {file_with("method = \"n-tuple\"\ngames_per_run = 1\n" + k_values),
       "line 13, games_per_run: "},
      {file_with(spsa_method + "games = 10\n" + k_range), "line 13, games: "},
      {file_with(ucb_method + "deviation_games = 1\n" + k_values), "line 14, deviation_games: "},
      {file_with(ucb_method + "lag = 101\n" + k_values),
       "line 14, lag: 101 is more than the tuning has proposals, 100"},
      {file_with(spsa_method + "lag = 700\n" + k_range),
       "line 13, lag: 700 is more than a twentieth of SPSA's time constant in proposals, 26"},
      {file_with(ucb_method + "lag = 0\n" + k_values),
       "line 14, lag: expected a whole number from 1"},
      {file_with(spsa_method + "precision = 0\n" + k_range), "line 13, precision: "},
      {file_with(spsa_method + "draw_ratio = 1\n" + k_range), "line 13, draw_ratio: "},
      // Opponents.
      {file_with(ucb_method + k_values, novel), "line 5, player: has no opponent: "},
      {file_with(ucb_method + k_values, "[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n"),
       "the opponent b is the player itself, a: say self_play = true"},
      {file_with("player = \"x\"\n" + ucb_method + k_values,
                 plain + "[[player]]\nname = \"x\"\nprogram = \"x\"\nspeaks = \"gtp\"\n"),
       "a player that speaks \"gtp\" has no options to tune"},
      {file_with("player = \"x\"\n" + ucb_method + "[tune.parameters]\nStyle = [1, 2]\n",
                 plain + "[[player]]\nname = \"x\"\nprogram = \"x\"\nspeaks = \"uci\"\n"),
       "Style: what is its value before tuning? Give it in the options of x"},
  };
  for (const auto& [text, error] : rows) {
    CAPTURE(text);
    const std::string found = error_of([&] { static_cast<void>(read(text)); });
    CAPTURE(found);
    CHECK(found.find(error) != std::string::npos);
    CHECK(found.find("t.toml") != std::string::npos);
  }
}

TEST_CASE("the presets in data/options are answers of the tunings in data/experiments") {
  const std::filesystem::path data = tests::data_folder();
  struct Presets {
    std::string folder;
    int players_and_games;
  };
  for (const auto& [folder, expected] :
       {Presets{"novelty-1000", 7 * 5}, Presets{"authors-networks-500", 6 * 1}}) {
    int presets = 0;
    for (const auto& entry : std::filesystem::directory_iterator(data / "options" / folder)) {
      if (entry.path().extension() != ".toml") continue;
      CAPTURE(entry.path());
      ++presets;
      const std::string stem = entry.path().stem().string();
      const std::size_t dash = stem.find('-');
      const TuningChoice choice{stem.substr(0, dash), stem.substr(dash + 1)};
      const std::string tuning =
          folder + (choice.player == "baseline" ? "-baseline-tuning" : "-tuning");
      const PlannedTuning plan = read_tuning(data / "experiments" / (tuning + ".toml"), choice);
      const Player& start = plan.file.itself.players[0];
      Values answer;
      const auto options = read_preset(entry.path());
      for (const TunedParameter& parameter : plan.space) {
        const auto option = std::ranges::find(options, parameter.name, &engine::Assignment::name);
        REQUIRE(option != options.end());
        CHECK(std::ranges::find(parameter.values, option->value) != parameter.values.end());
        answer.push_back(option->value);
      }
      const auto answered = with_values(start, plan.space, answer).options;
      CHECK(std::ranges::equal(answered, options, [](const auto& a, const auto& b) {
        return a.name == b.name && a.value == b.value;
      }));
    }
    CHECK(presets == expected);
  }
}

TEST_CASE("the tunings in data/experiments are sound for each game and player") {
  int tunings = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(tests::data_folder() + "/experiments")) {
    const Setting file = read_settings(entry.path());
    if (file.find("tune") == nullptr) continue;
    CAPTURE(entry.path());
    const bool has_pairings = file.find("pairings") != nullptr;
    for (const std::string& game : file.at("game").texts()) {
      for (const Setting& player : file.list_at("player")) {
        const std::string& name = player.at("name").text();
        if (has_pairings && name == "baseline") continue;
        CAPTURE(name);
        if (name != file.list_at("player").front().at("name").text() && !has_pairings) continue;
        CHECK(!read_tuning(entry.path(), {game, name}).space.empty());
        ++tunings;
      }
    }
  }
  CHECK(tunings > 30);
}

}  // namespace pitboss::clients
