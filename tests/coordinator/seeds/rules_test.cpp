// The rules that every seed is held against find what they are there for.
#include "tests/coordinator/seeds/book.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests::seeds {
namespace {

constexpr const char* kRuns =
    R"(,"image":{"url":"u"},"metaData":{"name":"m1-metadata"},"networkData":{"name":"m1-network"})";

// Machine m1 on h1 with its data.
void bringIntoService(Book& book) {
  book.machine("m1");
  book.host("h1", "");
  book.host("h1", "m1");
  book.data("dt-0", 0, "m1");
  book.put("metal3dataclaims", "m1", R"({"status":{"renderedData":{"name":"dt-0"}}})");
  book.claimOf("dt-0-prov", "dt-0");
  book.address("prov-10", "10.0.0.10", "dt-0-prov");
  book.secret("m1-metadata", "dt-0", R"({"metaData":"YQ=="})");
  book.secret("m1-network", "dt-0", R"({"networkData":"YQ=="})");
  book.data("dt-0", 0, "m1", true);
  book.host("h1", "m1", "available", kRuns);
  book.host("h1", "m1", "provisioned", kRuns);
}

}  // namespace

TEST_CASE("a life as it should be breaks no rule", "[seeds]") {
  Book book;
  bringIntoService(book);
  book.host("h1", "m1", "deprovisioning");
  book.host("h1", "m1");
  book.host("h1", "");
  for (const auto* secret : {"m1-metadata", "m1-network"}) book.drop("secrets", secret);
  book.drop("ipaddresses", "prov-10");
  book.drop("metal3datas", "dt-0");
  book.drop("metal3dataclaims", "m1");
  book.drop("metal3machines", "m1");
  CHECK(book.rules.breaches().empty());
}

TEST_CASE("hosts that are shared, taken or let go in use are found", "[seeds]") {
  Book book;
  bringIntoService(book);
  SECTION("let go") {
    book.host("h1", "", "provisioned", kRuns);
    CHECK(book.broke("is let go by m1 while it is in use"));
  }
  SECTION("from one to another") {
    book.host("h1", "m1");
    book.machine("m2");
    book.host("h1", "m2");
    CHECK(book.broke("goes from m1 to m2"));
  }
  SECTION("a second one") {
    book.host("h2", "m1");
    CHECK(book.broke("is the second host of m1"));
  }
  SECTION("claimed in use") {
    book.machine("m2");
    book.host("h2", "", "deprovisioning");
    book.host("h2", "m2", "deprovisioning");
    CHECK(book.broke("is claimed by m2 while it is in use"));
  }
  SECTION("claimed for what nothing holds") {
    book.put("metal3machines", "m2", "{}");
    book.host("h2", "m2");
    CHECK(book.broke("which may go without letting it go"));
  }
  SECTION("its machine is gone") {
    book.drop("metal3machines", "m1");
    CHECK(book.broke("is gone and has a host"));
  }
  SECTION("told to run for nobody") {
    book.host("h2", "");
    book.host("h2", "", "available", R"(,"image":{"url":"u"})");
    CHECK(book.broke("is told what to run without a machine"));
  }
  SECTION("other data while it runs") {
    book.host("h1", "m1", "provisioned",
              R"(,"image":{"url":"u"},"metaData":{"name":"m1-network"},"networkData":{"name":"m1-network"})");
    CHECK(book.broke("has other metaData while it runs"));
  }
  SECTION("somebody else's data") {
    book.machine("m2");
    book.host("h2", "m2");
    book.host("h2", "m2", "available", kRuns);
    CHECK(book.rules.breaches().size() == 2);
  }
}

TEST_CASE("a host that is the rival's and is taken, or changed, is found", "[seeds]") {
  Book book;
  book.machine("m1");
  book.host("h1", "m1");
  book.host("h1", "rival");  // which minds nobody
  REQUIRE(book.rules.breaches().empty());
  SECTION("let go") {
    book.host("h1", "");
    book.host("h1", "m1");
    CHECK(book.rules.breaches().empty());
  }
  SECTION("taken") {
    book.host("h1", "m1");
    CHECK(book.broke("goes from rival to m1"));
  }
  SECTION("told what to run") {
    book.host("h1", "rival", "available", kRuns);
    CHECK_FALSE(book.rules.breaches().empty());
    CHECK_THAT(book.rules.breaches().front(), Catch::Contains("is changed while it is the rival's"));
  }
}

TEST_CASE("hosts boot without the Secrets that somebody has deleted, and without no others", "[seeds]") {
  Book book;
  bringIntoService(book);
  book.host("h1", "m1");
  book.drop("secrets", "m1-network");
  const bool isExcused = GENERATE(false, true);
  if (isExcused) book.rules.excuse("m1-network");
  book.host("h1", "m1", "available", kRuns);
  CHECK(book.rules.breaches().empty() == isExcused);
}

TEST_CASE("a host that may be moved before all that it has to take along is on it is found", "[seeds]") {
  Book book;
  const auto host = [&](const std::string& annotations, const std::string& state = "available") {
    book.put("baremetalhosts", "h1",
             fmt::format(R"({{"metadata":{{"annotations":{{{}}}}},)"
                         R"("status":{{"lastUpdated":"2026-01-01T00:00:00Z","provisioning":{{"state":"{}"}}}}}})",
                         annotations, state));
  };
  const std::string paused = R"("baremetalhost.metal3.io/paused":"ingot.dev/move")",
                    status = R"("baremetalhost.metal3.io/status":"{}")";
  book.put("clusters", "c0", "{}");
  host(R"("clusterctl.cluster.x-k8s.io/block-move":"ingot.dev/move")");
  SECTION("all is there") {
    host(paused + "," + status);
    CHECK(book.rules.breaches().empty());
  }
  SECTION("nobody looks after machines any more") {
    book.drop("clusters", "c0");
    host("");
    CHECK(book.rules.breaches().empty());
  }
  SECTION("it works") {
    host(status);
    CHECK(book.broke("may be moved while it is not paused"));
  }
  SECTION("it has no status yet") {
    book.put("baremetalhosts", "h1", fmt::format(R"({{"metadata":{{"annotations":{{{}}}}}}})", paused));
    CHECK(book.rules.breaches().empty());
  }
  SECTION("its status is lost") {
    host(paused);
    CHECK(book.broke("may be moved without its status"));
  }
  SECTION("something is being done to it") {
    host(paused + "," + status, "deprovisioning");
    CHECK(book.broke("may be moved while it is deprovisioning"));
  }
}

TEST_CASE("a Node that goes out of service while its host runs is found", "[seeds]") {
  Book book;
  bringIntoService(book);
  const auto power = [&](bool on) {
    book.put("baremetalhosts", "h1",
             fmt::format(R"({{"status":{{"poweredOn":{},"provisioning":{{"state":"provisioned"}}}}}})", on));
  };
  const json::Value in = json::parse("{}"),
                    out = json::parse(R"({"spec":{"taints":[{"key":"node.kubernetes.io/out-of-service"}]}})");
  Rules rules;
  const auto* after = GENERATE_REF(&out, static_cast<const json::Value*>(nullptr));
  power(false);
  rules.judgeNode(book.ledger, {"nodes", "node-h1", &in, after});
  CHECK(rules.breaches().empty());
  power(true);
  rules.judgeNode(book.ledger, {"nodes", "node-h1", &in, after});
  CHECK(rules.breaches().size() == 1);
}

TEST_CASE("addresses, indexes and Secrets that are used twice or too early are found", "[seeds]") {
  Book book;
  bringIntoService(book);
  SECTION("an address") {
    book.address("prov-11", "10.0.0.10", "other");
    CHECK(book.broke("is 10.0.0.10, as prov-10"));
  }
  SECTION("an address, by the claim of another kind") {
    book.put("capi ipaddresses", "prov-10",
             R"({"spec":{"address":"10.0.0.10","poolRef":{"name":"prov"},"claimRef":{"name":"other"}}})");
    CHECK(book.broke("is 10.0.0.10, as prov-10"));
  }
  SECTION("an address of another provider that is free too early") {
    book.put("ipaddressclaims", "dt-0-theirs",
             R"({"metadata":{"ownerReferences":[{"kind":"Metal3Data","name":"dt-0"}]}})");
    book.put("capi ipaddresses", "theirs-1",
             R"({"spec":{"address":"10.0.0.10","poolRef":{"name":"theirs"},"claimRef":{"name":"dt-0-theirs"}}})");
    CHECK(book.rules.breaches().empty());
    book.drop("capi ipaddresses", "theirs-1");
    CHECK(book.broke("is free while its machine may use it"));
  }
  SECTION("an address that is free too early") {
    book.drop("ipaddresses", "prov-10");
    CHECK(book.broke("is free while its machine may use it"));
  }
  SECTION("an address that becomes another") {
    book.address("prov-10", "10.0.0.11", "dt-0-prov");
    CHECK(book.broke("is another address"));
  }
  SECTION("an index") {
    book.data("dt-1", 0, "m2");
    CHECK(book.broke("has the index of another"));
  }
  SECTION("an index that becomes another") {
    book.data("dt-0", 3, "m1", true);
    CHECK(book.broke("has another index"));
  }
  SECTION("an index that is free too early") {
    book.drop("metal3datas", "dt-0");
    CHECK(book.broke("goes while its machine runs with it"));
  }
  SECTION("a claim that is gone too early") {
    book.drop("metal3dataclaims", "m1");
    CHECK(book.broke("goes while its machine runs with its data"));
  }
  SECTION("what was made twice may go") {
    book.data("dt-1", 1, "m1");
    book.claimOf("dt-1-prov", "dt-1");
    book.address("prov-11", "10.0.0.11", "dt-1-prov");
    book.drop("ipaddresses", "prov-11");
    book.drop("metal3datas", "dt-1");
    CHECK(book.rules.breaches().empty());
  }
  SECTION("a Secret written again") {
    book.secret("m1-metadata", "dt-0", R"({"metaData":"Yg=="})");
    CHECK(book.broke("is written a second time"));
  }
  SECTION("a Secret without content") {
    book.secret("m2-metadata", "dt-1", R"({})");
    CHECK(book.broke("holds nothing"));
  }
  SECTION("a Secret that is half-written") {
    book.secret("m2-metadata", "dt-1", R"({"metaData":""})");
    CHECK(book.broke("has no metaData"));
  }
  SECTION("data that are ready without") {
    book.data("dt-1", 1, "m2", true);
    CHECK(book.broke("is ready without its Secret m2-metadata"));
  }
  SECTION("a providerID") {
    book.put("metal3machines", "m2", R"({"spec":{"providerID":"a"}})");
    book.put("metal3machines", "m2", R"({"spec":{"providerID":"b"}})");
    CHECK(book.broke("was a and is b"));
  }
  SECTION("a providerID of two") {
    book.put("metal3machines", "m2", R"({"spec":{"providerID":"a"}})");
    book.put("metal3machines", "m3", R"({"spec":{"providerID":"a"}})");
    CHECK(book.broke("shares a"));
  }
}

}  // namespace ingot::tests::seeds
