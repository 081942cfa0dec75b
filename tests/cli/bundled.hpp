// ingotctl support-bundle against the embedded API, and what is in the file that it makes.
#pragma once

#include "cli/bundle/archive.hpp"
#include "cli/run/support_bundle.hpp"
#include "tests/cli/support_bundle.hpp"
#include "tests/cli/world.hpp"

namespace ingot::cli::tests {

using Files = std::map<std::string, std::string>;

inline net::HttpResponse answered(const std::string& body) {
  return {.status = 200, .headers = {{"Content-Type", "application/json"}}, .body = body};
}

struct Bundled : World {
  Bundled() : World(Kinds::all) { base::makeFolder(folder.string()); }

  std::string path(const std::string& name = "b.tar.gz") const { return (folder / "out" / name).string(); }
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "out"))
      names.push_back(entry.path().filename().string());
    return names;
  }
  int bundle(std::vector<std::string> more = {}) {
    base::makeFolder((folder / "out").string());
    std::vector<std::string> words = {"support-bundle", "--output", path()};
    std::ranges::move(more, std::back_inserter(words));
    return run(std::move(words));
  }
  Files made(std::vector<std::string> more = {}) {
    std::filesystem::remove(path());
    INFO(terminal.errors);
    REQUIRE(bundle(std::move(more)) == 0);
    return unpacked(path());
  }

  // A secret wherever one can be.
  void plant() {
    REQUIRE(run({"apply", "-f", file("planted.yaml", plantedManifests())}) == 0);
    hostStatus("leaky", plantedStatus().c_str());
    // As kubectl would have left it of a manifest that holds more than its object.
    const json::Object applied{{kubectl, R"({"spec":{"note":"Quarzsand-last-applied"}})"}};
    static_cast<void>(loop.run(client().patch<api::BareMetalHost>(
        {"metal3", "leaky"}, json::Object{{"metadata", json::Object{{"annotations", applied}}}})));
    door.instead = [answers = plantedAnswers()](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      for (const auto& [part, body] : answers)
        if (request.target.find(part) != std::string::npos) return answered(body);
      return std::nullopt;
    };
  }

  Files madeWith(const bundle::Redaction& redaction) {
    base::makeFolder((folder / "out").string());
    std::filesystem::remove(path());
    const auto through = kube::connect(loop.runtime, loopback, {.server = origin}, forPeople());
    const kube::Environment none = [](std::string_view) { return std::nullopt; };
    Session session{.runtime = loop.runtime,
                    .client = *through,
                    .terminal = terminal,
                    .transport = loopback,
                    .environment = none,
                    .server = origin,
                    .namespace_ = "metal3"};
    loop.run(makeSupportBundle(session, {.output = path(), .logFiles = {file("agent.log", plantedLog())}}, redaction));
    return unpacked(path());
  }

  static constexpr const char* kubectl = "kubectl.kubernetes.io/last-applied-configuration";
};

}  // namespace ingot::cli::tests
