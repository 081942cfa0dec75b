// What is said of a workload cluster that fails: always the same of the same failure, and nothing of others' words.
#include "coordinator/workload/failure.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using Code = kube::Error::Code;

std::string said(Code code, const std::string& text) {
  const kube::ClusterConfig config{.server = "https://w1.test:6443"};
  return coordinator::workload::unknownAfter({code, text}, config, "asked for its Nodes").text;
}

}  // namespace

TEST_CASE("a failed connection is told in the same words each time") {
  struct Row {
    Code code;
    std::string transport, words;
  };
  const std::string where = "GET /version: GET https://w1.test:6443/version: ";
  const Row rows[] = {
      {Code::unreachable,
       "is it running, and are address and port right? (Failed to connect to w1.test port 6443 after 3 ms: Couldn't "
       "connect to server)",
       "does not answer: no connection comes about"},
      {Code::unreachable,
       "is it running, and are address and port right? (Failed to connect to w1.test port 6443 after 4 ms: Couldn't "
       "connect to server)",
       "does not answer: no connection comes about"},
      {Code::unreachable, "is it running, and are address and port right? (Could not resolve host: w1.test)",
       "does not answer: its name cannot be resolved"},
      {Code::unreachable, "is it running, and are address and port right? (CONNECT tunnel failed, response 407)",
       "does not answer: the proxy makes no tunnel to it"},
      {Code::unreachable, "something new after 17 ms", "does not answer: there is no way to it"},
      {Code::interrupted, "no answer in time (Operation timed out after 10001 milliseconds with 0 bytes received)",
       "does not answer: no answer in time"},
      {Code::interrupted, "the server closed the connection before its whole answer (Recv failure: Connection reset)",
       "does not answer: the connection broke"},
      {Code::untrusted, "check the CA (SSL certificate problem: certificate has expired)",
       "is not trusted: its certificate has expired"},
      {Code::untrusted, "check the CA (SSL certificate problem: unable to get local issuer certificate)",
       "is not trusted: its certificate is not signed by the CA of the kubeconfig"},
      {Code::untrusted, "check the CA (SSL certificate problem: self-signed certificate in certificate chain)",
       "is not trusted: its certificate is not signed by the CA of the kubeconfig"},
      {Code::untrusted,
       "check the CA (SSL: certificate subject name 'open-sesame' does not match target host name 'w1.test')",
       "is not trusted: its certificate is for another name"},
      {Code::untrusted, "check the CA (open-sesame)", "is not trusted: TLS does not come about"},
  };
  for (const Row& row : rows) {
    INFO(row.transport);
    CHECK(said(row.code, where + row.transport) == "https://w1.test:6443 " + row.words);
  }
}

}  // namespace ingot::tests
