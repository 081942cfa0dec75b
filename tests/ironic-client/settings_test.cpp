#include "ironic-client/settings.hpp"

#include "base/error.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

ironic::Settings from(Variables variables) {
  variables.emplace("METAL3_AUTH_ROOT_DIR", "/nonexistent");
  return ironic::settingsFrom([variables](std::string_view name) -> std::optional<std::string> {
    const auto it = variables.find(name);
    return it == variables.end() ? std::nullopt : std::optional(it->second);
  });
}

std::string problemIn(Variables variables) {
  try {
    static_cast<void>(from(std::move(variables)));
    return "";
  } catch (const base::InvalidInput& error) {
    return error.what();
  }
}

class AuthFolder {
 public:
  AuthFolder(const std::string& user, const std::string& password)
      : path_(std::filesystem::temp_directory_path() / ("ingot-auth-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_ / "ironic");
    std::ofstream(path_ / "ironic/username") << user;
    std::ofstream(path_ / "ironic/password") << password;
  }
  ~AuthFolder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("Ironic is reached through the environment's proxy unless that excepts it") {
  const Variables both{
      {"IRONIC_ENDPOINT", "http://10.0.0.2:6385"}, {"HTTP_PROXY", "http://p:1"}, {"FORWARD_PROXY", "q:2"}};
  CHECK(from(both).proxy.reveal() == "http://p:1");
  CHECK(from({{"IRONIC_ENDPOINT", "http://10.0.0.2:6385"}, {"FORWARD_PROXY", "q:2"}}).proxy.reveal() == "http://q:2");
  CHECK(from({{"IRONIC_ENDPOINT", "http://10.0.0.2:6385"}, {"HTTP_PROXY", "p"}, {"NO_PROXY", "10.0.0.0/8"}})
            .proxy.empty());
  CHECK(from({{"IRONIC_ENDPOINT", "http://127.0.0.1:6385"}, {"HTTP_PROXY", "p"}}).proxy.empty());
  CHECK(problemIn({{"IRONIC_ENDPOINT", "http://10.0.0.2"}, {"FORWARD_PROXY", "ftp://q"}}) ==
        "FORWARD_PROXY: is not the URL of an http, https or socks5 proxy");
}

TEST_CASE("the endpoint is all that must be set") {
  const auto settings = from({{"IRONIC_ENDPOINT", "http://10.0.0.2:6385/v1/"}});
  CHECK(settings.endpoint == "http://10.0.0.2:6385/v1");
  CHECK(settings.timeout == 30s);
  CHECK(settings.cacheTtl == 5s);
  CHECK(settings.username.empty());
  CHECK_FALSE(settings.insecure);
}

TEST_CASE("what is wrong names its variable") {
  CHECK(problemIn({}) == "IRONIC_ENDPOINT: no IRONIC_ENDPOINT variable set");
  for (const char* text : {"0s", "-1s"})
    CHECK(problemIn({{"IRONIC_ENDPOINT", "http://i"}, {"IRONIC_CLIENT_TIMEOUT", text}}) ==
          "IRONIC_CLIENT_TIMEOUT: must be > 0");
  CHECK_THAT(problemIn({{"IRONIC_ENDPOINT", "http://i"}, {"IRONIC_CLIENT_TIMEOUT", "soon"}}),
             Catch::StartsWith("IRONIC_CLIENT_TIMEOUT: "));
}

TEST_CASE("flags are true in any case of letters") {
  CHECK(from({{"IRONIC_ENDPOINT", "http://i"}, {"IRONIC_INSECURE", "TRUE"}}).insecure);
  CHECK_FALSE(from({{"IRONIC_ENDPOINT", "http://i"}, {"IRONIC_INSECURE", "1"}}).insecure);
}

TEST_CASE("credentials come from files, trimmed") {
  const AuthFolder folder("admin\n", " secret \n");
  const auto settings = from({{"IRONIC_ENDPOINT", "http://i"}, {"METAL3_AUTH_ROOT_DIR", folder.path()}});
  CHECK(settings.username == "admin");
  CHECK(settings.password == base::Secret("secret"));
}

TEST_CASE("an empty folder of credentials is as good as none") {
  const AuthFolder folder("admin", "secret");
  for (const char* file : {"username", "password"}) std::filesystem::remove(folder.path() + "/ironic/" + file);
  CHECK(from({{"IRONIC_ENDPOINT", "http://i"}, {"METAL3_AUTH_ROOT_DIR", folder.path()}}).username.empty());
}

TEST_CASE("a password without a user name is refused at start") {
  const AuthFolder folder("admin", "secret");
  std::filesystem::remove(folder.path() + "/ironic/username");
  CHECK_THROWS_WITH(from({{"IRONIC_ENDPOINT", "http://i"}, {"METAL3_AUTH_ROOT_DIR", folder.path()}}),
                    Catch::Contains("username"));
}

TEST_CASE("an empty user name is refused at start") {
  const AuthFolder folder(" \n", "secret");
  CHECK_THAT(problemIn({{"IRONIC_ENDPOINT", "http://i"}, {"METAL3_AUTH_ROOT_DIR", folder.path()}}),
             Catch::EndsWith("empty HTTP Basic Auth username"));
}

TEST_CASE("durations are written as Go writes them") {
  CHECK(ironic::parseDuration("1m30s") == 90s);
  CHECK(ironic::parseDuration("500ms") == 500ms);
  CHECK(ironic::parseDuration("1.5h") == 90min);
  CHECK(ironic::parseDuration("0") == 0s);
  CHECK(ironic::parseDuration("-1s") == -1s);
  for (const char* text : {"", "5", "s", "5 s", "1d", "1m30"}) CHECK_FALSE(ironic::parseDuration(text));
}
