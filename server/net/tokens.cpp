#include "server/net/tokens.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>

#include "engine/plain_name.hpp"
#include "engine/sha256.hpp"
#include "games/text_file.hpp"

namespace pitboss::server {

namespace {

constexpr std::size_t hash_digits = 64;

bool is_hash(std::string_view text) {
  return text.size() == hash_digits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string in_lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

Tokens Tokens::parse(std::string_view text, const std::string& name) {
  Tokens tokens;
  std::set<std::string> names;
  std::map<std::string, std::string> names_by_hash;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto refuse = [&](const std::string& why) {
      throw std::runtime_error(name + ", line " + std::to_string(number) + ": " + why);
    };
    std::istringstream stream(line.substr(0, line.find('#')));
    const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    if (words.empty()) continue;
    if (words.size() != 3) refuse("expected NAME RIGHT HASH");
    const auto right = protocol::right_named(words[1]);
    const Entry entry{words[0], right.value_or(protocol::Right::nothing), in_lower_case(words[2])};
    if (!engine::is_plain_name(entry.name))
      refuse("the name must have 1 to 64 letters, digits, '.', '_' or '-'");
    if (entry.right == protocol::Right::nothing) {
      refuse("the right must be watch, play or admin, not '" + words[1] + "'");
    }
    if (!is_hash(entry.hash)) {
      refuse("the hash must be a SHA-256, 64 hexadecimal digits, as `pitboss token` prints it");
    }
    if (!names.insert(entry.name).second) refuse("the name " + entry.name + " is given twice");
    const auto [same, is_new] = names_by_hash.emplace(entry.hash, entry.name);
    if (!is_new) refuse("this token is also that of " + same->second);
    tokens.entries_.push_back(entry);
  }
  if (tokens.entries_.empty()) throw std::runtime_error(name + " has no token");
  std::ranges::sort(tokens.entries_);
  return tokens;
}

Tokens Tokens::read(const std::string& file) { return parse(games::read_text_file(file), file); }

std::optional<protocol::Identity> Tokens::client_with(std::string_view token) const {
  const std::string hash = engine::sha256(token);
  const Entry* found = nullptr;
  for (const Entry& entry : entries_) {
    if (CRYPTO_memcmp(entry.hash.data(), hash.data(), hash_digits) == 0) found = &entry;
  }
  if (found == nullptr) return std::nullopt;
  return protocol::Identity{found->name, found->right, {}};
}

std::set<std::string> Tokens::changed(const Tokens& next) const {
  std::vector<Entry> others;
  std::ranges::set_difference(entries_, next.entries_, std::back_inserter(others));
  std::set<std::string> names;
  for (Entry& entry : others) names.insert(std::move(entry.name));
  return names;
}

}  // namespace pitboss::server
