#include "clients/results/serve/web_answers.hpp"

#include <algorithm>
#include <array>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cctype>
#include <charconv>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/match_tables.hpp"
#include "clients/results/serve/page_files.hpp"
#include "engine/sha256.hpp"

namespace pitboss::clients {

namespace http = boost::beast::http;
using nlohmann::ordered_json;
using protocol::header;
using protocol::knows;
using protocol::refusal;
using protocol::tagged_answer;
using std::chrono::steady_clock;

namespace {

constexpr std::string_view json_type = "application/json; charset=utf-8";
constexpr std::string_view csv_type = "text/csv; charset=utf-8";
constexpr std::string_view markdown_type = "text/markdown; charset=utf-8";
constexpr std::string_view prefix = "/experiments/";

/// The text of a part of an address; nothing if it is badly written.
std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned char byte = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

protocol::HttpAnswer not_found(const std::string& what) {
  return refusal(http::status::not_found, "there is no " + what);
}

ordered_json seconds_json(std::int64_t seconds) {
  return seconds != 0 ? ordered_json(seconds) : ordered_json();
}

template <class Of>
Cell cell_if(const std::optional<Of>& value) {
  return value ? Cell(*value) : Cell();
}

const std::vector<Quantity<Shown>> list_quantities = {
    {{"name", "name"},
     [](auto& s) { return Cell(s.outline.name).leading_to(page_address(s.outline.name)); }},
    {{"kind", "kind"}, [](auto& s) { return s.outline.kind; }},
    {{"title"}, [](auto& s) { return s.outline.title; }},
    {{"game", "game"}, [](auto& s) { return s.outline.game; }},
    {{"state", "state"},
     [](auto& s) {
       Cell out(s.outline.state);
       if (s.stale_since != 0) out.words = s.outline.state + ", stale";
       out.is_strong = s.is_running();
       return std::move(out).alarming(s.outline.state == "unreadable");
     }},
    {{"done", "done"},
     [](auto& s) {
       Cell out = cell_if(s.outline.done);
       if (s.outline.done) {
         out.words = format("%d of %d ", *s.outline.done, s.outline.of) + s.outline.unit;
       }
       return out;
     }},
    {{"of"}, [](auto& s) { return s.outline.done ? Cell(s.outline.of) : Cell(); }},
    {{"unit"}, [](auto& s) { return s.outline.done ? Cell(s.outline.unit) : Cell(); }},
    {{"games_a_minute", "a minute", Form::number, 1},
     [](auto& s) {
       return s.outline.games_a_minute ? speed_cell(*s.outline.games_a_minute) : Cell();
     }},
    {{"seconds_left", "time left"},
     [](auto& s) {
       if (!s.outline.seconds_left) return Cell(s.outline.seconds_left);
       return Cell(s.outline.seconds_left)
           .with_words("about " + duration_text(*s.outline.seconds_left));
     }},
    {{"failures", "failures"},
     [](auto& s) {
       return cell_if(s.outline.failures).alarming(s.outline.failures.value_or(0) > 0);
     }},
    {{"last", "last sign of life", Form::time}, [](auto& s) { return s.outline.last; }},
    {{"words"}, [](auto& s) { return s.outline.words; }},
    {{"stale_since"},
     [](auto& s) {
       return s.stale_since != 0 ? Cell(s.stale_since) : Cell(std::optional<double>());
     }},
    {{"why", "about it"}, [](auto& s) {
       return Cell(s.why)
           .with_words(s.why.empty() ? s.outline.words : s.why)
           .alarming(!s.why.empty());
     }}};

DataTable list_table(const ShownCatalogue& all) {
  std::vector<std::reference_wrapper<const Shown>> entries;
  for (const auto& one : all.entries) entries.emplace_back(*one);
  return table_of("experiments", list_quantities, entries);
}

/// The row of the list, and since when and why what is known of it is not what is so now.
ordered_json head_of(const Shown& shown, const ShownCatalogue& all) {
  ordered_json out = rows_of(table_of("", list_quantities, std::array{std::cref(shown)})).front();
  out["version"] = 1;
  out["stale_since"] = seconds_json(all.stale_since != 0 ? all.stale_since : shown.stale_since);
  out["why"] = all.why.empty() ? shown.why : all.why;
  return out;
}

ordered_json parts_of(const std::vector<Section>& sections) {
  ordered_json out = ordered_json::array();
  for (const Section& section : sections) {
    out.push_back({{"title", section.title}, {"html", html_of(section).str()}});
  }
  return out;
}

/// Everything, but the games.
std::string all_json(const Shown& shown, const ShownCatalogue& all) {
  ordered_json out = head_of(shown, all);
  out.update(json_of(shown.document));
  return text_of(out);
}

/// What the page shows.
std::string page_json(const Shown& shown, const ShownCatalogue& all, bool may_pause) {
  ordered_json out = head_of(shown, all);
  out["may_pause"] = may_pause && shown.has_referees;
  out["tables"] = ordered_json::array();
  for (const auto& [name, rows] : tables_of(shown.document)) out["tables"].push_back(name);
  out["has_games"] = shown.has_referees;
  out["parts"] = parts_of(shown.document.sections);
  return text_of(out);
}

/// What the page shows of the list.
std::string list_page_json(const ShownCatalogue& all) {
  return text_of({{"version", 1},
                  {"title", "Experiments"},
                  {"stale_since", seconds_json(all.stale_since)},
                  {"why", all.why},
                  {"parts", parts_of({{"", {list_table(all)}}})}});
}

/// "MATCH-GAME", both from 1, as in the page's own addresses.
std::optional<std::pair<int, int>> game_in(std::string_view text) {
  int match = 0;
  int game = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, match);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, game);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  if (match < 1 || game < 1) return std::nullopt;
  return std::pair(match, game);
}

/// Does not tell by its time where the texts differ.
bool are_equal(std::string_view a, std::string_view b) {
  const std::string one = engine::sha256(std::string(a));
  const std::string other = engine::sha256(std::string(b));
  unsigned char difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    difference |= static_cast<unsigned char>(one[i] ^ other[i]);
  }
  return difference == 0;
}

}  // namespace

WebAnswers::WebAnswers(Watch& watch, protocol::WebAddress address, std::string token)
    : watch_(watch),
      address_(std::move(address)),
      token_(std::move(token)),
      run_(boost::uuids::to_string(boost::uuids::random_generator()()).substr(0, 8)) {}

std::string WebAnswers::tag(const std::string& version) const {
  return "\"" + run_ + "-" + version + "\"";
}

WebAnswers::Answer WebAnswers::operator()(const Request& request, const std::string& host) {
  if (!protocol::is_own_host(address_, header(request, http::field::host))) {
    return refusal(http::status::misdirected_request,
                   "this server does not know the name by which it was asked (header Host); "
                   "pitboss report --listen NAME:PORT or --origin https://NAME gives it a name");
  }
  const std::string_view target = protocol::view(request.target());
  const std::string_view path = target.substr(0, target.find('?'));
  try {
    if (request.method() == http::verb::post) return obey(request, path, host);
    if (request.method() == http::verb::get || request.method() == http::verb::head) {
      return read(request, path);
    }
  } catch (const std::exception& failure) {
    return refusal(http::status::internal_server_error, failure.what());
  }
  auto answer = refusal(http::status::method_not_allowed, "pages are for GET and HEAD");
  answer.set(http::field::allow, "GET, HEAD, POST");
  return answer;
}

WebAnswers::Answer WebAnswers::read(const Request& request, std::string_view path) {
  for (const protocol::WebFile& file : page_files()) {
    if (file.path == path) return protocol::file_answer(request, file);
  }
  for (const std::string_view page : {"/experiments.json", "/experiments.csv", "/page.json"}) {
    if (path == page) return list(request, path);
  }
  const std::string_view rest = path.substr(std::min(path.size(), prefix.size()));
  const std::size_t slash = rest.find('/');
  if (!path.starts_with(prefix) || slash == std::string_view::npos) return not_found("such page");
  const auto name = decoded(rest.substr(0, slash));
  const auto shown = name ? watch_.shown(*name) : nullptr;
  if (!shown) return not_found("experiment of this name");
  return part_of(request, *shown, rest.substr(slash + 1));
}

WebAnswers::Answer WebAnswers::list(const Request& request, std::string_view path) {
  const auto all = watch_.shown();
  const std::string version = tag("list-" + std::to_string(all->revision));
  if (path.ends_with("csv")) {
    return tagged_answer(request, csv_type, version, csv_of(rows_of(list_table(*all))));
  }
  if (knows(request, version)) return tagged_answer(request, json_type, version, "");
  if (path == "/page.json") {
    return tagged_answer(request, json_type, version, list_page_json(*all));
  }
  return tagged_answer(request, json_type, version,
                       text_of({{"version", 1},
                                {"stale_since", seconds_json(all->stale_since)},
                                {"why", all->why},
                                {"experiments", rows_of(list_table(*all))}}));
}

WebAnswers::Answer WebAnswers::part_of(const Request& request, const Shown& shown,
                                       std::string_view part) {
  const auto all = watch_.shown();
  const std::string version =
      tag(std::to_string(shown.revision) + "-" + std::to_string(all->stale_since) + "-" +
          engine::sha256(all->why).substr(0, 8));
  const auto answer = [&](std::string_view type, const std::string& text) {
    return tagged_answer(request, type, version, text);
  };
  if (part == "page.json") {  // which is asked for again and again
    return answer(json_type,
                  knows(request, version) ? "" : page_json(shown, *all, !token_.empty()));
  }
  if (part == "all.json") return answer(json_type, all_json(shown, *all));
  if (part == "report.md") return answer(markdown_type, markdown_text(shown.document));
  if (part.starts_with("replay/") && part.ends_with(".json")) {
    const auto game = game_in(part.substr(7, part.size() - 12));
    if (!game) return not_found("such game");
    if (knows(request, version)) return answer(json_type, "");
    const std::string text = shown.games->replayed_game(game->first - 1, game->second);
    return text.empty() ? not_found("such game") : answer(json_type, text);
  }
  return table_of(request, shown, part, version);
}

WebAnswers::Answer WebAnswers::table_of(const Request& request, const Shown& shown,
                                        std::string_view part, const std::string& version) {
  const auto answer = [&](std::string_view type, const std::string& text) {
    return tagged_answer(request, type, version, text);
  };
  const std::size_t dot = part.rfind('.');
  const std::string table(part.substr(0, dot));
  const std::string_view form = part.substr(std::min(part.size(), table.size()));
  if (form != ".json" && form != ".csv") return not_found("such page");
  const bool is_csv = form == ".csv";
  if (table == "games" || (table == "replay" && !is_csv)) {
    if (knows(request, version)) return answer(json_type, "");
    const std::string text = table == "replay" ? shown.games->games_to_replay()
                             : is_csv          ? shown.games->games_csv()
                                               : shown.games->games_json();
    return text.empty() ? not_found("such table") : answer(is_csv ? csv_type : json_type, text);
  }
  const auto tables = tables_of(shown.document);
  const auto found = tables.find(table);
  if (found == tables.end()) return not_found("such table");
  return answer(is_csv ? csv_type : json_type,
                is_csv ? csv_of(found->second) : text_of(found->second));
}

std::chrono::seconds WebAnswers::delay_of(const Request& request, const std::string& host) {
  if (request.method() != http::verb::post) return {};
  const std::scoped_lock lock(mutex_);
  return guesses_.are_many(host, steady_clock::now()) ? protocol::Guesses::delay
                                                      : std::chrono::seconds(0);
}

bool WebAnswers::takes_long(const Request& request) {
  const std::string_view path = protocol::view(request.target());
  if (!path.starts_with(prefix)) return false;
  const std::string_view part = path.substr(std::min(path.find('/', prefix.size()), path.size()));
  return part.starts_with("/games.") || part.starts_with("/replay");
}

std::optional<WebAnswers::Answer> WebAnswers::refusal_of(const Request& request,
                                                         const std::string& host) {
  if (are_equal(header(request, http::field::authorization), "Bearer " + token_)) {
    return std::nullopt;
  }
  const std::scoped_lock lock(mutex_);
  guesses_.note(host, steady_clock::now());
  return refusal(http::status::unauthorized, "wrong token");
}

WebAnswers::Answer WebAnswers::obey(const Request& request, std::string_view path,
                                    const std::string& host) {
  const std::string_view rest = path.substr(std::min(path.size(), prefix.size()));
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view verb = rest.substr(std::min(slash + 1, rest.size()));
  if (!path.starts_with(prefix) || (verb != "stop" && verb != "resume")) {
    return not_found("such command");
  }
  if (token_.empty()) {
    return refusal(http::status::forbidden,
                   "nobody may stop experiments here; pitboss report --token-file allows it");
  }
  if (request.count(http::field::origin) > 0 &&
      !protocol::is_own_origin(address_, header(request, http::field::origin),
                               header(request, http::field::host))) {
    return refusal(
        http::status::forbidden,
        "a page of another address may not use this server; pitboss report --origin ORIGIN "
        "allows it");
  }
  if (auto refused = refusal_of(request, host)) return *std::move(refused);
  const auto name = decoded(rest.substr(0, slash));
  const auto shown = name ? watch_.shown(*name) : nullptr;
  if (!shown) return not_found("experiment of this name");
  if (!shown->has_referees) {
    return refusal(http::status::conflict,
                   "only the referees of an experiment can be told to wait");
  }
  watch_.set_paused(*name, verb == "stop");
  return refusal(http::status::accepted,
                 verb == "stop" ? "its referees finish what they play" : "its referees go on");
}

}  // namespace pitboss::clients
