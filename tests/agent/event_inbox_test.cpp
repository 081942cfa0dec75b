// Where BMCs push their events: over the real client, TLS and sockets.
#include "agent/event_inbox.hpp"

#include "base/sync.hpp"
#include "net/client.hpp"
#include "tests/support/loop.hpp"
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
  base::Task<void> post(std::string path, std::string body, std::map<int, int>& answers) {
    const auto client =
        transport->connect({.baseUrl = fmt::format("https://127.0.0.1:{}", inbox->port()), .tls = {.verify = false}});
    int status = 0;
    try {
      status = (co_await client->send({.method = "POST", .target = std::move(path), .body = std::move(body)})).status;
    } catch (const net::HttpError&) {
      status = 0;
    }
    ++answers[status];
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
  CHECK(here.send("POST", path, std::string((64u << 10) + 1, 'x')) == 413);
  CHECK(came == 0);
}

namespace {

// Takes the answer to a request.
class Answer final : public net::Responder {
 public:
  base::Task<void> send(net::HttpResponse response) override {
    status = response.status;
    co_return;
  }
  base::Task<void> begin(int, net::Headers) override { co_return; }
  base::Task<void> write(std::string) override { co_return; }
  base::Task<void> end() override { co_return; }
  void abort() override {}
  int status = 0;
};

// An inbox whose requests are handed to it as its server does, under a clock of the test.
struct Heads {
  ~Heads() { loop.run(inbox.stop()); }
  net::ServerRequest from(int sender, const std::string& bmc) {
    return {.method = "POST",
            .target = Listening::pathOf(inbox.urlFor(bmc)),
            .body = "news",
            .remoteAddress = fmt::format("10.0.0.1:{}", sender)};
  }
  // The head has come: its body is wanted.
  bool begins(int sender, const std::string& bmc) {
    const auto head = from(sender, bmc);
    const bool isKnown = inbox.isAuthenticated(head);
    CHECK(inbox.wantsBody(head) == isKnown);
    return isKnown;
  }
  int ends(int sender, const std::string& bmc) {
    Answer answer;
    static_cast<void>(inbox.isAuthenticated(from(sender, bmc)));
    loop.run(inbox.handle(from(sender, bmc), answer));
    return answer.status;
  }

  tests::TemporaryFolder folder;
  tests::Loop loop;
  agent::EventInbox inbox{loop.runtime, agent::EventInboxOptions{.url = "https://agent.example:7463",
                                                                 .listenAddress = "127.0.0.1:0",
                                                                 .certificateFile = {},
                                                                 .keyFile = {},
                                                                 .secretFile = folder.path("events.key")}};
};

}  // namespace

TEST_CASE("of one URL few requests are taken at a time, and those of another BMC meanwhile") {
  Heads heads;
  std::vector<std::string> first, second;
  const auto one = heads.inbox.listen("bmc-1", [&](const std::string& body) { first.push_back(body); });
  const auto other = heads.inbox.listen("bmc-2", [&](const std::string& body) { second.push_back(body); });
  int begun = 0;
  for (int sender = 0; sender < 100; ++sender) begun += heads.begins(sender, "bmc-1") ? 1 : 0;
  CHECK(begun == 4);
  CHECK(heads.ends(50, "bmc-1") == 429);
  CHECK(first.empty());
  CHECK(heads.begins(1000, "bmc-2"));
  CHECK(heads.ends(1000, "bmc-2") == 204);
  CHECK(second.size() == 1);
  CHECK(heads.ends(0, "bmc-1") == 204);
  CHECK(heads.begins(50, "bmc-1"));  // in its place
  CHECK_FALSE(heads.begins(51, "bmc-1"));
  heads.loop.clock.advance(16s);  // none of them sends its body: their connections are closed by now
  CHECK(heads.begins(51, "bmc-1"));
}

TEST_CASE("of one URL five bodies at once and five a second are looked at") {
  Heads heads;
  int first = 0, second = 0;
  const auto one = heads.inbox.listen("bmc-1", [&](const std::string&) { ++first; });
  const auto other = heads.inbox.listen("bmc-2", [&](const std::string&) { ++second; });
  for (int i = 0; i < 10'000; ++i) {
    const auto before = first;
    CHECK(heads.ends(i, "bmc-1") == (first > before ? 204 : 429));
    if (i == 500) CHECK(heads.ends(1, "bmc-2") == 204);
    heads.loop.clock.advance(1ms);
  }
  CHECK(first >= 50);
  CHECK(first <= 55);
  CHECK(second == 1);
  heads.loop.clock.advance(2s);
  CHECK(heads.ends(1, "bmc-1") == 204);
}

TEST_CASE("many posts to one URL at once keep no other BMC's event out") {
  Listening here;
  int first = 0, second = 0;
  const auto one = here.inbox->listen("bmc-1", [&](const std::string&) { ++first; });
  const auto other = here.inbox->listen("bmc-2", [&](const std::string&) { ++second; });
  std::map<int, int> answers;
  base::TaskGroup posts(here.runtime.executor, here.runtime.log);
  const auto began = here.runtime.clock.now();
  for (int i = 0; i < 40; ++i)
    posts.spawn("post", here.post(Listening::pathOf(here.inbox->urlFor("bmc-1")), std::string(60'000, 'x'), answers));
  CHECK(here.send("POST", Listening::pathOf(here.inbox->urlFor("bmc-2")), "news") == 204);
  here.run(posts.join());
  CHECK(second == 1);
  CHECK(answers[204] == first);
  CHECK(first >= 1);
  CHECK(first <= 6 + 5 * ((here.runtime.clock.now() - began) / 1s));
  CHECK(answers[204] + answers[429] + answers[0] == 40);  // 0: this machine was too slow for its connection
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
