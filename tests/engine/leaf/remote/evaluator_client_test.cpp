#include "engine/leaf/remote/evaluator_client.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/wakeup.hpp"
#include "tests/engine/leaf/network/network_folder.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/peers/evaluator_process.hpp"
#include "tests/sanitized.hpp"
#include "tests/timing.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace std::chrono_literals;
using clients::ScratchFolder;
using peers::EvaluatorProcess;

namespace {

/// What clients were told of servers that are left out, as "NETWORK: REASON".
class Told {
 public:
  void add(const std::string& network, const std::string& why) {
    const std::scoped_lock lock(mutex_);
    lines_.push_back(network + ": " + why);
  }
  /// Waits for so many lines.
  [[nodiscard]] std::vector<std::string> wait_for(std::size_t count) {
    std::vector<std::string> lines;
    REQUIRE(tests::eventually([&] {
      const std::scoped_lock lock(mutex_);
      lines = lines_;
      return lines.size() >= count;
    }));
    return lines;
  }
  void clear() {
    const std::scoped_lock lock(mutex_);
    lines_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

/// A server that is no evaluator: it answers each connection with random bytes, or each call with
/// HTTP's status 404.
class Stranger {
 public:
  explicit Stranger(bool speaks_http) : speaks_http_(speaks_http) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(listen(listener_, 16) == 0);
    REQUIRE(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    url_ = "grpc://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::jthread([this](const std::stop_token& end) { run(end); });
  }
  ~Stranger() {
    thread_ = {};
    close(listener_);
  }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  void run(const std::stop_token& end) {
    while (!end.stop_requested()) {
      if (!is_readable(listener_)) continue;
      const int client = accept(listener_, nullptr, nullptr);
      if (speaks_http_) {
        refuse_calls(client, end);
      } else {
        std::string noise(1000, ' ');
        for (char& c : noise) c = static_cast<char>(random_());
        say(client, noise);
      }
      close(client);
    }
  }
  /// HTTP/2: an answer to each HEADERS, on its stream, that has the status and nothing else.
  static void refuse_calls(int client, const std::stop_token& end) {
    constexpr std::size_t preface = 24;
    constexpr std::size_t head = 9;
    constexpr char headers = 1;
    constexpr char settings = 4;
    say(client, std::string{0, 0, 0, settings, 0, 0, 0, 0, 0});
    std::string received;
    std::size_t done = preface;
    std::array<char, 65536> chunk{};
    while (!end.stop_requested()) {
      if (!is_readable(client)) continue;
      const auto count = recv(client, chunk.data(), chunk.size(), 0);
      if (count <= 0) return;
      received.append(chunk.data(), static_cast<std::size_t>(count));
      while (received.size() >= done + head) {
        const std::string frame = received.substr(done, head);
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(frame[i]); };
        done += head + (byte(0) << 16U | byte(1) << 8U | byte(2));
        if (frame[3] == settings && frame[4] == 0) {
          say(client, std::string{0, 0, 0, settings, 1, 0, 0, 0, 0});
        } else if (frame[3] == headers) {
          say(client, std::string{0, 0, 1, headers, 5} + frame.substr(5) + '\x8d');
        }
      }
    }
  }
  static void say(int client, const std::string& bytes) {
    static_cast<void>(send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL));
  }
  static bool is_readable(int socket) {
    pollfd waiting{socket, POLLIN, 0};
    return poll(&waiting, 1, 20) > 0;
  }

  bool speaks_http_;
  int listener_ = socket(AF_INET, SOCK_STREAM, 0);
  std::string url_;
  std::mt19937 random_{7};
  std::jthread thread_;
};

/// Searches of connect4 with a network, evaluated on servers.
struct Remote {
  ScratchFolder folder;
  std::unique_ptr<games::AnyGame> game = games::make_game("connect4");
  Told told;
  std::string token_file;
  std::shared_ptr<RemoteService> service;

  Remote() { tests::write_network(folder, "net", tests::network_for(*game, 1)); }

  void connect(std::vector<std::string> urls, bool falls_back,
               std::chrono::milliseconds deadline = 20s) {
    EvaluatorSettings settings;
    settings.urls = std::move(urls);
    settings.falls_back = falls_back;
    settings.deadline = deadline;
    settings.token_file = token_file;
    settings.on_change = [this](const std::string&, const std::string& network,
                                const std::string& why) { told.add(network, why); };
    service = make_evaluator_client(settings);
  }
  /// Without a service: by the local kernels.
  [[nodiscard]] std::unique_ptr<Search> search() const {
    const auto networks = std::make_shared<Networks>(folder.path());
    networks->evaluate_on(service);
    return make_search(*game, networks);
  }
  [[nodiscard]] Report searched(const std::string& more = "") const { return run(*search(), more); }
  [[nodiscard]] Report run(Search& search, const std::string& more = "") const {
    const Options options = tests::options_of(
        "selection=puct evaluation=network network=net simulations=40 reuse_tree=false " + more);
    Wakeup wakeup;
    search.begin(*game, 0, options, limits_of(options), wakeup.waker());
    for (Progress progress{}; (progress = search.run(1s)) != Progress::done;) {
      if (progress.is_waiting()) wakeup.await(progress);
    }
    return search.report();
  }
  [[nodiscard]] std::string error(const std::string& more = "") const {
    try {
      static_cast<void>(searched(more));
    } catch (const BadOption& bad) {
      return bad.what();
    }
    return "";
  }
};

/// A process with gRPC takes seconds under the thread sanitizer, which only looks for races: there,
/// an answer that is refused and an end without an answer stand for all faults.
bool is_left_to_other_builds(std::string_view mode) {
  constexpr std::array<std::string_view, 4> raced{"replaced", "internal", "dies", "stalls"};
  return tests::thread_sanitized && std::ranges::find(raced, mode) == raced.end();
}

}  // namespace

TEST_CASE("remote evaluator: a server's answers are those of the kernels, in whichever form" *
          doctest::skip(tests::thread_sanitized)) {
  Remote remote;
  const Report local = remote.searched();
  for (const char* mode :
       {"plain", "typed", "swapped", "extra", "no-id", "no-metadata", "small", "bits"}) {
    CAPTURE(mode);
    const EvaluatorProcess server(remote.folder.path(), mode);
    remote.connect({server.url()}, false);
    const Report report = remote.searched("evaluator=remote");
    CHECK(tests::visits(report) == tests::visits(local));
    CHECK(report.simulations == 40);
    CHECK(report.network->remote == report.network->evaluations - report.network->cached);
    CHECK(report.network->local() == 0);
    remote.service.reset();
  }
}

TEST_CASE("remote evaluator: a server of another network is refused, whatever the fallback") {
  Remote remote;
  for (const char* mode : {"replaced", "unknown-model", "other-hash", "other-shape",
                           "other-numbers", "unsaid-half", "no-half", "invalid"}) {
    if (is_left_to_other_builds(mode)) continue;
    CAPTURE(mode);
    const EvaluatorProcess server(remote.folder.path(), mode);
    remote.connect({server.url()}, true);
    CHECK(remote.error("evaluator=remote") != "");
    const Report report = remote.searched("evaluator=auto");
    CHECK(report.simulations == 40);
    CHECK(report.network->local() > 0);
    remote.service.reset();
  }
}

TEST_CASE("remote evaluator: a server that says so may compute in half precision") {
  Remote remote;
  const EvaluatorProcess server(remote.folder.path(), "half");
  remote.connect({server.url()}, false);
  CHECK(remote.searched("evaluator=remote").network->local() == 0);
}

TEST_CASE("check 16: what a faulty evaluator does not answer falls back, or fails") {
  Remote remote;
  const Report local = remote.searched();
  for (const char* mode :
       {"model-not-ready", "fp64", "no-batch", "nan", "wrong-count", "other-id", "internal",
        "unimplemented", "babbles", "token", "unavailable", "full", "dies", "stalls"}) {
    if (is_left_to_other_builds(mode)) continue;
    CAPTURE(mode);
    remote.told.clear();
    const std::chrono::milliseconds deadline = mode == std::string("stalls") ? 300ms : 20s;
    {
      const EvaluatorProcess server(remote.folder.path(), mode);
      remote.connect({server.url()}, true, deadline);
      const Report report = remote.searched("in_flight=4 evaluator=remote");
      CHECK(report.simulations == 40);
      CHECK(report.network->local() > 0);
      std::int64_t visits = 0;
      for (const MoveReport& move : report.moves) visits += move.visits;
      CHECK(visits == 40);
      CHECK(remote.told.wait_for(1).front().find(": ") != std::string::npos);
    }
    const EvaluatorProcess server(remote.folder.path(), mode);
    remote.connect({server.url()}, false, deadline);
    const std::string error = remote.error("in_flight=4");
    CHECK(error.find(server.url()) != std::string::npos);
    remote.service.reset();
  }
  CHECK(tests::visits(remote.searched()) == tests::visits(local));
}

TEST_CASE("remote evaluator: what is no evaluator refuses no network") {
  Remote remote;
  for (const bool speaks_http : {false, true}) {
    CAPTURE(speaks_http);
    const Stranger stranger(speaks_http);
    remote.connect({stranger.url()}, true);
    for (int search = 0; search < 5; ++search) {
      const Report report = remote.searched("evaluator=remote");
      CHECK(report.simulations == 40);
      CHECK(report.network->remote == 0);
    }
    CHECK(remote.told.wait_for(1).front().starts_with(": "));  // the server, not its network
    remote.service.reset();
    remote.told.clear();
  }
}

TEST_CASE("remote evaluator: what a server says is told as one short line") {
  Remote remote;
  const EvaluatorProcess server(remote.folder.path(), "babbles");
  remote.connect({server.url()}, true);
  CHECK(remote.searched("evaluator=remote").network->local() > 0);
  const std::string why = remote.told.wait_for(1).front();
  CHECK(
      why.starts_with(": ???"
                      "= e5??xxx"));
  CHECK(why.size() < 400);
  const auto report = nlohmann::json::parse(remote.service->report());
  CHECK(report["servers"][0]["last_error"] == "evaluator " + server.url() + why);
}

TEST_CASE("remote evaluator: that a network is left out on a server is told once") {
  Remote remote;
  const EvaluatorProcess nan(remote.folder.path(), "nan");
  remote.connect({nan.url()}, true);
  for (int i = 0; i < 3; ++i) CHECK(remote.searched("evaluator=remote").simulations == 40);
  const std::string why = "net: the reply has values that are not finite numbers";
  CHECK(remote.told.wait_for(1).front() == why);
  const EvaluatorProcess other(remote.folder.path(), "other-numbers");
  remote.told.clear();
  remote.connect({other.url()}, true);
  CHECK(remote.searched("evaluator=auto").network->local() > 0);
  CHECK(remote.told.wait_for(1).front().starts_with("net: the evaluator computes other numbers"));
}

TEST_CASE("remote evaluator: a token is shown to servers that ask for one") {
  Remote remote;
  const EvaluatorProcess server(remote.folder.path(), "token");
  remote.token_file = (remote.folder / "token").string();
  std::ofstream(remote.token_file) << "secret\n";
  remote.connect({server.url()}, false);
  CHECK(remote.searched("evaluator=remote").network->local() == 0);
  std::ofstream(remote.token_file) << "guessed\n";
  remote.connect({server.url()}, false);
  CHECK(remote.error("evaluator=remote").find("who?") != std::string::npos);
  for (const char* const bad : {"", "two words", "no\xffword"}) {
    std::ofstream(remote.token_file) << bad;
    CHECK_THROWS_WITH_AS(remote.connect({server.url()}, false),
                         doctest::Contains("must hold a token"), std::runtime_error);
  }
  std::ofstream(remote.token_file) << "secret";
  for (const char* const url : {"grpc://192.0.2.1:8001", "grpc://127.example:8001"}) {
    CHECK_THROWS_WITH_AS(remote.connect({url}, false), doctest::Contains("by grpcs:// only"),
                         std::runtime_error);
  }
  remote.connect({"grpcs://192.0.2.1:8001", "grpc://[::1]:1", "grpc://localhost:1"}, false);
  remote.token_file = "/nowhere";
  CHECK_THROWS_WITH_AS(remote.connect({server.url()}, false),
                       doctest::Contains("cannot read /nowhere: No such file or directory"),
                       std::runtime_error);
}

TEST_CASE("remote evaluator: a network that fails takes no server from the others") {
  Remote remote;
  tests::write_network(remote.folder, "well", tests::network_for(*remote.game, 2));
  const EvaluatorProcess server(remote.folder.path(), "model-not-ready");
  remote.connect({server.url()}, true);
  CHECK(remote.searched("evaluator=remote").network->remote == 0);
  CHECK(remote.service->report().find("\"breaker\":\"closed\"") != std::string::npos);
  CHECK(remote.service->report().find("not ready") != std::string::npos);
  CHECK(remote.searched("evaluator=remote network=well").network->local() == 0);
}

TEST_CASE("remote evaluator: requests are no larger than the server takes") {
  Remote remote;
  const EvaluatorProcess server(remote.folder.path(), "small");
  remote.connect({server.url()}, false);
  const Report report = remote.searched("in_flight=32 evaluator=remote");
  CHECK(report.network->remote > 4);
  CHECK(report.network->local() == 0);
}

TEST_CASE("remote evaluator: a search that has failed does not spoil the next") {
  Remote remote;
  const EvaluatorProcess server(remote.folder.path(), "recovers");
  remote.connect({server.url()}, false);
  const auto search = remote.search();
  CHECK_THROWS_AS(static_cast<void>(remote.run(*search, "in_flight=8")), BadOption);
  CHECK(tests::eventually([&] {
    try {
      return remote.run(*search, "in_flight=8").network->remote > 0;
    } catch (const BadOption&) {
      return false;
    }
  }));
}

TEST_CASE("remote evaluator: that a server is left out, and answers again, is told once each") {
  Remote remote;
  std::mutex mutex;
  std::vector<std::string> told;
  auto server = std::make_unique<EvaluatorProcess>(remote.folder.path());
  const std::string url = server->url();
  EvaluatorSettings settings;
  settings.urls = {url, "grpc://127.0.0.1:1"};
  settings.deadline = 20s;
  settings.on_change = [&](const std::string& changed, const std::string& network,
                           const std::string& why) {
    const std::scoped_lock lock(mutex);
    CHECK(network.empty());
    if (changed == url) told.push_back(why);
  };
  remote.service = make_evaluator_client(settings);
  const auto told_now = [&] {
    const std::scoped_lock lock(mutex);
    return told;
  };
  const auto search_until = [&](const auto& is_enough) {
    return tests::eventually([&] {
      if (is_enough()) return true;
      static_cast<void>(remote.searched("in_flight=4"));
      return is_enough();
    });
  };
  CHECK(remote.searched("in_flight=4").simulations == 40);
  CHECK(told_now().empty());
  const std::string port = server->port();
  server.reset();  // kills it
  REQUIRE(search_until([&] { return !told_now().empty(); }));
  std::this_thread::sleep_for(500ms);  // for probes, which fail
  server = std::make_unique<EvaluatorProcess>(remote.folder.path(), "plain", port);
  REQUIRE(search_until([&] { return told_now().size() > 1; }));
  const auto all = told_now();
  CHECK(all.size() == 2);
  CHECK_FALSE(all[0].empty());
  CHECK(all[1].empty());
}

TEST_CASE("remote evaluator: of two servers the living one answers") {
  Remote remote;
  const EvaluatorProcess one(remote.folder.path(), "dies");
  const EvaluatorProcess two(remote.folder.path());
  const EvaluatorProcess stalled(remote.folder.path(), "stalls");
  remote.connect({one.url(), "grpc://127.0.0.1:1", two.url()}, false);
  CHECK(remote.searched("in_flight=8").network->local() == 0);
  remote.connect({stalled.url(), two.url()}, false, tests::sanitized ? 10s : 2s);
  CHECK(remote.searched("in_flight=8").simulations == 40);
}

TEST_CASE("remote evaluator: many searches share requests") {
  Remote remote;
  const EvaluatorProcess server(remote.folder.path());
  EvaluatorSettings settings;
  settings.urls = {server.url()};
  settings.deadline = 20s;
  settings.linger = 2ms;
  settings.requests = 1;
  remote.service = make_evaluator_client(settings);
  const auto networks = std::make_shared<Networks>(remote.folder.path(), 0);
  networks->evaluate_on(remote.service);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      const auto search = make_search(*remote.game, networks);
      const Report report = remote.run(*search, "novelty=pseudocount");
      CHECK(report.simulations == 40);
      CHECK(report.network->local() == 0);
    });
  }
  threads.clear();
  const std::string report = remote.service->report();
  CAPTURE(report);
  CHECK(report.find("\"largest_batch\":1,") == std::string::npos);
  CHECK(report.find("\"breaker\":\"closed\"") != std::string::npos);
}

TEST_CASE("remote evaluator: what is no URL") {
  for (const char* url : {"", "host:1", "http://host:80", "grpc://host", "grpc://:1", "grpc://h:x",
                          "grpc://h:0", "grpc://h:65536", "grpc://::1:80", "grpc://[::1:80",
                          "grpc://a b:80", "grpc://u@h:80", "grpc://a:1,grpc://b:2"}) {
    EvaluatorSettings settings;
    settings.urls = {url};
    CHECK_THROWS_AS(static_cast<void>(make_evaluator_client(settings)), std::runtime_error);
  }
  Remote remote;
  CHECK(remote.error("evaluator=remote").find("--evaluator") != std::string::npos);
}
