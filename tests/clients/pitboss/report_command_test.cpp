#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"
#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/clients/training/tiny_run.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"
#include "tests/text.hpp"
#include "tests/timing.hpp"

// The pages that follow experiments, over sockets.

namespace pitboss::clients {

using nlohmann::json;
using peers::Process;
using tests::Client;
using tests::eventually;
using namespace std::chrono_literals;

namespace {

Words report_words(const Words& more) {
  Words words{tests::bin_folder() + "/pitboss", "report"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

using tests::contains;

struct HttpReply {
  std::string status;  ///< "200 OK"
  std::string headers;
  std::string body;
};

/// `pitboss report --serve`, on a free port.
class Pages {
 public:
  explicit Pages(const std::string& place, const Words& more = {}) : process_(words(place, more)) {
    const std::string line = process_.output_line();
    REQUIRE(line.starts_with("page http://127.0.0.1:"));
    port_ = static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1)));
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }

  [[nodiscard]] HttpReply ask(const std::string& method, const std::string& path,
                              const std::string& headers = "Host: localhost\r\n") const {
    Client client(port_);
    client.write(method + " " + path + " HTTP/1.1\r\n" + headers + "\r\n");
    const std::string text = client.rest();
    const std::size_t first = text.find("\r\n");
    const std::size_t end = text.find("\r\n\r\n");
    REQUIRE(text.starts_with("HTTP/1.1 "));
    REQUIRE(end != std::string::npos);
    return {text.substr(9, first - 9), text.substr(first, end - first), text.substr(end + 4)};
  }
  [[nodiscard]] std::string status(const std::string& path) const {
    return ask("GET", path).status;
  }
  [[nodiscard]] std::string body(const std::string& path) const { return ask("GET", path).body; }
  [[nodiscard]] json told(const std::string& path) const { return json::parse(body(path)); }

  int stop() {
    process_.signal(SIGTERM);
    return process_.wait();
  }

 private:
  static Words words(const std::string& place, const Words& more) {
    Words out = report_words({"--serve", place, "--listen", "127.0.0.1:0"});
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }

  Process process_;
  std::uint16_t port_ = 0;
};

/// Two matches of three players, with so many rounds each.
Experiment three_players(int rounds) {
  Experiment experiment;
  experiment.name = "three, \"at\" connect4";
  experiment.matches = {made_match("connect4", "A", "B", rounds),
                        made_match("connect4", "A", "<C>", rounds)};
  return experiment;
}

void write(const LedgerPlace& place, const Experiment& experiment, int rounds) {
  Ledger ledger(place, experiment);
  ledger.open_for_writing();
  for (int match = 0; match < static_cast<int>(experiment.matches.size()); ++match) {
    for (int i = 0; i < rounds; ++i) record(ledger, recorded_round(experiment, match, i));
  }
  Incident crash{0, 1, "B", "127.0.0.1:1", "the engine crashed", true, "last words of <B>", 1};
  ledger.transact([&] { ledger.note(crash); });
}

}  // namespace

TEST_CASE("pitboss report --serve: an experiment as list, page, JSON and CSV") {
  const ScratchFolder folder;
  const Experiment experiment = three_players(10);
  write(folder / "one", experiment, 4);
  Pages pages(folder.path().string());
  REQUIRE(eventually(
      [&] { return pages.told("/experiments.json")["experiments"][0].value("done", 0) == 16; }));

  const json row = pages.told("/experiments.json")["experiments"][0];
  CHECK(row["name"] == "one");
  CHECK(row["kind"] == "experiment");
  CHECK(row["game"] == "connect4");
  CHECK(row["state"] == "stopped");
  CHECK(row["of"] == 40);
  CHECK(contains(pages.body("/experiments.csv"), "\"three, \"\"at\"\" connect4\""));

  const json all = pages.told("/experiments/one/all.json");
  CHECK(all["games_left"] == 24);
  CHECK(all["matches"][0]["wins"] == all["summary"]["matches"][0]["wins"]);
  CHECK(all["matches"][0]["elo"] == all["summary"]["matches"][0]["elo"]["value"]);
  CHECK(all["course"].size() == 8);
  CHECK(all["ratings"].size() == 3);
  CHECK(all["incidents"][0]["excerpt"] == "last words of <B>");
  // What the report of the same folder says.
  REQUIRE(peers::ended(report_words({(folder / "one").string()})).code == 0);
  CHECK(json::parse(read_text(folder / "one" / "summary.json")) == all["summary"]);
  CHECK(read_text(folder / "one" / "games.csv") == pages.body("/experiments/one/games.csv"));
  CHECK(pages.told("/experiments/one/games.json").size() == 16);
  for (const char* table :
       {"matches", "cross", "ratings", "course", "failure_kinds", "incidents", "referees"}) {
    CAPTURE(table);
    const std::string path = std::string("/experiments/one/") + table;
    CHECK(pages.told(path + ".json") == all[table]);
    CHECK(pages.ask("GET", path + ".csv").headers.find("text/csv") != std::string::npos);
  }

  std::string html;
  const json page = pages.told("/experiments/one/page.json");
  for (const json& part : page["parts"]) {
    html += part["title"].get<std::string>() + part["html"].get<std::string>();
  }
  for (const char* words : {"Results", "normalized Elo", "Elo of A against B", "Referees",
                            "last words of &lt;B&gt;", "&lt;C&gt;", "24 left"}) {
    CHECK_MESSAGE(contains(html, words), std::string(words));
  }
  CHECK_FALSE(contains(html, "<C>"));
  CHECK_FALSE(contains(html, "style="));

  CHECK(contains(pages.body("/experiments/one/report.md"), "## Conclusions\n"));
  CHECK(contains(pages.told("/page.json")["parts"][0]["html"], "<a href=\"?show=one\">one</a>"));
  const json list = pages.told("/experiments/one/replay.json");
  CHECK(list["matches"][1]["games"].size() == 8);
  CHECK(list["matches"][1]["games"][0]["number"] == 8);  // the newest first
  const json game = pages.told("/experiments/one/replay/2-8.json");
  CHECK(game["moves"] == recorded_game(experiment.matches[1], 7).moves);
  CHECK_FALSE(game["values"].get<std::string>().empty());
  CHECK(pages.stop() == 0);
}

TEST_CASE("pitboss report --serve: requests that get nothing") {
  const ScratchFolder folder;
  write(folder / "one", three_players(2), 1);
  write_text(folder / "secret.json", "{}");
  Pages pages((folder / "one").string());
  struct Row {
    std::string path;
    const char* status;
  };
  const Row rows[] = {
      {"/", "200 OK"},
      {"/results.js", "200 OK"},
      {"/results.css", "200 OK"},
      {"/page.js", "404 Not Found"},
      {"/experiments", "404 Not Found"},
      {"/experiments/", "404 Not Found"},
      {"/experiments/one", "404 Not Found"},
      {"/experiments/one/", "404 Not Found"},
      {"/experiments/two/all.json", "404 Not Found"},
      {"/experiments/one/all.csv", "404 Not Found"},
      {"/experiments/one/report.csv", "404 Not Found"},
      {"/experiments/one/nothing.json", "404 Not Found"},
      {"/experiments/one/replay/1-99.json", "404 Not Found"},
      {"/experiments/one/replay/99-1.json", "404 Not Found"},
      {"/experiments/one/replay/0-0.json", "404 Not Found"},
      {"/experiments/one/replay/x.json", "404 Not Found"},
      {"/experiments/../secret.json", "404 Not Found"},
      {"/experiments/..%2fsecret.json", "404 Not Found"},
      {"/experiments/%2e%2e%2f/all.json", "404 Not Found"},
      {"/experiments/%zz/all.json", "404 Not Found"},
      {"/experiments/one%/all.json", "404 Not Found"},
  };
  for (const auto& [path, status] : rows) {
    CAPTURE(path);
    CHECK(pages.status(path) == status);
  }
  CHECK(pages.ask("GET", "/", "Host: evil.example\r\n").status == "421 Misdirected Request");
  CHECK(pages.ask("GET", "/", "").status == "421 Misdirected Request");
  CHECK(pages.ask("DELETE", "/").status == "405 Method Not Allowed");
  CHECK(pages.ask("GET", "/" + std::string(10'000, 'x')).status ==
        "431 Request Header Fields Too Large");
  CHECK(pages.ask("POST", "/experiments/one/stop").status == "403 Forbidden");
  CHECK(contains(pages.ask("GET", "/").headers, "Content-Security-Policy: default-src 'self'"));
  CHECK(pages.ask("HEAD", "/experiments.json").body.empty());
  // Who reads nothing, and who says nothing, keeps nobody waiting.
  Client silent(pages.port());
  Client deaf(pages.port());
  deaf.write("GET /results.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
  CHECK(pages.status("/experiments.json") == "200 OK");
}

TEST_CASE("pitboss report --serve tells what a referee adds, and nothing if there is nothing new") {
  in_each_home([](const LedgerHome& home) {
    const LedgerPlace place = home / "grows";
    const Experiment experiment = three_players(30);
    Ledger ledger(place, experiment);
    ledger.open_for_writing();
    record(ledger, recorded_round(experiment, 0, 0));
    Pages pages(text_of(place));
    const auto done = [&] {
      return pages.told("/experiments.json")["experiments"][0].value("done", 0);
    };
    REQUIRE(eventually([&] { return done() == 2; }));
    std::string name = pages.told("/experiments.json")["experiments"][0]["name"];
    for (std::size_t at = 0; (at = name.find(' ')) != std::string::npos;)
      name.replace(at, 1, "%20");
    const std::string path = "/experiments/" + name + "/page.json";
    const HttpReply first = pages.ask("GET", path);
    REQUIRE(first.status == "200 OK");
    const std::size_t at = first.headers.find("ETag: ") + 6;
    const std::string tag = first.headers.substr(at, first.headers.find("\r\n", at) - at);
    const std::string with_tag = "Host: localhost\r\nIf-None-Match: " + tag + "\r\n";
    const HttpReply same = pages.ask("GET", path, with_tag);
    CHECK(same.status == "304 Not Modified");
    CHECK(same.body.empty());
    for (int i = 1; i < 20; ++i) record(ledger, recorded_round(experiment, 0, i));
    record(ledger, recorded_round(experiment, 1, 3));  // not in order
    CHECK(eventually([&] { return done() == 42; }));
    CHECK(pages.ask("GET", path, with_tag).status == "200 OK");
    CHECK(pages.told("/experiments/" + name + "/games.json").size() == 42);
  });
}

TEST_CASE("pitboss report --serve: with a token experiments are told to wait") {
  const ScratchFolder folder;
  const Experiment experiment = three_players(10);
  write(folder / "one", experiment, 1);
  write_text(folder / "token", "open sesame\n");
  CHECK(peers::ended(report_words({"--serve", folder.path().string(), "--token-file",
                                   (folder / "token").string()}))
            .code == 2);  // two words
  write_text(folder / "token", "sesame\n");
  std::filesystem::permissions(folder / "token", std::filesystem::perms::owner_read);
  Pages pages(folder.path().string(), {"--token-file", (folder / "token").string()});
  const auto post = [&](const std::string& command, const std::string& headers) {
    return pages.ask("POST", "/experiments/one/" + command, "Host: localhost\r\n" + headers).status;
  };
  const std::string token = "Authorization: Bearer sesame\r\n";
  CHECK(post("stop", "") == "401 Unauthorized");
  CHECK(post("stop", "Authorization: Bearer wrong\r\n") == "401 Unauthorized");
  CHECK(post("stop", token + "Origin: http://evil.example\r\n") == "403 Forbidden");
  CHECK(post("begin", token) == "404 Not Found");
  CHECK(pages.ask("POST", "/experiments/two/stop", "Host: localhost\r\n" + token).status ==
        "404 Not Found");
  const auto is_paused = [&] { return Ledger(folder / "one", experiment).is_paused(); };
  const auto state = [&] {
    return pages.told("/experiments.json")["experiments"][0].value("state", "");
  };
  CHECK_FALSE(is_paused());
  CHECK(post("stop", token) == "202 Accepted");
  CHECK(eventually(is_paused));
  CHECK(eventually([&] { return state() == "paused"; }));
  CHECK(post("resume", token) == "202 Accepted");
  CHECK(eventually([&] { return !is_paused() && state() == "stopped"; }));
  // Who has shown many wrong tokens is answered late, but not kept out.
  for (int i = 0; i < 8; ++i) CHECK(post("stop", "") == "401 Unauthorized");
  const auto begin = std::chrono::steady_clock::now();
  CHECK(post("stop", token) == "202 Accepted");
  CHECK(std::chrono::steady_clock::now() - begin >= 3s);
}

TEST_CASE("pitboss report --serve: behind a proxy, by the name of its origin") {
  const ScratchFolder folder;
  const Experiment experiment = three_players(10);
  write(folder / "one", experiment, 1);
  write_text(folder / "token", "sesame\n");
  std::filesystem::permissions(folder / "token", std::filesystem::perms::owner_read);
  Pages pages(folder.path().string(), {"--token-file", (folder / "token").string(), "--origin",
                                       "https://runs.example.org"});
  CHECK(pages.ask("GET", "/", "Host: runs.example.org\r\n").status == "200 OK");
  CHECK(pages.ask("GET", "/", "Host: else.example.org\r\n").status == "421 Misdirected Request");
  const std::string headers = "Authorization: Bearer sesame\r\nHost: runs.example.org\r\nOrigin: ";
  const auto stop = [&](const std::string& origin) {
    return pages.ask("POST", "/experiments/one/stop", headers + origin + "\r\n").status;
  };
  CHECK(stop("https://else.example.org") == "403 Forbidden");
  CHECK(stop("https://runs.example.org") == "202 Accepted");
}

TEST_CASE("pitboss report --serve: a database that is away is told, and waited for by nobody") {
  if (!ScratchServer::is_possible()) return;
  const ScratchServer server;
  const Experiment experiment = three_players(5);
  write(DatabasePlace(server.url(), "far"), experiment, 2);
  write(DatabasePlace(server.url(), "farther"), experiment, 1);
  Pages pages(server.url());
  const auto list = [&] { return pages.told("/experiments.json"); };
  REQUIRE(eventually([&] { return list()["experiments"][1].value("done", 0) == 4; }));
  CHECK(list()["experiments"][0]["done"] == 8);
  server.kill();
  REQUIRE(eventually([&] { return !list()["stale_since"].is_null(); }));
  json page;
  const auto time_of_page = [&] {
    const auto begin = std::chrono::steady_clock::now();
    page = pages.told("/experiments/far/page.json");
    return std::chrono::steady_clock::now() - begin;
  };
  CHECK(tests::quickest(5, 1s, time_of_page) < 1s);
  CHECK(page["done"] == 8);
  CHECK_FALSE(page["stale_since"].is_null());
  CHECK(contains(page["why"], "postgresql://"));
  server.rise();
  CHECK(eventually([&] { return list()["stale_since"].is_null(); }));
}

TEST_CASE("pitboss report --serve: tunings and trainings") {
  const ScratchFolder folder;
  const auto killed = folder / "tunings/killed";
  const auto long_ago = std::filesystem::file_time_type::clock::now() - 1h;
  const auto tune = [&](const std::string& place, const std::string& games,
                        const std::function<void()>& while_open) {
    Experiment experiment{"", {}, std::nullopt};
    experiment.tuning = TuningConfiguration{
        R"({"matches":[{"game":"connect4"}],"parameters":{"k":{"values":["0.1","0.2","x"]}},)"
        R"("method":"ucb1-tuned","games":)" +
        games + "}"};
    Ledger ledger(folder / place, experiment);
    ledger.open_for_writing();
    for (int i = 0; i < 40; ++i) {
      Match match = made_match("connect4", "tuned", "other");
      match.players[0].options = {{"k", i % 2 == 0 ? "0.1" : "0.2"}};
      const PlayedRound round{
          i % 2, i, {made_game(match, 2 * i, i % 4 == 0 ? "B+1" : "W+1")}, 1000 + i, 1000 + i};
      ledger.transact([&] {
        ledger.add(round.match, match);
        CHECK(ledger.finish(*ledger.claim(round.match, round.round), round));
      });
    }
    while_open();
  };
  tune("tunings/going", "118", [] {});
  tune("tunings/ours", "30", [&] {
    // What a kill leaves.
    std::filesystem::copy(folder / "tunings/ours", killed);
    for (const auto& entry : std::filesystem::directory_iterator(killed)) {
      std::filesystem::last_write_time(entry, long_ago);
    }
    std::ofstream(folder / "tunings/ours/summary.json")
        << R"({"games":39,"best":{"k":"0.1"},"match":"match","matches":[)"
        << R"({"against":"other","games":2,"score":0.5,"interval":[0.1,0.9]}]})";
  });
  const RunFolder run = RunFolder::make(folder / "training", tiny());
  Pages pages(folder.path().string());
  const auto rows = [&] { return pages.told("/experiments.json")["experiments"]; };
  REQUIRE(eventually([&] {
    return std::ranges::all_of(rows(), [](const json& row) { return row.contains("done"); });
  }));
  CHECK(rows()[0]["name"] == "training");
  CHECK(rows()[0]["kind"] == "training");
  CHECK(rows()[0]["of"] == run.settings().generations);
  const json tuning = pages.told("/experiments/tunings%2fours/all.json");
  CHECK(tuning["kind"] == "tuning");
  CHECK(tuning["state"] == "running");  // its answer is of fewer games
  CHECK(tuning["of"] == 40);            // more than the method's 30
  const json page = pages.told("/experiments/tunings%2fours/page.json");
  CHECK(contains(page.dump(), "Fresh match"));
  CHECK(contains(page.dump(), "?show=tunings%2Fours%2Fmatch"));
  CHECK_FALSE(contains(page.dump(), "report.html"));  // which is not served
  // Forty games took 39 seconds.
  const json going = pages.told("/experiments/tunings%2fgoing/all.json");
  CHECK(going["seconds_left"].get<double>() == doctest::Approx(78 * 39 / 40.0));
  const std::string progress = pages.told("/experiments/tunings%2fgoing/page.json").dump();
  CHECK(contains(progress, "time left, estimated"));
  CHECK(contains(progress, "1:16 minutes for the method"));
  CHECK(contains(progress, R"(<p class=\"note\">The tuning is not over.)"));
  CHECK(pages.told("/experiments/tunings%2fkilled/all.json")["state"] == "stopped");
  CHECK(std::filesystem::last_write_time(tuning_path(killed)) == long_ago);
  CHECK(tuning["arms"][0] == json{{"options", "k=0.1"},
                                  {"games", 20},
                                  {"mean", 0.5},
                                  {"low", tuning["arms"][0]["low"]},
                                  {"high", tuning["arms"][0]["high"]}});
  CHECK(tuning["values"][1]["value"] == "0.2");
  CHECK(tuning["values"][1]["mean"] == 0);
  CHECK(tuning["course"].size() == 40);
  CHECK(pages.status("/experiments/tunings%2fours/games.json") == "404 Not Found");
  CHECK(pages.told("/experiments/training/page.json")["parts"].size() >= 2);
}

TEST_CASE("pitboss report --print: the report of any run in each form") {
  const ScratchFolder folder;
  write(folder / "one", three_players(10), 4);
  static_cast<void>(RunFolder::make(folder / "training", tiny()));
  const auto printed = [&](const std::string& run, const std::string& form) {
    const auto end = peers::ended(report_words({(folder / run).string(), "--print", form}));
    CHECK(end.code == 0);
    return end.out;
  };
  CHECK(contains(printed("one", "text"), "\nConclusions\n"));
  CHECK(contains(printed("one", "markdown"), "## Conclusions\n"));
  CHECK(contains(printed("one", "html"), "<h2>Conclusions</h2>"));
  CHECK(json::parse(printed("one", "json"))["matches"].size() == 2);
  CHECK(json::parse(printed("training", "json"))["generations"].empty());
  CHECK(contains(printed("training", "text"), "Settings\n"));
}

TEST_CASE("pitboss report: mistakes have their sentences") {
  const ScratchFolder folder;
  struct Row {
    Words words;
    std::string sentence;
  };
  const Row rows[] = {
      {{}, "pitboss: expected one place; see pitboss report --help\n"},
      {{"--serve", (folder / "none").string(), "--listen", "127.0.0.1:0"},
       "pitboss: there is no folder " + (folder / "none").string() + "\n"},
      {{"--serve", folder.path().string(), "--listen", "127.0.0.1"},
       "pitboss: cannot listen on '127.0.0.1': expected HOST:PORT\n"},
      {{"--serve", folder.path().string(), "--origin", "runs.example.org"},
       "pitboss: --origin must be http://HOST[:PORT] or https://HOST[:PORT], not "
       "'runs.example.org'\n"},
      {{folder.path().string(), "--print", "pdf"},
       "pitboss: --print must be text, markdown, html or json, not 'pdf'\n"},
      {{folder.path().string(), "--print", "text"},
       "pitboss: " + folder.path().string() + " holds no experiment, tuning or training\n"},
      {{folder.path().string()}, "pitboss: " + folder.path().string() + " holds no ledger\n"},
  };
  for (const auto& [words, sentence] : rows) {
    const auto end = peers::ended(report_words(words));
    CHECK(end.code == 2);
    CHECK(end.err == sentence);
  }
}

}  // namespace pitboss::clients
