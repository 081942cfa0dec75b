#include "json/patch.hpp"

#include <catch2/catch.hpp>

#include <new>
#include <utility>

using namespace ingot;

namespace {

std::string merged(std::string_view target, std::string_view patch) {
  auto v = json::parse(target);
  json::applyMergePatch(v, json::parse(patch));
  return json::serializeSorted(v);
}

std::string patched(std::string_view target, std::string_view operations) {
  auto v = json::parse(target);
  json::applyJsonPatch(v, json::parse(operations));
  return json::serializeSorted(v);
}

std::string refused(std::string_view target, std::string_view operations, json::PatchError::Code code) {
  auto v = json::parse(target);
  try {
    json::applyJsonPatch(v, json::parse(operations));
  } catch (const json::PatchError& e) {
    CHECK(e.code() == code);
    CHECK(json::serialize(v) == json::serialize(json::parse(target)));
    return e.what();
  }
  return "";
}

using Code = json::PatchError::Code;

}  // namespace

TEST_CASE("merge patches apply as RFC 7396, appendix A", "[merge]") {
  struct Row {
    const char *target, *patch, *result;
  };
  const Row rows[] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", R"(null)", R"(null)"},
      {R"({"e":null})", R"({"a":1})", R"({"a":1,"e":null})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
  };
  for (const auto& row : rows) CHECK(merged(row.target, row.patch) == row.result);
}

TEST_CASE("the merge patch between two documents leads from one to the other", "[merge]") {
  const auto from = json::parse(R"({"a":1,"b":{"c":2,"d":3},"e":[1],"f":{"x":1}})");
  const auto to = json::parse(R"({"b":{"c":2,"d":4},"e":[2],"f":1,"g":{"y":[]}})");
  const auto patch = json::mergePatch(from, to);
  CHECK(json::serializeSorted(patch) == R"({"a":null,"b":{"d":4},"e":[2],"f":1,"g":{"y":[]}})");
  auto result = from;
  json::applyMergePatch(result, patch);
  CHECK(json::equal(result, to));
  CHECK(json::isEmptyPatch(json::mergePatch(to, to)));
}

TEST_CASE("items of a changed list keep members that our structs do not know", "[merge]") {
  const auto raw = json::parse(R"({"c":[{"type":"A","s":"1","new":1},{"type":"B","s":"1","new":2}]})");
  const auto from = json::parse(R"({"c":[{"type":"A","s":"1"},{"type":"B","s":"1"}]})");
  const auto to = json::parse(R"({"c":[{"type":"Ready","s":"1"},{"type":"B","s":"2"},{"type":"A","s":"1"}]})");
  CHECK(json::serializeSorted(json::mergePatchKeeping(from, to, raw)) ==
        R"({"c":[{"s":"1","type":"Ready"},{"new":2,"s":"2","type":"B"},{"new":1,"s":"1","type":"A"}]})");
}

TEST_CASE("an object that is written gets the members that must be there", "[merge]") {
  const auto raw = json::parse(R"({"spec":{"online":true}})");
  const auto from = json::parse(R"({"spec":{"online":true},"status":{"errorCount":0,"state":""}})");
  const auto to = json::parse(R"({"spec":{"online":true},"status":{"errorCount":0,"state":"registering"}})");
  CHECK(json::serializeSorted(json::mergePatchKeeping(from, to, raw)) ==
        R"({"status":{"errorCount":0,"state":"registering"}})");
}

TEST_CASE("JSON patches apply every operation", "[jsonpatch]") {
  CHECK(patched(R"({"a":[1,2]})", R"([{"op":"add","path":"/a/1","value":9},{"op":"add","path":"/a/-","value":3}])") ==
        R"({"a":[1,9,2,3]})");
  CHECK(patched(R"({"a":1,"b":2})", R"([{"op":"remove","path":"/a"},{"op":"replace","path":"/b","value":{"c":1}}])") ==
        R"({"b":{"c":1}})");
  CHECK(patched(R"({"a":[1,2,3]})", R"([{"op":"move","from":"/a/0","path":"/a/2"}])") == R"({"a":[2,3,1]})");
  CHECK(patched(R"({"a":{"b":1}})",
                R"([{"op":"copy","from":"/a","path":"/c"},{"op":"test","path":"/c/b","value":1.0}])") ==
        R"({"a":{"b":1},"c":{"b":1}})");
  CHECK(patched(R"({"m~/n":1})", R"([{"op":"replace","path":"/m~0~1n","value":2}])") == R"({"m~/n":2})");
  CHECK(patched(R"(1)", R"([{"op":"replace","path":"","value":[]}])") == "[]");
  CHECK(patched(R"({"a":1})", R"([{"op":"add","path":"/","value":2}])") == R"({"":2,"a":1})");
}

TEST_CASE("a JSON patch that cannot be applied changes nothing and names the operation", "[jsonpatch]") {
  CHECK(refused(R"({"a":1})", R"([{"op":"add","path":"/b","value":1},{"op":"test","path":"/a","value":2}])",
                Code::testFailed) == "operation 1 (test /a): the value is 1");
  CHECK(refused("{}", R"([{"op":"remove","path":"/a"}])", Code::missingPath) ==
        "operation 0 (remove /a): no member \"a\"");
  CHECK(refused("{}", R"([{"op":"add","path":"/a/b","value":1}])", Code::missingPath) ==
        "operation 0 (add /a/b): no member \"a\"");
  CHECK(refused("[1]", R"([{"op":"add","path":"/01","value":1}])", Code::missingPath) ==
        "operation 0 (add /01): no item 01");
  CHECK(refused("[1]", R"([{"op":"replace","path":"/1","value":1}])", Code::missingPath) ==
        "operation 0 (replace /1): no item 1");
  CHECK(refused("{}", R"([{"op":"grow","path":"/a"}])", Code::malformed) == "operation 0 (grow /a): unknown operation");
  CHECK(refused("{}", R"([{"op":"add","path":"a","value":1}])", Code::malformed) ==
        "operation 0 (add a): \"a\" is not a JSON pointer");
  CHECK(refused(R"({"a":{}})", R"([{"op":"move","from":"/a","path":"/a/b"}])", Code::malformed) ==
        "operation 0 (move /a/b): a value cannot move into itself");
  CHECK(refused("{}", R"({"op":"add"})", Code::malformed) == "a JSON patch is an array of operations");
}

TEST_CASE("copies of a JSON patch are counted together: a document cannot double without end", "[jsonpatch]") {
  const std::string document = R"({"a":[")" + std::string(1000, 'x') + R"("]})";
  json::Array twice;
  for (int i = 0; i < 60; ++i) twice.push_back(json::parse(R"({"op":"copy","from":"/a","path":"/a/-"})"));
  json::Value v = json::parse(document);
  try {
    json::applyJsonPatch(v, twice);
    FAIL("it was applied");
  } catch (const json::PatchError& e) {
    CHECK(e.code() == Code::overLimit);
    CHECK(std::string(e.what()) == "operation 11 (copy /a/-): copies of more than 3145728 bytes");
  }
  CHECK(json::serialize(v) == document);
}

TEST_CASE("a JSON patch cannot nest a document more deeply than it can be read", "[jsonpatch]") {
  struct Row {
    std::string operations;
    bool fits;
  };
  const json::JsonPatchOptions options{.copied = 1000, .depth = 4};
  const Row rows[] = {
      {R"([{"op":"add","path":"/a/b/c","value":{}}])", true},
      {R"([{"op":"add","path":"/a/b/c","value":[[]]}])", false},
      {R"([{"op":"replace","path":"/a/b","value":[[1]]}])", true},
      {R"([{"op":"replace","path":"/a/b","value":[[[]]]}])", false},
      {R"([{"op":"copy","from":"/d","path":"/a/b/d"}])", true},
      {R"([{"op":"copy","from":"/a","path":"/a/b/d"}])", false},
      {R"([{"op":"move","from":"/d","path":"/a/b/d"}])", true},
      {R"([{"op":"move","from":"/e","path":"/a/b/e"}])", false},
      {R"([{"op":"move","from":"/e","path":"/f"}])", true},
  };
  for (const auto& [operations, fits] : rows) {
    INFO(operations);
    json::Value v = json::parse(R"({"a":{"b":{}},"d":{},"e":{"x":[]}})");
    bool applied = true;
    try {
      json::applyJsonPatch(v, json::parse(operations), options);
    } catch (const json::PatchError& e) {
      CHECK(e.code() == Code::overLimit);
      applied = false;
    }
    CHECK(applied == fits);
  }
}

TEST_CASE("moves to a deeper place count like copies, those beside do not", "[jsonpatch]") {
  const std::string large = std::string(600, 'x');
  const json::JsonPatchOptions options{.copied = 1000};
  json::Array deeper, beside;
  for (const char* at : {"ab", "ba"}) {
    beside.push_back(
        json::Object{{"op", "move"}, {"from", fmt::format("/{}", at[0])}, {"path", fmt::format("/{}", at[1])}});
    deeper.push_back(json::parse(R"({"op":"move","from":"/a","path":"/o/a"})"));
    deeper.push_back(json::parse(R"({"op":"move","from":"/o/a","path":"/a"})"));
  }
  json::Value v = json::Object{{"a", large}, {"o", json::Object()}};
  CHECK_NOTHROW(json::applyJsonPatch(v, beside, options));
  CHECK_THROWS_AS(json::applyJsonPatch(v, deeper, options), json::PatchError);
}

TEST_CASE("replace adds a missing member only where the caller says so", "[jsonpatch]") {
  const json::Value operations = json::parse(R"([{"op":"replace","path":"/a/b","value":1}])");
  json::Value v = json::parse(R"({"a":{}})");
  CHECK_THROWS_AS(json::applyJsonPatch(v, operations), json::PatchError);
  json::applyJsonPatch(v, operations, {.replaceAdds = true});
  CHECK(json::serialize(v) == R"({"a":{"b":1}})");
}

namespace {

// Memory of one document, which counts what was ever taken of it.
class CountedMemory final : public boost::json::memory_resource {
 public:
  std::size_t taken = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    taken += bytes;
    return ::operator new(bytes, std::align_val_t(alignment));
  }
  void do_deallocate(void* place, std::size_t, std::size_t alignment) override {
    ::operator delete(place, std::align_val_t(alignment));
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

TEST_CASE("a JSON patch copies the document once, not for each operation", "[jsonpatch]") {
  CountedMemory memory;
  json::Value document(
      json::Object{{"large", json::Array(1024, json::Value(std::string(1024, 'x')))}, {"list", json::Array()}},
      boost::json::storage_ptr(&memory));
  const std::size_t size = std::exchange(memory.taken, 0);
  REQUIRE(size > 1u << 20);
  const json::Value round = json::parse(R"([
      {"op":"add","path":"/list/-","value":1},
      {"op":"replace","path":"/list/0","value":"first"},
      {"op":"test","path":"/list/0","value":"first"},
      {"op":"copy","from":"/list/0","path":"/small"},
      {"op":"remove","path":"/small"},
      {"op":"move","from":"/large","path":"/moved"},
      {"op":"move","from":"/moved","path":"/large"}])");
  json::Array operations;
  for (int i = 0; i < 150; ++i) operations.insert(operations.end(), round.get_array().begin(), round.get_array().end());
  json::applyJsonPatch(document, operations);
  CHECK(json::find(document, {"large"})->get_array().size() == 1024);
  CHECK(json::find(document, {"list"})->get_array().size() == 150);
  CHECK(memory.taken < size * 3 / 2);
}
