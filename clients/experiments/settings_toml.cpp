#include <toml++/toml.h>

#include <algorithm>
#include <cctype>

#include "clients/experiments/setting_rows.hpp"
#include "clients/experiments/settings.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"

// The only file that includes the TOML library, whose headers compile slowly.

namespace pitboss::clients {

namespace {

using File = std::shared_ptr<const std::string>;

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

Setting setting_of(const File& file, const std::string& key, int line, const toml::node& node);

Setting::Value list_of(const File& file, const std::string& key, const toml::array& array) {
  Setting::List list;
  for (const toml::node& element : array) {
    list.push_back(setting_of(file, key, line_of(element), element));
  }
  return list;
}

/// The library sorts a table by key; the keys' positions give the order of the file.
Setting::Value table_of(const File& file, const toml::table& table) {
  struct Entry {
    const toml::key* key;
    const toml::node* node;
  };
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) entries.push_back({&key, &node});
  const auto place = [](const Entry& entry) {
    const toml::source_position at = entry.key->source().begin;
    return std::pair(at.line, at.column);
  };
  std::ranges::stable_sort(entries, {}, place);

  Setting::Table settings;
  for (const auto& [key, node] : entries) {
    const int line = static_cast<int>(key->source().begin.line);
    settings.push_back(setting_of(file, std::string(key->str()), line, *node));
  }
  return settings;
}

Setting setting_of(const File& file, const std::string& key, int line, const toml::node& node) {
  if (const auto* const table = node.as_table()) return {file, line, key, table_of(file, *table)};
  if (const auto* const array = node.as_array()) {
    return {file, line, key, list_of(file, key, *array)};
  }
  if (const auto* const flag = node.as_boolean()) return {file, line, key, flag->get()};
  if (const auto* const whole = node.as_integer()) return {file, line, key, whole->get()};
  if (const auto* const real = node.as_floating_point()) return {file, line, key, real->get()};
  if (const auto* const text = node.as_string()) return {file, line, key, text->get()};
  throw UserError(*file + ", line " + std::to_string(line) + ", " + key +
                  ": dates and times have no meaning here");
}

/// The library parses dotted keys recursively: too many dots would overflow the stack.
void check_depth(std::string_view text, const std::string& name) {
  constexpr std::ptrdiff_t most_dots = 1000;
  int number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::string_view key = line.substr(0, std::min(line.find('='), line.size()));
    if (std::ranges::count(key, '.') > most_dots) {
      throw UserError(name + ", line " + std::to_string(number) + ": a key has too many dots");
    }
    begin = end + 1;
  }
}

std::string key_text(const std::string& key) {
  const bool is_bare = !key.empty() && std::ranges::all_of(key, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
  return is_bare ? key : toml_of(key);
}

/// A value in one line.
std::string value_text(const Setting& setting) {
  const auto joined = [](const std::vector<Setting>& all, const auto& text_of_one) {
    std::string out;
    for (const Setting& one : all) out += (out.empty() ? "" : ", ") + text_of_one(one);
    return out;
  };
  if (setting.is_text()) return toml_of(setting.text());
  if (setting.is_list()) return "[" + joined(setting.list(), value_text) + "]";
  if (!setting.is_table()) return setting.word();
  return "{ " +
         joined(setting.table(),
                [](const Setting& entry) {
                  return key_text(entry.key()) + " = " + value_text(entry);
                }) +
         " }";
}

bool is_list_of_tables(const Setting& setting) {
  return setting.is_list() && !setting.list().empty() && setting.list().front().is_table();
}

std::string lines_of(const Setting& table) {
  std::string out;
  for (const Setting& entry : table.table()) {
    out += key_text(entry.key()) + " = " + value_text(entry) + "\n";
  }
  return out;
}

}  // namespace

std::string toml_text(const Setting& table) {
  std::string values;
  std::string tables;
  for (const Setting& entry : table.table()) {
    const std::string key = key_text(entry.key());
    if (entry.is_table()) {
      tables += "\n[" + key + "]\n" + lines_of(entry);
    } else if (is_list_of_tables(entry)) {
      for (const Setting& one : entry.list()) tables += "\n[[" + key + "]]\n" + lines_of(one);
    } else {
      values += key + " = " + value_text(entry) + "\n";
    }
  }
  return values + tables;
}

Setting parse_settings(std::string_view text, const std::string& name) {
  const auto file = std::make_shared<const std::string>(name);
  check_depth(text, name);
  try {
    const toml::table table = toml::parse(text);
    return {file, 1, "", table_of(file, table)};
  } catch (const toml::parse_error& e) {
    throw UserError(name + ", line " + std::to_string(e.source().begin.line) +
                    ": not TOML: " + std::string(e.description()));
  }
}

Setting read_settings(const std::filesystem::path& path) {
  return parse_settings(read_text_file(path), path.string());
}

}  // namespace pitboss::clients
