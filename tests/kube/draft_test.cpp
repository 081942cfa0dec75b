#include "kube/runtime/draft.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using kube::Saved;
using tests::Cluster;
using tests::FakeStore;
using tests::Fault;
using tests::Widget;

namespace {

const FakeStore::Id kA{"widgets", "ns", "a"};

struct Drafting : Cluster {
  Drafting() { put("a", 1); }
  kube::Draft<Widget> draft() { return kube::Draft<Widget>(kube::decodeObject<Widget>(api.store.get(kA))); }
  Saved save(kube::Draft<Widget>& d) { return run(kube::save(*client, d)); }
  json::Value stored() { return api.store.get(kA); }
  std::size_t writes() { return api.count("PATCH") + api.count("PUT") + api.count("POST"); }
};

}  // namespace

TEST_CASE("a draft without edits writes nothing", "[kube][draft]") {
  Drafting d;
  auto draft = d.draft();
  CHECK(d.save(draft) == Saved::nothing);
  draft->spec.size = 2;
  draft->spec.size = 1;
  CHECK(d.save(draft) == Saved::nothing);
  CHECK(d.writes() == 0);
}

TEST_CASE("spec and status leave in one patch each, the second upon the first", "[kube][draft]") {
  Drafting d;
  auto draft = d.draft();
  draft->spec.size = 2;
  draft->metadata.labels["x"] = "y";
  draft->status.phase = "ready";
  CHECK(d.save(draft) == Saved::written);
  CHECK(d.writes() == 2);
  CHECK(json::intAt(d.stored(), {"spec", "size"}) == 2);
  CHECK(json::textAt(d.stored(), {"status", "phase"}) == "ready");
  CHECK(draft->metadata.resourceVersion == json::textAt(d.stored(), {"metadata", "resourceVersion"}));
  CHECK(d.save(draft) == Saved::nothing);
}

TEST_CASE("the first status brings all that the schema requires, though only one member was set", "[kube][draft]") {
  Drafting d;
  auto draft = d.draft();
  draft->status.phase = "new";
  d.save(draft);
  CHECK(json::serializeSorted(*json::find(d.stored(), {"status"})) == R"({"errors":0,"phase":"new"})");
  CHECK(d.writes() == 1);
}

TEST_CASE("a finalizer on an object without status writes no status", "[kube][draft]") {
  Drafting d;
  auto draft = d.draft();
  kube::addFinalizer(draft->metadata, "test.ingot.dev/x");
  d.save(draft);
  CHECK(d.writes() == 1);
  CHECK(json::find(d.stored(), {"status"}) == nullptr);
}

TEST_CASE("what our structs do not know survives, inside lists too", "[kube][draft]") {
  Drafting d;
  static_cast<void>(d.api.store.patch(kA, json::parse(R"({"spec":{"colour":"red","parts":[
      {"name":"p","weight":1,"vendor":{"id":7}},{"name":"q","weight":2}]}})"),
                                      false));
  auto draft = d.draft();
  draft->spec.parts[0].weight = 5;
  d.save(draft);
  CHECK(json::serializeSorted(*json::find(d.stored(), {"spec"})) ==
        R"({"colour":"red","parts":[{"name":"p","vendor":{"id":7},"weight":5},{"name":"q","weight":2}],"size":1})");
}

TEST_CASE("somebody else's write in between is a conflict, and is kept", "[kube][draft]") {
  const bool status = GENERATE(false, true);
  Drafting d;
  auto draft = d.draft();
  d.put("a", 7);
  if (status)
    draft->status.phase = "x";
  else
    draft->metadata.labels["x"] = "y";
  try {
    d.save(draft);
    FAIL("no conflict");
  } catch (const kube::Error& e) {
    CHECK(e.code() == kube::Error::Code::conflict);
  }
  CHECK(json::intAt(d.stored(), {"spec", "size"}) == 7);
}

TEST_CASE("a status that could not be saved is still in the draft", "[kube][draft]") {
  Drafting d;
  auto draft = d.draft();
  draft->spec.size = 2;
  draft->status.phase = "ready";
  d.api.fault = [](const net::ServerRequest& r) -> std::optional<Fault> {
    if (!r.target.ends_with("/status")) return std::nullopt;
    return Fault{.status = 500};
  };
  CHECK_THROWS_AS(d.save(draft), kube::Error);
  d.api.fault = {};
  CHECK(draft.changed());
  CHECK(d.save(draft) == Saved::written);
  CHECK(json::textAt(d.stored(), {"status", "phase"}) == "ready");
  CHECK(d.api.count("PATCH /apis/test.ingot.dev/v1/namespaces/ns/widgets/a/status") == 2);
}

TEST_CASE("after the last finalizer of a deleted object nothing more is written", "[kube][draft]") {
  Drafting d;
  auto draft = d.draft();
  kube::addFinalizer(draft->metadata, "f/x");
  d.save(draft);
  d.erase("a");
  draft = d.draft();
  CHECK(draft->metadata.beingDeleted());
  kube::removeFinalizer(draft->metadata, "f/x");
  draft->status.phase = "gone";
  CHECK(d.save(draft) == Saved::gone);
  CHECK(d.api.store.list("widgets", "").empty());
}

TEST_CASE("a draft of a cached object waits for its own write to come back", "[kube][draft]") {
  Drafting d;
  kube::Cache<Widget> cache(d.runtime, d.client->api());
  cache.start(d.tasks);
  d.run(cache.synced());
  d.api.holdWatches(true);
  kube::Draft<Widget> draft(cache.find({"ns", "a"}));
  draft->spec.size = 2;
  d.run(kube::save(*d.client, draft, &cache));
  CHECK_FALSE(cache.hasSeenOwnWrites({"ns", "a"}));
  d.api.holdWatches(false);
  d.settle();
  CHECK(cache.hasSeenOwnWrites({"ns", "a"}));
  d.run(d.tasks.close());
}

TEST_CASE("a patch is made of what differs as it would be of the whole", "[kube][draft]") {
  const char* document = GENERATE(
      R"({"metadata":{"name":"a","labels":{"l":"1"},"resourceVersion":"3"},"spec":{"size":1}})",
      R"({"metadata":{"name":"a","resourceVersion":"3"},"spec":{"size":1,"parts":[{"name":"p","weight":2,"new":true}]}})",
      R"({"metadata":{"name":"a"},"spec":{"size":1},"status":{"phase":"x"}})",
      R"({"metadata":{"name":"a"},"status":{"phase":"x","errors":2,"conditions":[{"type":"A","status":"True","new":1}]}})",
      R"({"metadata":{"name":"a","annotations":null},"spec":null,"status":{"errors":1,"extra":{"a":1}}})");
  const std::vector<std::function<void(Widget&)>> edits = {
      [](Widget& w) { w.spec.size = 7; },
      [](Widget& w) { w.spec.parts.push_back({.name = "q", .weight = 1}); },
      [](Widget& w) { w.spec = {}; },
      [](Widget& w) { w.metadata.labels["x"] = "y"; },
      [](Widget& w) { w.metadata.labels.clear(); },
      [](Widget& w) { w.metadata.finalizers = {"f"}; },
      [](Widget& w) { w.status.phase = "y"; },
      [](Widget& w) { w.status.errors = 0; },
      [](Widget& w) { w.status.conditions = {{.type = "A", .status = "False"}, {.type = "B", .status = "True"}}; },
      [](Widget& w) { w.status = {}; },
  };
  for (std::size_t some = 0; some < (1u << edits.size()); ++some) {
    kube::Draft<Widget> draft(kube::decodeObject<Widget>(json::parse(document)));
    for (std::size_t i = 0; i < edits.size(); ++i)
      if (some & (1u << i)) edits[i](*draft);
    const auto made = draft.patches();
    const auto whole = kube::planPatches({json::encode(draft.before()), json::encode(*draft)},
                                         draft.before().metadata.origin.document.get(), true);
    REQUIRE(json::serializeSorted(made.main) == json::serializeSorted(whole.main));
    REQUIRE(json::serializeSorted(made.status) == json::serializeSorted(whole.status));
  }
}
