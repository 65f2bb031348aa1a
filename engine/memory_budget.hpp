#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <string>

namespace pitboss::engine {

/// There is less memory left than is asked for.
class OutOfBudget : public std::bad_alloc {
 public:
  explicit OutOfBudget(std::string sentence) : sentence_(std::move(sentence)) {}
  [[nodiscard]] const char* what() const noexcept override { return sentence_.c_str(); }

 private:
  std::string sentence_;
};

/// The bytes that a process allows what can be large. Who takes memory takes a `Reservation` first;
/// who could do without the memory it holds is a `Lender`, which the budget asks, those first that
/// have used theirs least recently, before it refuses anybody. Any thread may call the members.
class MemoryBudget {
 public:
  enum class Kind : std::uint8_t { trees, networks, outboxes };
  static constexpr std::size_t kinds = 3;
  static constexpr std::array<const char*, kinds> names{"trees", "networks", "outboxes"};

  /// What is to be destroyed, so that its memory is free.
  using Lent = std::array<std::shared_ptr<void>, 2>;

  /// Holds memory that it can do without while it is idle.
  class Lender {
   public:
    Lender() = default;
    virtual ~Lender() = default;
    Lender(const Lender&) = delete;
    Lender& operator=(const Lender&) = delete;
    /// Hands its memory over; nothing if it is in use. Any thread calls it between `lend` and
    /// `recall`; it must not call the budget.
    [[nodiscard]] virtual Lent give_up() noexcept = 0;

   private:
    friend class MemoryBudget;
    std::list<Lender*> entry_{this};  ///< empty while it is in the budget's list
    std::list<Lender*>::iterator place_ = entry_.begin();
  };

  explicit MemoryBudget(std::size_t bytes) : limit_(bytes) {}

  [[nodiscard]] std::size_t limit() const { return limit_; }
  /// What is reserved of a kind.
  [[nodiscard]] std::size_t used(Kind kind) const {
    return used_[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed);
  }
  /// What is reserved of all kinds.
  [[nodiscard]] std::size_t used() const;

  /// Reserves bytes if so many are left; does not block.
  [[nodiscard]] bool try_take(Kind kind, std::size_t bytes) noexcept;
  /// Reserves bytes; lenders give up theirs if need be, which blocks while memory is released, a
  /// tenth of a second for a GiB. Throws OutOfBudget, with a sentence, if that is not enough.
  void take(Kind kind, std::size_t bytes);
  void give_back(Kind kind, std::size_t bytes) noexcept;

  /// The lender is idle from now on; of several it is the last to be asked. Does not block for
  /// long.
  void lend(Lender& lender) noexcept;
  /// The lender is not idle any more, and nobody is calling it. Does not block for long.
  void recall(Lender& lender) noexcept;
  /// Has the first lender give up its memory, which is released before this returns; false if there
  /// is none.
  bool release_one();

 private:
  [[nodiscard]] Lent first_lent() noexcept;

  const std::size_t limit_;
  std::mutex pressure_;  ///< one thread at a time has memory released; before `mutex_`
  std::mutex mutex_;     ///< guards what follows; never held for long
  std::array<std::atomic<std::size_t>, kinds> used_{};
  std::list<Lender*> lenders_;  ///< the first to be asked is in front
};

/// A part of a budget, given back at the end. Without a budget nothing is counted.
class Reservation {
 public:
  Reservation() = default;
  /// Takes bytes as MemoryBudget::take does.
  Reservation(std::shared_ptr<MemoryBudget> budget, MemoryBudget::Kind kind, std::size_t bytes);
  Reservation(Reservation&& other) noexcept;
  Reservation& operator=(Reservation&& other) noexcept;
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation() { release(); }

  void release() noexcept;
  /// Takes what it lacks of `bytes` in all; throws as the constructor does, and then has what it
  /// had.
  void grow(std::size_t bytes);
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<MemoryBudget> budget_;
  MemoryBudget::Kind kind_{};
  std::size_t bytes_ = 0;
};

}  // namespace pitboss::engine
