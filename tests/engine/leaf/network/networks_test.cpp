#include "engine/leaf/network/networks.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "engine/leaf/network/random_weights.hpp"
#include "tests/engine/leaf/network/network_folder.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/sanitized.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using clients::ScratchFolder;
using clients::write_text;
using tests::network_for;
using tests::write_network;

namespace {

std::string why_not(Networks& networks, const std::string& name) {
  try {
    static_cast<void>(networks.get(name));
  } catch (const BadNetwork& bad) {
    return bad.what();
  }
  return "";
}

/// A search by PUCT with the network "net" of the folder.
Report search_with(const std::shared_ptr<Networks>& networks, const games::AnyGame& game,
                   const std::string& more = "") {
  const Options options =
      tests::options_of("selection=puct evaluation=network network=net simulations=200 " + more);
  return tests::search_on(*make_search(game, networks), game, 0, options);
}

std::string search_error(const std::shared_ptr<Networks>& networks, const games::AnyGame& game,
                         const std::string& more = "") {
  try {
    static_cast<void>(search_with(networks, game, more));
  } catch (const BadOption& bad) {
    return bad.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Networks: one copy for all, read anew when the file is another, freed with the last") {
  const ScratchFolder folder;
  const auto game = games::make_game("connect4");
  write_network(folder, "net", network_for(*game, 1));
  Networks networks(folder.path());
  CHECK(networks.names() == std::vector<std::string>{"net"});
  auto first = networks.get("net");
  CHECK(networks.get("net") == first);
  write_network(folder, "net", network_for(*game, 2));
  std::filesystem::last_write_time(
      folder / "net.safetensors",
      std::filesystem::last_write_time(folder / "net.safetensors") + std::chrono::seconds(2));
  const auto second = networks.get("net");
  CHECK(second != first);
  CHECK(second->sha256 != first->sha256);
  const std::weak_ptr<const LoadedNetwork> old = first;
  first.reset();
  CHECK(old.expired());
  // What is in use stays usable when its file goes away; what is not is gone.
  std::filesystem::remove(folder / "net.safetensors");
  CHECK(second->game == "connect4");
  CHECK(why_not(networks, "net") ==
        "there is no network 'net', and the server's folder of networks is empty");
}

TEST_CASE("Networks: what cannot be a network is told") {
  const ScratchFolder folder;
  const auto game = games::make_game("connect4");
  NetworkFile file = network_for(*game, 1);
  write_network(folder, "net", file);
  write_text(folder / "text.safetensors", "no network");
  file.tensors.begin()->second.data[0] = std::numeric_limits<float>::quiet_NaN();
  write_network(folder, "nan", file);
  file.tensors.erase(file.tensors.begin());
  write_network(folder, "less", file);
  std::filesystem::create_directory(folder / "folder.safetensors");
  std::filesystem::create_symlink(folder / "nowhere", folder / "dangling.safetensors");
  std::filesystem::create_symlink(folder / "net.safetensors", folder / "link.safetensors");
  REQUIRE(mkfifo((folder / "pipe.safetensors").c_str(), 0600) == 0);
  Networks networks(folder.path());
  CHECK(networks.names() == std::vector<std::string>{"less", "link", "nan", "net", "text"});
  CHECK(why_not(networks, "link").empty());
  CHECK(why_not(networks, "dangling").starts_with("there is no network 'dangling'"));
  CHECK(why_not(networks, "pipe").find("it is not a regular file") != std::string::npos);
  CHECK(why_not(networks, "nett") == "there is no network 'nett'; did you mean 'net'?");
  CHECK(why_not(networks, "../net").starts_with("there is no network '../net'"));
  CHECK(
      why_not(networks, "text") ==
      "network text: the file is not in safetensors format: its header is longer than the file or "
      "1 MiB");
  CHECK(why_not(networks, "nan").starts_with("network nan: "));
  CHECK(why_not(networks, "less").starts_with("network less: "));
  CHECK(why_not(networks, "folder").find("it is not a regular file") != std::string::npos);
  CHECK(why_not(networks, "net").empty());
}

TEST_CASE("Networks: one that is no file is found by its name alone") {
  const auto game = games::make_game("connect4");
  const auto network =
      std::make_shared<const LoadedNetwork>("net", network_for(*game, 1), "hash", 0);
  Networks networks(network);
  CHECK(networks.get("net") == network);
  CHECK(networks.names() == std::vector<std::string>{"net"});
  CHECK(why_not(networks, "ten") == "there is no network 'ten'; known: net");
  CHECK(search_with(std::make_shared<Networks>(network), *game).network->sha256 == "hash");
}

TEST_CASE("search with a network: every game, priors of its policy, the hash in the report" *
          doctest::skip(tests::thread_sanitized)) {
  for (const auto name : games::game_names()) {
    CAPTURE(name);
    const ScratchFolder folder;
    const auto game = games::make_game(name);
    write_network(folder, "net", network_for(*game, 1));
    const auto networks = std::make_shared<Networks>(folder.path());
    const Report report = search_with(networks, *game);
    CHECK(tests::sum_of_visits(report) == 200);
    double sum = 0;
    for (const MoveReport& move : report.moves) sum += *move.prior;
    CHECK(sum == doctest::Approx(1));
    REQUIRE(report.network);
    CHECK(report.network->sha256 == networks->get("net")->sha256);
    CHECK(report.network->evaluations > 0);

    // The evaluation of a position is what the search saw of it.
    const auto search = make_search(*game, networks);
    const Assessment said = search->evaluate(*game, report.options);
    CHECK(said.values.size() == game->colours().size());
    for (const auto& [move, prior] : said.policy) {
      const auto told = std::ranges::find(report.moves, move, &MoveReport::move);
      REQUIRE(told != report.moves.end());
      CHECK(*told->prior == doctest::Approx(prior));
    }
  }
}

TEST_CASE("search with a network: the searches of one table load it once") {
  const ScratchFolder folder;
  const auto game = games::make_game("connect4");
  write_network(folder, "net", network_for(*game, 1));
  const auto networks = std::make_shared<Networks>(folder.path());
  const auto search = make_search(*game, networks);
  const Options options =
      tests::options_of("selection=puct evaluation=network network=net simulations=20");
  static_cast<void>(tests::search_on(*search, *game, 0, options));
  const std::weak_ptr<const LoadedNetwork> first = networks->get("net");
  const Report again = tests::search_on(*search, *game, 0, options);
  CHECK(first.lock() == networks->get("net"));
  CHECK(again.network->cached == again.network->evaluations);
}

TEST_CASE("search with a network: the cache changes nothing") {
  const ScratchFolder folder;
  const auto game = games::make_game("othello");
  write_network(folder, "net", network_for(*game, 1));
  const auto cached = std::make_shared<Networks>(folder.path());
  const auto keep = cached->get("net");
  const Report bare = search_with(std::make_shared<Networks>(folder.path(), 0), *game);
  CHECK(bare.network->cached == 0);
  const Report first = search_with(cached, *game);
  const Report second = search_with(cached, *game);
  CHECK(second.network->cached == second.network->evaluations);
  CHECK(tests::visits(first) == tests::visits(bare));
  CHECK(tests::visits(second) == tests::visits(bare));
}

TEST_CASE("search with a network: two on two threads are as one after the other") {
  const ScratchFolder folder;
  const auto game = games::make_game("othello");
  write_network(folder, "net", network_for(*game, 1));
  const std::vector<std::string> kinds{"seed=1", "seed=2 novelty=pseudocount"};
  for (const std::size_t cache : {std::size_t{0}, Networks::default_cache_bytes}) {
    CAPTURE(cache);
    const auto alone = std::make_shared<Networks>(folder.path(), cache);
    // Not in memory before: either thread may have to load it.
    const auto shared = std::make_shared<Networks>(folder.path(), cache);
    std::vector<Report> together(kinds.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        threads.emplace_back([&, i] { together[i] = search_with(shared, *game, kinds[i]); });
      }
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      CHECK(tests::visits(together[i]) == tests::visits(search_with(alone, *game, kinds[i])));
    }
  }
}

TEST_CASE("search with a network: composes with every measure, and what has no meaning is refused" *
          doctest::skip(tests::thread_sanitized)) {
  const ScratchFolder folder;
  const auto game = games::make_game("connect4");
  write_network(folder, "net", network_for(*game, 1));
  const auto networks = std::make_shared<Networks>(folder.path());
  for (const std::string& measure : tests::measures) {
    for (const char* more :
         {"", " selection=ucb1-tuned", " solver=true", " reuse_tree=true", " threads=2",
          " virtual_samples=false", " prior_mask=all", " estimators=history,global",
          " root_noise=0.25", " network_symmetry=random", " network_symmetry=average"}) {
      CAPTURE(measure);
      CAPTURE(more);
      const Report report = search_with(networks, *game, "novelty=" + measure + more);
      CHECK(tests::sum_of_visits(report) == 200);
    }
  }
  CHECK(search_error(networks, *game, "relative_bonus=true").find("needs playouts") !=
        std::string::npos);
  CHECK(search_error(networks, *game, "mast=0.5").find("needs playouts") != std::string::npos);
  CHECK(search_error(nullptr, *game).find("--networks FOLDER") != std::string::npos);
  CHECK(search_error(networks, *game, "network=none").find("set the option network to its name") !=
        std::string::npos);
  CHECK(search_error(networks, *games::make_game("othello")) ==
        "network net is for connect4, not for othello size=8");
  // Other rules of the same game, by which the planes and moves are the same.
  const auto renju = games::make_game("gomoku", games::parse_parameters("line=exactly-five"));
  write_network(folder, "fives", network_for(*renju, 1));
  CHECK(search_error(networks, *renju, "network=fives") == "");
  CHECK(search_error(networks, *games::make_game("gomoku"), "network=fives") ==
        "network fives is for gomoku " + renju->parameters().line() + ", not for gomoku " +
            games::make_game("gomoku")->parameters().line());
  NetworkFile other = network_for(*game, 1);
  other.shape.policy = 8;
  other.tensors = random_weights(other.shape, 1);
  write_network(folder, "wide", other);
  CHECK(search_error(networks, *game, "network=wide").find("other planes or outputs") !=
        std::string::npos);
  const auto amazons = games::make_game("amazons");
  write_network(folder, "queens", network_for(*amazons, 1));
  CHECK(search_error(networks, *amazons, "network=queens prior_mask=all")
            .find("set prior_mask to legal") != std::string::npos);
}

TEST_CASE(
    "evaluations of positions at once: those of each alone, and the network stays for the next") {
  for (const auto name : games::game_names()) {
    CAPTURE(name);
    const ScratchFolder folder;
    const auto start = games::make_game(name);
    write_network(folder, "net", network_for(*start, 1));
    const auto networks = std::make_shared<Networks>(folder.path(), std::size_t{0});  // no cache
    std::vector<std::unique_ptr<games::AnyGame>> positions;
    std::vector<const games::AnyGame*> all;
    games::Random random(1);
    for (auto game = start->clone(); positions.size() < 40; game->play(game->random_move(random))) {
      if (game->result().finished()) game = start->clone();
      all.push_back(positions.emplace_back(game->clone()).get());
    }
    for (const char* const how :
         {"evaluation=network network=net",
          "evaluation=network network=net network_symmetry=average", "evaluation=playout"}) {
      CAPTURE(how);
      auto search = make_search(*start, networks);
      const Options options = tests::options_of(how);
      const auto said = search->evaluate_all(all, options, {});
      REQUIRE(said.size() == all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Assessment alone = search->evaluate(*all[i], options);
        CHECK(said[i].values == alone.values);
        CHECK(said[i].policy == alone.policy);
        CHECK(said[i].network.has_value() == alone.network.has_value());
      }
      if (options.evaluation != EvaluatorKind::network) continue;
      const std::weak_ptr<const LoadedNetwork> held = networks->get("net");
      CHECK_FALSE(held.expired());
      search.reset();
      CHECK(held.expired());
    }
  }
}

TEST_CASE("prior_mask: a softmax over the legal moves, or over all entries of the policy") {
  const ScratchFolder folder;
  const auto networks = std::make_shared<Networks>(folder.path());
  const auto game = games::make_game("connect4");
  const auto priors = [&](const std::string& more) {
    const auto search = make_search(*game, networks);
    std::vector<double> out;
    for (const auto& [move, prior] :
         search->evaluate(*game, tests::options_of("evaluation=network network=net " + more))
             .policy) {
      out.push_back(prior);
    }
    return out;
  };
  const auto sum = [](const std::vector<double>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0);
  };
  const std::vector<std::string> masks{"prior_mask=legal", "prior_mask=all",
                                       "prior_mask=all prior_temperature=2"};
  NetworkFile file = network_for(*game, 1);
  write_network(folder, "net", file);
  for (const std::string& mask : masks) CHECK(sum(priors(mask)) == doctest::Approx(1));
  // Columns at either end of the policy are full.
  for (const char* column : {"a", "g"}) {
    for (const char* row : {"1", "2", "3", "4", "5", "6"}) game->play(std::string(column) + row);
  }
  const std::vector<double> legal = priors(masks[0]);
  const std::vector<double> all = priors(masks[1]);
  REQUIRE(legal.size() == 5);
  CHECK(sum(legal) == doctest::Approx(1));
  CHECK(sum(all) < 0.99);
  for (std::size_t i = 0; i < 5; ++i) CHECK(all[i] == doctest::Approx(legal[i] * sum(all)));
  // Without weights all entries are alike.
  for (auto& [name, tensor] : file.tensors) {
    if (name.starts_with("policy")) std::ranges::fill(tensor.data, 0);
  }
  write_network(folder, "even", file);
  for (const std::string& mask : masks) {
    const double share = mask == masks[0] ? 1.0 / 5 : 1.0 / 7;
    for (const double prior : priors(mask + " network=even")) {
      CHECK(prior == doctest::Approx(share));
    }
  }
}

TEST_CASE("search with a network: outputs that are no numbers end it with a sentence") {
  const ScratchFolder folder;
  const auto game = games::make_game("connect4");
  NetworkFile file = network_for(*game, 1);
  for (float& bias : file.tensors.at("policy.fc2.bias").data) bias = 3e38F;
  for (float& weight : file.tensors.at("policy.fc2.weight").data) weight = 3e38F;
  for (float& bias : file.tensors.at("policy.bn.bias").data) bias = 1;
  write_network(folder, "net", file);
  CHECK(search_error(std::make_shared<Networks>(folder.path()), *game) ==
        "network net gives values that are not finite numbers for a position");
}

TEST_CASE("Networks: network=auto is the one with the game's name") {
  const ScratchFolder folder;
  const auto game = games::make_game("connect4");
  const auto networks = std::make_shared<Networks>(folder.path());
  const auto search = [&](const std::string& more) {
    return tests::search_on(*make_search(*game, networks), *game, 0,
                            tests::options_of("preset=network simulations=50 seed=1" + more));
  };
  CHECK_THROWS_WITH_AS(
      static_cast<void>(search("")),
      "there is no network 'connect4', and the server's folder of networks is empty", BadOption);
  write_network(folder, "connect4", network_for(*game, 1));
  write_network(folder, "other", network_for(*game, 2));
  const Report report = search("");
  CHECK(report.network->name == "connect4");
  CHECK(report.move == search(" network=connect4").move);
  CHECK(search(" network=other").network->name == "other");
}

TEST_CASE("Networks: the names that a game may use") {
  const ScratchFolder folder;
  using Names = std::vector<std::string>;
  write_network(folder, "second", network_for(*games::make_game("hex"), 2));
  write_network(folder, "first", network_for(*games::make_game("hex"), 1));
  write_network(folder, "small",
                network_for(*games::make_game("hex", games::parse_parameters("size=5")), 1));
  write_network(folder, "connect4", network_for(*games::make_game("connect4"), 1));
  write_text(folder / "damaged.safetensors", "no network");
  const Networks networks(folder.path());
  CHECK(networks.names().size() == 5);
  CHECK(networks.names_for({"hex", "size=11 swap=off"}) == Names{"first", "second"});
  CHECK(networks.names_for({"hex", "size=5 swap=off"}) == Names{"small"});
  CHECK(networks.names_for({"connect4", ""}) == Names{"connect4"});
  CHECK(networks.names_for({"othello", "size=8"}).empty());
}
