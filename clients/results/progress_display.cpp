#include "clients/results/progress_display.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "clients/players/gtp_client.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/summary.hpp"
#include "clients/results/tournament.hpp"

namespace pitboss::clients {

namespace {

/// "412.3 games/min, 2:53 left", or nothing yet.
std::string throughput_text(Throughput throughput, int left) {
  if (throughput.played <= 0 || throughput.seconds <= 0) return "";
  return format("%.1f games/min, ", 60.0 * throughput.played / throughput.seconds) +
         duration_text(throughput.seconds / throughput.played * left) + " left";
}

/// "failures A 2, B 1", or nothing.
std::string failures_text(const MatchResults& match) {
  std::string out;
  for (const int i : {0, 1}) {
    int count = 0;
    for (const auto& [reason, times] : match.standings().failures(i)) count += times;
    if (count == 0) continue;
    out += (out.empty() ? "failures " : ", ") + match.match().players[i].name + " " +
           std::to_string(count);
  }
  return out;
}

std::string strength_text(const Standings& standings) {
  return standings.breakdowns().decide() ? "no result" : elo_phrase(standings.elo());
}

/// SGR parameters: green if the score is significantly above 1/2, red if below.
const char* colour_of(const MatchResults& match) {
  const int stronger = stronger_in(match);
  return stronger == 0 ? "32" : stronger == 1 ? "31" : "";
}

std::string coloured(const std::string& text, const char* colour, const Screen& screen) {
  if (!screen.has_colour || *colour == '\0' || text.empty()) return text;
  return "\033[" + std::string(colour) + "m" + text + "\033[0m";
}

/// One match, in columns. A narrow screen drops columns, the first ones last.
std::string match_line(const MatchResults& match, const std::string& name, int name_width,
                       const Screen& screen) {
  const Standings& standings = match.standings();
  struct Column {
    std::string text;
    int width;
    const char* colour;
  };
  const Tally& tally = standings.tally(0);
  const Interval interval = score_interval(tally.points(), tally.games());
  const bool has_games = standings.games() > 0;
  const Column columns[] = {
      {name, name_width, ""},
      {format("%d/%d", standings.games(), match.match().games), 11, ""},
      {has_games ? format("%5.1f %%", 100 * tally.score()) : "", 7, colour_of(match)},
      {has_games ? percent_text(interval) : "", 13, ""},
      {failures_text(match), 0, "33"},
      {llr_text(match), 0, match.verdict() == SprtVerdict::undecided ? "" : "1"},
      {has_games ? strength_text(standings) : "", 0, ""},
      {match.is_over() ? "done" : "", 0, "2"},
  };
  std::string out;
  int used = 0;
  for (const Column& column : columns) {
    const int length = std::max(static_cast<int>(column.text.size()), column.width);
    if (column.text.empty() && column.width == 0) continue;
    const std::string text = column.text.substr(0, std::max(0, screen.width - used));
    if (used > 0 && used + 2 + length > screen.width) continue;
    if (used > 0) out += "  ";
    out += coloured(text, column.colour, screen);
    out += std::string(
        std::max(0, std::min(length, screen.width - used) - static_cast<int>(text.size())), ' ');
    used += length + (used > 0 ? 2 : 0);
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string bar(double share, int width) {
  const int inside = width - 2;
  if (inside < 4) return "";
  const auto filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * inside);
  std::string out = "[" + std::string(filled, '=');
  if (filled < inside) out += '>' + std::string(inside - filled - 1, ' ');
  return out + "]";
}

/// Figures, behind a bar if there is room.
std::string bar_line(double share, std::string text, const Screen& screen) {
  const int room = screen.width - static_cast<int>(text.size()) - 2;
  if (room >= 6) text = bar(share, std::min(room, 40)) + "  " + text;
  return text.substr(0, screen.width);
}

/// "812 of 60000 positions, 49.3 positions/s, 20:02 left"
std::string work_text(const WorkDone& work, Throughput throughput) {
  std::string text =
      std::to_string(work.done) + " of " + std::to_string(work.all) + " " + work.things;
  if (throughput.played <= 0 || throughput.seconds <= 0) return text;
  const double speed = throughput.played / throughput.seconds;
  return text + format(", %.1f ", speed) + work.things + "/s, " +
         duration_text(static_cast<double>(work.all - work.done) / speed) + " left";
}

/// The progress bar and the figures of the whole experiment.
std::string head_line(const Results& results, Throughput throughput, const Screen& screen) {
  const int left = games_left(results);
  const int games = results.games();
  const double share = games + left > 0 ? static_cast<double>(games) / (games + left) : 1.0;
  std::string text = format("%d/%d games", games, games + left);
  const std::string speed = throughput_text(throughput, left);
  if (!speed.empty()) text += ", " + speed;
  if (results.forfeits() > 0) text += format(", failures %d", results.forfeits());
  return bar_line(share, std::move(text), screen);
}

/// Matches in the order of their interest: in play, to come, over.
std::vector<int> by_interest(const Results& results) {
  const auto& matches = results.matches();
  std::vector<int> order(matches.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int i) {
    return matches[i].is_over() ? 2 : matches[i].standings().games() > 0 ? 0 : 1;
  });
  return order;
}

}  // namespace

std::vector<std::string> progress_view(const Results& results, Throughput throughput,
                                       const Screen& screen) {
  const auto& matches = results.matches();
  std::vector<std::string> lines = {head_line(results, throughput, screen)};
  const int room = std::max(screen.height - 1, 1) - 1;
  const auto count = static_cast<int>(matches.size());
  const int shown = count <= room ? count : std::max(room - 1, 0);
  std::vector<int> order = by_interest(results);
  order.resize(shown);
  std::ranges::sort(order);

  std::vector<std::string> names;
  std::size_t name_width = 0;
  for (const int i : order) {
    // The numbers need the room more than a long name does.
    names.push_back(match_name(results, i).substr(0, std::max(screen.width / 2, 12)));
    name_width = std::max(name_width, names.back().size());
  }
  for (int row = 0; row < shown; ++row) {
    lines.push_back(
        match_line(matches[order[row]], names[row], static_cast<int>(name_width), screen));
  }
  if (shown < count && room > 0) {
    lines.push_back(format("and %d more matches", count - shown).substr(0, screen.width));
  }
  return lines;
}

std::string progress_view(const WorkDone& work, Throughput throughput, const Screen& screen) {
  const double share =
      work.all == 0 ? 1.0 : static_cast<double>(work.done) / static_cast<double>(work.all);
  return bar_line(share, work_text(work, throughput), screen);
}

std::string progress_line(const Results& results, Throughput throughput) {
  const int left = games_left(results);
  std::string out = format("%d/%d", results.games(), results.games() + left);
  if (results.matches().size() == 1) {
    const MatchResults& match = results.matches().front();
    const Tally& tally = match.standings().tally(0);
    out +=
        format("  %d-%d-%d, %.1f %% ", tally.wins, tally.draws, tally.losses, 100 * tally.score()) +
        percent_text(score_interval(tally.points(), tally.games()));
    if (match.sprt()) out += ", " + llr_text(match);
  } else {
    const auto over = std::ranges::count_if(results.matches(), &MatchResults::is_over);
    out += format(" games, %d of %d matches", static_cast<int>(over),
                  static_cast<int>(results.matches().size()));
  }
  if (results.forfeits() > 0) out += format(", failures %d", results.forfeits());
  const std::string speed = throughput_text(throughput, left);
  if (!speed.empty()) out += ", " + speed;
  return out;
}

ProgressDisplay::ProgressDisplay(std::FILE* out)
    : out_(out), is_live_(environment::screen_of(out).has_value()) {
  next_ = is_live_ ? start_ : start_ + std::chrono::seconds(10);
}

ProgressDisplay::~ProgressDisplay() { clear(); }

std::optional<Throughput> ProgressDisplay::due(int done) {
  if (done_before_ < 0) done_before_ = done;
  const auto now = AwakeClock::now();
  if (now < next_) return std::nullopt;
  next_ = now + (is_live_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10));
  return Throughput{done - done_before_, std::chrono::duration<double>(now - start_).count()};
}

void ProgressDisplay::update(const Results& results) {
  const auto throughput = due(results.games());
  if (!throughput) return;
  const auto screen = environment::screen_of(out_).value_or(Screen());
  draw(is_live_ ? progress_view(results, *throughput, screen)
                : std::vector{progress_line(results, *throughput)});
}

void ProgressDisplay::update(const WorkDone& work) {
  const auto throughput = due(static_cast<int>(work.done));
  if (!throughput) return;
  const auto screen = environment::screen_of(out_).value_or(Screen());
  draw({is_live_ ? progress_view(work, *throughput, screen) : work_text(work, *throughput)});
}

/// On a terminal in the place of what was drawn before.
void ProgressDisplay::draw(const std::vector<std::string>& lines) {
  std::string text = is_live_ ? erasure() : "";
  for (const std::string& line : lines) text += line + "\n";
  if (is_live_) lines_drawn_ = static_cast<int>(lines.size());
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

void ProgressDisplay::note(std::string_view text) {
  clear();
  // An engine's text must not control the terminal.
  std::fprintf(out_, "%s\n", printable(text, 1000).c_str());
  std::fflush(out_);
}

/// Erases everything from the first line drawn on.
std::string ProgressDisplay::erasure() {
  const int lines = std::exchange(lines_drawn_, 0);
  return lines > 0 ? format("\033[%dA\r\033[J", lines) : "";
}

void ProgressDisplay::clear() {
  std::fputs(erasure().c_str(), out_);
  std::fflush(out_);
}

}  // namespace pitboss::clients
