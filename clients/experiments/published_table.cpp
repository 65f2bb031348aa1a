#include "clients/experiments/published_table.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace pitboss::clients {

namespace {

constexpr std::array<std::string_view, 4> keys_of_players{"published", "against", "control",
                                                          "point"};
constexpr std::array wordings{Wording::better, Wording::not_better, Wording::even, Wording::worse};
constexpr double percent = 100;

/// The value for the match's game of a setting that may be a table by game; null if there is none.
const Setting* value_at(const Setting& setting, const Match& match) {
  if (!setting.is_table()) return &setting;
  const Setting* found = nullptr;
  for (const Setting& entry : setting.table()) {
    if (!is_about(entry.key(), match)) continue;
    if (found == nullptr || found->key() == match.game) found = &entry;
  }
  return found;
}

/// The matches of the controls that `setting` names, as the first players, which differ from
/// `match` in nothing else.
std::vector<std::size_t> controls_of(const Setting& setting, const PlayerSettings& player,
                                     const Match& match, const std::vector<Match>& matches) {
  std::vector<std::size_t> controls;
  for (const std::string& name : setting.texts()) {
    const auto found = std::ranges::find_if(matches, [&](const Match& other) {
      return same_rules(other, match) && other.players[0].name == name &&
             other.players[1].name == match.players[1].name;
    });
    if (found == matches.end() || name == player.name()) {
      setting.refuse("no other player \"" + name + "\" meets " + match.players[1].name + " at " +
                     match.game);
    }
    const auto control = static_cast<std::size_t>(found - matches.begin());
    if (std::ranges::find(controls, control) != controls.end()) {
      setting.refuse("the control \"" + name + "\" is named twice");
    }
    controls.push_back(control);
  }
  if (controls.empty()) setting.refuse("no control is listed");
  return controls;
}

PublishedScore score_of(const Setting& setting) {
  if (!setting.is_text()) return setting.number(0, percent) / percent;
  const auto* const found = std::ranges::find_if(
      wordings, [&](Wording wording) { return name_of(wording) == setting.text(); });
  if (found == wordings.end()) {
    setting.refuse(R"(expected per cent, "better", "not better", "even" or "worse")");
  }
  return *found;
}

/// Whether what the player says of a paper is about this match of its own.
bool is_about_opponent(const PlayerSettings& player, const Match& match) {
  const Setting* const opponents = player.settings().find("against");
  const Setting* const opponent = opponents != nullptr ? value_at(*opponents, match) : nullptr;
  return opponent == nullptr || opponent->text() == match.players[1].name;
}

PublishedTable::Cell cell_of(const PlayerSettings& player, const Match& match,
                             const std::vector<Match>& matches) {
  PublishedTable::Cell cell;
  if (!is_about_opponent(player, match)) return cell;
  if (const Setting* const scores = player.settings().find("published")) {
    const Setting* const score = value_at(*scores, match);
    if (score != nullptr) cell.score = score_of(*score);
  }
  if (const Setting* const controls = player.settings().find("control")) {
    const Setting* const control = value_at(*controls, match);
    if (control != nullptr) cell.controls = controls_of(*control, player, match, matches);
  }
  if (const Setting* const point = player.settings().find("point")) {
    constexpr double highest = 1e9;
    point->expect_keys({"series", "x"});
    cell.point = {point->at("series").text(), point->at("x").number(0, highest)};
  }
  return cell;
}

/// The matches of the player, as the first.
std::vector<Match> own_matches(const PlayerSettings& player, const std::vector<Match>& matches) {
  std::vector<Match> own;
  for (const Match& match : matches) {
    if (match.players[0].name == player.name()) own.push_back(match);
  }
  return own;
}

/// Refuses an opponent that the player does not meet, as the first.
void check_opponents(const PlayerSettings& player, const std::vector<Match>& matches) {
  const Setting* const opponents = player.settings().find("against");
  if (opponents == nullptr) return;
  const std::vector<Match> own = own_matches(player, matches);
  const auto check = [&](const Setting& opponent, const auto& is_meant) {
    if (std::ranges::none_of(own, [&](const Match& match) {
          return is_meant(match) && match.players[1].name == opponent.text();
        })) {
      opponent.refuse(opponent.text() + " is no opponent of " + player.name() + ", as the first" +
                      (opponents->is_table() ? ", at " + opponent.key() : ""));
    }
  };
  if (!opponents->is_table()) {
    check(*opponents, [](const Match&) { return true; });
    return;
  }
  for (const Setting& entry : opponents->table()) {
    expect_game(entry, entry.key(), own);
    check(entry, [&](const Match& match) { return is_about(entry.key(), match); });
  }
}

/// Refuses two scores at one place of a figure.
void check_points(const Setting& table, const std::vector<PublishedTable::Cell>& cells) {
  std::set<std::pair<std::string, double>> places;
  for (const PublishedTable::Cell& cell : cells) {
    if (!cell.point) continue;
    if (!places.emplace(cell.point->series, cell.point->x).second) {
      table.refuse("the figure has two scores of the series \"" + cell.point->series +
                   "\" at the same x");
    }
  }
}

/// Refuses keys that no match of the player, as the first, is about, or more than one.
void check_player(const PlayerSettings& player, const std::vector<Match>& matches) {
  check_opponents(player, matches);
  std::vector<Match> own = own_matches(player, matches);
  std::erase_if(own, [&](const Match& match) { return !is_about_opponent(player, match); });
  for (const std::string_view key : keys_of_players) {
    const Setting* const setting = player.settings().find(key);
    if (setting == nullptr) continue;
    if (own.empty()) setting->refuse(player.name() + " is the first player of no match");
    for (std::size_t i = 1; i < own.size(); ++i) {
      if (same_rules(own[i - 1], own[i])) {
        const bool has_opponent = player.settings().find("against") != nullptr;
        setting->refuse(player.name() + " has more than one opponent at " + own[i].game +
                        (has_opponent ? R"(, and its key "against" names none there)"
                                      : R"(, and no key "against")"));
      }
    }
    if (setting->is_table() && key != "point" && key != "against") {
      for (const Setting& entry : setting->table()) expect_game(entry, entry.key(), own);
    }
  }
}

}  // namespace

std::string_view name_of(Wording wording) {
  switch (wording) {
    case Wording::better:
      return "better";
    case Wording::not_better:
      return "not better";
    case Wording::even:
      return "even";
    case Wording::worse:
      break;
  }
  return "worse";
}

PublishedTable published_table_of(const Setting& table, const std::vector<PlayerSettings>& players,
                                  const std::vector<Match>& matches) {
  table.expect_keys({"title", "about", "games", "options", "question", "x_axis"});
  PublishedTable out;
  out.title = table.at("title").text();
  if (const auto* s = table.find("about")) out.about = s->text();
  if (const auto* s = table.find("question")) out.question = s->text();
  if (const auto* s = table.find("x_axis")) out.x_axis = s->text();
  if (const auto* s = table.find("options")) {
    if (s->text() != "paper" && s->text() != "other") s->refuse(R"(expected "paper" or "other")");
    out.has_paper_options = s->text() == "paper";
  }
  for (const PlayerSettings& player : players) check_player(player, matches);
  for (const Match& match : matches) {
    const auto player = std::ranges::find(players, match.players[0].name, &PlayerSettings::name);
    out.cells.push_back(cell_of(*player, match, matches));
  }
  const auto has_control = [](const PublishedTable::Cell& cell) { return !cell.controls.empty(); };
  if (std::ranges::any_of(out.cells, has_control) && out.question.empty()) {
    table.refuse("question is missing, which players are compared with controls for");
  }
  const auto has_point = [](const PublishedTable::Cell& cell) { return cell.point.has_value(); };
  if (std::ranges::any_of(out.cells, has_point) == out.x_axis.empty()) {
    table.refuse("x_axis and players with a point go together: one needs the other");
  }
  const auto is_published = [](const PublishedTable::Cell& cell) { return cell.score.has_value(); };
  if (std::ranges::none_of(out.cells, is_published) &&
      std::ranges::none_of(out.cells, has_control)) {
    table.refuse("no player has a published score or a control");
  }
  const auto has_number = [](const PublishedTable::Cell& cell) {
    return cell.score && std::holds_alternative<double>(*cell.score);
  };
  const bool are_games_asked = std::ranges::any_of(out.cells, has_number);
  if (are_games_asked || table.find("games") != nullptr) out.games = table.at("games").count(1);
  check_points(table, out.cells);
  return out;
}

void expect_unpublished(const std::vector<PlayerSettings>& players) {
  for (const PlayerSettings& player : players) {
    for (const std::string_view key : keys_of_players) {
      const Setting* const setting = player.settings().find(key);
      if (setting != nullptr) {
        setting->refuse("belongs to a table [published], and this file has none");
      }
    }
  }
}

}  // namespace pitboss::clients
