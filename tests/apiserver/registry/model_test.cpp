// Random operations beside a simple model, and a watcher that rebuilds the collection from events alone: all three must
// agree, over restarts too.
#include "tests/apiserver/registry/fixture.hpp"

namespace ingot::apiserver::tests {
namespace {

struct Entry {
  int value = 0, state = 0, generation = 1;
  bool held = false, deleting = false;
};

class Player {
 public:
  explicit Player(std::uint64_t seed) : random_(base::seededRandom(seed)) { watch(); }

  void step() {
    const std::string name = fmt::format("h{}", random_->below(6));
    switch (random_->below(8)) {
      case 0: return create(name, false);
      case 1: return create(name, true);
      case 2: return setSpec(name);
      case 3: return setStatus(name);
      case 4: return remove(name);
      case 5: return release(name);
      case 6: return follow();
      default: return maybeRestart();
    }
  }

  void compare() {
    follow();
    const auto page = api_.run(api_.registry->list(Api::host()));
    REQUIRE(page.items.size() == model_.size());
    REQUIRE(mirror_.size() == model_.size());
    for (const auto& item : page.items) {
      const auto& expected = model_.at(item->key.name);
      const auto host = documentOf(*item);
      CHECK(number(host, {"spec", "value"}) == expected.value);
      CHECK(number(host, {"status", "state"}) == (expected.state ? expected.state : -1));
      CHECK(number(host, {"metadata", "generation"}) == expected.generation);
      CHECK(item->deleting == expected.deleting);
      CHECK(mirror_.at(item->key.name)->body.text() == item->body.text());
    }
  }

 private:
  void create(const std::string& name, bool held) {
    auto body = Api::hostBody(name, {{"value", 1}});
    if (held) body.at("metadata").get_object()["finalizers"] = json::Array{"x.y/z"};
    expect(!model_.contains(name), [&] { api_.run(api_.registry->create(Api::host(), body)); });
    model_.try_emplace(name, Entry{.value = 1, .held = held});
  }

  void setSpec(const std::string& name) {
    const int value = static_cast<int>(random_->below(3)) + 1;
    const auto at = model_.find(name);
    expect(at != model_.end(), [&] { api_.merge(Api::host(name), {{"spec", {{"value", value}}}}); });
    if (at == model_.end()) return;
    if (at->second.value != value) ++at->second.generation;
    at->second.value = value;
  }

  void setStatus(const std::string& name) {
    const int state = static_cast<int>(random_->below(3)) + 1;
    const auto at = model_.find(name);
    expect(at != model_.end(), [&] { api_.merge(Api::host(name, "status"), {{"status", {{"state", state}}}}); });
    if (at != model_.end()) at->second.state = state;
  }

  void remove(const std::string& name) {
    const auto at = model_.find(name);
    expect(at != model_.end(), [&] { api_.remove(Api::host(name)); });
    if (at == model_.end()) return;
    if (!at->second.held) {
      model_.erase(at);
    } else if (!std::exchange(at->second.deleting, true)) {
      ++at->second.generation;
    }
  }

  void release(const std::string& name) {
    const auto at = model_.find(name);
    expect(at != model_.end(), [&] { api_.merge(Api::host(name), {{"metadata", {{"finalizers", nullptr}}}}); });
    if (at == model_.end()) return;
    at->second.held = false;
    if (at->second.deleting) model_.erase(at);
  }

  void maybeRestart() {
    if (random_->below(4)) return;
    follow();
    watch_.reset();
    api_.halt();
    api_.boot();
    watch_ = api_.registry->watch(Api::host(), {.resourceVersion = std::to_string(followed_), .allowBookmarks = true});
  }

  void watch() {
    watch_ = api_.registry->watch(Api::host(),
                                  {.resourceVersion = std::to_string(api_.store->revision()), .allowBookmarks = true});
    followed_ = api_.store->revision();
  }

  // Reads events up to the present: a bookmark says that nothing is missing.
  void follow() {
    while (followed_ < api_.store->revision()) {
      for (const auto& event : api_.run(watch_->next())) {
        REQUIRE(event.type != WatchEvent::Type::error);
        REQUIRE(event.revision >= followed_);
        followed_ = event.revision;
        if (!event.object) continue;
        REQUIRE(event.object->revision == event.revision);
        if (event.type == WatchEvent::Type::deleted) {
          REQUIRE(mirror_.erase(event.object->key.name) == 1);
        } else {
          REQUIRE(mirror_.contains(event.object->key.name) == (event.type == WatchEvent::Type::modified));
          mirror_[event.object->key.name] = event.object;
        }
      }
    }
  }

  template <class Action>
  void expect(bool accepted, const Action& action) {
    try {
      action();
      CHECK(accepted);
    } catch (const ApiError& e) {
      INFO(e.what());
      CHECK_FALSE(accepted);
    }
  }

  std::unique_ptr<base::Random> random_;
  Api api_;
  std::map<std::string, Entry> model_;
  std::map<std::string, ObjectPtr> mirror_;
  std::unique_ptr<Watch> watch_;
  Revision followed_ = 0;
};

}  // namespace

TEST_CASE("random operations agree with a simple model and with a watcher", "[registry][property]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    Player player(seed);
    for (int i = 0; i < 200; ++i) player.step();
    player.compare();
  }
}

}  // namespace ingot::apiserver::tests
