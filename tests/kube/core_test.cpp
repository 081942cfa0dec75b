#include "base/utf8.hpp"
#include "kube/core/error.hpp"
#include "kube/core/event.hpp"
#include "kube/core/lease.hpp"
#include "kube/core/names.hpp"
#include "kube/core/object_reference.hpp"
#include "kube/core/secret.hpp"
#include "kube/core/selectors.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

TEST_CASE("an answer's reason decides its code before its number does", "[kube][error]") {
  struct Row {
    int http;
    std::string body;
    kube::Error::Code code;
  };
  const Row rows[] = {
      {409, R"({"kind":"Status","reason":"AlreadyExists","code":409})", kube::Error::Code::alreadyExists},
      {409, R"({"kind":"Status","reason":"Conflict","code":409})", kube::Error::Code::conflict},
      {409, "", kube::Error::Code::conflict},
      {200, R"({"kind":"Status","reason":"Expired","code":410})", kube::Error::Code::gone},
      {410, "gone", kube::Error::Code::gone},
      {422, R"({"kind":"Status","reason":"Invalid"})", kube::Error::Code::invalid},
      {500, R"({"kind":"Status","reason":"ServerTimeout"})", kube::Error::Code::serverTimeout},
      {500, "oops", kube::Error::Code::internal},
      {503, "", kube::Error::Code::unavailable},
      {429, "Too many requests", kube::Error::Code::tooManyRequests},
      {302, "", kube::Error::Code::badAnswer},
  };
  for (const auto& row : rows) {
    CAPTURE(row.http, row.body);
    CHECK(kube::errorFrom(row.http, row.body, "", "getting x").code() == row.code);
  }
}

TEST_CASE("an error says what was being done and what the server said", "[kube][error]") {
  const auto e = kube::errorFrom(404, R"({"kind":"Status","message":"secrets \"x\" not found","code":404})", "",
                                 "reading Secret a/x");
  CHECK(std::string(e.what()) == R"(reading Secret a/x: secrets "x" not found)");
  const std::string cut = kube::errorFrom(502, std::string(199, 'x') + "\u96fb", "", "listing").what();
  CHECK(base::isUtf8(cut));  // a status that repeats it is refused otherwise
  CHECK(std::string(kube::errorFrom(502, "Bad gateway\nmore", "", "listing").what()) ==
        "listing: HTTP 502 Bad gateway");
}

TEST_CASE("Retry-After is read from the header, else from the Status", "[kube][error]") {
  const std::string body = R"({"kind":"Status","details":{"retryAfterSeconds":7}})";
  CHECK(kube::errorFrom(429, body, "3", "x").retryAfter() == std::chrono::seconds(3));
  CHECK(kube::errorFrom(429, body, "", "x").retryAfter() == std::chrono::seconds(7));
  CHECK_FALSE(kube::errorFrom(429, "", "soon", "x").retryAfter());
}

TEST_CASE("a Secret's values travel as base64 and never print", "[kube][secret]") {
  const auto secret = json::decode<kube::Secret>(json::parse(R"({"data":{"password":"c2VjcmV0"}})"));
  REQUIRE(secret.find("password"));
  CHECK(secret.find("password")->reveal() == "secret");
  CHECK(secret.find("username") == nullptr);
  CHECK(fmt::format("{}", *secret.find("password")) == "***");
  CHECK(json::serialize(json::encode(secret)) == R"({"data":{"password":"c2VjcmV0"}})");
  CHECK_THROWS_WITH(json::decode<kube::Secret>(json::parse(R"({"data":{"password":"%"}})")),
                    "data.password: not base64");
}

TEST_CASE("a released lease writes its empty holder, a new one its zero transitions", "[kube][lease]") {
  kube::Lease lease;
  lease.spec.holderIdentity = "";
  lease.spec.leaseTransitions = 0;
  lease.spec.renewTime = json::MicroTime{*base::parseTime("2026-01-01T00:00:00.123456Z")};
  CHECK(json::serializeSorted(json::encode(lease)) ==
        R"({"spec":{"holderIdentity":"","leaseTransitions":0,"renewTime":"2026-01-01T00:00:00.123456Z"}})");
}

TEST_CASE("label selectors match and spell themselves", "[kube][selectors]") {
  kube::LabelSelector selector{.matchLabels = {{"app", "x"}},
                               .matchExpressions = {{"zone", "In", {"a", "b"}}, {"old", "DoesNotExist", {}}}};
  CHECK(selector.text() == "app=x,zone in (a,b),!old");
  CHECK(selector.matches({{"app", "x"}, {"zone", "a"}}));
  CHECK_FALSE(selector.matches({{"app", "x"}, {"zone", "c"}}));
  CHECK_FALSE(selector.matches({{"app", "x"}, {"zone", "a"}, {"old", ""}}));
  CHECK(kube::LabelSelector{}.matches({}));
  selector.matchExpressions[0].operator_ = "Near";
  CHECK_THROWS_AS(selector.text(), kube::LabelError);
}

TEST_CASE("label queries are read as kubectl writes them", "[kube][selectors]") {
  const std::map<std::string, std::string> labels{{"k", "1"}, {"e", ""}, {"x.y/z", "a"}};
  const auto [query, expected] = GENERATE(table<std::string, bool>({
      {"", true},
      {"k", true},
      {"!k", false},
      {"k=1", true},
      {"k==2", false},
      {"k!=2", true},
      {"gone!=2", true},
      {"k in (1, 2)", true},
      {"k notin (1)", false},
      {"gone notin (1)", true},
      {"e in ()", true},
      {"e=", true},
      {"k>0,k<2", true},
      {"k>1", false},
      {"x.y/z = a , k", true},
      {"gone>1", false},
  }));
  INFO(query);
  CHECK(std::ranges::all_of(kube::parseLabelQuery(query), [&](const auto& term) { return term.holds(labels); }) ==
        expected);
}

TEST_CASE("label queries that make no sense are refused in upstream's words", "[kube][selectors]") {
  const auto [query, problem] = GENERATE(table<std::string, std::string>({
      {"a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
      {"a in b", "unable to parse requirement: found 'b', expected: '('"},
      {"a in (b", "unable to parse requirement: found '', expected: ',', or ')'"},
      {"=", "found '=', expected: !, identifier, or 'end of string'"},
      {"a,", "found '', expected: identifier after ','"},
      {"a)", "unable to parse requirement: found ')', expected: in, notin"},
      {"a in (b) c", "found 'c', expected: ',' or 'end of string'"},
      {"k>x",
       "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an "
       "integer"},
      {"k=-", "unable to parse requirement: values[0][k]: Invalid value: \"-\": a valid label must be"},
      {"-k", "unable to parse requirement: <nil>: Invalid value: \"-k\": name part must consist of"},
  }));
  INFO(query);
  CHECK_THROWS_WITH(kube::parseLabelQuery(query), Catch::StartsWith(problem));
}

TEST_CASE("all that is wrong with a requirement is told at once", "[kube][selectors]") {
  CHECK_THROWS_WITH(kube::labelTerm("a b", "near", {}),
                    Catch::StartsWith("[key: Invalid value: \"a b\": ") &&
                        Catch::Contains(", operator: Unsupported value: \"near\": supported values: \"in\", \"notin\", "
                                        "\"=\", \"==\", \"!=\", \"gt\", \"lt\", \"exists\", \"!\"]"));
  CHECK_THROWS_WITH(kube::labelTerm("a", "in", {}),
                    "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty");
}

TEST_CASE("an owner reference is added once and kept up to date", "[kube][owner]") {
  kube::ObjectMeta child;
  kube::ObjectMeta parent{.name = "p", .uid = "1"};
  CHECK(kube::setOwnerReference(child, kube::ownerReferenceTo(kube::Secret::info, parent, false)));
  CHECK_FALSE(kube::setOwnerReference(child, kube::ownerReferenceTo(kube::Secret::info, parent, false)));
  CHECK(kube::setOwnerReference(child, kube::ownerReferenceTo(kube::Secret::info, parent, true)));
  REQUIRE(child.ownerReferences.size() == 1);
  CHECK(child.ownerReferences[0].controller == true);
  CHECK(child.ownedBy("1"));
}

TEST_CASE("a qualified name tells all that is wrong with it, as upstream does", "[kube][names]") {
  const auto count = [](std::string_view key) { return kube::qualifiedNameProblems(key).size(); };
  CHECK(count("a.example/b") == 0);
  CHECK(count("a.example/") == 2);  // the empty name does not match either
  CHECK(count("/b") == 1);
  CHECK(count("/") == 3);
  CHECK(count("A_b/-") == 2);
  CHECK(count("a.example/-" + std::string(63, 'b')) == 2);
  CHECK(count("a/b/c") == 1);
  CHECK_THAT(kube::qualifiedNameProblem("a.example/").value(),
             Catch::StartsWith("name part must be non-empty; name part must consist of alphanumeric characters"));
  CHECK_FALSE(kube::qualifiedNameProblem("a.example/b"));
}
