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
      {"https://u:a@b/c@h/x", "https://***@h/x"},
      {"redfish://root:2024#Winter@10.0.0.1/x", "redfish://***@10.0.0.1/x"},
      {"redfish://root:1/Secret@h, then", "redfish://***@h, then"},
      {"https://u:#pw@h", "https://***@h"},
      {R"(https://CORP\u:pw@h)", "https://***@h"},
      {R"({"url":"https://u:a\"b@h/x","mail":"c@d"})", R"({"url":"https://***@h/x","mail":"c@d"})"},
      {R"(url='https://u:a'b@h/x' n=1)", R"(url='https://***@h/x' n=1)"},
      {R"(parse "redfish://root:my pass@h": invalid)", R"(parse "redfish://***@h": invalid)"},
      {"oci://u:p@registry.example/image@sha256:00", "oci://***@registry.example/image@sha256:00"},
      {"http://10.0.0.1:80/a@b", "http://***@b"},  // or a password that begins with a number
      {"https://h/@user and https://h/x@y", "https://h/@user and https://h/x@y"},
      {R"({"url":"http://h:80/x","mail":"a@b"})", R"({"url":"http://h:80/x","mail":"a@b"})"},
      {R"({\"url\":\"http://h:80/x\",\"mail\":\"a@b\"})", R"({\"url\":\"http://h:80/x\",\"mail\":\"a@b\"})"},
      {"--ironic-password abc next", "--ironic-password *** next"},
      {R"(args=["--x-token","abc","-v"])", R"(args=["--x-token",***,"-v"])"},
      {R"(--x-token "a b" next)", "--x-token *** next"},
      {R"({\"token\":\"a\\b\",\"n\":1})", R"({\"token\":***,\"n\":1})"},
      {"secret=abc client_secret: abc private-key=abc next", "secret=*** client_secret: *** private-key=*** next"},
      {"secretName=s secretRef=r", "secretName=s secretRef=r"},
      {"WARN host: a Secret keeps its finalizer secretName=metal3/m0-bmc error=\"x\"",
       "WARN host: a Secret keeps its finalizer secretName=metal3/m0-bmc error=\"x\""},
      {R"("passwords": ["a b", "c"], "n": 1)", R"("passwords": ***, "n": 1)"},
      {R"("password":{"value":"abc"},"n":1)", R"("password":***,"n":1)"},
      {R"("password":{"value":"a}b\"c"},"n":1)", R"("password":***,"n":1)"},
      {R"({\"password\":{\"value\":\"a}b\\\"c\"},\"n\":1})", R"({\"password\":***,\"n\":1})"},
      {R"({"password":1234,"n":1})", R"({"password":***,"n":1})"},
      {R"({"msg":"login password=abc","n":1})", R"({"msg":"login password=***","n":1})"},
      {R"(msg="login password=abc" n=1)", R"(msg="login password=***" n=1)"},
      {R"({"name":"IRONIC_PASSWORD","value":"abc"},{"name":"A","value":"b"})",
       R"({"name":"IRONIC_PASSWORD","value":***},{"name":"A","value":"b"})"},
      {"password='it's mine' next", "password=*** next"},
      {"password={ab}cd next", "password=*** next"},
      {"password == abc next", "password == *** next"},
      {"secret_key=abc secretAccessKey=abc credentials=admin:abc next",
       "secret_key=*** secretAccessKey=*** credentials=*** next"},
      {"kernel_append_params=a=b c\nnext", "kernel_append_params=***\nnext"},
      {R"("kernel_append_params": "a=b c", "n": 1)", R"("kernel_append_params": ***, "n": 1)"},
      {"-v --x-password abc'def --y", "-v --x-password *** --y"},
      {"credentialsName=m0-bmc credentialsVersion=7", "credentialsName=m0-bmc credentialsVersion=7"},
      {"PASSWORD: 'a b' next", "PASSWORD: *** next"},
      {R"("password": "a\"b c", "n": 1)", R"("password": ***, "n": 1)"},
      {R"(said=\"{\\\"token\\\":\\\"x\\\"}\" n=1)", R"(said=\"{\\\"token\\\":***}\" n=1)"},
      {R"({\"token\":\"x y\",\"n\":1})", R"({\"token\":***,\"n\":1})"},
      {"Authorization: Basic dXNlcjpwYXNz", "Authorization: ***"},
      {"sent Bearer abcdefgh.ijkl to h", "sent Bearer *** to h"},
      {"the bearer of this", "the bearer of this"},
      {"X-Auth-Token: 1234\nnext", "X-Auth-Token: ***\nnext"},
      {"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nnext", "***\nnext"},
      {"cut -----BEGIN PRIVATE KEY-----\nMII", "cut ***"},
      {"-----BEGIN PGP PRIVATE KEY BLOCK-----\nMII\n-----END PGP PRIVATE KEY BLOCK-----\nnext", "***\nnext"},
      {"MIIEvgIBADANBgkqhkiG\n9w0BAQEFAASCBKgwggSk\nab==\n-----END PRIVATE KEY-----\nnext", "***\nnext"},
      {"INFO up n=1\n2026-01-31T10:00:00Z MIIEvgIBADANBgkqhkiG\r\n2026-01-31T10:00:00Z -----END EC PRIVATE "
       "KEY-----\nnext",
       "INFO up n=1\n***\nnext"},
      {R"(IBADANBgkqhkiG\nab\n-----END PRIVATE KEY-----\n" n=1)", R"(***\n" n=1)"},
      {"MIIEvgIBADANBgkqhkiG\n-----END CERTIFICATE-----\n", "MIIEvgIBADANBgkqhkiG\n-----END CERTIFICATE-----\n"},
      {"password=a\xff\xfe"
       "b next",
       "password=*** next"},
      {"passwordless host=metal3/token-1 secret=metal3/s", "passwordless host=metal3/token-1 secret=***"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(Redaction().text(row.text) == row.shown);
  }
}

TEST_CASE("no character of a password ends its URL", "[cli][bundle]") {
  for (const char odd : std::string_view("^|{}<>\\\"'`#?/@:!$&*()[],;%~")) {
    INFO(odd);
    CHECK(Redaction().text(std::string("at https://u:p") + odd + "q@h/x failed") == "at https://***@h/x failed");
  }
}

TEST_CASE("no character of a password ends it, behind whatever name", "[cli][bundle]") {
  for (const char odd : std::string_view("^|{}<>\\\"'`#?/@:!$&*()[],;%~=")) {
    INFO(odd);
    const std::string password = std::string("p") + odd + "q";
    for (const std::string name :
         {"password=", "passwd=", "passphrase: ", "pwd=", "--x-password=", "--x-password ",
          "api_key=", "private-key: ", "X-Auth-Token: ", "proxy-authorization=", "client_secret=", "secretAccessKey=",
          "credentials=", "kubeconfig=", "user_data=", "kernel-params=", "kernel_append_params=", "bmcTokens: "})
      CHECK(Redaction().text("at " + name + password + "\nnext") == "at " + name + "***\nnext");
    CHECK(Redaction().text("at password=" + password + " next") == "at password=*** next");
  }
}

TEST_CASE("an object keeps what is known to be harmless", "[cli][bundle]") {
  struct Row {
    std::string object, shown;
  };
  const Row rows[] = {
      {R"j({"spec":{"bmc":{"address":"u:p@10.0.0.1","credentialsName":"s"}}})j",
       R"j({"spec":{"bmc":{"address":"***@10.0.0.1","credentialsName":"s"}}})j"},
      {R"j({"spec":{"bmc":{"address":"redfish://root:1/Se cret@h/x","other":{"address":"10.0.0.1"}}}})j",
       R"j({"spec":{"bmc":{"address":"redfish://***@h/x","other":{"address":"10.0.0.1"}}}})j"},
      {R"j({"spec":{"secret":"a","api_key":true,"tokens":["a",1,{"name":"s","path":"p"}],"password":"","pwd":null}})j",
       R"j({"spec":{"secret":"***","api_key":"***","tokens":["***","***",{"name":"s","path":"p"}],"password":"","pwd":null}})j"},
      {R"j({"instance_info":{"kernel_append_params":"a=b"}})j",
       R"j({"instance_info":{"kernel_append_params":"***"}})j"},
      {R"j({"spec":{"secretName":"s","secretRef":"r","secret":{"secretName":"s"},"imagePullSecrets":[{"name":"s"}]},
            "status":{"initialization":{"bootstrapDataSecretCreated":true}}})j",
       R"j({"spec":{"secretName":"s","secretRef":"r","secret":{"secretName":"s"},"imagePullSecrets":[{"name":"s"}]},
            "status":{"initialization":{"bootstrapDataSecretCreated":true}}})j"},
      {R"j({"args":["--x-password","abc","--token-file","/f","-v"]})j",
       R"j({"args":["--x-password","***","--token-file","/f","-v"]})j"},
      {R"j({"httpHeaders":[{"name":"X-Auth-Token","value":"a"},{"name":"Host","value":"h"}]})j",
       R"j({"httpHeaders":[{"name":"X-Auth-Token","value":"***"},{"name":"Host","value":"h"}]})j"},
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
