#include "clients/training/self_play.hpp"

#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <numeric>

#include "clients/training/manifest.hpp"
#include "clients/training/self_play_game.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/training/tiny_run.hpp"

namespace pitboss::clients {

namespace {

const std::atomic<bool> never_stopped = false;

bool play(const RunFolder& run, int threads, int generation = 1) {
  return play_generation(run, generation, {threads}, never_stopped, [](const Played&) {});
}

/// A game by one player alone; nothing while none is over is asked for.
SelfPlayGame played(SelfPlayer& player, std::uint64_t seed) {
  engine::LeafBatch batch;
  player.begin(seed);
  for (;;) {
    if (auto game = player.step(batch)) return std::move(*game);
    batch.evaluate();
  }
}

/// All files of rows of a generation, one after the other.
std::string rows_of(const RunFolder& run, int generation = 1) {
  std::string all;
  for (const int first : {0, 5, 10}) all += read_text(run.rows_file(generation, first));
  return all;
}

/// Without the time that it took, which is part of a file's metadata.
std::string without_times(std::string text) {
  for (std::size_t at = 0; (at = text.find("\"seconds\":\"", at)) != std::string::npos; ++at) {
    const std::size_t begin = at + 11;
    text.erase(begin, text.find('"', begin) - begin);
  }
  return text;
}

}  // namespace

TEST_CASE("self-play: rows tell the positions, moves and end of a game") {
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  const auto start = run.start();
  const auto networks = std::make_shared<engine::Networks>(run.networks());
  SelfPlaySettings settings = run.settings().self_play;
  settings.full_share = 1;
  SelfPlayer player(*start, networks, "0000", settings, {0, 16, 8});
  const auto game = played(player, 5);
  REQUIRE(!game.rows.empty());
  CHECK(game.rows.back().plies_left == 1);
  for (const Row& row : game.rows) {
    CHECK(row.ply + row.plies_left == game.plies);
    CHECK(std::accumulate(row.outcome.begin(), row.outcome.end(), 0.0F) == 1);
    CHECK(row.root_value[0] + row.root_value[1] == doctest::Approx(1));
    int visits = 0;
    for (const Row::Choice& choice : row.moves) visits += choice.visits;
    CHECK(visits >= 16);
  }
  // The same seed is the same game, whatever was played before.
  static_cast<void>(played(player, 6));
  const auto again = played(player, 5);
  CHECK(row_file_bytes({}, again.rows) == row_file_bytes({}, game.rows));
  CHECK(again.opening == game.opening);
}

TEST_CASE("self-play: in a game for more than two the root's values are shares of one point, too") {
  for (const int players : {3, 4}) {
    CAPTURE(players);
    const ScratchFolder folder;
    TrainingSettings settings = tiny();
    settings.game = "rolit players=" + std::to_string(players);
    settings.self_play.full_share = 1;
    const RunFolder run = RunFolder::make(folder / "run", settings);
    SelfPlayer player(*run.start(), std::make_shared<engine::Networks>(run.networks()), "0000",
                      settings.self_play, {0, 1, 1});
    const auto game = played(player, 5);
    REQUIRE(game.rows.size() > 10);
    for (const Row& row : game.rows) {
      const auto colours = static_cast<std::size_t>(players);
      REQUIRE(row.root_value.size() == colours);
      REQUIRE(row.outcome.size() == colours);
      const auto sum = [](const auto& shares) {
        return std::accumulate(shares.begin(), shares.end(), 0.0F);
      };
      CHECK(sum(row.root_value) == doctest::Approx(1));
      CHECK(sum(row.outcome) == doctest::Approx(1));
      // All but the mover's are alike.
      const std::size_t mover = row.ply % colours;
      const float of_others = row.root_value[(mover + 1) % colours];
      for (std::size_t c = 0; c < colours; ++c) {
        if (c != mover) CHECK(row.root_value[c] == of_others);
      }
    }
  }
}

TEST_CASE("self-play: searches follow from the legal moves, and begin as the settings say") {
  struct Recipe {
    const char* name;
    double forced_playouts;
    int gumbel_moves;
    double policy_surprise;
  };
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  const auto networks = std::make_shared<engine::Networks>(run.networks());
  SelfPlaySettings settings = run.settings().self_play;
  settings.full_share = 1;
  settings.visits_per_move = 8;
  settings.visits_most = 60;
  const SearchStage stage{0, 32, 8};
  std::string plain;
  for (const Recipe& recipe : {Recipe{"puct", 0, 0, 0}, Recipe{"forced", 2, 0, 0},
                               Recipe{"gumbel", 0, 4, 0}, Recipe{"surprise", 0, 0, 0.5}}) {
    CAPTURE(recipe.name);
    settings.forced_playouts = recipe.forced_playouts;
    settings.gumbel_moves = recipe.gumbel_moves;
    settings.policy_surprise = recipe.policy_surprise;
    SelfPlayer player(*run.start(), networks, "0000", settings, stage);
    const auto game = played(player, 3);
    REQUIRE(game.rows.size() > 2);
    std::int64_t simulations = 0;
    double weight = 0;
    bool is_uneven = false;
    for (const Row& row : game.rows) {
      simulations += std::clamp(8 * static_cast<int>(row.moves.size()), 32, 60);
      weight += row.weight;
      is_uneven |= row.weight != 1;
      const auto most = std::ranges::max_element(row.moves, {}, &Row::Choice::visits);
      CHECK((most->visits == UINT16_MAX) == (recipe.gumbel_moves > 0));
    }
    CHECK(game.simulations == simulations);
    CHECK(weight == doctest::Approx(static_cast<double>(game.rows.size())));
    CHECK(is_uneven == (recipe.policy_surprise > 0));
    const std::string rows = row_file_bytes({}, game.rows);
    CHECK(row_file_bytes({}, played(player, 3).rows) == rows);
    if (plain.empty()) plain = rows;
    CHECK((rows == plain) == (std::string_view(recipe.name) == "puct"));
  }
}

TEST_CASE("self-play: root noise is for full searches by PUCT alone") {
  struct Kind {
    const char* what;
    double full_share;
    int gumbel_moves;
    bool has_noise;
  };
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  const auto networks = std::make_shared<engine::Networks>(run.networks());
  for (const Kind& kind : {Kind{"fast searches", 0, 0, false}, Kind{"full searches", 1, 0, true},
                           Kind{"both", 0.5, 0, true}, Kind{"Gumbel", 1, 4, false}}) {
    CAPTURE(kind.what);
    SelfPlaySettings settings = run.settings().self_play;
    settings.full_share = kind.full_share;
    settings.gumbel_moves = kind.gumbel_moves;
    const auto games = [&](double noise) {
      settings.root_noise = noise;
      SelfPlayer player(*run.start(), networks, "0000", settings, {0, 16, 8});
      std::string all;
      for (std::uint64_t seed = 1; seed < 20; ++seed) {
        const auto game = played(player, seed);
        all += std::to_string(game.opening) + row_file_bytes({}, game.rows);
      }
      return all;
    };
    CHECK((games(0) != games(1)) == kind.has_noise);
  }
}

TEST_CASE("self-play: rows of a decided game count less, until a turn is not won") {
  const ScratchFolder folder;
  TrainingSettings made = tiny();
  made.game = "hex size=5";
  const RunFolder run = RunFolder::make(folder / "run", made);
  SelfPlaySettings settings = made.self_play;
  settings.full_share = 1;
  settings.decided_value = 0.5;
  settings.decided_turns = 2;
  settings.decided_weight = 0.25;
  settings.decided_simulations = 5;
  settings.visits_per_move = 0;
  SelfPlayer player(*run.start(), std::make_shared<engine::Networks>(run.networks()), "0000",
                    settings, {0, 16, 8});
  int decided = 0;
  int ended = 0;
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const auto game = played(player, seed);
    std::array<int, 2> turns{};
    std::int64_t simulations = 0;
    bool was_decided = false;
    for (const Row& row : game.rows) {
      const bool is_decided = turns[0] >= 2 || turns[1] >= 2;
      CHECK(row.weight == (is_decided ? 0.25F : 1));
      simulations += is_decided ? 5 : 16;
      int& of_mover = turns[row.ply % 2];
      of_mover = row.root_value[row.ply % 2] > 0.5F ? of_mover + 1 : 0;
      decided += is_decided ? 1 : 0;
      ended += was_decided && !is_decided ? 1 : 0;
      was_decided = is_decided;
    }
    CHECK(game.simulations == simulations);
  }
  CHECK(decided > 0);
  CHECK(ended > 0);
}

TEST_CASE("self-play: a generation is the same for any number of threads and processes") {
  const ScratchFolder folder;
  const RunFolder one = RunFolder::make(folder / "one", tiny());
  const RunFolder other = RunFolder::make(folder / "other", tiny());
  CHECK(play(one, 1));
  CHECK(play(other, 3));
  CHECK(without_times(rows_of(one)) == without_times(rows_of(other)));
  // What is there is not played again, what is missing is.
  const std::string before = rows_of(one);
  std::filesystem::remove(one.rows_file(1, 5));
  CHECK(play(one, 2));
  CHECK(without_times(rows_of(one)) == without_times(before));
}

TEST_CASE("self-play: a file that another process plays is left to it") {
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  std::filesystem::create_directories(run.rows(1));
  std::atomic<bool> stop = false;
  {
    const auto lock = try_lock(run.rows(1) / "games-000005.lock");
    REQUIRE(lock);
    CHECK_FALSE(try_lock(run.rows(1) / "games-000005.lock"));
    std::jthread stopper([&] {
      while (!std::filesystem::exists(run.rows_file(1, 10))) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      stop = true;
    });
    CHECK_FALSE(play_generation(run, 1, {1}, stop, [](const Played&) {}));
    CHECK_FALSE(std::filesystem::exists(run.rows_file(1, 5)));
  }
  CHECK(play(run, 1));
  CHECK(std::filesystem::exists(run.rows_file(1, 5)));
}

TEST_CASE("manifest: names whole files only, and sets others aside") {
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  CHECK(play(run, 2));
  std::vector<std::string> notes;
  const auto on_note = [&](const std::string& note) { notes.push_back(note); };
  const std::string whole = read_text(run.rows_file(1, 5));
  write_text(run.rows_file(1, 5), whole.substr(0, whole.size() / 2));
  CHECK_FALSE(write_manifest(run, 1, on_note));
  CHECK_FALSE(read_manifest(run, 1));
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("cut off") != std::string::npos);
  CHECK(std::filesystem::exists(run.rows_file(1, 5).string() + ".damaged"));
  CHECK(play(run, 1));
  CHECK(write_manifest(run, 1, on_note));
  const auto figures = read_manifest(run, 1);
  REQUIRE(figures);
  CHECK(figures->games == 12);
  CHECK(figures->rows > 12);
  CHECK(figures->distinct_openings > 0);
  // Rows of another game, or of another number of games, do not belong here.
  TrainingSettings other = tiny();
  other.game = "hex size=4";
  const RunFolder foreign = RunFolder::make(folder / "foreign", other);
  CHECK(play(foreign, 1));
  std::filesystem::copy_file(run.rows_file(1, 0), foreign.rows_file(1, 0),
                             std::filesystem::copy_options::overwrite_existing);
  CHECK_FALSE(write_manifest(foreign, 1, on_note));
  CHECK(notes.back().find("parameters") != std::string::npos);
}

TEST_CASE(
    "manifest: a file under the number of other games is set aside, and they are played again") {
  const ScratchFolder folder;
  TrainingSettings settings = tiny();
  settings.self_play.games = settings.self_play.early_games = 15;  // three files alike
  const RunFolder run = RunFolder::make(folder / "run", settings);
  CHECK(play(run, 2));
  const std::string before = rows_of(run);
  // Each has as many games, of the same generation, by the same network.
  const auto copy = [&](int from, int to) {
    std::filesystem::copy_file(run.rows_file(1, from), run.rows_file(1, to),
                               std::filesystem::copy_options::overwrite_existing);
  };
  copy(5, 10);
  copy(0, 5);
  std::vector<std::string> notes;
  const auto on_note = [&](const std::string& note) { notes.push_back(note); };
  CHECK_FALSE(write_manifest(run, 1, on_note));
  CHECK_FALSE(read_manifest(run, 1));
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].find("its first_game is 0, not 5") != std::string::npos);
  CHECK(notes[1].find("its first_game is 5, not 10") != std::string::npos);
  for (const int first : {0, 5, 10}) {
    const std::filesystem::path file = run.rows_file(1, first);
    CHECK(std::filesystem::exists(file) == (first == 0));
    CHECK(std::filesystem::exists(file.string() + ".damaged") == (first != 0));
  }
  CHECK(play(run, 2));
  CHECK(without_times(rows_of(run)) == without_times(before));
  CHECK(write_manifest(run, 1, on_note));
  CHECK(read_manifest(run, 1)->games == 15);
  CHECK(notes.size() == 2);
}

TEST_CASE("run folder: a run is made once, and others are refused") {
  const ScratchFolder folder;
  static_cast<void>(RunFolder::make(folder / "run", tiny()));
  const std::string first = read_text(folder / "run/networks/0000.safetensors");
  CHECK(RunFolder::make(folder / "run", tiny()).last_generation() == 0);
  CHECK(read_text(folder / "run/networks/0000.safetensors") == first);
  TrainingSettings other = tiny();
  other.seed = 2;
  CHECK(error_of([&] {
          static_cast<void>(RunFolder::make(folder / "run", other));
        }).find("other settings") != std::string::npos);
  CHECK(error_of([&] {
          static_cast<void>(RunFolder::open(folder / "none"));
        }).find("no training run") != std::string::npos);
  // A start that was killed is made anew; whose games have lost their settings is told.
  for (const bool has_games : {false, true}) {
    static_cast<void>(RunFolder::make(folder / "part", tiny()));
    CHECK(read_text(folder / "part/networks/0000.safetensors") == first);
    std::filesystem::remove(folder / "part/settings.toml");
    if (has_games) std::filesystem::create_directories(folder / "part/generations");
  }
  CHECK(error_of([&] {
          static_cast<void>(RunFolder::make(folder / "part", tiny()));
        }).find("but no settings.toml") != std::string::npos);
  {
    const FileLock lock = driver_lock(folder.path());
    CHECK(error_of([&] {
            static_cast<void>(RunFolder::make(folder.path(), tiny()));
          }).find("another pitboss train") != std::string::npos);
  }
  const auto json = nlohmann::json::parse(read_text(folder / "run/run.json"));
  CHECK(json.at("policy") == 9);
  CHECK(json.at("architecture").at("planes") == 4);
  REQUIRE(json.at("symmetries").size() == 2);
  CHECK(json.at("symmetries")[1].at("cells") == nlohmann::json({8, 7, 6, 5, 4, 3, 2, 1, 0}));
}

}  // namespace pitboss::clients
