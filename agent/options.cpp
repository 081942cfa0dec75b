#include "agent/options.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>

namespace ingot::agent {

namespace {

std::string hostName() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "agent";
}

}  // namespace

Options parseOptions(int argc, char** argv) {
  Options options{.name = hostName()};
  CLI::App app("Serves the BMCs of one network for an Ingot coordinator");
  app.set_version_flag("--version", std::string(INGOT_VERSION));
  app.set_config("--config", "", "Read options from a file (key = value)");
  app.add_option("--server", options.server, "The coordinator's endpoint, e.g. tcp://10.0.0.1:7460")
      ->capture_default_str();
  app.add_option("--server-key", options.serverKey, "File with the coordinator's public key")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--data-dir", options.dataDir, "Folder for the agent's own keys and journal")->capture_default_str();
  app.add_option("--name", options.name, "Name that the coordinator shows")->capture_default_str();
  app.add_option("--bmc-ca-file", options.caFile, "PEM file with the CA of the BMCs' certificates")
      ->check(CLI::ExistingFile);
  app.add_option("--log-level", options.logLevel, "debug, info, warn or error")
      ->transform(CLI::CheckedTransformer(std::map<std::string, base::Level>{{"debug", base::Level::debug},
                                                                             {"info", base::Level::info},
                                                                             {"warn", base::Level::warn},
                                                                             {"error", base::Level::error}}));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    std::exit(code == 0 ? 0 : 2);
  }
  return options;
}

}  // namespace ingot::agent
