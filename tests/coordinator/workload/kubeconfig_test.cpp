// What a kubeconfig out of a Secret may say, and what not.
#include "coordinator/workload/kubeconfig.hpp"
#include "tests/coordinator/workload/kubeconfigs.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

std::optional<std::string> noEnvironment(std::string_view) { return std::nullopt; }

kube::ClusterConfig readText(const std::string& text) {
  return coordinator::workload::readKubeconfig(base::Secret(text), noEnvironment);
}

std::string refusalOf(const std::string& text) {
  try {
    static_cast<void>(readText(text));
    return "";
  } catch (const base::InvalidInput& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("a kubeconfig says where the server is and whom to trust") {
  const auto config =
      readText(KubeconfigText{.cluster = "certificate-authority-data: " + base::toBase64("the CA")}.text());
  CHECK(config.server == "https://w1.test:6443");
  CHECK(config.tls.verify);
  CHECK(config.tls.caPem == "the CA");
  CHECK(config.tls.caFile.empty());
}

TEST_CASE("certificates, tokens, passwords and another name of the server are taken") {
  const auto config = readText(KubeconfigText{.cluster = "tls-server-name: api.w1.example"}.text());
  CHECK(config.token.reveal() == "open-sesame");
  CHECK(config.tls.serverName == "api.w1.example");

  const auto basic = readText(KubeconfigText{.user = "username: admin\n    password: hunter22"}.text());
  CHECK(basic.basicUser == "admin");
  CHECK(basic.basicPassword.reveal() == "hunter22");

  const auto certificate = readText(KubeconfigText{.user = "client-certificate-data: " + base::toBase64("cert") +
                                                           "\n    client-key-data: " + base::toBase64("key")}
                                        .text());
  CHECK(certificate.tls.certificatePem == "cert");
  CHECK(certificate.tls.privateKeyPem.reveal() == "key");
  CHECK_FALSE(certificate.certificateFiles.any());
}

TEST_CASE("verification is left away where the kubeconfig says so, and names no CA") {
  CHECK_FALSE(readText(KubeconfigText{.cluster = "insecure-skip-tls-verify: true"}.text()).tls.verify);
  CHECK(refusalOf(KubeconfigText{.cluster = "insecure-skip-tls-verify: true\n    certificate-authority-data: " +
                                            base::toBase64("ca")}
                      .text())
            .find("exclude each other") != std::string::npos);
}

TEST_CASE("what a kubeconfig may not ask for is refused by the name of the field, and its value not repeated") {
  struct Row {
    KubeconfigText kubeconfig;
    std::string_view names;
  };
  const Row rows[] = {
      {{.user = "exec: {apiVersion: client.authentication.k8s.io/v1, command: evil-thing}"}, "exec"},
      {{.user = "exec: {}"}, "exec"},
      {{.user = "exec: evil-thing"}, "exec"},
      {{.user = "auth-provider: {name: evil-thing}"}, "auth-provider"},
      {{.user = "client-certificate: /etc/evil-thing\n    client-key-data: a2V5"}, "client-certificate is"},
      {{.user = "client-key: /etc/evil-thing\n    client-certificate-data: Y2VydA=="}, "client-key is"},
      {{.user = "client-key: evil-thing"}, "client-key is"},
      {{.user = "tokenFile: /var/run/secrets/evil-thing"}, "tokenFile"},
      {{.user = "token: fine\n    tokenFile: /var/run/secrets/evil-thing"}, "tokenFile"},
      {{.user = "token: fine\n    as: evil-thing"}, "as is"},
      {{.user = "as-uid: evil-thing"}, "as-uid"},
      {{.user = "as-groups: [evil-thing]"}, "as-groups"},
      {{.user = "as-user-extra: {evil-thing: [a]}"}, "as-user-extra"},
      {{.cluster = "certificate-authority: /etc/evil-thing"}, "certificate-authority is"},
      {{.cluster = "proxy-url: http://evil-thing:3128"}, "proxy-url"},
      {{.cluster = "tls-server-name: evil-thing/x@y"}, "tls-server-name"},
      {{.server = "http://evil-thing:6443"}, "server"},
      {{.server = "https://evil-thing:secret@w1.test:6443"}, "server"},
      {{.server = "https://w1.test:6443/?evil-thing=1"}, "server"},
      {{.server = "file:///evil-thing"}, "server"},
      {{.server = "https://w1.test:6443/" + std::string(600, 'a') + "evil-thing"}, "server"},
      {{.server = "unix:/evil-thing"}, "server"},
      {{.server = "\"\""}, "server"},
      {{.user = "token: \"evil-thing\\r\\nX-Remote-User: root\""}, "token"},
      {{.user = "username: admin\n    password: \"evil-thing\\n\""}, "password"},
      {{.user = "token: evil-thing\n    username: admin"}, "token and username"},
      {{.user = "client-certificate-data: Y2VydA=="}, "client-key-data"},
      {{.user = "client-certificate-data: evil*thing\n    client-key-data: a2V5"}, "client-certificate-data"},
      {{.cluster = "certificate-authority-data: evil*thing"}, "certificate-authority-data"},
      {{.user = "token: [evil-thing]"}, "fields"},
      {{.user = "token: &a evil-thing\n    token: *a"}, "YAML"},
  };
  for (const auto& [kubeconfig, names] : rows) {
    const std::string refusal = refusalOf(kubeconfig.text());
    INFO(kubeconfig.text());
    INFO(refusal);
    CHECK(refusal.find(names) != std::string::npos);
    CHECK(refusal.find("evil") == std::string::npos);
  }
}

TEST_CASE("what is no kubeconfig is refused") {
  CHECK_FALSE(refusalOf("").empty());
  CHECK_FALSE(refusalOf("[]").empty());
  CHECK_FALSE(refusalOf("{}").empty());
  CHECK_FALSE(refusalOf("%").empty());
  CHECK_FALSE(refusalOf("current-context: a\ncontexts: [{name: a, context: {cluster: b}}]").empty());
  CHECK(refusalOf("# " + std::string(200'000, 'x') + "\n" + KubeconfigText{}.text()).find("too large") !=
        std::string::npos);
}

TEST_CASE("the process's own proxy holds for workload clusters too") {
  const kube::Environment environment = [](std::string_view name) -> std::optional<std::string> {
    return name == "HTTPS_PROXY" ? std::optional<std::string>("http://proxy.example:3128") : std::nullopt;
  };
  const auto config = coordinator::workload::readKubeconfig(base::Secret(KubeconfigText{}.text()), environment);
  CHECK(config.proxy.reveal() == "http://proxy.example:3128");
}

}  // namespace ingot::tests
