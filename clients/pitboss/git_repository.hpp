#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pitboss::clients {

/// A commit of a repository.
struct Commit {
  std::string id;       ///< all of its digits
  std::string tree;     ///< the id of what it holds: alike for commits that hold the same
  std::string subject;  ///< of its message, one line
  std::string asked;    ///< as the user has named it

  [[nodiscard]] std::string short_id() const { return id.substr(0, 12); }
  /// "3f2a91c05b7e (main): evaluate mobility", for people.
  [[nodiscard]] std::string text() const;
};

/// How the user names what the work tree holds, committed or not.
inline constexpr std::string_view work_tree_name = ".";

/// A git repository of the user's, by the program `git`. Of it nothing changes but its list of work
/// trees, and that it may hold a commit that no branch has. All functions block for as long as git
/// takes, and throw UserError with what git says.
class GitRepository {
 public:
  /// The one that a folder lies in.
  explicit GitRepository(const std::filesystem::path& folder);

  [[nodiscard]] const std::filesystem::path& top() const { return top_; }
  /// What a name (branch, tag, id, "HEAD~3") means. Of `work_tree_name` it is a commit of what lies
  /// in the work tree: all files that git does not ignore, but for those in `left_out`, files or
  /// folders, of which none may be the work tree itself; the same commit for the same files. There
  /// is none in the middle of a merge.
  [[nodiscard]] Commit commit_of(const std::string& name,
                                 const std::vector<std::filesystem::path>& left_out = {}) const;
  /// Makes a new folder with the files of a commit, a work tree of the repository. Whatever is
  /// there is removed first.
  void check_out(const Commit& commit, const std::filesystem::path& folder) const;

 private:
  [[nodiscard]] std::string id_of(const std::string& name) const;
  [[nodiscard]] std::string commit_work_tree(
      const std::vector<std::filesystem::path>& left_out) const;

  std::filesystem::path top_;
};

/// Words before a command that hide from it of which repository the process itself is part: a hook
/// of git, for instance, has that in its environment.
[[nodiscard]] std::vector<std::string> without_repository();

}  // namespace pitboss::clients
