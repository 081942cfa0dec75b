// What of texts and objects leaves in a support bundle, rule by rule.
#include "cli/bundle/redaction.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using ingot::cli::bundle::Redaction;

TEST_CASE("a text loses its passwords and keeps the rest", "[cli][bundle]") {
  struct Row {
    std::string text, shown;
  };
  const Row rows[] = {
      {"redfish://10.0.0.1:8000/redfish/v1/Systems/1", "redfish://10.0.0.1:8000/redfish/v1/Systems/1"},
      {"at https://u:p@h/x failed", "at https://***@h/x failed"},
      {"https://u:p@q@h/x", "https://***@h/x"},
      {"https://u:a/b?c@h/x", "https://***@h/x"},
      {"https://[fd00::1]:443/a@b", "https://[fd00::1]:443/a@b"},
      {"oci://registry.example:5000/image@sha256:00", "oci://registry.example:5000/image@sha256:00"},
      {R"({"url":"http://u:p@h/x?sig=1","n":2})", R"({"url":"http://***@h/x?***","n":2})"},
      {"GET http://h/x?a=1&b=2, then", "GET http://h/x?*** then"},
      {"password=abc next", "password=*** next"},
      {"--ironic-password abc", "--ironic-password abc"},
      {"PASSWORD: 'a b' next", "PASSWORD: *** next"},
      {R"("password": "a\"b c", "n": 1)", R"("password": ***, "n": 1)"},
      {R"(said=\"{\\\"token\\\":\\\"x\\\"}\" n=1)", R"(said=\"{\\\"token\\\":\\\"x\\\"}\" n=1)"},
      {R"({\"token\":\"x y\",\"n\":1})", R"({\"token\":***,\"n\":1})"},
      {"Authorization: Basic dXNlcjpwYXNz", "Authorization: ***"},
      {"sent Bearer abcdefgh.ijkl to h", "sent Bearer *** to h"},
      {"the bearer of this", "the bearer of this"},
      {"X-Auth-Token: 1234\nnext", "X-Auth-Token: ***\nnext"},
      {"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nnext", "***\nnext"},
      {"cut -----BEGIN PRIVATE KEY-----\nMII", "cut ***"},
      {"password=a\xff\xfe"
       "b next",
       "password=*** next"},
      {"passwordless host=metal3/token-1 secret=metal3/s", "passwordless host=metal3/token-1 secret=metal3/s"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(Redaction().text(row.text) == row.shown);
  }
}

TEST_CASE("an object keeps what is known to be harmless", "[cli][bundle]") {
  struct Row {
    std::string object, shown;
  };
  const Row rows[] = {
      {R"j({"spec":{"bmc":{"address":"u:p@10.0.0.1","credentialsName":"s"}}})j",
       R"j({"spec":{"bmc":{"address":"***@10.0.0.1","credentialsName":"s"}}})j"},
      {R"j({"spec":{"settings":{"AdminPassword":12345,"BootMode":"Uefi","PasswordRef":"r"}}})j",
       R"j({"spec":{"settings":{"AdminPassword":"***","BootMode":"Uefi","PasswordRef":"r"}}})j"},
      {R"j({"status":{"goodCredentials":{"credentials":{"name":"s"},"credentialsVersion":"7"}}})j",
       R"j({"status":{"goodCredentials":{"credentials":{"name":"s"},"credentialsVersion":"7"}}})j"},
      {R"j({"metadata":{"managedFields":[{"f:data":{}}],"annotations":{"reboot.metal3.io/x":"{}","notmetal3.io":"abc"}}})j",
       R"j({"metadata":{"annotations":{"reboot.metal3.io/x":"{}","notmetal3.io":"*** (3 bytes)"}}})j"},
      {R"j({"kind":"Secret","type":"t","metadata":{"name":"s","annotations":{"a":"b"},"labels":{"l":"m"}},
            "data":{"password":"YWJj","n":7}})j",
       R"j({"kind":"Secret","type":"t","metadata":{"name":"s","labels":{"l":"m"}},
            "data":{"password":"*** (3 bytes)","n":"*** (1 bytes)"}})j"},
      {R"j({"kind":"ConfigMap","data":{"a":"bc"},"binaryData":"odd"})j",
       R"j({"kind":"ConfigMap","data":{"a":"*** (2 bytes)"},"binaryData":"***"})j"},
      {R"j({"containers":[{"env":[{"name":"A","value":"b"},{"name":"B","valueFrom":{"secretKeyRef":{"name":"s"}}},
            {"name":"IRONIC_ENDPOINT","value":"http://u:p@h"}]}]})j",
       R"j({"containers":[{"env":[{"name":"A","value":"***"},{"name":"B","valueFrom":{"secretKeyRef":{"name":"s"}}},
            {"name":"IRONIC_ENDPOINT","value":"http://***@h"}]}]})j"},
      {R"j({"spec":{"topology":{"workers":[{"name":"w","variables":{"overrides":[{"name":"v","value":{"a":"b"}}]}}]}}})j",
       R"j({"spec":{"topology":{"workers":[{"name":"w","variables":{"overrides":[{"name":"v","value":"***"}]}}]}}})j"},
      {R"j("no object")j", "null"},
  };
  for (const Row& row : rows) {
    INFO(row.object);
    CHECK(json::serializeSorted(Redaction().object(json::parse(row.object))) ==
          json::serializeSorted(json::parse(row.shown)));
  }
}
