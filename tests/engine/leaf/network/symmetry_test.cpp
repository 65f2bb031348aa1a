#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/network/symmetry_tables.hpp"
#include "games/unboxed.hpp"
#include "tests/engine/leaf/network/network_folder.hpp"
#include "tests/engine/leaf/network/weights.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/games/set_up.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

using Game = std::unique_ptr<games::AnyGame>;

/// The legal moves' texts by the images of their parts.
std::map<std::set<int>, std::string> moves_by_image(const games::AnyGame& game,
                                                    const SymmetryTable& table) {
  std::map<std::set<int>, std::string> moves;
  games::unboxed(game, [&]<class G>(const G& g) {
    games::MoveList<G::max_moves> list;
    g.legal_moves(list);
    for (const games::Move move : list) {
      std::set<int> parts;
      for (const int entry : g.policy_parts(move)) parts.insert(table.policy[entry]);
      moves[parts] = g.text(move);
    }
  });
  return moves;
}
/// Of each legal move of `game` the move of `image` to which it goes, as texts.
std::map<std::string, std::string> move_images(const games::AnyGame& game,
                                               const games::AnyGame& image,
                                               const std::vector<SymmetryTable>& tables,
                                               std::size_t symmetry) {
  const auto there = moves_by_image(image, tables[0]);
  std::map<std::string, std::string> images;
  for (const auto& [parts, move] : moves_by_image(game, tables[symmetry])) {
    images[move] = there.at(parts);
  }
  return images;
}

std::vector<float> image_of(const std::vector<float>& planes, const std::vector<int>& cells) {
  std::vector<float> image(planes.size());
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const std::size_t cell = i % cells.size();
    image[i - cell + cells[cell]] = planes[i];
  }
  return image;
}

std::vector<int> composed(const std::vector<int>& first, const std::vector<int>& second) {
  std::vector<int> both;
  for (const int i : first) both.push_back(second[i]);
  return both;
}

bool is_permutation_of(const std::vector<int>& images, int size) {
  const std::set<int> all(images.begin(), images.end());
  return std::ssize(images) == size && std::ssize(all) == size && *all.begin() == 0 &&
         *all.rbegin() == size - 1;
}

/// A position after some random moves, and its images, by symmetry.
std::vector<Game> images_after(std::string_view line, int plies) {
  const Game initial = games::game_of(line);
  const auto tables = symmetry_tables(*initial);
  std::vector<Game> positions;
  for (std::size_t s = 0; s < tables.size(); ++s) positions.push_back(initial->clone());
  games::Random random(7);
  for (int ply = 0; ply < plies && !positions[0]->result().finished(); ++ply) {
    const std::string move = positions[0]->random_move(random);
    for (std::size_t s = tables.size(); s-- > 0;) {
      positions[s]->play(move_images(*positions[0], *positions[s], tables, s).at(move));
    }
  }
  return positions;
}

/// A network with all the terms that learning gives.
std::shared_ptr<Networks> networks_for(const games::AnyGame& game,
                                       const clients::ScratchFolder& folder,
                                       std::size_t cache_bytes = Networks::default_cache_bytes) {
  NetworkFile file = tests::network_for(game, 1);
  file.tensors = tests::learned_weights(file.shape, 1);
  tests::write_network(folder, "net", file);
  return std::make_shared<Networks>(folder.path(), cache_bytes);
}

constexpr const char* by_network = "selection=puct evaluation=network network=net ";

Assessment evaluation_of(const games::AnyGame& game, const std::shared_ptr<Networks>& networks,
                         const std::string& more) {
  return make_search(game, networks)->evaluate(game, tests::options_of(by_network + more));
}

bool agree(const Assessment& a, const Assessment& b) {
  constexpr auto close = [](double x, double y) { return std::abs(x - y) < 1e-6; };
  return std::ranges::equal(a.values, b.values, close) &&
         std::ranges::equal(a.policy, b.policy, [&](const auto& x, const auto& y) {
           return x.first == y.first && close(x.second, y.second);
         });
}

/// What the network says of each image, with the moves of the position itself.
std::vector<Assessment> seen_in_symmetries(const std::vector<Game>& images,
                                           const std::shared_ptr<Networks>& networks,
                                           const std::string& more) {
  const auto tables = symmetry_tables(*images[0]);
  std::vector<Assessment> all;
  for (std::size_t s = 0; s < images.size(); ++s) {
    const Assessment said = evaluation_of(*images[s], networks, more);
    const std::map<std::string, double> there(said.policy.begin(), said.policy.end());
    const auto move_image = move_images(*images[0], *images[s], tables, s);
    Assessment here = evaluation_of(*images[0], networks, more);
    here.values = said.values;
    for (auto& [move, prior] : here.policy) prior = there.at(move_image.at(move));
    all.push_back(std::move(here));
  }
  return all;
}

Assessment mean_of(const std::vector<Assessment>& all) {
  Assessment mean = all[0];
  const auto count = static_cast<double>(all.size());
  for (std::size_t c = 0; c < mean.values.size(); ++c) {
    mean.values[c] = 0;
    for (const auto& one : all) mean.values[c] += one.values[c] / count;
  }
  for (std::size_t m = 0; m < mean.policy.size(); ++m) {
    mean.policy[m].second = 0;
    for (const auto& one : all) mean.policy[m].second += one.policy[m].second / count;
  }
  return mean;
}

/// Positions with many symmetries, and policies of every kind.
struct Row {
  const char* game;
  int plies;
  const char* more;
};
constexpr std::array rows{Row{"othello", 9, ""},
                          Row{"othello size=6", 6, "prior_mask=all"},
                          Row{"connect4", 5, ""},
                          Row{"breakthrough", 8, ""},
                          Row{"knightthrough", 8, "prior_temperature=2"},
                          Row{"teeko", 11, ""},
                          Row{"yavalath swap=on", 1, "prior_mask=all"},
                          Row{"pentalath", 6, ""},
                          Row{"hex size=5", 4, ""},
                          Row{"chinesecheckers", 6, ""},
                          Row{"fanorona", 3, ""}};

}  // namespace

TEST_CASE("symmetry tables: permutations, a group, planes go where moves go") {
  for (const auto name : games::game_names()) {
    CAPTURE(name);
    const auto images = images_after(name, 12);
    const auto tables = symmetry_tables(*images[0]);
    const NetworkInterface sizes = network_interface(*images[0]);
    for (std::size_t s = 0; s < tables.size(); ++s) {
      CHECK(is_permutation_of(tables[s].cells, sizes.rows * sizes.columns));
      CHECK(is_permutation_of(tables[s].policy, sizes.policy));
      CHECK(std::ranges::count(tables, tables[s]) == 1);
      for (const SymmetryTable& then : tables) {
        const SymmetryTable both{composed(tables[s].cells, then.cells),
                                 composed(tables[s].policy, then.policy)};
        CHECK(std::ranges::count(tables, both) == 1);
      }
      CHECK(images[s]->planes() == image_of(images[0]->planes(), tables[s].cells));
    }
    CHECK(std::ranges::is_sorted(tables[0].cells));
    CHECK(std::ranges::is_sorted(tables[0].policy));
  }
}

TEST_CASE("network_symmetry=random: a position has the evaluation of one of its images") {
  for (const auto& [line, plies, more] : rows) {
    CAPTURE(line);
    const auto images = images_after(line, plies);
    const clients::ScratchFolder folder;
    const auto networks = networks_for(*images[0], folder);
    const auto expected = seen_in_symmetries(images, networks, more);
    std::set<std::size_t> met;
    for (int seed = 1; seed <= 100 && met.size() < expected.size(); ++seed) {
      const std::string drawn = more + (" network_symmetry=random seed=" + std::to_string(seed));
      const Assessment said = evaluation_of(*images[0], networks, drawn);
      CHECK(agree(said, evaluation_of(*images[0], networks, drawn)));
      const auto found =
          std::ranges::find_if(expected, [&](const Assessment& one) { return agree(said, one); });
      REQUIRE(found != expected.end());
      met.insert(static_cast<std::size_t>(found - expected.begin()));
    }
    CHECK(met.size() == expected.size());
  }
}

TEST_CASE("network_symmetry=random: an open seed is drawn for each evaluation") {
  const auto game = games::make_game("gomoku", games::parse_parameters("opening=free"));
  game->play("b3");
  const clients::ScratchFolder folder;
  const auto networks = networks_for(*game, folder);
  std::set<double> values;
  for (int i = 0; i < 40; ++i) {
    values.insert(evaluation_of(*game, networks, "network_symmetry=random seed=0").values[0]);
  }
  CHECK(values.size() > 1);
}

TEST_CASE("network_symmetry=average: the mean, the same for all images") {
  for (const auto& [line, plies, more] : rows) {
    CAPTURE(line);
    const auto images = images_after(line, plies);
    const clients::ScratchFolder folder;
    const auto networks = networks_for(*images[0], folder);
    const std::string average = std::string(more) + " network_symmetry=average";
    const Assessment mean = mean_of(seen_in_symmetries(images, networks, more));
    CHECK(agree(evaluation_of(*images[0], networks, average), mean));
    for (const Assessment& one : seen_in_symmetries(images, networks, average)) {
      CHECK(agree(one, mean));
    }
  }
}

TEST_CASE("network_symmetry: a seed gives the same search, whatever the cache knows") {
  const auto game = games::make_game("othello");
  const clients::ScratchFolder folder;
  const auto cached = networks_for(*game, folder);
  const auto bare = networks_for(*game, folder, 0);
  const auto visits_with = [&](const auto& networks, const std::string& more) {
    return tests::visits(tests::search_on(*make_search(*game, networks), *game, 0,
                                          tests::options_of(by_network + more)));
  };
  const std::string most = "simulations=300 network_symmetry=";
  std::set<std::vector<std::int64_t>> searches;
  for (const char* more : {"none", "random", "random seed=2", "average"}) {
    CAPTURE(more);
    const auto visits = visits_with(bare, most + more);
    CHECK(visits_with(cached, most + more) == visits);
    CHECK(visits_with(cached, most + more) == visits);
    searches.insert(visits);
  }
  CHECK(searches.size() == 4);
}
