#include "tests/api/random_object.hpp"

#include "base/clock.hpp"

namespace ingot::tests {

namespace {

constexpr std::string_view kTexts[] = {"a",        "worker-0",    "10.0.0.0/24", "fd00::1", "x<y>&z",
                                       "quote\"d", "é🙂",         "true",        "0",       "null",
                                       "a.b[c]",   "back\\slash", "line\nbreak", "u\u2028v"};

class Maker {
 public:
  Maker(base::Random& random, int size) : random_(random), size_(size) {}

  json::Value make(const json::Value& schema) {
    if (const auto* values = json::arrayAt(schema, {"enum"})) return pick(*values);
    const std::string type = json::textAt(schema, {"type"});
    if (type == "object") return object(schema);
    if (type == "array") return array(schema);
    if (type == "string") return text(json::textAt(schema, {"format"}));
    if (type == "integer") return integer(schema);
    if (type == "number") return static_cast<double>(random_.below(1000)) / 4;
    if (type == "boolean") return coin();
    if (json::boolAt(schema, {"x-kubernetes-int-or-string"}).value_or(false) && coin()) return integer(schema);
    if (json::boolAt(schema, {"x-kubernetes-int-or-string"}).value_or(false)) return text("");
    return anything();
  }

 private:
  bool coin() { return random_.below(2) == 0; }
  json::Value pick(const json::Array& values) { return values[random_.below(values.size())]; }
  bool present() { return random_.below(static_cast<std::uint64_t>(size_) + 3) >= 2; }
  std::size_t count() { return random_.below(static_cast<std::uint64_t>(std::min(size_, 3)) + 1); }

  static bool isRequired(const json::Value& schema, std::string_view name) {
    const auto* required = json::arrayAt(schema, {"required"});
    return required && std::ranges::find(*required, json::Value(name)) != required->end();
  }

  json::Value text(const std::string& format) {
    if (format == "date-time")
      return json::Value(
          base::formatTime(base::WallTime(std::chrono::seconds(1'700'000'000 + random_.below(100'000'000)))));
    if (format == "byte") return "YWJj";
    return json::Value(std::string(kTexts[random_.below(std::size(kTexts))]) + "-" + std::to_string(random_.below(90)));
  }

  json::Value integer(const json::Value& schema) {
    const auto least = json::intAt(schema, {"minimum"}).value_or(0);
    const auto most = json::intAt(schema, {"maximum"}).value_or(least + 1000);
    return least + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(most - least) + 1));
  }

  json::Value anything() {
    switch (random_.below(5)) {
      case 0: return text("");
      case 1: return static_cast<std::int64_t>(random_.below(1000)) + 1;
      case 2: return true;
      case 3: return json::Array{1, "x"};
      default: return json::Object{{"a", 1}, {"b", json::Array{2}}};
    }
  }

  json::Value object(const json::Value& schema) {
    json::Object out;
    if (const auto* properties = json::objectAt(schema, {"properties"}))
      for (const auto& [name, property] : *properties)
        if (isRequired(schema, name) || present()) out[name] = make(property);
    if (const auto* values = json::find(schema, {"additionalProperties"}))
      for (std::size_t i = count(); i > 0; --i) out[text("").get_string()] = make(*values);
    const bool open = json::boolAt(schema, {"x-kubernetes-preserve-unknown-fields"}).value_or(false);
    if (open && out.empty()) out["any"] = anything();
    return out;
  }

  // Items that the list's keys tell apart.
  json::Value array(const json::Value& schema) {
    json::Array out;
    const auto& items = *json::find(schema, {"items"});
    for (std::size_t i = count(); i > 0; --i) {
      json::Value item = make(items);
      if (const auto* keys = json::arrayAt(schema, {"x-kubernetes-list-map-keys"}))
        for (const auto& key : *keys) setKey(item.get_object(), std::string(key.get_string()), items, out.size());
      if (item.is_string() && !json::arrayAt(items, {"enum"}))
        item = std::string(item.get_string()) + "#" + std::to_string(i);
      out.push_back(std::move(item));
    }
    return out;
  }

  void setKey(json::Object& item, const std::string& key, const json::Value& items, std::size_t position) {
    const std::string type = json::textAt(items, {"properties", key, "type"});
    if (type == "integer") {
      item[key] = position + 1;
    } else {
      item[key] = std::string(text("").get_string()) + "#" + std::to_string(position);
    }
  }

  base::Random& random_;
  int size_;
};

}  // namespace

json::Value randomValue(const json::Value& schema, base::Random& random, int size) {
  return Maker(random, size).make(schema);
}

}  // namespace ingot::tests
