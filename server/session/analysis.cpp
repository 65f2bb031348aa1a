#include "server/session/analysis.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "engine/options/options.hpp"
#include "games/letter_case.hpp"
#include "protocol/error.hpp"
#include "server/session/rules_of_play.hpp"
#include "server/session/search_json.hpp"
#include "server/session/search_tree.hpp"

namespace pitboss::server {

namespace {

// ---- what is asked

bool is_number(const std::string& word) {
  return std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

/// Reads the arguments one after the other.
class Reader {
 public:
  Reader(AnalysisForm form, const protocol::Arguments& arguments, const Table& table)
      : arguments_(arguments), table_(table), request_{form} {}

  AnalysisRequest read() {
    while (next_ < arguments_.size()) read_one();
    if (!allowed_.empty()) {
      for (const std::string& move : table_.game().legal_moves()) {
        if (!allowed_.contains(move)) request_.avoided.insert(move);
      }
    }
    if (is_restricted_ && request_.avoided.size() == table_.game().legal_moves().size()) {
      throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                   "avoid and allow leave no move to analyse");
    }
    return std::move(request_);
  }

 private:
  static constexpr std::int64_t most = 1'000'000'000;
  static constexpr std::int64_t longest_ms = 86'400'000;  // as the option's
  static constexpr std::int64_t most_of_tree = 1000;
  static constexpr int most_named = 2000;  // GUIs name every point of a board, for both sides

  [[nodiscard]] bool is_colour(const std::string& word) const {
    return table_.game().colour_named(word).has_value();
  }

  void read_one() {
    const std::string word = games::in_lower_case(arguments_.word(next_));
    if (is_colour(word)) return check_turn(table_, arguments_.colour(next_++, table_.game()));
    if (is_number(word)) return read_interval();
    ++next_;
    if (word == "json" && request_.form != AnalysisForm::leela &&
        request_.form != AnalysisForm::kata) {
      return void(request_.form = AnalysisForm::json);
    }
    if (word == "interval") return read_interval();
    if (word == "minmoves") return void(request_.least_moves = int(number(most)));
    if (word == "maxmoves") return void(request_.most_moves = int(number(most, 1)));
    if (word == "avoid" || word == "allow") return read_moves(word == "allow");
    if (word == "rootinfo") return void(request_.root_info = truth());
    if (word == "pvvisits") return void(request_.pv_visits = truth());
    if (word == "tree") return void(request_.tree = std::size_t(number(most_of_tree)));
    if (word == "goeson") return void(request_.goes_on = truth());
    if (word == "simulations") {
      return void(request_.most_simulations = number(engine::max_simulations, 1));
    }
    if (word == "movetime") {
      return void(request_.most_time = std::chrono::milliseconds(number(longest_ms, 1)));
    }
    // Accepted and ignored: this engine does not estimate who will own a point.
    if (word == "ownership" || word == "ownershipstdev" || word == "movesownership" ||
        word == "movesownershipstdev" || word == "pvedgevisits") {
      return void(truth());
    }
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: unknown key '" + word + "'");
  }

  std::int64_t number(std::int64_t max, std::int64_t min = 0) {
    return arguments_.whole(expect_more(), min, max);
  }

  bool truth() {
    const std::string word = games::in_lower_case(arguments_.word(expect_more()));
    if (word == "true" || word == "1") return true;
    if (word == "false" || word == "0") return false;
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected true or false, not '" + word + "'");
  }

  std::size_t expect_more() {
    if (next_ >= arguments_.size())
      throw protocol::CommandError(
          protocol::FailureCode::bad_argument,
          "syntax error: expected a value after '" + arguments_.word(next_ - 1) + "'");
    return next_++;
  }

  void read_interval() {
    constexpr std::int64_t shortest = 1;
    const auto centiseconds = std::max(number(most), shortest);
    request_.interval = std::chrono::milliseconds(centiseconds * 10);
  }

  // COLOUR MOVE,MOVE,... DEPTH
  void read_moves(bool allows) {
    const games::Colour colour = arguments_.colour(expect_more(), table_.game());
    std::istringstream list(arguments_.word(expect_more()));
    if (number(most) != 1)
      throw protocol::CommandError(
          protocol::FailureCode::unsupported,
          "avoid and allow can restrict the first move only: give depth 1");
    std::vector<std::string> moves;
    for (std::string text; std::getline(list, text, ',');) {
      if (++named_ > most_named) {
        throw protocol::CommandError(
            protocol::FailureCode::bad_argument,
            "syntax error: expected no more than " + std::to_string(most_named) + " moves");
      }
      try {
        moves.push_back(table_.game().canonical(text));
      } catch (const games::BadSyntax& bad) {
        refuse_move(bad);
      } catch (const games::BadGame&) {
        // GUIs name whole areas; an illegal move need not be restricted.
      }
    }
    // The other colour does not make the first move.
    if (colour != table_.game().to_move()) return;
    is_restricted_ = true;
    if (allows) {
      if (moves.empty())
        throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                     "avoid and allow leave no move to analyse");
      allowed_.insert(moves.begin(), moves.end());
    } else {
      request_.avoided.insert(moves.begin(), moves.end());
    }
  }

  const protocol::Arguments& arguments_;
  const Table& table_;
  AnalysisRequest request_;
  std::size_t next_ = 0;
  bool is_restricted_ = false;
  int named_ = 0;  ///< moves, in all lists
  std::set<std::string> allowed_;
};

// ---- what is told

std::string decimal(double number) {
  std::array<char, 64> text;
  auto* const end =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, 6)
          .ptr;
  return {text.data(), end};
}

/// A winrate in the form's own unit. Bonuses can carry a mean beyond [0, 1].
std::string share_text(AnalysisForm form, double mean) {
  const double value = std::clamp(mean, 0.0, 1.0);
  if (form == AnalysisForm::leela) return std::to_string(std::lround(value * 10000));
  return decimal(value);
}

double utility(double winrate) { return 2 * std::clamp(winrate, 0.0, 1.0) - 1; }

void add_move(std::string& line, const AnalysisRequest& request, const engine::MoveReport& move,
              int order) {
  const auto add = [&line](std::string_view key, const std::string& value) {
    ((line += ' ') += key) += ' ';
    line += value;
  };
  const auto interval = interval_of(move);
  const double bound = interval ? interval->low : 0;
  line += line.empty() ? "info" : " info";
  add("move", move.move);
  add("visits", std::to_string(move.visits));
  if (request.form == AnalysisForm::kata) add("utility", decimal(utility(move.value)));
  add("winrate", share_text(request.form, move.value));
  add("lcb", share_text(request.form, bound));
  if (request.form == AnalysisForm::kata) add("utilityLcb", decimal(utility(bound)));
  if (move.prior) add("prior", share_text(request.form, *move.prior));
  add("novelty", decimal(move.novelty));
  if (move.proven != engine::Proven::no) {
    add("proven", std::string(word_of(move.proven)));
  }
  add("order", std::to_string(order));
  // If a move's continuation was not asked for, its variation is the move alone.
  const std::size_t length = std::clamp<std::size_t>(move.pv.size(), 1, longest_pv);
  if (request.pv_visits) {
    line += " pvVisits " + std::to_string(move.visits);
    for (std::size_t i = 1; i < length; ++i) line += ' ' + std::to_string(move.pv_visits[i]);
  }
  line += " pv " + move.move;
  for (std::size_t i = 1; i < length; ++i) line += ' ' + move.pv[i];
}

void add_root(std::string& line, AnalysisForm form, const engine::Report& report) {
  std::int64_t visits = 0;
  double sum = 0;
  for (const engine::MoveReport& move : report.moves) {
    visits += move.visits;
    sum += move.value * static_cast<double>(move.visits);
  }
  // Proven wins and what an exact solver has proven come first, proven losses last.
  const bool is_proven = !report.moves.empty() && report.moves.front().proven != engine::Proven::no;
  if (visits == 0 && !is_proven) return;
  const double winrate = is_proven ? report.moves.front().value : sum / static_cast<double>(visits);
  line += " rootInfo visits " + std::to_string(visits);
  if (form == AnalysisForm::kata) line += " utility " + decimal(utility(winrate));
  line += " winrate " + share_text(form, winrate);
}

}  // namespace

AnalysisRequest read_analysis(AnalysisForm form, const protocol::Arguments& arguments,
                              const Table& table) {
  return Reader(form, arguments, table).read();
}

std::vector<std::size_t> told_moves(const AnalysisRequest& request, const engine::Report& report) {
  std::vector<std::size_t> told;
  for (std::size_t i = 0; i < report.moves.size(); ++i) {
    const engine::MoveReport& move = report.moves[i];
    if (std::ssize(told) >= request.most_moves) break;
    const bool is_known = move.visits > 0 || move.proven == engine::Proven::win ||
                          move.proven == engine::Proven::draw;
    if (!is_known && std::ssize(told) >= std::max(request.least_moves, 1)) continue;
    if (!request.avoided.contains(move.move)) told.push_back(i);
  }
  return told;
}

std::string analysis_line(const AnalysisRequest& request, const engine::Report& report) {
  std::string line;
  int order = 0;
  for (const std::size_t i : told_moves(request, report)) {
    add_move(line, request, report.moves[i], order++);
  }
  if (request.root_info) add_root(line, request.form, report);
  return line;
}

/// Between two lines that tell the tree.
constexpr auto tree_interval = std::chrono::seconds(1);

std::string Analysis::line() {
  constexpr int most_continuations = 1000;
  constexpr int divisor = 4;  // of the time for lines: a large board's takes milliseconds
  const auto begun = SteadyClock::now();
  has_told_ = true;
  // Avoided moves may come first, with visits from earlier searches.
  const auto told = std::min<std::size_t>(request_.most_moves, most_continuations);
  const auto continuations = static_cast<int>(told + request_.avoided.size());
  const engine::Report report = table_.search().report(continuations);
  std::string text;
  if (request_.form == AnalysisForm::json) {
    text = analysis_json(report, table_.game(), told_moves(request_, report),
                         {++sequence_, begun - begun_, told_options_, request_.pv_visits});
    told_options_ = report.options;
    if (tells_tree(begun)) {
      text.back() = ',';
      text += "\"tree\":" + tree_json(most_visited(table_.search(), request_.tree)) + '}';
      next_tree_ = begun + tree_interval;
    }
  } else {
    text = analysis_line(request_, report);
  }
  const auto used = SteadyClock::now() - begun;
  next_ = begun + std::max<SteadyClock::duration>(request_.interval, divisor * used);
  return text;
}

/// A tree is some ten kB, and a search by several threads cannot tell it while it runs.
bool Analysis::tells_tree(SteadyClock::time_point now) const {
  return request_.tree > 0 && now >= next_tree_ && table_.search().shared()->threads() == 1;
}

void Analysis::leave_to(const ClientFindings& findings) const {
  constexpr int rows = 30;
  if (!findings.all || !request_.avoided.empty()) return;
  // What has been told already of nearly as many visits is not told in full again.
  const engine::Report brief = table_.search().report();
  if (brief.reused > 0 && table_.has_avoided_moves()) return;
  std::string key = Findings::key(findings.token, table_.game(), brief.options);
  if (brief.visits == 0 || !findings.all->wants(key, brief.visits)) return;
  AnalysisRequest all{AnalysisForm::json};
  all.least_moves = all.most_moves = rows;
  const engine::Report report = table_.search().report(rows);
  const AnalysisFrame frame{1, SteadyClock::now() - begun_, report.options, true};
  findings.all->keep(std::move(key), report.visits,
                     analysis_json(report, table_.game(), told_moves(all, report), frame));
}

std::string Analysis::line_if_due() { return SteadyClock::now() >= next_ ? line() : std::string(); }

}  // namespace pitboss::server
