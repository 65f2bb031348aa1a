#include "server/session/audience.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace pitboss;
using namespace pitboss::server;

namespace {

/// One who watches, and how often it was called.
struct Watcher {
  explicit Watcher(Audience& audience) { audience.add(watch); }

  /// What is taken, of each line: the event, or the report; of options what has changed.
  std::vector<std::string> taken() const {
    std::vector<std::string> out;
    const std::string text = watch->take();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      const auto json = nlohmann::json::parse(text.substr(begin, end - begin));
      out.push_back(json.contains("changed") ? json.at("changed").dump()
                                             : json.at("event").get<std::string>());
      begin = end + 1;
    }
    return out;
  }

  int calls = 0;
  std::shared_ptr<Watch> watch = std::make_shared<Watch>([this] { ++calls; });
};

using Lines = std::vector<std::string>;

std::string report(int number) { return R"({"event":"report )" + std::to_string(number) + R"("})"; }

}  // namespace

TEST_CASE("Audience: of what is told twice the newest is kept, of each option") {
  Audience audience;
  Watcher watcher(audience);
  audience.tell_options({{"k", "1"}, {"alpha", "5"}});
  audience.tell_options({{"k", "2"}, {"beta", "7"}});
  CHECK(watcher.taken() == Lines{R"({"alpha":"5","beta":"7","k":"2"})"});
  CHECK(watcher.taken().empty());
  audience.tell_options({{"k", "3"}});
  CHECK(watcher.taken() == Lines{R"({"k":"3"})"});
  audience.tell_search(report(1));
  audience.tell_search(report(2));
  CHECK(watcher.taken() == Lines{"report 2"});
  CHECK(watcher.taken().empty());
  audience.tell_position();
  audience.tell_position();
  CHECK(watcher.taken() == Lines{"position"});
  CHECK(watcher.taken().empty());
}

TEST_CASE("Audience: a report of the position before is not told after a move, one of this is") {
  Audience audience;
  Watcher watcher(audience);
  audience.tell_search(report(1));
  audience.tell_options({{"k", "1"}});
  audience.tell_position();
  CHECK(watcher.taken() == Lines{"position", R"({"k":"1"})"});
  audience.tell_position();
  audience.tell_search(report(2));
  CHECK(watcher.taken() == Lines{"position", "report 2"});
}

TEST_CASE("Watch: is called once for all that it has not taken yet, and has a size until then") {
  Audience audience;
  Watcher watcher(audience);
  CHECK(watcher.watch->size() == 0);
  for (const int calls : {1, 2}) {
    audience.tell_position();
    audience.tell_options({{"k", "1"}});
    CHECK(watcher.calls == calls);
    const std::size_t before = watcher.watch->size();
    CHECK(before > 0);
    audience.tell_search(report(1));
    CHECK(watcher.watch->size() > before);
    CHECK(watcher.calls == calls);
    CHECK(watcher.taken().size() == 3);
    CHECK(watcher.watch->size() == 0);
  }
  audience.tell_rights();  // they are looked at when this is taken
  CHECK(watcher.calls == 3);
  CHECK(watcher.watch->size() > 0);
  CHECK(watcher.taken().empty());
}

TEST_CASE("Audience: each watcher is told all, whatever others have taken, until it goes") {
  Audience audience;
  CHECK(audience.is_empty());
  Watcher early(audience);
  auto other = std::make_unique<Watcher>(audience);
  audience.tell_position();
  CHECK(early.taken() == Lines{"position"});
  Watcher late(audience);
  audience.tell_options({{"k", "1"}});
  CHECK(early.taken() == Lines{R"({"k":"1"})"});
  CHECK(other->taken() == Lines{"position", R"({"k":"1"})"});
  CHECK(late.taken() == Lines{R"({"k":"1"})"});
  other.reset();
  audience.tell_position();
  CHECK(early.taken() == Lines{"position"});
  CHECK(late.taken() == Lines{"position"});
  CHECK_FALSE(audience.is_empty());
}

TEST_CASE("Audience: is empty when something is told after the last has gone") {
  Audience audience;
  for (int i = 0; i < 2; ++i) {
    auto watcher = std::make_unique<Watcher>(audience);
    CHECK_FALSE(audience.is_empty());
    watcher.reset();
    audience.tell_position();
    CHECK(audience.is_empty());
  }
}

TEST_CASE("Watch: in envelopes each has its own id") {
  Audience audience;
  Watcher text(audience);
  Watcher one(audience);
  Watcher two(audience);
  one.watch->set_form({.id = "7", .in_envelopes = true});
  two.watch->set_form({.id = "8", .in_envelopes = true});
  const std::string told = R"({"event":"a \"report\""})";
  audience.tell_search(told);
  CHECK(text.watch->take() == told + "\n");
  for (const auto& [watcher, id] : {std::pair(&one, 7), std::pair(&two, 8)}) {
    const auto frame = nlohmann::json::parse(watcher->watch->take());
    CHECK(frame.at("id") == id);
    CHECK(frame.at("update") == told);
  }
}
