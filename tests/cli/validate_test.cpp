// ingotctl validate: what a server would refuse, with file, line, field, value and what would be right.
#include "tests/cli/world.hpp"

#include "cli/check/our_kinds.hpp"
#include "cli/check/structure.hpp"
#include "cli/run/offline.hpp"

using namespace ingot;
using namespace ingot::cli;
using namespace ingot::cli::tests;
using Catch::Contains;

namespace {

const std::string kDocs = std::string(INGOT_SOURCE_DIR) + "/docs/";

Shown validated(ValidateCommand command, const std::string& input = "") {
  MemoryTerminal terminal;
  terminal.input = input;
  const ExitCode code = validate(terminal, command);
  return {code, terminal.printed, terminal.notes, terminal.errors};
}

Shown ofInput(const std::string& input) { return validated({.files = {"-"}}, input); }

std::string object(const std::string& apiVersion, const std::string& kind, const std::string& rest) {
  return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: a, namespace: lab}\n" + rest;
}

std::string bareMetalHost(const std::string& spec) {
  return object("metal3.io/v1alpha1", "BareMetalHost", "spec:\n" + spec);
}

const std::string kCapm3 = "infrastructure.cluster.x-k8s.io/";

}  // namespace

TEST_CASE("the examples are valid", "[cli][validate]") {
  const Shown said = validated({.files = {kDocs + "examples", kDocs + "examples/cluster", kDocs + "examples/render",
                                          kDocs + "examples/convert"}});
  CHECK(said.errors.empty());
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.printed, Catch::StartsWith("valid: ") && Contains(" objects\n"));
  CHECK_THAT(said.notes, Contains("not judged: ") && Contains("of kinds that are not Ingot's"));
}

TEST_CASE("the guide shows what is said of the faulty example", "[cli][validate]") {
  const Shown said = validated({.files = {kDocs + "examples/validate"}});
  CHECK(said.code == ExitCode::failed);
  CHECK(said.printed.empty());
  const std::string guide = base::readFile(kDocs + "guide/validate.md");
  for (std::string_view rest = said.errors; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    CHECK_THAT(guide, Contains("error: " + std::string(line.substr(line.find("faulty.yaml"))) + "\n"));
  }
  CHECK_THAT(said.notes, Contains("4 of 4 objects would be refused"));
}

TEST_CASE("each breach of a schema is told by line and field, with what would be right", "[cli][validate]") {
  struct Row {
    std::string spec, error;
  };
  const Row rows[] = {
      {"  online: 'yes'\n", ":5: spec.online: \"yes\": must be true or false, without quotes"},
      {"  bmc: {address: \"\", credentialsName: s}\n", ":4: spec.online: is missing"},
      {"  onlin: true\n  online: true\n", ":5: spec.onlin: unknown field; did you mean online?"},
      {"  online: true\n  bootMode: uefi\n",
       ":6: spec.bootMode: \"uefi\": must be one of UEFI, UEFISecureBoot, legacy; did you mean UEFI?"},
      {"  online: true\n  bootMACAddress: 52-54\n",
       ":6: spec.bootMACAddress: \"52-54\": must be a MAC address, like \"52:54:00:12:34:56\""},
      {"  online: true\n  image: [a]\n", ":6: spec.image: [\"a\"]: must be an object"},
      {"  online: true\n  raid:\n    softwareRAIDVolumes:\n    - {level: '1', physicalDisks: [{deviceName: "
       "/dev/sda}]}\n",
       ":8: spec.raid.softwareRAIDVolumes[0].physicalDisks: must have at least 2 items, has 1"},
      {"  online: ~\n", ":5: spec.online: "},
      {"  online: true\n  networkInterfaces:\n  - {name: eth0}\n  - {macAddress: zz}\n",
       ":8: spec.networkInterfaces[1].macAddress: \"zz\": must be a MAC address"},
  };
  for (const Row& row : rows) {
    const Shown said = ofInput(bareMetalHost(row.spec));
    INFO(said.errors);
    CHECK(said.code == ExitCode::failed);
    CHECK_THAT(said.errors, Contains("standard input" + row.error));
  }
}

TEST_CASE("every kind's admission is asked", "[cli][validate]") {
  struct Row {
    std::string manifest, error;
  };
  const std::string pool = "spec:\n  pools:\n  - start: 192.0.2.50\n    end: 192.0.2.10\n";
  const Row rows[] = {
      {bareMetalHost("  online: true\n  bmc: {address: \"foo://x\", credentialsName: s}\n"), ":6: spec.bmc.address: "},
      {bareMetalHost("  online: true\n  userData: {name: u, namespace: other}\n"), ":6: spec.userData.namespace: "},
      {object("metal3.io/v1alpha1", "DataImage", "spec:\n  url: data.iso\n"), ":5: spec.url: URL \"data.iso\""},
      {object("metal3.io/v1alpha1", "HostFirmwareComponents",
              "spec:\n  updates:\n  - {component: bios, url: \"file\"}\n"),
       ": spec.updates: invalid URL \"file\""},
      {object("metal3.io/v1alpha1", "BMCEventSubscription", "spec: {hostName: h, destination: \"http://x\"}\n"),
       ":4: spec.destination: hostname-only destination must have a trailing slash"},
      {object("metal3.io/v1alpha1", "HostNetworkAttachment",
              "spec: {mode: access, allowedVLANs: [\"5\"], nativeVLAN: 5}\n"),
       "spec.allowedVLANs: allowedVLANs cannot be specified for access mode"},
      {object("metal3.io/v1alpha1", "HostClaim",
              "spec:\n  poweredOn: true\n  hostSelector:\n    matchExpressions:\n    - {key: k, operator: In, values: "
              "[v]}\n"),
       ":7: spec.hostSelector.matchExpressions: matchExpr 1: invalid operation In"},
      {object(kCapm3 + "v1beta2", "Metal3Cluster", "spec: {controlPlaneEndpoint: {port: 6443}}\n"),
       "spec.controlPlaneEndpoint"},
      {object(kCapm3 + "v1beta2", "Metal3ClusterTemplate",
              "spec: {template: {spec: {controlPlaneEndpoint: {port: 6443}}}}\n"),
       ":4: spec.template.spec.controlPlaneEndpoint"},
      {object(kCapm3 + "v1beta2", "Metal3Machine", "spec:\n  image:\n    url: http://x/i\n"),
       ":5: spec.image.checksum: Required value: cannot be empty"},
      {object(kCapm3 + "v1beta1", "Metal3Machine", "spec:\n  image:\n    url: \"::\"\n    checksum: abc\n"),
       ":6: spec.image.url: Invalid value: \"::\": not a valid URL"},
      {object(kCapm3 + "v1beta2", "Metal3MachineTemplate", "spec:\n  template:\n    spec: {}\n"),
       "spec.template.spec.image: Required value: either image or customDeploy is required"},
      {object(kCapm3 + "v1beta2", "Metal3DataTemplate",
              "spec:\n  metaData:\n    fromHostInterfaces:\n    - {key: k, fromBootMAC: true, interface: eth0}\n"),
       ":7: spec.metaData.fromHostInterfaces[0].interface: Invalid value: \"eth0\""},
      {object(kCapm3 + "v1beta2", "Metal3Data", "spec: {index: 3, template: {name: t}, claim: {name: c}}\n"),
       ":3: metadata.name: Invalid value: \"a\": should follow the convention"},
      {object(kCapm3 + "v1beta2", "Metal3DataClaim", "spec: {template: {name: t, namespace: other}}\n"),
       ":4: spec.template.namespace: Invalid value: \"other\""},
      {object(kCapm3 + "v1beta2", "Metal3Remediation", "spec: {strategy: {type: Wait, retryLimit: 1}}\n"),
       ":4: spec.strategy.type: "},
      {object(kCapm3 + "v1beta2", "Metal3RemediationTemplate",
              "spec: {template: {spec: {strategy: {type: Wait, retryLimit: 1}}}}\n"),
       "spec.template.spec.strategy.type: "},
      {object("ipam.metal3.io/v1alpha1", "IPPool", pool), ":6: spec.pools[0]: Invalid value: "},
      {object("ipam.metal3.io/v1alpha1", "IPClaim", "spec: {pool: {name: \"\"}}\n"), "spec.pool.name: "},
      {object("ipam.metal3.io/v1alpha1", "IPAddress",
              "spec: {pool: {name: p}, claim: {name: c}, address: \"192.0.2.300\"}\n"),
       "spec.address: \"192.0.2.300\": must be an IPv4 or IPv6 address, like 192.0.2.1"},
  };
  for (const Row& row : rows) {
    const Shown said = ofInput(row.manifest);
    INFO(row.manifest << said.errors);
    CHECK(said.code == ExitCode::failed);
    CHECK_THAT(said.errors, Contains(row.error));
  }
}

TEST_CASE("several errors of several objects come at once, each cause once", "[cli][validate]") {
  const Shown said = ofInput(bareMetalHost("  online: true\n  bootMACAddress: zz\n  bootMode: no\n") + "---\n" +
                             bareMetalHost("  online: 1\n"));
  CHECK(std::ranges::count(said.errors, '\n') == 3);
  CHECK_THAT(said.notes, Contains("2 of 2 objects would be refused") && Contains("a second BareMetalHost lab/a"));
}

TEST_CASE("a broken file does not hide the next one's problems", "[cli][validate]") {
  const auto folder = std::filesystem::temp_directory_path() / ("ingotctl-validate-" + std::to_string(getpid()));
  base::makeFolder(folder.string());
  base::writeFileAtomically((folder / "a.yaml").string(), "a: [\n");
  base::writeFileAtomically((folder / "b.yaml").string(), bareMetalHost("  online: 1\n"));
  const Shown said = validated({.files = {folder.string()}});
  std::filesystem::remove_all(folder);
  CHECK(said.code == ExitCode::failed);
  CHECK_THAT(said.errors, Contains("a.yaml:") && Contains("not YAML") && Contains("b.yaml:5: spec.online"));
}

TEST_CASE("metadata is judged: texts that YAML reads as something else, names that no server takes",
          "[cli][validate]") {
  struct Row {
    std::string metadata, error;
  };
  const Row rows[] = {
      {"{name: a, namespace: n}", ":3: metadata.namespace: false: must be a text; put it in quotes"},
      {"{name: a, labels: {rack: 7}}", ":3: metadata.labels.rack: 7: must be a text; put it in quotes"},
      {"{name: Node_1}", ":3: metadata.name: \"Node_1\": must be lower-case letters, digits, \"-\" and \".\""},
      {"{name: -a}", ":3: metadata.name: \"-a\": must be"},
      {"{name: a, labels: {rack/a/b: \"7\"}}", ":3: metadata.labels: \"rack/a/b\": a qualified name must"},
      {"{name: a, labels: {rack: a b}}", ":3: metadata.labels: \"a b\": a valid label must"},
      {"{name: a, annotations: {\"a b\": c}}", ":3: metadata.annotations: \"a b\": name part must"},
      {"{name: a, ownerReferences: [{kind: K, name: n, uid: u}]}", ":3: metadata.ownerReferences.apiVersion: \"\": "},
      {"{name: a, lables: {}}", ":3: metadata.lables: unknown field; did you mean labels?"},
      {"{name: " + std::string(254, 'a') + "}", "must have at most 253 characters, has 254"},
  };
  for (const Row& row : rows) {
    const Shown said = ofInput("apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: " + row.metadata +
                               "\nspec: {online: true}\n");
    INFO(said.errors);
    CHECK(said.code == ExitCode::failed);
    CHECK_THAT(said.errors, Contains(row.error));
  }
}

TEST_CASE("warnings refuse nothing", "[cli][validate]") {
  const Shown said = ofInput(object(kCapm3 + "v1beta2", "Metal3DataTemplate", "spec:\n  clusterName: c\n"));
  CHECK(said.code == ExitCode::done);
  CHECK(said.printed == "valid: 1 object\n");
  CHECK_THAT(said.notes, Catch::StartsWith("warning: standard input:5: spec.clusterName: ") && Contains("deprecated"));
}

TEST_CASE("kinds and versions that our groups do not have are errors, other groups are not ours", "[cli][validate]") {
  CHECK_THAT(ofInput(object("metal3.io/v1alpha1", "BareMetalHots", "")).errors,
             Contains(":2: kind: metal3.io has no kind BareMetalHots; did you mean BareMetalHost?"));
  CHECK_THAT(ofInput(object("metal3.io/v1", "BareMetalHost", "")).errors,
             Contains(":1: apiVersion: metal3.io/v1 has no BareMetalHost; write metal3.io/v1alpha1"));
  const Shown foreign = ofInput(object("example.org/v1", "BareMetalHost", ""));
  CHECK(foreign.code == ExitCode::done);
  CHECK(foreign.printed == "valid: 0 objects\n");
  CHECK_THROWS_WITH(ofInput(""), Contains("hold no object"));
}

TEST_CASE("Clusters and Machines are judged, what else Cluster API has is not", "[cli][validate]") {
  const Shown said =
      ofInput(object("cluster.x-k8s.io/v1beta2", "Machine", "spec: {clusterName: c, infrastructureRef: {kind: K}}\n"));
  CHECK_THAT(said.errors,
             Contains("spec.bootstrap: is missing") && Contains("spec.infrastructureRef.name: is missing"));
  CHECK_THAT(ofInput(object("cluster.x-k8s.io/v1beta2", "Cluster", "spec: {paused: true}\n")).errors,
             Contains("one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set"));
  const std::string reference = "{apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: Metal3Cluster, name: c}";
  CHECK(ofInput(object("cluster.x-k8s.io/v1beta1", "Cluster", "spec: {infrastructureRef: " + reference + "}\n")).code ==
        ExitCode::done);
  CHECK(ofInput(object("cluster.x-k8s.io/v1beta2", "MachineSet", "")).printed == "valid: 0 objects\n");
}

TEST_CASE("claims of Cluster API and their addresses are judged, but for the version that is not known",
          "[cli][validate]") {
  const std::string group = "ipam.cluster.x-k8s.io/";
  CHECK_THAT(ofInput(object(group + "v1beta2", "IPAddressClaim", "spec: {poolRef: {kind: IPPool, name: p}}\n")).errors,
             Contains("spec.poolRef.apiGroup: is missing"));
  const std::string address =
      "spec: {claimRef: {name: c}, poolRef: {kind: IPPool, name: p}, address: 10.0.0.5, prefix: 33}\n";
  for (const std::string version : {"v1beta1", "v1alpha1"}) {
    const Shown said = ofInput(object(group + version, "IPAddress", address));
    CHECK((said.code == ExitCode::done) == (version == "v1alpha1"));
    if (version == "v1beta1") CHECK_THAT(said.errors, Contains("prefix is too large for an IPv4 address"));
  }
}

TEST_CASE("an object without a namespace gets the one on the command line", "[cli][validate]") {
  const std::string manifest =
      "apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: a}\n"
      "spec: {online: true, userData: {name: u, namespace: metal3}}\n";
  CHECK(ofInput(manifest).code == ExitCode::failed);
  CHECK(validated({.files = {"-"}, .namespace_ = "metal3"}, manifest).code == ExitCode::done);
  const auto parsed = parseCommandLine({"validate", "-f", "x", "-n", "metal3"});
  CHECK(std::get<ValidateCommand>(parsed.invocation->command).namespace_ == "metal3");
}

TEST_CASE("fields are named as a document writes them", "[cli][validate]") {
  const OurKinds kinds;
  const Manifest machine{.object = json::Object{{"apiVersion", kCapm3 + "v1beta2"}, {"kind", "Metal3Machine"}}};
  const kube::Schema& schema = *kinds.find(machine)->schema;
  CHECK(fieldAsWritten(schema, "Spec.Image.URL") == "spec.image.url");
  CHECK(fieldAsWritten(schema, "spec.nothing.Like") == "spec.nothing.Like");
  CHECK(fieldAsWritten(schema, "name") == "metadata.name");
  CHECK(fieldAsWritten(schema, "").empty());
}

TEST_CASE("validate and a server agree on which hosts pass", "[cli][validate]") {
  const std::string specs[] = {
      "  online: true\n",
      "  online: 'yes'\n",
      "  onlin: true\n",
      "  online: true\n  unheard: of\n",
      "  online: true\n  description: ~\n",
      "  online: ~\n",
      "  online: true\n  bootMode: legacy\n",
      "  online: true\n  bootMode: bios\n",
      "  online: true\n  bootMACAddress: \"52:54:00:00:00:01\"\n",
      "  online: true\n  bootMACAddress: \"52:54:00\"\n",
      "  online: true\n  bmc: {address: \"redfish://192.0.2.1/redfish/v1/Systems/1\"}\n",
      "  online: true\n  bmc: {address: \"nfs://192.0.2.1\", credentialsName: s}\n",
      "  online: true\n  image: {url: \"http://x/i\", checksum: \"http://x/s\", checksumType: sha256}\n",
      "  online: true\n  image: {url: \"http://x/i\", checksum: \"http://x/s\", checksumType: sha1}\n",
      "  online: true\n  rootDeviceHints: {deviceName: sda}\n",
      "  online: true\n  rootDeviceHints: {minSizeGigabytes: -1}\n",
      "  online: true\n  taints: [{key: a, effect: NoSchedule}]\n",
      "  online: false\n  disablePowerOff: true\n",
  };
  World world;
  REQUIRE(world.run(
              {"apply", "-f", world.file("ns.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: lab}\n")}) == 0);
  for (const std::string& spec : specs) {
    const std::string manifest = bareMetalHost(spec);
    const Shown said = ofInput(manifest);
    INFO(manifest << said.errors);
    CHECK(world.run({"apply", "--dry-run", "-f", world.file("host.yaml", manifest)}) == static_cast<int>(said.code));
  }
}
