#include "engine/estimators/context_table.hpp"

#include <doctest/doctest.h>

#include <map>

#include "games/random.hpp"

using namespace pitboss;
using namespace pitboss::engine;

TEST_CASE("ContextTable: means and counts, however much it has grown") {
  ContextTable table;
  for (int round = 0; round < 2; ++round) {
    table.reset(8 << 20);
    std::map<std::uint64_t, std::pair<double, float>> expected;
    games::Random random(1 + static_cast<std::uint64_t>(round));
    for (int i = 0; i < 200000; ++i) {
      const std::uint64_t key = games::mix(static_cast<std::uint64_t>(random.below(60000)) + 7);
      const double value = random.below(2);
      table.add(key, value);
      auto& [sum, count] = expected[key];
      sum += value;
      count += 1;
    }
    CHECK(table.evictions() < 3000);  // of 200000
    std::size_t known = 0;
    std::size_t complete = 0;
    for (const auto& [key, entry] : expected) {
      const auto mean = table.of(key);
      known += mean.count > 0 ? 1 : 0;
      CHECK(mean.count <= entry.second);
      if (mean.count != entry.second) continue;  // it has been evicted once
      ++complete;
      CHECK(mean.value == doctest::Approx(entry.first / entry.second).epsilon(1e-4));
    }
    CHECK(known == table.entries());
    CHECK(complete > expected.size() * 97 / 100);
    CHECK(table.of(games::mix(999999)).count == 0);
  }
}

TEST_CASE("ContextTable: takes memory as it fills, and begins small again") {
  ContextTable table;
  table.reset(64 << 20);
  CHECK(table.bytes() == 64 << 10);
  games::Random random(1);
  const auto fill = [&](int entries) {
    for (int i = 0; i < entries; ++i) table.add(random.next() | std::uint64_t{1} << 63, 1);
  };
  fill(100000);
  const std::size_t full = table.bytes();
  CHECK(full > table.entries() * 64);
  CHECK(full < table.entries() * 200);
  CHECK(table.entries() > 98000);
  CHECK(table.samples() == static_cast<double>(table.entries()));
  table.reset(64 << 20);
  CHECK(table.entries() == 0);
  CHECK(table.samples() == 0);
  CHECK(table.bytes() == full);  // still written to
  fill(100);
  CHECK(table.entries() == 100);
  CHECK(table.samples() == 100);
  table.reset(32 << 20);
  CHECK(table.bytes() == 64 << 10);
}

TEST_CASE("ContextTable: grows where five push each other out, however much room there is") {
  ContextTable table;
  table.reset(1 << 20);
  const auto key = [](std::uint64_t i) { return std::uint64_t{1} << 63 | i << 10 | 5; };
  for (int round = 0; round < 200; ++round) {
    for (std::uint64_t i = 0; i < 5; ++i) table.add(key(i), 1);
  }
  CHECK(table.bytes() > 64 << 10);
  CHECK(table.entries() == 5);
  CHECK(table.evictions() > 0);
  CHECK(table.evictions() < 1024 / 16 + 5);
  for (std::uint64_t i = 0; i < 5; ++i) CHECK(table.of(key(i)).count > 100);
}

TEST_CASE("ContextTable: within its bound the most sampled stay") {
  ContextTable table;
  table.reset(64 << 10);  // 4096 entries
  games::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    for (int n = 0; n < 10; ++n) table.add(games::mix(static_cast<std::uint64_t>(i)), 1);
  }
  for (int i = 0; i < 100000; ++i) table.add(random.next() | 1, 0);
  CHECK(table.bytes() == 64 << 10);
  CHECK(table.entries() <= 4096);
  CHECK(table.evictions() > 90000);
  int kept = 0;
  for (int i = 0; i < 2000; ++i) {
    kept += table.of(games::mix(static_cast<std::uint64_t>(i))).count == 10 ? 1 : 0;
  }
  CHECK(kept > 1700);  // all but where more than four share a cache line
}

TEST_CASE("ContextTable: a mean stays where it belongs, however many samples") {
  ContextTable table;
  table.reset(64 << 10);
  for (const double p : {0.1, 0.3, 0.5, 0.6, 0.9}) {
    const std::uint64_t key = games::mix(static_cast<std::uint64_t>(p * 100));
    games::Random random(3);
    for (int i = 0; i < 6000000; ++i) table.add(key, random.below(1000) < p * 1000 ? 1 : 0);
    // Of 65536 samples, about: four standard deviations and the rounding.
    CHECK(table.of(key).value == doctest::Approx(p).scale(1).epsilon(0.01));
  }
}
