#include "clients/training/rows.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/clients/error_of.hpp"

namespace pitboss::clients {

namespace {

Row row(int moves) {
  Row one;
  one.planes = {1, 0, 0, 1, 0, 0, 0, 0, 1};
  for (int i = 0; i < moves; ++i) {
    one.moves.push_back({games::PolicyParts(i), static_cast<std::uint16_t>(i + 1)});
  }
  one.outcome = {0.25F, 0.75F};
  one.root_value = {0.5F, 0.5F};
  one.game = 7;
  one.ply = 3;
  one.plies_left = 9;
  return one;
}

/// A tensor of a file, as numbers of type T.
template <class T>
std::vector<T> tensor(const std::string& bytes, const char* name) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  const auto header = nlohmann::json::parse(bytes.substr(8, length));
  const std::size_t begin = header[name]["data_offsets"][0];
  const std::size_t end = header[name]["data_offsets"][1];
  std::vector<T> numbers((end - begin) / sizeof(T));
  std::memcpy(numbers.data(), bytes.data() + 8 + length + begin, end - begin);
  return numbers;
}

}  // namespace

TEST_CASE("rows: bits, moves of different numbers, numbers of a row") {
  const std::string bytes = row_file_bytes({{"game", "hex"}}, {row(2), row(3)});
  CHECK(tensor<std::uint8_t>(bytes, "planes") == std::vector<std::uint8_t>{9, 1, 9, 1});
  CHECK(tensor<std::uint16_t>(bytes, "moves") == std::vector<std::uint16_t>{0, 1, 65535, 0, 1, 2});
  CHECK(tensor<std::uint16_t>(bytes, "visits") == std::vector<std::uint16_t>{1, 2, 0, 1, 2, 3});
  CHECK(tensor<float>(bytes, "outcome") == std::vector<float>{0.25F, 0.75F, 0.25F, 0.75F});
  CHECK(tensor<std::uint32_t>(bytes, "game") == std::vector<std::uint32_t>{7, 7});
  CHECK(tensor<std::uint16_t>(bytes, "plies_left") == std::vector<std::uint16_t>{9, 9});
  const RowFileHead head = row_file_head(bytes);
  CHECK(head.rows == 2);
  CHECK(head.metadata.at("game") == "hex");
}

TEST_CASE("rows: of too many moves those with the most visits stay") {
  const std::string bytes = row_file_bytes({}, {row(600)});
  const auto visits = tensor<std::uint16_t>(bytes, "visits");
  REQUIRE(visits.size() == most_row_moves);
  CHECK(visits.front() == 600);
  CHECK(visits.back() == 600 - 511);
}

TEST_CASE("rows: a file that is cut off anywhere is refused") {
  const std::string bytes = row_file_bytes({{"game", "hex"}}, {row(2)});
  CHECK(error_of([&] { static_cast<void>(row_file_head(bytes)); }).empty());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_FALSE(error_of([&] { static_cast<void>(row_file_head(bytes.substr(0, size))); }).empty());
  }
  CHECK_FALSE(error_of([&] { static_cast<void>(row_file_head(bytes + "x")); }).empty());
}

}  // namespace pitboss::clients
