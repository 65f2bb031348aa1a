#include "server/session/duel.hpp"

#include <algorithm>
#include <stdexcept>

#include "protocol/error.hpp"
#include "server/session/answer_text.hpp"
#include "server/session/jobs.hpp"
#include "server/session/search_json.hpp"

namespace pitboss::server {

DuelJob::DuelJob(Table& table, Table& opponent, Caller caller, protocol::Dialect dialect,
                 DuelRequest request)
    : tables_{&table, &opponent},
      caller_(std::move(caller)),
      dialect_(dialect),
      request_(std::move(request)) {
  for (const int engine : request_.engines) {
    static_cast<void>(engine::limits_of(tables_[static_cast<std::size_t>(engine)]->options()));
  }
}

DuelJob::~DuelJob() {
  for (Table* engine : tables_) engine->search().end();
}

bool DuelJob::is_over() const {
  return tables_[0]->game().result().finished() || std::ssize(moves_) >= request_.plies ||
         (!moves_.empty() &&
          (is_stuck_ || interrupted_ || SteadyClock::now() - begun_ >= request_.time));
}

engine::Progress DuelJob::run(std::chrono::microseconds slice) {
  using std::chrono::duration_cast, std::chrono::microseconds;
  const auto end = SteadyClock::now() + slice;
  while (is_searching_ || !is_over()) {  // a search that has begun is ended properly
    try {
      const auto progress = advance_move(slice);
      if (progress != engine::Progress::done) return progress;
    } catch (const std::runtime_error&) {
      if (moves_.empty()) throw;
      is_searching_ = false;
      is_stuck_ = true;  // a later request for the move reports why
    }
    slice = duration_cast<microseconds>(end - SteadyClock::now());
    if (slice <= microseconds::zero() && !is_over()) return engine::Progress::runnable;
  }
  return engine::Progress::done;
}

/// Works on a move for a slice; `done` when the move has been made or given up.
engine::Progress DuelJob::advance_move(std::chrono::microseconds slice) {
  if (!is_searching_) begin_move();
  Table& engine = *tables_[mover()];
  const auto progress = search_on(engine, slice);
  if (progress != engine::Progress::done) return progress;
  if (!interrupted_) {
    end_move();
    return progress;
  }
  engine.search().abandon();  // half a search must not pass for a whole one
  is_searching_ = false;
  if (moves_.empty())
    throw protocol::CommandError(protocol::FailureCode::interrupted, "interrupted");
  return progress;
}

void DuelJob::begin_move() {
  move_begun_ = SteadyClock::now();
  Table& engine = *tables_[mover()];
  engine.begin_move(false, caller_);
  is_searching_ = true;
  if (interrupted_) engine.search().interrupt();  // it may have come before the search
}

void DuelJob::end_move() {
  const int engine = mover();
  const games::Move move = tables_[engine]->best_move();
  const std::string text = tables_[engine]->game().text(move);
  const auto value = tables_[engine]->search().last_value();
  const auto effort = tables_[engine]->search().last_effort().value_or(engine::Effort{});
  values_.push_back(value ? value_text(*value) : "-");
  simulations_.push_back(std::to_string(effort.simulations));
  depths_.push_back(std::to_string(effort.depth));
  processor_times_.push_back(seconds_text(effort.processor_time));
  times_.push_back(seconds_text(effort.time));
  proofs_.emplace_back(tables_[engine]->search().last_is_exact() ? "exact" : "-");
  is_searching_ = false;
  for (Table* table : tables_) table->history().play(move);
  moves_.push_back(spoken(dialect_, tables_[0]->game().shape(), text));
  const auto used = SteadyClock::now() - move_begun_;
  used_[engine] += used;
  longest_[engine] = std::max(longest_[engine], used);
}

std::string DuelJob::answer() {
  std::string text;
  for (const SteadyClock::duration time : {used_[0], used_[1], longest_[0], longest_[1]}) {
    text += (text.empty() ? "" : " ") + seconds_text(time);
  }
  if (moves_.empty()) return text;
  for (const auto* list :
       {&moves_, &values_, &simulations_, &depths_, &processor_times_, &times_, &proofs_}) {
    text += '\n' + words(*list);
  }
  return text;
}

void DuelJob::interrupt() noexcept {
  interrupted_ = true;
  for (Table* engine : tables_) engine->search().interrupt();
}

namespace {

bool is_prefix(const std::vector<std::string>& prefix, const std::vector<std::string>& moves) {
  return prefix.size() <= moves.size() && std::equal(prefix.begin(), prefix.end(), moves.begin());
}

}  // namespace

Table& opponent_at(Seat& seat, const std::vector<engine::Assignment>& options) {
  const GameHistory& history = seat.table->history();
  if (!seat.opponent.table) seat.opponent = {std::make_shared<Table>(seat.config), 0};
  auto& [opponent, game] = seat.opponent;
  if (game != history.number() || !is_prefix(opponent->history().moves(), history.moves())) {
    opponent->resume(history.record(), options);
    game = history.number();
  } else {
    opponent->reset_options(options);
    for (std::size_t i = opponent->history().moves().size(); i < history.moves().size(); ++i) {
      opponent->history().play(history.moves()[i]);
    }
  }
  return *opponent;
}

}  // namespace pitboss::server
