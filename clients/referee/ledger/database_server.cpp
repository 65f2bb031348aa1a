#include "clients/referee/ledger/database_server.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cerrno>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/database_session.hpp"
#include "clients/referee/ledger/uri_path.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

constexpr const char* user = "pitboss";           // of the database
constexpr const char* database_name = "pitboss";  // for ledgers
constexpr const char* root_runs_as = "postgres";

/// The folder of PostgreSQL's programs, of the newest version; empty if there is none.
fs::path programs() {
  fs::path found;
  int newest = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const int version = std::atoi(entry.path().filename().c_str());
    if (version <= newest || !fs::exists(entry.path() / "bin/initdb")) continue;
    newest = version;
    found = entry.path() / "bin";
  }
  return found;
}

struct Ended {
  int code;
  std::string text;  ///< standard output and error
};

/// Runs one of PostgreSQL's programs to its end.
Ended run(std::vector<std::string> command) {
  command[0] = (programs() / command[0]).string();
  if (::geteuid() == 0) {
    const std::string who = root_runs_as;
    command.insert(command.begin(),
                   {"setpriv", "--reuid=" + who, "--regid=" + who, "--clear-groups", "--"});
  }
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  std::array<int, 2> ends{};
  require(::pipe2(ends.data(), O_CLOEXEC) == 0, "no pipe");
  const pid_t child = ::fork();
  require(child >= 0, "cannot start " + command[0]);
  if (child == 0) {
    // The server lives on, and must not keep the sockets and locks of this process.
    const bool is_ready = ::dup2(ends[1], STDOUT_FILENO) >= 0 &&
                          ::dup2(ends[1], STDERR_FILENO) >= 0 && ::chdir("/") == 0;
    ::closefrom(STDERR_FILENO + 1);
    if (is_ready) ::execvp(words[0], words.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  Ended out{};
  std::array<char, 4096> some{};
  for (;;) {
    const ssize_t got = ::read(ends[0], some.data(), some.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    out.text.append(some.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  pid_t ended = 0;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  out.code = ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  return out;
}

/// The first line that names an error, for programs of PostgreSQL go on to tell what they tidy up;
/// the last one if none does.
std::string reason_in(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::string last;
  while (std::getline(lines, line)) {
    for (const char* word : {"error:", "FATAL:", "PANIC:"}) {
      if (line.find(word) != std::string::npos) return line;
    }
    if (!line.empty()) last = line;
  }
  return last;
}

/// Runs the command as `run` does, and throws UserError if the program fails.
void must_run(const std::string& what, const std::vector<std::string>& command) {
  const Ended end = run(command);
  if (end.code == 0) return;
  throw UserError("cannot " + what + ": " + reason_in(end.text));
}

struct Owner {
  uid_t user;
  gid_t group;
};

/// Whom the server runs as if root starts it; nothing if there is no such user.
std::optional<Owner> server_user() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> texts{};
  ::getpwnam_r(root_runs_as, &entry, texts.data(), texts.size(), &found);
  if (found == nullptr) return std::nullopt;
  return Owner{entry.pw_uid, entry.pw_gid};
}

void expect_programs() {
  require(has_server_programs(),
          "PostgreSQL's server is not installed; on Debian: apt-get install postgresql-15");
  require(::geteuid() != 0 || server_user().has_value(),
          "PostgreSQL refuses to run as root, and there is no user postgres: run this as another "
          "user");
}

/// Gives a file to whoever runs the server.
void give_away(const fs::path& path) {
  if (::geteuid() != 0) return;
  const auto owner = server_user();
  require(owner && ::chown(path.c_str(), owner->user, owner->group) == 0,
          "cannot give " + path.string() + " to the user " + root_runs_as);
}

/// Adds to a text file, which is made if necessary.
void append(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::app);
  file << text;
  file.close();
  require(!file.fail(), "cannot write " + path.string());
}

int free_port(const std::string& address) {
  namespace ip = boost::asio::ip;
  boost::asio::io_context io;
  boost::system::error_code error;
  const auto parsed = ip::make_address(address, error);
  require(!error && !parsed.is_unspecified(),
          "\"" + address + "\" is no address by which this machine is reached, like 127.0.0.1");
  ip::tcp::acceptor acceptor(io);
  acceptor.open(ip::tcp::endpoint(parsed, 0).protocol(), error);
  if (!error) acceptor.bind({parsed, 0}, error);
  require(!error, "cannot listen at " + address + ": " + error.message());
  return acceptor.local_endpoint().port();
}

fs::path data_in(const fs::path& folder) { return folder / "data"; }

/// A folder for a server's files: it is made with those above it, so that whoever runs the server
/// can enter it. What was made goes away with this object unless it is kept. Throws UserError.
class ServerFolder {
 public:
  explicit ServerFolder(const fs::path& folder) {
    fs::path there;
    for (const fs::path& part : folder) {
      there /= part;
      std::error_code error;
      const bool is_new = fs::create_directory(there, error);
      if (is_new) made_.push_back(there);
      if (error) give_up("cannot create " + there.string() + ": " + error.message());
      if (::geteuid() != 0) continue;
      if (is_new) fs::permissions(there, fs::perms::others_exec, fs::perm_options::add, error);
      if (run({"/usr/bin/test", "-x", there.string()}).code != 0) {
        give_up("PostgreSQL runs as the user " + std::string(root_runs_as) + ", who cannot enter " +
                there.string() + ": choose another folder, or let others enter (chmod o+x)");
      }
    }
  }
  ~ServerFolder() { clear(); }
  ServerFolder(const ServerFolder&) = delete;
  ServerFolder& operator=(const ServerFolder&) = delete;
  void keep() { made_.clear(); }

 private:
  [[noreturn]] void give_up(const std::string& why) {
    clear();
    throw UserError(why);
  }
  void clear() {
    std::error_code ignored;
    for (; !made_.empty(); made_.pop_back()) fs::remove(made_.back(), ignored);  // if it is empty
  }

  std::vector<fs::path> made_;
};

/// A file or folder that goes away with this object.
class Unfinished {
 public:
  explicit Unfinished(fs::path path) : path_(std::move(path)) { clear(); }
  ~Unfinished() { clear(); }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  void clear() const {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path path_;
};

/// Makes the files of a server: all of them, or none.
void make_server(const fs::path& folder, const std::string& address) {
  const std::string port = std::to_string(free_port(address));
  ServerFolder made(folder);
  const std::string password =
      boost::uuids::to_string(boost::uuids::random_generator()());  // of the system's generator
  const fs::path unfinished = folder / "data.new";
  const fs::path given = folder / "password";
  const fs::path kept = folder / "pgpass";
  for (const fs::path& file : {kept, folder / "url"}) fs::remove(file);  // of a failed attempt
  const Unfinished unfinished_data(unfinished);
  const Unfinished unfinished_password(given);
  std::error_code error;
  fs::create_directory(unfinished);
  fs::permissions(unfinished, fs::perms::owner_all);
  give_away(unfinished);
  write_secret(given, password);
  give_away(given);
  must_run("make a database in " + folder.string(),
           {"initdb", "--pgdata=" + unfinished.string(), std::string("--username=") + user,
            "--pwfile=" + given.string(), "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale",
            "--data-checksums"});
  const bool is_local = boost::asio::ip::make_address(address).is_loopback();
  constexpr int most_connections = 1000;  // one for each referee, and for who reads
  append(unfinished / "postgresql.conf", "\n# Of pitboss ledger start\nlisten_addresses = '" +
                                             address + "'\nport = " + port +
                                             "\nunix_socket_directories = ''\nmax_connections = " +
                                             std::to_string(most_connections) + "\n");
  if (!is_local) append(unfinished / "pg_hba.conf", "host all all all scram-sha-256\n");
  write_secret(kept, "*:*:*:" + std::string(user) + ":" + password + "\n");
  const std::string host = address.find(':') == std::string::npos ? address : "[" + address + "]";
  append(folder / "url", std::string("postgresql://") + user + "@" + host + ":" + port);
  fs::rename(unfinished, data_in(folder), error);
  require(!error, "cannot create " + data_in(folder).string() + ": " + error.message());
  made.keep();
}

bool is_running(const fs::path& folder) {
  return run({"pg_ctl", "status", "--pgdata=" + data_in(folder).string()}).code == 0;
}

/// Starts the server unless it seems to run; returns why it did not start, or nothing.
std::string try_to_start(const fs::path& folder) {
  if (is_running(folder)) return {};
  const std::string log = (data_in(folder) / "server.log").string();
  const Ended end =
      run({"pg_ctl", "start", "--wait", "--pgdata=" + data_in(folder).string(), "--log=" + log});
  return end.code == 0 ? "" : log + " says why";
}

/// Makes the database for ledgers if there is none; returns why the server does not answer, or
/// nothing.
std::string make_database(const std::string& url, const std::string& options) {
  try {
    DatabaseSession session(url + "/postgres" + options);
    const bool exists =
        session.run("SELECT 1 FROM pg_database WHERE datname = $1", {database_name}).rows() > 0;
    if (!exists) session.run(std::string("CREATE DATABASE ") + database_name);
    return {};
  } catch (const DatabaseFailure& e) {
    return "it does not answer: " + std::string(e.what());
  }
}

}  // namespace

bool has_server_programs() { return !programs().empty(); }

DatabasePlace start_server(const fs::path& folder, const std::string& address) {
  expect_programs();
  const fs::path there = fs::absolute(folder).lexically_normal();
  if (!fs::exists(data_in(there))) make_server(there, address);
  const std::string url = read_text_file(there / "url");
  const std::string options = "?passfile=" + uri_path(there / "pgpass");
  constexpr int most_tries = 10;  // what was killed may still be ending
  for (int tries = 1;; ++tries) {
    const std::string failure = try_to_start(there);
    const std::string silence = failure.empty() ? make_database(url, options) : failure;
    if (silence.empty()) break;
    require(tries < most_tries, "cannot start the database in " + there.string() + ": " + silence);
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  return DatabasePlace(url + "/" + database_name + options);
}

void stop_server(const fs::path& folder) {
  expect_programs();
  const fs::path there = fs::absolute(folder).lexically_normal();
  require(fs::exists(data_in(there)),
          there.string() + " holds no database of pitboss ledger start");
  require(is_running(there), "the database in " + there.string() + " does not run");
  must_run("stop the database in " + there.string(),
           {"pg_ctl", "stop", "--wait", "--mode=fast", "--pgdata=" + data_in(there).string()});
}

}  // namespace pitboss::clients
