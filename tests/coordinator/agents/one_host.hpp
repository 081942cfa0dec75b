// A site of one host, "a".
#pragma once

#include "tests/coordinator/agents/site.hpp"

namespace ingot::tests {

struct OneHost : Site {
  using Site::Site;

  FakeRedfish& machine() { return bmc("10.0.0.1"); }
  void giveBack() { patchHost("a", R"({"spec":{"online":false,"image":null}})"); }
  bool becomes(const std::string& wanted, base::Duration limit = std::chrono::minutes(5)) {
    return until([&] { return state("a") == wanted; }, limit);
  }
  bool fails(const std::string& words, base::Duration limit = std::chrono::minutes(3)) {
    return until([&] { return host("a")->status.errorMessage.find(words) != std::string::npos; }, limit);
  }
  bool goes(base::Duration limit = std::chrono::minutes(10)) {  // once it was deleted
    return until([&] { return !loop.run(user().get<api::BareMetalHost>({"metal", "a"})); }, limit);
  }
};

}  // namespace ingot::tests
