// What an inbox answers to who pushes (docs/decisions/0043).
#include "agent/event_inbox.hpp"
#include "base/run.hpp"
#include "net/client.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;

TEST_CASE("each answer of the inbox ends its connection, whatever it is") {
  tests::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path());
  boost::asio::io_context io;
  base::SystemClock clock;
  const auto random = base::systemRandom();
  const base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  agent::EventInbox inbox(runtime, {.url = "https://agent.example:7463/",
                                    .listenAddress = "127.0.0.1:0",
                                    .certificateFile = {},
                                    .keyFile = {},
                                    .secretFile = folder.path() + "/events.key"});
  const auto transport = net::curlTransport(runtime);
  const auto client =
      transport->connect({.baseUrl = fmt::format("https://127.0.0.1:{}", inbox.port()), .tls = {.verify = false}});
  const auto listening = inbox.listen("bmc-1", [](const std::string&) {});
  const auto url = inbox.urlFor("bmc-1");
  const auto path = url.substr(url.find("/events/"));
  const auto answer = [&](const std::string& method, const std::string& target, std::size_t length) {
    const auto response =
        base::run(io, client->send({.method = method, .target = target, .body = std::string(length, 'x')}));
    CHECK(response.headers.get("Connection") == "close");
    return response.status;
  };
  CHECK(answer("POST", path, 4) == 204);
  CHECK(answer("POST", path, 4) == 204);
  CHECK(answer("POST", path + "x", 4) == 404);
  CHECK(answer("GET", path, 0) == 404);
  base::run(io, inbox.stop());
}
