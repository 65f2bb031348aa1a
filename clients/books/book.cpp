#include "clients/books/book.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "clients/experiments/openings.hpp"
#include "clients/results/document/formatting.hpp"

namespace pitboss::clients {

namespace {

bool has_values(const BookOpening& opening) {
  return std::ranges::any_of(opening.values, [](const auto& value) { return value.has_value(); });
}

std::string words_of(const BookOpening& opening) {
  std::string text = "value";
  for (const auto& value : opening.values) text += value ? format(" %.3f", *value) : " -";
  const OpeningTrial& trial = opening.trial;
  if (trial.rounds == 0) return text;
  return text + format("; rounds %d, won %d, lost %d; games %d, drawn %d", trial.rounds, trial.won,
                       trial.lost, trial.games, trial.drawn);
}

}  // namespace

OpeningTrial& OpeningTrial::operator+=(const OpeningTrial& more) {
  rounds += more.rounds;
  won += more.won;
  lost += more.lost;
  games += more.games;
  drawn += more.drawn;
  return *this;
}

double bias_of(const PositionValues& values) {
  const double share = 1.0 / static_cast<double>(values.size());
  std::optional<double> bias;
  for (const auto& value : values) {
    if (value) bias = std::max(bias.value_or(0), std::abs(*value - share));
  }
  if (!bias) throw std::invalid_argument("no value of the opening is known");
  return *bias;
}

std::vector<BookOpening> openings_of_bias(std::span<const BookOpening> all, double bias,
                                          double tolerance, std::size_t count) {
  const auto distance = [&](const BookOpening& opening) {
    return std::abs(bias_of(opening.values) - bias);
  };
  std::vector<BookOpening> book;
  for (const BookOpening& opening : all) {
    if (has_values(opening) && distance(opening) <= tolerance) book.push_back(opening);
  }
  std::ranges::stable_sort(book, {}, distance);
  book.resize(std::min(book.size(), count));
  return book;
}

std::string book_text(const games::AnyGame& start,
                      const std::vector<std::pair<std::string, std::string>>& facts,
                      std::span<const BookOpening> book) {
  std::string text = book_heading(start);
  for (const auto& [name, words] : facts) text += "# " + name + ": " + words + "\n";
  for (const BookOpening& opening : book) {
    for (const std::string& move : opening.opening.moves) text += move + " ";
    text += "# " + words_of(opening) + "\n";
  }
  return text;
}

}  // namespace pitboss::clients
