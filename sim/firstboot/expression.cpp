#include "sim/firstboot/expression.hpp"

#include "base/text.hpp"
#include "sim/firstboot/error.hpp"
#include "sim/firstboot/template.hpp"

namespace ingot::sim::firstboot {

namespace {

constexpr std::size_t deepest = 32;  // brackets in brackets

// A value, or the name of what there is none of.
struct Operand {
  std::optional<json::Value> value;
  std::string missing;
};

std::string pythonText(const json::Value& value, bool quoted) {
  if (value.is_null()) return "None";
  if (value.is_bool()) return value.get_bool() ? "True" : "False";
  if (value.is_string())
    return quoted ? fmt::format("'{}'", std::string_view(value.get_string())) : std::string(value.get_string());
  std::string out;
  if (const auto* list = value.if_array()) {
    for (const auto& each : *list) out += (out.empty() ? "" : ", ") + pythonText(each, true);
    return "[" + out + "]";
  }
  if (const auto* object = value.if_object()) {
    for (const auto& [key, each] : *object)
      out += fmt::format("{}'{}': {}", out.empty() ? "" : ", ", std::string_view(key), pythonText(each, true));
    return "{" + out + "}";
  }
  return json::serialize(value);
}

std::string textOf(const Operand& operand, Budget& budget) {
  auto text = operand.value ? pythonText(*operand.value, false) : std::string(missingName) + operand.missing;
  budget.spend(text.size());
  return text;
}

// Jinja's own way: of a thing that has no such member one gets something undefined, of something undefined nothing.
Operand memberOf(const Operand& whole, const json::Value& key) {
  if (!whole.value) throw BootError(fmt::format("'{}' is undefined", whole.missing));
  const auto name = pythonText(key, false);
  if (const auto* object = whole.value->if_object(); object && key.is_string()) {
    const auto* found = object->if_contains(key.get_string());
    return found ? Operand{*found, ""} : Operand{std::nullopt, name};
  }
  if (const auto* list = whole.value->if_array(); list && key.is_int64()) {
    const auto size = static_cast<std::int64_t>(list->size());
    const auto index = key.get_int64() < 0 ? key.get_int64() + size : key.get_int64();
    if (0 <= index && index < size) return {(*list)[static_cast<std::size_t>(index)], ""};
  }
  return {std::nullopt, name};
}

std::string replacedIn(const std::string& text, const std::string& what, const std::string& with, Budget& budget) {
  if (what.empty()) return text;
  std::string out;
  std::size_t at = 0;
  for (auto next = text.find(what); next != std::string::npos; next = text.find(what, at)) {
    budget.spend(next - at + with.size());
    out.append(text, at, next - at).append(with);
    at = next + what.size();
  }
  budget.spend(text.size() - at);
  return out.append(text, at);
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

bool isTrue(const Operand& operand) {
  if (!operand.value || operand.value->is_null()) return false;
  if (operand.value->is_bool()) return operand.value->get_bool();
  if (operand.value->is_string()) return !operand.value->get_string().empty();
  return !json::equal(*operand.value, 0);
}

Operand filtered(const std::string& name, Operand input, const std::vector<Operand>& arguments, Budget& budget) {
  const auto text = [&](const Operand& operand) { return textOf(operand, budget); };
  if (name == "default" || name == "d") {
    const bool alsoFalse = arguments.size() > 1 && isTrue(arguments[1]);
    const bool given = input.value && (!alsoFalse || isTrue(input));
    return given ? input : arguments.empty() ? Operand{json::Value(""), ""} : arguments[0];
  }
  if (name == "lower") return {json::Value(base::lower(text(input))), ""};
  if (name == "upper") return {json::Value(upper(text(input))), ""};
  if (name == "trim") return {json::Value(base::trimmed(text(input))), ""};
  if (name == "string") return {json::Value(text(input)), ""};
  if (name == "replace" && arguments.size() == 2)
    return {json::Value(replacedIn(text(input), text(arguments[0]), text(arguments[1]), budget)), ""};
  throw BootError(fmt::format("the filter {} is not known here", name));
}

bool startsName(char c) { return base::lower(c) != c || (c >= 'a' && c <= 'z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  Parser(std::string_view text, const json::Object& names, Budget& budget)
      : text_(text), names_(names), budget_(budget) {}

  Operand whole() {
    auto result = piped();
    if (skipSpace(); at_ == text_.size()) return result;
    if (peek() == '-') throw BootError("the minus is a subtraction to Jinja: write _ for it, or ['a-name']");
    throw BootError(fmt::format("'{}' is not known here", text_.substr(at_)));
  }

 private:
  Operand piped() {
    if (++depth_ > deepest) throw BootError("too many brackets");
    auto value = withMembers(primary());
    while (take('|')) {
      const auto filter = name();
      value = filtered(filter, std::move(value), arguments(), budget_);
    }
    --depth_;
    return value;
  }

  Operand withMembers(Operand value) {
    while (true) {
      if (take('.')) {
        value = memberOf(value, isDigit(peek()) ? number() : json::Value(name()));
      } else if (take('[')) {
        const auto key = piped();
        expect(']');
        value = memberOf(value, key.value.value_or(nullptr));
      } else {
        return value;
      }
    }
  }

  Operand primary() {
    skipSpace();
    if (take('(')) {
      auto inner = piped();
      expect(')');
      return inner;
    }
    if (peek() == '\'' || peek() == '"') return {json::Value(quoted()), ""};
    if (isDigit(peek()) || (peek() == '-' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1]))) return {number(), ""};
    const auto word = name();
    if (word == "true" || word == "True") return {json::Value(true), ""};
    if (word == "false" || word == "False") return {json::Value(false), ""};
    const auto* found = names_.if_contains(word);
    return found ? Operand{*found, ""} : Operand{std::nullopt, word};
  }

  std::vector<Operand> arguments() {
    std::vector<Operand> all;
    if (!take('(') || take(')')) return all;
    do all.push_back(piped());
    while (take(','));
    expect(')');
    return all;
  }

  std::string name() {
    skipSpace();
    const auto start = at_;
    if (!startsName(peek())) throw BootError("a name is missing");
    while (startsName(peek()) || isDigit(peek())) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  json::Value number() {
    const auto start = at_;
    if (peek() == '-') ++at_;
    while (isDigit(peek())) ++at_;
    if (at_ - start > 18) throw BootError("the number is too large");
    return std::stoll(std::string(text_.substr(start, at_ - start)));
  }

  std::string quoted() {
    const char mark = text_[at_++];
    const auto end = text_.find(mark, at_);
    if (end == std::string_view::npos) throw BootError("a quotation mark is missing");
    std::string words(text_.substr(at_, end - at_));
    at_ = end + 1;
    return words;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").contains(text_[at_])) ++at_;
  }
  bool take(char c) {
    skipSpace();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) throw BootError(fmt::format("'{}' is missing", c));
  }

  std::string_view text_;
  const json::Object& names_;
  Budget& budget_;
  std::size_t at_ = 0, depth_ = 0;
};

}  // namespace

std::string evaluate(std::string_view expression, const json::Object& names, Budget& budget) {
  return textOf(Parser(expression, names, budget).whole(), budget);
}

}  // namespace ingot::sim::firstboot
