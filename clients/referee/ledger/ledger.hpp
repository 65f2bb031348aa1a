#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/players/declarations.hpp"
#include "clients/referee/ledger/ledger_place.hpp"
#include "clients/referee/ledger/outage.hpp"
#include "clients/referee/ledger/played_game.hpp"

namespace pitboss::clients {

class Store;

/// The right to play a round and to write its games down. Each claim of a round has a higher token
/// than the one before, and `Ledger::finish` accepts only the last claim: a referee that was given
/// up for dead cannot write the round.
struct Claim {
  int match = 0;  ///< number in the experiment
  int round = 0;
  std::int64_t token = 0;
  std::string id;       ///< the round's id in the ledger
  std::string referee;  ///< the id of the one that may play it; may be empty
};

/// A round that was played to its end.
struct PlayedRound {
  int match = 0;
  int round = 0;
  std::vector<PlayedGame> games;  ///< in order
  /// When the first game began and the last one ended, in seconds since 1970.
  std::int64_t begun = 0;
  std::int64_t ended = 0;
  std::string referee = {};  ///< the id of the one that played it
};

/// A referee of an experiment: a process that plays rounds.
struct RefereeEntry {
  std::string id;         ///< a UUID, another one each time that a referee is started
  std::string name;       ///< its machine and the folder of its files: one at a time
  std::string host;       ///< the machines where its engines search
  std::string processor;  ///< theirs: the model, and how many threads it runs
  std::string program;    ///< version and commit of pitboss, and of the daemons that tell theirs
  /// When it came and when it was seen last, since 1970 by the ledger's clock, which is the
  /// database's or the file's machine's; and how long ago the latter is.
  std::chrono::milliseconds joined{};
  std::chrono::milliseconds seen{};
  std::chrono::milliseconds silence{};
  bool has_left = false;  ///< it has ended, and holds no round
  int rounds = 0;         ///< that it has finished
  int games = 0;          ///< in them
  int held = 0;           ///< rounds that it plays, or is about to play
};

/// What a referee knows of a match and wants of it.
struct Request {
  int match = 0;
  int first = 0;        ///< it knows that all rounds before this one are finished
  std::set<int> known;  ///< and these after it
  std::set<int> mine;   ///< that it plays, or is about to play or to write
  int rounds = 0;       ///< that it wants to play
};

/// The answer to requests, about their matches, but for rounds that others have made them longer
/// by.
struct News {
  std::vector<Claim> claims;              ///< new ones of the referee
  std::vector<PlayedRound> finished;      ///< and not known
  std::vector<std::pair<int, int>> held;  ///< matches and rounds that others play
  bool is_paused = false;                 ///< nothing may be claimed now
};

/// A failure of an engine or a server, whether it cost a game or the game was played again.
struct Incident {
  int match = 0;
  int game = 0;  ///< as in PlayedGame: from 1
  std::string player;
  std::string location;  ///< of its engine
  std::string reason;
  bool is_loss = false;
  std::string excerpt;    ///< see Engine::excerpt
  std::int64_t when = 0;  ///< seconds since 1970
};

/// The record of an experiment, in a SQLite file or in a PostgreSQL database: its matches, the
/// rounds claimed and finished, their games, and the incidents. Tables, CSV, JSON and reports are
/// made from it. A finished round is written in one transaction, and only with its last claim: so
/// each game is counted once, whatever process is killed when.
///
/// A file has one referee at a time; in a database any number play one experiment. A referee that
/// shows no sign of life for its `patience` is taken for dead: others may claim its rounds.
///
/// Not thread-safe: one thread at a time. All functions block on the disk or the database and throw
/// UserError, which names the place, and is DatabaseAway for a database that cannot be reached; a
/// failed transaction writes nothing.
class Ledger {
 public:
  /// Reads the experiment's records, if there are any, and changes nothing. The ledger may hold
  /// fewer matches, and fewer or more rounds, than the experiment. Throws UserError if it holds
  /// other matches, which one of a tuning may, or another tuning, is damaged or no ledger, or if
  /// there are records without a ledger; for a database also if it cannot be reached.
  Ledger(const LedgerPlace& place, const Experiment& experiment,
         Outage outage = Outage::is_waited_for);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  /// The finished rounds of the experiment, by match and number.
  [[nodiscard]] std::vector<PlayedRound> played() const;
  /// The same without those for which `is_known(match, round)` holds, whose games are not read.
  [[nodiscard]] std::vector<PlayedRound> played(
      const std::function<bool(int match, int round)>& is_known) const;
  /// The finished rounds of one match, by number, whatever its number; `PlayedRound::match` is 0.
  [[nodiscard]] std::vector<PlayedRound> played(const Match& match) const;
  /// How many games are on record.
  [[nodiscard]] std::int64_t games() const;
  /// The experiment that the ledger, which must exist, is to hold by now; see `read_experiment`.
  [[nodiscard]] Experiment planned() const;
  /// A sentence for each contradiction between matches, rounds and games. `faults_in`
  /// (verify_games.hpp) finds faults within games.
  [[nodiscard]] std::vector<std::string> faults() const;
  /// What the engines of each match with games said of themselves before the first game; nothing if
  /// nobody asked then. Of a tuning, and after `enter`, while others play, of each match.
  [[nodiscard]] Declarations declarations() const;
  /// All incidents, in the order in which they happened.
  [[nodiscard]] std::vector<Incident> incidents() const;
  /// All referees that have joined, in the order in which they did.
  [[nodiscard]] std::vector<RefereeEntry> referees() const;
  /// Whether the referees are to claim no more rounds.
  [[nodiscard]] bool is_paused() const;

  /// Has the referees finish the rounds in play, claim no more, and wait; or go on. The ledger must
  /// exist, and need not be open for writing.
  void set_paused(bool is_paused);

  /// Creates the ledger if necessary, has it plan what the experiment adds, and runs `writes`: one
  /// transaction, so that nothing is planned if `writes` throws. In a file it keeps other referees
  /// out until this object is destroyed, and voids existing claims, whose holders are gone. Must
  /// come before `transact`.
  void open_for_writing(const std::function<void()>& writes = {});
  /// Runs `writes` as one transaction and blocks until it is on the disk; all or nothing. A
  /// database that goes away is waited for, up to `longest_outage`; then `writes` may run more than
  /// once, and counts once. A sign of life of a referee that has entered; throws UserError if
  /// another one of its name has entered since.
  void transact(const std::function<void()>& writes);
  /// `tell` is called with a sentence, within the other calls, when a database has gone away, when
  /// it is back, and when another program keeps it locked.
  void on_outage(std::function<void(const std::string&)> tell);
  /// From now on a database that has gone away, or is silent for five seconds, is a failure. May be
  /// called from another thread.
  void stop_waiting();

  // Only within `transact` or `open_for_writing`:

  /// Makes this the ledger of a referee (`id`, `name`, `host`, `processor` and `program` say
  /// which), and voids the claims of its predecessors, which had its name. Until the transaction
  /// ends no other referee can enter. Throws UserError if one of another `program` plays now.
  /// `expect_same` is called, too, and throws if the referee may not play with the others. Both are
  /// asked again in the first transaction after a silence longer than `patience`, as others may
  /// have entered meanwhile.
  void enter(const RefereeEntry& referee, std::chrono::milliseconds patience,
             std::function<void()> expect_same = {});
  /// Gives the referee's rounds back.
  void leave();
  /// Tells a referee that has entered what others do, and claims rounds for it that nobody plays,
  /// those with the lowest numbers first; also its own that it does not know of. After entering,
  /// and after an outage, the referee waits for the signs of life of the others, for its
  /// `patience`, before it takes rounds of the dead.
  [[nodiscard]] News ask(const std::vector<Request>& requests);
  /// Gives a round back, unless the claim is not the last, or another referee's.
  void give_back(const Claim& claim);
  /// Adds a referee of another ledger, unless this one has it.
  void add(const RefereeEntry& referee);

  /// Has a tuning propose a match, which has this number from now on.
  void add(int number, const Match& match);
  /// Claims a round for a referee, whoever holds it; nothing if it is finished.
  [[nodiscard]] std::optional<Claim> claim(int match, int round, const std::string& referee = {});
  /// Records the games and times of a round. Writes nothing and returns false if the claim is not
  /// the last, or another referee's.
  bool finish(const Claim& claim, const PlayedRound& played);
  /// Appends an incident.
  void note(const Incident& incident);
  /// Sets the engines' declarations for matches that have no games yet.
  void note(const Declarations& declared);

 private:
  /// Opens the ledger, which exists, and compares it with the experiment.
  void open();
  void compare();
  /// The rounds of a match, by its id, that have games numbered from `first` to `last`; `number` is
  /// the match's in them.
  [[nodiscard]] std::vector<PlayedRound> rounds_of(
      const std::string& match, int number, int first = 1,
      int last = std::numeric_limits<int>::max()) const;
  void show_life(const std::string& id);
  void expect_same_build(const RefereeEntry& referee, std::chrono::milliseconds patience) const;
  [[nodiscard]] bool has_company() const;
  struct RoundsSeen;
  [[nodiscard]] std::map<std::string, RoundsSeen> look_at(const std::vector<Request>& requests);
  void claim_rounds(const RoundsSeen& seen, News& news);

  LedgerPlace place_;
  const Experiment& experiment_;
  std::vector<std::string> match_ids_;
  std::unique_ptr<Store> store_;
  bool exists_ = false;

  using SteadyClock = std::chrono::steady_clock;
  std::string id_;    ///< of the referee that has entered
  std::string name_;  ///< and its name
  std::chrono::milliseconds patience_{};
  std::function<void()> expect_same_;
  SteadyClock::time_point contact_;     ///< its last transaction
  SteadyClock::time_point wary_until_;  ///< until then it takes nobody for dead
};

/// Seconds since 1970, the unit of all times in a ledger.
[[nodiscard]] std::int64_t now_in_seconds();

/// The ledger's file in the folder of an experiment.
[[nodiscard]] std::filesystem::path ledger_path(const std::filesystem::path& folder);
/// In the folder of a tuning.
[[nodiscard]] std::filesystem::path tuning_path(const std::filesystem::path& folder);

/// The names of the experiments in a database, sorted. Throws UserError; a database that is away is
/// not waited for.
[[nodiscard]] std::vector<std::string> ledgers_in(const DatabasePlace& database);

/// The place that a text names and that has a ledger; the name in a database may be left out if
/// there is only one. Throws UserError.
[[nodiscard]] LedgerPlace existing_place(const std::string& text);

/// Whether there is a ledger. Throws UserError for a database that cannot be reached.
[[nodiscard]] bool has_ledger(const LedgerPlace& place);

/// The experiment in a ledger: its matches, with the number of games last planned. The players have
/// no location. Throws UserError, also for a tuning.
[[nodiscard]] Experiment read_experiment(const LedgerPlace& place,
                                         Outage outage = Outage::is_waited_for);
/// The same, also of a tuning.
[[nodiscard]] Experiment read_plan(const LedgerPlace& place, Outage outage = Outage::is_waited_for);

}  // namespace pitboss::clients
