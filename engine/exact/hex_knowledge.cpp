#include "engine/exact/hex_knowledge.hpp"

#include "engine/exact/hex_insight.hpp"

namespace pitboss::engine {

namespace {

template <int Bits>
class ObserverOf final : public HexKnowledge::Observer {
 public:
  explicit ObserverOf(int size) : insight_(size) {}

  [[nodiscard]] HexKnowledge::Verdict look(const games::Hex& position) override {
    const auto stones = stones_of<Bits>(position);
    const auto view = insight_.look(stones, games::index(position.to_move()), /*fills=*/true);
    HexKnowledge::Verdict verdict;
    if (view.winner != view.none) {
      verdict.winner = static_cast<games::Colour>(view.winner);
      if (verdict.winner != position.to_move()) return verdict;
      // Once the edges are joined by stones filled in, any move wins.
      const int move =
          view.move != view.none ? view.move : insight_.lattice().empty(stones).first();
      verdict.winning = static_cast<games::Move>(move);
      return verdict;
    }
    const auto left = insight_.lattice().empty(view.filled);
    verdict.losing = minus(left, view.moves).template resized<384>();
    verdict.redundant = minus(insight_.lattice().empty(stones), left).template resized<384>();
    return verdict;
  }

 private:
  HexInsight<Bits> insight_;
};

}  // namespace

HexKnowledge::HexKnowledge() = default;
HexKnowledge::~HexKnowledge() = default;

void HexKnowledge::prepare(const games::Hex& position) {
  const int size = position.shape().width;
  if (size == size_) return;
  observer_ = with_hex_bits(size, [size]<int Bits>() -> std::unique_ptr<Observer> {
    return std::make_unique<ObserverOf<Bits>>(size);
  });
  size_ = size;
}

HexKnowledge::Verdict HexKnowledge::look(const games::Hex& position) {
  if (position.may_swap() || position.may_be_swapped()) return {};
  return observer_->look(position);
}

}  // namespace pitboss::engine
