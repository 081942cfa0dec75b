#include "kube/client/config.hpp"
#include "base/file.hpp"
#include "base/random.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;

namespace {

struct Folder {
  std::string path = std::filesystem::temp_directory_path() / ("ingot-kubeconfig-" + base::systemRandom()->uuid());
  Folder() { base::makeFolder(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string& name, std::string_view text) const {
    base::writeFileAtomically(path + "/" + name, text);
    return path + "/" + name;
  }
};

kube::Environment environment(std::map<std::string, std::string> values) {
  return [values = std::move(values)](std::string_view name) -> std::optional<std::string> {
    const auto it = values.find(std::string(name));
    return it == values.end() ? std::nullopt : std::optional(it->second);
  };
}

constexpr std::string_view kFirst = R"(
apiVersion: v1
kind: Config
current-context: one
clusters:
- name: c
  cluster: {server: "https://10.0.0.1:6443/", certificate-authority-data: UEVN, tls-server-name: api.example.com}
- name: files
  cluster: {server: "https://10.0.0.2:6443", certificate-authority: pki/ca.crt}
- name: open
  cluster: {server: "https://10.0.0.3:6443", insecure-skip-tls-verify: true}
users:
- name: u
  user: {client-certificate-data: Q0VSVA==, client-key-data: S0VZ}
- name: f
  user: {client-certificate: crt.pem, client-key: key.pem}
- name: t
  user: {token: abc}
- name: x
  user: {exec: {command: aws}}
contexts:
- {name: one, context: {cluster: c, user: u, namespace: metal3}}
- {name: two, context: {cluster: files, user: f}}
- {name: three, context: {cluster: open, user: t}}
- {name: plugin, context: {cluster: c, user: x}}
- {name: broken, context: {cluster: nowhere, user: t}}
)";

}  // namespace

TEST_CASE("a kubeconfig with everything inline", "[kube][config]") {
  const Folder folder;
  const auto c = kube::loadKubeconfig({.path = folder.write("config", kFirst)}, environment({}));
  CHECK(c.server == "https://10.0.0.1:6443");
  CHECK(c.tls.caPem == "PEM");
  CHECK(c.tls.certificatePem == "CERT");
  CHECK(c.tls.privateKeyPem.reveal() == "KEY");
  CHECK(c.tls.serverName == "api.example.com");
  CHECK(c.tls.verify);
  CHECK(c.namespace_ == "metal3");
}

TEST_CASE("files are named relative to the kubeconfig", "[kube][config]") {
  const Folder folder;
  folder.write("crt.pem", "C");
  folder.write("key.pem", "K");
  const auto c = kube::loadKubeconfig({.path = folder.write("config", kFirst), .context = "two"}, environment({}));
  CHECK(c.tls.caFile == folder.path + "/pki/ca.crt");
  CHECK(c.tls.certificatePem == "C");
  CHECK(c.namespace_ == "default");
}

TEST_CASE("a token, an unverified server, a namespace of one's own choice", "[kube][config]") {
  const Folder folder;
  const auto c = kube::loadKubeconfig({.path = folder.write("config", kFirst), .context = "three", .namespace_ = "n"},
                                      environment({}));
  CHECK(c.token.reveal() == "abc");
  CHECK_FALSE(c.tls.verify);
  CHECK(c.namespace_ == "n");
}

TEST_CASE("KUBECONFIG is a list: the first file that says something wins, missing ones do not matter",
          "[kube][config]") {
  const Folder folder;
  const auto first =
      folder.write("first", R"({"current-context": "three", "users": [{"name": "t", "user": {"token": "mine"}}]})");
  const auto second = folder.write("second", kFirst);
  const auto c = kube::loadKubeconfig({}, environment({{"KUBECONFIG", folder.path + "/none:" + first + ":" + second}}));
  CHECK(c.token.reveal() == "mine");
  CHECK(c.server == "https://10.0.0.3:6443");
}

TEST_CASE("an unusable kubeconfig says which file and why", "[kube][config]") {
  const Folder folder;
  const auto path = folder.write("config", kFirst);
  const auto problem = [&](kube::KubeconfigChoice choice) -> std::string {
    try {
      static_cast<void>(kube::loadKubeconfig(choice, environment({})));
    } catch (const base::Error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(problem({.path = path, .context = "nope"}) == path + ": there is no context named \"nope\"");
  CHECK(problem({.path = path, .context = "broken"}) == path + ": there is no cluster named \"nowhere\"");
  CHECK(problem({.path = path, .context = "plugin"}).find("exec and auth-provider are not supported") !=
        std::string::npos);
  CHECK(problem({.path = folder.path + "/none"}) == folder.path + "/none: there is no such file");
  CHECK(problem({.path = folder.write("bad", "clusters: 5")}).find("clusters: expected array") != std::string::npos);
  CHECK(problem({}) == "kubeconfig: none found: use --kubeconfig or set KUBECONFIG");
}

TEST_CASE("a server is reached through the kubeconfig's proxy, else the environment's", "[kube][config]") {
  const Folder folder;
  const auto proxyIn = [&](const std::string& cluster) {
    const auto path =
        folder.write("config", R"({"current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "k"}}],
        "clusters": [{"name": "k", "cluster": {"server": "https://api.example.com")" +
                                   cluster + "}}]}");
    return kube::loadKubeconfig({.path = path}, environment({{"HTTPS_PROXY", "http://usual:3128"}})).proxy.reveal();
  };
  CHECK(proxyIn("") == "http://usual:3128");
  CHECK(proxyIn(R"(, "proxy-url": "https://own")") == "https://own:443");
  CHECK_THROWS_WITH(proxyIn(R"(, "proxy-url": "gopher://own")"),
                    Catch::Contains("proxy-url is not the URL of an http, https or socks5 proxy"));
}

TEST_CASE("in a pod the service account is used", "[kube][config]") {
  const Folder folder;
  folder.write("token", "t");
  folder.write("ca.crt", "PEM");
  folder.write("namespace", "metal3");
  const auto env = environment({{"KUBERNETES_SERVICE_HOST", "fd00::1"}, {"KUBERNETES_SERVICE_PORT", "443"}});
  const auto c = kube::inClusterConfig(env, folder.path);
  REQUIRE(c);
  CHECK(c->server == "https://[fd00::1]:443");
  CHECK(c->tokenFile == folder.path + "/token");
  CHECK(c->tls.caFile == folder.path + "/ca.crt");
  CHECK(c->namespace_ == "metal3");
  CHECK_FALSE(kube::inClusterConfig(environment({}), folder.path));
}

TEST_CASE("a kubeconfig may act as somebody else: the server is told with every request", "[kube][config]") {
  const Folder folder;
  const auto path = folder.write("config", R"(
current-context: c
clusters: [{name: k, cluster: {server: "https://fake:6443"}}]
contexts: [{name: c, context: {cluster: k, user: u}}]
users:
- name: u
  user:
    token: abc
    as: jane
    as-uid: "17"
    as-groups: [viewers, staff]
    as-user-extra: {example.com/scopes: [view], reason: [drill, audit]}
)");
  tests::Cluster c;
  std::vector<std::string> impersonation;
  c.api.fault = [&](const net::ServerRequest& r) -> std::optional<tests::Fault> {
    for (const auto& [name, value] : r.headers.all())
      if (name.starts_with("Impersonate-")) impersonation.push_back(fmt::format("{}: {}", name, value));
    return std::nullopt;
  };
  const auto client = kube::connect(c.runtime, c.network, kube::loadKubeconfig({.path = path}, environment({})));
  CHECK_FALSE(c.run(client->get<tests::Widget>({"ns", "a"})));
  CHECK(impersonation ==
        std::vector<std::string>{"Impersonate-User: jane", "Impersonate-Uid: 17", "Impersonate-Group: viewers",
                                 "Impersonate-Group: staff", "Impersonate-Extra-example.com%2Fscopes: view",
                                 "Impersonate-Extra-reason: drill", "Impersonate-Extra-reason: audit"});
}

TEST_CASE("groups or a uid to act as need a user", "[kube][config]") {
  const auto also = GENERATE(R"("as-uid": "17")", R"("as-groups": ["g"])", R"("as-user-extra": {"a": ["b"]})");
  const Folder folder;
  const auto path = folder.write(
      "config",
      std::string(R"({"current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}],
        "clusters": [{"name": "k", "cluster": {"server": "https://api.example.com"}}],
        "users": [{"name": "u", "user": {)") +
          also + "}}]}");
  CHECK_THROWS_WITH(kube::loadKubeconfig({.path = path}, environment({})),
                    path + ": user \"u\": as-uid, as-groups and as-user-extra need a user in \"as\"");
}

TEST_CASE("whom to act as is one line: the next would be a header of its own", "[kube][config]") {
  const auto as = GENERATE(R"("as": "jane\nX-Evil: 1")", R"("as": "jane", "as-groups": ["a\r\nb"])",
                           R"("as": "jane", "as-user-extra": {"reason": ["drill\n"]})");
  const Folder folder;
  const auto path = folder.write(
      "config", std::string(
                    R"({"current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}],
        "clusters": [{"name": "k", "cluster": {"server": "https://api.example.com"}}],
        "users": [{"name": "u", "user": {)") +
                    as + "}}]}");
  CHECK_THROWS_WITH(kube::loadKubeconfig({.path = path}, environment({})),
                    path + ": user \"u\": whom to act as holds a line break or another control character");
}
