#include "clients/players/move_notation.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <iterator>
#include <sstream>

#include "games/dialect.hpp"
#include "games/letter_case.hpp"
#include "games/move_words.hpp"
#include "games/random.hpp"
#include "games/swap.hpp"

namespace pitboss::clients {

using games::AnyGame;
using games::Notation;
using protocol::Dialect;

namespace {

/// How many moves a question's line may have.
constexpr int longest_line = 6;
/// How many random games have to be the same in two notations.
constexpr int games_compared = 3;

/// Of a narrow board, whose letters do not show whether there is an i.
constexpr std::size_t letters_before_i = 8;

/// For moves of two points, and behind them those of three points alone.
constexpr std::array two_point_styles{MoveStyle{false, "", "", ""}, MoveStyle{false, "-", "-", ""},
                                      MoveStyle{false, " ", " ", ""},
                                      MoveStyle{false, "x", "x", ""}};
constexpr std::array three_point_styles{MoveStyle{false, "-", "/", ""},
                                        MoveStyle{false, "-", "(", ")"}};

/// A move of a program that is a word, as Pitboss writes it.
std::string word_of(const std::string& theirs) {
  if (games::is_word_for_pass(theirs)) return std::string(games::pass_text);
  if (theirs == "resigns") return "resign";
  const bool is_swap = theirs == games::swap_pieces_text || theirs == games::swap_sides_text;
  return is_swap ? std::string(games::SwapRule::text) : theirs;
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

bool is_legal(const AnyGame& position, std::string_view move) {
  try {
    static_cast<void>(position.find(move));
    return true;
  } catch (const games::BadGame&) {
    return false;
  }
}

/// Whether `moves`, which are sorted, have the move that one notation means by another's text.
bool is_among(const std::vector<std::string>& moves, std::string_view text,
              const Notation& notation) {
  return std::ranges::binary_search(moves, games::rewritten(text, notation, {}));
}

/// Whether texts of games in one notation are games in the other, too, with the same results: then
/// it does not matter which one a program writes, as where the rows of a symmetric board begin.
bool are_alike(const AnyGame& initial, const Notation& one, const Notation& other) {
  games::Random random(1);
  for (int game = 0; game < games_compared; ++game) {
    const auto position = initial.clone();
    const auto mirrored = initial.clone();
    while (!position->result().finished()) {
      const std::string move = position->play(position->random_move(random));
      const std::string text = games::rewritten(games::rewritten(move, {}, one), other, {});
      if (!is_legal(*mirrored, text)) return false;
      mirrored->play(text);
    }
    if (!mirrored->result().finished()) return false;
    if (games::score_text(*position) != games::score_text(*mirrored)) return false;
  }
  return true;
}

/// Rows have no other order on a board whose neighbours would be others then.
std::vector<Notation> notations_of(const AnyGame& initial) {
  const games::BoardShape shape = initial.shape();
  const int top = games::notation_of(Dialect::hexgui, shape).rows_from_top;
  std::vector<Notation> out;
  for (const Notation& one :
       {Notation{}, Notation{true, top}, Notation{false, top}, Notation{true, 0}}) {
    const bool is_new = std::ranges::none_of(
        out, [&](const Notation& other) { return are_alike(initial, one, other); });
    if (is_new) out.push_back(one);
  }
  return out;
}

std::size_t most_points(const AnyGame& initial) {
  games::Random random(1);
  std::size_t most = 1;
  for (const auto position = initial.clone(); !position->result().finished();) {
    most = std::max(most, games::points_of(position->play(position->random_move(random))).size());
  }
  return most;
}

std::vector<MoveStyle> styles_of(const AnyGame& initial) {
  const std::size_t points = most_points(initial);
  std::vector<MoveStyle> forms(two_point_styles.begin(), two_point_styles.end());
  if (points == 1) forms.resize(1);
  if (points == 3) forms.insert(forms.end(), three_point_styles.begin(), three_point_styles.end());
  std::vector<MoveStyle> out;
  for (MoveStyle style : forms) {
    out.push_back(style);
    style.has_capitals = true;
    out.push_back(style);
  }
  return out;
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), {}};
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string to_program(std::string_view move, const Notation& points, const MoveStyle& style) {
  std::string text(move);
  const std::vector<std::string> all = games::points_of(move);
  if (all.size() > 1 && !style.between.empty()) {
    const std::size_t end = move.rfind(all.back()) + all.back().size();
    text = all[0] + std::string(style.between) + all[1];
    if (all.size() > 2) {
      text.append(style.before_third).append(all[2]).append(style.behind_third);
    }
    text += move.substr(end);
  }
  text = games::rewritten(text, {}, points);
  return style.has_capitals ? in_capitals(std::move(text)) : text;
}

std::string from_program(std::string_view text, const Notation& points) {
  std::string move = games::in_lower_case(text);
  if (games::points_of(move).empty()) return word_of(move);
  static constexpr std::string_view separators = " \t-/(),";
  std::erase_if(move, [](char c) { return separators.find(c) != std::string_view::npos; });
  return games::rewritten(move, points, {});
}

NotationCandidates::NotationCandidates(Dialect dialect, const games::BoardShape& shape)
    : shape_(shape),
      all_{games::notation_of(dialect, shape)},
      points_(all_),
      styles_(1),
      taken_points_(3) {}

NotationCandidates::NotationCandidates(const AnyGame& initial)
    : shape_(initial.shape()),
      all_(notations_of(initial)),
      points_(all_),
      styles_(styles_of(initial)) {}

std::string NotationCandidates::to_program(std::string_view move) const {
  return clients::to_program(move, points_.front(), styles_[style_]);
}

std::string NotationCandidates::from_program(std::string_view text) const {
  return clients::from_program(text, points_.front());
}

bool NotationCandidates::is_unsure(std::string_view move) const {
  const std::size_t points = games::points_of(move).size();
  return points > 0 && (is_open() || points > taken_points_);
}

void NotationCandidates::prefer_by_moves(const AnyGame& position, std::string_view told) {
  std::set<std::string> first_points;
  for (const std::string& move : position.legal_moves()) {
    const auto points = games::points_of(move);
    if (!points.empty()) first_points.insert(points.front());
  }
  const std::vector<std::string> all = words_of(told);
  const std::set<std::string> texts(all.begin(), all.end());
  std::ranges::stable_partition(points_, [&](const Notation& one) {
    return std::ranges::all_of(texts, [&](const std::string& word) {
      const std::string move = clients::from_program(word, one);
      return first_points.contains(move) || is_legal(position, move);
    });
  });
  std::ranges::stable_partition(styles_, [&](const MoveStyle& style) {
    return std::ranges::all_of(texts, [&](const std::string& word) {
      return clients::to_program(from_program(word), points_.front(), style) == word;
    });
  });
}

void NotationCandidates::prefer_by_board(std::string_view drawn) {
  std::optional<bool> has_i;
  std::optional<bool> is_first_on_top;
  std::istringstream lines{std::string(drawn)};
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> signs = words_of(games::in_lower_case(line));
    if (signs.empty()) continue;
    if (signs.size() > letters_before_i && signs[0] == "a" && signs[1] == "b") {
      has_i = std::ranges::find(signs, "i") != signs.end();
    } else if (!is_first_on_top && is_number(signs.front())) {
      is_first_on_top = signs.front() == "1";
    }
  }
  std::ranges::stable_sort(points_, std::greater(), [&](const Notation& one) {
    return (has_i == one.column_i ? 1 : 0) + (is_first_on_top == (one.rows_from_top > 0) ? 1 : 0);
  });
}

/// A move whose text the fewest of the other notations have, where some do not have it. A line of
/// moves that all write alike leads there, as where the rules have black begin in the centre.
std::optional<NotationQuestion> NotationCandidates::question_for(const Notation& one,
                                                                 const AnyGame& initial) const {
  NotationQuestion question;
  const auto position = initial.clone();
  for (int ply = 0; ply < longest_line && !position->result().finished(); ++ply) {
    const std::vector<std::string> legal = position->legal_moves();
    std::size_t fewest = points_.size();
    std::string best;
    std::string common;
    for (const std::string& move : legal) {
      const std::string text = games::rewritten(move, {}, one);
      const auto has = [&](const Notation& other) { return is_among(legal, text, other); };
      const auto count = static_cast<std::size_t>(std::ranges::count_if(points_, has));
      if (count < fewest) best = move;
      fewest = std::min(fewest, count);
      const auto means_this = [&](const Notation& other) {
        return games::rewritten(text, other, {}) == move;
      };
      if (common.empty() && std::ranges::all_of(points_, means_this)) common = move;
      if (fewest == 1 && points_.size() > 1) break;
    }
    if (!best.empty()) {
      question.text = clients::to_program(best, one, styles_[style_]);
      return question;
    }
    if (common.empty()) return std::nullopt;
    question.line.push_back(common);
    position->play(common);
  }
  return std::nullopt;
}

std::optional<NotationQuestion> NotationCandidates::next_question(const AnyGame& initial) {
  for (const Notation& one : points_) {
    auto question = question_for(one, initial);
    if (question && asked_.insert(*question).second) return question;
  }
  if (taken_points_ > 0) return std::nullopt;
  NotationQuestion any{{},
                       to_program(initial.legal_moves().front())};  // whether it takes the style
  return asked_.insert(any).second ? std::optional(any) : std::nullopt;
}

void NotationCandidates::accept(std::string_view text) {
  taken_points_ = std::max(taken_points_, games::points_of(text).size());
}

bool NotationCandidates::refuse(const AnyGame& position, std::string_view text) {
  const std::vector<Notation> before = points_;
  std::erase_if(points_, [&](const Notation& one) {
    return is_legal(position, clients::from_program(text, one));
  });
  if (!points_.empty()) return true;
  points_ = taken_points_ > 0 ? before : all_;
  asked_.clear();
  if (style_ + 1 < styles_.size()) {
    ++style_;
    return true;
  }
  style_ = 0;
  return false;
}

bool NotationCandidates::hear(const AnyGame& position, std::span<const std::string> moves,
                              std::string_view answer) {
  const Notation now = points_.front();
  const auto fits = [&](const Notation& one) {
    return is_legal(position, clients::from_program(answer, one));
  };
  const auto writes_alike = [&](const Notation& one) {
    return std::ranges::all_of(moves, [&](const std::string& move) {
      return clients::to_program(move, one) == clients::to_program(move, now);
    });
  };
  const auto is_out = [&](const Notation& one) {
    return !fits(one) && (one == now || writes_alike(one));
  };
  if (std::ranges::all_of(points_, is_out)) return false;  // an illegal move
  std::erase_if(points_, is_out);
  std::ranges::stable_partition(points_, fits);
  return !writes_alike(points_.front());
}

std::string NotationCandidates::text() const {
  std::string out;
  for (const Notation& one : points_) {
    if (!out.empty()) out += " or ";
    if (one == games::notation_of(Dialect::hexgui, shape_)) {
      out += protocol::dialect_name(Dialect::hexgui);
    } else {
      out += protocol::dialect_name(Dialect::plain);
      if (one.rows_from_top > 0) out += " with row 1 on top";
      if (one.column_i) out += " with column i";
    }
  }
  const MoveStyle& style = styles_[style_];
  if (style.has_capitals) out += ", in capitals";
  if (!style.between.empty()) {
    out += ", d2" + std::string(style.between) + "e3";
    if (style.before_third != style.between) out.append(style.before_third).append("f4");
    out += style.behind_third;
  }
  return out == protocol::dialect_name(Dialect::plain) ? std::string() : out;
}

}  // namespace pitboss::clients
