#include <doctest/doctest.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "engine/leaf/network/network_file.hpp"
#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"

// Networks as users make them, give them to daemons, and have them play.

namespace pitboss::clients {

using peers::Process;
using peers::ProgramEnd;
using tests::Client;
using tests::Daemon;

namespace {

ProgramEnd pitboss(const Words& words) {
  Words command{tests::bin_folder() + "/pitboss"};
  command.insert(command.end(), words.begin(), words.end());
  return peers::ended(command);
}

void init(const ScratchFolder& folder, const std::string& name, const std::string& seed,
          const Words& more = {}) {
  Words words{"network", "init", "--game", "connect4",
              "--seed",  seed,   "--out",  (folder / (name + ".safetensors")).string()};
  words.insert(words.end(), more.begin(), more.end());
  CHECK(pitboss(words).code == 0);
}

}  // namespace

TEST_CASE("pitboss network: init is the same for a seed, show and verify") {
  const ScratchFolder folder;
  init(folder, "a", "1");
  init(folder, "b", "1");
  init(folder, "c", "2");
  init(folder, "tower", "1", {"--architecture", "tower", "--blocks", "2", "--filters", "8"});
  CHECK(read_text(folder / "a.safetensors") == read_text(folder / "b.safetensors"));
  CHECK(read_text(folder / "a.safetensors") != read_text(folder / "c.safetensors"));
  for (const char* name : {"a", "tower"}) {
    const std::string file = (folder / (std::string(name) + ".safetensors")).string();
    const ProgramEnd shown = pitboss({"network", "show", file});
    CHECK(shown.code == 0);
    CHECK(shown.out.find("game         connect4") != std::string::npos);
    CHECK(shown.out.find("4 planes of 6 x 7") != std::string::npos);
    const ProgramEnd verified = pitboss({"network", "verify", file});
    CHECK(verified.code == 0);
    CHECK(verified.out.find(": sound") != std::string::npos);
  }
  const auto timed =
      nlohmann::json::parse(pitboss({"network", "bench", (folder / "a.safetensors").string(),
                                     "--seconds", "0.1", "--simulations", "50", "--json"})
                                .out);
  CHECK(timed["batches"].size() == 3);
  CHECK(timed["searches"].size() == 10);  // five measures, with and without the cache
}

TEST_CASE("pitboss network show: says why a network cannot be used, as verify does") {
  const ScratchFolder folder;
  init(folder, "net", "1");
  const std::string bytes = read_text(folder / "net.safetensors");
  const engine::NetworkFile sound = engine::parse_network(bytes);
  const std::string path = (folder / "odd.safetensors").string();
  const auto write = [&](const auto& change) {
    engine::NetworkFile file = sound;
    change(file);
    write_text(path, engine::network_bytes(file));
  };
  const auto rename = [](engine::NetworkFile& file, const std::string& prefix) {
    engine::Tensors tensors;
    for (auto& [name, tensor] : file.tensors) tensors[prefix + name] = std::move(tensor);
    file.tensors = std::move(tensors);
  };
  const auto says = [&](const std::string& why) {
    CAPTURE(why);
    const ProgramEnd shown = pitboss({"network", "show", path});
    CAPTURE(shown.out);
    CAPTURE(shown.err);
    CHECK(shown.code == 1);
    CHECK(shown.out.find("sha256       ") != std::string::npos);
    CHECK(shown.out.find("\nnot usable   ") != std::string::npos);
    CHECK(shown.out.find(why) != std::string::npos);
    const ProgramEnd verified = pitboss({"network", "verify", path});
    CAPTURE(verified.err);
    CHECK(verified.code == 2);
    CHECK(verified.err.find(why) != std::string::npos);
  };
  for (const std::string prefix : {"module.", "_orig_mod.", "model.module."}) {
    write([&](auto& file) { rename(file, prefix); });
    says("lacks the tensor blocks.0.bn1.bias; it has " + prefix +
         "blocks.0.bn1.bias: a framework has put '" + prefix + "' before the names");
  }
  write([](auto& file) { file.tensors.erase("blocks.0.bn1.bias"); });
  says("lacks the tensor blocks.0.bn1.bias");
  write([](auto& file) { file.tensors.begin()->second.data[0] = INFINITY; });
  says("a number that is not finite");
  write([](auto& file) { file.game = "breakthrough", file.parameters = "size=8"; });
  says("has other planes or outputs than breakthrough has");
  write([](auto& file) { file.game = "chess"; });
  says("chess");
  write([](auto& file) { file.parameters = "size=8"; });
  says("size");
  // A game whose parameters are left out is not the game that a daemon asks for.
  CHECK(pitboss({"network", "init", "--game", "othello", "--seed", "1", "--out",
                 (folder / "othello.safetensors").string()})
            .code == 0);
  engine::NetworkFile othello = engine::parse_network(read_text(folder / "othello.safetensors"));
  othello.parameters.clear();
  write_text(path, engine::network_bytes(othello));
  says("is for othello, not for othello size=8");
}

TEST_CASE("pitboss network: numbers of another type are named") {
  const ScratchFolder folder;
  init(folder, "net", "1");
  std::string bytes = read_text(folder / "net.safetensors");
  const std::string path = (folder / "odd.safetensors").string();
  for (const std::string type : {"BF16", "F16", "F64"}) {
    std::string other = bytes;
    std::size_t at = 0;
    while ((at = other.find("\"F32\"", at)) != std::string::npos) {
      other.replace(at, 5, "\"" + type + "\"");
      at += type.size() + 2;
    }
    std::uint64_t length = 0;
    std::memcpy(&length, other.data(), sizeof length);
    length += other.size() - bytes.size();
    std::memcpy(other.data(), &length, sizeof length);
    write_text(path, other);
    for (const char* verb : {"show", "verify"}) {
      const ProgramEnd end = pitboss({"network", verb, path});
      CAPTURE(end.err);
      CHECK(end.code == 2);
      CHECK(end.err.find("has numbers of the type " + type +
                         "; a network for Pitboss has 32-bit floats (F32)") != std::string::npos);
      CHECK(end.err.find("not in safetensors format") == std::string::npos);
    }
  }
}

TEST_CASE("pitboss network: export to a model repository, as a whole and over nothing") {
  const ScratchFolder folder;
  init(folder, "net", "1");
  const std::string file = (folder / "net.safetensors").string();
  const auto add_to = [&](const std::string& repository) {
    return pitboss({"network", "export", "--triton", (folder / repository).string(), file});
  };
  CHECK(add_to("models").code == 0);
  const std::string config = read_text(folder / "models/net/config.pbtxt");
  CHECK(config.starts_with("name: \"net\"\nbackend: \"onnxruntime\"\nmax_batch_size: 256\n"));
  CHECK(pitboss({"network", "export", "--onnx", (folder / "net.onnx").string(), file}).code == 0);
  const std::string model = read_text(folder / "net.onnx");
  CHECK_FALSE(model.empty());
  CHECK(read_text(folder / "models/net/1/model.onnx") == model);
  const auto entries = [&](const char* sub) {
    return std::distance(std::filesystem::directory_iterator(folder / sub), {});
  };
  CHECK(entries("models") == 1);

  const ProgramEnd again = add_to("models");
  CHECK(again.code == 2);
  CHECK(again.err.find("models/net exists; remove it") != std::string::npos);
  write_text(folder / "models/net/config.pbtxt", "mine");
  CHECK(add_to("models").code == 2);
  CHECK(read_text(folder / "models/net/config.pbtxt") == "mine");

  // Nothing is left behind where not all can be written.
  std::filesystem::create_directories(folder / "full/.net.new/1/model.onnx");
  const ProgramEnd failed = add_to("full");
  CHECK(failed.code != 0);
  CHECK_FALSE(failed.err.empty());
  CHECK(entries("full") == 0);
}

TEST_CASE("pitboss bench: networks are timed when they are asked for") {
  const auto bench = [](const Words& more) {
    Words words{"bench", "--json",    "--game", "connect4",  "--simulations",
                "100",   "--seconds", "0",      "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return nlohmann::json::parse(pitboss(words).out);
  };
  const auto plain = bench({});
  CHECK_FALSE(plain.contains("networks"));
  const auto more = bench({"--networks"});
  CHECK(more["signature"] == plain["signature"]);
  CHECK(more["rows"].size() == plain["rows"].size());
  REQUIRE(more["networks"].size() == 1);
  const auto& network = more["networks"][0];
  CHECK(network["game"] == "connect4");
  CHECK(network["peak_gflops"] > 0);
  for (const auto& batch : network["batches"]) {
    CHECK(batch["evaluations_per_second"] > 0);
    CHECK(batch["share_of_peak"] > 0);
    CHECK(batch["share_of_peak"] < 1);
    // All parts, each once, and all multiply-adds in one of them.
    double multiply_adds = 0;
    std::set<std::string> names;
    for (const auto& part : batch["parts"]) {
      CHECK(part["seconds"] > 0);
      multiply_adds += part["multiply_adds"].get<double>();
      names.insert(part["layer"].get<std::string>() + " " + part["work"].get<std::string>());
    }
    CHECK(multiply_adds == doctest::Approx(batch["multiply_adds"].get<double>()));
    CHECK(names.size() == 19);
    CHECK(names.contains("blocks.0.conv1 cut"));
    CHECK(names.contains("value.fc2 multiply"));
    CHECK(batch["parts"].size() == names.size());
  }
  // Every batch has the same positions.
  CHECK(network["batches"][0]["multiply_adds"].get<double>() ==
        doctest::Approx(network["batches"][2]["multiply_adds"].get<double>()));
  for (const auto& search : network["searches"]) {
    CHECK(search["simulations_per_second"] > 0);
    CHECK(search["simulations"] == 10);
    CHECK(search["rounds"] >= 5);
  }
  CHECK(network["batches"].size() == 3);
  CHECK(network["searches"].size() == 10);
}

TEST_CASE("pitboss network: every mistake has its sentence, and writes nothing") {
  const ScratchFolder folder;
  const std::string out = (folder / "x.safetensors").string();
  const std::string text = (folder / "text.safetensors").string();
  const std::string named = text + ": the file is not in safetensors format";
  write_text(text, "no network");
  struct Mistake {
    Words words;
    const char* says;
  };
  for (const Mistake& mistake : std::initializer_list<Mistake>{
           {{}, "init, show, verify"},
           {{"inti"}, "there is no 'pitboss network inti'; did you mean 'init'?"},
           {{"init", "--out", out}, "--game NAME is missing"},
           {{"init", "--game", "hxe", "--out", out}, "did you mean 'hex'?"},
           {{"init", "--game", "hex"}, "--out must name a file"},
           {{"init", "--game", "hex", "--architecture", "big", "--out", out}, "paper or tower"},
           {{"init", "--game", "hex", "--architecture", "tower", "--filters", "0", "--out", out},
            "--filters must be"},
           {{"init", "--game", "hex", "--blocks", "2", "--out", out}, "for --architecture tower"},
           {{"show"}, "network show takes one file"},
           {{"show", out}, "No such file or directory"},
           {{"show", text}, named.c_str()},
           {{"verify", text}, named.c_str()},
           {{"bench", text}, named.c_str()},
           {{"export", "--onnx", out, text}, named.c_str()},
           {{"export", out}, "Either --onnx FILE or --triton DIR"},
           {{"export", "--onnx", out, "--triton", out, out}, "Either --onnx FILE or --triton DIR"},
           {{"bench", folder.path().string()}, "it is not a regular file"}}) {
    Words words{"network"};
    words.insert(words.end(), mistake.words.begin(), mistake.words.end());
    const ProgramEnd end = pitboss(words);
    CAPTURE(end.err);
    CHECK(end.code == 2);
    CHECK(end.err.find(mistake.says) != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(out));
  const ProgramEnd over = pitboss({"network", "init", "--game", "hex", "--out", text});
  CHECK(over.code == 2);
  CHECK(over.err.find("text.safetensors exists; remove it") != std::string::npos);
  CHECK(read_text(text) == "no network");
}

TEST_CASE("two networks play a match over two daemons, twice the same, and are recorded by hash") {
  const ScratchFolder folder;
  init(folder, "one", "1");
  init(folder, "two", "2");
  const Words arguments{"--listen", "127.0.0.1:0", "--networks", folder.path().string()};
  Daemon first(arguments);
  Daemon second(arguments);
  const std::string servers[]{Daemon::address_of(first.output_line()),
                              Daemon::address_of(second.output_line())};
  const std::string search = " evaluation=network selection=puct simulations=30 network=";
  const auto play = [&](const std::string& out) {
    return pitboss({"referee", "--server", servers[0], "--server", servers[1], "--game", "connect4",
                    "--player", "name=A" + search + "one", "--player",
                    "name=B novelty=pseudocount" + search + "two", "--games", "8", "--out",
                    (folder / out).string()});
  };
  const ProgramEnd end = play("first");
  CAPTURE(end.err);
  CHECK(end.code == 0);
  CHECK(end.out.find("failures   none") != std::string::npos);
  CHECK(play("second").code == 0);
  CHECK(text_without_seconds(folder / "first/games.csv") ==
        text_without_seconds(folder / "second/games.csv"));
  const std::string report = read_text(folder / "first/report.html");
  CHECK(report.find("network_sha256") != std::string::npos);
}

TEST_CASE("a daemon's networks: a search fails with a sentence, and the session goes on") {
  const ScratchFolder folder;
  init(folder, "net", "1");
  Daemon daemon({"--listen", "127.0.0.1:0", "--networks", folder.path().string()});
  const std::string address = Daemon::address_of(daemon.output_line());
  Client client(Daemon::port_of("listening " + address + " connect4"));
  const auto ask = [&](const std::string& line) { return client.ask(line); };
  CHECK(ask("setoption evaluation network") == "= \n\n");
  CHECK(ask("genmove b") ==
        "? evaluation network needs a network: set the option network to its name, or to auto for "
        "that of the game\n\n");
  CHECK(ask("networks") == "= net\n\n");
  CHECK(ask("features") == "? there are no features: start pitbossd with --features FOLDER\n\n");
  CHECK(ask("setoption evaluation static") == "= \n\n");
  CHECK(ask("setoption network nte") == "= network has no effect until evaluation is network\n\n");
  CHECK(ask("setoption evaluation network") == "= \n\n");
  CHECK(ask("genmove b") == "? there is no network 'nte'; did you mean 'net'?\n\n");
  CHECK(ask("analyze 10").find("error: there is no network 'nte'") != std::string::npos);
  CHECK(ask("moves") == "= \n\n");
  CHECK(ask("setoption network net") == "= \n\n");
  CHECK(ask("setoption simulations 50") == "= \n\n");
  CHECK(ask("genmove b").starts_with("= "));
  // Its file may go while the session uses it; the next search misses it.
  std::filesystem::remove(folder / "net.safetensors");
  CHECK(ask("genmove w").starts_with("? there is no network 'net'"));
  CHECK(ask("setoption evaluation static") == "= \n\n");
  CHECK(ask("genmove w").starts_with("= "));
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);

  const std::string data = tests::tests_folder() + "/../data";
  Daemon shipped({"--listen", "127.0.0.1:0", "--networks", data + "/networks", "--features",
                  data + "/features"});
  Client other(Daemon::port_of(shipped.output_line()));
  for (const char* game :
       {"connect4", "othello", "breakthrough", "knightthrough", "atarigo", "gomoku"}) {
    CAPTURE(game);
    CHECK(other.ask(std::string("game ") + game) == "= \n\n");
    CHECK(other.ask("networks") == std::string("= ") + game + "\n\n");
    CHECK(other.ask("setoption preset network") == "= \n\n");
    CHECK(other.ask("setoption simulations 20") == "= \n\n");
    CHECK(other.ask("genmove").starts_with("= "));
    CHECK(other.ask("last_search").find("\"network\":{\"name\":\"" + std::string(game)) !=
          std::string::npos);
  }
  CHECK(other.ask("game hex") == "= \n\n");
  CHECK(other.ask("networks") == "= \n\n");
  CHECK(other.ask("features") == "= hex-11\nhex-7\n\n");
  CHECK(other.ask("genmove").starts_with("? there is no network 'hex'; did you mean 'hex-7'?"));
  CHECK(other.ask("setoption preset uct") == "= \n\n");
  CHECK(other.ask("genmove").starts_with("= "));
  CHECK(other.ask("game hex size=7") == "= \n\n");
  CHECK(other.ask("networks") == "= hex-7\n\n");

  Daemon lost({"--listen", "127.0.0.1:0", "--networks", (folder / "nowhere").string()});
  CHECK(lost.wait() == 1);
  CHECK(lost.errors().find("cannot read the folder of networks") != std::string::npos);
}

}  // namespace pitboss::clients
