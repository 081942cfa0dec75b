#include "sim/nodes/kubeconfig.hpp"

#include "base/file.hpp"
#include "sim/firstboot/error.hpp"
#include "sim/nodes/host.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;
using namespace ingot::sim::nodes;
using Catch::Contains;

namespace {

struct Folder : tests::TemporaryFolder {
  sim::kubelet::Access read(const std::string& cluster, const std::string& user, const std::string& current = "here") {
    base::writeFileAtomically(path("config"), "current-context: " + current +
                                                  "\ncontexts: [{name: here, context: {cluster: c, user: u}}]\n"
                                                  "clusters: [{name: c, cluster: {" +
                                                  cluster +
                                                  "}}]\n"
                                                  "users: [{name: u, user: {" +
                                                  user + "}}]\n");
    return readKubeconfig(path("config"));
  }
};

}  // namespace

TEST_CASE("a kubeconfig's data, files and tokens are read") {
  Folder folder;
  base::writeFileAtomically(folder.path("ca.crt"), "CA");
  base::writeFileAtomically(folder.path("token"), "abc\n");
  const auto data = folder.read("server: 'https://a:6443/', certificate-authority-data: Q0E=",
                                "client-certificate-data: Q0VSVA==, client-key-data: S0VZ");
  CHECK(data.serverUrl == "https://a:6443");
  CHECK(data.caPem == "CA");
  CHECK(data.verify);
  CHECK(data.client.certificatePem == "CERT");
  CHECK(data.client.privateKeyPem.reveal() == "KEY");
  CHECK(folder.read("server: x, certificate-authority: ca.crt", "token: abc").caPem == "CA");
  CHECK(folder.read("server: x", "tokenFile: token").token.reveal() == "abc");
  CHECK_FALSE(folder.read("server: x, insecure-skip-tls-verify: true", "token: abc").verify);
}

TEST_CASE("what a kubeconfig lacks is named") {
  Folder folder;
  CHECK_THROWS_WITH(folder.read("server: x", "token: a", "there"), Contains("no 'there' among its contexts"));
  CHECK_THROWS_WITH(folder.read("", "token: a"), Contains("the cluster has no server"));
  CHECK_THROWS_WITH(folder.read("server: x, certificate-authority-data: '%'", ""), Contains("is not base64"));
}

TEST_CASE("meta data of a Secret goes over what every host has") {
  const Host host{.ns = "metal", .name = "host-0", .uid = "u-1"};
  const auto drive = configDriveOf(host, "", "name: edge\nindex: 0\n", "");
  CHECK(json::serializeSorted(drive.metaData) ==
        R"({"index":0,"local-hostname":"host-0","local_hostname":"host-0","metal3-name":"host-0",)"
        R"("metal3-namespace":"metal","name":"edge","uuid":"u-1"})");
  CHECK(drive.networkData.is_null());
  CHECK_THROWS_WITH(configDriveOf(host, "", "- a", ""), Contains("the meta data is no mapping"));
  CHECK_THROWS_WITH(configDriveOf(host, "", "", "a: ["), Contains("the network data is not YAML"));
}

TEST_CASE("a Secret's value is at its key or at value") {
  const json::Value secret{{"data", {{"value", "dg=="}, {"userData", "dQ=="}, {"bad", "%"}}}};
  CHECK(secretText(secret, "userData") == "u");
  CHECK(secretText(secret, "metaData") == "v");
  CHECK_FALSE(secretText(json::Object{}, "metaData"));
  CHECK_THROWS_AS(secretText(secret, "bad"), sim::firstboot::BootError);
}
