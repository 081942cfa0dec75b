// spec/baremetalhost.md §4.3.
#include "api/metal3/admission.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

std::string refusalOf(const api::Verdict& verdict) { return verdict.message(); }

std::string dataImage(std::string url) {
  api::DataImage image;
  image.spec.url = std::move(url);
  return refusalOf(admitCreate(image));
}

std::string destination(std::string text) {
  api::BMCEventSubscription events;
  events.spec.hostName = "host";
  events.spec.destination = std::move(text);
  return refusalOf(admitCreate(events));
}

api::HostNetworkAttachment attachment(std::string mode, std::vector<std::string> vlans) {
  api::HostNetworkAttachment out;
  out.spec.mode = std::move(mode);
  out.spec.nativeVLAN = 1;
  out.spec.allowedVLANs = std::move(vlans);
  return out;
}

}  // namespace

TEST_CASE("a data image comes by a URL that can be downloaded", "[admission]") {
  CHECK(dataImage("https://h/i.iso").empty());
  CHECK(dataImage("file:///i.iso") == R"(URL "file:///i.iso" is invalid: invalid scheme in URL, "file" not allowed)");
  CHECK(dataImage("i.iso") == R"(URL "i.iso" is invalid: parse "i.iso": invalid URI for request)");
  CHECK(dataImage("") == R"(URL "" is invalid: parse "": empty url)");
}

TEST_CASE("each firmware update names a URL that can be downloaded", "[admission]") {
  api::HostFirmwareComponents firmware;
  firmware.spec.updates = {{"bios", "https://h/bios.bin"}, {"bmc", "x"}, {"any", "file:///x"}};
  CHECK(
      admitCreate(firmware).errors ==
      std::vector<std::string>{
          R"(invalid URL "x" in FirmwareUpdate in component "bmc": parse "x": invalid URI for request)",
          R"(invalid URL "file:///x" in FirmwareUpdate in component "any": invalid scheme in URL, "file" not allowed)"});
  CHECK_FALSE(admitUpdate({}, firmware).allowed());
}

TEST_CASE("an event subscription needs a host and a destination with a path", "[admission]") {
  CHECK(destination("https://h/events").empty());
  CHECK(destination("https://h/").empty());
  CHECK(destination("https://h") == "hostname-only destination must have a trailing slash");
  CHECK(destination("") == "destination cannot be empty");
  CHECK(destination("h").starts_with("destination is invalid: "));
  CHECK(admitCreate(api::BMCEventSubscription{}).errors ==
        std::vector<std::string>{"hostName cannot be empty", "destination cannot be empty"});
}

TEST_CASE("headers of an event subscription are in its own namespace", "[admission]") {
  api::BMCEventSubscription events;
  events.metadata.namespace_ = "here";
  events.spec.hostName = "host";
  events.spec.destination = "https://h/";
  events.spec.httpHeadersRef = api::SecretReference{"s", "here"};
  CHECK(admitCreate(events).allowed());
  for (const auto* elsewhere : {"there", ""}) {
    events.spec.httpHeadersRef->namespace_ = elsewhere;
    CHECK(refusalOf(admitCreate(events)) ==
          "httpHeadersRef secret must be in the same namespace as the BMCEventSubscription");
  }
}

TEST_CASE("an event subscription is replaced, not changed", "[admission]") {
  api::BMCEventSubscription events;
  auto labelled = events;
  labelled.metadata.labels["a"] = "b";
  CHECK(admitUpdate(events, labelled).allowed());
  auto changed = events;
  changed.spec.context = "c";
  CHECK(refusalOf(admitUpdate(events, changed)) == "subscriptions cannot be updated, please recreate it");
}

TEST_CASE("a network attachment allows VLANs only where frames are tagged", "[admission]") {
  CHECK(admitCreate(attachment("access", {})).allowed());
  CHECK(admitCreate(attachment("trunk", {"1", "4094", "20-30"})).allowed());
  CHECK(refusalOf(admitCreate(attachment("access", {"20"}))) == "allowedVLANs cannot be specified for access mode");
  for (const auto* wrong : {"0", "4095", "30-20", "20-20", "20-", "-20", "a", "", "1-2-3", "99999999999"}) {
    INFO(wrong);
    CHECK_FALSE(admitCreate(attachment("trunk", {wrong})).allowed());
  }
}

TEST_CASE("a network attachment in use stays as it is", "[admission]") {
  const auto before = attachment("trunk", {"20"}), after = attachment("trunk", {"30"});
  CHECK(admitUpdate(before, after, {}).allowed());
  CHECK(admitUpdate(before, before, {"ns/host[eth0]"}).allowed());
  CHECK(refusalOf(admitUpdate(before, after, {"ns/host[eth0]", "ns/other[eth1]"})) ==
        "HostNetworkAttachment spec is immutable while referenced by BMH interfaces: ns/host[eth0], ns/other[eth1]");
  CHECK(refusalOf(admitUpdate(before, attachment("access", {"30"}), {"ns/host[eth0]"})) ==
        "allowedVLANs cannot be specified for access mode");
}

TEST_CASE("a host claim is judged like the host that it asks for", "[admission]") {
  api::HostClaim claim{.metadata = {.name = "c", .namespace_ = "team"}};
  claim.spec.hostSelector.matchLabels = {{"rack", "r1"}};
  claim.spec.image = api::Image{.url = "http://h/i.qcow2", .checksum = "http://h/sums"};
  claim.spec.userData = {.name = "u"};
  CHECK(refusalOf(admitCreate(claim)).empty());

  claim.spec.userData = {.name = "u", .namespace_ = "other"};
  CHECK(refusalOf(admitCreate(claim)) ==
        R"(hostclaims.metal3.io "c" is forbidden: userData: cross-namespace Secret references are not allowed)");
  claim.spec.userData.reset();
  claim.metadata.annotations = {{"reboot.metal3.io/now", R"({"mode":"cold"})"}};
  CHECK(refusalOf(admitUpdate({}, claim)) ==
        R"(invalid mode in the reboot.metal3.io annotation, allowed are "hard", "soft" or "")");
  claim.metadata.annotations.clear();
  claim.spec.image->url = "file:///i";
  CHECK(refusalOf(admitCreate(claim)) ==
        R"(image URL file:///i is invalid: invalid scheme in URL, "file" not allowed)");
  claim.spec.image.reset();
  claim.spec.hostSelector.matchLabels = {{"a b", "c d"}};
  CHECK(admitCreate(claim).errors.size() == 2);
  CHECK(admitCreate(claim).errors.front().starts_with("a b=c d: name part must consist of"));
}

TEST_CASE("requirements of a host claim: operators as they are written, each with its number of values",
          "[admission]") {
  using Values = std::vector<std::string>;
  const auto [key, how, values, problem] = GENERATE(table<std::string, std::string, Values, std::string>({
      {"k", "=", {"v"}, ""},
      {"k", "==", {""}, ""},
      {"k", "notin", {"v", "w"}, ""},
      {"k", "exists", {}, ""},
      {"k", "!", {}, ""},
      {"k", "!=", {}, "matchExpr 1: exactly one value for operator != in match expression on label key k"},
      {"k", "in", {}, "matchExpr 1: At least one value in list for operator in in match expression on label key k"},
      {"k", "!", {"v"}, "matchExpr 1: values not authorized for operator ! in match expression on label key k"},
      {"k", "In", {"v"}, "matchExpr 1: invalid operation In in match expression on label key k"},
      {"k", "gt", {"1"}, "matchExpr 1: invalid operation gt in match expression on label key k"},
      {"k", "in", {"v", "not ok"}, R"(matchExpr 1 (value "not ok"): a valid label must be an empty string)"},
      {"bad key", "exists", {}, "matchExpr 1: name part must consist of alphanumeric characters"},
  }));
  INFO(key << " " << how);
  api::HostClaim claim;
  claim.spec.hostSelector.matchExpressions = {{key, how, values}};
  const std::string said = refusalOf(admitCreate(claim));
  CHECK((problem.empty() ? said.empty() : said.starts_with(problem)));
}
