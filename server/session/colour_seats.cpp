#include "server/session/colour_seats.hpp"

#include <algorithm>

#include "engine/plain_name.hpp"
#include "engine/sha256.hpp"
#include "protocol/error.hpp"

namespace pitboss::server {

namespace {

/// A key is too long to be guessed.
void check_key(std::string_view key) {
  constexpr std::size_t shortest = 16;
  if (key.size() >= shortest && engine::is_plain_name(key)) return;
  throw protocol::CommandError(protocol::FailureCode::bad_argument,
                               "syntax error: a key has 16 to 64 letters, digits, '.', '_' or '-'");
}

}  // namespace

void ColourSeats::take(games::Colour colour, std::string_view colour_name, std::string_view key,
                       const void* session) {
  check_key(key);
  const std::string hash = engine::sha256(key);
  const auto held = std::ranges::find(held_, colour, &Held::colour);
  if (held == held_.end()) {
    held_.push_back({colour, std::string(colour_name), hash, session});
    return;
  }
  if (held->key_hash != hash) {
    throw protocol::CommandError(protocol::FailureCode::needs_right,
                                 held->colour_name + "'s seat is taken, by another key");
  }
  if (held->sitter != nullptr && held->sitter != session) {
    throw protocol::CommandError(
        protocol::FailureCode::busy,
        held->colour_name + "'s seat is taken: another connection with its key sits there");
  }
  held->sitter = session;
}

void ColourSeats::check_mover(games::Colour colour, std::string_view colour_name,
                              const void* session) const {
  const auto held = std::ranges::find(held_, colour, &Held::colour);
  if (held != held_.end() && held->sitter == session) return;
  const std::string mover(colour_name);
  const auto own = std::ranges::find(held_, session, &Held::sitter);
  if (own != held_.end()) {
    throw protocol::CommandError(
        protocol::FailureCode::illegal_move,
        "illegal move: it is " + mover + "'s turn, and you hold the seat of " + own->colour_name);
  }
  throw protocol::CommandError(
      protocol::FailureCode::needs_right,
      "people hold the seats of this table: who moves for " + mover + " takes its seat first");
}

bool ColourSeats::is_held_by(const void* session) const {
  return std::ranges::find(held_, session, &Held::sitter) != held_.end();
}

void ColourSeats::leave(const void* session) {
  for (Held& held : held_) {
    if (held.sitter == session) held.sitter = nullptr;
  }
}

}  // namespace pitboss::server
