#include "apiserver/http/negotiation.hpp"
#include "apiserver/http/route.hpp"
#include "apiserver/registry/status.hpp"

#include <catch2/catch.hpp>

using namespace ingot::apiserver;

TEST_CASE("the first acceptable form wins", "[http]") {
  using Form = Wanted::Form;
  CHECK(negotiate("", Answer::single).form == Form::object);
  CHECK(negotiate("application/json;as=Table;v=v9;g=meta.k8s.io,application/json", Answer::list).form == Form::object);
  CHECK(negotiate("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", Answer::list).form == Form::table);
  CHECK(negotiate("application/vnd.kubernetes.protobuf, */*", Answer::list).form == Form::object);
  CHECK(negotiate("application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/"
                  "json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
                  Answer::watch)
            .form == Form::partial);
  CHECK(negotiate("application/json;q=0.1,application/yaml", Answer::single).yaml);
  CHECK_THROWS_AS(negotiate("application/vnd.kubernetes.protobuf", Answer::single), ApiError);
  CHECK_THROWS_AS(negotiate("application/yaml", Answer::watch), ApiError);
}

TEST_CASE("paths", "[http]") {
  using To = Route::To;
  const Route object = routeOf("/apis/metal3.io/v1alpha1/namespaces/a%20b/baremetalhosts/h/status");
  CHECK(object.to == To::resource);
  CHECK(object.target.space == "a b");
  CHECK(object.target.name == "h");
  CHECK(object.target.subresource == "status");
  const Route space = routeOf("/api/v1/namespaces/x");
  CHECK(space.target.resource == "namespaces");
  CHECK(space.target.name == "x");
  CHECK_FALSE(space.namespaced);
  CHECK(routeOf("/api/v1/namespaces/x/status").target.subresource == "status");
  CHECK(routeOf("/api/v1/namespaces/x/finalize").target.resource == "namespaces");
  CHECK(routeOf("/api/v1/namespaces/x/secrets/").target.resource == "secrets");
  CHECK(routeOf("/apis/g/v/watch/namespaces/x/things").watch);
  CHECK(routeOf("/openapi/v3/apis/metal3.io/v1alpha1").detail == "apis/metal3.io/v1alpha1");
  CHECK(routeOf("/openapi/v2").to == To::nothing);
  CHECK(routeOf("/livez").to == To::health);
  CHECK(routeOf("/livez/etcd").to == To::nothing);
  CHECK(routeOf("/api//v1").to != To::groupVersion);
  CHECK(routeOf("/apis/g/v/a/b/c/d").to == To::nothing);
}
