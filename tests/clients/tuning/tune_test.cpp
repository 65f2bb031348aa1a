#include <doctest/doctest.h>

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "clients/experiments/preset_file.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/tuning/tuning_document.hpp"
#include "games/random.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"
#include "tests/timing.hpp"

// `pitboss tune` as users start it.

namespace pitboss::clients {

using peers::Process;
using tests::Daemon;

namespace {

std::string first_line(Daemon& daemon) { return Daemon::address_of(daemon.output_line()); }

/// A file of a tuning at a server; `tune` is what stands below [tune].
std::string file_text(const std::string& server, const std::string& tune,
                      const std::string& openings = "random:2") {
  return "seed = 5\ngame = \"connect4\"\ngames = 20\nreconnect = 300\nopenings = \"" + openings +
         "\"\n[[server]]\naddress = \"" + server +
         "\"\n[options]\npreset = \"reference\"\n"
         "[[player]]\nname = \"tuned\"\noptions = { simulations = 6, k = 0.3, alpha = \".1\" }\n"
         "[[player]]\nname = \"base\"\noptions = { simulations = 4, k = 0.5 }\n[tune]\n" +
         tune;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

std::vector<std::string> command(const std::filesystem::path& file,
                                 const std::filesystem::path& out, int workers) {
  return {(std::filesystem::path(tests::bin_folder()) / "pitboss").string(),
          "tune",
          "--experiment",
          file.string(),
          "--out",
          out.string(),
          "--concurrency",
          std::to_string(workers)};
}

/// Everything of a tuning's games but their times, by their openings. Waits while the tuning locks
/// its ledger.
std::string games_in(const std::filesystem::path& folder) {
  SQLite::Database database((folder / "tuning.sqlite").string(), SQLite::OPEN_READONLY, 20'000);
  SQLite::Statement row(
      database,
      "SELECT matches.number || '/' || games.number || ' ' || json_extract(configuration, "
      "'$.players') || ': ' || opening || ' ' || seats || ' ' || result || ' ' || twelfths || ' ' "
      "|| moves FROM games JOIN matches ON matches.id = match ORDER BY games.number, "
      "matches.number");
  std::string all;
  while (row.executeStep()) all += row.getColumn(0).getString() + "\n";
  return all;
}

const std::string by_spsa =
    "method = \"spsa\"\nself_play = true\nprecision = 3\nloss_at_half_range = 300\nlag = 3\n"
    "[tune.parameters]\nk = { min = 0.01, max = 2, scale = \"log\" }\n";

const std::string ucb =
    "method = \"ucb1-tuned\"\ngames = 400\nlag = 9\n[tune.parameters]\nk = [0.1, 0.3, 1, 3]\n";

const std::string race =
    "method = \"race\"\ngames = 400\nlag = 9\n[tune.parameters]\n"
    "k = { min = 0.01, max = 2, scale = \"log\" }\nsolver = [true, false]\n";

/// That of SPSA, which gives up a server that is away for a second.
std::string impatient(const std::string& server) {
  std::string text = file_text(server, by_spsa);
  return text.replace(text.find("reconnect = 300"), 15, "reconnect = 1");
}

}  // namespace

TEST_CASE("tune: one worker, seven, and twenty kills play the same games to the same answer") {
  Daemon daemon({"--listen", "127.0.0.1:0"});
  const std::string server = first_line(daemon);
  for (const std::string& tune : {ucb, by_spsa, race}) {
    const ScratchFolder folder;
    const auto file = folder / "tuning.toml";
    write(file, file_text(server, tune));
    REQUIRE(Process(command(file, folder / "one", 1)).wait() == 0);
    Process seven(command(file, folder / "seven", 7));
    REQUIRE(seven.wait() == 0);
    const std::regex progress(
        R"((\d+)/\d+ games, [\d.]+ a second, (less than a second|\d+ \w+( \d+ \w+)?) left; so far k=)");
    const std::string errors = seven.errors();
    std::smatch told;
    REQUIRE(std::regex_search(errors, told, progress));
    CHECK(std::stoi(told[1]) >= 40);
    games::Random random(3);
    int kills = 0;
    for (int workers = 7;; workers = 8 - workers) {
      Process run(command(file, folder / "killed", workers));
      if (kills == 20) {
        REQUIRE(run.wait() == 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50 + random.below(300)));
      run.signal(SIGKILL);
      run.wait();
      ++kills;
    }
    const std::string games = games_in(folder / "one");
    CHECK(std::ranges::count(games, '\n') > 300);
    CHECK(games == games_in(folder / "seven"));
    CHECK(games == games_in(folder / "killed"));
    for (const char* name : {"tuned.toml", "summary.json", "report.html"}) {
      const std::string text = read_text_file(folder / "one" / name);
      CHECK(text == read_text_file(folder / "seven" / name));
      CHECK(text == read_text_file(folder / "killed" / name));
    }
    const auto summary = nlohmann::json::parse(read_text_file(folder / "one" / "summary.json"));
    CHECK(summary["best"].contains("k"));
    CHECK(summary["games"] == std::ranges::count(games, '\n'));
    CHECK(summary["matches"].size() >= 1);
    CHECK(summary["score"] == summary["matches"][0]["score"]);
    const std::string report = read_text_file(folder / "one" / "report.html");
    CHECK(report.find(tune == ucb ? "Samples of k" : "k over the games") != std::string::npos);
    if (tune == race) {
      CHECK(report.find("Around the answer") != std::string::npos);
      const auto tables = tables_of(tuning_document(folder / "one"));
      REQUIRE(tables.at("sensitivity").size() == 2);
      CHECK(tables.at("sensitivity")[0]["parameter"] == "k");
      CHECK(tables.at("sensitivity")[0]["answer"] == summary["best"]["k"]);
      CHECK(tables.at("around").size() > 20);
    }
    CHECK(report.find("preset=reference simulations=6 ") != std::string::npos);
    CHECK(report.find("match/report.html") != std::string::npos);

    CHECK_NOTHROW(static_cast<void>(read_preset(folder / "one" / "tuned.toml")));

    // The document of a tuning whose answer is the player as it was, so that no match was played.
    const std::string whole = read_text_file(folder / "one" / "summary.json");
    auto unchanged = summary;
    for (const char* const key : {"match", "score", "interval"}) unchanged[key] = nullptr;
    unchanged["matches"] = nlohmann::json::array();
    write(folder / "one" / "summary.json", unchanged.dump());
    CHECK(terminal_text(tuning_document(folder / "one")).find("None: the answer") !=
          std::string::npos);
    write(folder / "one" / "summary.json", whole);

    // Another tuning in the same folder is refused and changes nothing.
    std::string other = file_text(server, tune);
    other.replace(other.find("lag = ") + 6, 1, "2");
    write(folder / "other.toml", other);
    Process refused(command(folder / "other.toml", folder / "one", 1));
    CHECK(refused.wait() == 2);
    const std::string lag = tune == by_spsa ? "3" : "9";
    CHECK(refused.errors().find("lag is " + lag + " there and 2 here; set it to " + lag +
                                " to go on, or choose another --out") != std::string::npos);
    CHECK(games == games_in(folder / "one"));
  }
}

TEST_CASE("tune: a server that is gone for good stops the tuning, which then goes on") {
  const ScratchFolder folder;
  const auto file = folder / "tuning.toml";
  auto daemon = std::make_unique<Daemon>();
  std::string server = first_line(*daemon);
  write(file, impatient(server));
  REQUIRE(Process(command(file, folder / "whole", 3)).wait() == 0);
  const std::string whole = games_in(folder / "whole");

  std::string before;
  for (int death = 0; death < 3; ++death) {
    Process run(command(file, folder / "out", 3));
    const auto ledger = folder / "out" / "tuning.sqlite";
    const std::size_t enough = before.size() + 1000;  // some games more
    REQUIRE(tests::eventually([&] {
      return std::filesystem::exists(ledger) && games_in(folder / "out").size() >= enough;
    }));
    daemon->signal(SIGKILL);
    CHECK(run.wait() == 1);
    CHECK(run.errors().find("stopped: " + server + " is gone (") != std::string::npos);
    CHECK(run.errors().find("the same command continues the tuning") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "out" / "summary.json"));
    const std::string kept = games_in(folder / "out");
    std::istringstream games(before);
    for (std::string game; std::getline(games, game);) {
      CHECK(kept.find(game + "\n") != std::string::npos);
    }
    CHECK(kept.size() >= enough);
    CHECK(kept.size() < whole.size());
    before = kept;
    daemon->wait();
    daemon = std::make_unique<Daemon>();  // elsewhere
    server = first_line(*daemon);
    write(file, impatient(server));
  }
  REQUIRE(Process(command(file, folder / "out", 3)).wait() == 0);
  CHECK(games_in(folder / "out") == whole);
  CHECK(read_text_file(folder / "out" / "tuned.toml") ==
        read_text_file(folder / "whole" / "tuned.toml"));
}

TEST_CASE("tune: more games go on where a complete tuning ended") {
  Daemon daemon;
  const std::string server = first_line(daemon);
  const ScratchFolder folder;
  const auto file = folder / "tuning.toml";
  const auto with_games = [&](const std::string& tune, int games) {
    std::string text = tune;
    const std::string key = "games = " + std::to_string(games) + "\n";
    const auto old = text.find("games = ");
    if (old != std::string::npos) {
      text.replace(old, text.find('\n', old) + 1 - old, key);
    } else {
      text.insert(text.find("lag"), key);
    }
    write(file, file_text(server, text));
  };
  for (const std::string& tune : {ucb, by_spsa}) {
    const auto out = folder / (tune == ucb ? "ucb" : "spsa");
    const auto once = folder / (tune == ucb ? "ucb-once" : "spsa-once");
    with_games(tune, 500);
    REQUIRE(Process(command(file, out, 3)).wait() == 0);
    const std::string games = games_in(out);
    with_games(tune, 800);
    REQUIRE(Process(command(file, out, 5)).wait() == 0);
    REQUIRE(Process(command(file, once, 2)).wait() == 0);
    CHECK(std::ranges::count(games, '\n') == 500);
    CHECK(games_in(out).starts_with(games));
    CHECK(games_in(out) == games_in(once));
    CHECK(read_text_file(out / "tuned.toml") == read_text_file(once / "tuned.toml"));
    // Another answer has a match of its own, and the first one's stays.
    const auto summary = nlohmann::json::parse(read_text_file(out / "summary.json"));
    CHECK(summary["games"] == 800);
    CHECK(summary["score"] ==
          nlohmann::json::parse(read_text_file(once / "summary.json"))["score"]);
    CHECK(std::filesystem::exists(out / "match" / "games.csv"));
    if (tune == by_spsa) CHECK(std::filesystem::exists(out / "match-2" / "games.csv"));

    with_games(tune, 600);
    Process refused(command(file, out, 1));
    CHECK(refused.wait() == 2);
    CHECK(refused.errors().find("games is 800 there and 600 here; set it to 800 or more to go on, "
                                "or choose another --out") != std::string::npos);
    CHECK(games_in(out) == games_in(once));
  }
}

TEST_CASE("tune: games that an engine loses by breaking down give no answer") {
  Daemon daemon;
  const ScratchFolder folder;
  const auto file = folder / "tuning.toml";
  std::string text = file_text(first_line(daemon), ucb);
  const std::string base = "name = \"base\"\noptions = { simulations = 4, k = 0.5 }\n";
  text.replace(text.find(base), base.size(),
               "name = \"base\"\nspeaks = \"uci\"\noptions = { movetime = 50 }\nprogram = \"" +
                   tests::bin_folder() + "/pitboss_scripted_engine uci crashes connect4\"\n");
  write(file, text);
  for (const int times : {1, 2}) {  // the same command has nothing to continue
    CAPTURE(times);
    Process failed(command(file, folder / "out", 3));
    CHECK(failed.wait() == 1);
    CHECK(failed.output().find("answer") == std::string::npos);
    CHECK(failed.errors().find("failed: No result: base lost ") != std::string::npos);
    CHECK(failed.errors().find(" by crashes: its last words stand with the failures") !=
          std::string::npos);
    CHECK(std::ranges::count(games_in(folder / "out"), '\n') < 50);
    CHECK_FALSE(std::filesystem::exists(folder / "out" / "tuned.toml"));
    CHECK_FALSE(std::filesystem::exists(folder / "out" / "summary.json"));
    const std::string page = html_page(tuning_document(folder / "out"));
    CHECK(std::regex_search(page, std::regex("Games lost by failures: [1-9]")));
  }
}

TEST_CASE("tune: several lists, of which all pairs of values must be possible") {
  Daemon daemon;
  const std::string server = first_line(daemon);
  const ScratchFolder folder;
  const auto file = folder / "tuning.toml";
  const std::string n_tuple =
      "method = \"n-tuple\"\nruns = 2\ngames_per_run = 60\ncomparison_games = 20\n"
      "deviation_games = 60\ndeviation_rounds = 2\n[tune.parameters]\n";
  write(file, file_text(server, n_tuple + "evaluation = [\"playout\", \"static\"]\n"
                                          "relative_bonus = [false, true]\n"));
  Process refused(command(file, folder / "out", 3));
  CHECK(refused.wait() == 2);
  CHECK(refused.errors().find("cannot be used by tuned with evaluation=static relative_bonus=true "
                              "in connect4") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder / "out"));

  write(file, file_text(server, n_tuple + "k = [0.1, 0.3]\nsolver = [false, true]\n"));
  REQUIRE(Process(command(file, folder / "out", 3)).wait() == 0);
  const std::string report = read_text_file(folder / "out" / "report.html");
  for (const char* part :
       {"N-tuple bandit, all runs together", "Samples of solver", "Score % and samples by k (left)",
        "Comparison of the runs", "Changes of one parameter"}) {
    CHECK(report.find(part) != std::string::npos);
  }
}

TEST_CASE("tune: one game and one player of a file with several") {
  Daemon daemon;
  const ScratchFolder folder;
  const auto file = folder / "tuning.toml";
  std::string text = file_text(first_line(daemon), ucb);
  text.replace(text.find("\"connect4\""), 10, "[\"hex size=5\", \"connect4\"]");
  text.replace(text.find("[tune]"), 6,
               "[[player]]\nname = \"other\"\noptions = { simulations = 2, k = 0.7 }\n[tune]");
  write(file, text);
  const auto chosen = [&](const std::string& game, const std::string& player) {
    std::vector<std::string> words = command(file, folder / "out", 3);
    words.insert(words.end(), {"--game", game, "--player", player});
    return words;
  };
  REQUIRE(Process(chosen("connect4", "other")).wait() == 0);
  const auto summary = nlohmann::json::parse(read_text_file(folder / "out" / "summary.json"));
  CHECK(summary["start"]["k"] == "0.7");
  CHECK(summary["matches"].back()["against"] == "base");
  const std::string answer = read_text_file(folder / "out" / "tuned.toml");
  CHECK(answer.find("\"simulations\" = \"2\"") != std::string::npos);
  CHECK(games_in(folder / "out").find("d1") != std::string::npos);  // a drop in column d

  for (const auto& [words, complaint] :
       {std::pair(chosen("hex", ""), "--player is empty"),
        std::pair(chosen("", "other"), "--game is empty"),
        std::pair(chosen("connect4", "othr"), "is called \"othr\"; did you mean 'other'?")}) {
    Process refused(words);
    CHECK(refused.wait() == 2);
    CHECK(refused.errors().find(complaint) != std::string::npos);
  }
}

TEST_CASE("tune: the answer is there before its match, which may grow and not shrink") {
  Daemon daemon;
  const std::string server = first_line(daemon);
  const ScratchFolder folder;
  const auto file = folder / "tuning.toml";
  const auto out = folder / "out";
  const auto write_with = [&](int games) {
    std::string text = file_text(server, by_spsa);
    write(file, text.replace(text.find("games = 20"), 10, "games = " + std::to_string(games)));
  };
  write_with(100'000);
  {
    Process run(command(file, out, 2));
    REQUIRE(tests::eventually(
        [&] { return std::filesystem::exists(out / "match" / "ledger.sqlite"); }));
    run.signal(SIGKILL);
    run.wait();
  }
  CHECK_FALSE(std::filesystem::exists(out / "summary.json"));
  const std::string answer = read_text_file(out / "tuned.toml");

  write_with(20);
  std::filesystem::remove_all(out / "match");
  REQUIRE(Process(command(file, out, 2)).wait() == 0);
  CHECK(read_text_file(out / "tuned.toml") == answer);
  write_with(10);
  Process refused(command(file, out, 2));
  CHECK(refused.wait() == 2);
  CHECK(refused.errors().find("games is 10 here, and of the match of tuned.tuned and tuned at "
                              "connect4 20 are on record: set games to 20 or more to go on") !=
        std::string::npos);
}

TEST_CASE("tune: of an answer that is the start no score against it is told") {
  Daemon daemon;
  const ScratchFolder folder;
  const auto file = folder / "tuning.toml";
  write(file,
        "seed = 2\ngame = \"connect4\"\ngames = 20\nopenings = \"random:2\"\n[[server]]\n"
        "address = \"" +
            first_line(daemon) +
            "\"\n[options]\npreset = \"reference\"\nsimulations = 100\n"
            "[[player]]\nname = \"a\"\noptions = { k = 0.5 }\n"
            "[[player]]\nname = \"weak\"\noptions = { simulations = 10 }\n"
            "[tune]\nmethod = \"ucb1-tuned\"\ngames = 200\n"
            "[tune.parameters]\nk = [0.5, 90]\n");
  REQUIRE(Process(command(file, folder / "out", 4)).wait() == 0);
  const auto summary = nlohmann::json::parse(read_text_file(folder / "out" / "summary.json"));
  CHECK(summary["best"] == summary["start"]);
  CHECK(summary["score"].is_null());
  CHECK(summary["interval"].is_null());
  REQUIRE(summary["matches"].size() == 1);
  CHECK(summary["matches"][0]["against"] == "weak");
}

TEST_CASE("tune: whom it plays and what it tries is told, and the followed page is the report") {
  Daemon daemon;
  const std::string server = first_line(daemon);
  for (const bool plays_itself : {false, true}) {
    CAPTURE(plays_itself);
    const ScratchFolder folder;
    const auto file = folder / "tuning.toml";
    std::string text = by_spsa;
    if (!plays_itself) text.replace(text.find("self_play = true\n"), 17, "");
    write(file, "name = \"hill\"\n" + file_text(server, text, "list:a1;b1;c1;d1;e1;f1;g1 g2"));
    std::vector<std::string> dry = command(file, folder / "out", 3);
    dry.emplace_back("--dry-run");
    const std::string against = plays_itself ? "itself" : "base";
    const auto told = peers::ended(dry);
    CHECK(told.out.starts_with("player      tuned at connect4, against " + against +
                               "\nparameter   k, before tuning 0.3: 0.01 to 2, steps of a factor "
                               "of 2.42\ngames       "));
    const auto played = peers::ended(command(file, folder / "out", 3));
    REQUIRE(played.code == 0);
    CHECK(played.out.starts_with(told.out.substr(0, told.out.find(" at most"))));

    Document report = tuning_document(folder / "out");
    CHECK(html_page(report) == read_text_file(folder / "out" / "report.html"));
    Document followed = tuning_kind().follow("a", LedgerPlace(folder / "out"))->look().document;
    followed.sections.front().title.clear();
    std::vector<Block>& head = followed.sections.front().blocks;
    head.erase(head.begin());  // how far it is
    // The one leads to a file, the other to a page.
    for (const auto& [document, place] :
         {std::pair(&report, "match/report.html"), {&followed, "?show=a%2Fmatch"}}) {
      for (Block& block : document->sections[1].blocks) {
        auto* const words = std::get_if<Text>(&block);
        if (words == nullptr || words->link_words.empty()) continue;
        CHECK(std::exchange(words->link, "") == place);
      }
    }
    CHECK(followed == report);
    CHECK(report.title == "Tuning hill");
    const std::string markdown = markdown_text(report);
    CHECK(markdown.find("tuned at connect4, against " + against + ", ") != std::string::npos);
    CHECK(markdown.find("k, before tuning 0.3: 0.01 to 2, steps of a factor of 2.42") !=
          std::string::npos);
    const std::string page = html_page(report);
    for (const char* part :
         {"k over the games, with its bounds", "k, logarithmic", ">min 0.01<", ">answer "}) {
      CAPTURE(part);
      CHECK(page.find(part) != std::string::npos);
    }
  }
}

TEST_CASE("tune: steps that are wider than the hill are told of, and not taken for draws") {
  // Of a range from 0.02 to 50, proposals are always near its ends. Little is asked of the tuning,
  // so that it is short.
  Daemon daemon;
  const ScratchFolder folder;
  const auto file = folder / "tuning.toml";
  write(file,
        "seed = 2\ngame = \"connect4\"\ngames = 300\nopenings = \"random:2\"\n[[server]]\n"
        "address = \"" +
            first_line(daemon) +
            "\"\n[options]\npreset = \"reference\"\nsimulations = 100\n[[player]]\nname = \"a\"\n"
            "options = { k = 1, simulations = 200 }\n[[player]]\nname = \"plain\"\n"
            "[tune]\nmethod = \"spsa\"\nloss_at_half_range = 1\nprecision = 600\n"
            "[tune.parameters]\nk = { min = 0.02, max = 50, scale = \"log\", step = 45 }\n");
  REQUIRE(Process(command(file, folder / "out", 4)).wait() == 0);
  const std::string summary = read_text_file(folder / "out" / "summary.json");
  CHECK(summary.find("steps are wider than the hill") != std::string::npos);
  CHECK(summary.find("draw_ratio") == std::string::npos);
  CHECK(read_text_file(folder / "out" / "report.html").find("steps are wider than the hill") !=
        std::string::npos);
}

TEST_CASE("tune: listed openings come in another order in each pass") {
  // Values that are sampled in turn would each meet one half of a list that is gone through in
  // turn.
  Daemon daemon;
  const ScratchFolder folder;
  const auto file = folder / "tuning.toml";
  write(file, file_text(first_line(daemon), ucb, "list:a1;b1;c1;d1;e1;f1;g1 g2"));
  // One game after the other, and so they are written.
  REQUIRE(Process(command(file, folder / "out", 1)).wait() == 0);
  SQLite::Database database((folder / "out" / "tuning.sqlite").string(), SQLite::OPEN_READONLY);
  SQLite::Statement row(database, "SELECT opening, seats FROM games ORDER BY rowid");
  std::vector<std::string> openings;
  while (row.executeStep()) {
    const std::string opening = row.getColumn(0).getString();
    const std::string seats = row.getColumn(1).getString();
    REQUIRE(row.executeStep());  // the same opening with the seats swapped
    CHECK(row.getColumn(0).getString() == opening);
    CHECK(row.getColumn(1).getString() != seats);
    openings.push_back(opening);
  }
  REQUIRE(openings.size() == 200);
  std::set<std::vector<std::string>> orders;
  for (std::size_t pass = 0; pass + 7 <= openings.size(); pass += 7) {
    std::vector<std::string> order(openings.begin() + pass, openings.begin() + pass + 7);
    CHECK(std::set<std::string>(order.begin(), order.end()).size() == 7);
    orders.insert(std::move(order));
  }
  CHECK(orders.size() > 20);
}

TEST_CASE("tune: SPSA climbs a real hill, from far above its top and from far below") {
  // All the way: options sent, seats, results, update. With an exploration factor of 20 a search of
  // connect4 plays nearly at random, with one of 0.002 it follows its first impression.
  struct Row {
    std::string start, more;
  };
  Daemon daemon;
  const std::string server = first_line(daemon);
  for (const Row& row :
       {Row{"20", "self_play = true\nprecision = 20\n"},
        Row{"0.002", "self_play = true\nprecision = 20\n"}, Row{"0.02", "precision = 20\n"}}) {
    CAPTURE(row.start);
    CAPTURE(row.more);
    const ScratchFolder folder;
    const auto file = folder / "tuning.toml";
    write(file,
          "seed = 2\ngame = \"connect4\"\ngames = 100\nopenings = \"random:2\"\n[[server]]\n"
          "address = \"" +
              server +
              "\"\n[options]\npreset = \"reference\"\n"
              "simulations = 100\n[[player]]\nname = \"a\"\noptions = { k = " +
              row.start +
              " }\n"
              "[[player]]\nname = \"plain\"\n"
              "[tune]\nmethod = \"spsa\"\nloss_at_half_range = 100\n" +
              row.more + "[tune.parameters]\nk = { min = 0.001, max = 30, scale = \"log\" }\n");
    REQUIRE(Process(command(file, folder / "out", 4)).wait() == 0);
    const auto summary = nlohmann::json::parse(read_text_file(folder / "out" / "summary.json"));
    const double answer = std::stod(summary["best"]["k"].get<std::string>());
    MESSAGE("from " << row.start << " to " << answer << ", " << summary["score"]);
    CHECK(answer > 0.05);
    CHECK(answer < 3);
    CHECK(summary["matches"][0]["against"] == "a");
    CHECK(summary["interval"][0] > 0.5);  // the fresh match against the start
  }
}

}  // namespace pitboss::clients
