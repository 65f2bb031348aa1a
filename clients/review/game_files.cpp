#include "clients/review/game_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "clients/experiments/match.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger_contents.hpp"
#include "games/records/record_file.hpp"
#include "games/text_file.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;

/// A collection of thousands of games.
constexpr std::size_t longest_collection = std::size_t{1} << 30;

class Collector {
 public:
  explicit Collector(const std::string& game) : is_told_(!game.empty()) {
    set_game(usual_, is_told_ ? game : "connect4");
    now_ = usual_.initial_position();
  }

  /// Takes what `place` names; whatever is wrong with it is left out.
  void take(const std::string& place) {
    try {
      if (place.starts_with("postgresql://")) return take_ledger(place);
      if (!fs::is_directory(place)) return take_records(place);
      if (fs::exists(fs::path(place) / "ledger.sqlite")) return take_ledger(place);
      take_folder(place);
    } catch (const UserError& bad) {
      leave_out(place, bad.what());
    } catch (const fs::filesystem_error& bad) {
      leave_out(place, bad.code().message());
    }
  }

  GamesOnFile found() { return std::move(found_); }

 private:
  void leave_out(const std::string& place, const std::string& why) {
    found_.left_out.push_back(place + ": " + why);
  }

  /// Whether this is the first time that a place is named, on whatever path.
  bool is_new(const std::string& place, std::size_t game = 0) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(place, error);
    return taken_.emplace(error ? fs::path(place) : path, game).second;
  }

  /// False if the game is left out.
  bool add(GameOnFile game) {
    const std::string_view name = game.record.start->name();
    if (is_told_ && name != now_->name()) {
      leave_out(game.place, "it records " + std::string(name) + ", not " + usual_.game);
      return false;
    }
    if (game.record.moves.empty()) {
      leave_out(game.place, "it has no move");
      return false;
    }
    const auto last = games::last_position(game.record);
    if (game.result.empty() && last->result().finished()) game.result = games::score_text(*last);
    found_.games.push_back(std::move(game));
    return true;
  }

  void take_records(const std::string& word) {
    const auto [file, number] = games::file_and_game(word);
    std::vector<games::SgfGame> all;
    try {
      all = games::read_records(games::read_text_file(file, longest_collection));
      if (number) static_cast<void>(games::chosen_game(all, number, file));
    } catch (const games::UnreadableFile& bad) {
      found_.left_out.emplace_back(bad.what());  // which names the file
      return;
    } catch (const games::BadRecord& bad) {
      return leave_out(word, bad.what());
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((number && *number != i + 1) || !is_new(file, i + 1)) continue;
      const bool is_alone = number || all.size() == 1;
      take_record(is_alone ? word : file + ":" + std::to_string(i + 1), all[i]);
    }
  }

  void take_record(const std::string& place, const games::SgfGame& game) {
    try {
      if (!is_told_ && !games::names_game(game)) {
        return leave_out(place,
                         "the record does not name its game (RU, or GM other than Go's); "
                         "--game NAME tells it");
      }
      auto read = games::record_from_sgf(game, *now_);
      GameOnFile out{place, std::move(read.game), {}, std::move(read.result)};
      out.players.assign(read.players.begin(), read.players.end());
      out.players.resize(out.record.start->colours().size());
      if (add(std::move(out))) {
        for (const std::string& note : read.notes) found_.notes.push_back(place + ": " + note);
      }
    } catch (const games::BadRecord& bad) {
      leave_out(place, bad.what());
    }
  }

  void take_ledger(const std::string& place) {
    if (!is_new(place)) return;
    const LedgerPlace ledger = existing_place(place);
    const Experiment experiment = read_experiment(ledger);
    const LedgerContents contents = read_contents(Ledger(ledger, experiment), experiment);
    const auto games = contents.games();
    for (std::size_t i = 0; i < games.size(); ++i) {
      const Match& match = contents.results.matches()[i].match();
      const std::string of_match = games.size() == 1 ? "" : " match " + std::to_string(i + 1);
      for (const PlayedGame& game : games[i]) take_played(place + of_match, match, game);
    }
  }

  void take_played(const std::string& place, const Match& match, const PlayedGame& game) {
    GameOnFile out{place + " game " + std::to_string(game.game),
                   {match.initial_position(), {}},
                   game.seats,
                   game.result,
                   game.reason};
    const auto position = out.record.start->clone();
    try {
      for (const std::string& move : split(game.moves)) {
        out.record.moves.push_back(position->play(move));
      }
    } catch (const games::BadGame&) {
      // A game that was lost by an illegal move has the moves before.
    }
    add(std::move(out));
  }

  void take_folder(const fs::path& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
      std::string kind = entry.path().extension().string();
      std::ranges::transform(kind, kind.begin(),
                             [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      constexpr std::array kinds{".sgf", ".ggf", ".psq"};
      if (std::ranges::find(kinds, kind) != kinds.end()) files.push_back(entry.path().string());
    }
    if (files.empty()) {
      return leave_out(folder.string(),
                       "the folder has neither a ledger nor files of SGF, GGF or "
                       "PSQ, which end with .sgf, .ggf or .psq");
    }
    std::ranges::sort(files);
    for (const std::string& file : files) take_records(file);
  }

  bool is_told_;  ///< the game
  Match usual_;
  std::unique_ptr<games::AnyGame> now_;
  std::set<std::pair<fs::path, std::size_t>> taken_;  ///< games of files; 0: a ledger
  GamesOnFile found_;
};

}  // namespace

GamesOnFile games_on_file(const std::vector<std::string>& places, const std::string& game) {
  Collector collector(game);
  for (const std::string& place : places) collector.take(place);
  return collector.found();
}

std::vector<double> shares_in(const games::AnyGame& over) {
  std::vector<double> shares;
  for (int c = 0; c < over.players(); ++c) {
    shares.push_back(over.result().share(static_cast<games::Colour>(c)));
  }
  return shares;
}

}  // namespace pitboss::clients
