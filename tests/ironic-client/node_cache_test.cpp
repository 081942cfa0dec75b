#include "ironic-client/node_cache.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using ironic::Node;
using ironic::NodeCache;

namespace {

Node node(std::string state, std::string stamp = "1") {
  Node out;
  out.uuid = "u";
  out.provisionState = json::Enum<ironic::State>(std::move(state));
  out.provisionUpdatedAt = std::move(stamp);
  return out;
}

struct Cache {
  std::vector<std::string> news;
  NodeCache nodes{[this](const std::string& uuid) { news.push_back(uuid); }};
  base::MonoTime now{std::chrono::hours(1)};

  void sweep(Node seen) { nodes.learnAll({std::move(seen)}, nodes.ask(), now); }
  void read(Node seen) { nodes.learn(std::move(seen), nodes.ask(), now); }
  // nullptr: nobody knows how it ended.
  void send(void (NodeCache::Change::*outcome)()) {
    NodeCache::Change change(nodes, "u");
    if (outcome != nullptr) (change.*outcome)();
  }
};

}  // namespace

TEST_CASE("a sweep that finds the record unchanged confirms it") {
  Cache cache;
  cache.read(node("manageable"));
  cache.now += std::chrono::minutes(1);
  CHECK_FALSE(cache.nodes.find("u", cache.now));
  cache.sweep(node("manageable"));
  CHECK(cache.nodes.find("u", cache.now));
  CHECK(cache.news.empty());
}

TEST_CASE("a record saved since is not believed, but is news only if it moved") {
  Cache cache;
  cache.read(node("manageable"));
  cache.sweep(node("manageable", "2"));
  CHECK_FALSE(cache.nodes.find("u", cache.now));
  CHECK(cache.news.empty());
  cache.sweep(node("inspecting", "3"));
  CHECK(cache.news.size() == 1);
}

TEST_CASE("an answer asked for before a change was sent is not believed") {
  Cache cache;
  cache.read(node("manageable"));
  const auto early = cache.nodes.ask();
  cache.send(&NodeCache::Change::accepted);
  cache.nodes.learnAll({node("manageable")}, early, cache.now);
  cache.nodes.learn(node("manageable"), early, cache.now);
  CHECK_FALSE(cache.nodes.find("u", cache.now));
  CHECK(cache.nodes.unsettled("u"));
  CHECK(cache.nodes.restless());

  cache.sweep(node("manageable"));
  CHECK_FALSE(cache.nodes.unsettled("u"));
  CHECK(cache.news.size() == 1);  // whoever sent the change waits for this
}

TEST_CASE("a released reservation is news, a taken one is not") {
  Cache cache;
  cache.sweep(node("active"));
  cache.news.clear();
  Node held = node("active", "2");
  held.reservation = "conductor";
  cache.sweep(held);
  CHECK(cache.news.empty());
  CHECK(cache.nodes.restless());
  cache.sweep(node("active", "3"));
  CHECK(cache.news.size() == 1);
}

TEST_CASE("a change that was refused is not news: nothing moved, and its sender waits for its own time") {
  Cache cache;
  cache.read(node("manageable"));
  cache.send(&NodeCache::Change::refused);
  CHECK_FALSE(cache.nodes.find("u", cache.now));  // perhaps it was decided on a record out of date
  CHECK_FALSE(cache.nodes.unsettled("u"));
  CHECK_FALSE(cache.nodes.restless());
  cache.sweep(node("manageable"));
  CHECK(cache.news.empty());
}

TEST_CASE("a change that nobody knows the end of is looked for, and is news only if the node moved") {
  Cache cache;
  cache.read(node("manageable"));
  cache.send(nullptr);
  CHECK(cache.nodes.unsettled("u"));
  CHECK(cache.nodes.restless());
  cache.sweep(node("manageable"));
  CHECK_FALSE(cache.nodes.unsettled("u"));
  CHECK(cache.news.empty());
  cache.send(nullptr);
  cache.sweep(node("inspecting", "2"));
  CHECK(cache.news.size() == 1);
}

TEST_CASE("while a change is on its way no answer settles the node") {
  Cache cache;
  cache.read(node("manageable"));
  {
    NodeCache::Change change(cache.nodes, "u");
    cache.sweep(node("manageable"));
    cache.read(node("manageable"));
    CHECK(cache.nodes.unsettled("u"));
    CHECK(cache.nodes.restless());
  }
  CHECK(cache.nodes.unsettled("u"));
  cache.sweep(node("manageable"));
  CHECK_FALSE(cache.nodes.unsettled("u"));
}

TEST_CASE("a record that a change was answered with is believed at once") {
  Cache cache;
  {
    NodeCache::Change change(cache.nodes, "u");
    cache.read(node("manageable"));
    change.answered();
  }
  CHECK(cache.nodes.find("u", cache.now));
  CHECK_FALSE(cache.nodes.unsettled("u"));
}
