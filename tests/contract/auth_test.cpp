#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

TEST_CASE("nobody gets nothing, a wrong token neither", "[T132]") {
  const Reply none = peer().send("GET", "/api/v1/namespaces", {}, {}, As::nobody);
  CHECK(none.status == 401);
  CHECK(none.at({"reason"}) == "Unauthorized");
  CHECK(none.message() == "Unauthorized");
  const Reply wrong = peer().send("GET", "/api/v1/namespaces", {}, {{"Authorization", "Bearer nonsense"}}, As::nobody);
  CHECK(wrong.status == 401);
}

TEST_CASE("reviews", "[T132][T135]") {
  const auto review = [](const std::string& group, const std::string& plural, const std::string& kind,
                         const std::string& spec) {
    return peer().post("/apis/" + group + "/v1/" + plural,
                       R"({"apiVersion":")" + group + R"(/v1","kind":")" + kind + R"(","spec":)" + spec + "}");
  };
  const Reply who = review("authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview", "{}");
  CHECK(who.status == 201);
  CHECK(json::serialize(*json::find(who.json(), {"status", "userInfo", "groups"})) ==
        R"(["system:masters","system:authenticated"])");
  const std::string attributes = R"({"resourceAttributes":{"verb":"get","resource":"pods"}})";
  CHECK(json::boolAt(
            review("authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview", attributes).json(),
            {"status", "allowed"}) == true);
  const auto may = [&](const std::string& subject) {
    return review("authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview",
                  "{" + subject + R"("resourceAttributes":{"verb":"delete","resource":"secrets"}})");
  };
  const Reply master = may(R"("user":"x","groups":["system:masters"],)");
  CHECK(master.status == 201);
  CHECK(json::boolAt(master.json(), {"status", "allowed"}) == true);
  CHECK(json::boolAt(may(R"("user":"x",)").json(), {"status", "allowed"}) == false);
  CHECK(json::boolAt(may(R"("user":"system:anonymous","groups":["system:unauthenticated"],)").json(),
                     {"status", "allowed"}) == false);
  CHECK(may("").status == 422);
  const Reply rules =
      review("authorization.k8s.io", "selfsubjectrulesreviews", "SelfSubjectRulesReview", R"({"namespace":"default"})");
  CHECK(rules.status == 201);
  CHECK(json::arrayAt(rules.json(), {"status", "resourceRules"}) != nullptr);
  const Reply token = review("authentication.k8s.io", "tokenreviews", "TokenReview", R"({"token":"nonsense"})");
  CHECK(token.status == 201);
  CHECK(json::find(token.json(), {"status", "authenticated"}) == nullptr);
}

TEST_CASE("without credentials there is nothing but whether the server lives and is ready", "[T014][T132]") {
  const auto asNobody = [](const std::string& path) { return peer().send("GET", path, {}, {}, As::nobody).status; };
  CHECK(asNobody("/livez") == 200);
  CHECK(asNobody("/readyz") == 200);
  for (const auto* path : {"/", "/healthz", "/readyz/etcd", "/version", "/api", "/apis", "/openapi/v3", "/metrics",
                           "/apis/metal3.io/v1alpha1/baremetalhosts", "/api/v1/secrets?watch=true"}) {
    CAPTURE(path);
    CHECK(asNobody(path) == 401);
  }
  CHECK(peer().send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"x"}})", {}, As::nobody).status == 401);
  CHECK(peer().send("DELETE", "/api/v1/namespaces/default", {}, {}, As::nobody).status == 401);
}
