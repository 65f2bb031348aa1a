#include "engine/options/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <random>
#include <sstream>

#include "engine/plain_name.hpp"
#include "games/letter_case.hpp"
#include "games/suggestion.hpp"

namespace pitboss::engine {

namespace {

/// The shortest text that reads back as the same number.
template <class Number>
std::string number_text(Number n) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), n).ptr;
  return {buffer.data(), end};
}

[[noreturn]] void refuse(const OptionRow& row, const std::string& expected,
                         std::string_view value) {
  throw BadOption(std::string(row.name) + " must be " + expected + ", not '" + std::string(value) +
                  "'");
}

template <class Number>
Number parse_number(const OptionRow& row, std::string_view text) {
  constexpr bool whole = std::is_integral_v<Number>;
  const std::string expected = std::string(whole ? "a whole number" : "a number") + " from " +
                               number_text(static_cast<Number>(row.min)) + " to " +
                               number_text(static_cast<Number>(row.max));
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  const bool in_range = static_cast<double>(n) >= row.min && static_cast<double>(n) <= row.max;
  if (error != std::errc{} || end != text.data() + text.size() || !in_range) {
    refuse(row, expected, text);
  }
  return n + Number{};  // no minus zero
}

bool parse_bool(const OptionRow& row, std::string_view text) {
  const std::string word = games::in_lower_case(text);
  if (word == "true" || word == "1" || word == "on") return true;
  if (word == "false" || word == "0" || word == "off") return false;
  refuse(row, "true or false", text);
}

int parse_choice(const OptionRow& row, std::string_view text) {
  const auto found = std::ranges::find(row.choices, games::in_lower_case(text));
  if (found != row.choices.end()) return static_cast<int>(found - row.choices.begin());
  std::string expected = "one of";
  for (const auto choice : row.choices) expected.append(1, ' ').append(choice);
  refuse(row, expected, text);
}

/// Words between commas, in any order; "none" for the empty set.
EstimatorSet parse_set(const OptionRow& row, std::string_view text) {
  EstimatorSet set;
  if (games::in_lower_case(text) == "none") return set;
  std::istringstream words{std::string(text) + ","};
  for (std::string word; std::getline(words, word, ',');) {
    const auto found = std::ranges::find(row.choices, games::in_lower_case(word));
    const auto bit = static_cast<std::uint16_t>(1U << (found - row.choices.begin()));
    if (found == row.choices.end() || (set.bits & bit) != 0) {
      refuse(row, range_text(row) + ", each once, between commas without blanks", text);
    }
    set.bits |= bit;
  }
  return set;
}

std::string set_text(const OptionRow& row, EstimatorSet set) {
  std::string text;
  for (std::size_t i = 0; i < row.choices.size(); ++i) {
    if (!set.has(static_cast<Estimator>(i))) continue;
    if (!text.empty()) text += ',';
    text += row.choices[i];
  }
  return text.empty() ? "none" : text;
}

/// The name of a file in one of the server's folders.
std::string parse_name(const OptionRow& row, std::string_view text) {
  if (!is_plain_name(text) || text.front() == '.') refuse(row, range_text(row), text);
  return std::string(text);
}

std::string_view type_name(const OptionRow& row) {
  if (row.is_text()) return "string";
  if (!row.choices.empty()) return "combo";
  return std::holds_alternative<bool Options::*>(row.field) ? "check" : "spin";
}

/// A bound, written like the option's values.
std::string bound_text(const OptionRow& row, double bound) {
  return !std::holds_alternative<double Options::*>(row.field)
             ? number_text(static_cast<std::int64_t>(bound))
             : number_text(bound);
}

bool differ(const OptionRow& row, const Options& one, const Options& other) {
  return std::visit([&](auto Options::*field) { return one.*field != other.*field; }, row.field);
}

/// The memory for all threads.
std::int64_t estimator_tables_mb(const Options& options) {
  return options.estimators.has_tables() ? options.threads * options.estimators_mb : 0;
}

}  // namespace

double reward_excess(const Options& options) {
  const int bonuses =
      static_cast<int>(options.relative_bonus) + static_cast<int>(options.qualitative_bonus);
  return bonuses * (options.bonus_adaptive ? 1 : options.bonus_bound) / 2;
}

std::int64_t simulation_bound(const Options& options, bool has_clock) {
  const bool is_timed = has_clock || options.movetime_ms > 0 || options.cputime_ms > 0;
  return options.simulations.value_or(is_timed ? 0 : default_simulations);
}

std::int64_t memory_mb(const Options& options) {
  return options.tree_mb + estimator_tables_mb(options);
}

std::size_t table_bytes(const Options& options) {
  const std::int64_t of_mast = options.mast > 0 ? options.threads * mast_mb : 0;
  const std::int64_t of_knowledge = options.knowledge > 0 ? options.threads * knowledge_mb : 0;
  return static_cast<std::size_t>(estimator_tables_mb(options) + of_mast + of_knowledge) << 20;
}

std::string range_text(const OptionRow& row) {
  if (std::holds_alternative<bool Options::*>(row.field)) return "true, false";
  if (std::holds_alternative<std::string Options::*>(row.field)) {
    return "none, or a name of up to 64 of A-Z a-z 0-9 _ - .";
  }
  if (row.choices.empty()) return bound_text(row, row.min) + " to " + bound_text(row, row.max);
  const bool is_set = std::holds_alternative<EstimatorSet Options::*>(row.field);
  std::string text = is_set ? "none, or some of " : "";
  for (const auto& choice : row.choices) {
    text += (&choice == &row.choices.front() ? "" : ", ") + std::string(choice);
  }
  return text;
}

bool is_option(std::string_view name) {
  return std::ranges::find(option_rows(), games::in_lower_case(name), &OptionRow::name) !=
         option_rows().end();
}

const OptionRow& option_row(std::string_view name) {
  const auto found = std::ranges::find(option_rows(), games::in_lower_case(name), &OptionRow::name);
  if (found == option_rows().end()) {
    std::vector<std::string_view> known;
    for (const OptionRow& row : option_rows()) known.push_back(row.name);
    const std::string similar = games::did_you_mean(name, known);
    throw BadOption(
        "unknown option '" + std::string(name) + "'" +
        (similar.empty() ? "; docs/options.md and the command list_options tell all" : similar));
  }
  return *found;
}

bool uses_features(const Options& options) {
  const bool in_playouts =
      options.evaluation == EvaluatorKind::playout && options.playout == Playout::features;
  return in_playouts || options.prior == Prior::features;
}

std::vector<Remark> remarks_on(const Options& options) {
  std::vector<Remark> remarks;
  if (options.ponder && !options.reuse_tree) {
    remarks.push_back({{"ponder", "reuse_tree"}, "ponder has no effect until reuse_tree is true"});
  }
  if (options.virtual_value != Options().virtual_value &&
      (!options.virtual_samples || !options.estimators.empty())) {
    remarks.push_back({{"virtual_value", "virtual_samples", "estimators"},
                       "virtual_value has no effect until virtual_samples is true and estimators "
                       "is none"});
  }
  if (options.network != "none" && options.evaluation != EvaluatorKind::network) {
    remarks.push_back({{"network"}, "network has no effect until evaluation is network"});
  }
  if (options.features != "none" && !uses_features(options)) {
    remarks.push_back({{"features", "prior", "playout"},
                       "features have no effect until prior is features, or playout is and "
                       "evaluation is playout"});
  }
  return remarks;
}

Effect set_option(Options& options, std::string_view name, std::string_view value) {
  const OptionRow& row = option_row(name);
  Options changed = options;
  std::visit(
      [&]<class T>(T Options::*field) {
        if constexpr (std::is_same_v<T, bool>) {
          changed.*field = parse_bool(row, value);
        } else if constexpr (std::is_same_v<T, EstimatorSet>) {
          changed.*field = parse_set(row, value);
        } else if constexpr (std::is_same_v<T, std::string>) {
          changed.*field = parse_name(row, value);
        } else if constexpr (std::is_same_v<T, std::optional<std::int64_t>>) {
          changed.*field = parse_number<std::int64_t>(row, value);
        } else if constexpr (std::is_enum_v<T>) {
          changed.*field = static_cast<T>(parse_choice(row, value));
        } else {
          changed.*field = parse_number<T>(row, value);
        }
      },
      row.field);
  if (row.name == "preset") {
    const PresetRow& preset = preset_rows()[static_cast<std::size_t>(changed.preset)];
    for (const auto& [option, word] : preset.values) set_option(changed, option, word);
  }
  options = changed;
  return row.effect();
}

std::string get_option(const Options& options, std::string_view name) {
  return get_option(options, option_row(name));
}

std::string get_option(const Options& options, const OptionRow& row) {
  return std::visit(
      [&]<class T>(T Options::*field) -> std::string {
        if constexpr (std::is_same_v<T, bool>) {
          return options.*field ? "true" : "false";
        } else if constexpr (std::is_same_v<T, EstimatorSet>) {
          return set_text(row, options.*field);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return options.*field;
        } else if constexpr (std::is_same_v<T, std::optional<std::int64_t>>) {
          return number_text(simulation_bound(options, false));
        } else if constexpr (std::is_enum_v<T>) {
          return std::string(row.choices[static_cast<std::size_t>(options.*field)]);
        } else {
          return number_text(options.*field);
        }
      },
      row.field);
}

Options with_live(const Options& options, const Options& live) {
  Options merged = options;
  for (const OptionRow& row : option_rows()) {
    if (row.effect() != Effect::live) continue;
    std::visit([&](auto Options::*field) { merged.*field = live.*field; }, row.field);
  }
  return merged;
}

Options with_seed(Options options) {
  if (options.seed != 0) return options;
  std::random_device device;
  const std::int64_t high = device();
  options.seed = ((high << 21) ^ device()) | 1;
  return options;
}

bool simulations_differ(const Options& one, const Options& other) {
  return std::ranges::any_of(option_rows(), [&](const OptionRow& row) {
    return row.reader == Reader::simulations && differ(row, one, other);
  });
}

bool tree_kept(const Options& last, const Options& next) {
  return std::ranges::none_of(option_rows(), [&](const OptionRow& row) {
    return row.tree_kept == TreeKept::no && differ(row, last, next);
  });
}

std::string uci_lines(const Options& defaults, std::int64_t max_tree_mb) {
  std::ostringstream lines;
  for (const OptionRow& row : option_rows()) {
    if (&row != &option_rows().front()) lines << '\n';
    lines << "option name " << row.name << " type " << type_name(row) << " default "
          << get_option(defaults, row);
    if (type_name(row) == "spin") {
      const auto max = row.name == "tree_mb" ? static_cast<double>(max_tree_mb) : row.max;
      lines << " min " << bound_text(row, row.min) << " max " << bound_text(row, max);
    }
    if (type_name(row) != "combo") continue;
    for (const auto choice : row.choices) lines << " var " << choice;
  }
  return lines.str();
}

std::string markdown_table() {
  std::ostringstream text;
  text << "| option | values | default | takes effect | tree kept | meaning | source |\n"
          "|---|---|---|---|---|---|---|\n";
  for (const OptionRow& row : option_rows()) {
    text << "| `" << row.name << "` | " << range_text(row) << " | " << get_option(Options{}, row)
         << " | " << (row.effect() == Effect::live ? "at once" : "next search") << " | "
         << (row.tree_kept == TreeKept::yes ? "yes" : "no") << " | " << row.help << " | "
         << row.source << " |\n";
  }
  return text.str();
}

std::vector<Assignment> parse_assignments(std::string_view text) {
  std::vector<Assignment> assignments;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw BadOption("expected key=value, not '" + word + "'");
    }
    assignments.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  presets_first(assignments);
  return assignments;
}

void presets_first(std::vector<Assignment>& assignments) {
  std::ranges::stable_partition(
      assignments, [](const Assignment& a) { return games::in_lower_case(a.name) == "preset"; });
}

}  // namespace pitboss::engine
