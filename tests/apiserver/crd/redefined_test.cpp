// A CRD that changes while requests about its objects are under way.
#include "tests/apiserver/crd/foos.hpp"

namespace ingot::apiserver::tests {

TEST_CASE("a request outlives the definition that it began with", "[apiserver][crd]") {
  Busy api(std::vector{kFooCrd});
  for (int turns = 0; turns < 60; ++turns) {
    const std::string path = "/spec/versions/0/schema/openAPIV3Schema/description";
    api.begin("PATCH", kFooPath, fmt::format(R"([{{"op":"add","path":"{}","value":"{}"}}])", path, turns), kJsonPatch);
    api.step(turns);
    api.begin("POST", kFoos, foo(fmt::format("f{}", turns)));
    api.begin("DELETE", kFoos + fmt::format("/f{}", turns - 1), "");
    api.settle();
  }
  CHECK(api.count(200) == 60 + 59);
  CHECK(api.count(201) == 60);
}

}  // namespace ingot::apiserver::tests
