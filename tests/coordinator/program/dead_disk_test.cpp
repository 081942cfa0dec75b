// The program as systemd starts it, on a disk that dies under it.
#include "base/file.hpp"
#include "base/run.hpp"
#include "base/subprocess.hpp"
#include "kube/client/config.hpp"
#include "kube/core/config_map.hpp"

#include <catch2/catch.hpp>

#include <sys/resource.h>

#include <charconv>
#include <filesystem>

using namespace ingot;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

struct Program {
  boost::asio::io_context loop{1};
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{loop.get_executor(), clock, *random, base::Log::silent()};
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ingot-coordinator-" + std::to_string(getpid()));
  std::unique_ptr<base::ProcessRunner> processes = base::systemProcessRunner(loop.get_executor(), clock);
  std::unique_ptr<net::HttpTransport> transport = net::curlTransport(runtime);
  base::ProcessResult result;

  Program() {
    std::filesystem::remove_all(folder);
    base::makeFolder(folder.string());
  }
  ~Program() { std::filesystem::remove_all(folder); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder / name).string(); }

  // Runs the program until it ends. A write beyond its file size limit fails as on a disk that refuses it, and does not
  // kill the program.
  base::Task<void> live() {
    const std::string options =
        " --embedded --listen 127.0.0.1:0 --provisioner fixture --agents-endpoint 'tcp://127.0.0.1:*'";
    result = co_await processes->run(
        {.argv = {"sh", "-c",
                  "trap '' XFSZ; echo $$ > " + path("pid") + "; exec " INGOT_COORDINATOR + options + " --data-dir " +
                      path("data") + " --kubeconfig-out " + path("kubeconfig")},
         .deadline = 800s});
  }

  base::Task<void> killItsDisk() {
    while (!std::filesystem::exists(path("kubeconfig"))) co_await clock.sleepFor(20ms);
    const auto cluster = kube::loadKubeconfig({.path = path("kubeconfig")}, kube::processEnvironment());
    const auto client = kube::connect(runtime, *transport, cluster);
    (void)co_await client->create(configMap("before"));
    const rlimit none{0, 0};
    REQUIRE(::prlimit(pid(), RLIMIT_FSIZE, &none, nullptr) == 0);
    CHECK_THROWS_AS(co_await client->create(configMap("after")), kube::Error);
  }

 private:
  static kube::ConfigMap configMap(const std::string& name) {
    return {.metadata = {.name = name, .namespace_ = "default"}};
  }
  [[nodiscard]] pid_t pid() const {
    const auto text = base::readFile(path("pid"));
    pid_t out = 0;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
  }
};

std::string lastLine(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

TEST_CASE("a coordinator whose disk has failed ends with code 1, and its last line says so", "[coordinator][program]") {
  Program program;
  base::TaskGroup tasks(program.runtime.executor, program.runtime.log);
  tasks.spawn("kill the disk", program.killItsDisk());
  base::run(program.loop, program.live());
  base::run(program.loop, tasks.close());
  INFO(program.result.standardError);
  CHECK(program.result.exitCode == 1);
  CHECK_FALSE(program.result.timedOut);
  CHECK_THAT(lastLine(program.result.standardError), Contains(" ERROR coordinator stopped ") &&
                                                         Contains("the database failed (") &&
                                                         Contains("restart to recover"));
}
