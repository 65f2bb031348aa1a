#include "server/server.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "protocol/listener.hpp"
#include "server/commands/commands.hpp"
#include "server/logging.hpp"
#include "server/metrics/server_metrics.hpp"
#include "server/net/line_connection.hpp"
#include "server/net/metrics_page.hpp"
#include "server/net/peer.hpp"
#include "server/net/shared.hpp"
#include "server/net/web_connection.hpp"
#include "server/session/findings.hpp"
#include "server/session/saved_table.hpp"
#include "server/session/session.hpp"
#include "server/session/tables.hpp"
#include "server/work/worker_pool.hpp"

namespace pitboss::server {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using protocol::Listener;
using SteadyClock = Connection::SteadyClock;

namespace {

constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();
constexpr auto check_interval = 50ms;
constexpr auto polling_time = 50us;
constexpr std::size_t few_events = 4;
// Connections beyond the sessions, such as refused ones that wait for their peer to close.
constexpr int spare_sockets = 16;

/// Releases a table's search, and the table if nobody sits there. A large tree makes this slow.
class Release final : public WorkerPool::Task {
 public:
  explicit Release(std::shared_ptr<Table> table) : table_(std::move(table)) {}
  engine::Progress work() noexcept override {
    static_cast<void>(table_->search().give_up());
    table_.reset();
    return engine::Progress::done;
  }

 private:
  std::shared_ptr<Table> table_;
};

/// Writes what is to be saved of a table, or removes its file.
class Saving final : public WorkerPool::Task {
 public:
  Saving(const TableFolder& folder, Tables::Unsaved its)
      : unsaved(std::move(its)), folder_(folder) {}
  engine::Progress work() noexcept override {
    try {
      unsaved.text ? folder_.write(unsaved.name, *unsaved.text) : folder_.remove(unsaved.name);
    } catch (const std::exception& error) {
      failure = error.what();
    }
    is_done = true;
    return engine::Progress::done;
  }

  const Tables::Unsaved unsaved;
  std::string failure{};  ///< once it is done
  std::atomic<bool> is_done = false;

 private:
  const TableFolder& folder_;
};

}  // namespace

class Server::Implementation final : public ServerControl {
 public:
  explicit Implementation(const Config& config);

  [[nodiscard]] std::string stats() const override { return json_text(metrics()); }
  [[nodiscard]] int workers() const override { return pool_.threads(); }
  [[nodiscard]] std::string log_level() const override { return server::log_level(); }
  void set_log_level(const std::string& word) override;
  [[nodiscard]] std::optional<protocol::Identity> client_with(std::string_view token) override;
  [[nodiscard]] std::string sessions() const override;
  bool disconnect(std::int64_t number) override;
  void check_room_for_search(const protocol::Identity& client) override;

  bool run();
  void stop();
  void reload();

  std::vector<ListenAddress> listening;
  Shared& shared() { return shared_; }
  [[nodiscard]] const std::optional<MetricsPage>& page() const { return page_; }

 private:
  [[nodiscard]] std::vector<Family> metrics() const;
  void serve();
  asio::awaitable<void> check_all();
  void check_connections(SteadyClock::time_point now);
  void check_access(const Config& config) const;
  void warn() const;
  void connected(std::size_t listener, Listener::Socket socket);
  [[nodiscard]] std::size_t reserve_for(bool is_local) const;
  [[nodiscard]] std::optional<protocol::Limit> limit_of_sessions(const ClientAccount& address,
                                                                 bool is_local) const;
  void make_room(const ClientAccount& address, bool is_local);
  bool make_room_for_socket(const ClientAccount* address);
  void admit(Connection& connection, SessionConfig config, bool is_local);
  void keep_connection(std::size_t listener, Listener::Socket socket, SessionConfig config,
                       bool is_local);
  [[nodiscard]] std::string why_refused(const ClientAccount& address, bool is_local);
  [[nodiscard]] std::string too_many_sessions() const;
  void restore_tables();
  void save_tables(SteadyClock::time_point now);
  void note_saved(SteadyClock::time_point now);
  void save_all_tables();
  void take(Credentials::Content credentials);
  void drain();

  // The order matters: handlers that the event loop destroys with itself refer to `shared_` and the
  // pool.
  ServerLimits limits_;
  Credentials credentials_;
  std::mutex reloading_;  ///< keeps reloads in the order in which they read
  WorkerPool pool_;
  SharedByTables by_tables_;
  std::shared_ptr<engine::RemoteService> evaluators_;
  std::shared_ptr<EvaluatorLog> evaluator_log_;
  std::function<void(SteadyClock::time_point)> heartbeat_;
  Shared shared_{io_, pool_, limits_, by_tables_.memory};
  asio::io_context io_;
  std::optional<MetricsPage> page_;
  std::deque<Listener> listeners_;
  std::optional<TableFolder> folder_;
  std::shared_ptr<Tables> tables_;
  std::shared_ptr<Saving> saving_;        ///< under way, or to be looked at
  std::string saving_failure_;            ///< of the last saving; empty if it succeeded
  SteadyClock::time_point saving_pause_;  ///< until then nothing is saved
  std::vector<SessionConfig> session_configs_;
  std::vector<std::string> http_origins_;
  std::span<const protocol::WebFile> page_files_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::size_t first_checked_ = 0;  ///< connection of the next check
  std::uint64_t accepted_ = 0;
  bool was_full_ = false;
  SteadyClock::time_point drain_deadline_ = SteadyClock::time_point::max();
};

Server::Implementation::Implementation(const Config& config)
    : limits_(config.limits),
      credentials_(config.credentials),
      pool_(config.workers),
      by_tables_{std::make_shared<SearchCounts>(),
                 config.memory ? config.memory : std::make_shared<engine::MemoryBudget>(unbounded),
                 std::make_shared<Findings>()},
      evaluators_(config.evaluators),
      evaluator_log_(config.evaluator_log),
      heartbeat_(config.heartbeat),
      http_origins_(config.http_origins),
      page_files_(config.page) {
  tables_ = std::make_shared<Tables>(
      TableLimits{limits_.max_tables, limits_.keep_tables, most_tables_of_client(limits_),
                  !config.state_folder.empty(), limits_.kept_days},
      [this](std::shared_ptr<Table> table) {
        if (table->search().has_tree()) pool_.submit(std::make_shared<Release>(std::move(table)));
      });
  const auto right = credentials_.tokens() ? protocol::Right::nothing : protocol::Right::admin;
  const protocol::Identity stranger{{}, right, {}};
  for (const auto& address : config.listen) {
    session_configs_.push_back({commands(), address.game, config.options, config.tree_mb_limit,
                                config.sgf_folder, tables_, config.make_search, config.models,
                                config.evaluators, by_tables_, this, stranger});
    const Session probe(session_configs_.back());  // throws if the configuration is wrong
  }
  if (!config.state_folder.empty()) {
    folder_.emplace(config.state_folder);
    restore_tables();
  }
  for (const auto& address : config.listen) {
    listening.push_back(address);
    listening.back().port =
        listeners_
            .emplace_back(io_, protocol::HostAndPort{address.host, address.port},
                          host_and_port(address))
            .port();
  }
  check_access(config);
  if (config.metrics) {
    page_.emplace(io_, *config.metrics, [this] { return prometheus_text(metrics()); });
  }
}

std::vector<Family> Server::Implementation::metrics() const {
  std::size_t waiting = 0;
  for (const auto& connection : connections_) waiting += connection->waiting_bytes();
  return server_metrics({shared_.counters, shared_.gauges, limits_.max_sessions, shared_.pool,
                         by_tables_, evaluators_.get(), tables_->size(), waiting});
}

void Server::Implementation::set_log_level(const std::string& word) {
  const std::string before = log_level();
  if (!server::set_log_level(word)) {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: " + std::string(log_levels));
  }
  if (log_level() != before) spdlog::info("the log level is {} now", word);
}

bool Server::Implementation::run() {
  warn();
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    const auto on_connection = [this, i](Listener::Socket socket) {
      connected(i, std::move(socket));
    };
    const auto on_failure = [this](const boost::system::error_code& error) {
      spdlog::warn("cannot accept a connection: {}", error.message());
      const bool is_shortage = error == asio::error::no_descriptors ||
                               error == boost::system::errc::too_many_files_open_in_system;
      if (is_shortage) shared_.counters.met(protocol::Limit::descriptors);
    };
    asio::co_spawn(io_, listeners_[i].accept(on_connection, on_failure), asio::detached);
  }
  if (page_) page_->start();
  asio::co_spawn(io_, check_all(), asio::detached);
  while (true) {
    try {
      serve();
      break;
    } catch (const std::exception& exception) {
      spdlog::error("{}", exception.what());
    }
  }
  pool_.stop();
  save_all_tables();
  return connections_.empty();
}

/// A table that cannot be restored keeps its file.
void Server::Implementation::restore_tables() {
  for (const std::string& name : folder_->tables()) {
    try {
      const std::string text = folder_->read(name);
      tables_->restore(name, restored_table(text, session_configs_.front()), text);
    } catch (const std::exception& error) {
      spdlog::error("the kept table {} cannot be restored: {}", name, error.what());
      tables_->reserve(name);
    }
  }
  spdlog::info("{} kept tables", tables_->size());
}

/// Has a worker save one table that needs it, one at a time.
void Server::Implementation::save_tables(SteadyClock::time_point now) {
  if (!folder_ || (saving_ && !saving_->is_done)) return;
  if (saving_) note_saved(now);
  if (now < saving_pause_) return;
  auto unsaved = tables_->next_unsaved();
  if (!unsaved) return;
  try {
    saving_ = std::make_shared<Saving>(*folder_, *unsaved);
    pool_.submit(saving_);
  } catch (...) {
    tables_->not_saved(*unsaved);
    saving_.reset();
    throw;
  }
}

void Server::Implementation::note_saved(SteadyClock::time_point now) {
  const std::string& failure = saving_->failure;
  if (failure != saving_failure_) {
    failure.empty() ? spdlog::info("kept tables can be saved again") : spdlog::error("{}", failure);
  }
  saving_failure_ = failure;
  if (!failure.empty()) {
    tables_->not_saved(saving_->unsaved);
    saving_pause_ = now + 1s;
  }
  saving_.reset();
}

/// The workers have ended.
void Server::Implementation::save_all_tables() {
  if (!folder_) return;
  if (saving_ && !saving_->is_done) static_cast<void>(saving_->work());
  if (saving_ && !saving_->failure.empty()) tables_->not_saved(saving_->unsaved);
  for (std::size_t looks = tables_->looks(); looks > 0; --looks) {
    auto unsaved = tables_->next_unsaved(true);
    if (!unsaved) continue;
    Saving last(*folder_, *std::move(unsaved));
    static_cast<void>(last.work());
    if (!last.failure.empty()) spdlog::error("{}", last.failure);
  }
}

void Server::Implementation::warn() const {
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    if (listeners_[i].is_local() || !credentials_.tokens() || listening[i].tls) continue;
    spdlog::warn(
        "clients send their tokens to {} unencrypted; ',tls' behind the address has them encrypted",
        host_and_port(listening[i]));
  }
  for (const auto& warning : credentials_.warnings()) spdlog::warn("{}", warning);
}

/// Throws std::runtime_error if the addresses do not fit the credentials.
void Server::Implementation::check_access(const Config& config) const {
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    const std::string address = host_and_port(listening[i]);
    if (config.listen[i].tls && !credentials_.tls()) {
      throw std::runtime_error(address + " needs --certificate FILE and --key FILE");
    }
    if (listeners_[i].is_local()) continue;
    if (!credentials_.tokens() && !config.is_open) {
      throw std::runtime_error(
          "everybody who reaches " + address +
          " could use this server: give --tokens FILE, or --open to allow that");
    }
  }
  const bool has_tls = std::ranges::any_of(config.listen, &ListenAddress::tls);
  if (credentials_.tls() && !has_tls) {
    throw std::runtime_error(
        "no address uses the certificate: TLS needs --listen or --http HOST:PORT,tls");
  }
}

/// Sessions beyond the limit for a new connection that may turn out to be an administrator's: by
/// its token or, at a server for all who reach it, by being of this machine.
std::size_t Server::Implementation::reserve_for(bool is_local) const {
  const bool is_for_all = !std::ranges::all_of(listeners_, &Listener::is_local);
  return credentials_.tokens() || (is_local && is_for_all) ? reserved_sessions : 0;
}

/// The limit that one session more for the host would exceed; nothing if there is room.
std::optional<protocol::Limit> Server::Implementation::limit_of_sessions(
    const ClientAccount& address, bool is_local) const {
  const auto sessions = static_cast<std::size_t>(shared_.gauges.sessions.load());
  if (sessions >= limits_.max_sessions + reserve_for(is_local)) {
    return protocol::Limit::max_sessions;
  }
  const std::size_t most = most_sessions_of_host(limits_, is_local);
  if (static_cast<std::size_t>(address.sessions) < most) return std::nullopt;
  return protocol::Limit::max_sessions_per_address;
}

/// If there are too many sessions, drops the oldest that has shown no token, so that strangers
/// cannot keep everybody out.
void Server::Implementation::make_room(const ClientAccount& address, bool is_local) {
  const auto limit = limit_of_sessions(address, is_local);
  if (!limit) return;
  const bool is_full = *limit == protocol::Limit::max_sessions;
  const auto gives_way = [&](const auto& connection) {
    return connection->is_entering() && (is_full || connection->address() == &address);
  };
  const auto oldest = std::ranges::find_if(connections_, gives_way);
  if (oldest == connections_.end()) return;
  shared_.counters.met(*limit);
  (*oldest)->give_way();
}

/// Drops the oldest connection, of that host if any is named, that has asked for no session: a
/// browser's, which may be half-open. False if there is none.
bool Server::Implementation::make_room_for_socket(const ClientAccount* address) {
  const auto gives_way = [address](const auto& connection) {
    return connection->is_browsing() && (address == nullptr || connection->address() == address);
  };
  const auto oldest = std::ranges::find_if(connections_, gives_way);
  if (oldest == connections_.end()) return false;
  (*oldest)->give_way();
  return true;
}

/// Why a client that has a socket gets no session; empty if it gets one.
std::string Server::Implementation::why_refused(const ClientAccount& address, bool is_local) {
  const auto limit = limit_of_sessions(address, is_local);
  const bool is_full = limit == protocol::Limit::max_sessions;
  const bool was_full = std::exchange(was_full_, is_full);
  if (!limit) return {};
  shared_.counters.met(*limit);
  if (!is_full) {
    return "too many sessions from this address (limit " +
           std::to_string(most_sessions_of_host(limits_, is_local)) + ")";
  }
  std::string why = too_many_sessions();
  if (!was_full) shared_.stranger_log.note(why);
  return why;
}

std::string Server::Implementation::too_many_sessions() const {
  return "too many sessions (limit " + std::to_string(limits_.max_sessions) + ")";
}

std::optional<protocol::Identity> Server::Implementation::client_with(std::string_view token) {
  auto client = credentials_.tokens()->client_with(token);
  if (!client) return client;
  const auto has_client = [](const auto& connection) {
    return connection->session() != 0 && !connection->is_entering();
  };
  const auto present = static_cast<std::size_t>(std::ranges::count_if(connections_, has_client));
  if (present >= limits_.max_sessions && client->right < protocol::Right::admin) {
    throw protocol::LimitError(protocol::Limit::max_sessions, too_many_sessions());
  }
  const std::size_t most = most_sessions_of_client(limits_);
  if (static_cast<std::size_t>(shared_.accounts.of(*client)->sessions) >= most) {
    throw protocol::LimitError(
        protocol::Limit::max_sessions_per_client,
        "too many sessions of one client (limit " + std::to_string(most) + ")");
  }
  return client;
}

std::string Server::Implementation::sessions() const {
  const auto now = SteadyClock::now();
  std::string rows;
  for (const auto& connection : connections_) {
    if (connection->session() == 0) continue;
    rows += (rows.empty() ? "" : "\n") + connection->row(now);
  }
  return rows;
}

bool Server::Implementation::disconnect(std::int64_t number) {
  const auto found =
      std::ranges::find(connections_, static_cast<std::uint64_t>(number),
                        [](const auto& connection) { return connection->session(); });
  if (found == connections_.end()) return false;
  // Later, since it may be the session that asks.
  asio::post(io_, [gone = *found] { gone->expel("an administrator has disconnected it"); });
  return true;
}

void Server::Implementation::connected(std::size_t listener, Listener::Socket socket) {
  boost::system::error_code gone;
  const auto peer = socket.remote_endpoint(gone).address();
  if (gone) return;
  try {
    SessionConfig config = session_configs_[listener];
    config.client.address = protocol::host_of(peer);
    // Without tokens, clients on this machine are administrators and others may play.
    if (!credentials_.tokens() && !peer.is_loopback()) config.client.right = protocol::Right::play;
    const auto address = shared_.accounts.of({{}, {}, config.client.address});
    const auto spare = static_cast<std::size_t>(spare_sockets);
    const std::size_t most = most_sessions_of_host(limits_, peer.is_loopback());
    const std::size_t most_sockets = limits_.max_sessions + reserved_sessions + spare;
    const bool is_flood = static_cast<std::size_t>(address->connections) >= most &&
                          static_cast<std::size_t>(address->connections) - most >= spare / 4;
    if (is_flood || static_cast<std::size_t>(shared_.gauges.sockets.load()) >= most_sockets) {
      shared_.counters.met(protocol::Limit::max_sockets);
      // Else the socket's destructor closes it.
      if (!make_room_for_socket(is_flood ? address.get() : nullptr)) return;
    }
    keep_connection(listener, std::move(socket), std::move(config), peer.is_loopback());
  } catch (const std::exception& exception) {
    spdlog::error("cannot open a session for a client: {}", exception.what());
  }
}

/// A browser gets its session when it asks for the WebSocket, others at once.
void Server::Implementation::keep_connection(std::size_t listener, Listener::Socket socket,
                                             SessionConfig config, bool is_local) {
  const ListenAddress& door = listening[listener];
  auto address = shared_.accounts.of({{}, {}, config.client.address});
  tls::Context* const context = door.tls ? credentials_.tls().get() : nullptr;
  if (door.http) {
    const auto enters = [this, config = std::move(config), is_local](Connection& connection) {
      admit(connection, config, is_local);
    };
    connections_.push_back(serve_browser(
        shared_, std::move(socket), std::move(address), context,
        {{listeners_[listener].is_local(), door.host, http_origins_}, page_files_, enters}));
    return;
  }
  const auto connection =
      std::make_shared<LineConnection>(shared_, std::move(socket), std::move(address), context);
  admit(*connection, std::move(config), is_local);
  connections_.push_back(connection);
}

/// Gives the connection a session, or tells it why not.
void Server::Implementation::admit(Connection& connection, SessionConfig config, bool is_local) {
  make_room(*connection.address(), is_local);
  if (const auto why = why_refused(*connection.address(), is_local); !why.empty()) {
    connection.refuse(why);
  } else {
    connection.serve(std::move(config), ++accepted_);
  }
}

void Server::Implementation::check_room_for_search(const protocol::Identity& client) {
  const auto most = limits_.max_searches_per_client;
  if (most == unbounded || static_cast<std::size_t>(shared_.accounts.of(client)->searching) < most)
    return;
  throw protocol::LimitError(
      protocol::Limit::max_searches_per_client,
      "too many commands that take time at once (limit " + std::to_string(most) + ")");
}

// Handles events until the end. Polls for a while before it sleeps, since a program asks again
// sooner than a sleeping processor wakes; but not while a search needs the processor.
void Server::Implementation::serve() {
  while (io_.run_one() > 0) {
    if (io_.poll() > few_events) continue;  // many clients: more lines wait already
    auto now = SteadyClock::now();
    for (auto end = now + polling_time; now < end && shared_.gauges.searching == 0;
         now = SteadyClock::now()) {
      if (io_.poll() > 0) {
        end = now + polling_time;
      } else {
        std::this_thread::yield();
      }
    }
  }
}

asio::awaitable<void> Server::Implementation::check_all() {
  asio::steady_timer timer(io_);
  while (true) {
    timer.expires_after(check_interval);
    co_await timer.async_wait(asio::use_awaitable);
    const auto now = SteadyClock::now();
    heartbeat_(now);
    try {
      check_connections(now);
      const auto expired = tables_->expire(now);
      save_tables(now);
      shared_.accounts.tidy();
      evaluator_log_->catch_up(now);
      const auto count = [&](protocol::Limit limit, std::int64_t tables) {
        shared_.counters.limits[static_cast<std::size_t>(limit)].add(tables);
      };
      count(protocol::Limit::keep_tables, expired.tables);
      count(protocol::Limit::kept_days, expired.kept);
      if (expired.kept > 0) {
        spdlog::info("{} kept tables are gone: nobody has sat there to play for {} days",
                     expired.kept, limits_.kept_days.count());
      }
    } catch (const std::exception& exception) {  // no memory; the next check has another chance
      spdlog::error("{}", exception.what());
    }
    std::erase_if(connections_, [](const auto& connection) { return connection->is_gone(); });
    if (!shared_.draining) continue;
    if (now >= drain_deadline_)
      spdlog::warn("{} connections cut off: they had not ended in time", connections_.size());
    if (connections_.empty() || now >= drain_deadline_) io_.stop();
  }
}

/// Only a few connections per check may ask the system about their peers, which is slow; the next
/// checks begin with the others.
void Server::Implementation::check_connections(SteadyClock::time_point now) {
  constexpr std::size_t questions = 20;
  shared_.peer_questions = questions;
  const std::size_t count = connections_.size();
  std::size_t next = first_checked_;
  for (std::size_t i = 0; i < count; ++i) {
    connections_[(first_checked_ + i) % count]->check(now);
    if (shared_.peer_questions > 0) next = first_checked_ + i + 1;
  }
  first_checked_ = count > 0 ? next % count : 0;
}

// Reads the files on the calling thread: on the I/O thread clients would have to wait.
void Server::Implementation::reload() {
  const std::scoped_lock lock(reloading_);
  try {
    asio::post(io_, [this, next = credentials_.read()]() mutable { take(std::move(next)); });
  } catch (const std::exception& exception) {
    spdlog::error("cannot read tokens and certificate anew, so they stay as they were: {}",
                  exception.what());
  }
}

void Server::Implementation::take(Credentials::Content credentials) {
  const auto changed = credentials_.replace(std::move(credentials));
  for (const auto& connection : connections_) {
    if (connection->session() == 0) continue;
    if (changed.contains(connection->client().name)) connection->expel("its token has changed");
  }
  spdlog::info("read anew: {} tokens, of which {} were changed or removed; certificate: {}",
               credentials_.tokens() ? credentials_.tokens()->size() : 0, changed.size(),
               credentials_.tls() ? "yes" : "none");
  for (const auto& warning : credentials_.warnings()) spdlog::warn("{}", warning);
}

void Server::Implementation::stop() {
  asio::post(io_, [this] { drain(); });
}

void Server::Implementation::drain() {
  if (shared_.draining) return;
  shared_.draining = true;
  drain_deadline_ = SteadyClock::now() + limits_.drain;
  spdlog::info("stopping; {} sessions, {} searching", shared_.gauges.sessions,
               shared_.gauges.searching);
  for (auto& listener : listeners_) listener.close();
  if (page_) page_->close();
  for (const auto& connection : connections_) connection->drain();
}

Server::Server(const Config& config) : implementation_(std::make_unique<Implementation>(config)) {}
Server::~Server() = default;

const std::vector<ListenAddress>& Server::listening() const { return implementation_->listening; }
std::optional<ListenAddress> Server::metrics() const {
  const auto& page = implementation_->page();
  return page ? std::optional(page->address()) : std::nullopt;
}
void Server::reload() { implementation_->reload(); }
bool Server::run() { return implementation_->run(); }
void Server::stop() { implementation_->stop(); }

Server::Counts Server::counts() const {
  const auto& shared = implementation_->shared();
  return {shared.gauges.sockets, shared.gauges.sessions, shared.gauges.searching,
          shared.gauges.pondering};
}

}  // namespace pitboss::server
