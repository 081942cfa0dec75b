#include "kube/runtime/finalizer.hpp"
#include "tests/kube/servers/server.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using kube::Saved;
using tests::Session;
using tests::Widget;

namespace {

struct DraftingOnServer : Session {
  DraftingOnServer() { create("a", 1); }
  kube::Draft<Widget> draft() { return kube::Draft<Widget>(*stored("a")); }
  Saved save(kube::Draft<Widget>& d) { return run(kube::save(*client, d)); }
  kube::Error::Code refusal(kube::Draft<Widget>& d) {
    try {
      save(d);
    } catch (const kube::Error& e) {
      return e.code();
    }
    FAIL("it was saved");
    return {};
  }
  [[nodiscard]] std::size_t writes() const { return link.count("PATCH") + link.count("PUT") + link.count("POST"); }
};

}  // namespace

TEST_CASE("on every server: spec and status leave in one patch each, the second upon the first", "[runtime][draft]") {
  DraftingOnServer d;
  auto draft = d.draft();
  CHECK(d.save(draft) == Saved::nothing);
  draft->spec.size = 2;
  draft->metadata.labels["x"] = "y";
  draft->status.phase = "ready";
  CHECK(d.save(draft) == Saved::written);
  CHECK(d.writes() == 2);
  const auto stored = d.stored("a");
  CHECK(stored->spec.size == 2);
  CHECK(stored->metadata.labels.at("x") == "y");
  CHECK(stored->status.phase == "ready");
  CHECK(draft->metadata.resourceVersion == stored->metadata.resourceVersion);
  CHECK(d.save(draft) == Saved::nothing);
}

TEST_CASE("on every server: somebody else's write in between is a conflict, and is kept", "[runtime][draft]") {
  const bool status = GENERATE(false, true);
  DraftingOnServer d;
  auto draft = d.draft();
  d.resize("a", 7);
  if (status)
    draft->status.phase = "x";
  else
    draft->metadata.labels["x"] = "y";
  CHECK(d.refusal(draft) == kube::Error::Code::conflict);
  CHECK(draft.changed());
  CHECK(d.stored("a")->spec.size == 7);
  CHECK(d.stored("a")->status.phase.empty());
  CHECK_FALSE(d.stored("a")->metadata.labels.contains("x"));
}

TEST_CASE("on every server: what our structs do not know survives, inside lists too", "[runtime][draft]") {
  DraftingOnServer d;
  static_cast<void>(d.run(d.somebody->patch<Widget>(d.key("a"), json::parse(R"({"spec":{"colour":"red","parts":[
      {"name":"p","weight":1,"vendor":{"id":7}},{"name":"q","weight":2}]}})"))));
  auto draft = d.draft();
  draft->spec.parts[0].weight = 5;
  d.save(draft);
  const auto stored = d.stored("a");
  REQUIRE(stored->spec.parts.size() == 2);
  CHECK(stored->spec.parts[0].weight == 5);
  REQUIRE(stored->metadata.origin.document);
  const json::Value& document = *stored->metadata.origin.document;
  CHECK(json::textAt(document, {"spec", "colour"}) == "red");
  CHECK(json::intAt(document.at("spec").at("parts").at(0), {"vendor", "id"}) == 7);
}

TEST_CASE("on every server: an object stays until its last finalizer goes, then there is nothing to write to",
          "[runtime][draft]") {
  DraftingOnServer d;
  auto draft = d.draft();
  kube::addFinalizer(draft->metadata, "test.ingot.dev/x");
  d.save(draft);
  d.erase("a");
  draft = d.draft();
  CHECK(draft->metadata.beingDeleted());
  kube::removeFinalizer(draft->metadata, "test.ingot.dev/x");
  draft->status.phase = "gone";
  CHECK(d.save(draft) == Saved::gone);
  CHECK_FALSE(d.stored("a"));
}

TEST_CASE("on every server: a draft of an object that was made anew is not saved to the new one", "[runtime][draft]") {
  DraftingOnServer d;
  auto draft = d.draft();
  d.erase("a");
  d.create("a", 9);
  draft->spec.size = 2;
  CHECK(d.refusal(draft) == kube::Error::Code::conflict);
  CHECK(d.stored("a")->spec.size == 9);
}
