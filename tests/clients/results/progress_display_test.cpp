#include "clients/results/progress_display.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string>

#include "tests/clients/referee/made_games.hpp"
#include "tests/environment/variable_set.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Experiment shown_experiment(int matches, int rounds = 10) {
  Experiment experiment;
  for (int i = 0; i < matches; ++i) {
    experiment.matches.push_back(
        made_match("connect4", "player-" + std::to_string(i), "a-player-of-a-long-name", rounds));
  }
  return experiment;
}

using tests::contains;

/// Without colours.
std::size_t width_of(const std::string& line) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\033') {
      i = line.find('m', i);
    } else {
      ++width;
    }
  }
  return width;
}

std::string content(std::FILE* file) {
  std::fflush(file);
  std::rewind(file);
  std::string out;
  for (int c = 0; (c = std::fgetc(file)) != EOF;) out += static_cast<char>(c);
  return out;
}

/// Both ends of a terminal of 60 x 6.
class Terminal {
 public:
  Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    REQUIRE(master_ >= 0);
    REQUIRE(::grantpt(master_) == 0);
    REQUIRE(::unlockpt(master_) == 0);
    file_.reset(std::fopen(::ptsname(master_), "w"));
    REQUIRE(file_ != nullptr);
    const winsize size{6, 60, 0, 0};
    REQUIRE(::ioctl(master_, TIOCSWINSZ, &size) == 0);
  }
  ~Terminal() { ::close(master_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] std::FILE* file() const { return file_.get(); }
  /// What has been shown since the last call, up to `end`.
  [[nodiscard]] std::string shown_until(const std::string& end) const {
    std::string out;
    std::array<char, 1024> buffer;
    pollfd ready{master_, POLLIN, 0};
    while (!out.ends_with(end) && ::poll(&ready, 1, 5000) == 1) {
      const auto size = ::read(master_, buffer.data(), buffer.size());
      if (size <= 0) break;
      out.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return out;
  }

 private:
  int master_;
  File file_{nullptr, std::fclose};
};

}  // namespace

TEST_CASE("progress_view fits every screen") {
  Experiment experiment = shown_experiment(12);
  experiment.sprt = SprtPlan{};
  Results results(experiment);
  for (int match = 0; match < 12; ++match) {
    results.add(match, 0, made_round(experiment.matches[match], 0, match % 2 ? "WW" : "LD"));
  }
  for (const int width : {1, 7, 20, 40, 80, 200}) {
    for (const int height : {1, 2, 3, 5, 13, 50}) {
      for (const bool has_colour : {false, true}) {
        CAPTURE(width);
        CAPTURE(height);
        const auto lines = progress_view(results, {24, 10.0}, {width, height, has_colour});
        CHECK(lines.size() >= 1);
        CHECK(lines.size() <= std::max(height - 1, 1));
        for (const std::string& line : lines) {
          CAPTURE(line);
          CHECK(width_of(line) <= width);
          if (!has_colour) CHECK_FALSE(contains(line, "\033"));
        }
      }
    }
  }
}

TEST_CASE("progress_view tells speed, what is left, and each match") {
  Experiment experiment = shown_experiment(2, 50);
  Results results(experiment);
  results.add(0, 0, made_round(experiment.matches[0], 0, "WD"));
  auto lines = progress_view(results, {2, 60.0}, {160, 24, false});
  REQUIRE(lines.size() == 3);
  CHECK(contains(lines[0], "2/200 games, 2.0 games/min, 1:39:00 left"));
  CHECK(lines[0].starts_with("[>"));
  CHECK(contains(lines[1], "player-0 - a-player-of-a-long-name"));
  CHECK(contains(lines[1], "75.0 %"));
  CHECK(contains(lines[1], "too few games for an Elo"));
  CHECK_FALSE(contains(lines[2], "%"));
  CHECK(contains(progress_view(results, {}, {160, 24, false})[0], "2/200 games"));

  // With little room the match in play comes first.
  lines = progress_view(results, {2, 60.0}, {160, 4, false});
  CHECK(contains(lines[1], "player-0"));
}

TEST_CASE("progress_view shows what a test has decided, and does not wait for the rest") {
  Experiment experiment = shown_experiment(1, 500);
  experiment.sprt = SprtPlan{.elo0 = 0, .elo1 = 100};
  Results results(experiment);
  for (int round = 0; !results.is_over(); ++round) {
    REQUIRE(round < 500);
    results.add(0, round, made_round(experiment.matches[0], round, round % 3 ? "WW" : "WD"));
  }
  const auto lines = progress_view(results, {results.games(), 1}, {160, 24, false});
  const std::string games = std::to_string(results.games());
  CHECK(contains(lines[0], games + "/" + games + " games"));
  CHECK(contains(lines[1], ": accepted +100 normalized Elo, not 0"));
  CHECK(contains(progress_line(results, {}), "LLR +"));
}

TEST_CASE("ProgressDisplay writes lines where there is no terminal, and no colours") {
  const File file(std::tmpfile(), std::fclose);
  const Experiment experiment = shown_experiment(1);
  const Results results(experiment);
  ProgressDisplay progress(file.get());
  progress.update(results);  // Too early.
  progress.note("game 3: B loses: garbage: \033[2J\nx");
  progress.finish();
  CHECK(content(file.get()) == "game 3: B loses: garbage: ?[2J x\n");
}

TEST_CASE("ProgressDisplay redraws on a terminal") {
  const tests::VariableSet term("TERM", "xterm");
  const Experiment experiment = shown_experiment(12);
  Results results(experiment);
  results.add(0, 0, made_round(experiment.matches[0], 0, "WD"));
  const tests::VariableSet no_colour("NO_COLOR", "1");
  const Terminal terminal;
  ProgressDisplay progress(terminal.file());
  progress.update(results);
  std::string shown = terminal.shown_until("more matches\r\n");
  CHECK(contains(shown, "2/240 games"));
  CHECK(contains(shown, "\r\nand 9 more matches\r\n"));
  CHECK_FALSE(contains(shown, "\033"));
  progress.note("something");
  shown = terminal.shown_until("something\r\n");
  CHECK(shown.starts_with("\033[5A\r\033[J"));
}

TEST_CASE("ProgressDisplay takes a dumb terminal for none") {
  const tests::VariableSet term("TERM", "dumb");
  const Experiment experiment = shown_experiment(1);
  const Terminal terminal;
  ProgressDisplay progress(terminal.file());
  progress.update(Results(experiment));
  progress.note("a note");
  CHECK(terminal.shown_until("a note\r\n") == "a note\r\n");
}

}  // namespace pitboss::clients
