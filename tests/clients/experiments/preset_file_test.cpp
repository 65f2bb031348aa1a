#include "clients/experiments/preset_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/player_settings.hpp"
#include "engine/search/search.hpp"
#include "games/all_games.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"

namespace pitboss::clients {

namespace {

std::string text_of(const std::vector<engine::Assignment>& options) {
  std::string text;
  for (const auto& [name, value] : options) text += name + "=" + value + " ";
  return text;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("expand_presets: a file's options come first, and those beside it replace them") {
  const ScratchFolder folder;
  const auto file = folder / "tuned.toml";
  write(file, "preset = \"paper\"\nk = 0.25\nNovelty = \"pseudocount\"\nsolver = true\n");
  std::vector<engine::Assignment> options{
      {"K", "0.5"}, {"Preset", file.string()}, {"simulations", "9"}};
  expand_presets(options);
  CHECK(text_of(options) == "preset=paper novelty=pseudocount solver=true K=0.5 simulations=9 ");

  std::vector<engine::Assignment> others{{"preset", "paper"}, {"k", "1"}};
  expand_presets(others);
  CHECK(text_of(others) == "preset=paper k=1 ");
}

TEST_CASE("read_preset: mistakes name file, line and key") {
  const ScratchFolder folder;
  const auto file = folder / "p.toml";
  const auto error = [&](const std::string& text) {
    write(file, text);
    const std::string found = error_of([&] { static_cast<void>(read_preset(file)); });
    CHECK(found.find("p.toml") != std::string::npos);
    return found.substr(std::min(found.find("line"), found.size()));
  };
  CHECK(error("\nkk = 1").starts_with("line 2, kk: unknown option 'kk'"));
  CHECK(error("k = 200") == "line 1, k: k must be a number from 0 to 100, not '200'");
  CHECK(error("k = [1]").starts_with("line 1, k: "));
  CHECK(error("seed = 1") == "line 1, seed: a preset has no seed");
  CHECK(error("preset = \"x.toml\"") ==
        "line 1, preset: a preset in a file is one of the daemon's, not another file");
  CHECK(error("k =").starts_with("line 1: not TOML"));
  CHECK(error_of([&] { static_cast<void>(read_preset(folder / "none.toml")); }).find("none.toml") !=
        std::string::npos);
}

TEST_CASE("preset=FILE.toml: players have its options, and no path") {
  const ScratchFolder folder;
  write(folder / "p.toml", "preset = \"paper\"\nk = 0.25\n");
  const Player player =
      parse_player("name=A beta=2 preset=" + (folder / "p.toml").string(), {{"a", 1}});
  CHECK(text_of(player.options) == "preset=paper k=0.25 beta=2 ");

  // In an experiment file the path counts from the file's folder.
  write(folder / "e.toml",
        "game = \"hex\"\ngames = 2\n[[server]]\naddress = \"a:1\"\n"
        "[[player]]\nname = \"A\"\noptions = { preset = \"p.toml\" }\n[[player]]\nname = \"B\"\n");
  const ExperimentFile read = read_experiment_file(folder / "e.toml");
  CHECK(text_of(read.experiment.matches[0].players[0].options) == "preset=paper k=0.25 ");
  write(folder / "e.toml",
        "game = \"hex\"\ngames = 2\n[[server]]\naddress = \"a:1\"\n"
        "[[player]]\nname = \"A\"\noptions = { preset = \"q.toml\" }\n[[player]]\nname = \"B\"\n");
  CHECK(error_of([&] {
          static_cast<void>(read_experiment_file(folder / "e.toml"));
        }).find("q.toml") != std::string::npos);
}

TEST_CASE("read_preset: data/options/hex.toml is a search of hex") {
  engine::Options options;
  for (const auto& [name, value] : read_preset(tests::data_folder() + "/options/hex.toml")) {
    static_cast<void>(engine::set_option(options, name, value));
  }
  CHECK(options.playout == engine::Playout::informed);
  CHECK(options.estimators.has(engine::Estimator::rave));
  CHECK(options.exact);
  CHECK(options.knowledge > 0);
  engine::check_options(*games::make_game("hex"), options);
}

}  // namespace pitboss::clients
