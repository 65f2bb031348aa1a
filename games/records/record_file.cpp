#include "games/records/record_file.hpp"

#include "games/records/character_set.hpp"
#include "games/records/ggf.hpp"
#include "games/records/psq.hpp"

namespace pitboss::games {

std::vector<SgfGame> read_records(std::string_view bytes) {
  const std::string text = utf8_of(bytes);
  std::vector<SgfGame> games;
  if (is_psq(text)) {
    games.push_back(read_psq(text));
    return games;
  }
  games = read_sgf(text);
  for (SgfGame& game : games) {
    if (is_ggf(game)) game = sgf_of_ggf(game);
  }
  return games;
}

bool begins_like_record(std::string_view bytes) {
  const std::string text = utf8_of(bytes);
  const auto begin = text.find_first_not_of(" \t\r\n");
  return is_psq(text) || (begin != std::string::npos && text[begin] == '(');
}

FileAndGame file_and_game(const std::string& word) {
  const auto mark = word.rfind(':');
  if (mark == std::string::npos) return {word, std::nullopt};
  const std::string digits = word.substr(mark + 1);
  constexpr std::size_t most_digits = 6;
  const bool is_number = !digits.empty() && digits.size() <= most_digits &&
                         digits.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number) return {word, std::nullopt};
  return {word.substr(0, mark), std::stoul(digits)};
}

const SgfGame& chosen_game(const std::vector<SgfGame>& games, std::optional<std::size_t> number,
                           const std::string& file) {
  const std::string holder = file.empty() ? "the text" : "'" + file + "'";
  const std::string prefix = file.empty() ? "" : file + ":";
  const std::string count = std::to_string(games.size());
  if (!number && games.size() > 1) {
    throw BadRecord(holder + " holds " + count + " games; choose one, from " + prefix + "1 to " +
                    prefix + count);
  }
  if (number && (*number < 1 || *number > games.size())) {
    throw BadRecord(holder + " holds " + count + (games.size() == 1 ? " game" : " games") +
                    ", there is no game " + std::to_string(*number));
  }
  return games[number.value_or(1) - 1];
}

}  // namespace pitboss::games
