// Where BMCs push their events: over the real client, TLS and sockets.
#include "agent/event_inbox.hpp"

#include "net/client.hpp"
#include "tests/support/temporary_folder.hpp"

#include "base/run.hpp"

#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

struct Listening {
  Listening() {
    std::filesystem::create_directories(folder.path());
    inbox = make();
  }
  ~Listening() { run(inbox->stop()); }

  std::unique_ptr<agent::EventInbox> make(const std::string& secretFile = "events.key") {
    return std::make_unique<agent::EventInbox>(
        runtime, agent::EventInboxOptions{.url = "https://agent.example:7463/",
                                          .listenAddress = "127.0.0.1:0",
                                          .certificateFile = {},
                                          .keyFile = {},
                                          .secretFile = folder.path() + "/" + secretFile});
  }
  template <class T>
  T run(base::Task<T> task) {
    return base::run(io, std::move(task));
  }
  int send(const std::string& method, const std::string& path, const std::string& body) {
    const auto client =
        transport->connect({.baseUrl = fmt::format("https://127.0.0.1:{}", inbox->port()), .tls = {.verify = false}});
    return run(client->send({.method = method, .target = path, .body = body})).status;
  }
  // The path of a URL of the inbox.
  static std::string pathOf(const std::string& url) { return url.substr(url.find("/events/")); }

  tests::TemporaryFolder folder;
  boost::asio::io_context io;
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log(std::make_shared<base::MemorySink>(), "test")};
  std::unique_ptr<net::HttpTransport> transport = net::curlTransport(runtime);
  std::unique_ptr<agent::EventInbox> inbox;
};

}  // namespace

TEST_CASE("an event comes to who listens for its BMC, and to nobody else") {
  Listening here;
  std::vector<std::string> first, second;
  auto one = here.inbox->listen("bmc-1", [&](const std::string& body) { first.push_back(body); });
  const auto other = here.inbox->listen("bmc-2", [&](const std::string& body) { second.push_back(body); });
  const auto url = here.inbox->urlFor("bmc-1");
  CHECK(url.starts_with("https://agent.example:7463/events/"));
  CHECK(url.starts_with(here.inbox->prefix()));
  CHECK(here.send("POST", Listening::pathOf(url), "news") == 204);
  CHECK(first == std::vector<std::string>{"news"});
  CHECK(second.empty());
  one.reset();
  CHECK(here.send("POST", Listening::pathOf(url), "news") == 404);
  CHECK(first.size() == 1);
}

TEST_CASE("who does not know the URL, asks otherwise or sends too much is refused") {
  Listening here;
  int came = 0;
  const auto listening = here.inbox->listen("bmc-1", [&](const std::string&) { ++came; });
  const auto path = Listening::pathOf(here.inbox->urlFor("bmc-1"));
  CHECK(here.send("POST", "/events/", "x") == 404);
  CHECK(here.send("POST", path.substr(0, path.size() - 1), "x") == 404);
  CHECK(here.send("GET", path, "") == 404);
  CHECK(here.send("POST", path, std::string((1u << 20) + 1, 'x')) == 413);
  CHECK(came == 0);
}

TEST_CASE("the URLs of BMCs differ, stay over a restart, and are others with another secret") {
  Listening here;
  const auto url = here.inbox->urlFor("bmc-1");
  CHECK(url != here.inbox->urlFor("bmc-2"));
  CHECK(url.size() >= here.inbox->prefix().size() + 64);
  const auto again = here.make();
  CHECK(again->urlFor("bmc-1") == url);
  const auto another = here.make("another.key");
  CHECK(another->urlFor("bmc-1") != url);
  here.run(again->stop());
  here.run(another->stop());
  const auto status = std::filesystem::status(here.folder.path() + "/events.key");
  CHECK((status.permissions() & (std::filesystem::perms::group_all | std::filesystem::perms::others_all)) ==
        std::filesystem::perms::none);
}

TEST_CASE("a certificate that cannot be read is told when the agent starts") {
  Listening here;
  CHECK_THROWS_WITH(agent::EventInbox(here.runtime, {.url = "https://agent.example:7463",
                                                     .listenAddress = "127.0.0.1:0",
                                                     .certificateFile = "/nowhere.pem",
                                                     .keyFile = "/nowhere.key",
                                                     .secretFile = here.folder.path() + "/events.key"}),
                    Catch::Contains("/nowhere.pem"));
}
