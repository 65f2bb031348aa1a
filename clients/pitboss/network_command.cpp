#include "clients/pitboss/commands.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "clients/experiments/match.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/networks/djl.hpp"
#include "clients/networks/onnx.hpp"
#include "clients/networks/triton.hpp"
#include "clients/pitboss/network_figures.hpp"
#include "clients/pitboss/network_timing.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/search_timing.hpp"
#include "clients/results/record_files.hpp"
#include "engine/leaf/network/evaluate_reference.hpp"
#include "engine/leaf/network/network.hpp"
#include "engine/leaf/network/network_file.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/network/random_weights.hpp"
#include "engine/sha256.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using engine::NetworkFile;
using engine::NetworkShape;

constexpr std::string_view network_usage =
    "Policy-value networks, one a file NAME.safetensors. See docs/networks.md.\n\n"
    "  pitboss network init --game othello --seed 1 --out F   random weights, to learn from\n"
    "  pitboss network show F                                 what the network is\n"
    "  pitboss network verify F                               compares the kernels with plain "
    "loops\n"
    "  pitboss network bench F                                evaluations and searches a second\n"
    "  pitboss network import --format djl --game G IN --out F\n"
    "                                    from a .param file of the novelty authors' program\n"
    "  pitboss network export --onnx OUT F                    as an ONNX model\n"
    "  pitboss network export --triton DIR F                  as a model of Triton Inference "
    "Server\n\n";

constexpr int usual_blocks = 4;
constexpr int usual_filters = 64;

struct NetworkFlags {
  std::string game;
  std::int64_t seed = 1;
  std::string out;
  std::string architecture = "paper";
  std::optional<int> blocks;
  std::optional<int> filters;
  NetworkTimingPlan bench;
  std::vector<std::string> settings;
  bool is_json = false;
  std::string format;
  std::string onnx;
  std::string triton;
};

po::options_description describe(NetworkFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("game", po::value(&a.game)->value_name("NAME"),
      "init: the game, perhaps with parameters: \"hex size=7\"");
  add("seed", po::value(&a.seed)->default_value(a.seed)->value_name("S"), "init: of the weights");
  add("out", po::value(&a.out)->value_name("FILE"), "init: the file to write");
  add("architecture", po::value(&a.architecture)->default_value(a.architecture)->value_name("NAME"),
      "init: paper (two residual blocks, dense heads) or tower (--blocks of --filters)");
  const auto number = [](std::optional<int>& field) {
    return po::value<int>()->notifier([&field](int value) { field = value; });
  };
  add("blocks", number(a.blocks)->value_name(std::to_string(usual_blocks)), "init: of a tower");
  add("filters", number(a.filters)->value_name(std::to_string(usual_filters)),
      "init: of a tower's blocks");
  add("simulations",
      po::value(&a.bench.simulations)->default_value(a.bench.simulations)->value_name("N"),
      "bench: of each search");
  add("seconds", po::value(&a.bench.seconds)->default_value(a.bench.seconds, "8")->value_name("S"),
      "bench: in all, about");
  add("set", po::value(&a.settings)->value_name("NAME=VALUE"),
      "bench: an option of the searches; may be repeated");
  add("format", po::value(&a.format)->value_name("NAME"), "import: djl");
  add("onnx", po::value(&a.onnx)->value_name("FILE"), "export: the file to write");
  add("triton", po::value(&a.triton)->value_name("DIR"),
      "export: the model repository to which the network is added");
  add("json", po::bool_switch(&a.is_json), "bench: print JSON instead of tables");
  add("help", "this text");
  return all;
}

std::size_t count_weights(const engine::Tensors& tensors) {
  std::size_t count = 0;
  for (const auto& [name, tensor] : tensors) count += tensor.data.size();
  return count;
}

std::string shape_text(const NetworkShape& shape) {
  std::string text = shape.stem ? "tower" : "paper";
  text += ": residual blocks of";
  for (const int filters : shape.filters) text += " " + std::to_string(filters);
  return text + (shape.heads == engine::Heads::dense ? ", dense heads" : ", convolutional heads");
}

std::string bytes_of(const fs::path& path) {
  try {
    return engine::read_network_bytes(path);
  } catch (const engine::BadNetwork& bad) {
    throw UserError(bad.what());  // which names the file
  }
}

/// A network file and its hash.
struct Given {
  explicit Given(const fs::path& path) {
    const std::string bytes = bytes_of(path);
    sha256 = engine::sha256(bytes);
    file = engine::parse_network(bytes);
  }
  NetworkFile file;
  std::string sha256;
};

/// Makes the folder for a new file, which must not exist: a network may have taken hours to learn.
void make_room_for(const fs::path& path) {
  require(!fs::exists(path), path.string() + " exists; remove it, or name another file");
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
}

void write_network(const NetworkFile& file, const std::string& path) {
  const std::string bytes = engine::network_bytes(file);
  make_room_for(path);
  replace_file(path, bytes);
  std::cout << path << ": " << count_weights(file.tensors) << " weights, sha256 "
            << engine::sha256(bytes) << "\n";
}

int init(const std::vector<std::string>&, const NetworkFlags& a) {
  require(!a.game.empty(), "--game NAME is missing");
  require(!a.out.empty(), "--out must name a file");
  require(a.seed >= 0, "--seed must not be negative");
  Match match;
  set_game(match, a.game);
  const auto start = match.initial_position();
  const auto [planes, rows, columns, policy, values] = engine::network_interface(*start);
  NetworkShape shape;
  if (a.architecture == "paper") {
    require(!a.blocks && !a.filters, "--blocks and --filters are for --architecture tower");
    shape = NetworkShape::paper(planes, rows, columns, policy, values);
  } else {
    require(a.architecture == "tower", "--architecture is paper or tower");
    const int blocks = a.blocks.value_or(usual_blocks);
    const int filters = a.filters.value_or(usual_filters);
    require(blocks >= 1 && blocks <= 100, "--blocks must be 1 to 100");
    require(filters >= 1 && filters <= 1024, "--filters must be 1 to 1024");
    shape = NetworkShape::tower(planes, rows, columns, policy, values, blocks, filters);
  }
  NetworkFile file = engine::random_network(*start, shape, static_cast<std::uint64_t>(a.seed));
  file.trainer = "pitboss network init";
  write_network(file, a.out);
  return 0;
}

/// The first position of a network's game. Throws UserError or BadNetwork for a network that a
/// daemon would not use, though its file may be sound.
std::unique_ptr<games::AnyGame> checked_position(const Given& network, const fs::path& path) {
  const NetworkFile& file = network.file;
  Match match;
  set_game(match, file.game + " " + file.parameters);
  auto position = match.initial_position();
  const engine::LoadedNetwork loaded(path.stem().string(), file, network.sha256, 0, nullptr);
  engine::check_network(loaded, file.game, position->parameters().line(),
                        engine::network_interface(*position));
  return position;
}

/// Why nobody can search with a network; empty if somebody can.
std::string what_is_wrong(const Given& network, const fs::path& path) {
  try {
    static_cast<void>(checked_position(network, path));
    return "";
  } catch (const UserError& wrong) {
    return wrong.what();
  } catch (const engine::BadNetwork& wrong) {
    return wrong.what();
  }
}

int show(const std::vector<std::string>& files, const NetworkFlags&) {
  const Given network(files[0]);
  const NetworkFile& file = network.file;
  const NetworkShape& shape = file.shape;
  const auto line = [](const char* name, const std::string& text) {
    if (!text.empty()) std::printf("%-12s %s\n", name, text.c_str());
  };
  line("game", file.game + (file.parameters.empty() ? "" : " " + file.parameters));
  line("network", shape_text(shape));
  line("input", std::to_string(shape.planes) + " planes of " + std::to_string(shape.rows) + " x " +
                    std::to_string(shape.columns) +
                    (file.rereads_planes ? ", rows read as columns" : ""));
  line("output", std::to_string(shape.policy) + " logits of the policy, " +
                     std::to_string(shape.values) + " of the value");
  line("weights", std::to_string(count_weights(file.tensors)));
  line("trainer", file.trainer);
  line("procedure", file.procedure);
  line("parent", file.parent);
  line("sha256", network.sha256);
  const std::string wrong = what_is_wrong(network, files[0]);
  if (!wrong.empty()) line("not usable", wrong);
  return wrong.empty() ? 0 : 1;
}

/// The largest difference; relative where a number is above 1.
double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double scale = std::max(1.0F, std::abs(b[i]));
    const double apart = std::abs(a[i] - b[i]) / scale;
    most = std::isfinite(apart) ? std::max(most, apart) : INFINITY;
  }
  return most;
}

int verify(const std::vector<std::string>& files, const NetworkFlags&) {
  const Given given(files[0]);
  const NetworkShape& shape = given.file.shape;
  const auto position = checked_position(given, files[0]);
  const engine::Network kernels(shape, given.file.tensors);
  engine::Network::Workspace workspace(kernels, 1);
  games::Random random(1);
  double most = 0;
  int positions = 0;
  for (; !position->result().finished(); ++positions) {
    const std::vector<float> planes = position->planes();
    std::vector<float> fast(static_cast<std::size_t>(shape.outputs()));
    std::vector<float> plain = fast;
    kernels.evaluate(planes.data(), 1, fast.data(), fast.data() + shape.values, workspace);
    engine::evaluate_reference(shape, given.file.tensors, planes.data(), 1, plain.data(),
                               plain.data() + shape.values);
    most = std::max(most, distance(fast, plain));
    position->play(position->random_move(random));
  }
  const bool is_sound = most <= 1e-5;
  std::printf("%d positions of a random game: kernels and plain loops differ by at most %.2g: %s\n",
              positions, most, is_sound ? "sound" : "too much");
  return is_sound ? 0 : 1;
}

int bench_network(const std::vector<std::string>& files, const NetworkFlags& a) {
  NetworkTimingPlan plan = a.bench;
  require(plan.simulations >= 1 && plan.simulations <= 1'000'000,
          "--simulations must be 1 to 1000000");
  require(plan.seconds > 0 && plan.seconds <= 3600,
          "--seconds must be more than 0 and at most 3600");
  plan.settings = settings_of_rows(a.settings, {"evaluation", "network"});
  const Given given(files[0]);
  const NetworkTiming timing = time_network(given.file, plan);
  if (a.is_json) {
    std::cout << json_of(timing).dump(2) << "\n";
  } else {
    print_tables({&timing, 1});
  }
  return 0;
}

int import_network(const std::vector<std::string>& files, const NetworkFlags& a) {
  require(a.format == "djl", "--format must be djl");
  require(!a.game.empty(), "--game NAME is missing");
  require(!a.out.empty(), "--out must name a file");
  Match match;
  set_game(match, a.game);
  const NetworkFile file = read_djl(bytes_of(files[0]), *match.initial_position());
  static_cast<void>(engine::Network(file.shape, file.tensors));  // throws if it is invalid
  write_network(file, a.out);
  return 0;
}

/// Makes the folder NAME of a model repository in one step, since Triton may look there at any
/// time.
void write_triton_model(const fs::path& repository, const std::string& name,
                        const std::string& config, const std::string& model) {
  make_room_for(repository / name);
  const fs::path unfinished = repository / ("." + name + ".new");
  fs::create_directories(unfinished / "1");
  try {
    replace_file(unfinished / "config.pbtxt", config);
    replace_file(unfinished / "1" / "model.onnx", model);
    fs::rename(unfinished, repository / name);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(unfinished, ignored);
    throw;
  }
}

int export_network(const std::vector<std::string>& files, const NetworkFlags& a) {
  require(a.onnx.empty() != a.triton.empty(), "export to what? Either --onnx FILE or --triton DIR");
  const Given given(files[0]);
  const std::string model = onnx_bytes(given.file, given.sha256);
  if (a.triton.empty()) {
    make_room_for(a.onnx);
    replace_file(a.onnx, model);
  } else {
    const std::string name = fs::path(files[0]).stem().string();
    write_triton_model(a.triton, name, triton_config(given.file, name, given.sha256), model);
  }
  return 0;
}

struct NetworkVerb {
  std::string_view name;
  std::size_t files;
  int (*run)(const std::vector<std::string>& files, const NetworkFlags& flags);
};

constexpr std::array network_verbs{NetworkVerb{"init", 0, init},
                                   NetworkVerb{"show", 1, show},
                                   NetworkVerb{"verify", 1, verify},
                                   NetworkVerb{"bench", 1, bench_network},
                                   NetworkVerb{"import", 1, import_network},
                                   NetworkVerb{"export", 1, export_network}};

}  // namespace

int network(const std::vector<std::string>& arguments) {
  NetworkFlags flags;
  const po::options_description options = describe(flags);
  std::vector<std::string> words;
  if (!read_flags("network", network_usage, options, arguments, &words)) return 0;
  if (words.empty())
    throw UserError(
        "expected init, show, verify, bench, import or export; see pitboss network --help");
  const NetworkVerb& verb = verb_named("network", words[0], network_verbs);
  const std::vector<std::string> files(words.begin() + 1, words.end());
  if (files.size() != verb.files) {
    throw UserError("network " + words[0] + " takes " + (verb.files == 1 ? "one file" : "no file"));
  }
  try {
    return verb.run(files, flags);
  } catch (const engine::BadNetwork& bad) {
    throw UserError((files.empty() ? "" : files[0] + ": ") + bad.what());
  } catch (const engine::BadOption& bad) {
    throw UserError(bad.what());
  }
}

}  // namespace pitboss::clients
