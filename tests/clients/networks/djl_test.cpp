#include "clients/networks/djl.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <span>

#include "clients/networks/djl_blocks.hpp"
#include "engine/leaf/network/evaluate_reference.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "games/random.hpp"
#include "tests/clients/networks/djl_writer.hpp"
#include "tests/engine/leaf/network/weights.hpp"
#include "tests/games/set_up.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {
namespace {

using namespace engine;
using games::game_of;

/// A network of the authors for a game, as small as can be; its planes and values in their order.
NetworkShape small_shape(const games::AnyGame& game, std::vector<int> filters = {3, 2}) {
  const auto [planes, rows, columns, policy, values] = network_interface(game);
  NetworkShape shape = NetworkShape::paper(planes, columns, rows, policy, values);
  shape.filters = std::move(filters);
  shape.value_hidden = 3;
  shape.policy_hidden = 2;
  return shape;
}

struct Theirs {
  explicit Theirs(std::string_view line, DjlWriter::Habits habits = {})
      : Theirs(line, {3, 2}, std::move(habits)) {}
  Theirs(std::string_view line, std::vector<int> filters, DjlWriter::Habits habits)
      : game(game_of(line)),
        shape(small_shape(*game, std::move(filters))),
        tensors(tests::learned_weights(shape, 1)),
        bytes(DjlWriter(std::move(habits)).network(shape, tensors)) {}
  std::unique_ptr<games::AnyGame> game;
  NetworkShape shape;
  Tensors tensors;
  std::string bytes;
};

/// The sentence with which a file is refused; "" if it is not.
std::string refusal(std::string_view bytes, const games::AnyGame& game) {
  try {
    (void)read_djl(bytes, game);
    return "";
  } catch (const BadNetwork& e) {
    return e.what();
  }
}
std::string refusal(std::string_view line, const DjlWriter::Habits& habits) {
  const Theirs theirs(line, habits);
  return refusal(theirs.bytes, *theirs.game);
}
using tests::contains;

struct Outputs {
  std::vector<float> values;
  std::vector<float> policy;
};
Outputs outputs_of(const NetworkShape& shape, const Tensors& tensors,
                   const std::vector<float>& planes) {
  Outputs outputs{std::vector<float>(shape.values), std::vector<float>(shape.policy)};
  evaluate_reference(shape, tensors, planes.data(), 1, outputs.values.data(),
                     outputs.policy.data());
  return outputs;
}

/// The planes as the authors order them if black begins: white's stones before black's, white's
/// turn before black's.
std::vector<float> white_first(const std::vector<float>& planes) {
  std::vector<float> theirs;
  const std::size_t each = planes.size() / 4;
  for (const int plane : {1, 0, 3, 2}) {
    const auto first = planes.begin() + static_cast<std::ptrdiff_t>(plane * each);
    theirs.insert(theirs.end(), first, first + static_cast<std::ptrdiff_t>(each));
  }
  return theirs;
}

/// Whether the network gives what theirs does, for each colour, in a position where they differ.
void check_import(std::string_view line, std::string_view moves, bool white_begins) {
  CAPTURE(line);
  const Theirs theirs(line);
  const NetworkFile file = read_djl(theirs.bytes, *theirs.game);
  CHECK(file.game == theirs.game->name());
  CHECK(file.parameters == theirs.game->parameters().line());
  CHECK(file.shape == theirs.shape);
  games::play_all(*theirs.game, moves);
  const std::vector<float> planes = theirs.game->planes();
  const Outputs ours = outputs_of(file.shape, file.tensors, planes);
  Outputs wanted =
      outputs_of(theirs.shape, theirs.tensors, white_begins ? planes : white_first(planes));
  if (!white_begins) std::ranges::reverse(wanted.values);
  for (int i = 0; i < 2; ++i) CHECK(ours.values[i] == doctest::Approx(wanted.values[i]));
  for (int i = 0; i < file.shape.policy; ++i) {
    CHECK(ours.policy[i] == doctest::Approx(wanted.policy[i]));
  }
}

TEST_CASE("read_djl: planes and values of the authors' colours become those of ours") {
  check_import("connect4", "d1 d2 g1", true);
  check_import("breakthrough", "a2b3", true);
  check_import("knightthrough size=6", "d1e3", true);
  check_import("othello", "e3", false);
  check_import("atarigo size=5", "c3 a1 b2", false);
  check_import("gomoku", "e5", false);
}

TEST_CASE("read_djl: the planes of an oblong board are read again with other rows") {
  const Theirs connect4("connect4");
  const NetworkFile file = read_djl(connect4.bytes, *connect4.game);
  CHECK(file.rereads_planes);
  CHECK(file.shape.rows == 7);
  CHECK(file.shape.columns == 6);
  const Theirs othello("othello");
  CHECK_FALSE(read_djl(othello.bytes, *othello.game).rereads_planes);
}

TEST_CASE("read_djl_blocks: every number is where it was, in files of all years") {
  for (const int sequential : {2, 3}) {
    for (const bool array_names : {false, true}) {
      DjlWriter::Habits habits;
      habits.sequential = sequential;
      habits.array_names = array_names;
      const Theirs theirs("othello size=4", habits);
      const Tensors read = read_djl_blocks(theirs.bytes).tensors;
      REQUIRE(read.size() == theirs.tensors.size());
      for (const auto& [name, tensor] : theirs.tensors) {
        CAPTURE(name);
        REQUIRE(read.contains(name));
        CHECK(read.at(name).shape == tensor.shape);
        CHECK(read.at(name).data == tensor.data);
      }
    }
  }
}

TEST_CASE("read_djl: a network of any number of blocks") {
  const auto game = game_of("atarigo size=3");
  for (const std::vector<int>& filters : {std::vector{2}, {2, 3, 4, 2, 1}}) {
    NetworkShape shape = small_shape(*game);
    shape.filters = filters;
    const auto bytes = DjlWriter({}).network(shape, tests::learned_weights(shape, 3));
    CHECK(read_djl(bytes, *game).shape == shape);
  }
  NetworkShape shape = small_shape(*game);
  shape.filters = {1};
  Tensors tensors = tests::learned_weights(shape, 1);
  for (const auto& [name, tensor] : Tensors(tensors)) {
    if (!name.starts_with("blocks.0")) continue;
    for (int i = 1; i <= 256; ++i) tensors["blocks." + std::to_string(i) + name.substr(8)] = tensor;
  }
  shape.filters.assign(257, 1);
  CHECK(contains(refusal(DjlWriter({}).network(shape, tensors), *game),
                 "more than 256 residual blocks"));
}

TEST_CASE("read_djl: what the authors' program does not write is refused with a sentence") {
  DjlWriter::Habits habits;
  habits.initialised = 'N';
  CHECK(contains(refusal("othello", habits), "blocks.0.conv1.weight is not initialised"));
  habits = {};
  habits.initialised = 'Q';
  CHECK(contains(refusal("othello", habits), "the parameter blocks.0.conv1.weight is missing"));
  habits = {};
  habits.order = '>';
  CHECK(contains(refusal("othello", habits), "not little-endian"));
  habits = {};
  habits.type = "FLOAT64";
  CHECK(contains(refusal("othello", habits), "not a dense array of 32-bit floats"));
  habits = {};
  habits.layout = "CSR";
  CHECK(contains(refusal("othello", habits), "not a dense array of 32-bit floats"));
  habits = {};
  habits.sequential = 4;
  CHECK(contains(refusal("othello", habits), "expected a sequence at byte 0, but not"));
  habits = {};
  habits.flag = true;
  CHECK(contains(refusal("othello", habits), "gives what is between its blocks too"));
  const Theirs theirs("othello");
  std::string renamed = theirs.bytes;
  renamed.replace(renamed.find("gamma"), 5, "gamba");
  CHECK(contains(refusal(renamed, *theirs.game), "blocks.0.bn1.weight is not named gamma"));
  CHECK(contains(refusal(theirs.bytes + "x", *theirs.game), "something follows"));
  CHECK(contains(refusal("", *theirs.game), "it ends too early"));
}

TEST_CASE("read_djl: a network of another game, board or kind is refused with a sentence") {
  const Theirs theirs("othello");
  CHECK(refusal(theirs.bytes, *game_of("hex")) ==
        "the novelty authors have no networks, planes and policy for hex");
  CHECK(
      refusal(theirs.bytes, *game_of("othello size=6")) ==
      "the file's network has 65 policy outputs, but the authors' networks for othello size=6 have "
      "37 policy outputs");
  CHECK(
      refusal(theirs.bytes, *game_of("breakthrough")) ==
      "the file's network has 65 policy outputs, but the authors' networks for breakthrough size=8 "
      "have 192 policy outputs");

  NetworkShape shape = theirs.shape;
  shape.rows = 7;
  CHECK(
      refusal(DjlWriter({}).network(shape, tests::learned_weights(shape, 1)), *theirs.game) ==
      "the file's network has 4 planes of 7 x 8, but the authors' networks for othello size=8 have "
      "4 planes of 8 x 8");
  shape = theirs.shape;
  shape.planes = 5;
  CHECK(
      refusal(DjlWriter({}).network(shape, tests::learned_weights(shape, 1)), *theirs.game) ==
      "the file's network has 5 planes of 8 x 8, but the authors' networks for othello size=8 have "
      "4 planes of 8 x 8");
  shape = theirs.shape;
  shape.values = 1;
  CHECK(contains(
      refusal(DjlWriter({}).network(shape, tests::learned_weights(shape, 1)), *theirs.game),
      "value.fc2.bias has the shape [1] instead of [2]"));
  const Theirs connect4("connect4");
  NetworkShape upright = connect4.shape;  // which sees the board as it is, 6 x 7
  std::swap(upright.rows, upright.columns);
  CHECK(contains(refusal(DjlWriter({}).network(upright, connect4.tensors), *connect4.game),
                 "has 4 planes of 6 x 7, but the authors' networks for connect4 have 4 planes of "
                 "7 x 6"));

  Tensors narrowing = theirs.tensors;  // as some of the authors' larger networks do
  narrowing["blocks.0.conv2.weight"] = {{1, 3, 3, 3}, std::vector<float>(27)};
  CHECK(contains(refusal(DjlWriter({}).network(theirs.shape, narrowing), *theirs.game),
                 "has 3 filters inside and 1 behind"));
  Tensors infinite = theirs.tensors;
  infinite["policy.fc2.bias"].data[5] = std::numeric_limits<float>::infinity();
  CHECK(contains(refusal(DjlWriter({}).network(theirs.shape, infinite), *theirs.game),
                 "policy.fc2.bias has a number that is not finite"));
}

// What follows comes from anywhere.

Theirs tiny() { return Theirs("atarigo size=2", {1}, {}); }

TEST_CASE("read_djl: a file that ends anywhere is refused") {
  const Theirs theirs = tiny();
  REQUIRE(refusal(theirs.bytes, *theirs.game).empty());
  for (std::size_t length = 0; length < theirs.bytes.size(); ++length) {
    CAPTURE(length);
    CHECK(contains(refusal(std::string_view(theirs.bytes).substr(0, length), *theirs.game),
                   "it ends too early"));
  }
}

TEST_CASE("read_djl: damaged files are read or refused, and nothing else") {
  const Theirs theirs = tiny();
  games::Random random{7};
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string damaged = theirs.bytes;
    for (std::uint64_t left = 1 + random.next() % 3; left > 0; --left) {
      damaged[random.next() % damaged.size()] ^= static_cast<char>(1 + random.next() % 255);
    }
    refused += refusal(damaged, *theirs.game).empty() ? 0 : 1;
  }
  CHECK(refused > 500);
}

/// Writes `value` of so many bytes wherever the file can hold it.
void check_everywhere(const Theirs& theirs, std::uint64_t value, int bytes) {
  DjlWriter writer({});
  writer.number(value, bytes);
  for (std::size_t at = 0; at + bytes <= theirs.bytes.size(); ++at) {
    std::string damaged = theirs.bytes;
    damaged.replace(at, bytes, writer.bytes());
    (void)refusal(damaged, *theirs.game);  // anything but BadNetwork ends the test
  }
}

TEST_CASE("read_djl: lengths of all sizes, in all places") {
  const Theirs theirs = tiny();
  for (const std::uint64_t length : {0U, 1U, 0x7fffffffU, 0x80000000U, 0xffffffffU, 0xfffffffcU}) {
    check_everywhere(theirs, length, 4);
  }
  for (const std::uint64_t length :
       {std::uint64_t{1} << 31, std::uint64_t{1} << 32, (std::uint64_t{1} << 63) - 1,
        std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    check_everywhere(theirs, length, 8);
  }
  check_everywhere(theirs, 0xffff, 2);
}

TEST_CASE("read_djl: lengths that overflow to the right size are refused") {
  const Theirs theirs = tiny();
  DjlWriter before({});  // the shape of blocks.0.conv1.weight
  for (const int size : {1, 4, 3, 3}) before.number(size, 8);
  const std::size_t at = theirs.bytes.find(before.bytes());
  REQUIRE(at != std::string::npos);
  DjlWriter after({});  // whose product is 1 * 4 * 3 * 3 modulo 2^64
  for (const std::uint64_t size :
       {(std::uint64_t{1} << 62) + 9, std::uint64_t{4}, std::uint64_t{1}, std::uint64_t{1}}) {
    after.number(size, 8);
  }
  std::string damaged = theirs.bytes;
  damaged.replace(at, after.bytes().size(), after.bytes());
  CHECK(contains(refusal(damaged, *theirs.game), "has data of another size than its shape tells"));
  DjlWriter negative({});
  for (const std::int64_t size : {-1, -4, 3, 3}) negative.number(size, 8);
  damaged.replace(at, negative.bytes().size(), negative.bytes());
  CHECK(contains(refusal(damaged, *theirs.game), "has data of another size than its shape tells"));
}

TEST_CASE("read_djl: blocks nested a million times are refused at once") {
  const auto game = game_of("othello");
  std::string nested("\2\0\0\0\1\0\0\0\4", 9);  // a sequence with an input of four dimensions
  nested.resize(nested.size() + 4 * 8 + 4);
  for (int i = 0; i < 1'000'000; ++i) nested += std::string("\2\0\0\0\0", 5);
  CHECK(contains(refusal(nested, *game), "blocks.0.conv1 at byte 65, but not"));
}

}  // namespace
}  // namespace pitboss::clients
