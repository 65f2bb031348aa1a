#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <string>

namespace pitboss::engine {

/// There is less memory left than is asked for.
class OutOfBudget : public std::bad_alloc {
 public:
  /// How long to try again while memory is coming, and after how long each time.
  static constexpr std::chrono::seconds patience{1};
  static constexpr std::chrono::milliseconds pause{2};

  OutOfBudget(std::string sentence, bool is_coming)
      : sentence_(std::move(sentence)), is_coming_(is_coming) {}
  [[nodiscard]] const char* what() const noexcept override { return sentence_.c_str(); }
  /// Whether somebody who holds more than its share has been told to end, so that trying again
  /// soon may succeed.
  [[nodiscard]] bool is_coming() const { return is_coming_; }

 private:
  std::string sentence_;
  bool is_coming_;
};

/// Where memory is reserved that can be large. Any thread may call the members.
class MemorySource {
 public:
  enum class Kind : std::uint8_t { trees, networks, outboxes };
  static constexpr std::size_t kinds = 3;
  static constexpr std::array<const char*, kinds> names{"trees", "networks", "outboxes"};

  MemorySource() = default;
  virtual ~MemorySource() = default;
  MemorySource(const MemorySource&) = delete;
  MemorySource& operator=(const MemorySource&) = delete;

  /// Reserves bytes; lenders give up theirs if need be, which blocks while memory is released, a
  /// tenth of a second for a GiB. Throws OutOfBudget, with a sentence, if that is not enough.
  virtual void take(Kind kind, std::size_t bytes) = 0;
  virtual void give_back(Kind kind, std::size_t bytes) noexcept = 0;
  /// Has the first lender give up its memory, which is released before this returns; false if there
  /// is none.
  virtual bool release_one() = 0;
};

class MemoryPart;

/// The bytes that a process allows what can be large. Who takes memory takes a `Reservation` first;
/// who could do without the memory it holds is a `Lender`, which the budget asks, those first that
/// have used theirs least recently, before it refuses anybody.
///
/// When nobody is idle, clients have equal shares: of the clients whose lenders hold more than
/// theirs, the one that holds most has its largest lender told to end (`give_way`), if whoever asks
/// would stay within its own share.
class MemoryBudget final : public MemorySource {
 public:
  /// What is to be destroyed, so that its memory is free.
  using Lent = std::array<std::shared_ptr<void>, 2>;

  /// Holds memory that it can do without while it is idle. Between `recall` and `lend` it is busy.
  class Lender {
   public:
    Lender() = default;
    virtual ~Lender() = default;
    Lender(const Lender&) = delete;
    Lender& operator=(const Lender&) = delete;
    /// Hands its memory over; nothing if it is in use. Any thread calls it while the lender is
    /// idle; it must not call the budget.
    [[nodiscard]] virtual Lent give_up() noexcept = 0;
    struct Way {
      bool is_given = false;  ///< false: the lender cannot be told now
      std::shared_ptr<const std::function<void()>> hurry{};  ///< to be called then; may be null
    };
    /// Tells a busy lender to become idle soon. Any thread calls it; it must not block or call the
    /// budget.
    [[nodiscard]] virtual Way give_way() noexcept { return {}; }

   private:
    friend class MemoryBudget;
    std::list<Lender*> entry_{this};  ///< empty while it is in one of the budget's lists
    std::list<Lender*>::iterator place_ = entry_.begin();
    // While it is busy.
    std::shared_ptr<MemoryPart> part_;
    bool gives_way_ = false;
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
  [[nodiscard]] bool try_take(Kind kind, std::size_t bytes) noexcept {
    return try_take(kind, bytes, nullptr);
  }
  void take(Kind kind, std::size_t bytes) override { take(kind, bytes, nullptr); }
  void give_back(Kind kind, std::size_t bytes) noexcept override {
    give_back(kind, bytes, nullptr);
  }
  bool release_one() override;

  /// The lender is idle from now on; of several it is the last to be asked. Does not block for
  /// long.
  void lend(Lender& lender) noexcept;
  /// The lender is busy from now on, with what `part` holds, and nobody is calling `give_up`. Does
  /// not block for long.
  void recall(Lender& lender, std::shared_ptr<MemoryPart> part) noexcept;
  /// Forgets the lender, which nobody is calling any more. Does not block for long.
  void forget(Lender& lender) noexcept;

 private:
  friend class MemoryPart;

  void take(Kind kind, std::size_t bytes, MemoryPart* part);
  [[nodiscard]] bool try_take(Kind kind, std::size_t bytes, MemoryPart* part) noexcept;
  void give_back(Kind kind, std::size_t bytes, MemoryPart* part) noexcept;
  [[nodiscard]] Lender::Way make_way(std::size_t bytes, const MemoryPart& part);
  void move(Lender& lender, std::list<Lender*>& to) noexcept;
  [[nodiscard]] std::list<Lender*>& list_of(Lender& lender) noexcept;
  [[nodiscard]] Lent first_lent() noexcept;

  const std::size_t limit_;
  std::mutex pressure_;  ///< one thread at a time has memory released; before `mutex_`
  std::mutex mutex_;     ///< guards what follows; never held for long
  std::array<std::atomic<std::size_t>, kinds> used_{};
  std::list<Lender*> idle_;  ///< the first to be asked is in front
  std::list<Lender*> busy_;
};

/// What one lender holds of a budget, and for which client. It outlives both the lender and what it
/// has lent.
class MemoryPart final : public MemorySource {
 public:
  explicit MemoryPart(std::shared_ptr<MemoryBudget> budget) : budget_(std::move(budget)) {}

  /// The client that answers for it from now on.
  void belong_to(std::string client);

  void take(Kind kind, std::size_t bytes) override { budget_->take(kind, bytes, this); }
  void give_back(Kind kind, std::size_t bytes) noexcept override {
    budget_->give_back(kind, bytes, this);
  }
  bool release_one() override { return budget_->release_one(); }

 private:
  friend class MemoryBudget;
  const std::shared_ptr<MemoryBudget> budget_;
  // The budget's mutex guards them.
  std::string client_;
  std::size_t bytes_ = 0;
};

/// Reserved bytes, given back at the end. Without a memory nothing is counted.
class Reservation {
 public:
  Reservation() = default;
  /// Takes bytes as MemorySource::take does.
  Reservation(std::shared_ptr<MemorySource> memory, MemorySource::Kind kind, std::size_t bytes);
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
  std::shared_ptr<MemorySource> memory_;
  MemorySource::Kind kind_{};
  std::size_t bytes_ = 0;
};

}  // namespace pitboss::engine
