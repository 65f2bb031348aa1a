#pragma once

#include <filesystem>
#include <optional>

namespace pitboss::games {

/// A lock on a file, which is made if it is missing. The system takes the lock back when the
/// process ends, however it ends.
class FileLock {
 public:
  /// The lock; nothing if another process holds it. Throws std::runtime_error with the system's
  /// reason if the file cannot be locked at all.
  [[nodiscard]] static std::optional<FileLock> try_lock(const std::filesystem::path& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int file) : file_(file) {}
  int file_;
};

}  // namespace pitboss::games
