#include "apiserver/store/packer.hpp"

#include "base/error.hpp"

#include <catch2/catch.hpp>

namespace ingot::apiserver {
namespace {

// As large, and as alike, as the hosts of a fleet.
json::Value document(int number, std::string_view extra = "") {
  json::Object conditions;
  for (const char* name : {"Ready", "Available", "Healthy", "Manageable", "PowerStateKnown"})
    conditions[name] =
        json::Object{{"status", "True"}, {"lastTransitionTime", fmt::format("2026-01-01T00:{:02}:00Z", number % 60)}};
  return json::Object{
      {"apiVersion", "v1"},
      {"kind", "Thing"},
      {"metadata", json::Object{{"name", fmt::format("thing-{}", number)}, {"uid", fmt::format("uid-{}", number)}}},
      {"data", json::Object{{"password", fmt::format("hunter-{}", number)}, {"extra", extra}}},
      {"status", json::Object{{"conditions", conditions}, {"message", "what every one of them says"}}}};
}

ObjectPtr object(int number, std::string_view extra = "") {
  json::Value v = document(number, extra);
  return makeObject(v, number + 1);
}

// Text that cannot be packed, the same each time: most of what a byte of UTF-8 may be comes about as often.
std::string noise(int letters) {
  std::string text;
  std::uint64_t state = 1;
  for (int i = 0; i < letters; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t drawn = state >> 33;
    if (drawn % 3 == 0) {
      text += static_cast<char>(0xC2 + drawn / 3 % 30);
      text += static_cast<char>(0x80 + drawn / 90 % 64);
    } else {
      const char letter = static_cast<char>('#' + drawn / 3 % 92);
      text += letter == '\\' ? ' ' : letter;
    }
  }
  return text;
}

std::vector<ObjectPtr> packed(Packer& packer, int count, const std::string& resource = "things") {
  std::vector<ObjectPtr> objects;
  for (int i = 0; i < count; ++i) {
    objects.push_back(object(i));
    packer.add(resource, objects.back());
  }
  return objects;
}

TEST_CASE("what has grown cold takes a fraction of its text, and reads the same", "[store][packer]") {
  Packer packer({.fresh = 64});
  const auto objects = packed(packer, 1000);
  std::size_t text = 0, held = 0;
  for (int i = 0; i < 1000; ++i) {
    const base::PackedText& body = objects[static_cast<std::size_t>(i)]->body;
    json::Value expected = document(i);
    CHECK(body.text() == makeObject(expected, i + 1)->body.text());
    CHECK(body.size() == body.text().size());
    std::string room;
    CHECK(body.view(room) == body.text());
    text += body.size();
    held += body.bytesHeld();
  }
  CHECK(held < text / 3);
  CHECK(json::textAt(documentOf(*objects[500]), {"metadata", "name"}) == "thing-500");
  CHECK(json::textAt(transientDocumentOf(*objects[500]), {"metadata", "name"}) == "thing-500");
}

TEST_CASE("the newest objects stay as they are, bounded in number and bytes", "[store][packer]") {
  Packer few({.fresh = 10});
  const auto byNumber = packed(few, 200);
  CHECK(byNumber[189]->body.packed());
  CHECK_FALSE(byNumber[190]->body.packed());

  Packer small({.fresh = 1000, .freshBytes = 10 * object(1)->body.size()});
  const auto byBytes = packed(small, 200);
  CHECK(byBytes[180]->body.packed());
  CHECK_FALSE(byBytes[199]->body.packed());
}

TEST_CASE("a dictionary outlives its successors as long as it is needed", "[store][packer]") {
  Packer packer({.fresh = 32});
  const auto early = packed(packer, 60);
  REQUIRE(early[20]->body.packed());
  const auto late = packed(packer, 5000);
  CHECK(early[20]->body.text() == object(20)->body.text());
  CHECK(late[4000]->body.text() == object(4000)->body.text());
}

TEST_CASE("a kind of few objects is left alone, and so is what cannot be made smaller", "[store][packer]") {
  Packer packer({.fresh = 4});
  CHECK_FALSE(packed(packer, 15, "rare")[0]->body.packed());
  packed(packer, 100);
  const ObjectPtr odd = object(1, noise(20'000));
  packer.add("things", odd);
  packed(packer, 20);
  CHECK_FALSE(odd->body.packed());
  CHECK(odd->body.text() == object(1, noise(20'000))->body.text());
}

TEST_CASE("the values of a Secret stay out of every dictionary", "[store][packer]") {
  // As data, as text beside it, and as kubectl's apply keeps the manifest in an annotation.
  const std::string place = GENERATE("data", "stringData", "annotations");
  const auto bytesHeld = [&](const std::string& resource) {  // less when the dictionary knows the value
    Packer packer({.fresh = 64});
    std::vector<ObjectPtr> objects;
    for (int i = 0; i < 400; ++i) {
      json::Value v = document(i);
      auto& holder =
          place == "annotations" ? json::makeObjectAt(v, {"metadata", "annotations"}) : json::makeObjectAt(v, {place});
      holder["password"] = noise(300);
      objects.push_back(makeObject(v, i + 1));
      packer.add(resource, objects.back());
    }
    return objects[100]->body.bytesHeld();
  };
  CHECK(bytesHeld("secrets") > bytesHeld("things") + 150);
}

TEST_CASE("objects that are larger than all samples are packed too", "[store][packer]") {
  Packer packer({.fresh = 4});
  std::vector<ObjectPtr> objects;
  for (int i = 0; i < 40; ++i) {
    objects.push_back(object(i, noise(40'000)));
    packer.add("things", objects.back());
  }
  REQUIRE(objects[30]->body.packed());
  CHECK(objects[30]->body.bytesHeld() < objects[30]->body.size() * 3 / 4);
  CHECK(objects[30]->body.text() == object(30, noise(40'000))->body.text());
}

TEST_CASE("a Secret that is no object with metadata disturbs nobody", "[store][packer]") {
  Packer packer({.fresh = 0});
  auto odd = std::make_shared<Object>();
  odd->body = base::PackedText(std::string(400, 'x'));  // nothing that could be read for a sample
  for (int i = 0; i < 40; ++i) packer.add("secrets", odd);
  CHECK(odd->body.text() == std::string(400, 'x'));
}

}  // namespace
}  // namespace ingot::apiserver
