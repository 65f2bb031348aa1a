#include "clients/pitboss/commands.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <string_view>

#include "clients/experiments/match.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/feature_report.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/record_files.hpp"
#include "engine/policy/features/atomic_features.hpp"
#include "engine/policy/features/feature_activity.hpp"
#include "engine/policy/features/feature_picture.hpp"
#include "engine/policy/features/feature_sets.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using engine::FeatureSet;

constexpr std::string_view features_usage =
    "Features of moves, one set a file NAME.features. See docs/features.md.\n\n"
    "  pitboss features init --game G --out F   the features that a game's rules give, weight 0\n"
    "  pitboss features show F                  a picture of each, the heaviest first\n\n";

struct FeatureFlags {
  std::string game;
  std::string out;
  std::string html;
  int games = 50;
  std::uint64_t seed = 1;
};

po::options_description describe(FeatureFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("game", po::value(&a.game)->value_name("NAME"),
      "init: the game, perhaps with parameters: \"hex size=7\"");
  add("out", po::value(&a.out)->value_name("FILE"), "init: the file to write");
  add("games", po::value(&a.games)->default_value(a.games)->value_name("N"),
      "show: random games in which it is counted how often each feature is active");
  add("seed", po::value(&a.seed)->default_value(a.seed)->value_name("S"), "show: of these games");
  add("html", po::value(&a.html)->value_name("FILE"), "show: write a page of HTML instead");
  add("help", "this text");
  return all;
}

void init(const FeatureFlags& a) {
  if (a.game.empty()) throw UserError("--game NAME is missing");
  if (a.out.empty()) throw UserError("--out must name a file");
  const fs::path path = a.out;
  if (fs::exists(path)) {
    throw UserError(path.string() + " exists; remove it, or name another file");
  }
  Match match;
  set_game(match, a.game);
  const auto start = match.initial_position();
  FeatureSet set;
  set.game = start->name();
  set.parameters = start->parameters().line();
  set.procedure = "the features that the rules give, of weight 0";
  set.features = engine::atomic_features(engine::feature_game(*start));
  set.weights.resize(set.features.size());
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  replace_file(path, engine::file_text(set));
  std::cout << path.string() << ": " << set.features.size() << " features\n";
}

/// How much a feature can move a logit.
float heaviness(const FeatureSet& set, std::size_t feature) {
  const auto first = set.weights.begin() + static_cast<std::ptrdiff_t>(feature) * set.columns;
  const auto heavier = [](float a, float b) { return std::max(std::abs(a), std::abs(b)); };
  return std::accumulate(first, first + set.columns, 0.F, heavier);
}

FeatureReport report_of(const std::string& file, const FeatureFlags& a) {
  if (a.games < 1) throw UserError("--games must be at least 1");
  FeatureReport report{engine::parse_features(engine::read_features_text(file)), {}, a.games, {}};
  const FeatureSet& set = report.set;
  const auto game = games::make_game(set.game, games::parse_parameters(set.parameters));
  report.shares = engine::activity_of(set, *game, a.games, a.seed);
  report.order.resize(set.features.size());
  std::iota(report.order.begin(), report.order.end(), 0);
  std::ranges::stable_sort(report.order, std::greater{},
                           [&](std::size_t f) { return heaviness(set, f); });
  return report;
}

void show(const FeatureReport& report) {
  const FeatureSet& set = report.set;
  const engine::FeatureGame facts = engine::feature_game(set);
  std::cout << set.game << (set.parameters.empty() ? "" : " ") << set.parameters << ", "
            << set.features.size() << " features";
  if (!set.procedure.empty()) std::cout << ": " << set.procedure;
  std::cout << "\n" << engine::picture_legend() << "\n";
  std::cout << "active: of the legal moves of " << report.games << " random games\n";
  for (const std::size_t f : report.order) {
    std::cout << "\n";
    for (int c = 0; c < set.columns; ++c) {
      std::cout << format("%+.4g ", set.weight(f, static_cast<games::Colour>(c)));
    }
    std::cout << " " << engine::text_of(set.features[f], facts.letters) << "   active "
              << format("%.3g", 100 * report.shares[f]) << " %\n";
    for (const std::string& row : engine::picture_of(set.features[f], facts)) {
      std::cout << "    " << row << "\n";
    }
  }
}

}  // namespace

int features_command(const std::vector<std::string>& arguments) {
  FeatureFlags flags;
  std::vector<std::string> words;
  if (!read_flags("features", features_usage, describe(flags), arguments, &words)) return 0;
  const std::string verb = words.empty() ? "" : words[0];
  try {
    if (verb == "init" && words.size() == 1) {
      init(flags);
    } else if (verb == "show" && words.size() == 2) {
      const FeatureReport report = report_of(words[1], flags);
      if (flags.html.empty()) {
        show(report);
      } else {
        replace_file(flags.html, features_page(report));
      }
    } else if (!verb.empty() && verb != "init" && verb != "show") {
      refuse_verb("features", verb, std::array<std::string_view, 2>{"init", "show"});
    } else {
      throw UserError("expected init, or show and a file; see pitboss features --help");
    }
  } catch (const engine::BadFeatures& bad) {
    throw UserError(bad.what());
  }
  return 0;
}

}  // namespace pitboss::clients
