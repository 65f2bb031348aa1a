#include "engine/tree/selector.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "engine/formulas.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

/// A node with its moves, all of which have nodes, in a tree of their own.
struct Family {
  explicit Family(int count) : selector(count) {
    tree.reset(1);
    writer.reset(tree, true);
    index = writer.add_block(count);
    for (int i = 0; i < count; ++i) priors.push_back(0.1F + 0.2F * static_cast<float>(i % 3));
  }
  void open(const Options& options) {
    selector.set(options, 0);
    std::vector<games::Move> moves(block().count);
    selector.open(block(), moves.data(), 0.5, priors, random);
    for (int i = 0; i < block().count; ++i) {
      block().node()[i] = writer.add_node();
      node(i) = Selector::untried(options.virtual_value);
    }
  }
  [[nodiscard]] MoveBlock& block() { return tree.block(index); }
  [[nodiscard]] Node& node(int move) { return tree.node(block().node()[move]); }

  std::vector<float> priors;
  Tree tree;
  TreeWriter writer;
  Selector selector;
  games::Random random{1};
  Index index = 0;
};

/// Everything that a move has been given, virtual sample included.
struct History {
  std::vector<double> values;
  double novelty = 0;

  [[nodiscard]] double n() const { return static_cast<double>(values.size()); }
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double v : values) sum += v;
    return sum / n();
  }
  [[nodiscard]] double variance() const {
    double sum = 0;
    for (const double v : values) sum += (v - mean()) * (v - mean());
    return sum / n();
  }
};

}  // namespace

TEST_CASE("Selector: chooses by every rule's bound, whatever has been backed up") {
  using enum NoveltyMix;
  for (int count = 1; count <= 20; ++count) {
    for (const std::optional<NoveltyMix> mix :
         {std::optional<NoveltyMix>(), {convex}, {additive}, {centred}}) {
      for (const SelectionRow& rule : selection_rows()) {
        CAPTURE(count);
        CAPTURE(rule.name);
        Options options;
        if (mix) options.novelty = Novelty::pseudocount;
        options.novelty_mix = mix.value_or(convex);
        set_option(options, "selection", rule.name);
        options.alpha = 0.7;
        options.beta = 2;
        options.virtual_value = count % 2 == 0 ? 0.5 : 0.2;
        Family family(count);
        family.open(options);
        std::vector<History> histories(count, History{{options.virtual_value}});
        for (int i = 0; i < 500; ++i) {
          const int move = family.block().next;
          const std::array values{family.random.below(100) / 99.0, 0.0};
          const double score = family.random.below(5) / 4.0;
          const Edge edge{&family.block(), &family.node(move), move, games::Colour::black};
          family.selector.back_up(std::span(&edge, 1), values.data(), score, family.random);
          histories[move].values.push_back(values[0]);
          histories[move].novelty += score;

          const double n = family.block().visits + count;
          double best = -1;
          double chosen = -1;
          for (int m = 0; m < count; ++m) {
            const History& h = histories[m];
            double bound = h.mean();
            if (mix) {
              const double mean_novelty = h.n() == 1 ? 0 : h.novelty / (h.n() - 1);
              bound = novelty_mix(*mix, novelty_weight(2, h.n()), 0.7, mean_novelty, h.mean());
            }
            bound += rule.bonus(options, {n, h.n(), h.variance(), family.priors[m]});
            best = std::max(best, bound);
            if (m == family.block().next) chosen = bound;
          }
          REQUIRE(chosen == doctest::Approx(best).epsilon(1e-5));
        }
      }
    }
  }
}

TEST_CASE("Selector: a new node begins with the virtual sample, if there is one") {
  for (const bool has_sample : {true, false}) {
    CAPTURE(has_sample);
    Options options;
    options.virtual_value = 0.2;
    options.virtual_samples = has_sample;
    Family family(3);
    family.selector.set(options, 0);
    const std::array<games::Move, 3> moves{};
    family.selector.open(family.block(), moves.data(), 0.5, family.random);
    const Index index =
        family.selector.next_node(family.tree, family.block(), family.writer, family.random);
    Node& node = family.tree.node(index);
    CHECK(node.visits == 0);
    const int move = family.block().next;
    const std::array values{1.0, 0.0};
    const Edge edge{&family.block(), &node, move, games::Colour::black};
    family.selector.back_up(std::span(&edge, 1), values.data(), 0, family.random);
    CHECK(node.mean == doctest::Approx(has_sample ? 0.6 : 1));
    CHECK(node.square == doctest::Approx(has_sample ? 0.52 : 1));
  }
}

TEST_CASE("Selector: samples that come together count as the same ones that come one by one") {
  Options options;
  options.novelty = Novelty::threshold;
  Family single(1);
  Family joint(1);
  single.open(options);
  joint.open(options);
  games::Random random(5);
  for (int round = 0; round < 50; ++round) {
    Samples samples;
    const int count = random.below(9);  // none at all among others
    for (int i = 0; i < count; ++i) {
      const std::array values{random.below(100) / 99.0, 0.0};
      const double novelty = random.below(4);
      const Edge edge{&single.block(), &single.node(0), 0, games::Colour::black};
      single.selector.back_up(std::span(&edge, 1), values.data(), novelty, single.random);
      samples.add(values[0], novelty);
    }
    Node& node = joint.node(0);
    const Edge edge{&joint.block(), &node, 0, games::Colour::black};
    joint.selector.add_virtual_visits(edge, samples.count + 3);
    joint.selector.add_virtual_visits(edge, 2);  // others that are on their way
    CHECK(node.pending == samples.count + 5);
    joint.selector.complete(edge, samples.count + 3, {samples});  // three were not made
    CHECK(node.pending == 2);
    joint.selector.complete(edge, 2, {});
    CHECK(node.pending == 0);
    CHECK(joint.block().visits == single.block().visits);
    CHECK(node.visits == single.node(0).visits);
    CHECK(node.mean == doctest::Approx(single.node(0).mean).epsilon(1e-12));
    CHECK(node.square == doctest::Approx(single.node(0).square).epsilon(1e-12));
    CHECK(node.novelty == doctest::Approx(single.node(0).novelty).epsilon(1e-5));
  }
}

TEST_CASE("Selector: closed moves are not chosen until they are refreshed, other options or not") {
  Options options;
  Family family(3);
  family.open(options);
  Selector::close(family.block(), 0);
  Selector::close(family.block(), 2);
  family.selector.choose(family.block(), family.random);
  CHECK(family.block().next == 1);
  options.k = 2;
  family.selector.set(options, 1);
  family.selector.renew(family.tree, family.block());
  CHECK(family.block().next == 1);
  CHECK(family.block().epoch == 1);
  Selector::close(family.block(), 1);
  family.selector.choose(family.block(), family.random);
  CHECK(family.block().next == -1);
  family.selector.refresh(family.block(), 2, family.node(2));
  family.selector.choose(family.block(), family.random);
  CHECK(family.block().next == 2);
}

TEST_CASE("Selector: a choice that is put off is made when a search comes by") {
  Options options;
  Family family(5);
  family.open(options);
  MoveBlock& block = family.block();
  const Edge edge{&block, &family.node(3), 3, games::Colour::black};
  const std::array values{1.0, 0.0};
  family.selector.back_up(std::span(&edge, 1), values.data(), 0, family.random);
  REQUIRE(block.next == 3);
  // What has changed since is obeyed, once.
  Selector::close(block, 3);
  Selector::put_off_choice(block);
  Selector::put_off_choice(block);
  CHECK(family.selector.next_node(family.tree, block, family.writer, family.random) != 0);
  CHECK(block.next != 3);
  CHECK(block.epoch == family.selector.epoch());
  const int chosen = block.next;
  for (int i = 0; i < 5; ++i) {  // it is not drawn again
    static_cast<void>(family.selector.next_node(family.tree, block, family.writer, family.random));
    CHECK(block.next == chosen);
  }
  // With other options, too, by which all is scored anew.
  Selector::put_off_choice(block);
  options.selection = Selection::ucb1;
  options.virtual_samples = false;
  family.selector.set(options, 1);
  static_cast<void>(family.selector.next_node(family.tree, block, family.writer, family.random));
  CHECK(block.epoch == 1);
  CHECK(Selector::is_closed(block, 3));
  CHECK(block.base()[0] == std::numeric_limits<float>::infinity());
}

TEST_CASE("Selector: next best moves come one after the other, each once, then none") {
  for (const int count : {1, 5, 8, 9, 24}) {
    Family family(count);
    family.open(Options());
    MoveBlock& block = family.block();
    for (int i = 0; i < 40; ++i) {
      const std::array values{family.random.below(100) / 99.0, 0.0};
      const Edge edge{&block, &family.node(block.next), block.next, games::Colour::black};
      family.selector.back_up(std::span(&edge, 1), values.data(), 0, family.random);
    }
    family.selector.choose(block, family.random);
    std::set<int> chosen;
    float last = std::numeric_limits<float>::infinity();
    while (block.next >= 0) {
      CHECK(family.selector.chosen_score(block) <= last);
      last = family.selector.chosen_score(block);
      CHECK(chosen.insert(block.next).second);
      family.selector.choose_next_best(block, family.random);
    }
    CHECK(chosen.size() == static_cast<std::size_t>(count));
  }
}
