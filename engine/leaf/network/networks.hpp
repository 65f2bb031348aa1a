#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/leaf/network/evaluation_cache.hpp"
#include "engine/leaf/network/network.hpp"
#include "engine/leaf/network/network_file.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "engine/memory_budget.hpp"
#include "engine/model_folder.hpp"

namespace pitboss::engine {

class RemoteNetwork;
class RemoteService;

/// Words of a key of the cache: one bit for each number of the input, which is 0 or 1.
[[nodiscard]] inline std::size_t key_words(const NetworkShape& shape) {
  return (static_cast<std::size_t>(shape.inputs()) + 63) / 64;
}

/// A network in memory, shared by all searches that use it, with their cache.
struct LoadedNetwork : NetworkGame {
  /// With a cache of `room` bytes, which is part of the budget as the weights are; null: there is
  /// none. Throws BadNetwork if the file's tensors make no network.
  LoadedNetwork(std::string given, const NetworkFile& file, std::string hash, std::size_t room,
                std::shared_ptr<MemoryBudget> memory = nullptr);

  std::string name;
  std::string sha256;   ///< of the file
  bool rereads_planes;  ///< NetworkFile::rereads_planes
  Network network;
  std::shared_ptr<MemoryBudget> budget;
  Reservation reservation;  ///< for the network and its cache
  std::size_t cache_bytes;  ///< that a cache of its evaluations may take
  mutable EvaluationCache cache;
};

/// The value of the option `network` for which a search takes the network with its game's name.
inline constexpr const char* network_of_game = "auto";

/// Throws BadNetwork unless the network is one for this game with these parameters.
void check_network(const LoadedNetwork& network, const std::string& game,
                   const std::string& parameters, const NetworkInterface& interface);

/// The networks of one folder by name: NAME.safetensors. Each is loaded when a search first wants
/// it, shared while any search uses it, and freed with the last; or one network that is no file.
/// Any thread may call the members.
class Networks {
 public:
  /// `cache_bytes` bounds the cache of each network; 0: none has a cache.
  explicit Networks(std::filesystem::path folder, std::size_t cache_bytes = default_cache_bytes);
  /// This network alone.
  explicit Networks(std::shared_ptr<const LoadedNetwork> only);

  /// The network as the file is now. May read the file, which blocks this call and others that want
  /// to read one. Throws BadNetwork with a sentence; a name with a slash is none. Throws
  /// OutOfBudget.
  [[nodiscard]] std::shared_ptr<const LoadedNetwork> get(const std::string& name);
  /// Has searches ask this service for evaluations; before any search is made.
  void evaluate_on(std::shared_ptr<RemoteService> service) { service_ = std::move(service); }
  /// Has networks be part of this budget; before any is loaded.
  void count_in(std::shared_ptr<MemoryBudget> budget) { budget_ = std::move(budget); }
  /// Null if all networks are evaluated in this process.
  [[nodiscard]] const std::shared_ptr<RemoteService>& service() const { return service_; }
  /// The names of all files in the folder that may be networks, sorted; links to files are files.
  /// Blocks. Throws BadNetwork if the folder cannot be read.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Of these the ones that play this game with these parameters, without files that are no
  /// networks.
  [[nodiscard]] std::vector<std::string> names_for(const NetworkGame& game) const;

  static constexpr std::size_t default_cache_bytes = std::size_t{64} << 20;

 private:
  struct Entry {
    std::weak_ptr<const LoadedNetwork> network;
    FileVersion version;
  };
  [[nodiscard]] std::shared_ptr<const LoadedNetwork> find(const std::string& name,
                                                          const FileVersion& version);

  const std::shared_ptr<const LoadedNetwork> only_;
  const ModelFolder<BadNetwork> folder_;
  const std::size_t cache_bytes_ = 0;
  std::shared_ptr<RemoteService> service_;
  std::shared_ptr<MemoryBudget> budget_;
  std::mutex loading_;  ///< one file at a time is read
  std::mutex mutex_;    ///< guards `loaded_`; never held for long
  std::map<std::string, Entry> loaded_;
};

/// The networks as one table uses them: the last one that it got stays loaded. Any thread may call
/// `get`, which is Networks::get.
class HeldNetworks {
 public:
  explicit HeldNetworks(std::shared_ptr<Networks> networks) : networks_(std::move(networks)) {}
  /// Networks::service.
  [[nodiscard]] const std::shared_ptr<RemoteService>& service() const {
    return networks_->service();
  }
  /// What servers know of the last network stays known, too.
  void hold(std::shared_ptr<RemoteNetwork> remote) {
    const std::scoped_lock lock(mutex_);
    remote_ = std::move(remote);
  }

  [[nodiscard]] std::shared_ptr<const LoadedNetwork> get(const std::string& name) {
    auto network = networks_->get(name);
    const std::scoped_lock lock(mutex_);
    last_ = network;
    return network;
  }

 private:
  std::shared_ptr<Networks> networks_;
  std::mutex mutex_;
  std::shared_ptr<const LoadedNetwork> last_;
  std::shared_ptr<RemoteNetwork> remote_;
};

}  // namespace pitboss::engine
