#include "engine/leaf/network/network_file.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/leaf/network/random_weights.hpp"
#include "engine/leaf/network/safetensors.hpp"
#include "engine/sha256.hpp"
#include "games/random.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

/// A file with this header; `length` is what the file says of its length.
std::string file_of(const std::string& header, const std::string& data,
                    std::uint64_t length = ~std::uint64_t{0}) {
  if (length == ~std::uint64_t{0}) length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

std::string why_refused(const std::string& bytes) {
  try {
    static_cast<void>(parse_safetensors(bytes));
  } catch (const BadNetwork& bad) {
    return bad.what();
  }
  return "";
}

std::string tensor(const std::string& shape, const std::string& offsets) {
  return R"("t":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

NetworkFile small_network() {
  NetworkFile file;
  file.game = "teeko";
  file.shape = NetworkShape::paper(4, 5, 5, 225, 2);
  file.trainer = "a test";
  file.tensors = random_weights(file.shape, 1);
  return file;
}

}  // namespace

TEST_CASE("safetensors: a file with one tensor, byte by byte") {
  const float numbers[] = {1, -2.5F, 3};
  const std::string data(reinterpret_cast<const char*>(numbers), sizeof numbers);
  const auto read = parse_safetensors(
      file_of(R"({"__metadata__":{"a":"b"},)" + tensor("[3,1]", "[0,12]") + "}  ", data));
  CHECK(read.metadata.at("a") == "b");
  CHECK(read.tensors.at("t").shape == std::vector{3, 1});
  CHECK(read.tensors.at("t").data == std::vector{1.0F, -2.5F, 3.0F});
}

TEST_CASE("safetensors: what is wrong is said, whatever the lengths") {
  const std::string four(16, '\0');
  struct Row {
    std::string bytes;
    const char* says;
  };
  const std::string good = "{" + tensor("[4]", "[0,16]") + "}";
  for (const Row& row : std::initializer_list<Row>{
           {"", "shorter than 8 bytes"},
           {"1234567", "shorter than 8 bytes"},
           {file_of("{}", "", 3), "header is longer"},
           {file_of("{}", "", ~std::uint64_t{0} - 1), "header is longer"},
           {file_of("[]", ""), "not a JSON object"},
           {file_of("{", ""), "not a JSON object"},
           {file_of(std::string(100'000, '['), ""), "not a JSON object"},
           {file_of(R"({"a":{"b":{"c":{"d":{"e":1}}}}})", ""), "not a JSON object"},
           {file_of(R"({"t":1})", ""), "tensor t has no dtype"},
           {file_of(R"({"t":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})", "ab"),
            "tensor t has numbers of the type F16; a network for Pitboss has 32-bit floats (F32)"},
           {file_of("{" + tensor("[4]", "[0,20]") + "}", four), "outside of the file"},
           {file_of("{" + tensor("[4]", "[16,0]") + "}", four), "outside of the file"},
           {file_of("{" + tensor("[4]", "[0]") + "}", four), "no data_offsets"},
           {file_of("{" + tensor("[4]", "[0,-1]") + "}", four), "not a whole number"},
           {file_of("{" + tensor("[4]", "[0,15]") + "}", four), "whole number of floats"},
           {file_of("{" + tensor("[5]", "[0,16]") + "}", four), "data of another size"},
           {file_of("{" + tensor("[4,0]", "[0,16]") + "}", four), "data of another size"},
           {file_of("{" + tensor("[4294967296,4294967296,4]", "[0,16]") + "}", four),
            "data of another size"},
           {file_of("{" + tensor("[1,1,1,1,1,1,1,1,4]", "[0,16]") + "}", four), "no shape"},
           {file_of("{" + tensor("[4]", "[0,16]") + "}", four + "x"), "do not fill"},
           {file_of("{" + tensor("[3]", "[4,16]") + "}", four), "overlap or leave gaps"},
           {file_of(R"({"__metadata__":{"a":1}})", ""), "not a text"}}) {
    CAPTURE(row.says);
    CHECK(why_refused(row.bytes).find(row.says) != std::string::npos);
  }
  CHECK(why_refused(file_of(good, four)).empty());
  const std::string widest = "{" + tensor("[1,1,1,1,1,1,1,4]", "[0,16]") + "}";
  CHECK(why_refused(file_of(widest, four)).empty());
}

TEST_CASE("network file: what is written is read, and the same bytes again") {
  const NetworkFile file = small_network();
  const std::string bytes = network_bytes(file);
  const NetworkFile read = parse_network(bytes);
  CHECK(read.game == "teeko");
  CHECK(read.shape == file.shape);
  CHECK(read.trainer == "a test");
  CHECK_FALSE(read.rereads_planes);
  CHECK(read.tensors.size() == file.tensors.size());
  for (const auto& [name, t] : file.tensors) CHECK(read.tensors.at(name).data == t.data);
  CHECK(network_bytes(read) == bytes);
}

TEST_CASE("network file: numbers that would wrap, and texts that are none") {
  std::string bytes = network_bytes(small_network());
  const auto with = [&](std::string from, const std::string& to) {
    REQUIRE(from.size() == to.size());
    std::string other = bytes;
    other.replace(other.find(from), from.size(), to);
    return other;
  };
  CHECK_THROWS_AS(static_cast<void>(parse_network(with("teeko", "te\\no"))), BadNetwork);
  NetworkFile file = small_network();
  file.game = std::string(1000, 'x');
  CHECK_THROWS_AS(static_cast<void>(parse_network(network_bytes(file))), BadNetwork);
  CHECK_THROWS_AS(static_cast<void>(parse_network(with("[32,16]", "[-2,16]"))), BadNetwork);
  CHECK_THROWS_AS(static_cast<void>(parse_network(with("[32,16]", "[3e9,1]"))), BadNetwork);
}

TEST_CASE("network file: hostile bytes are refused or read, and nothing else") {
  const std::string bytes = network_bytes(small_network());
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  for (std::size_t size = 0; size < header + 8; size += 7) {
    CHECK_THROWS_AS(static_cast<void>(parse_network(bytes.substr(0, size))), BadNetwork);
  }
  games::Random random(5);
  int read = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string other = bytes;
    for (int i = 0; i <= round % 3; ++i) {
      const int at = random.below(static_cast<int>(header) + 8);
      other[at] = static_cast<char>(random.next());
    }
    try {
      static_cast<void>(parse_network(other));
      ++read;
    } catch (const BadNetwork&) {
    }
  }
  CHECK(read < 3000);
}

TEST_CASE("sha256: the vectors of FIPS 180") {
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
