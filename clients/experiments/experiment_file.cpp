#include "clients/experiments/experiment_file.hpp"

#include <algorithm>
#include <stdexcept>

#include "clients/experiments/pairings.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/settings.hpp"
#include "clients/experiments/sprt_settings.hpp"
#include "clients/experiments/user_error.hpp"
#include "engine/exact/exact_solver.hpp"
#include "games/letter_case.hpp"
#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace {

/// Calls `read`; a UserError that it throws becomes one about `setting`.
template <class Read>
auto at(const Setting& setting, Read read) {
  try {
    return read();
  } catch (const UserError& e) {
    setting.refuse(e.what());
  }
}

constexpr std::array adjudication_rows{
    setting("resign_moves", &Adjudication::resign_moves, 0, unbounded),
    setting("resign_value", &Adjudication::resign_value, 0, 0.5),
    setting("draw_moves", &Adjudication::draw_moves, 0, unbounded),
    setting("draw_margin", &Adjudication::draw_margin, 0, 0.5),
    setting("draw_from_ply", &Adjudication::draw_from_ply, 0, unbounded),
};

/// Reads an experiment step by step: the games, who plays, who meets whom.
class Reader {
 public:
  Reader(const Setting& file, const std::vector<ServerCapacity>& servers)
      : file_(file), servers_(servers) {}

  /// Leaves players that have no location of their own without one.
  ExperimentFile read_unseated() {
    is_seated_ = false;
    return read();
  }

  ExperimentFile read() {
    if (const Setting* const tune = file_.find("tune")) {
      tune->refuse("this file describes a tuning: pitboss tune --experiment plays it");
    }
    expect_keys({"pairings", "sprt", "published"});
    read_run();
    read_servers();
    read_games();
    read_players();
    read_pairings();
    read_sprt();
    check_all_play();
    expect_table("tune", {"tuned"});
    expect_published();
    return std::move(out_);
  }

  TuningFile read_tuning(const TuningChoice& choice) {
    const Setting* const tune = file_.find("tune");
    if (tune == nullptr) file_.refuse("[tune] is missing, which says what is tuned and how");
    expect_keys({"tune", "pairings"});
    read_run();
    read_servers();
    read_games();
    read_players();
    expect_published();
    const Match game = tuned_game(choice);
    const PlayerSettings& tuned = tuned_player(*tune, choice);
    if (!tuned.plays(game)) tuned.settings().refuse(tuned.name() + " does not play " + game.game);
    check_tuned(parameter_names(tune->at("parameters")));
    Match itself = game;
    itself.players = {tuned.player_at(game), tuned.player_at(game)};
    itself.players[1].name += ending_of_other;
    for (const auto& [first, second] : pairings_of(file_, players_)) {
      if (first != &tuned && second != &tuned) continue;
      const PlayerSettings& other = first == &tuned ? *second : *first;
      if (!other.plays(game)) continue;
      Match match = game;
      match.players = {tuned.player_at(match), other.player_at(match)};
      out_.experiment.matches.push_back(std::move(match));
    }
    return {std::move(out_), std::move(itself), *tune, tuned.settings()};
  }

  LeagueFile read_league() {
    is_league_ = true;
    expect_keys({"pairings", "sprt", "published", "league"});
    read_run();
    read_servers();
    read_games();
    read_players();
    expect_table("tune", {"tuned"});
    expect_published();
    LeagueFile out;
    for (const Game& game : games_) {
      LeagueFile::Game& pool = out.games.emplace_back(LeagueFile::Game{game.match, {}});
      for (const PlayerSettings& player : players_) {
        if (player.plays(game.match)) pool.players.push_back(player.player_at(game.match));
      }
    }
    if (const Setting* const league = file_.find("league")) out.league = *league;
    out.file = std::move(out_);
    return out;
  }

 private:
  void expect_keys(const std::vector<std::string_view>& more) const {
    std::vector<std::string_view> keys{"name",    "game",   "games",  "openings", "adjudication",
                                       "options", "player", "server", "out"};
    add_keys(run_rows, keys);
    add_keys(match_rows, keys);
    keys.insert(keys.end(), more.begin(), more.end());
    file_.expect_keys(keys);
  }

  /// A match-to-be at a game, without players.
  struct Game {
    Match match;
    const Setting* setting;  ///< the setting that names the game
  };

  /// The game that is chosen, or the only one.
  [[nodiscard]] Match tuned_game(const TuningChoice& choice) const {
    if (choice.game.empty()) {
      if (games_.size() == 1) return games_.front().match;
      file_.at("game").refuse("a tuning is for one game: choose it with --game");
    }
    std::vector<std::string_view> known;
    std::vector<const Game*> chosen;
    for (const Game& game : games_) {
      const std::string& text =
          game.setting->is_table() ? game.setting->at("name").text() : game.setting->text();
      if (text == choice.game) return game.match;
      if (is_about(choice.game, game.match)) chosen.push_back(&game);
      known.push_back(text);
    }
    if (chosen.size() == 1) return chosen.front()->match;
    const std::string subject = "--game: \"" + choice.game + "\" is ";
    if (chosen.empty()) {
      throw UserError(subject + "no game of " + file_.file() +
                      games::suggestion(choice.game, known));
    }
    throw UserError(subject + "more than one game of " + file_.file() +
                    "; name it as the file does");
  }

  /// The player that is chosen, or that [tune] names; the first if nobody is named.
  [[nodiscard]] const PlayerSettings& tuned_player(const Setting& tune,
                                                   const TuningChoice& choice) const {
    const Setting* const name = tune.find("player");
    const PlayerSettings* const named =
        name == nullptr ? &players_.front() : player_called(name->text());
    if (named == nullptr) name->refuse("no player is called \"" + name->text() + "\"");
    if (choice.player.empty()) return *named;
    const PlayerSettings* const chosen = player_called(choice.player);
    if (chosen != nullptr) return *chosen;
    std::vector<std::string_view> known;
    for (const PlayerSettings& player : players_) known.push_back(player.name());
    throw UserError("--player: no player of " + file_.file() + " is called \"" + choice.player +
                    "\"" + games::suggestion(choice.player, known));
  }

  [[nodiscard]] const PlayerSettings* player_called(const std::string& name) const {
    const auto found = std::ranges::find(players_, name, &PlayerSettings::name);
    return found == players_.end() ? nullptr : &*found;
  }

  /// The names in [tune.parameters], those in its tables of games included.
  [[nodiscard]] std::vector<std::string_view> parameter_names(const Setting& parameters) const {
    std::vector<std::string_view> names;
    for (const Setting& entry : parameters.table()) {
      if (!is_of_game(entry)) {
        names.push_back(entry.key());
        continue;
      }
      expect_game(entry, entry.key(), matches_);
      for (const Setting& own : entry.table()) names.push_back(own.key());
    }
    return names;
  }

  /// Checks which parameters the players' keys `tuned` list, of all players.
  void check_tuned(const std::vector<std::string_view>& known) const {
    for (const PlayerSettings& player : players_) {
      const Setting* const tuned = player.settings().find("tuned");
      if (tuned == nullptr) continue;
      std::vector<std::string> listed;
      for (const std::string& name : tuned->texts()) {
        const auto is_name = [&](std::string_view other) {
          return games::same_ignoring_case(other, name);
        };
        if (std::ranges::none_of(known, is_name)) {
          tuned->refuse("\"" + name + "\" is no parameter in [tune.parameters]" +
                        games::suggestion(name, known));
        }
        if (std::ranges::any_of(listed, is_name)) tuned->refuse("\"" + name + "\" is listed twice");
        listed.push_back(name);
      }
      if (listed.empty()) tuned->refuse("expected at least one parameter");
    }
  }

  void read_run() {
    const std::filesystem::path path(file_.file());
    const Setting* const name = file_.find("name");
    out_.experiment.name = name != nullptr ? name->text() : path.stem().string();
    if (name != nullptr) at(*name, [&] { check_name(name->text()); });
    read_rows(file_, run_rows, out_);
    if (const auto* s = file_.find("out")) {
      if (s->text().empty()) s->refuse("expected the name of a folder");
      out_.folder = s->path();
    }
  }

  /// Refuses players' keys that mean nothing without a table of the file.
  void expect_table(const std::string& name, const std::vector<std::string_view>& keys) const {
    if (file_.find(name) != nullptr) return;
    for (const PlayerSettings& player : players_) {
      for (const std::string_view key : keys) {
        const Setting* const s = player.settings().find(key);
        if (s != nullptr) s->refuse("belongs to a table [" + name + "], and this file has none");
      }
    }
  }

  /// What a paper has published is for clients/python/pitboss/papers.
  void expect_published() const {
    expect_table("published", {"published", "against", "control", "point"});
  }

  void read_servers() {
    if (!servers_.empty() || !is_seated_) return;
    for (const Setting& server : file_.list_at("server")) {
      server.expect_keys({"address", "concurrency", "token_file", "ca_file"});
      const Setting& address = server.at("address");
      ServerCapacity capacity{at(address, [&] { return parse_address(address.text()); })};
      std::get<Address>(capacity.location).access = access_of(server);
      if (const auto* s = server.find("concurrency")) capacity.games = s->count(1, 1000);
      if (std::ranges::find(servers_, capacity.location, &ServerCapacity::location) !=
          servers_.end()) {
        address.refuse("this server is listed twice");
      }
      servers_.push_back(capacity);
    }
  }

  [[nodiscard]] Access access_of(const Setting& server) const {
    const auto path_at = [&](std::string_view key) -> std::filesystem::path {
      const Setting* const setting = server.find(key);
      if (setting == nullptr) return {};
      return std::filesystem::path(file_.file()).parent_path() / setting->path();
    };
    return at(server, [&] { return read_access(path_at("token_file"), path_at("ca_file")); });
  }

  void read_games() {
    const Setting& games = file_.at("game");
    if (!games.is_list()) {
      add_game(games);
    } else {
      for (const Setting& game : games.list()) add_game(game);
    }
    if (games_.empty()) games.refuse("no game is listed");
    for (const Game& game : games_) matches_.push_back(game.match);
  }

  void add_game(const Setting& setting) {
    Game game{{}, &setting};
    if (setting.is_table()) {
      setting.expect_keys({"name", "games", "openings", "max_plies", "move_timeout", "time_margin",
                           "adjudication"});
    } else if (!setting.is_text()) {
      setting.refuse("expected a game's name in quotes, or a table with one");
    }
    const Setting& name = setting.is_table() ? setting.at("name") : setting;
    at(name, [&] { set_game(game.match, name.text()); });
    const auto is_same = [&](const Game& other) { return same_rules(other.match, game.match); };
    if (std::ranges::any_of(games_, is_same)) name.refuse("this game is listed twice");
    read_match(game.match, setting);
    games_.push_back(std::move(game));
  }

  /// Reads the settings that a game may override (`own`) and the file gives for all games.
  void read_match(Match& match, const Setting& own) {
    const auto find = [&](std::string_view key) {
      const Setting* const found = own.is_table() ? own.find(key) : nullptr;
      return found != nullptr ? found : file_.find(key);
    };
    for (const auto& row : match_rows) {
      if (const Setting* const s = find(row.key)) read_row(*s, row, match);
    }
    const Setting* const games = find("games");
    if (games == nullptr && !is_league_) {
      file_.refuse("\"games\" is missing, the number of games of a pairing");
    }
    match.games = games == nullptr ? 0 : games->count(1);
    if (match.games % match.round() != 0) {
      games->refuse("must be a multiple of " + std::to_string(match.round()) + " for " +
                    match.game + ": each opening is played with every seating of the two players");
    }
    if (const auto* s = find("adjudication")) match.adjudication = adjudication(*s, match);
    if (const auto* s = find("openings")) match.openings = openings(*s, match);
    const Setting& blamed = find("openings") != nullptr ? *find("openings") : own;
    const std::size_t plies = at(blamed, [&] { return opening_of(match, 0).size(); });
    if (match.max_plies > 0 && plies >= static_cast<std::size_t>(match.max_plies)) {
      find("max_plies")
          ->refuse("must be above the " + std::to_string(plies) + " plies of the opening");
    }
  }

  [[nodiscard]] Openings openings(const Setting& setting, const Match& match) const {
    const auto start = match.initial_position();
    const auto folder = std::filesystem::path(file_.file()).parent_path();
    return at(setting, [&] {
      return setting.is_list() ? listed_openings(setting.texts(), *start)
                               : parse_openings(setting.text(), *start, folder);
    });
  }

  static Adjudication adjudication(const Setting& setting, const Match& match) {
    Adjudication out;
    if (setting.is_text() ? setting.text() != "exact" : !setting.is_table()) {
      setting.refuse("expected \"exact\" or a table");
    }
    if (setting.is_text()) {
      out.exact = true;
    } else {
      std::vector<std::string_view> keys{"exact"};
      add_keys(adjudication_rows, keys);
      setting.expect_keys(keys);
      read_rows(setting, adjudication_rows, out);
      if (const Setting* const s = setting.find("exact")) out.exact = s->flag();
    }
    if (const auto start = games::make_game(match.game);
        out.exact && !engine::expected_positions(*start)) {
      setting.refuse(engine::why_unsolved(*start));
    }
    for (const char* const key : {"resign_value", "draw_margin"}) {
      const Setting* const s = setting.is_table() ? setting.find(key) : nullptr;
      if (s != nullptr && s->number(0, 0.5) == 0.5) s->refuse("must be less than 0.5");
    }
    if (out.is_on() && match.colours.size() > 2) {
      setting.refuse("adjudication is for games of two colours; " + match.game + " has " +
                     std::to_string(match.colours.size()));
    }
    return out;
  }

  void read_players() {
    const Setting* const common = file_.find("options");
    const Setting& list = file_.at("player");
    for (const Setting& setting : list.list()) {
      PlayerSettings player(setting, common, matches_);
      if (std::ranges::find(players_, player.name(), &PlayerSettings::name) != players_.end()) {
        setting.at("name").refuse("two players are called \"" + player.name() + "\"");
      }
      players_.push_back(std::move(player));
    }
    const bool may_be_one = is_league_ || file_.find("tune") != nullptr;  // perhaps in self-play
    if (players_.size() < (may_be_one ? 1 : 2)) {
      list.refuse(may_be_one ? "expected a player" : "expected two players or more");
    }
    if (common != nullptr) {
      check_tables(*common, matches_);
      if (std::ranges::none_of(players_, &PlayerSettings::is_ours)) {
        common->refuse("these options are for players that speak \"pitboss\", and no player does");
      }
    }
    if (is_seated_) seat_players();
  }

  /// Players without a location of their own take the servers in turn.
  void seat_players() {
    std::size_t next = 0;
    for (PlayerSettings& player : players_) {
      if (!player.has_location()) {
        if (servers_.empty()) {
          player.settings().refuse(player.name() +
                                   " has no server and no program, and no server is given");
        }
        player.set_location(servers_[next++ % servers_.size()].location);
      } else if (const auto listed =
                     std::ranges::find(servers_, player.location(), &ServerCapacity::location);
                 listed != servers_.end()) {
        player.set_location(listed->location);  // takes the server's access, too
      }
      add_location(player);
    }
    for (const ServerCapacity& server : servers_) {
      const auto sits_there = [&](const auto& player) {
        return player.location() == server.location;
      };
      if (std::ranges::none_of(players_, sits_there)) {
        file_.refuse("no player is at the server " + text_of(server.location));
      }
    }
  }

  void add_location(const PlayerSettings& player) {
    const auto same = [&](const ServerCapacity& other) {
      return other.location == player.location();
    };
    const auto seen = std::ranges::find_if(out_.servers, same);
    if (seen != out_.servers.end()) {
      if (player.concurrency() > 0) seen->games = player.concurrency();
      return;
    }
    const auto known = std::ranges::find_if(servers_, same);
    const int games = known != servers_.end() ? known->games : player.concurrency();
    out_.servers.push_back({player.location(), games});
  }

  void read_pairings() {
    for (const Pairing& pair : pairings_of(file_, players_)) {
      for (const Game& game : games_) {
        if (!pair.first->plays(game.match) || !pair.second->plays(game.match)) continue;
        Match match = game.match;
        match.players = {pair.first->player_at(match), pair.second->player_at(match)};
        out_.experiment.matches.push_back(std::move(match));
        if (out_.experiment.matches.size() > most_matches) {
          file_.refuse("more than " + std::to_string(most_matches) + " matches");
        }
      }
    }
    // Sorts by game; pairings stay in their order.
    const auto place = [&](const Match& match) {
      return std::ranges::find_if(games_,
                                  [&](const Game& game) { return same_rules(game.match, match); });
    };
    std::ranges::stable_sort(out_.experiment.matches, {}, place);
  }

  void read_sprt() {
    const Setting* const setting = file_.find("sprt");
    if (setting == nullptr) return;
    const SprtPlan plan = sprt_of(*setting);
    try {
      for (const Match& match : matches_) check(plan, match.round());
    } catch (const std::invalid_argument& e) {
      setting->refuse(e.what());
    }
    out_.experiment.sprt = plan;
  }

  void check_all_play() {
    for (const PlayerSettings& player : players_) {
      const auto plays = [&](const Match& match) {
        return match.players[0].name == player.name() || match.players[1].name == player.name();
      };
      if (std::ranges::none_of(out_.experiment.matches, plays)) {
        player.settings().refuse(player.name() + " plays against nobody");
      }
    }
  }

  const Setting& file_;
  std::vector<ServerCapacity> servers_;
  bool is_seated_ = true;
  bool is_league_ = false;
  std::vector<Game> games_;
  std::vector<Match> matches_;  ///< the matches of `games_`
  std::vector<PlayerSettings> players_;
  ExperimentFile out_;
};

}  // namespace

ExperimentFile read_experiment_file(const std::filesystem::path& path) {
  return experiment_file_of(read_settings(path));
}

ExperimentFile experiment_file_of(const Setting& settings,
                                  const std::vector<ServerCapacity>& servers) {
  return Reader(settings, servers).read();
}

ExperimentFile read_unseated_experiment(const std::filesystem::path& path) {
  return Reader(read_settings(path), {}).read_unseated();
}

TuningFile read_tuning_file(const std::filesystem::path& path, const TuningChoice& choice) {
  const Setting file = read_settings(path);
  return Reader(file, {}).read_tuning(choice);
}

LeagueFile read_league_file(const std::filesystem::path& path) {
  const Setting file = read_settings(path);
  return Reader(file, {}).read_league();
}

ExperimentFile parse_experiment(std::string_view text, const std::string& name) {
  return experiment_file_of(parse_settings(text, name));
}

}  // namespace pitboss::clients
