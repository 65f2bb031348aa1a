#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "clients/settings.hpp"
#include "clients/user_error.hpp"

// The only file that knows the library: its headers take their time to compile.

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

/// The library keeps a table by name; the file's order comes from where the keys stand.
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

}  // namespace

Setting parse_settings(std::string_view text, const std::string& name) {
  const auto file = std::make_shared<const std::string>(name);
  try {
    const toml::table table = toml::parse(text);
    return {file, 1, "", table_of(file, table)};
  } catch (const toml::parse_error& e) {
    throw UserError(name + ", line " + std::to_string(e.source().begin.line) +
                    ": not TOML: " + std::string(e.description()));
  }
}

Setting read_settings(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path)) {
    throw UserError(path.string() + " cannot be read");
  }
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parse_settings(text, path.string());
}

}  // namespace pitboss::clients
