#include "engine/memory_budget.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pitboss::engine {

namespace {

using Kind = MemoryBudget::Kind;

/// Has a reservation that it gives up when it is asked.
class Owner final : public MemoryBudget::Lender {
 public:
  Owner(const std::shared_ptr<MemoryBudget>& budget, std::size_t bytes, std::string name,
        std::vector<std::string>& asked)
      : budget_(budget),
        held_(std::make_shared<Reservation>(budget, Kind::trees, bytes)),
        name_(std::move(name)),
        asked_(asked) {}
  ~Owner() override { budget_->forget(*this); }
  MemoryBudget::Lent give_up() noexcept override {
    asked_.push_back(name_);
    if (in_use) return {};
    return {std::move(held_), nullptr};
  }
  [[nodiscard]] bool has_memory() const { return held_ != nullptr; }

  bool in_use = false;

 private:
  std::shared_ptr<MemoryBudget> budget_;
  std::shared_ptr<Reservation> held_;
  std::string name_;
  std::vector<std::string>& asked_;
};

/// Is busy with a reservation for a client.
class Busy final : public MemoryBudget::Lender {
 public:
  Busy(const std::shared_ptr<MemoryBudget>& budget, std::size_t bytes, const std::string& client,
       std::string name, std::vector<std::string>& told)
      : budget_(budget), name_(std::move(name)), told_(told) {
    const auto part = std::make_shared<MemoryPart>(budget);
    part->belong_to(client);
    held_ = std::make_shared<Reservation>(part, Kind::trees, bytes);
    budget_->recall(*this, part);
  }
  ~Busy() override { budget_->forget(*this); }
  MemoryBudget::Lent give_up() noexcept override { return {std::move(held_), nullptr}; }
  Way give_way() noexcept override {
    told_.push_back(name_);
    return {true, std::make_shared<const std::function<void()>>([this] { ++hurried; })};
  }
  int hurried = 0;

  void end() {
    budget_->lend(*this);
    CHECK(budget_->release_one());
  }

 private:
  std::shared_ptr<MemoryBudget> budget_;
  std::shared_ptr<Reservation> held_;
  std::string name_;
  std::vector<std::string>& told_;
};

}  // namespace

TEST_CASE("Reservation: is given back once, however often it is moved") {
  const auto budget = std::make_shared<MemoryBudget>(100);
  {
    Reservation first(budget, Kind::trees, 60);
    Reservation second = std::move(first);
    CHECK(budget->used(Kind::trees) == 60);
    second = Reservation(budget, Kind::networks, 30);
    CHECK(budget->used(Kind::trees) == 0);
    CHECK(budget->used() == 30);
    second.release();
    second.release();
    CHECK(budget->used() == 0);
    first = Reservation(budget, Kind::outboxes, 100);
    CHECK(budget->used(Kind::outboxes) == 100);
  }
  CHECK(budget->used() == 0);
  CHECK(Reservation(nullptr, Kind::trees, 1'000'000).bytes() == 1'000'000);
}

TEST_CASE("Reservation: grows to so many bytes in all, or keeps what it has") {
  const auto budget = std::make_shared<MemoryBudget>(100);
  Reservation grown(budget, Kind::trees, 30);
  const auto check = [&](std::size_t bytes) {
    CHECK(grown.bytes() == bytes);
    CHECK(budget->used(Kind::trees) == bytes);
  };
  grown.grow(50);
  check(50);
  for (const std::size_t no_more : {50, 49, 0}) {
    grown.grow(no_more);
    check(50);
  }
  const Reservation other(budget, Kind::networks, 20);
  CHECK_THROWS_AS(grown.grow(81), OutOfBudget);
  check(50);
  grown.grow(80);
  check(80);
  CHECK(budget->used() == 100);
  grown.release();
  check(0);
  CHECK(budget->used() == 20);
  // An idle one gives up its memory for what is lacking, and what is not lacking asks nobody.
  std::vector<std::string> asked;
  Owner idle(budget, 30, "idle", asked);
  budget->lend(idle);
  Reservation second(budget, Kind::outboxes, 20);
  second.grow(50);
  CHECK(asked.empty());
  second.grow(51);
  CHECK(asked == std::vector<std::string>{"idle"});
  CHECK(budget->used() == 71);
  // Without a budget nothing is counted, but known.
  Reservation free(nullptr, Kind::trees, 30);
  free.grow(1'000'000);
  CHECK(free.bytes() == 1'000'000);
}

TEST_CASE("MemoryBudget: refuses with a sentence, and counts nothing for it") {
  const auto budget = std::make_shared<MemoryBudget>(std::size_t{100} << 20);
  const Reservation most(budget, Kind::networks, std::size_t{90} << 20);
  CHECK_THROWS_WITH_AS(Reservation(budget, Kind::trees, std::size_t{11} << 20),
                       "11 MiB are asked for, and 10 of the server's 100 are free", OutOfBudget);
  CHECK_THROWS_AS(Reservation(budget, Kind::trees, ~std::size_t{0}), OutOfBudget);
  CHECK_FALSE(budget->try_take(Kind::outboxes, std::size_t{11} << 20));
  CHECK(budget->used() == std::size_t{90} << 20);
  CHECK_NOTHROW(Reservation(budget, Kind::trees, std::size_t{10} << 20));
}

TEST_CASE("MemoryBudget: the longest idle gives up first, who is in use keeps its memory") {
  const auto budget = std::make_shared<MemoryBudget>(100);
  std::vector<std::string> asked;
  Owner a(budget, 30, "a", asked);
  Owner b(budget, 30, "b", asked);
  Owner c(budget, 30, "c", asked);
  for (Owner* const owner : {&a, &b, &c}) budget->lend(*owner);
  budget->lend(a);  // again: it was used after the others
  c.in_use = true;
  const Reservation first(budget, Kind::trees, 40);
  CHECK(asked == std::vector<std::string>{"b"});
  CHECK_FALSE(b.has_memory());
  asked.clear();
  const Reservation second(budget, Kind::trees, 30);
  CHECK(asked == std::vector<std::string>{"c", "a"});
  CHECK_FALSE(a.has_memory());
  CHECK(c.has_memory());
  asked.clear();
  budget->recall(c, std::make_shared<MemoryPart>(budget));
  CHECK_THROWS_AS(Reservation(budget, Kind::trees, 1), OutOfBudget);
  CHECK(asked.empty());
  budget->lend(c);
  c.in_use = false;
  CHECK(budget->release_one());
  CHECK_FALSE(budget->release_one());
  CHECK(budget->used() == 70);
}

TEST_CASE("MemoryBudget: the client that holds most gives way, if the other stays in its share") {
  const auto budget = std::make_shared<MemoryBudget>(100);
  std::vector<std::string> told;
  Busy large(budget, 50, "greedy", "large", told);
  Busy small(budget, 20, "greedy", "small", told);
  Busy modest(budget, 30, "modest", "modest", told);
  const auto asks = [&](const std::string& client, std::size_t bytes) {
    const auto part = std::make_shared<MemoryPart>(budget);
    part->belong_to(client);
    try {
      const Reservation taken(part, Kind::trees, bytes);
    } catch (const OutOfBudget& refusal) {
      return refusal.is_coming();
    }
    FAIL("there was memory");
    return false;
  };
  CHECK_FALSE(asks("greedy", 1));
  CHECK_FALSE(asks("third", 34));  // three clients: 33 each
  CHECK(told.empty());
  CHECK(asks("third", 10));
  CHECK(told == std::vector<std::string>{"large"});
  CHECK(large.hurried == 1);
  CHECK(asks("third", 10));  // it has been told, and has not ended yet
  CHECK(asks("modest", 3));
  CHECK(told == std::vector<std::string>{"large"});
  large.end();
  CHECK(budget->used() == 50);
  const Reservation most(budget, Kind::networks, 50);
  CHECK_FALSE(asks("third", 10));  // nobody holds more than its share now
  CHECK_FALSE(asks("", 60));
}

TEST_CASE("MemoryBudget: nobody is asked for what cannot be") {
  const auto budget = std::make_shared<MemoryBudget>(100);
  std::vector<std::string> asked;
  Owner idle(budget, 50, "idle", asked);
  budget->lend(idle);
  CHECK_THROWS_AS(Reservation(budget, Kind::trees, 101), OutOfBudget);
  CHECK(asked.empty());
}

}  // namespace pitboss::engine
