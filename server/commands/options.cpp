#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/leaf/network/networks.hpp"
#include "engine/policy/features/feature_sets.hpp"
#include "protocol/error.hpp"
#include "protocol/line.hpp"
#include "server/commands/command_groups.hpp"

namespace pitboss::server {

namespace {

using Assignments = std::vector<engine::Assignment>;
using Json = nlohmann::ordered_json;

/// "name NAME value VALUE", where VALUE may be several words, or "NAME VALUE".
Assignments assignment(const protocol::Arguments& arguments) {
  const bool uci =
      arguments.size() >= 4 && arguments.word(0) == "name" && arguments.word(2) == "value";
  constexpr std::string_view usage = "name NAME value VALUE, or NAME VALUE without blanks";
  if (!uci) arguments.expect(2, 2, usage);
  if (!uci && arguments.word(0) == "name") {  // the value is missing
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected " + std::string(usage));
  }
  std::string value = arguments.word(uci ? 3 : 1);
  for (std::size_t i = 4; uci && i < arguments.size(); ++i) value += " " + arguments.word(i);
  return {{arguments.word(uci ? 1 : 0), value}};
}

protocol::CommandError no_object() {
  return {protocol::FailureCode::bad_argument, "syntax error: expected {\"NAME\": VALUE, ...}"};
}

protocol::CommandError bad_value(const std::string& name) {
  return {protocol::FailureCode::bad_argument,
          "syntax error: the value of '" + name + "' must be a number, a string, true or false"};
}

std::string option_text(const std::string& name, const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  throw bad_value(name);
}

/// Throws CommandError for control characters: answers repeat names and values.
void check_text(std::string_view text) {
  if (std::ranges::none_of(text, protocol::is_control)) return;
  throw protocol::CommandError(protocol::FailureCode::bad_argument,
                               "syntax error: names and values must not have control characters");
}

/// Reads {"NAME": VALUE, ...}; the preset comes first, so that the others override it.
Assignments assignments(const protocol::Arguments& arguments) {
  using Event = nlohmann::json::parse_event_t;
  std::string name;
  // Values within values, which no option has, would take long to read.
  const auto refuse_depth = [&name](int depth, Event event, const nlohmann::json& value) {
    if (event == Event::array_start && depth == 0) throw no_object();
    if (event == Event::key) name = value.get<std::string>();
    if (depth > 0 && (event == Event::object_start || event == Event::array_start)) {
      throw bad_value(name);
    }
    return true;
  };
  // A sorted JSON object: an ordered one would search all earlier names for each name.
  const auto json = nlohmann::json::parse(arguments.text(), refuse_depth, false);
  if (!json.is_object()) throw no_object();
  Assignments all;
  std::vector<std::string_view> unknown;
  for (const auto& [option, value] : json.items()) {
    check_text(option);
    if (value.is_string()) check_text(value.get_ref<const std::string&>());
    if (!engine::is_option(option)) {
      unknown.push_back(option);
      continue;
    }
    all.push_back({option, option_text(option, value)});
  }
  if (!unknown.empty())
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "unknown options: " + joined(unknown, ", "));
  engine::presets_first(all);
  return all;
}

Json option_json(const engine::OptionRow& row, const Table& table) {
  Json out{{"name", row.name}};
  if (std::holds_alternative<bool engine::Options::*>(row.field)) {
    out["type"] = "check";
  } else if (row.is_text()) {
    out["type"] = "string";
  } else if (!row.choices.empty()) {
    out["type"] = "combo";
  } else {
    const bool is_real = std::holds_alternative<double engine::Options::*>(row.field);
    const double max = row.name == "tree_mb" ? static_cast<double>(table.tree_mb_limit()) : row.max;
    out.update({{"type", is_real ? "real" : "spin"}, {"min", row.min}, {"max", max}});
  }
  out.update({{"choices", row.choices},
              {"default", engine::get_option(table.initial_options(), row)},
              {"value", engine::get_option(table.options(), row)},
              {"live", row.effect() == engine::Effect::live},
              {"keeps_tree", row.tree_kept == engine::TreeKept::yes},
              {"help", row.help},
              {"source", row.source}});
  return out;
}

Outcome list_options(Seat& seat, const protocol::Arguments& arguments) {
  const Table& table = *seat.table;
  if (arguments.size() == 0) {
    return engine::uci_lines(table.initial_options(), table.tree_mb_limit());
  }
  arguments.expect(1, 1, "[json]");
  if (arguments.word(0) != "json") {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected [json]");
  }
  Json all = Json::array();
  for (const engine::OptionRow& row : engine::option_rows()) all.push_back(option_json(row, table));
  return Json{{"version", 1}, {"options", all}}.dump();
}

Outcome set(Seat& seat, const Assignments& list) {
  const bool is_running = seat.table->search().is_running();  // options may end it
  const engine::Effect effect = seat.table->set_options(list);
  for (const engine::Remark& remark : engine::remarks_on(seat.table->options())) {
    const bool is_meant = std::ranges::any_of(list, [&](const engine::Assignment& a) {
      return std::ranges::count(remark.about, engine::option_row(a.name).name) > 0;
    });
    if (is_meant) return std::string(remark.text);
  }
  if (!is_running) return {};
  return {effect == engine::Effect::live ? "in force in the running search"
                                         : "in force from the next search on"};
}
Outcome setoption(Seat& seat, const protocol::Arguments& arguments) {
  return set(seat, assignment(arguments));
}
Outcome kata_set_params(Seat& seat, const protocol::Arguments& arguments) {
  return set(seat, assignments(arguments));
}
/// As in Leela Zero: alone, it lists the options.
Outcome lz_setoption(Seat& seat, const protocol::Arguments& arguments) {
  return arguments.size() == 0 ? list_options(seat, arguments) : setoption(seat, arguments);
}

Outcome getoption(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 1, "NAME");
  return engine::get_option(seat.table->options(), arguments.word(0));
}

Outcome kata_list_params(Seat&, const protocol::Arguments&) {
  std::vector<std::string_view> names;
  for (const engine::OptionRow& row : engine::option_rows()) names.push_back(row.name);
  return words(names);
}

Outcome kata_get_params(Seat& seat, const protocol::Arguments&) {
  const engine::Options options = seat.table->options();
  Json json;
  for (const engine::OptionRow& row : engine::option_rows()) {
    const std::string value = engine::get_option(options, row);
    // Numbers, true and false as JSON has them, other words as strings.
    json[std::string(row.name)] =
        row.choices.empty() && !row.is_text() ? Json::parse(value) : Json(value);
  }
  return json.dump();
}

/// The server's folder of models of a kind. Throws CommandError if it has none.
template <class Folder>
Folder& folder_of(const std::shared_ptr<Folder>& folder, const std::string& kind) {
  if (folder) return *folder;
  throw protocol::CommandError(
      protocol::FailureCode::unsupported,
      "there are no " + kind + ": start pitbossd with --" + kind + " FOLDER");
}

/// The models that the table's game may use, by name.
Outcome networks(Seat& seat, const protocol::Arguments&) {
  const games::AnyGame& game = seat.table->game();
  auto& folder = folder_of(seat.config.models.networks, "networks");
  return lines(folder.names_for({std::string(game.name()), game.parameters().line()}));
}
Outcome features(Seat& seat, const protocol::Arguments&) {
  const games::AnyGame& game = seat.table->game();
  auto& folder = folder_of(seat.config.models.feature_sets, "features");
  return lines(folder.names_for(engine::feature_game(game), game.parameters().line()));
}

constexpr std::array<Command, 11> option_rows{{
    {"setoption", "name NAME value VALUE", "sets an option of the search", false, setoption,
     protocol::Right::play, Needs::options},
    {"getoption", "NAME", "value of an option", false, getoption, protocol::Right::watch,
     Needs::options},
    {"list_options", "[json]",
     "options with type, default and range, one a line; as JSON with values and help", false,
     list_options, protocol::Right::watch, Needs::options},
    {"lz-setoption", "[name NAME value VALUE]", "the same as `setoption`; alone `list_options`",
     false, lz_setoption, protocol::Right::play, Needs::options},
    {"kata-list-params", "", "the names of the options", false, kata_list_params,
     protocol::Right::watch, Needs::options},
    {"kata-get-param", "NAME", "the same as `getoption`", false, getoption, protocol::Right::watch,
     Needs::options},
    {"kata-get-params", "", "all options with their values, as JSON", false, kata_get_params,
     protocol::Right::watch, Needs::options},
    {"kata-set-param", "NAME VALUE", "the same as `setoption`", false, setoption,
     protocol::Right::play, Needs::options},
    {"kata-set-params", "{\"NAME\": VALUE, ...}", "sets several options, all or none", false,
     kata_set_params, protocol::Right::play, Needs::options},
    {"networks", "", "the networks that the table's game may use, one a line", false, networks,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"features", "", "the features that the table's game may use, one a line", false, features,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
}};

}  // namespace

std::span<const Command> option_commands() { return option_rows; }

}  // namespace pitboss::server
