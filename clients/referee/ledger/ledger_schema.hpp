#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace pitboss::clients {

/// The format of the tables below. Ledgers of other formats are refused. Whoever changes the tables
/// counts it up, and has `open_ledger` make tables of this format from those of the one before.
inline constexpr int ledger_format = 6;

/// Plain SQL, which SQLite and PostgreSQL both accept. Ids are UUIDs made from what determines a
/// match or a round (see `round_id`), so that ledgers of one experiment made in two places can be
/// compared and merged. A check with IN would make SQLite build a table at every write. The store
/// sets the checksums.
inline const std::string ledger_schema =
    R"sql(
CREATE TABLE ledger (
  key   TEXT PRIMARY KEY,  -- format; plan: what was to be played last, JSON; paused: 1 or no
                           -- row; commit ...: see postgresql_store.hpp
  value TEXT NOT NULL,
  checksum BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE matches (
  id            TEXT PRIMARY KEY,
  number        INTEGER NOT NULL,  -- order of the experiment
  configuration TEXT NOT NULL,     -- JSON
  checksum BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE rounds (
  id     TEXT PRIMARY KEY,
  match  TEXT NOT NULL REFERENCES matches (id),
  number INTEGER NOT NULL,         -- from 0
  state  TEXT NOT NULL CHECK (state = 'ready' OR state = 'leased' OR state = 'done'),
  token  BIGINT NOT NULL,          -- how often it was lent: the fence
  begun  BIGINT NOT NULL DEFAULT 0,  -- seconds since 1970: its first game, once it is done
  ended  BIGINT NOT NULL DEFAULT 0,  -- and the end of its last one; 0: not known
  referee TEXT NOT NULL DEFAULT '',  -- who holds or has played it; '': not known
  checksum BIGINT NOT NULL DEFAULT 0,
  UNIQUE (match, number)
);
CREATE TABLE games (
  match    TEXT NOT NULL REFERENCES matches (id),
  number   INTEGER NOT NULL,       -- from 1, as in games.csv
  round    TEXT NOT NULL REFERENCES rounds (id),
  opening  TEXT NOT NULL,
  seats    TEXT NOT NULL,
  winner   TEXT NOT NULL,
  result   TEXT NOT NULL,
  twelfths INTEGER NOT NULL,       -- of the point, the first player's
  reason   TEXT NOT NULL,
  plies    INTEGER NOT NULL,
  moves    TEXT NOT NULL,
  seconds1 DOUBLE PRECISION NOT NULL,  -- the first player's, for all its moves
  seconds2 DOUBLE PRECISION NOT NULL,
  move_values TEXT NOT NULL DEFAULT '',  -- thousandths, to the movers; '-': not told
  remote1 BIGINT NOT NULL DEFAULT 0,     -- values of the first player's network: other machines'
  local1  BIGINT NOT NULL DEFAULT 0,     -- and the daemon's own
  remote2 BIGINT NOT NULL DEFAULT 0,
  local2  BIGINT NOT NULL DEFAULT 0,
  effort1 TEXT NOT NULL DEFAULT '',  -- of each of the first player's moves: simulations/depth/
  effort2 TEXT NOT NULL DEFAULT '',  -- processor time/search time, in microseconds; '-': not told
  clocks TEXT NOT NULL DEFAULT '',       -- milliseconds, the movers' after each move; '-': no clock
  latency1 DOUBLE PRECISION NOT NULL DEFAULT 0,  -- seconds beyond seconds1 that its answers took
  latency2 DOUBLE PRECISION NOT NULL DEFAULT 0,  -- on the way, of an engine that times itself
  checksum BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (match, number)
);
CREATE TABLE incidents (
  number  INTEGER PRIMARY KEY,
  match   TEXT NOT NULL REFERENCES matches (id),
  game    INTEGER NOT NULL,
  player  TEXT NOT NULL,
  place   TEXT NOT NULL,
  reason  TEXT NOT NULL,
  is_loss INTEGER NOT NULL,
  excerpt TEXT NOT NULL,
  time    BIGINT NOT NULL,         -- seconds since 1970
  checksum BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE engines (
  match   TEXT NOT NULL REFERENCES matches (id),
  player  INTEGER NOT NULL,        -- 0 or 1
  program TEXT NOT NULL,           -- what it says of itself: name and version
  options TEXT NOT NULL,           -- and the values of its options, JSON
  checksum BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (match, player)
);
CREATE TABLE referees (
  id        TEXT PRIMARY KEY,      -- a UUID, another one each time that a referee is started
  name      TEXT NOT NULL,         -- its host and folder: one at a time
  host      TEXT NOT NULL,         -- the machines where its engines search
  processor TEXT NOT NULL,         -- theirs
  program   TEXT NOT NULL,         -- version of pitboss, and of the daemons that tell theirs
  joined    BIGINT NOT NULL,       -- milliseconds since 1970 by the database's clock
  seen      BIGINT NOT NULL,       -- its last sign of life, in the same way
  has_left  INTEGER NOT NULL,      -- 1: it has ended, and holds no round
  checksum BIGINT NOT NULL DEFAULT 0
);
)sql";
inline constexpr std::array ledger_tables = {"ledger",    "matches", "rounds",  "games",
                                             "incidents", "engines", "referees"};

}  // namespace pitboss::clients
