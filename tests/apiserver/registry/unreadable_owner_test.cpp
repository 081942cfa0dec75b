// An owner that no start could read was not deleted: what it owns stays (common-errors.md).
#include "tests/apiserver/registry/fixture.hpp"

namespace ingot::apiserver::tests {

namespace {

json::Value secretOf(const std::string& uid) {
  return {{"apiVersion", "v1"},
          {"kind", "Secret"},
          {"metadata",
           {{"name", "bmc"},
            {"ownerReferences",
             json::Array{
                 json::Object{{"apiVersion", "metal3.io/v1alpha1"}, {"kind", "Host"}, {"name", "h"}, {"uid", uid}}}}}}};
}

}  // namespace

TEST_CASE("a Secret whose owner cannot be read stays, also beside a new owner of that name", "[registry]") {
  Api api;
  const std::string uid = text(api.create("h"), {"metadata", "uid"});
  (void)api.run(api.registry->create(Api::core("secrets"), secretOf(uid)));
  const auto restart = [&] {
    api.halt();
    api.boot();
    api.settle();
  };
  api.halt();
  api.disk->bodies.at({"hosts.metal3.io", {"default", "h"}}) += "\xff";
  api.boot();
  api.settle();
  CHECK_FALSE(api.exists(Api::host("h")));
  CHECK(api.exists(Api::core("secrets", "bmc")));

  (void)api.create("h");
  restart();
  CHECK(api.exists(Api::core("secrets", "bmc")));

  (void)api.remove(Api::host("h"));
  restart();
  CHECK_FALSE(api.exists(Api::core("secrets", "bmc")));
}

}  // namespace ingot::apiserver::tests
