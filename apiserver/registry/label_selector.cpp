// The grammar of label selectors: comma-separated requirements "k", "!k", "k=v", "k!=v", "k in (a,b)", "k>5".
#include "apiserver/registry/errors.hpp"
#include "apiserver/registry/selectors.hpp"
#include "kube/core/names.hpp"

#include <charconv>

namespace ingot::apiserver {
namespace {

using Op = LabelSelector::Op;
using Requirement = LabelSelector::Requirement;

[[noreturn]] void refuse(std::string_view problem) { throw badRequest(std::string(problem)); }

[[noreturn]] void unexpected(std::string_view found, std::string_view expected) {
  refuse(fmt::format("unable to parse requirement: found '{}', expected: {}", found, expected));
}

struct Token {
  enum class Kind { word, symbol, end };
  Kind kind = Kind::end;
  std::string_view text;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    skipSpace();
    if (at_ == text_.size()) return {};
    const std::size_t start = at_;
    if (isSymbol(text_[at_])) {
      ++at_;
      const auto two = text_.substr(start, 2);
      if (two == "==" || two == "!=") ++at_;
      return {Token::Kind::symbol, text_.substr(start, at_ - start)};
    }
    while (at_ < text_.size() && !isSymbol(text_[at_]) && !isSpace(text_[at_])) ++at_;
    return {Token::Kind::word, text_.substr(start, at_ - start)};
  }

  Token peek() {
    const std::size_t here = at_;
    const Token token = next();
    at_ = here;
    return token;
  }

  bool accept(std::string_view symbol) {
    const Token token = peek();
    if (token.kind != Token::Kind::symbol || token.text != symbol) return false;
    (void)next();
    return true;
  }

 private:
  static bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static bool isSymbol(char c) { return std::string_view("=!(),<>").find(c) != std::string_view::npos; }
  void skipSpace() {
    while (at_ < text_.size() && isSpace(text_[at_])) ++at_;
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

std::vector<std::string> valueSet(Lexer& lexer) {
  if (!lexer.accept("(")) unexpected(lexer.peek().text, "'('");
  std::vector<std::string> values;
  while (true) {
    const Token token = lexer.peek();
    if (token.kind == Token::Kind::word) {
      values.emplace_back(lexer.next().text);
    } else {
      values.emplace_back();  // "in ()" and "in (a,)" match the empty value
    }
    if (lexer.accept(")")) return values;
    if (!lexer.accept(",")) unexpected(lexer.peek().text, "',', or ')'");
  }
}

std::string oneValue(Lexer& lexer) {
  return lexer.peek().kind == Token::Kind::word ? std::string(lexer.next().text) : std::string();
}

std::int64_t integer(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    refuse(fmt::format("values[0][]: Invalid value: \"{}\": for 'Gt', 'Lt' operators, the value must be an integer",
                       text));
  }
  return value;
}

Requirement comparison(std::string key, Lexer& lexer) {
  const Token op = lexer.next();
  if (op.kind == Token::Kind::word) {
    if (op.text == "in") return {std::move(key), Op::in, valueSet(lexer)};
    if (op.text == "notin") return {std::move(key), Op::notIn, valueSet(lexer)};
    unexpected(op.text, "in, notin, =, ==, !=, gt, lt");
  }
  if (op.text == "=" || op.text == "==") return {std::move(key), Op::in, {oneValue(lexer)}};
  if (op.text == "!=") return {std::move(key), Op::notIn, {oneValue(lexer)}};
  if (op.text == ">" || op.text == "<") {
    const std::string value = oneValue(lexer);
    return {std::move(key), op.text == ">" ? Op::greater : Op::less, {value}, integer(value)};
  }
  unexpected(op.text, "in, notin, =, ==, !=, gt, lt");
}

Requirement requirement(Lexer& lexer) {
  const bool negated = lexer.accept("!");
  const Token key = lexer.next();
  if (key.kind != Token::Kind::word) unexpected(key.text, "!, identifier, or 'end of string'");
  std::string name(key.text);
  if (const auto problem = kube::qualifiedNameProblem(name)) {
    refuse(fmt::format("unable to parse requirement: <nil>: Invalid value: \"{}\": {}", name, *problem));
  }
  if (negated) return {std::move(name), Op::absent, {}};
  const Token following = lexer.peek();
  if (following.kind == Token::Kind::end || following.text == ",") return {std::move(name), Op::exists, {}};
  return comparison(std::move(name), lexer);
}

bool contains(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool holds(const Requirement& r, const std::string* value) {
  const auto number = [&]() -> std::optional<std::int64_t> {
    if (!value) return std::nullopt;
    std::int64_t parsed = 0;
    const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), parsed);
    if (error != std::errc() || end != value->data() + value->size()) return std::nullopt;
    return parsed;
  };
  switch (r.op) {
    case Op::in: return value && contains(r.values, *value);
    case Op::notIn: return !value || !contains(r.values, *value);
    case Op::exists: return value != nullptr;
    case Op::absent: return value == nullptr;
    case Op::greater: return number() && *number() > r.number;
    case Op::less: return number() && *number() < r.number;
  }
  std::unreachable();
}

}  // namespace

LabelSelector LabelSelector::parse(std::string_view text) {
  LabelSelector selector;
  Lexer lexer(text);
  if (lexer.peek().kind == Token::Kind::end) return selector;
  while (true) {
    selector.requirements_.push_back(requirement(lexer));
    if (lexer.peek().kind == Token::Kind::end) return selector;
    if (!lexer.accept(",")) unexpected(lexer.peek().text, "',' or 'end of string'");
  }
}

bool LabelSelector::matches(const Object& object) const {
  return std::all_of(requirements_.begin(), requirements_.end(),
                     [&](const Requirement& r) { return holds(r, object.label(r.key)); });
}

}  // namespace ingot::apiserver
