// Who gets in over a real socket, and who can read what lies on the disk.
#include "apiserver/embedded.hpp"
#include "apiserver/tls/identity.hpp"
#include "base/file.hpp"
#include "base/run.hpp"
#include "net/client.hpp"
#include "tests/apiserver/store/fixture.hpp"

#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ingot;
using namespace ingot::apiserver;

namespace {

// Time as it is, on a date of the test's choice; it may be halted, and jump ahead.
class DatedClock final : public base::Clock {
 public:
  base::Duration ahead{}, jumped{};
  // From now on `now` says what it says now, however long a busy machine takes. Sleepers go on.
  void halt() { halted_ = real_.now(); }
  [[nodiscard]] base::MonoTime now() const override { return halted_.value_or(real_.now()) + jumped; }
  [[nodiscard]] base::WallTime wall() const override {
    return real_.wall() + std::chrono::duration_cast<base::WallTime::duration>(ahead);
  }
  [[nodiscard]] base::Task<void> sleepUntil(base::MonoTime when) override {
    return real_.sleepUntil(real_.now() + (when - now()));
  }
  std::unique_ptr<base::Alarm> alarm(const base::Executor& executor, base::MonoTime when,
                                     std::function<void()> ring) override {
    return real_.alarm(executor, real_.now() + (when - now()), std::move(ring));
  }

 private:
  base::SystemClock real_;
  std::optional<base::MonoTime> halted_;
};

struct Serving {
  boost::asio::io_context io;
  DatedClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  apiserver::tests::TemporaryFolder folder;
  std::unique_ptr<net::HttpTransport> transport = net::curlTransport(runtime);
  std::unique_ptr<EmbeddedApi> api;

  explicit Serving(base::Duration ahead = {}) {
    clock.ahead = ahead;
    EmbeddedOptions options{.dataDir = folder.path(),
                            .listen = "127.0.0.1:0",
                            .kubeconfigOut = folder.path("kubeconfig"),
                            .tokens = {{base::Secret("right"), {"robot", {"robots"}}}},
                            .certificateCheck = std::chrono::milliseconds(20)};
    api = base::run(io, EmbeddedApi::start(runtime, std::move(options)));
  }
  ~Serving() { base::run(io, api->stop(std::chrono::seconds(0))); }

  Identity identity() { return openIdentity(folder.path() + "/tls", {"localhost", "127.0.0.1"}, clock.wall()); }

  // The server accepts whoever has connected.
  template <class Client>
  std::unique_ptr<Client> pass(std::unique_ptr<Client> client) {
    base::run(io, clock.sleepFor(std::chrono::milliseconds(1)));
    return client;
  }

  // The HTTP status, or 0 when not even TLS was agreed upon.
  int status(const net::KeyPair* who, const std::string& token = "", const std::string& path = "/api/v1/secrets") {
    net::ClientOptions options{.baseUrl = api->url()};
    options.tls.caPem = identity().caPem;
    if (who) {
      options.tls.certificatePem = who->certificatePem;
      options.tls.privateKeyPem = who->privateKeyPem;
    }
    const auto client = transport->connect(std::move(options));
    net::HttpRequest request{.target = path};
    if (!token.empty()) request.headers.set("Authorization", "Bearer " + token);
    try {
      return base::run(io, client->send(std::move(request))).status;
    } catch (const net::HttpError&) {
      return 0;
    }
  }
};

// Asks for the health of the server, and keeps the connection.
class Stranger {
 public:
  explicit Stranger(Serving& serving) : serving_(serving), transport_(net::curlTransport(serving.runtime)) {
    net::ClientOptions options{.baseUrl = serving.api->url()};
    options.tls.caPem = serving.identity().caPem;
    client_ = transport_->connect(std::move(options));
  }
  [[nodiscard]] int status() { return base::run(serving_.io, client_->send({.target = "/livez"})).status; }

 private:
  Serving& serving_;
  std::unique_ptr<net::HttpTransport> transport_;
  std::unique_ptr<net::HttpClient> client_;
};

// Longer than the server lets a handshake take before it counts, shorter than until it is given up.
constexpr base::Duration kHandshakeMayTake = std::chrono::seconds(3);

// A connection on which nothing is ever said.
class Silent {
 public:
  // From 127.0.0.`last`.
  Silent(const std::string& url, unsigned last) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const sockaddr_in from = loopback(last, 0);
    const sockaddr_in to = loopback(1, static_cast<std::uint16_t>(std::stoul(url.substr(url.rfind(':') + 1))));
    REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&from), sizeof from) == 0);
    REQUIRE(::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
  }
  ~Silent() { ::close(fd_); }
  Silent(const Silent&) = delete;
  Silent& operator=(const Silent&) = delete;

  // The server has not closed it.
  [[nodiscard]] bool stands() const {
    char byte = 0;
    return ::recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
  }

 private:
  static sockaddr_in loopback(unsigned last, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(0x7f000000u + last);
    return address;
  }
  int fd_;
};

unsigned modeOf(const std::filesystem::path& path) {
  struct stat info{};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  return info.st_mode & 0777;
}

}  // namespace

TEST_CASE("the administrator and known tokens get in, nobody else", "[apiserver][tls]") {
  Serving s;
  const Identity mine = s.identity(), stranger = openIdentity("", {"localhost"}, s.clock.wall());
  CHECK(s.status(&mine.admin) == 200);
  CHECK(s.status(nullptr, "right") == 200);
  CHECK(s.status(nullptr) == 401);
  CHECK(s.status(nullptr, "wrong") == 401);
  CHECK(s.status(&stranger.admin) == 401);           // system:masters by another authority
  CHECK(s.status(&mine.server) == 401);              // no client's certificate
  CHECK(s.status(&stranger.admin, "right") == 200);  // known by something else
  CHECK(s.status(nullptr, "", "/livez") == 200);
}

TEST_CASE("strangers of one address keep nobody out, whether they say nothing or ask for the server's health",
          "[apiserver][tls]") {
  Serving s;
  s.clock.halt();
  std::vector<std::unique_ptr<Silent>> silent;
  silent.reserve(63);
  for (int i = 0; i < 63; ++i) silent.push_back(s.pass(std::make_unique<Silent>(s.api->url(), 1)));
  s.clock.jumped += kHandshakeMayTake;
  Stranger one(s), another(s);
  CHECK(one.status() == 200);
  CHECK(silent.front()->stands());
  CHECK(another.status() == 200);
  CHECK_FALSE(silent.front()->stands());
  const Identity mine = s.identity();
  CHECK(s.status(&mine.admin) == 200);
}

TEST_CASE("strangers of many addresses keep nobody out", "[apiserver][tls]") {
  Serving s;
  s.clock.halt();
  std::vector<std::unique_ptr<Silent>> silent;
  silent.reserve(256);
  for (unsigned i = 0; i < 256; ++i) silent.push_back(s.pass(std::make_unique<Silent>(s.api->url(), 2 + i / 52)));
  s.clock.jumped += kHandshakeMayTake;
  CHECK(silent.front()->stands());
  const Identity mine = s.identity();
  CHECK(s.status(&mine.admin) == 200);
  CHECK_FALSE(silent.front()->stands());
}

TEST_CASE("certificates that are about to run out are renewed while the server lives", "[apiserver][tls]") {
  Serving s(std::chrono::hours(-24 * 340));
  const Identity before = s.identity();
  const std::string kubeconfig = base::readFile(s.folder.path("kubeconfig"));
  CHECK(s.status(&before.admin) == 200);
  s.clock.ahead = {};
  for (int i = 0; i < 15000 && base::readFile(s.folder.path("kubeconfig")) == kubeconfig; ++i)
    base::run(s.io, s.clock.sleepFor(std::chrono::milliseconds(20)));
  CHECK(base::readFile(s.folder.path("kubeconfig")) != kubeconfig);
  const Identity after = s.identity();
  CHECK(after.caPem == before.caPem);
  CHECK(after.admin.certificatePem != before.admin.certificatePem);
  CHECK(after.server.certificatePem != before.server.certificatePem);
  CHECK(s.status(&after.admin) == 200);
  CHECK(s.status(&before.admin) == 200);  // good until its own end
}

TEST_CASE("the body of a request is waited for when it is known who sends it", "[apiserver][tls]") {
  Serving s;
  const auto& door = s.api->handler();
  net::ServerRequest head{.method = "POST", .target = "/api/v1/namespaces/default/secrets"};
  CHECK_FALSE(door.wantsBody(head));
  head.headers.set("Authorization", "Bearer wrong");
  CHECK_FALSE(door.wantsBody(head));
  head.headers.set("Authorization", "Bearer right");
  CHECK(door.wantsBody(head));
  CHECK(door.wantsBody({.method = "POST", .target = "/", .peer = {.commonName = "kubernetes-admin"}}));
  CHECK_FALSE(door.wantsBody({.method = "POST", .target = "/livez"}));
}

TEST_CASE("nobody but the owner reads what the server keeps", "[apiserver][tls]") {
  Serving s;
  const mode_t loose = ::umask(0);
  Serving underLooseMask;
  ::umask(loose);
  for (Serving* each : {&s, &underLooseMask}) {
    CHECK(modeOf(each->folder.path()) == 0700);
    CHECK(modeOf(each->folder.path("kubeconfig")) == 0600);
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(each->folder.path())) {
      CAPTURE(entry.path().string());
      const bool open = entry.path().extension() == ".crt";  // certificates are no secret
      CHECK((open || modeOf(entry.path()) == (entry.is_directory() ? 0700 : 0600)));
      ++files;
    }
    CHECK(files > 3);
  }
}

TEST_CASE("a server on every address has a certificate for the machine's names, and for those it was told",
          "[apiserver][tls]") {
  struct Row {
    const char* listen;
    bool machine;
  };
  for (const Row& row : {Row{"0.0.0.0:0", true}, Row{"[::]:0", true}, Row{"127.0.0.1:0", false}}) {
    CAPTURE(row.listen);
    boost::asio::io_context io;
    base::SystemClock clock;
    const auto random = base::systemRandom();
    const base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
    const apiserver::tests::TemporaryFolder folder;
    EmbeddedOptions options{
        .dataDir = folder.path(), .listen = row.listen, .extraNames = {"api.example.com", "10.9.8.7"}};
    options.machineNames = [] { return std::vector<std::string>{"rack-a", "10.0.0.5", "2001:db8::5"}; };
    const auto api = base::run(io, EmbeddedApi::start(runtime, std::move(options)));
    const auto names = net::namesOf(base::readFile(folder.path() + "/tls/server.crt"));
    const auto has = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
    for (const char* always : {"localhost", "127.0.0.1", "api.example.com", "10.9.8.7"}) CHECK(has(always));
    for (const char* own : {"rack-a", "10.0.0.5", "2001:db8::5"}) CHECK(has(own) == row.machine);
    base::run(io, api->stop(std::chrono::seconds(0)));
  }
}

TEST_CASE("the machine's names are such as others may use", "[apiserver][tls]") {
  const auto names = net::machineNames();
  REQUIRE_FALSE(names.empty());
  for (const auto& name : names) {
    CAPTURE(name);
    CHECK_FALSE(name.starts_with("127."));
    CHECK_FALSE(name.starts_with("fe80:"));
    CHECK(name != "::1");
  }
}
