#include "engine/leaf/network/networks.hpp"

#include <utility>

#include "engine/sha256.hpp"

namespace pitboss::engine {

namespace fs = std::filesystem;

namespace {

const ModelKind network_files{".safetensors", "networks", "there is no network"};

NetworkFile parse_named(const std::string& name, std::string_view bytes) {
  try {
    return parse_network(bytes);
  } catch (const BadNetwork& bad) {
    throw BadNetwork("network " + name + ": " + bad.what());
  }
}

Network network_of(const std::string& name, const NetworkFile& file) {
  try {
    return {file.shape, file.tensors};
  } catch (const BadNetwork& bad) {
    throw BadNetwork("network " + name + ": " + bad.what());
  }
}

}  // namespace

LoadedNetwork::LoadedNetwork(std::string given, const NetworkFile& file, std::string hash,
                             std::size_t room, std::shared_ptr<MemoryBudget> memory)
    : NetworkGame{file.game, file.parameters},
      name(std::move(given)),
      sha256(std::move(hash)),
      rereads_planes(file.rereads_planes),
      network(network_of(name, file)),
      budget(std::move(memory)),
      reservation(budget, MemoryBudget::Kind::networks, network.bytes() + room),
      cache_bytes(room),
      cache(key_words(file.shape), static_cast<std::size_t>(file.shape.outputs()), room) {}

void check_network(const LoadedNetwork& network, const std::string& game,
                   const std::string& parameters, const NetworkInterface& interface) {
  const std::string begin = "network " + network.name + " ";
  if (network.game != game || network.parameters != parameters) {
    const auto text = [](const std::string& name, const std::string& more) {
      return more.empty() ? name : name + " " + more;
    };
    throw BadNetwork(begin + "is for " + text(network.game, network.parameters) + ", not for " +
                     text(game, parameters));
  }
  if (interface_of(network.network.shape(), network.rereads_planes) != interface) {
    throw BadNetwork(begin + "has other planes or outputs than " + game +
                     " has (docs/networks.md)");
  }
}

Networks::Networks(fs::path folder, std::size_t cache_bytes)
    : folder_(network_files, std::move(folder)), cache_bytes_(cache_bytes) {}

Networks::Networks(std::shared_ptr<const LoadedNetwork> only)
    : only_(std::move(only)), folder_(network_files, {}) {}

std::shared_ptr<const LoadedNetwork> Networks::get(const std::string& name) {
  if (only_ && name == only_->name) return only_;
  const auto version = only_ ? std::nullopt : folder_.version(name);
  if (!version) folder_.refuse(name, names());
  if (auto network = find(name, *version)) return network;
  const std::scoped_lock loading(loading_);
  if (auto network = find(name, *version)) return network;
  const std::string bytes = read_network_bytes(folder_.path(name));
  const NetworkFile file = parse_named(name, bytes);
  auto network =
      std::make_shared<const LoadedNetwork>(name, file, sha256(bytes), cache_bytes_, budget_);
  const std::scoped_lock lock(mutex_);
  loaded_[name] = {network, *version};
  return network;
}

/// The network if that version of its file has been loaded and is still in use; else null.
std::shared_ptr<const LoadedNetwork> Networks::find(const std::string& name,
                                                    const FileVersion& version) {
  const std::scoped_lock lock(mutex_);
  const auto found = loaded_.find(name);
  const bool is_known = found != loaded_.end() && found->second.version == version;
  return is_known ? found->second.network.lock() : nullptr;
}

std::vector<std::string> Networks::names() const {
  return only_ ? std::vector{only_->name} : folder_.names();
}

std::vector<std::string> Networks::names_for(const NetworkGame& game) const {
  std::vector<std::string> all = names();
  std::erase_if(all, [&](const std::string& name) {
    if (only_) return *only_ != game;
    try {
      return read_network_game(folder_.path(name)) != game;
    } catch (const BadNetwork&) {
      return true;
    }
  });
  return all;
}

}  // namespace pitboss::engine
