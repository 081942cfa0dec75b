#include "apiserver/tls/identity.hpp"
#include "base/file.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <cstdlib>
#include <filesystem>

using namespace ingot;
using namespace ingot::apiserver;

namespace {

struct Folder {
  std::string path;
  Folder() {
    char name[] = "/tmp/ingot-identity-XXXXXX";
    path = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

const base::WallTime kNow = base::parseTime("2026-06-01T00:00:00Z").value();
constexpr base::Duration kDay = std::chrono::hours(24);

unsigned modeOf(const std::string& path) {
  struct stat info{};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  return info.st_mode & 0777;
}

}  // namespace

TEST_CASE("keys are made once and kept private", "[tls]") {
  Folder folder;
  const std::vector<std::string> names{"localhost", "127.0.0.1"};
  const Identity first = openIdentity(folder.path, names, kNow);
  const Identity second = openIdentity(folder.path, names, kNow + kDay);
  CHECK(first.caPem == second.caPem);
  CHECK(first.server.certificatePem == second.server.certificatePem);
  CHECK(first.admin.certificatePem == second.admin.certificatePem);
  for (const auto* file : {"/ca.key", "/server.key", "/admin.key"}) CHECK(modeOf(folder.path + file) == 0600);
  CHECK(net::subjectOf(first.admin.certificatePem).organizations == std::vector<std::string>{"system:masters"});
}

TEST_CASE("a certificate that runs out, or lacks a name, is renewed under the same authority", "[tls]") {
  Folder folder;
  const Identity first = openIdentity(folder.path, {"localhost"}, kNow);
  const Identity wider = openIdentity(folder.path, {"localhost", "10.0.0.5"}, kNow);
  CHECK(wider.server.certificatePem != first.server.certificatePem);
  const auto names = net::namesOf(wider.server.certificatePem);
  CHECK(std::find(names.begin(), names.end(), "10.0.0.5") != names.end());
  const Identity later = openIdentity(folder.path, {"localhost"}, kNow + 340 * kDay);
  CHECK(later.server.certificatePem != wider.server.certificatePem);
  CHECK(later.admin.certificatePem != first.admin.certificatePem);
  CHECK(later.caPem == first.caPem);
}

TEST_CASE("half an authority is refused: another one would void every certificate", "[tls]") {
  Folder folder;
  const Identity first = openIdentity(folder.path, {"localhost"}, kNow);
  const std::string lost = GENERATE("/ca.key", "/ca.crt");
  const std::string kept = base::readFile(folder.path + lost);
  std::filesystem::remove(folder.path + lost);
  CHECK_THROWS_WITH(openIdentity(folder.path, {"localhost"}, kNow),
                    Catch::StartsWith(folder.path + lost + " is missing: restore it; or remove the other half too, "));
  base::writeFileAtomically(folder.path + lost, kept, 0600);
  CHECK(openIdentity(folder.path, {"localhost"}, kNow).caPem == first.caPem);
}

TEST_CASE("with a new authority everything of the old one is issued again", "[tls]") {
  Folder folder;
  const Identity first = openIdentity(folder.path, {"localhost"}, kNow);
  for (const auto* file : {"/ca.key", "/ca.crt"}) std::filesystem::remove(folder.path + file);
  const Identity second = openIdentity(folder.path, {"localhost"}, kNow);
  CHECK(second.caPem != first.caPem);
  CHECK(net::isSignedBy(second.server.certificatePem, second.caPem));
  CHECK(net::isSignedBy(second.admin.certificatePem, second.caPem));
  CHECK_FALSE(net::isSignedBy(first.server.certificatePem, second.caPem));
}

TEST_CASE("a leaf that is damaged, or whose key is another's, is issued again", "[tls]") {
  Folder folder;
  const Identity first = openIdentity(folder.path, {"localhost"}, kNow);
  const bool damaged = GENERATE(true, false);
  if (damaged)
    base::writeFileAtomically(folder.path + "/server.crt", "not PEM", 0600);
  else
    base::writeFileAtomically(folder.path + "/server.key", base::readFile(folder.path + "/admin.key"), 0600);
  const Identity second = openIdentity(folder.path, {"localhost"}, kNow);
  CHECK(second.server.certificatePem != first.server.certificatePem);
  CHECK(net::fits(second.server));
  CHECK(second.admin.certificatePem == first.admin.certificatePem);
}

TEST_CASE("a kubeconfig names the server and carries the administrator's key", "[tls]") {
  const Identity identity = openIdentity("", {"localhost"}, kNow);
  const std::string text = kubeconfigText("https://127.0.0.1:6443", identity);
  CHECK(text.find("server: https://127.0.0.1:6443") != std::string::npos);
  CHECK(text.find("client-key-data: ") != std::string::npos);
}
