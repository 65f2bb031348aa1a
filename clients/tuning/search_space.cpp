#include "clients/tuning/search_space.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/player_settings.hpp"
#include "engine/options/options.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace {

constexpr double steps_in_range = 6;

template <class... Format>
std::string number_text(double number, Format... format) {
  std::array<char, 64> buffer;
  char* const end = buffer.data() + buffer.size();
  return {buffer.data(), std::to_chars(buffer.data(), end, number, format...).ptr};
}

/// Calls `work`; a complaint of the option table becomes one about the setting.
template <class Work>
decltype(auto) with_option_table(const Setting& setting, Work work) {
  try {
    return work();
  } catch (const engine::BadOption& e) {
    setting.refuse(e.what());
  }
}

const engine::OptionRow& row_of(const Setting& setting) {
  const engine::OptionRow& row = with_option_table(
      setting, [&]() -> const engine::OptionRow& { return engine::option_row(setting.key()); });
  if (row.name == "preset") {
    setting.refuse("a preset cannot be tuned; name the options that it sets");
  }
  if (row.name == "seed" || row.reader == engine::Reader::bounds) {
    setting.refuse(std::string(row.name) +
                   " cannot be tuned: it says how long or with which luck the player thinks, not "
                   "how well");
  }
  return row;
}

/// The value as the option table writes it.
std::string option_text(const Setting& setting, const engine::OptionRow& row,
                        const std::string& text) {
  return with_option_table(setting, [&] {
    engine::Options options;
    engine::set_option(options, row.name, text);
    return engine::get_option(options, row);
  });
}

std::vector<std::string> read_values(const Setting& setting, const engine::OptionRow* row) {
  std::vector<std::string> values;
  for (const Setting& entry : setting.list()) {
    const std::string value =
        row != nullptr ? option_text(entry, *row, entry.word()) : entry.word();
    if (value.find_first_of("\r\n") != std::string::npos) entry.refuse("one line is expected");
    if (std::ranges::find(values, value) != values.end()) {
      entry.refuse("the value " + value + " is given twice");
    }
    values.push_back(value);
  }
  if (values.size() < 2) {
    setting.refuse("expected at least two values to choose from, not " +
                   std::to_string(values.size()));
  }
  return values;
}

bool flag_at(const Setting& setting, std::string_view key) {
  const Setting* const found = setting.find(key);
  return found != nullptr && found->flag();
}

double number_at(const Setting& setting, std::string_view key) {
  constexpr double any = 1e15;
  return setting.at(key).number(-any, any);
}

void check_scale(const Setting& setting, const Range& range) {
  if (range.low >= range.high) {
    setting.at("max").refuse("expected more than min, which is " + number_text(range.low));
  }
  if (range.is_logarithmic && range.low <= 0) {
    setting.at("min").refuse(
        "a logarithmic scale does not contain " + number_text(range.low) +
        "; expected a number above 0, which with zero = true stands for 0 itself");
  }
  if (range.low_is_zero && !range.is_logarithmic) {
    setting.at("zero").refuse(
        R"(only with scale = "log" the lowest value stands for 0; a linear range begins at 0 itself)");
  }
  for (const std::string_view key : {"min", "max"}) {
    if (range.is_whole && number_at(setting, key) != std::floor(number_at(setting, key))) {
      setting.at(key).refuse("expected a whole number");
    }
  }
}

void read_step(const Setting& setting, Range& range) {
  const Setting* const step = setting.find("step");
  if (step == nullptr) return;
  range.step = step->number(0, std::numeric_limits<double>::max());
  const double least = range.is_logarithmic ? 1 : 0;
  if (range.step <= least) {
    step->refuse(range.is_logarithmic ? "expected a factor above 1" : "expected a number above 0");
  }
  if (range.is_whole && !range.is_logarithmic && range.step < 0.5) {
    step->refuse("whole numbers need a step of at least 0.5");
  }
  const auto [low, high] = range.bounds();
  if (range.step_in_coordinates() > (high - low) / 2) {
    step->refuse("expected at most half the range");
  }
}

void check_option(const Setting& setting, const engine::OptionRow& row, const Range& range) {
  const auto check = [&](std::string_view key, double number) {
    if (number < row.min || number > row.max) {
      setting.at(key).refuse(std::string(row.name) + " may be " + engine::range_text(row) +
                             ", not " + number_text(number));
    }
  };
  check("min", range.low_is_zero ? 0 : range.low);
  check("max", range.high);
}

Range read_range(const Setting& setting, const engine::OptionRow* row) {
  setting.expect_keys({"min", "max", "scale", "whole", "zero", "step"});
  Range range;
  range.low = number_at(setting, "min");
  range.high = number_at(setting, "max");
  range.low_is_zero = flag_at(setting, "zero");
  range.is_whole = flag_at(setting, "whole");
  if (const Setting* const scale = setting.find("scale")) {
    range.is_logarithmic = scale->text() == "log";
    if (!range.is_logarithmic && scale->text() != "linear") {
      scale->refuse(R"(expected "linear" or "log")");
    }
  }
  if (row != nullptr) {
    const bool is_real = std::holds_alternative<double engine::Options::*>(row->field);
    const bool is_whole = std::holds_alternative<std::int64_t engine::Options::*>(row->field);
    if (!is_real && !is_whole) {
      setting.refuse(std::string(row->name) +
                     " is no number; list its values: " + engine::range_text(*row));
    }
    range.is_whole |= is_whole;
  }
  check_scale(setting, range);
  if (row != nullptr) check_option(setting, *row, range);
  read_step(setting, range);
  return range;
}

SearchSpace::iterator with_name(SearchSpace& space, const std::string& name) {
  return std::ranges::find_if(space, [&](const TunedParameter& parameter) {
    return games::same_ignoring_case(parameter.name, name);
  });
}

/// The parameters of a table but those of its games.
SearchSpace parameters_in(const Setting& table, bool is_ours) {
  SearchSpace space;
  for (const Setting& entry : table.table()) {
    if (is_of_game(entry)) continue;
    if (entry.is_table() && entry.find("min") == nullptr && entry.find("max") == nullptr) {
      entry.refuse(
          "expected a list of values, a range { min = ..., max = ... }, or a game's name "
          "with its parameters");
    }
    const engine::OptionRow* const row = is_ours ? &row_of(entry) : nullptr;
    TunedParameter parameter{row != nullptr ? std::string(row->name) : entry.key(), {}, {}};
    if (with_name(space, parameter.name) != space.end()) {
      entry.refuse(parameter.name + " is given twice");
    }
    if (entry.is_list()) {
      parameter.values = read_values(entry, row);
    } else if (entry.is_table()) {
      parameter.range = read_range(entry, row);
    } else {
      entry.refuse("expected a list of values, or a range { min = ..., max = ... }");
    }
    space.push_back(std::move(parameter));
  }
  return space;
}

/// Refuses mistakes in a game's table, also of a game that is not tuned now.
void check_table_of_game(const Setting& table, bool is_ours) {
  for (const Setting& own : table.table()) {
    if (is_of_game(own)) own.refuse("a game's table has parameters, not tables of games");
  }
  static_cast<void>(parameters_in(table, is_ours));
}

}  // namespace

bool Range::holds(const std::string& value) const {
  const auto number = number_in<double>(value);
  return number && *number >= (low_is_zero ? 0 : low) && *number <= high;
}

double Range::coordinate_of(double number) const {
  if (low_is_zero && number <= 0) return std::log(low);
  return is_logarithmic ? std::log(number) : number;
}

std::pair<double, double> Range::bounds() const {
  return is_logarithmic ? std::pair(std::log(low), std::log(high)) : std::pair(low, high);
}

double Range::step_in_coordinates() const {
  const auto [from, to] = bounds();
  const double wanted = is_logarithmic && step > 0 ? std::log(step)
                        : step > 0                 ? step
                                                   : (to - from) / steps_in_range;
  if (!is_whole) return wanted;
  return std::max(wanted, is_logarithmic ? std::log1p(0.5 / low) : 0.5);
}

std::string Range::text_at(double coordinate, double u) const {
  constexpr int digits = 6;
  if (low_is_zero && coordinate <= std::log(low)) return "0";
  const double number = is_logarithmic ? std::exp(coordinate) : coordinate;
  if (is_whole) {
    return std::to_string(std::llround(std::clamp(std::floor(number + u), low, high)));
  }
  std::string text = number_text(number, std::chars_format::general, digits);
  const double rounded = *number_in<double>(text);
  return rounded < low ? number_text(low) : rounded > high ? number_text(high) : text;
}

std::string text_of(const TunedParameter& parameter) {
  std::string text;
  for (const std::string& value : parameter.values) text += (text.empty() ? "" : ", ") + value;
  if (!parameter.has_range()) return text;
  const Range& range = parameter.range;
  const double step = range.step_in_coordinates();
  constexpr int digits = 3;
  return number_text(range.low) + (range.low_is_zero ? ", which stands for 0, to " : " to ") +
         number_text(range.high) + ", steps of " + (range.is_logarithmic ? "a factor of " : "") +
         number_text(range.is_logarithmic ? std::exp(step) : step, std::chars_format::general,
                     digits);
}

std::string text_of(const SearchSpace& space, const Values& values) {
  std::string text;
  for (std::size_t i = 0; i < space.size(); ++i) {
    text += (i > 0 ? " " : "") + space[i].name + "=" + values[i];
  }
  return text;
}

SearchSpace read_search_space(const Setting& parameters, const Match& match, bool is_ours) {
  SearchSpace space = parameters_in(parameters, is_ours);
  for (const Setting& entry : parameters.table()) {
    if (is_of_game(entry)) check_table_of_game(entry, is_ours);
  }
  for (const Setting* const table : tables_for(parameters, match)) {
    for (const TunedParameter& parameter : parameters_in(*table, is_ours)) {
      const auto place = with_name(space, parameter.name);
      if (place == space.end()) {
        space.push_back(parameter);
      } else {
        *place = parameter;
      }
    }
  }
  if (space.empty()) parameters.refuse("expected at least one parameter");
  return space;
}

Values read_candidate(const Setting& table, const SearchSpace& space, const SearchSpace& all,
                      Values base, bool is_ours) {
  const auto named = [&](const SearchSpace& among, const std::string& name) {
    return std::ranges::find_if(among, [&](const TunedParameter& parameter) {
      return games::same_ignoring_case(parameter.name, name);
    });
  };
  for (const Setting& entry : table.table()) {
    if (named(all, entry.key()) == all.end()) entry.refuse("is no parameter of this tuning");
    const auto found = named(space, entry.key());
    if (found == space.end()) continue;
    std::string value = entry.word();
    if (is_ours) value = option_text(entry, row_of(entry), value);
    if (found->has_range() && !found->range.holds(value)) {
      entry.refuse(value + " is not in the range");
    }
    base[static_cast<std::size_t>(found - space.begin())] = std::move(value);
  }
  return base;
}

const Setting& parameter_setting(const Setting& parameters, const Match& match,
                                 std::string_view name) {
  std::vector<const Setting*> tables{&parameters};
  for (const Setting* const own : tables_for(parameters, match)) tables.push_back(own);
  const Setting* last = &parameters;
  for (const Setting* const table : tables) {
    for (const Setting& entry : table->table()) {
      if (!is_of_game(entry) && games::same_ignoring_case(entry.key(), name)) last = &entry;
    }
  }
  return *last;
}

}  // namespace pitboss::clients
