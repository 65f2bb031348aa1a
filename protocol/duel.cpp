#include "protocol/duel.hpp"

#include <algorithm>
#include <cstdio>

#include "protocol/command_groups.hpp"
#include "protocol/error.hpp"
#include "protocol/jobs.hpp"

namespace pitboss::protocol {

DuelJob::DuelJob(Table& table, Table& opponent, Dialect dialect, DuelRequest request)
    : tables_{&table, &opponent}, dialect_(dialect), request_(std::move(request)) {
  for (const Table* engine : tables_) static_cast<void>(engine::limits_of(engine->options()));
}

DuelJob::~DuelJob() {
  for (Table* engine : tables_) engine->end_search();
}

bool DuelJob::is_over() const {
  return tables_[0]->game().result().finished() || std::ssize(moves_) >= request_.plies ||
         (!moves_.empty() && (interrupted_ || Clock::now() - begun_ >= request_.time));
}

bool DuelJob::advance(std::chrono::microseconds slice) {
  const auto end = Clock::now() + slice;
  while (!is_over()) {
    if (!is_searching_) begin_move();
    if (!search_on(*tables_[mover()], slice)) return false;
    end_move();
    if (Clock::now() >= end) return is_over();
  }
  return true;
}

void DuelJob::begin_move() {
  move_begun_ = Clock::now();
  Table& engine = *tables_[mover()];
  engine.begin_search(false);
  is_searching_ = true;
  if (interrupted_) engine.interrupt();  // it may have come before there was a search
}

void DuelJob::end_move() {
  const int engine = mover();
  const std::string move = tables_[engine]->best_move();
  is_searching_ = false;
  moves_.push_back(spoken(dialect_, tables_[0]->game().shape(), move));
  for (Table* table : tables_) table->play(move);
  used_[engine] += Clock::now() - move_begun_;
}

std::string DuelJob::answer() {
  std::array<char, 64> seconds;
  const auto of = [&](int engine) { return std::chrono::duration<double>(used_[engine]).count(); };
  std::snprintf(seconds.data(), seconds.size(), "%.6f %.6f", of(0), of(1));
  if (moves_.empty()) return seconds.data();
  return seconds.data() + ("\n" + words(moves_));
}

void DuelJob::interrupt() noexcept {
  interrupted_ = true;
  for (Table* engine : tables_) engine->interrupt();
}

namespace {

bool is_prefix(const std::vector<std::string>& of, const std::vector<std::string>& moves) {
  return of.size() <= moves.size() && std::equal(of.begin(), of.end(), moves.begin());
}

}  // namespace

Table& opponent_at(Seat& seat, const std::vector<engine::Assignment>& options) {
  const Table& table = *seat.table;
  Opponent& opponent = seat.opponent;
  if (!opponent.table || opponent.table->game().name() != table.game().name()) {
    SessionConfig config = seat.config;
    config.game = table.game().name();
    auto fresh = std::make_shared<Table>(config);
    seat.dismiss_opponent();
    opponent = {std::move(fresh), 0};
  }
  opponent.table->configure(options);
  if (opponent.game != table.game_number() || !is_prefix(opponent.table->moves(), table.moves())) {
    opponent.table->resume({table.start().clone(), table.moves()});
    opponent.game = table.game_number();
  } else {
    for (std::size_t i = opponent.table->moves().size(); i < table.moves().size(); ++i) {
      opponent.table->play(table.moves()[i]);
    }
  }
  return *opponent.table;
}

}  // namespace pitboss::protocol
