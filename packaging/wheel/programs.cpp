#include <string_view>

// Both programs in one, since they share most of their code: `pitboss pitbossd ...` is pitbossd.
// Their own mains, under other names (CMakeLists.txt).
int pitboss_main(int argc, char** argv);
int pitbossd_main(int argc, char** argv);

int main(int argc, char** argv) {
  const bool is_daemon = argc > 1 && std::string_view(argv[1]) == "pitbossd";
  if (!is_daemon) return pitboss_main(argc, argv);
  argv[1] = argv[0];
  return pitbossd_main(argc - 1, argv + 1);
}
