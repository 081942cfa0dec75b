// A program of somebody else that runs for as long as a test case, and what talks to it in real time.
#pragma once

#include "agent/host_session.hpp"
#include "base/file.hpp"
#include "base/run.hpp"
#include "base/sync.hpp"
#include "bmc/each_capability.hpp"
#include "bmc/power_change.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>

namespace ingot::tests {

inline bool isFree(int type, std::uint16_t port) {
  const int fd = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
  if (fd < 0) throw base::Error("no socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  const bool bound = ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return bound;
}

// Free on 127.0.0.1 a moment ago, and none that Linux gives to clients by itself (from 32768 on): one of those might
// take it before the peer listens. `type`: SOCK_STREAM or SOCK_DGRAM.
inline std::uint16_t freePort(int type) {
  constexpr std::uint16_t first = 10240;
  constexpr std::uint16_t firstOfClients = 32768;
  const auto random = base::systemRandom();
  for (int attempt = 0; attempt < 100; ++attempt) {
    const auto port = static_cast<std::uint16_t>(first + random->below(firstOfClients - first));
    if (isFree(type, port)) return port;
  }
  throw base::Error("no free port on 127.0.0.1");
}

class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / ("ingot-peer-" + base::systemRandom()->uuid())).string()) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string at(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& text, mode_t mode = 0600) const {
    base::writeFileAtomically(at(name), text, mode);
  }
  [[nodiscard]] std::string read(const std::string& name) const { return base::readFile(at(name)); }

 private:
  std::string path_;
};

// Real clock, real processes, real network.
class RealWorld {
 public:
  RealWorld() = default;
  ~RealWorld() { base::run(io, peers_.close()); }

  template <class T>
  T run(base::Task<T> task, base::Duration limit = std::chrono::minutes(5)) {
    return base::run(io, base::withTimeout(clock, limit, "the peer", std::move(task)));
  }

  // Runs until the test case ends; then it is killed and reaped. A test that is killed takes it along.
  void startPeer(base::ProcessSpec spec) {
    spec.argv.insert(spec.argv.begin(), {"setpriv", "--pdeathsig", "KILL", "--"});
    spec.deadline = std::chrono::minutes(10);
    spec.outputLimit = 8u << 20;
    peers_.spawn(spec.argv.front(), keep(*processes, spec, said));
  }

  // Polls until `ready` ends without an error.
  void await(const std::function<base::Task<void>()>& ready) {
    for (const auto end = clock.now() + std::chrono::minutes(4);;) {
      try {
        return run(ready());
      } catch (const base::Error& error) {
        if (clock.now() > end || !said.empty())
          throw base::Error(fmt::format("the peer is not ready: {}; it said: {}", error.what(), said));
      }
      run(clock.sleepFor(std::chrono::milliseconds(100)));
    }
  }

  void until(const std::string& what, const std::function<bool()>& done) {
    const auto end = clock.now() + std::chrono::minutes(4);
    while (!done()) {
      if (clock.now() > end) throw base::Error(fmt::format("waited in vain for {}; the peer said: {}", what, said));
      run(clock.sleepFor(std::chrono::milliseconds(50)));
    }
  }

  boost::asio::io_context io{1};
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  std::unique_ptr<base::ProcessRunner> processes = base::systemProcessRunner(io.get_executor(), clock);
  std::unique_ptr<net::HttpTransport> http = net::curlTransport(runtime);
  std::string said;  // a peer that has ended, and why

 private:
  static base::Task<void> keep(base::ProcessRunner& processes, base::ProcessSpec spec, std::string& said) {
    const auto result = co_await processes.run(std::move(spec));
    said = fmt::format("ended with {}: {} {}", result.exitCode, result.standardOutput, result.standardError);
  }
  base::TaskGroup peers_{runtime.executor, runtime.log};
};

// A folder and a world for one peer on one port, and what tests ask of drivers that speak to it.
struct PeerBench {
  explicit PeerBench(int socketType) : port(freePort(socketType)) {}

  std::unique_ptr<bmc::Driver> open(bmc::Target target) {
    return bmc::openDriver(world.runtime, {*world.http, *world.processes}, std::move(target));
  }
  // How reading the power fails; the text stays in `text`.
  bmc::Error::Code failure(bmc::Driver& driver) {
    try {
      world.run(driver.power->readPower(bmc::Lane::polling));
    } catch (const bmc::Error& error) {
      text = error.what();
      return error.code();
    }
    throw std::logic_error("nothing failed");
  }
  bmc::PowerChange change(bmc::Driver& driver, bmc::PowerAction action) {
    return world.run(bmc::changePower(world.clock, *driver.power, bmc::Lane::operatorCommand, action, {}));
  }

  Folder folder;
  std::uint16_t port;
  RealWorld world;
  std::string text;
};

// What an agent's session tells, for a host at `address`.
class SessionBench {
 public:
  SessionBench(RealWorld& world, const std::string& address, const std::string& user, const std::string& password,
               std::string caFile = "", std::int64_t sensorPollMs = 0)
      : world_(world), journal_(store_) {
    wire::Grant grant;
    grant.host = "u1";
    grant.name = "ns/h";
    grant.token = {1, 1, 0};
    grant.address = address;
    grant.username = user;
    grant.password = base::Secret(password);
    grant.powerPollMs = 500;
    grant.sensorPollMs = sensorPollMs;
    session_ = std::make_unique<agent::HostSession>(world.runtime, bmc::Transports{*world.http, *world.processes},
                                                    journal_, agent::SessionSettings{.caFile = std::move(caFile)},
                                                    grant, world.clock.now() + std::chrono::hours(1),
                                                    [this](wire::Message message) { hear(std::move(message)); });
  }
  ~SessionBench() { world_.run(session_->close()); }

  wire::CommandResult command(const std::string& action) {
    result.reset();
    session_->execute({.host = "u1", .token = {1, 1, ++seq_}, .action = action});
    world_.until("the result of " + action, [this] { return result.has_value(); });
    journal_.acknowledge(result->host, result->token);
    return *result;
  }
  wire::Facts factsWhen(const std::function<bool(const wire::Facts&)>& wanted) {
    world_.until("facts", [&] { return facts && wanted(*facts); });
    return *facts;
  }

  std::optional<wire::CommandResult> result;
  std::optional<wire::Facts> facts;

 private:
  void hear(wire::Message message) {
    if (auto* told = std::get_if<wire::Facts>(&message)) facts = std::move(*told);
    if (auto* ended = std::get_if<wire::CommandResult>(&message)) result = std::move(*ended);
  }

  RealWorld& world_;
  agent::MemoryJournal store_;
  agent::Journal journal_;
  std::unique_ptr<agent::HostSession> session_;
  std::int64_t seq_ = 0;
};

}  // namespace ingot::tests
