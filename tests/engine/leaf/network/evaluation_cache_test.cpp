#include "engine/leaf/network/evaluation_cache.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <map>

#include "games/random.hpp"

using namespace pitboss;
using engine::EvaluationCache;

namespace {

using Key = std::array<std::uint64_t, 2>;
using Numbers = std::array<float, 3>;

/// What an entry takes: a word that says whether it is used, the key and the numbers.
constexpr std::size_t entry_bytes = 3 * sizeof(std::uint64_t) + 3 * sizeof(float);

Numbers numbers_of(const Key& key) {
  const auto first = static_cast<float>(key[0]);
  return {first, static_cast<float>(key[1]), first / 2};
}

}  // namespace

TEST_CASE("EvaluationCache: of two keys for one place the later one is known, the other is not") {
  EvaluationCache cache(2, 3, entry_bytes);  // room for one
  const Key one{1, 0};
  const Key first_word_alike{1, 2};
  const Key none{0, 0};
  Numbers found{};
  for (const Key& key : {one, first_word_alike, none}) CHECK_FALSE(cache.find(key, found));
  cache.put(one, numbers_of(one));
  CHECK(cache.find(one, found));
  CHECK(found == numbers_of(one));
  found = {};
  CHECK_FALSE(cache.find(first_word_alike, found));
  CHECK_FALSE(cache.find(none, found));
  CHECK(found == Numbers{});
  cache.put(first_word_alike, numbers_of(first_word_alike));
  CHECK_FALSE(cache.find(one, found));
  CHECK(cache.find(first_word_alike, found));
  CHECK(found == numbers_of(first_word_alike));
  // The same key again: the numbers are the last ones.
  cache.put(first_word_alike, numbers_of(one));
  CHECK(cache.find(first_word_alike, found));
  CHECK(found == numbers_of(one));
}

TEST_CASE("EvaluationCache: whatever it finds was put under that key") {
  EvaluationCache cache(2, 3, 50 * entry_bytes);
  std::map<Key, bool> put;
  games::Random random(1);
  int known = 0;
  int forgotten = 0;
  for (int i = 0; i < 2000; ++i) {
    const Key key{static_cast<std::uint64_t>(random.below(20)),
                  static_cast<std::uint64_t>(random.below(10))};
    Numbers found{};
    if (cache.find(key, found)) {
      CHECK(put[key]);
      CHECK(found == numbers_of(key));
      ++known;
    } else {
      forgotten += put[key] ? 1 : 0;
    }
    cache.put(key, numbers_of(key));
    put[key] = true;
  }
  CHECK(known > 100);
  CHECK(forgotten > 100);
}

TEST_CASE("EvaluationCache: without room for an entry it stays empty") {
  for (const std::size_t bytes : {std::size_t{0}, entry_bytes - 1}) {
    EvaluationCache cache(2, 3, bytes);
    const Key key{1, 2};
    cache.put(key, numbers_of(key));
    Numbers found{};
    CHECK_FALSE(cache.find(key, found));
  }
}
