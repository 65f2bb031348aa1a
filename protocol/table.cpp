#include "protocol/table.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "engine/drivers/thread_time.hpp"

namespace pitboss::protocol {

namespace {

/// The options with less memory, if that is too much: for estimators first, then for the tree.
engine::Options within(engine::Options options, std::int64_t tree_mb_limit) {
  options.tree_mb = std::min(options.tree_mb, tree_mb_limit);
  if (engine::memory_mb(options) <= tree_mb_limit) return options;
  options.tree_mb = std::clamp<std::int64_t>(tree_mb_limit - options.threads, 1, options.tree_mb);
  options.estimators_mb =
      std::max<std::int64_t>((tree_mb_limit - options.tree_mb) / options.threads, 1);
  if (engine::memory_mb(options) > tree_mb_limit) {
    throw engine::BadOption("estimators on " + std::to_string(options.threads) +
                            " threads need more than " + std::to_string(tree_mb_limit) + " MiB");
  }
  return options;
}

bool is_pass(std::string_view move) {
  return std::ranges::equal(move, std::string_view("pass"), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

bool fit_together(const games::AnyGame& game, const engine::Options& options) {
  try {
    engine::check_options(game, options);
    return true;
  } catch (const engine::BadOption&) {
    return false;
  }
}

}  // namespace

Table::Table(const SessionConfig& config)
    : make_search_(config.make_search),
      tree_mb_limit_(config.tree_mb_limit),
      game_(games::make_game(config.game)),
      start_(game_->clone()),
      start_options_(within(config.options, tree_mb_limit_)),
      options_(start_options_) {
  engine::check_options(*game_, options_);
}

void Table::new_game(std::string_view name, const games::Parameters& parameters) {
  resume({games::make_game(name, parameters), {}});
}

void Table::resume(games::Record record) { enter(std::move(record), options()); }

void Table::resume(games::Record record, const std::vector<engine::Assignment>& assignments) {
  enter(std::move(record), start_options_with(assignments));
}

void Table::enter(games::Record record, const engine::Options& options) {
  auto game = record.start->clone();
  for (const std::string& move : record.moves) game->play(move);
  check(options, *game);
  {
    const std::scoped_lock lock(mutex_);
    options_ = options;
  }
  if (search_ && game->name() != game_->name()) outdated_search_ = std::move(search_);
  forget_search();  // of another game, however much the positions are alike
  start_ = std::move(record.start);
  game_ = std::move(game);
  moves_ = std::move(record.moves);
  ++game_number_;
  steps_.clear();
  clock_.restart();
}

void Table::clear() { new_game(game_->name(), game_->parameters()); }

void Table::set_position(std::string_view text) {
  auto game = game_->clone();
  game->set_position(text);
  start_from(std::move(game));
}

void Table::start_from(std::unique_ptr<games::AnyGame> position) {
  start_ = position->clone();
  game_ = std::move(position);
  moves_.clear();
  ++game_number_;
  steps_.clear();
}

void Table::play(std::string_view move) {
  if (!steps_.chosen().empty()) {
    const std::string text = game_->canonical(move);
    if (!steps_.agrees({text, games::steps_of(*game_, text)})) {
      throw games::BadGame("a move of " + steps_.chosen().front() + " has begun, which '" + text +
                           "' does not go on with (undo takes it back)");
    }
  }
  moves_.push_back(game_->play(move));
  steps_.clear();
}

bool Table::pass_after_end(std::string_view move) {
  constexpr std::ptrdiff_t most = 100;  // a few are of use; `undo` takes longer with each move
  if (!game_->result().finished() || !is_pass(move)) return false;
  if (std::ssize(moves_) >= most && std::all_of(moves_.end() - most, moves_.end(), is_pass)) {
    return false;
  }
  moves_.emplace_back("pass");
  return true;
}

bool Table::undo(std::size_t count) {
  if (count > moves_.size()) return false;
  if (count == 0) return true;
  moves_.resize(moves_.size() - count);
  game_ = start_->clone();
  for (const std::string& move : moves_) {
    if (!game_->result().finished()) game_->play(move);
  }
  steps_.clear();
  return true;
}

void Table::play_step(std::string_view text) {
  const auto move = steps_.choose(*game_, text);
  if (!move) {
    play(text);
  } else if (!move->empty()) {
    play(*move);
  }
}

bool Table::undo_steps(std::size_t count) {
  const std::size_t chosen = steps_.chosen().size();
  if (count <= chosen) {
    steps_.take_back(count);
    return true;
  }
  std::size_t rest = count - chosen;
  // Every move has at least one point, so that of the earlier ones nothing needs to be known.
  const std::size_t first = moves_.size() - std::min(rest, moves_.size());
  std::vector<std::size_t> points;
  const auto game = start_->clone();
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const bool over = game->result().finished();
    if (i >= first) points.push_back(over ? 1 : games::steps_of(*game, moves_[i]).size());
    if (!over) game->play(moves_[i]);
  }
  std::size_t taken = 0;
  for (; rest > 0 && taken < points.size(); ++taken) {
    const std::size_t of_move = points[points.size() - 1 - taken];
    if (rest < of_move) {
      const std::string move = moves_[moves_.size() - 1 - taken];
      undo(taken + 1);
      steps_.choose_first(*game_, move, of_move - rest);
      return true;
    }
    rest -= of_move;
  }
  return rest == 0 && undo(taken);
}

std::string Table::first_step(std::string_view move) const {
  return games::steps_of(*game_, move)[steps_.chosen().size()];
}

std::string Table::play_first_step(std::string_view move) {
  steps_.plan(*game_, move);
  return play_planned_step().value();
}

std::optional<std::string> Table::play_planned_step() {
  auto point = steps_.planned();
  if (point) play_step(*point);
  return point;
}

void Table::all_or_nothing(const std::function<void()>& change) {
  auto game = game_->clone();
  auto start = start_->clone();
  auto moves = moves_;
  auto steps = steps_;
  try {
    change();
  } catch (...) {
    game_ = std::move(game);
    start_ = std::move(start);
    moves_ = std::move(moves);
    steps_ = std::move(steps);
    throw;
  }
}

engine::Options Table::options() const {
  const std::scoped_lock lock(mutex_);
  return options_;
}

void Table::check(const engine::Options& options, const games::AnyGame& game) const {
  if (options.tree_mb > tree_mb_limit_) {
    throw engine::BadOption("tree_mb must be at most " + std::to_string(tree_mb_limit_) +
                            " on this server");
  }
  if (engine::memory_mb(options) > tree_mb_limit_) {
    throw engine::BadOption("tree_mb, and estimators_mb for each of the threads, must be at most " +
                            std::to_string(tree_mb_limit_) + " together on this server");
  }
  engine::check_options(game, options);
}

engine::Options Table::start_options_with(
    const std::vector<engine::Assignment>& assignments) const {
  engine::Options options = start_options_;
  for (const auto& [name, value] : assignments) engine::set_option(options, name, value);
  return options;
}

void Table::reset_options(const std::vector<engine::Assignment>& assignments) {
  const engine::Options options = start_options_with(assignments);
  check(options, *game_);
  const std::scoped_lock lock(mutex_);
  options_ = options;
}

engine::Effect Table::set_options(const std::vector<engine::Assignment>& assignments) {
  const std::scoped_lock lock(mutex_);
  engine::Options changed = options_;
  engine::Options live = running_options_;
  bool all_live = true;
  for (const auto& [name, value] : assignments) {
    const bool is_live = engine::set_option(changed, name, value) == engine::Effect::live;
    if (is_live) engine::set_option(live, name, value);
    all_live = all_live && is_live;
  }
  // A search may be playing its move just now: only what never changes is asked of the game.
  check(changed, *game_);
  const auto may_run = [&] {
    return fit_together(*game_, live) && engine::memory_mb(live) <= tree_mb_limit_;
  };
  if (running_ != nullptr && live != running_options_ && !may_run()) {
    all_live = false;  // with what the running search cannot change
  } else if (running_ != nullptr && live != running_options_) {
    if (running_bounded_) static_cast<void>(engine::limits_of(live));
    running_options_ = live;
    running_->update(live);
  }
  const bool may_ponder = changed.ponder && changed.reuse_tree;  // live or not
  if (running_ != nullptr && running_ponders_ && !may_ponder) running_->stop();
  options_ = changed;
  return all_live ? engine::Effect::live : engine::Effect::next_search;
}

std::string Table::option_lines() const {
  return engine::uci_lines(start_options_, tree_mb_limit_);
}

std::optional<std::chrono::milliseconds> Table::time_for_move() const {
  const int to_come =
      moves_to_come(static_cast<int>(moves_.size()), game_->max_plies(), game_->players());
  return clock_.for_move(game_->to_move(), std::chrono::milliseconds(options().lag_ms), to_come);
}

void Table::spend_time(std::chrono::steady_clock::duration used) {
  clock_.spend(game_->to_move(), used + std::chrono::milliseconds(options().lag_ms));
}

void Table::begin_search(bool timed, std::vector<std::string> avoided) {
  const auto time = timed ? time_for_move() : std::nullopt;
  const engine::Options options = this->options();
  engine::Limits limits = engine::limits_of(options, time);
  limits.avoided = std::move(avoided);
  begin(options, limits, !time.has_value());
  before_pondering_.reset();
  searched_position_ = game_->clone();
}

void Table::begin_analysis(std::vector<std::string> avoided) {
  engine::Limits limits;
  limits.endless = true;
  limits.avoided = std::move(avoided);
  begin(options(), limits, false);
  before_pondering_.reset();
  searched_position_ = game_->clone();
}

void Table::begin_pondering() {
  engine::Limits limits;
  limits.endless = true;
  limits.until_full = true;
  limits.clock = std::chrono::minutes(10);
  engine::Options options = this->options();
  options.threads = 1;
  before_pondering_ = last_search();
  begin(options, limits, false);
}

void Table::begin(const engine::Options& options, const engine::Limits& limits,
                  bool bounded_by_options) {
  if (!search_) search_ = make_search_(*game_);
  const std::scoped_lock lock(mutex_);
  search_->begin(*game_, static_cast<int>(moves_.size()), options, limits);
  searched_ = true;
  running_ = search_.get();
  running_options_ = options;
  running_bounded_ = bounded_by_options;
  running_ponders_ = limits.until_full;
}

engine::Progress Table::search(std::chrono::microseconds slice) {
  outdated_search_.reset();
  const auto before = engine::thread_time();
  const engine::Progress progress = search_->run(slice);
  processor_time_ += engine::thread_time() - before;
  return progress;
}

std::string Table::best_move() {
  end_search();
  if (steps_.chosen().empty()) return search_->best_move();
  std::vector<std::string> moves{search_->best_move()};
  for (const engine::MoveReport& m : search_->report().moves) moves.push_back(m.move);
  return steps_.first_agreeing(*game_, moves);
}

void Table::end_search() noexcept {
  {
    const std::scoped_lock lock(mutex_);
    running_ = nullptr;
  }
  if (search_) search_->on_ready({});
}

void Table::abandon_search() noexcept {
  end_search();
  searched_ = false;
  before_pondering_.reset();
}

void Table::forget_search() {
  if (search_) search_->forget();
  searched_ = false;
  searched_position_.reset();
  before_pondering_.reset();
}

std::optional<engine::Report> Table::last_search() const {
  if (before_pondering_) return before_pondering_;
  if (!searched_) return std::nullopt;
  return search_->report();
}

bool Table::is_searching() const {
  const std::scoped_lock lock(mutex_);
  return running_ != nullptr;
}

void Table::interrupt() noexcept {
  const std::scoped_lock lock(mutex_);
  if (running_ != nullptr) running_->stop();
}

}  // namespace pitboss::protocol
