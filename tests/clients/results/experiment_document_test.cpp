#include "clients/results/experiment_document.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include <string>
#include <vector>

#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/match_figures.hpp"
#include "clients/results/summary.hpp"
#include "clients/results/tournament.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {

namespace {

using tests::contains;

/// Why the text is no well-formed XML; "" if it is. Knows what the report uses: elements,
/// attributes in double quotes, and the entities below.
std::string malformed(std::string_view page) {
  std::vector<std::string> open;
  page.remove_prefix(page.find("<html"));
  while (!page.empty()) {
    // What a script element holds is no markup up to its end.
    if (page.starts_with("<script")) page.remove_prefix(page.find("</script>") + 9);
    if (page[0] == '&') {
      bool is_known = false;
      for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
        is_known |= page.starts_with(entity);
      }
      if (!is_known) return "a bare &: " + std::string(page.substr(0, 40));
    }
    if (page[0] != '<') {
      page.remove_prefix(1);
      continue;
    }
    const std::size_t end = page.find('>');
    if (end == std::string_view::npos) return "a tag without end";
    std::string tag(page.substr(1, end - 1));
    page.remove_prefix(end + 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return "not open: " + tag;
      open.pop_back();
      continue;
    }
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0 || contains(tag, "<")) return tag;
    if (!tag.ends_with('/')) open.push_back(name);
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

using Texts = std::vector<std::string>;

struct Played {
  Experiment experiment;
  std::vector<std::vector<PlayedGame>> games;

  [[nodiscard]] Results results() const {
    Results out(experiment);
    for (const PlayedRound& round : rounds()) out.add(round.match, round.round, round.games);
    return out;
  }
  [[nodiscard]] std::vector<PlayedRound> rounds() const {
    std::vector<PlayedRound> out;
    for (std::size_t m = 0; m < games.size(); ++m) {
      const int size = experiment.matches[m].round();
      for (std::size_t g = 0; g < games[m].size(); g += size) {
        const auto first = games[m].begin() + static_cast<std::ptrdiff_t>(g);
        out.push_back({static_cast<int>(m), static_cast<int>(g) / size, {first, first + size}});
      }
    }
    return out;
  }
  [[nodiscard]] std::string report(const std::vector<Incident>& incidents = {}) const {
    return report_html({rounds(), incidents, results()});
  }
};

/// Legal games.
void play_at_random(Played& played, const Match& match) {
  played.experiment.matches.push_back(match);
  auto& games = played.games.emplace_back();
  for (int game = 0; game < match.games; ++game) games.push_back(recorded_game(match, game));
}

void play(Played& played, const Match& match, double wins, double draws) {
  played.experiment.matches.push_back(match);
  auto& games = played.games.emplace_back();
  const auto seed = static_cast<unsigned>(played.games.size());
  for (const auto& round : made_rounds(match, wins, draws, seed)) {
    games.insert(games.end(), round.begin(), round.end());
  }
}

}  // namespace

TEST_CASE("report_html is well-formed, whatever has been played") {
  Played none;
  none.experiment.matches = {made_match("connect4", "A", "B", 50)};
  none.games.resize(1);
  CHECK(malformed(none.report()) == "");
  CHECK(contains(none.report(), "A and B have not played yet."));

  for (const auto& [wins, draws] : {std::pair(1.0, 0.0), {0.0, 1.0}, {0.0, 0.0}, {0.4, 0.2}}) {
    CAPTURE(wins);
    Played played;
    play(played, made_match("connect4", "A", "B", 30), wins, draws);
    CHECK(malformed(played.report()) == "");
    CHECK_FALSE(contains(played.report(), "nan"));
    played.experiment.sprt = SprtPlan{};
    CHECK(malformed(played.report()) == "");
    CHECK(contains(played.report(), "Log-likelihood ratio"));
    CHECK_FALSE(contains(played.report(), "nan"));
  }
}

TEST_CASE("report_html: its first notes name the control of a player with novelty") {
  Played played;
  Match match = made_match("connect4", "novel", "plain", 30);
  match.players[0].options = {{"preset", "reference"}, {"novelty", "threshold"}, {"k", "0.3"}};
  match.players[1].options = {{"preset", "reference"}, {"k", "0.1"}};
  play(played, match, 0.5, 0.1);
  const std::string sentence =
      "novel and plain differ in more than novelty (k 0.3 and 0.1): what novelty does shows beside "
      "its control, which is novel with alpha = 0.";
  const std::string report = played.report();
  CHECK(contains(report, sentence));
  CHECK(report.find(sentence) < report.find("Conclusions"));

  Match control = made_match("connect4", "control", "plain", 30);
  control.players[0].options = {{"preset", "control"}, {"k", "0.3"}};
  control.players[1].options = match.players[1].options;
  play(played, control, 0.5, 0.1);
  CHECK_FALSE(contains(played.report(), "differ in more than novelty"));
}

TEST_CASE("report_html: of players at servers it tells what their ledger tells") {
  Played played;
  play(played, made_match("connect4", "A", "B", 30), 0.5, 0.1);
  played.experiment.matches[0].players[0].location = Address{"127.0.0.1", 7200};
  const std::string at_a_server = played.report();
  played.experiment.matches[0].players[0].location = Address{};  // as a ledger is read
  CHECK(played.report() == at_a_server);
}

TEST_CASE("report_html needs no other file") {
  Played played;
  play(played, made_match("connect4", "A", "B", 30), 0.5, 0.1);
  play_at_random(played, made_match("hex", "A", "B", 3));
  std::string page = played.report();
  CHECK(contains(page, "<script"));
  // The namespace of pictures, which is no address, and where a game is opened on the page of a
  // daemon, if the reader wants that.
  for (const std::string_view known : {"http://www.w3.org/2000/svg", "http://127.0.0.1:4588/"}) {
    const auto place = page.find(known);
    REQUIRE(place != std::string::npos);
    page.erase(place, known.size());
  }
  for (const char* word : {"src=", "@import", "url(", "http", "import(", "fetch(", "eval("}) {
    CAPTURE(word);
    CHECK_FALSE(contains(page, word));
  }
  // Links lead to places of the page.
  for (auto at = page.find("href="); at != std::string::npos; at = page.find("href=", at + 1)) {
    CHECK(page.substr(at, 7) == "href=\"#");
  }
  // No handlers in the markup.
  for (const char* word : {"onclick=", "onload=", "onerror=", "javascript:"}) {
    CHECK_FALSE(contains(page, word));
  }
}

TEST_CASE("what an engine says does not become HTML") {
  Played played;
  play(played, made_match("connect4", "A", "B", 3), 0.5, 0.1);
  played.experiment.name = "<i>\"&'";
  played.experiment.matches[0].players[0].options = {{"x", "<b onclick=\"y\">"}};
  const std::string evil = "</pre></td><script>alert(1)</script>&lt;\x1b[2J\xff\xfe";
  PlayedGame& game = played.games[0][0];
  game.result = "W+F";
  game.reason = "garbage: " + evil;
  game.moves = evil;
  settle(game, sides_of(played.experiment.matches[0]));
  played.games[0][1].moves = evil;
  const Incident incident{0, 0, "A", evil, evil, true, evil, 0};
  const Incident elsewhere{7, -3, evil, "", "", false, "", -1};
  const std::string page = played.report({incident, elsewhere});
  CHECK(malformed(page) == "");
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK_FALSE(contains(page, "<b o"));
  CHECK_FALSE(contains(page, "<i>"));
  CHECK_FALSE(contains(page, "\x1b"));
  CHECK_FALSE(contains(page, "\xff"));
  CHECK(contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;&amp;lt;?[2J"));
  CHECK(contains(page, "1969-12-31 23:59:59"));
}

TEST_CASE("a report says that no difference was shown, or who is stronger") {
  for (const auto& [wins, words] : {std::pair(0.5, "no difference was shown"),
                                    {0.9, ": A is stronger."},
                                    {0.1, ": B is stronger."}}) {
    Played played;
    play(played, made_match("connect4", "A", "B", 40), wins, 0);
    const Results results = played.results();
    CHECK(contains(conclusion_of(results.matches()[0]), words));
    CHECK(contains(played.report(), words));
  }
}

TEST_CASE("verdicts_of names players and games") {
  Played played;
  CHECK(verdicts_of(played.results()).empty());
  play(played, made_match("hex", "A", "B", 40), 0.9, 0);
  CHECK(verdicts_of(played.results()) == Texts{"A is stronger than B in hex."});
  play(played, made_match("connect4", "A", "B", 40), 0.5, 0);
  play(played, made_match("othello", "B", "A", 40), 0.1, 0);  // the first player is B here
  play(played, made_match("gomoku", "A", "B", 40), 0.1, 0);
  played.experiment.matches.push_back(made_match("teeko", "A", "B", 40));  // not played yet
  played.games.emplace_back();
  CHECK(verdicts_of(played.results()) ==
        Texts{"A is stronger than B in hex and othello; B is stronger in gomoku; no difference was "
              "shown in connect4."});
  play(played, made_match("hex", "C", "B", 40), 0.5, 0);
  const Texts verdicts = verdicts_of(played.results());
  REQUIRE(verdicts.size() == 3);
  CHECK(verdicts[0] == "Elo: " + ranking_text(whole_tournament(played.results())) + ".");
  CHECK(verdicts[2] == "No difference between C and B was shown in hex.");
  CHECK(contains(played.report(), "<p class=\"verdict\">Elo: A +"));
  CHECK(contains(played.report(), "A is stronger than B in hex and othello;"));
}

TEST_CASE("a match of a few games that were all won is told without an empty Elo") {
  Played played;
  play(played, made_match("hex", "A", "B", 2), 1, 0);
  const std::string conclusion = conclusion_of(played.results().matches()[0]);
  CHECK(contains(conclusion, "too few games for an Elo"));
  CHECK_FALSE(contains(played.report(), "at least"));
  Played longer;
  play(longer, made_match("hex", "A", "B", 40), 1, 0);
  CHECK(contains(conclusion_of(longer.results().matches()[0]), ", Elo above +"));
}

TEST_CASE("a match that one side has won tells its bound in place of a chart of Elo") {
  Played played;
  play(played, made_match("hex", "A", "B", 40), 1, 0);
  const std::string report = played.report();
  const std::size_t title = report.find("<figcaption>Elo of A against B");
  REQUIRE(title != std::string::npos);
  const std::string figure = report.substr(title, report.find("</figure>", title) - title);
  CHECK(contains(figure, "After 80 games: above +"));
  CHECK_FALSE(contains(figure, "<svg"));
}

TEST_CASE("thinking times below a second are told in milliseconds") {
  Played played;
  play(played, made_match("hex", "A", "B", 40), 0.5, 0);
  for (PlayedGame& game : played.games[0]) game.seconds = {0.0001, 0.0002};
  CHECK(contains(played.report(), "ms a game"));
  CHECK(contains(played.report(), "<td data-head=\"median\">0.100</td>"));
  for (PlayedGame& game : played.games[0]) game.seconds = {1, 2};
  CHECK(contains(played.report(), "seconds a game"));
}

TEST_CASE("playing_times: from the first game to the last, without the time between runs") {
  constexpr std::int64_t start = 1767225600;  // 2026-01-01 00:00:00
  const auto round = [](std::int64_t begun, std::int64_t ended) {
    return PlayedRound{0, 0, {}, begun, ended};
  };
  CHECK(playing_times({}).empty());
  CHECK(playing_times(std::vector{round(0, 0)}).empty());
  CHECK(playing_times(std::vector{round(start + 60, start + 65)}) ==
        "Played 2026-01-01 00:01 UTC, 5 seconds of play.");
  // Two at once, and one within them.
  std::vector rounds{round(start + 60, start + 180), round(start, start + 120),
                     round(start + 70, start + 90)};
  CHECK(playing_times(rounds) == "Played 2026-01-01 00:00 to 00:03 UTC, 3:00 minutes of play.");
  rounds.push_back(round(start + 86400, start + 86400 + 7200));
  CHECK(playing_times(rounds) ==
        "Played 2026-01-01 00:00 to 2026-01-02 02:00 UTC, 2:03:00 hours of play.");
}

TEST_CASE("plots of up to three games are open, those of more are folded") {
  Played played;
  const char* games[] = {"connect4", "hex", "othello", "teeko"};
  for (const char* game : games) {
    play(played, made_match(game, "A", "B", 4), 0.5, 0);
    CHECK(contains(played.report(), "<details class=\"game\">") == (played.games.size() == 4));
  }
}

TEST_CASE("course_of ends where the match stands") {
  Played played;
  play(played, made_match("connect4", "A", "B", 333), 0.5, 0.1);
  played.experiment.sprt = SprtPlan{.elo0 = -200, .elo1 = 200, .alpha = 1e-9, .beta = 1e-9};
  const Results results = played.results();
  const MatchResults& match = results.matches()[0];
  const int games = match.standings().games();
  const auto counted = std::span(played.games[0]).first(games);
  for (const std::size_t most :
       {std::size_t{1}, std::size_t{7}, std::size_t{100}, std::size_t{1000}}) {
    CAPTURE(most);
    const auto rows = rows_of(course_of(match, 0, counted, most));
    REQUIRE(rows.size() == std::min<std::size_t>(most, games / 2));
    CHECK(rows.back()["games"] == games);
    CHECK(rows.back()["score"] == match.standings().tally(0).score());
    CHECK(rows.back()["llr"] == *match.llr());
    for (std::size_t i = 1; i < rows.size(); ++i) CHECK(rows[i]["games"] > rows[i - 1]["games"]);
  }
  CHECK(course_of(match, 0, {}, 100).rows.empty());
}

TEST_CASE("the course of a test is shown between its two bounds") {
  Played played;
  play(played, made_match("connect4", "A", "B", 80), 0.5, 0.1);
  CHECK_FALSE(contains(played.report(), "accepted</text>"));
  played.experiment.sprt = SprtPlan{.elo0 = -3, .elo1 = 7};
  const std::string report = played.report();
  CHECK(contains(report, "elo0 = -3 accepted"));
  CHECK(contains(report, "elo1 = 7 accepted"));
}

TEST_CASE("a report of 90 matches stays small") {
  Played played;
  const char* names[] = {"A", "B", "C", "D"};
  const char* games[] = {"connect4", "othello", "hex"};
  for (int i = 0; i < 90; ++i) {
    Match match = made_match(games[i % 3], names[i / 3 % 2], names[2 + i / 6 % 2], 100);
    match.seed = i;
    play(played, match, 0.5, 0.1);
  }
  const std::string page = played.report();
  CHECK(malformed(page) == "");
  CHECK(page.size() < 2'000'000);
  CHECK(contains(page, "Ratings, all games"));
  CHECK(contains(page, "A difference was shown in "));
}

TEST_CASE("a report of matches whose players never met") {
  Played played;
  play(played, made_match("connect4", "A", "B", 20), 0.5, 0.1);
  play(played, made_match("connect4", "C", "D", 20), 1.0, 0.0);
  const std::string page = played.report();
  CHECK(malformed(page) == "");
  CHECK(contains(page, "Ratings of different components cannot be compared"));
  CHECK(contains(page, "won all"));
}

}  // namespace pitboss::clients
