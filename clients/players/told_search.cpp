#include "clients/players/told_search.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include "clients/experiments/number_in.hpp"

namespace pitboss::clients {

namespace {

using Words = std::vector<std::string>;

/// Begin something else than the words before them.
constexpr std::array keys{"depth",      "seldepth", "time",     "nodes",          "pv",
                          "multipv",    "score",    "currmove", "hashfull",       "nps",
                          "tbhits",     "sbhits",   "cpuload",  "currmovenumber", "string",
                          "refutation", "currline", "visits",   "playouts",       "simulations"};

bool is_key(const std::string& word) { return std::ranges::find(keys, word) != keys.end(); }

/// Takes the words from `at` up to the next key.
Words values_at(const Words& words, std::size_t& at) {
  Words out;
  while (at < words.size() && !is_key(words[at])) out.push_back(words[at++]);
  return out;
}

std::string joined(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

void hear_number(const Words& values, std::optional<std::int64_t>& figure) {
  const auto number = values.empty() ? std::nullopt : number_in<std::int64_t>(values[0]);
  if (number && *number >= 0) figure = number;
}

bool is_score(const Words& values) {
  return values.size() >= 2 && (values[0] == "cp" || values[0] == "mate") &&
         number_in<std::int64_t>(values[1]).has_value();
}

}  // namespace

void ToldSearch::hear(std::string_view line) {
  std::istringstream in{std::string(line)};
  Words words;
  for (std::string word; in >> word && word != "string";) words.push_back(word);
  const auto multipv = std::ranges::find(words, "multipv");
  const bool is_other =
      multipv != words.end() && std::next(multipv) != words.end() && *std::next(multipv) != "1";
  for (std::size_t at = 0; at < words.size();) {
    const std::string key = words[at++];
    if (!is_key(key)) continue;
    const Words values = values_at(words, at);
    if (key == "depth") {
      hear_number(values, depth_);
    } else if (key == "nodes" || key == "visits" || key == "playouts" || key == "simulations") {
      hear_number(values, nodes_);
    } else if (key == "score" && !is_other && is_score(values)) {
      score_ = joined(values);
    } else if (key == "pv" && !is_other && !values.empty()) {
      line_ = joined(values);
    }
  }
}

std::string ToldSearch::text() const {
  std::string out;
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) out += (out.empty() ? "" : " ") + std::string(key) + " " + value;
  };
  if (depth_) add("depth", std::to_string(*depth_));
  add("score", score_);
  if (nodes_) add("nodes", std::to_string(*nodes_));
  add("pv", line_);
  return out;
}

}  // namespace pitboss::clients
