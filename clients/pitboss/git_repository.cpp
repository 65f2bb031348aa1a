#include "clients/pitboss/git_repository.hpp"

#include <unistd.h>

#include <atomic>
#include <system_error>

#include "clients/experiments/user_error.hpp"
#include "clients/players/engine_failure.hpp"
#include "clients/training/child_lines.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

struct GitAnswer {
  std::string out;  ///< without the last line feed
  EndedProgram end;
};

/// Runs git in a folder, with these variables in its environment.
GitAnswer git(const fs::path& folder, const Words& arguments, const Words& variables = {}) {
  Words command = without_repository();
  command.insert(command.end(), variables.begin(), variables.end());
  // No hook of the repository is to run.
  command.insert(command.end(), {"git", "-C", folder.string(), "-c", "core.hooksPath=/dev/null"});
  command.insert(command.end(), arguments.begin(), arguments.end());
  GitAnswer answer;
  const std::atomic<bool> never = false;
  try {
    answer.end = run_program(command, never, [&](const std::string& line) {
      answer.out += (answer.out.empty() ? "" : "\n") + line;
    });
  } catch (const EngineFailure& failure) {
    throw UserError(failure.what());
  }
  return answer;
}

/// What git answers.
std::string told(const fs::path& folder, const Words& arguments, const Words& variables = {}) {
  const GitAnswer answer = git(folder, arguments, variables);
  require(answer.end.is_good(), "git " + arguments.front() + ": " + answer.end.why());
  return answer.out;
}

/// Those of the paths that lie in the work tree, as git names them. Throws UserError for the work
/// tree itself.
Words paths_inside(const fs::path& top, const std::vector<fs::path>& paths) {
  Words out;
  for (const fs::path& path : paths) {
    const fs::path inside = fs::weakly_canonical(path).lexically_relative(top);
    require(inside != ".", path.string() +
                               " is the work tree itself, whose files are to be "
                               "compared; choose a folder for what is written");
    if (!inside.empty() && *inside.begin() != "..") out.push_back(inside.string());
  }
  return out;
}

}  // namespace

std::string Commit::text() const {
  return short_id() + (asked.empty() || id.starts_with(asked) ? "" : " (" + asked + ")") +
         (subject.empty() ? "" : ": " + subject);
}

Words without_repository() {
  Words words{"env"};
  for (const char* const name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX",
                                 "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE"}) {
    words.insert(words.end(), {"-u", name});
  }
  return words;
}

GitRepository::GitRepository(const fs::path& folder) {
  std::error_code ignored;
  require(fs::is_directory(folder, ignored), "there is no folder " + folder.string());
  const GitAnswer answer = git(folder, {"rev-parse", "--show-toplevel"});
  require(answer.end.is_good(), folder.string() + " is no work tree of git: " + answer.end.why());
  top_ = answer.out;
}

Commit GitRepository::commit_of(const std::string& name,
                                const std::vector<fs::path>& left_out) const {
  Commit commit;
  commit.id = name == work_tree_name ? commit_work_tree(left_out) : id_of(name);
  commit.asked = name;
  commit.tree = told(top_, {"rev-parse", commit.id + "^{tree}"});
  commit.subject = name == work_tree_name ? "the files in " + top_.string()
                                          : told(top_, {"log", "-1", "--format=%s", commit.id});
  return commit;
}

std::string GitRepository::id_of(const std::string& name) const {
  const auto find = [&](const std::string& what) {
    return git(top_, {"rev-parse", "--verify", "--quiet", "--end-of-options", what});
  };
  // The name comes first alone: some, as ":/words", take in whatever follows them.
  GitAnswer found = find(name);
  const bool is_id =
      found.end.is_good() && found.out.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (is_id) found = find(found.out + "^{commit}");
  require(is_id && found.end.is_good(), "there is no commit " + name + " in " + top_.string());
  return found.out;
}

std::string GitRepository::commit_work_tree(const std::vector<fs::path>& left_out) const {
  // An index of its own: the user's stays as it is.
  const fs::path index = told(top_, {"rev-parse", "--absolute-git-dir"}) + "/pitboss-index-" +
                         std::to_string(::getpid());
  const Words variables{"GIT_INDEX_FILE=" + index.string(),
                        "GIT_AUTHOR_NAME=pitboss",
                        "GIT_AUTHOR_EMAIL=",
                        "GIT_AUTHOR_DATE=2000-01-01T00:00:00+0000",
                        "GIT_COMMITTER_NAME=pitboss",
                        "GIT_COMMITTER_EMAIL=",
                        "GIT_COMMITTER_DATE=2000-01-01T00:00:00+0000"};
  const Words inside_ones = paths_inside(top_, left_out);
  require(told(top_, {"ls-files", "--unmerged"}).empty(),
          top_.string() + " is in the middle of a merge; name a commit, or resolve it");
  std::error_code ignored;
  try {
    const bool has_head = git(top_, {"rev-parse", "--verify", "--quiet", "HEAD"}).end.is_good();
    if (has_head) told(top_, {"read-tree", "HEAD"}, variables);
    Words add{"-c", "advice.addIgnoredFile=false", "add", "--all", "--", "."};
    for (const std::string& inside : inside_ones) {
      // git adds no ignored file, and takes it amiss if one is named.
      const GitAnswer asked = git(top_, {"check-ignore", "--quiet", "--", inside}, variables);
      if (!asked.end.is_good()) add.push_back(":(exclude,literal)" + inside);
    }
    const GitAnswer added = git(top_, add, variables);
    require(added.end.is_good(), "git add: " + added.end.why());
    const std::string tree = told(top_, {"write-tree"}, variables);
    Words commit{"commit-tree", tree, "-m", "the work tree"};
    if (has_head) commit.insert(commit.end(), {"-p", "HEAD"});
    std::string id = told(top_, commit, variables);
    fs::remove(index, ignored);
    return id;
  } catch (...) {
    fs::remove(index, ignored);
    throw;
  }
}

void GitRepository::check_out(const Commit& commit, const fs::path& folder) const {
  std::error_code error;
  fs::remove_all(folder, error);
  require(!error, "cannot remove " + folder.string() + ": " + error.message());
  told(top_, {"worktree", "add", "--force", "--detach", folder.string(), commit.id});
}

}  // namespace pitboss::clients
