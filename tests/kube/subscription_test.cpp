#include "kube/runtime/subscription.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace ingot;

namespace {

struct Heard {
  kube::Listeners<int> listeners;
  std::vector<std::string> told;

  kube::Subscription listen(std::string name) {
    return listeners.add([this, name = std::move(name)](int event) { told.push_back(name + std::to_string(event)); });
  }
};

}  // namespace

TEST_CASE("a listener is told for as long as its subscription lives", "[kube][subscription]") {
  Heard heard;
  const auto a = heard.listen("a");
  {
    const auto b = heard.listen("b");
    heard.listeners.tell(1);
  }
  heard.listeners.tell(2);
  CHECK(heard.told == std::vector<std::string>{"a1", "b1", "a2"});
  CHECK(heard.listeners.size() == 1);
}

TEST_CASE("a subscription that is moved goes on, one that is replaced ends", "[kube][subscription]") {
  Heard heard;
  auto a = heard.listen("a");
  kube::Subscription moved = std::move(a);
  heard.listeners.tell(1);
  moved = heard.listen("b");
  heard.listeners.tell(2);
  CHECK(heard.told == std::vector<std::string>{"a1", "b2"});
}

TEST_CASE("a listener may end its own subscription and those of others while it is told", "[kube][subscription]") {
  Heard heard;
  kube::Subscription first, second;
  first = heard.listeners.add([&](int) {
    heard.told.emplace_back("first");
    first.end();
    second.end();
  });
  second = heard.listen("second");
  const auto third = heard.listen("third");
  heard.listeners.tell(1);
  heard.listeners.tell(2);
  CHECK(heard.told == std::vector<std::string>{"first", "third1", "third2"});
}

TEST_CASE("a subscription may outlive what it listens to", "[kube][subscription]") {
  kube::Subscription left;
  {
    kube::Listeners<int> listeners;
    left = listeners.add([](int) {});
  }
  left.end();
}

TEST_CASE("a listener that is added while others are told hears of it, too", "[kube][subscription]") {
  Heard heard;
  kube::Subscription late;
  const auto first = heard.listeners.add([&](int event) {
    if (event == 1) late = heard.listen("late");
  });
  heard.listeners.tell(1);
  heard.listeners.tell(2);
  CHECK(heard.told == std::vector<std::string>{"late1", "late2"});
}
