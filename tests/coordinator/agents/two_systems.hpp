// One BMC with two systems: what it is asked of the second one, another double answers.
#pragma once

#include "tests/bmc/fake_redfish.hpp"

namespace ingot::tests {

class TwoSystems final : public net::HttpHandler {
 public:
  // Both outlive it.
  TwoSystems(FakeRedfish& first, FakeRedfish& second) : first_(first), second_(second) {
    first.documents["/redfish/v1/Systems"] =
        R"({"Members":[{"@odata.id":"/redfish/v1/Systems/1"},{"@odata.id":"/redfish/v1/Systems/2"}]})";
  }

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (!request.target.starts_with(theirs)) co_return co_await first_.handle(std::move(request), out);
    if (!first_.admits(request)) co_return co_await out.send({.status = 401});
    request.target.replace(0, theirs.size(), ours);
    request.headers.set("Authorization", "Basic YWRtaW46czNjcmV0");
    Renaming renamed(out);
    co_await second_.handle(std::move(request), renamed);
  }

 private:
  static constexpr std::string_view theirs = "/redfish/v1/Systems/2", ours = "/redfish/v1/Systems/1";

  struct Renaming final : net::Responder {
    explicit Renaming(net::Responder& of) : out(of) {}
    base::Task<void> send(net::HttpResponse response) override {
      auto& body = response.body;
      for (auto at = body.find(ours); at != std::string::npos; at = body.find(ours, at + 1))
        body.replace(at, ours.size(), theirs);
      return out.send(std::move(response));
    }
    base::Task<void> begin(int status, net::Headers headers) override { return out.begin(status, std::move(headers)); }
    base::Task<void> write(std::string chunk) override { return out.write(std::move(chunk)); }
    base::Task<void> end() override { return out.end(); }
    void abort() override { out.abort(); }
    net::Responder& out;
  };

  FakeRedfish& first_;
  FakeRedfish& second_;
};

}  // namespace ingot::tests
