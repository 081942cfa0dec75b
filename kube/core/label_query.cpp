// The grammar of label queries: comma-separated requirements "k", "!k", "k=v", "k!=v", "k in (a,b)", "k>5".
#include "kube/core/label_term.hpp"
#include "kube/core/names.hpp"

#include <fmt/format.h>

namespace ingot::kube {

namespace {

std::string found(std::string_view text, std::string_view expected) {
  return fmt::format("found '{}', expected: {}", text, expected);
}

// Of what is wrong inside a requirement.
[[noreturn]] void refuse(std::string_view problem) {
  throw LabelError(fmt::format("unable to parse requirement: {}", problem));
}

[[noreturn]] void unexpected(std::string_view text, std::string_view expected) { refuse(found(text, expected)); }

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

  bool atRequirement() {
    const Token token = peek();
    return token.kind == Token::Kind::word || token.text == "!";
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

LabelTerm term(std::string key, std::string_view how, std::vector<std::string> values) {
  try {
    return labelTerm(std::move(key), how, std::move(values));
  } catch (const LabelError& wrong) {
    refuse(wrong.what());
  }
}

LabelTerm comparison(std::string key, Lexer& lexer) {
  const Token op = lexer.next();
  if (op.text == "in" || op.text == "notin") return term(std::move(key), op.text, valueSet(lexer));
  if (op.text == "=" || op.text == "==" || op.text == "!=") return term(std::move(key), op.text, {oneValue(lexer)});
  if (op.text == ">") return term(std::move(key), "gt", {oneValue(lexer)});
  if (op.text == "<") return term(std::move(key), "lt", {oneValue(lexer)});
  unexpected(op.text, "in, notin, =, ==, !=, gt, lt");
}

LabelTerm requirement(Lexer& lexer) {
  const bool negated = lexer.accept("!");
  const Token key = lexer.next();
  if (key.kind != Token::Kind::word) unexpected(key.text, "identifier");
  std::string name(key.text);
  if (const auto problem = qualifiedNameProblem(name))
    refuse(fmt::format("<nil>: Invalid value: \"{}\": {}", name, *problem));
  if (negated) return term(std::move(name), "!", {});
  const Token following = lexer.peek();
  if (following.kind == Token::Kind::end || following.text == ",") return term(std::move(name), "exists", {});
  return comparison(std::move(name), lexer);
}

}  // namespace

std::vector<LabelTerm> parseLabelQuery(std::string_view text) {
  std::vector<LabelTerm> terms;
  Lexer lexer(text);
  if (lexer.peek().kind == Token::Kind::end) return terms;
  if (!lexer.atRequirement()) throw LabelError(found(lexer.peek().text, "!, identifier, or 'end of string'"));
  while (true) {
    terms.push_back(requirement(lexer));
    if (lexer.peek().kind == Token::Kind::end) return terms;
    if (!lexer.accept(",")) throw LabelError(found(lexer.peek().text, "',' or 'end of string'"));
    if (!lexer.atRequirement()) throw LabelError(found(lexer.peek().text, "identifier after ','"));
  }
}

}  // namespace ingot::kube
