#include "protocol/state_json.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "games/in_words.hpp"
#include "games/policy.hpp"
#include "games/unboxed.hpp"
#include "protocol/geometry_json.hpp"

namespace pitboss::protocol {

namespace {

using Json = nlohmann::ordered_json;

Json moves_json(const GameState& state) {
  Json list = Json::array();
  for (std::size_t i = 0; i < state.moves.size(); ++i) {
    Json colour;
    if (i < state.movers.size()) colour = state.now.name_of(state.movers[i]);
    list.push_back({{"colour", std::move(colour)}, {"move", state.moves[i]}});
  }
  return list;
}

Json seconds_json(TimeSettings::Seconds time) {
  return time == TimeSettings::unlimited ? Json() : Json(time.count());
}

Json clock_json(const GameState& state) {
  const TimeSettings& time = state.time;
  const bool is_limited = std::ranges::any_of(
      state.left, [](const TimeLeft& left) { return left.time != TimeSettings::unlimited; });
  if (time.system == TimeSystem::none && !is_limited) return nullptr;
  Json left = Json::object();
  for (std::size_t c = 0; c < state.now.colours().size(); ++c) {
    left[std::string(state.now.colours()[c])] = {{"seconds", seconds_json(state.left[c].time)},
                                                 {"count", state.left[c].count}};
  }
  return {{"system", name_of(time.system)},
          {"main", seconds_json(time.main)},
          {"period", seconds_json(time.period)},
          {"count", time.count},
          {"most", seconds_json(time.most)},
          {"most_a_move", seconds_json(time.most_a_move)},
          {"left", std::move(left)}};
}

void add_result(Json& json, const games::AnyGame& game) {
  const games::Result result = game.result();
  for (const char* key : {"shares", "score", "result"}) json[key] = nullptr;
  if (!result.finished()) return;
  for (std::size_t c = 0; c < game.colours().size(); ++c) {
    json["shares"][std::string(game.colours()[c])] = result.share(static_cast<games::Colour>(c));
  }
  json["score"] = games::score_text(game);
  json["result"] = games::result_in_words(game);
}

/// A legal move in all its forms.
struct MoveForms {
  std::string text;
  games::PolicyParts parts;
  std::vector<std::string> steps;
};

void add_legal_moves(Json& json, const GameState& state) {
  std::vector<MoveForms> moves;
  games::unboxed(state.now, [&]<class G>(const G& game) {
    json["actions"] = game.policy_size();
    games::MoveList<G::max_moves> list;
    game.legal_moves(list);
    moves.reserve(static_cast<std::size_t>(list.size()));
    for (const games::Move move : list) {
      moves.push_back({game.text(move), game.policy_parts(move), {}});
      if (state.with_steps) moves.back().steps = games::stepped(game, move).steps;
    }
  });
  std::ranges::sort(moves, {}, &MoveForms::text);
  Json legal = Json::array();
  Json parts = Json::array();
  Json steps = Json::array();
  for (MoveForms& move : moves) {
    legal.push_back(std::move(move.text));
    parts.push_back(move.parts);
    if (state.with_steps) steps.push_back(std::move(move.steps));
  }
  json["legal"] = std::move(legal);
  json["parts"] = std::move(parts);
  if (state.with_steps) json["steps"] = std::move(steps);
}

/// The bits of the planes, eight a byte, the first one highest.
std::string base64_of(const std::vector<float>& bits) {
  std::vector<unsigned char> bytes((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] != 0) bytes[i / 8] |= static_cast<unsigned char>(0x80U >> i % 8);
  }
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL ends it with a zero
  text.resize(static_cast<std::size_t>(
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),  // NOLINT(*-reinterpret-cast)
                      bytes.data(), static_cast<int>(bytes.size()))));
  return text;
}

}  // namespace

std::vector<std::string> decisive_points(const games::AnyGame& game) {
  std::vector<std::string> points;
  games::unboxed(game, [&](const auto& g) {
    const int stride = g.shape().stride;
    games::decisive_points(g).for_each(
        [&](int p) { points.push_back(games::point_text(p % stride, p / stride)); });
  });
  return points;
}

std::string state_json(const GameState& state) {
  const games::AnyGame& game = state.now;
  const bool is_over = game.result().finished();
  Json json = json_of_kind(game);
  json["start"] = state.start.position();
  json["position"] = game.position();
  json["moves"] = moves_json(state);
  json["colours"] = game.colours();
  json["to_move"] = is_over ? Json() : Json(game.name_of(game.to_move()));
  json["over"] = is_over;
  add_result(json, game);
  json["decisive"] = decisive_points(game);
  json["clock"] = clock_json(state);
  add_legal_moves(json, state);
  if (state.with_planes) {
    json["planes"] = {{"shape", planes_shape(game)}, {"bits", base64_of(game.planes())}};
  }
  return json.dump();
}

namespace {

Json annotation_json(const games::Annotation& said) {
  Json json{{"ply", said.ply}};
  if (!said.comment.empty()) json["comment"] = said.comment;
  if (said.value) json["value"] = *said.value;
  if (said.is_mistake) json["mistake"] = true;
  if (said.is_turning_point) json["turning_point"] = true;
  if (!said.variations.empty()) json["variations"] = said.variations;
  return json;
}

}  // namespace

std::string record_json(const games::ReadRecord& record) {
  const auto& [start, moves] = record.game;
  const auto usual = games::make_game(start->name(), start->parameters());
  Json json = json_of_kind(*start);
  json["start"] = start->position() == usual->position() ? Json() : Json(start->position());
  json["moves"] = moves;
  for (std::size_t i = 0; i < record.players.size(); ++i) {
    const std::string& name = record.players[i];
    json["players"][std::string(start->colours()[i])] = name.empty() ? Json() : Json(name);
  }
  json["notes"] = record.notes;
  Json annotations = Json::array();
  for (const auto& said : record.annotations) annotations.push_back(annotation_json(said));
  json["annotations"] = std::move(annotations);
  constexpr int in_one_line = -1;
  return json.dump(in_one_line, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pitboss::protocol
