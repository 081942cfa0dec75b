// Garbage collection, namespaces and expiry: what the server does by itself.
#include "tests/apiserver/registry/fixture.hpp"

namespace ingot::apiserver::tests {
namespace {

json::Value ownedBy(const std::string& name, const json::Value& owner, bool blocks = false) {
  auto body = Api::hostBody(name);
  body.at("metadata").get_object()["ownerReferences"] = json::Array{{{"apiVersion", "metal3.io/v1alpha1"},
                                                                     {"kind", "Host"},
                                                                     {"name", text(owner, {"metadata", "name"})},
                                                                     {"uid", text(owner, {"metadata", "uid"})},
                                                                     {"blockOwnerDeletion", blocks}}};
  return body;
}

json::Value createOwned(Api& api, const std::string& name, const json::Value& owner, bool blocks = false) {
  return Api::value(api.run(api.registry->create(Api::host(), ownedBy(name, owner, blocks))));
}

void hold(Api& api, const std::string& name) {
  api.merge(Api::host(name), {{"metadata", {{"finalizers", json::Array{"x.y/z"}}}}});
}
void release(Api& api, const std::string& name) {
  api.merge(Api::host(name), {{"metadata", {{"finalizers", nullptr}}}});
}

}  // namespace

TEST_CASE("dependents go after their owner", "[registry]") {
  Api api;
  const auto owner = api.create("owner");
  const auto child = createOwned(api, "child", owner);
  createOwned(api, "grandchild", child);
  api.remove(Api::host("owner"));
  api.settle();
  CHECK_FALSE(api.exists(Api::host("child")));
  CHECK_FALSE(api.exists(Api::host("grandchild")));
}

TEST_CASE("of two owners one may go", "[registry]") {
  Api api;
  const auto one = api.create("one"), two = api.create("two");
  auto body = ownedBy("child", one);
  const auto second = ownedBy("child", two);
  body.at("metadata")
      .at("ownerReferences")
      .get_array()
      .push_back(second.at("metadata").at("ownerReferences").get_array().front());
  api.run(api.registry->create(Api::host(), body));
  api.remove(Api::host("one"));
  api.settle();
  const auto child = api.get(Api::host("child"));
  const auto* left = json::arrayAt(child, {"metadata", "ownerReferences"});
  REQUIRE(left->size() == 1);
  CHECK(text(left->front(), {"name"}) == "two");
}

TEST_CASE("a child whose owner never existed goes, one of an unknown kind stays", "[registry]") {
  Api api;
  const auto never = json::Value{{"metadata", {{"name", "never"}, {"uid", "0"}}}};
  createOwned(api, "a", never);
  auto unknown = ownedBy("b", never);
  unknown.at("metadata").at("ownerReferences").get_array()[0].get_object()["kind"] = "Mystery";
  api.run(api.registry->create(Api::host(), unknown));
  api.settle();
  CHECK_FALSE(api.exists(Api::host("a")));
  CHECK(api.exists(Api::host("b")));
}

TEST_CASE("an owner in another namespace is none, and an Event says so", "[registry]") {
  Api api;
  api.createNamespace("other");
  auto elsewhere = Api::host();
  elsewhere.space = "other";
  const auto owner = Api::value(api.run(api.registry->create(elsewhere, Api::hostBody("owner"))));
  createOwned(api, "child", owner);
  api.settle();
  CHECK_FALSE(api.exists(Api::host("child")));
  const auto events = api.run(api.registry->list(Api::core("events"))).items;
  REQUIRE(events.size() == 1);
  CHECK(text(documentOf(*events[0]), {"message"}) ==
        fmt::format("ownerRef [metal3.io/v1alpha1/Host, namespace: default, name: owner, uid: {}] does not exist in "
                    "namespace \"default\"",
                    text(owner, {"metadata", "uid"})));
}

TEST_CASE("foreground: a blocking dependent holds the owner", "[registry]") {
  Api api;
  const auto owner = api.create("owner");
  createOwned(api, "blocking", owner, true);
  createOwned(api, "loose", owner, false);
  hold(api, "blocking");
  hold(api, "loose");
  const auto deleted = api.remove(Api::host("owner"), {.propagation = Propagation::foreground});
  CHECK_FALSE(deleted.gone);
  api.settle();
  CHECK(api.exists(Api::host("owner")));
  CHECK(api.get(Api::host("loose")).at("metadata").get_object().contains("deletionTimestamp"));
  release(api, "blocking");
  api.settle();
  CHECK_FALSE(api.exists(Api::host("owner")));
  CHECK(api.exists(Api::host("loose")));
}

TEST_CASE("orphan: dependents stay without the reference", "[registry]") {
  Api api;
  const auto owner = api.create("owner");
  createOwned(api, "child", owner);
  api.remove(Api::host("owner"), {.propagation = Propagation::orphan});
  api.settle();
  CHECK_FALSE(api.exists(Api::host("owner")));
  CHECK_FALSE(api.get(Api::host("child")).at("metadata").get_object().contains("ownerReferences"));
}

TEST_CASE("work that a stop interrupted is done after the next start", "[registry]") {
  Api api;
  const auto owner = api.create("owner");
  createOwned(api, "child", owner);
  api.halt();
  const auto at = std::find_if(api.disk->bodies.begin(), api.disk->bodies.end(),
                               [](const auto& entry) { return entry.first.second.name == "owner"; });
  api.disk->bodies.erase(at);
  api.boot();
  api.settle();
  CHECK_FALSE(api.exists(Api::host("child")));
}

TEST_CASE("a namespace is born Active, labelled and finalized", "[registry]") {
  Api api;
  const auto space = api.createNamespace("n");
  CHECK(text(space, {"status", "phase"}) == "Active");
  CHECK(text(space, {"metadata", "labels", "kubernetes.io/metadata.name"}) == "n");
  CHECK(json::serialize(*json::find(space, {"spec", "finalizers"})) == R"(["kubernetes"])");
  const auto kept = api.merge(Api::space("n"), {{"spec", {{"finalizers", json::Array{}}}},
                                                {"metadata", {{"labels", {{"kubernetes.io/metadata.name", "x"}}}}}});
  CHECK(version(kept) == version(space));
}

TEST_CASE("protected namespaces cannot be deleted", "[registry]") {
  Api api;
  const auto status = refusal([&] { api.remove(Api::space("kube-system")); });
  CHECK(status.code == 403);
  CHECK(status.message == "namespaces \"kube-system\" is forbidden: this namespace may not be deleted");
}

TEST_CASE("a namespace that is deleted empties, says what holds it, and goes", "[registry]") {
  Api api;
  api.createNamespace("n");
  auto inside = Api::host();
  inside.space = "n";
  auto held = Api::hostBody("held");
  held.at("metadata").get_object()["finalizers"] = json::Array{"x.y/z"};
  api.run(api.registry->create(inside, held));
  api.run(api.registry->create(inside, Api::hostBody("free")));
  const auto deleted = api.remove(Api::space("n"));
  CHECK_FALSE(deleted.gone);
  CHECK(text(documentOf(*deleted.object), {"status", "phase"}) == "Terminating");
  api.settle();

  const auto refused = refusal([&] { api.run(api.registry->create(inside, Api::hostBody("late"))); });
  CHECK(refused.code == 403);
  CHECK(refused.message ==
        "hosts.metal3.io \"late\" is forbidden: unable to create new content in namespace n because it is being "
        "terminated");
  CHECK(refused.details->causes.at(0) ==
        StatusCause{"NamespaceTerminating", "namespace n is being terminated", "metadata.namespace"});

  const auto waiting = api.get(Api::space("n"));
  const auto* conditions = json::arrayAt(waiting, {"status", "conditions"});
  REQUIRE(conditions);
  REQUIRE(conditions->size() == 5);
  CHECK(text((*conditions)[3], {"message"}) ==
        "Some resources are remaining: hosts.metal3.io has 1 resource instances");
  CHECK(text((*conditions)[4], {"message"}) ==
        "Some content in the namespace has finalizers remaining: x.y/z in 1 resource instances");

  inside.name = "held";
  api.merge(inside, {{"metadata", {{"finalizers", nullptr}}}});
  api.settle(std::chrono::seconds(6));
  CHECK_FALSE(api.exists(Api::space("n")));
}

TEST_CASE("a namespace that empties slowly tells what is left now and then, not at each change", "[registry]") {
  Api api;
  api.createNamespace("n");
  auto inside = Api::host("held");
  inside.space = "n";
  auto body = Api::hostBody("held");
  json::Array finalizers;
  for (int i = 0; i < 30; ++i) finalizers.push_back(json::Value(fmt::format("x.y/z{}", i)));
  body.at("metadata").get_object()["finalizers"] = finalizers;
  auto all = inside;
  all.name.clear();
  api.run(api.registry->create(all, body));
  api.remove(Api::space("n"));
  api.settle();

  std::size_t told = 0;
  api.registry->observe([&](const GroupResource& id, const ObjectPtr&, const ObjectPtr&) {
    if (id.resource == "namespaces") ++told;
  });
  while (finalizers.size() > 1) {
    finalizers.pop_back();
    api.merge(inside, {{"metadata", {{"finalizers", finalizers}}}});
    api.settle(std::chrono::milliseconds(200));
  }
  CHECK(told <= 2);
  api.settle(std::chrono::seconds(11));
  CHECK(text((*json::arrayAt(api.get(Api::space("n")), {"status", "conditions"}))[4], {"message"}) ==
        "Some content in the namespace has finalizers remaining: x.y/z0 in 1 resource instances");
  api.merge(inside, {{"metadata", {{"finalizers", nullptr}}}});
  api.settle(std::chrono::seconds(2));
  CHECK_FALSE(api.exists(Api::space("n")));
}

TEST_CASE("a namespace goes as soon as the disk lets it", "[registry]") {
  Api api;
  api.createNamespace("n");
  auto inside = Api::host();
  inside.space = "n";
  api.run(api.registry->create(inside, Api::hostBody("a")));
  bool first = true;  // the deletion itself is stored
  api.disk->beforeCommit = [&](std::span<const Change>) {
    if (!std::exchange(first, false)) throw JournalError(JournalError::Code::full, "no space");
  };
  api.remove(Api::space("n"));
  api.settle(std::chrono::seconds(20));
  CHECK(api.exists(Api::space("n")));
  api.disk->beforeCommit = nullptr;
  api.settle(std::chrono::seconds(10));
  CHECK_FALSE(api.exists(Api::space("n")));
}

TEST_CASE("events that could not go while the disk was full go afterwards", "[registry]") {
  Api api;
  for (int i = 0; i < 200; ++i)
    api.run(api.registry->create(Api::core("events"), {{"metadata", {{"name", fmt::format("e{}", i)}}},
                                                       {"involvedObject", {{"namespace", "default"}, {"name", "a"}}}}));
  api.disk->beforeCommit = [](std::span<const Change>) { throw JournalError(JournalError::Code::full, "no space"); };
  api.settle(std::chrono::minutes(61));
  CHECK(api.run(api.registry->list(Api::core("events"))).items.size() == 200);
  api.disk->beforeCommit = nullptr;
  api.settle(std::chrono::minutes(1));
  CHECK(api.run(api.registry->list(Api::core("events"))).items.empty());
}

TEST_CASE("events go an hour after their last write", "[registry]") {
  Api api;
  const auto create = [&](const char* name) {
    api.run(api.registry->create(Api::core("events"), {{"metadata", {{"name", name}}},
                                                       {"involvedObject", {{"namespace", "default"}, {"name", "a"}}}}));
  };
  create("old");
  create("renewed");
  api.settle(std::chrono::minutes(50));
  api.merge(Api::core("events", "renewed"), {{"count", 2}});
  api.settle(std::chrono::minutes(11));
  CHECK_FALSE(api.exists(Api::core("events", "old")));
  CHECK(api.exists(Api::core("events", "renewed")));

  SECTION("also over a restart") {
    api.halt();
    api.boot();
    api.settle(std::chrono::hours(1));
    CHECK_FALSE(api.exists(Api::core("events", "renewed")));
  }
}

TEST_CASE("the oldest events go before their time when together they take too much room", "[registry]") {
  Api api;
  api.halt();
  api.registryOptions.mostBytesPerExpiringKind = 10'000;
  api.boot();
  for (int i = 0; i < 20; ++i) {
    api.run(api.registry->create(Api::core("events"), {{"metadata", {{"name", fmt::format("e{:02}", i)}}},
                                                       {"message", std::string(700, 'x')},
                                                       {"involvedObject", {{"namespace", "default"}, {"name", "a"}}}}));
    for (int n = 0; n < 5; ++n) api.merge(Api::core("events", "e00"), {{"count", n}});  // the first is the last written
  }
  api.settle(std::chrono::milliseconds(1));  // with the writes themselves
  const auto left = api.run(api.registry->list(Api::core("events"))).items;
  std::size_t bytes = 0;
  for (const auto& event : left) bytes += event->body.size();
  CHECK(bytes <= 10'000);
  CHECK(bytes > 8'000);
  CHECK(api.exists(Api::core("events", "e00")));
  CHECK(api.exists(Api::core("events", "e19")));
  CHECK_FALSE(api.exists(Api::core("events", "e01")));
}

}  // namespace ingot::apiserver::tests
