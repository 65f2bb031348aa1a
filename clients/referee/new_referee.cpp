#include "clients/referee/new_referee.hpp"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fstream>
#include <set>
#include <string>

#include "environment/machine.hpp"
#include "protocol/version.hpp"

namespace pitboss::clients {

namespace {

/// Tells machines of the same name apart, such as clones: as long as they run.
std::string machine() {
  std::string id;
  std::ifstream file("/etc/machine-id");
  std::getline(file, id);
  const boost::uuids::name_generator_sha1 named(boost::uuids::ns::oid());
  return boost::uuids::to_string(named(id + "\n" + environment::boot_id() + "\n")).substr(0, 8);
}

/// Adds a text that the list lacks.
void add_to(std::string& list, std::set<std::string>& known, const std::string& text,
            const char* separator) {
  if (text.empty() || !known.insert(text).second) return;
  list += (list.empty() ? "" : separator) + text;
}

}  // namespace

RefereeEntry new_referee(const std::filesystem::path& folder, const Experiment& experiment,
                         const Examined& examined) {
  RefereeEntry out;
  out.id = boost::uuids::to_string(boost::uuids::random_generator()());
  out.name = environment::host_name() + "." + machine() + ":" +
             std::filesystem::weakly_canonical(folder).string();
  std::set<std::string> hosts;
  std::set<std::string> processors;
  std::set<std::string> builds;
  std::string engines;
  for (const Match& match : experiment.matches) {
    if (examined.finished.contains(&match)) continue;
    for (const Player& player : match.players) {
      const ServerFacts facts =
          facts_of(player.location, examined)
              .value_or(ServerFacts{"", text_of(player.location), "unknown", ""});
      add_to(out.host, hosts, facts.host, ", ");
      add_to(out.processor, processors, facts.processor, "; ");
      add_to(engines, builds, facts.build, ", ");
    }
  }
  out.program = protocol::version_of("pitboss") + (engines.empty() ? "" : " with ") + engines;
  return out;
}

}  // namespace pitboss::clients
