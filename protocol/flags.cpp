#include "protocol/flags.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <sstream>

#include "environment/folders.hpp"
#include "games/suggestion.hpp"
#include "games/text_file.hpp"

namespace pitboss::protocol {

namespace po = boost::program_options;

namespace {

std::string unknown_flag(const std::string& name, const po::options_description& known) {
  std::vector<std::string> flags;
  for (const auto& flag : known.options()) flags.push_back("--" + flag->long_name());
  const std::vector<std::string_view> views(flags.begin(), flags.end());
  return "unknown option '" + name + "'" + games::did_you_mean(name, views);
}

/// Whether a flag's value is a path, as its name in the help says.
bool takes_path(const std::string& flag, const po::options_description& known) {
  const po::option_description* const found = known.find_nothrow(flag, false);
  if (found == nullptr) return false;
  const std::string name = found->semantic()->name();
  return std::ranges::any_of(std::array{"FILE", "DIR", "FOLDER", "PATH"},
                             [&](std::string_view path) {
                               return name == path || name.starts_with(std::string(path) + " ");
                             });
}

/// Replaces `~` in paths, and in the words that belong to no flag: the shell does so only where a
/// word begins, and a file has no shell.
void expand_paths(po::parsed_options& parsed, const po::options_description& known) {
  for (auto& option : parsed.options) {
    if (!option.string_key.empty() && !takes_path(option.string_key, known)) continue;
    for (std::string& value : option.value) value = environment::expanded(value).string();
  }
}

/// Appends the words that belong to no flag: they have no key.
void append_rest(const po::parsed_options& parsed, std::vector<std::string>& rest) {
  for (const auto& option : parsed.options) {
    if (!option.string_key.empty()) continue;
    rest.insert(rest.end(), option.value.begin(), option.value.end());
  }
}

/// Throws BadFlags for a word that belongs to no flag. KEY=VALUE is probably the rest of an
/// unquoted value with blanks.
void expect_no_rest(const po::parsed_options& parsed) {
  const auto rest = std::ranges::find_if(
      parsed.options, [](const auto& option) { return option.string_key.empty(); });
  if (rest == parsed.options.end()) return;
  const std::string word = rest->value.empty() ? "" : rest->value.front();
  std::string sentence = "unexpected word '" + word + "'";
  const bool is_continued = word.find('=') != std::string::npos && rest != parsed.options.begin();
  if (is_continued && !std::prev(rest)->value.empty()) {
    const auto& before = *std::prev(rest);
    sentence += "; quote a value of several words: --" + before.string_key + " \"" +
                before.value.back() + " " + word + "\"";
  }
  throw BadFlags(sentence);
}

/// The sentence for a refused value; only flags with numbers refuse any.
std::string bad_value(const std::string& name, const po::parsed_options& parsed) {
  const auto is_meant = [&](const auto& option) {
    return !option.string_key.empty() && name.ends_with(option.string_key);
  };
  const auto flag = std::ranges::find_if(parsed.options, is_meant);
  const bool has_value = flag != parsed.options.end() && !flag->value.empty();
  return name + " must be a number" + (has_value ? ", not '" + flag->value.back() + "'" : "");
}

/// Parses with `parse` and stores what was found. Boost's errors become sentences.
template <class Parse>
void read(Parse parse, const po::options_description& known, po::variables_map& given,
          std::vector<std::string>* rest = nullptr) {
  po::parsed_options parsed(&known);
  try {
    parsed = parse();
    expand_paths(parsed, known);
    rest != nullptr ? append_rest(parsed, *rest) : expect_no_rest(parsed);
    po::store(parsed, given);
  } catch (const po::unknown_option& e) {
    throw BadFlags(unknown_flag(e.get_option_name(), known));
  } catch (const po::validation_error& e) {
    throw BadFlags(bad_value(e.get_option_name(), parsed));
  } catch (const po::invalid_command_line_syntax& e) {
    const bool is_empty = e.kind() == po::invalid_syntax::missing_parameter;
    throw BadFlags(is_empty ? e.get_option_name() + " needs a value" : std::string(e.what()));
  } catch (const environment::NoFolder& e) {
    throw BadFlags(e.what());
  } catch (const po::error& e) {
    throw BadFlags(e.what());
  }
}

}  // namespace

po::variables_map read_flags(const std::vector<std::string>& words,
                             const po::options_description& known, std::vector<std::string>* rest) {
  constexpr auto style = po::command_line_style::allow_long |
                         po::command_line_style::long_allow_adjacent |
                         po::command_line_style::long_allow_next;
  std::vector<std::string> all = words;
  std::ranges::replace(all, "-h", "--help");
  po::variables_map given;
  read([&] { return po::command_line_parser(all).options(known).style(style).run(); }, known, given,
       rest);
  return given;
}

void read_flag_file(const std::filesystem::path& path, const po::options_description& known,
                    po::variables_map& given) {
  try {
    std::istringstream text(games::read_text_file(path));
    read([&] { return po::parse_config_file(text, known); }, known, given);
  } catch (const games::UnreadableFile& unreadable) {
    throw BadFlags(unreadable.what());
  } catch (const BadFlags& bad) {
    throw BadFlags(path.string() + ": " + bad.what());
  }
}

}  // namespace pitboss::protocol
