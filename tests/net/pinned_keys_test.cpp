// Servers that are known by their public key, and those that speak old TLS only.
#include "base/file.hpp"
#include "base/run.hpp"
#include "base/subprocess.hpp"
#include "base/text.hpp"
#include "tests/net/world.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>

using namespace ingot;
using namespace std::chrono_literals;
using net::HttpError;
using tests::World;

namespace {

constexpr auto noKey = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

struct Pinned : World {
  // Trusts nobody else: another authority than the server's.
  net::ClientOptions pinned(std::string keys) {
    auto o = options();
    o.tls.caPem = net::CertificateAuthority::create("other CA", clock.wall()).certificatePem();
    o.tls.pinnedKeys = std::move(keys);
    return o;
  }
  std::string key = net::pinnedKeyOf(ids.server.certificatePem);
};

// An openssl s_server that serves one page, and ends with this.
class OldServer {
 public:
  OldServer(const std::string& keyPair, const char* version) {
    std::array<int, 2> pipe{};
    REQUIRE(::pipe2(pipe.data(), O_CLOEXEC) == 0);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(pipe[1], STDOUT_FILENO);
      if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
      ::execlp("openssl", "openssl", "s_server", "-accept", "127.0.0.1:0", "-www", version, "-cipher",
               "ALL:@SECLEVEL=0", "-cert", keyPair.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(pipe[1]);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(::fdopen(pipe[0], "r"), std::fclose);
    std::array<char, 256> line{};
    while (port.empty() && std::fgets(line.data(), line.size(), output.get()) != nullptr)
      if (const std::string text = line.data(); text.starts_with("ACCEPT "))
        port = base::trimmed(text.substr(text.rfind(':') + 1));
    if (!port.empty()) return;
    end();
    throw std::runtime_error("openssl s_server did not come up");
  }
  ~OldServer() { end(); }
  OldServer(const OldServer&) = delete;
  OldServer& operator=(const OldServer&) = delete;

  std::string port;

 private:
  void end() const {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid_ = -1;
};

}  // namespace

TEST_CASE("pinned keys are written as curl has them", "[tls]") {
  CHECK(net::arePinnedKeys(noKey));
  CHECK(net::arePinnedKeys(std::string(noKey) + ";" + noKey));
  for (const auto* wrong :
       {"", ";", "sha256//", "sha256//AAAA", "/etc/ssl/key.pem", "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=;",
        "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "sha256//!AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}) {
    INFO(wrong);
    CHECK_FALSE(net::arePinnedKeys(wrong));
  }
}

TEST_CASE_METHOD(World, "the key of a certificate is the one that openssl tells", "[tls]") {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path());
  const auto file = folder.path() + "/server.pem";
  base::writeFileAtomically(file, ids.server.certificatePem);
  const auto runner = base::systemProcessRunner(runtime.executor, runtime.clock);
  const auto told = run(runner->run({.argv = {"sh", "-c",
                                              "openssl x509 -pubkey -noout -in " + file +
                                                  " | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary |"
                                                  " base64"},
                                     .deadline = 60s}));
  CHECK("sha256//" + told.standardOutput == net::pinnedKeyOf(ids.server.certificatePem) + "\n");
}

TEST_CASE_METHOD(Pinned, "a server with the pinned key is spoken to, whatever its authority and its names", "[tls]") {
  listen();
  CHECK_FALSE(get(pinned(key)).empty());
  CHECK_FALSE(get(pinned(std::string(noKey) + ";" + key)).empty());
  auto unnamed = pinned(key);
  unnamed.tls.serverName = "somebody.else";
  CHECK_FALSE(get(unnamed).empty());
}

TEST_CASE_METHOD(Pinned, "a server with another key is refused, and its key told", "[tls]") {
  listen();
  const bool verify = GENERATE(true, false);
  auto o = pinned(noKey);
  o.tls.verify = verify;
  o.tls.caPem = ids.authority.certificatePem();  // that it is signed as it should does not help
  const auto refused = failure(o);
  CHECK(refused.code() == HttpError::Code::tls);
  CHECK_THAT(refused.what(), Catch::Contains("the server's public key is " + key + ", which is not the pinned one"));
}

TEST_CASE_METHOD(Pinned, "a pinned client takes up no connection and no session of one that is not", "[tls][reuse]") {
  listen();
  auto trusting = options();
  trusting.tls.verify = false;
  const auto before = transport->connect(trusting);
  const auto connection = get(*before);
  CHECK(failure(pinned(noKey)).code() == HttpError::Code::tls);
  net::HttpRequest closing;
  closing.headers.set("Connection", "close");
  CHECK(run(before->send(closing)).status == 200);
  CHECK(failure(pinned(noKey)).code() == HttpError::Code::tls);
  const auto right = transport->connect(pinned(key));
  CHECK(get(*right) != connection);
  for (int i = 0; i < 3; ++i) CHECK(run(right->send(closing)).status == 200);  // resumed, and checked again
  CHECK(failure(pinned(noKey)).code() == HttpError::Code::tls);
}

TEST_CASE_METHOD(World, "keys that are written wrongly are told before anything is sent", "[tls]") {
  listen();
  auto o = options();
  o.tls.pinnedKeys = "/etc/ssl/key.pem";
  CHECK_THROWS_WITH(transport->connect(o), Catch::Contains("sha256//BASE64"));
}

TEST_CASE_METHOD(World, "a server that speaks TLS 1.0 alone is refused, unless old TLS is taken", "[tls]") {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path());
  const auto file = folder.path() + "/server.pem";
  base::writeFileAtomically(file, ids.server.certificatePem + ids.server.privateKeyPem.reveal());
  const OldServer old(file, "-tls1");
  listen();
  auto o = options();
  o.baseUrl = "https://127.0.0.1:" + old.port;
  CHECK(failure(o).code() == HttpError::Code::tls);
  o.tls.legacyTls = true;
  CHECK_THAT(get(o), Catch::Contains("New, TLSv1.0, Cipher is"));
  auto strict = o;
  strict.tls.legacyTls = false;
  CHECK(failure(strict).code() == HttpError::Code::tls);  // also while a connection of the other stands
  o.tls.caPem = net::CertificateAuthority::create("other CA", clock.wall()).certificatePem();
  CHECK(failure(o).code() == HttpError::Code::tls);  // it is old, not anybody
}

TEST_CASE_METHOD(World, "a server with a short key and SHA-1 is refused, unless old TLS is taken", "[tls]") {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path());
  const auto file = folder.path() + "/server.pem";
  const auto runner = base::systemProcessRunner(runtime.executor, runtime.clock);
  const auto made = run(runner->run({.argv = {"sh", "-c",
                                              "cd " + folder.path() +
                                                  " && openssl req -x509 -newkey rsa:1024 -nodes -sha1 -subj /CN=old"
                                                  " -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem"
                                                  " && cat cert.pem key.pem > server.pem"},
                                     .deadline = 60s}));
  REQUIRE(made.exitCode == 0);
  const OldServer old(file, "-tls1_2");
  listen();
  auto o = options();
  o.baseUrl = "https://127.0.0.1:" + old.port;
  o.tls.caPem = base::readFile(folder.path() + "/cert.pem");
  CHECK(failure(o).code() == HttpError::Code::tls);
  o.tls.legacyTls = true;
  CHECK_FALSE(get(o).empty());
}
