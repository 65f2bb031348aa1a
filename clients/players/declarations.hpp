#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/players/engine.hpp"

namespace pitboss::clients {

/// What the engines of an experiment's players say of themselves, by match and player; nothing
/// where it is not known.
using DeclaredPair = std::array<std::optional<Declaration>, 2>;
using Declarations = std::vector<DeclaredPair>;

/// The name under which the declaration of an engine has the signature of its server's searches
/// (`Engine::signature`).
inline constexpr std::string_view signature_name = "signature";

/// How an engine differs from what it was before: "is X, and was Y", "has k 1, and had 2"; empty if
/// it does not. What one of the declarations does not tell is no difference: the program, all of
/// the options, the signature, or the hash of a network or of features. Nor is how it writes moves,
/// of which a game may tell more.
[[nodiscard]] std::string change(const Declaration& before, const Declaration& now);

/// Whether a network or features, which are files at the engine's server, evaluate its positions.
[[nodiscard]] bool uses_models(const std::optional<Declaration>& declared);

/// Whether the time of the wall bounds a player's searches: its clock, or `movetime` as its engine
/// has it after its options were set, or, of an engine that has not told, as the player sets it.
[[nodiscard]] bool is_timed(const Player& player, const std::optional<Declaration>& declared);
/// In the same way, whether time of the wall or, by `cputime`, of a processor bounds them, so that
/// they are worth less on a slower machine.
[[nodiscard]] bool depends_on_speed(const Player& player,
                                    const std::optional<Declaration>& declared);
/// In the same way, with how many threads a player searches; 1 if nobody says.
[[nodiscard]] int threads_of(const Player& player, const std::optional<Declaration>& declared);

/// How an engine's declaration differs from that of recorded games, so that new games would be
/// another player's: a sentence without its full stop, which names the player. Empty if nothing has
/// changed that the engine told then and tells now.
[[nodiscard]] std::string change_since(const Experiment& experiment, const Declarations& recorded,
                                       const Declarations& declared);

/// A sentence for each match between players whose engines disagree about options that neither
/// player sets; none where the players' presets differ.
[[nodiscard]] std::vector<std::string> unequal_defaults(const Experiment& experiment,
                                                        const Declarations& declared);

}  // namespace pitboss::clients
