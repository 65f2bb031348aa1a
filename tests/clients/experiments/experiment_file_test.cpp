#include "clients/experiments/experiment_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/user_error.hpp"
#include "tests/clients/experiments/small_experiment.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/environment/variable_set.hpp"
#include "tests/folders.hpp"

namespace pitboss::clients {

using namespace std::chrono_literals;

namespace {

ExperimentFile read(const std::string& text) { return parse_experiment(text, "f.toml"); }

std::string option(const Player& player, const std::string& name) {
  for (const auto& option : player.options) {
    if (option.name == name) return option.value;
  }
  return "not given";
}

std::string pairs_of(const ExperimentFile& file) {
  std::string text;
  for (const Match& match : file.experiment.matches) {
    text += (text.empty() ? "" : " ") + match.game + ":" + match.players[0].name + "-" +
            match.players[1].name;
  }
  return text;
}

}  // namespace

TEST_CASE("an experiment file has sound defaults") {
  const ExperimentFile file = read(file_with(minimal));
  CHECK(file.experiment.name == "f");
  CHECK_FALSE(file.experiment.sprt.has_value());
  REQUIRE(file.experiment.matches.size() == 1);
  const Match& match = file.experiment.matches[0];
  CHECK(match.game == "connect4");
  CHECK(match.colours.size() == 2);
  CHECK(match.games == 10);
  CHECK(match.seed == 1);
  CHECK(match.max_plies == 0);
  CHECK(match.move_timeout == 300s);
  CHECK(match.openings == Openings{1});
  CHECK(match.adjudication == Adjudication{});
  CHECK(match.players[0].name == "A");
  CHECK(match.players[1].name == "B");
  CHECK(match.players[0].location == Location(Address{"127.0.0.1", 4580}));
  REQUIRE(file.servers.size() == 1);
  CHECK(file.servers[0].games == 0);
  CHECK(file.concurrency == 8);
  CHECK(file.reconnect == 10s);
  CHECK(file.folder.empty());
}

TEST_CASE("exact adjudication alone, and beside that by values") {
  const auto adjudication = [](const std::string& setting) {
    return read("game = \"othello\"\ngames = 2\nadjudication = " + setting +
                "\n[[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n"
                "[[server]]\naddress = \"127.0.0.1:4580\"\n")
        .experiment.matches[0]
        .adjudication;
  };
  CHECK(adjudication("\"exact\"") == Adjudication{.exact = true});
  CHECK(adjudication("{ exact = true, resign_moves = 3 }") ==
        Adjudication{.resign_moves = 3, .exact = true});
  CHECK_FALSE(adjudication("{ exact = false }").is_on());
  CHECK(adjudication_text(adjudication("\"exact\"")) ==
        "the exact result, once a solver proves it");
}

TEST_CASE("an experiment file says everything there is to say") {
  const ExperimentFile file = read(R"(
name = "all"
seed = 7
openings = ["d", "a b"]
games = 20
max_plies = 40
move_timeout = 2
concurrency = 5
reconnect = 0.5
out = "run/all"
pairings = [["B", "A"], ["C", "A"]]
[adjudication]
resign_moves = 3
resign_value = 0.1
draw_moves = 4
draw_margin = 0.01
draw_from_ply = 20
[[game]]
name = "connect4"
[[game]]
name = "rolit players=3"
games = 12
openings = "none"
max_plies = 90
adjudication = {}
move_timeout = 1.5
[sprt]
elo0 = -1.5
elo1 = 3
alpha = 0.01
beta = 0.1
model = "logistic"
[[player]]
name = "A"
program = ["my engine", "-x"]
speaks = "uci"
options = { Hash = 16, rolit = { Hash = 32 } }
[[player]]
name = "B"
server = "c:3"
[[player]]
name = "C"
game = "connect4"
program = "gnu --mode gtp"
speaks = "gtp"
setup = ["level 3"]
concurrency = 2
)");
  CHECK(file.experiment.name == "all");
  CHECK(file.concurrency == 5);
  CHECK(file.reconnect == 500ms);
  CHECK(file.folder == "run/all");
  REQUIRE(file.experiment.sprt.has_value());
  CHECK(file.experiment.sprt->elo0 == -1.5);
  CHECK(file.experiment.sprt->elo1 == 3);
  CHECK(file.experiment.sprt->alpha == 0.01);
  CHECK(file.experiment.sprt->beta == 0.1);
  CHECK(file.experiment.sprt->model == EloModel::logistic);

  CHECK(pairs_of(file) == "connect4:B-A connect4:C-A rolit:B-A");
  const Match& first = file.experiment.matches[1];
  CHECK(first.seed == 7);
  CHECK(first.games == 20);
  CHECK(first.openings.summary() == "2 listed openings");
  CHECK(first.max_plies == 40);
  CHECK(first.move_timeout == 2s);
  CHECK(first.adjudication == Adjudication{3, 0.1, 4, 0.01, 20});
  const Player& gtp = first.players[0];
  CHECK(gtp.language == Language::gtp);
  CHECK(std::get<Program>(gtp.location).command ==
        std::vector<std::string>{"gnu", "--mode", "gtp"});
  CHECK(gtp.setup == std::vector<std::string>{"level 3"});
  const Player& uci = first.players[1];
  CHECK(uci.language == Language::uci);
  CHECK(std::get<Program>(uci.location).command == std::vector<std::string>{"my engine", "-x"});
  CHECK(option(uci, "Hash") == "16");

  const Match& rolit = file.experiment.matches[2];
  CHECK(rolit.seed == 7);
  CHECK(rolit.games == 12);
  CHECK(rolit.openings == Openings{0});
  CHECK(rolit.max_plies == 90);
  CHECK(rolit.move_timeout == 1500ms);
  CHECK_FALSE(rolit.adjudication.is_on());
  CHECK(option(rolit.players[1], "Hash") == "32");
}

TEST_CASE("options go from the general to the particular") {
  const ExperimentFile file = read(R"(
game = ["connect4", "gomoku", "gomoku size=7"]
games = 2
[options]
simulations = 100
k = 0.1
gomoku = { k = 0.2 }
[[server]]
address = "127.0.0.1:4580"
[[player]]
name = "A"
[player.options]
novelty = "threshold"
preset = "paper"
K = 0.3
"gomoku size=7" = { k = 0.5 }
gomoku = { k = 0.4, alpha = 0.00002 }
[[player]]
name = "B"
)");
  const auto& matches = file.experiment.matches;
  REQUIRE(matches.size() == 3);
  CHECK(option(matches[0].players[0], "k") == "0.3");
  CHECK(option(matches[1].players[0], "k") == "0.4");
  CHECK(option(matches[2].players[0], "k") == "0.5");
  CHECK(option(matches[0].players[0], "alpha") == "not given");
  CHECK(option(matches[2].players[0], "alpha") == "0.00002");
  CHECK(option(matches[0].players[1], "k") == "0.1");
  CHECK(option(matches[1].players[1], "k") == "0.2");
  for (const Match& match : matches) {
    CHECK(match.players[0].options.front().name == "preset");
    CHECK(option(match.players[0], "novelty") == "threshold");
    CHECK(option(match.players[1], "simulations") == "100");
  }
}

TEST_CASE("a movetime lifts the default bound of simulations, in the file and in a player string") {
  const auto bound = [](const Player& player) {
    engine::Options options;
    for (const auto& [name, value] : player.options) engine::set_option(options, name, value);
    return engine::simulation_bound(options, false);
  };
  const std::vector<Address> servers{{"a", 1}};
  for (const auto& [set, expected] : {std::pair<std::string, std::int64_t>{"movetime = 25", 0},
                                      {"movetime = 25\nsimulations = 5000", 5000},
                                      {"k = 0.1", 5000}}) {
    CAPTURE(set);
    const ExperimentFile file = read(file_with(minimal + "[options]\n" + set));
    CHECK(bound(file.experiment.matches[0].players[0]) == expected);
    std::string words = set;
    std::erase(words, ' ');
    std::ranges::replace(words, '\n', ' ');
    words = "name=A preset=paper " + words;
    CHECK(bound(parse_player(words, servers)) == expected);
  }
}

TEST_CASE("clocks: of each player, and a margin that a game may override") {
  const ExperimentFile file = read(R"(
game = ["connect4", { name = "hex", time_margin = 0 }]
games = 2
time_margin = 0.2
[[server]]
address = "127.0.0.1:4580"
[[player]]
name = "A"
tc = "10m+30s:5"
options = { simulations = 0 }
[[player]]
name = "B"
)");
  const auto& matches = file.experiment.matches;
  REQUIRE(matches.size() == 2);
  CHECK(matches[0].time_margin == 200ms);
  CHECK(matches[1].time_margin == 0ms);
  for (const Match& match : matches) {
    REQUIRE(match.players[0].clock.has_value());
    CHECK(match.players[0].clock->count == 5);
    CHECK_FALSE(match.players[1].clock.has_value());
  }
}

TEST_CASE("pairings") {
  const std::string three = "[[player]]\nname = \"C\"\n";
  CHECK(pairs_of(read(file_with(minimal, three))) == "connect4:A-B connect4:A-C connect4:B-C");
  CHECK(pairs_of(read(file_with(minimal + "pairings = \"round-robin\"", three))) ==
        "connect4:A-B connect4:A-C connect4:B-C");
  CHECK(pairs_of(read(file_with(minimal + "pairings = \"gauntlet\"", three))) ==
        "connect4:A-B connect4:A-C");
  CHECK(pairs_of(read(file_with(minimal + "pairings = { against = \"B\" }", three))) ==
        "connect4:A-B connect4:C-B");
  CHECK(pairs_of(read(file_with(minimal + "pairings = [[\"C\", \"B\"], [\"A\", \"C\"]]", three))) ==
        "connect4:C-B connect4:A-C");
  const std::string two_games = "game = [\"connect4\", \"othello\"]\ngames = 2\n";
  CHECK(pairs_of(read(file_with(two_games, three + "game = \"othello\"\n"))) ==
        "connect4:A-B othello:A-B othello:A-C othello:B-C");
}

TEST_CASE("players without a place sit at the servers in turn") {
  const std::string text = minimal + R"(
[[server]]
address = "a:1"
concurrency = 3
[[server]]
address = "b:2"
[[player]]
name = "A"
[[player]]
name = "B"
server = "c:3"
[[player]]
name = "C"
[[player]]
name = "D"
[[player]]
name = "E"
program = "engine"
speaks = "gtp"
concurrency = 2
)";
  const ExperimentFile file = read(text);
  std::string places;
  for (const ServerCapacity& server : file.servers) {
    places += text_of(server.location) + "=" + std::to_string(server.games) + " ";
  }
  CHECK(places == "a:1=3 c:3=0 b:2=0 engine=2 ");
  CHECK(file.experiment.matches[2].players[1].name == "D");
  CHECK(file.experiment.matches[2].players[1].location == Location(Address{"a", 1}));

  const ExperimentFile elsewhere =
      experiment_file_of(parse_settings(text, "f.toml"), {{Location(Address{"z", 9}), 1}});
  CHECK(elsewhere.experiment.matches[2].players[1].location == Location(Address{"z", 9}));
  CHECK(elsewhere.experiment.matches[0].players[1].location == Location(Address{"c", 3}));
  CHECK(elsewhere.servers.size() == 3);
}

TEST_CASE("players that share a program: the last concurrency counts") {
  const auto games_at_once = [](const std::vector<std::string>& told) {
    std::string text = minimal;
    char name = 'A';
    for (const std::string& concurrency : told) {
      text += "[[player]]\nname = \"" + std::string(1, name++) +
              "\"\nprogram = \"engine\"\nspeaks = \"gtp\"\n" + concurrency;
    }
    const ExperimentFile file = read(text);
    REQUIRE(file.servers.size() == 1);
    CHECK(text_of(file.servers[0].location) == "engine");
    return file.servers[0].games;
  };
  const std::string two = "concurrency = 2\n";
  const std::string three = "concurrency = 3\n";
  CHECK(games_at_once({"", ""}) == 0);
  CHECK(games_at_once({two, ""}) == 2);
  CHECK(games_at_once({"", two}) == 2);
  CHECK(games_at_once({"", two, ""}) == 2);
  CHECK(games_at_once({two, three}) == 3);
  CHECK(games_at_once({three, two}) == 2);
}

TEST_CASE("all matches of a game share their openings") {
  const ExperimentFile file =
      read(file_with(minimal + "openings = \"all:1\"", "[[player]]\nname = \"C\"\n"));
  const auto& matches = file.experiment.matches;
  REQUIRE(matches.size() == 3);
  CHECK(matches[0].openings.lines == matches[2].openings.lines);
  for (int round = 0; round < 5; ++round) {
    CHECK(opening_of(matches[0], round) == opening_of(matches[2], round));
  }
}

TEST_CASE("openings are looked for beside the file") {
  const ScratchFolder folder;
  write_text(folder / "o.txt", "d\n");
  write_text(folder / "e.toml", file_with(minimal + "openings = \"file:o.txt\""));
  const ExperimentFile file = read_experiment_file(folder / "e.toml");
  CHECK(file.experiment.name == "e");
  CHECK(opening_of(file.experiment.matches[0], 3).size() == 1);
  write_text(folder / "o.txt", "d\nz\n");
  CHECK_THROWS_AS(static_cast<void>(read_experiment_file(folder / "e.toml")), UserError);
}

TEST_CASE("~ stands for the home folder in every path of an experiment") {
  const ScratchFolder home;
  const tests::VariableSet variable("HOME", home.path().c_str());
  std::filesystem::create_directories(home / "runs");
  const std::filesystem::path file = home / "runs/e.toml";
  write_text(home / "o.txt", "d\n");
  write_text(home / "token", "secret\n");
  write_text(home / "p.toml", "simulations = 17\n");
  ::chmod((home / "token").c_str(), 0600);
  write_text(file, file_with(minimal + "openings = \"file:~/o.txt\"\nout = \"~/runs/x\"\n") +
                       "\n[[server]]\naddress = \"127.0.0.1:1\"\ntoken_file = \"~/token\"\n");
  const ExperimentFile read = read_experiment_file(file);
  CHECK(read.folder == home / "runs/x");
  CHECK(opening_of(read.experiment.matches[0], 3).size() == 1);
  REQUIRE_FALSE(read.servers.empty());
  CHECK(std::get<Address>(read.servers.back().location).access.token == "secret");
  for (const char* path : {"~no-such-user/x", ""}) {
    write_text(file, file_with(minimal + "out = \"" + path + "\""));
    CHECK_THROWS_AS(static_cast<void>(read_experiment_file(file)), UserError);
  }
}

TEST_CASE("an unseated experiment has no servers, whatever the file says of them") {
  const ScratchFolder folder;
  const std::string players =
      "[[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n"
      "[[player]]\nname = \"C\"\nprogram = \"engine\"\nspeaks = \"gtp\"\n";
  for (const std::string& server :
       {std::string(), std::string("[[server]]\naddress = \"127.0.0.1:1\"\n"),
        std::string(
            "[[server]]\naddress = \"127.0.0.1:1\"\ntoken_file = \"missing\"\n"
            "[[server]]\naddress = \"127.0.0.1:2\"\n[[server]]\naddress = \"[::1]:3\"\n")}) {
    CAPTURE(server);
    write_text(folder / "e.toml", minimal + players + server);
    const ExperimentFile file = read_unseated_experiment(folder / "e.toml");
    CHECK(file.servers.empty());
    REQUIRE(pairs_of(file) == "connect4:A-B connect4:A-C connect4:B-C");
    const auto& [first, second] = file.experiment.matches[1].players;
    CHECK(first.location == Location());
    CHECK(second.location == Location(Program{{"engine"}}));
  }
  write_text(folder / "e.toml", minimal + players);
  CHECK_THROWS_AS(static_cast<void>(read_experiment_file(folder / "e.toml")), UserError);
}

TEST_CASE("the experiments in data/ are sound") {
  std::set<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(tests::data_folder() + "/experiments")) {
    if (entry.path().extension() != ".toml") continue;
    CAPTURE(entry.path());
    const bool is_tuning = read_text(entry.path()).find("\n[tune]\n") != std::string::npos;
    const Setting file = read_settings(entry.path());
    const std::string name =
        is_tuning ? read_tuning_file(entry.path(), {file.at("game").texts().front(), ""})
                        .file.experiment.name
                  : read_experiment_file(entry.path()).experiment.name;
    CHECK(name == entry.path().stem().string());
    names.insert(name);
  }
  CHECK(names.count("novelty-5000") == 1);
  CHECK(names.count("connect4-quick") == 1);
}

TEST_CASE("the tuned estimators in data/options are those of the experiments") {
  const std::filesystem::path experiments = tests::data_folder() + "/experiments";
  const auto sets =
      nlohmann::json::parse(read_text(experiments.parent_path() / "options" / "me-mcts.json"));
  std::map<std::string, std::set<std::string>> told;
  for (const std::string name :
       {"playouts", "static", "playouts-time", "static-time", "othello-time"}) {
    const std::string kind = name.starts_with("playouts") ? "playouts" : "static";
    const ExperimentFile file = read_experiment_file(experiments / ("me-mcts-" + name + ".toml"));
    for (const Match& match : file.experiment.matches) {
      for (const Player& player : match.players) {
        // One of the others again, a control, and the paper's best ones.
        if (player.name == "single" || player.name == "history") continue;
        if (player.name.starts_with("paper-")) continue;
        CAPTURE(name);
        CAPTURE(match.game);
        CAPTURE(player.name);
        told[name].insert(match.game + player.name);
        for (const auto& [key, value] : sets.at(match.game).at(kind).at(player.name).items()) {
          CAPTURE(key);
          const bool timed = name.ends_with("time");
          std::string text = value.is_string() ? value.get<std::string>() : value.dump();
          // An experiment begins with no estimators; one at equal time counts no simulations.
          if (text == "none") text = "not given";
          if (key == "simulations" && timed) text = "0";
          CHECK(option(player, key) == text);
        }
      }
    }
  }
  CHECK(told["playouts"].size() == 4 * 6);
  CHECK(told["static"].size() == 4 * 6);
  CHECK(told["playouts-time"].size() == 4 * 6);
  CHECK(told["static-time"].size() == 4 * 6 - 2);  // othello's pair and all three elsewhere
  CHECK(told["othello-time"].size() == 3);
}

TEST_CASE("the experiment in docs/experiment-file.md is sound") {
  const std::string page =
      read_text(std::filesystem::path(tests::docs_folder()) / "experiment-file.md");
  const std::string begin = "```toml\n";
  const std::size_t from = page.find(begin);
  REQUIRE(from != std::string::npos);
  const std::size_t start = from + begin.size();
  const ExperimentFile file = read(page.substr(start, page.find("```", start) - start));
  CHECK(pairs_of(file) ==
        "connect4:pseudocount-plain connect4:evaluation-plain "
        "othello:pseudocount-plain othello:evaluation-plain");
}

TEST_CASE("novelty-5000 plays the paper's cells and their controls") {
  const ExperimentFile file = read_experiment_file(
      std::filesystem::path(tests::data_folder() + "/experiments") / "novelty-5000.toml");
  const auto& matches = file.experiment.matches;
  CHECK(matches.size() == 20 + 14);
  for (const Match& match : matches) {
    CHECK(match.games == 2000);
    CHECK(match.players[1].name == "baseline");
    CHECK(option(match.players[0], "simulations") == "5000");
  }
  const auto cell = std::ranges::find_if(matches, [](const Match& match) {
    return match.game == "knightthrough" && match.players[0].name == "threshold";
  });
  REQUIRE(cell != matches.end());
  CHECK(option(cell->players[0], "gamma") == "0.002");
  CHECK(option(cell->players[1], "k") == "0.1");
}

}  // namespace pitboss::clients
