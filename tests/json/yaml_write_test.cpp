// The layout of Go's YAML writer, rule by rule. That every rule together gives upstream's bytes is proved by the
// vectors (tests/vectors/render_*.cpp).
#include "json/yaml.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

std::string write(const json::Value& document) { return json::toYaml(document, json::YamlStyle::exact); }

std::string written(std::string_view document) { return write(json::parse(document)); }

// As the value of a member, without the member and the line feed.
std::string valueOf(const std::string& text) {
  const std::string all = write(json::Object{{"k", text}});
  return all.substr(3, all.size() - 4);
}

std::string keyOf(const std::string& key) {
  const std::string all = write(json::Object{{key, 1}});
  return all.substr(0, all.size() - 4);
}

}  // namespace

TEST_CASE("lists are not indented under their key, items are under their dash") {
  CHECK(written(R"({"b": [], "a": {"c": [1, "x", null, true, {"e": 2, "d": [[3], {}]}]}})") ==
        "a:\n  c:\n  - 1\n  - x\n  - null\n  - true\n  - d:\n    - - 3\n    - {}\n    e: 2\nb: []\n");
  CHECK(written("{}") == "{}\n");
  CHECK(written("[[[1]]]") == "- - - 1\n");
}

TEST_CASE("runs of digits order as numbers, letters stand behind other characters") {
  CHECK(written(R"({"a10": 0, "a9": 0, "A": 0, "_": 0, "a-b": 0, "a01": 0, "": 0, "é": 0, "z": 0})") ==
        "\"\": 0\n_: 0\nA: 0\na-b: 0\na01: 0\na9: 0\na10: 0\nz: 0\né: 0\n");
}

TEST_CASE("keys without an order are written all the same, and always alike") {
  const std::string one = written(R"({"a10": 1, "a1b": 2, "a2": 3, "a1": 4, "a-": 5})");
  CHECK(one == written(R"({"a-": 5, "a2": 3, "a1": 4, "a1b": 2, "a10": 1})"));
}

TEST_CASE("a text that would read as something else is quoted twice") {
  for (const std::string text : {"",
                                 "~",
                                 "null",
                                 "yes",
                                 "No",
                                 "y",
                                 "ON",
                                 ".inf",
                                 "-.INF",
                                 ".nan",
                                 "42",
                                 "-0",
                                 "+1",
                                 "007",
                                 "08",
                                 "1_000",
                                 "0x1F",
                                 "0b101",
                                 "0o17",
                                 "1.",
                                 ".5",
                                 "1e3",
                                 "12:30:45",
                                 "190:20:30.15",
                                 "2026-08-01",
                                 "2026-8-1",
                                 "1.5E-9",
                                 "2026-08-01T00:00:00Z",
                                 "18446744073709551616",
                                 ".5_0"}) {
    INFO(text);
    CHECK(valueOf(text) == "\"" + text + "\"");
  }
}

TEST_CASE("a text that reads as a text stays plain") {
  for (const std::string text : {"NaN",     "inf", "1.5e400", "0x",  "nope",        "1.2.3.4", "11:22:33:44:55:66",
                                 "2026-08", "._5", "1:60",    "::1", "10.0.0.0/24", "a:b",     "a#b",
                                 "?x",      ":a",  "-a",      "--",  "it's",        "日本語"}) {
    INFO(text);
    CHECK(valueOf(text) == text);
  }
}

// Upstream writes these without quotes, and readers of YAML 1.1 fail on them or read something else.
TEST_CASE("what upstream's YAML loses is quoted") {
  for (const std::string text :
       {"=", "<<", "2001-12-14 21:59:43.10 -5", "2001-13-45", "2001-02-30", "0x_", "1.5e+400"}) {
    INFO(text);
    CHECK(valueOf(text) == "\"" + text + "\"");
  }
  CHECK(valueOf("a\xC2\x85z") == "\"a\\x85z\"");
  CHECK(keyOf("<<") == "\"<<\"");
}

TEST_CASE("indicators, and blanks at an end, are quoted once") {
  for (const std::string text :
       {"#c",  "- a",   "? x",    ": a",    "{a}", "[b]", "a: b", "a #c", "a:",  "@a",  "%a", "---",
        "...", " lead", "trail ", "fd00::", "*a",  "&a",  "!x",   "|",    "> f", "`a`", "-"}) {
    INFO(text);
    CHECK(valueOf(text) == "'" + text + "'");
  }
  CHECK(valueOf("'q'") == "'''q'''");
}

TEST_CASE("characters that need an escape make double quotes") {
  CHECK(valueOf("tab\tend") == R"("tab\tend")");
  CHECK(valueOf("\x1b[0m") == R"("\e[0m")");
  CHECK(valueOf("\x01") == R"("\x01")");
  CHECK(valueOf("a\r\nb") == R"("a\r\nb")");
  CHECK(valueOf("🙂") == R"("\U0001F642")");
  CHECK(valueOf("\xEF\xBB\xBFx") == R"("\uFEFF\x78")");
}

TEST_CASE("several lines are a block, with hints for what stands at either end") {
  CHECK(valueOf("a\nb") == "|-\n  a\n  b");
  CHECK(valueOf("a\n") == "|\n  a");
  CHECK(write(json::Object{{"k", "a\n\n"}}) == "k: |+\n  a\n\n");
  CHECK(write(json::Object{{"k", "\n"}}) == "k: |2+\n\n");
  CHECK(valueOf(" a\nb") == "|2-\n   a\n  b");
  CHECK(valueOf("a \nb") == R"("a \nb")");
}

TEST_CASE("words behind column 80 go to the next line, in the quotes they have") {
  const std::string word(40, 'w');
  CHECK(valueOf(word + " " + word + " x y") == word + " " + word + "\n  x y");
  CHECK(valueOf(word + " " + word + "  x y") == word + " " + word + "  x\n  y");
  CHECK(valueOf(word + ": " + word + " x") == "'" + word + ": " + word + "\n  x'");
  CHECK(valueOf("\t" + word + " " + word + "  x") == "\"\\t" + word + " " + word + "\n  \\ x\"");
}

TEST_CASE("a key that is long or has several lines gets a question mark") {
  CHECK(keyOf(std::string(128, 'k')) == std::string(128, 'k'));
  CHECK(write(json::Object{{std::string(129, 'k'), 1}}) == "? " + std::string(129, 'k') + "\n: 1\n");
  CHECK(written(R"({"a\nb": {"c": [1]}})") == "? |-\n  a\n  b\n: c:\n  - 1\n");
}

TEST_CASE("YAML holds numbers as Go writes them") {
  CHECK(written("[0.1, 1e20, 1e-7, 100000.0, 1000000.0, -0.0, 18446744073709551615, -9223372036854775808]") ==
        "- 0.1\n- 1e+20\n- 1e-07\n- 100000\n- 1e+06\n- -0\n- 18446744073709551615\n- -9223372036854775808\n");
}

TEST_CASE("a manifest escapes what the exact form refuses, and what readers take for a line break") {
  const auto valueIn = [](std::string_view text) {
    const std::string all = json::toYaml(json::Object{{"k", text}});
    return all.substr(3, all.size() - 4);
  };
  CHECK(valueIn("a\x7f") == R"("a\x7F")");
  CHECK(valueIn("\xC2\x80") == R"("\x80")");
  CHECK(valueIn("\xEF\xBF\xBF") == R"("\uFFFF")");
  CHECK(valueIn("a\n\xE2\x80\xA8") == R"("a\n\L")");
  CHECK(valueIn("\xE2\x80\xA9") == R"("\P")");
  CHECK(valueIn("\xEF\xBB\xBFx\xC2\xA0") == "\"\\uFEFFx\xC2\xA0\"");
  const std::string key(1100, 'k');
  CHECK(json::toYaml(json::Object{{key, 1}}) == "? " + key + "\n: 1\n");
  CHECK(json::toYaml(json::Value(std::numeric_limits<double>::infinity())) == "null\n");
}

TEST_CASE("a control character is refused with the place where it stands") {
  try {
    static_cast<void>(write(json::Object{{"links", json::Array{json::Object{{"id", "a\x7f"}}}}}));
    FAIL("was written");
  } catch (const json::YamlWriteError& error) {
    CHECK(error.path() == "links[0].id");
    CHECK(error.problem() == "control characters are not allowed");
    CHECK(std::string(error.what()) == "links[0].id: control characters are not allowed (U+007F at byte 1)");
  }
  CHECK_THROWS_AS(write(json::Object{{"k", "\xEF\xBF\xBF"}}), json::YamlWriteError);
  CHECK_THROWS_AS(write(json::Value(json::Array{std::numeric_limits<double>::infinity()})), json::YamlWriteError);
  CHECK_THROWS_AS(write(json::Object{{std::string(1100, 'k'), 1}}), json::YamlWriteError);
}

TEST_CASE("bytes that are no UTF-8 become the replacement character") {
  CHECK(valueOf("a\xFFz\xC3") == "a\xEF\xBF\xBDz\xEF\xBF\xBD");
  CHECK(valueOf("\xED\xA0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("yaml-cpp reads what was written") {
  const json::Value document = json::parse(R"({"a b": "yes", "n": [1, -2.5, null, "null", "- x", "x\ny\n", " \n z"],
      "m": {"<<": "=", "deep": [[{"k\n": "\u0085 é 🙂"}], []], "empty": {}}, "long": "w w  w"})");
  CHECK(json::equal(json::parseYamlValue(write(document)), document));
}
