// Characters, columns and indentation: the lower half of the writer.
#pragma once

#include "json/yaml/scalar.hpp"

namespace ingot::json::yaml {

class LineWriter {
 public:
  explicit LineWriter(YamlStyle style) : style_(style) {}

  // Where nodes of a collection begin. Restores the one before when it goes.
  class Indent {
   public:
    Indent(LineWriter& writer, int indent) : writer_(writer), before_(writer.indent_) { writer.indent_ = indent; }
    ~Indent() { writer_.indent_ = before_; }
    Indent(const Indent&) = delete;
    Indent& operator=(const Indent&) = delete;

   private:
    LineWriter& writer_;
    int before_;
  };

  [[nodiscard]] int indent() const { return indent_; }
  [[nodiscard]] int deeper() const { return indent_ < 0 ? 0 : indent_ + kStep; }
  // Nothing but indentation and dashes stands on the line so far.
  [[nodiscard]] bool atBeginning() const { return onlyIndentation_; }

  void startLine();                 // unless the line has come to just the right place
  void marker(std::string_view c);  // "-", "?", ":": something may follow on the same line
  void colon();                     // right behind a key

  // A number, true, null, [], {}.
  void word(std::string_view text);
  // `folds`: long lines may be broken, as they may not in a key before its colon. The text is valid UTF-8.
  void text(std::string_view text, ScalarStyle style, bool folds);

  [[nodiscard]] std::string finish();

 private:
  static constexpr int kStep = 2, kWidth = 80;

  void put(std::string_view character);  // one column
  void lineFeed();
  void space();  // between a marker and what follows
  bool mayFold(std::string_view text, std::size_t at, bool afterSpace, bool folds) const;

  void plain(std::string_view text, bool folds);
  void singleQuoted(std::string_view text, bool folds);
  void doubleQuoted(std::string_view text, bool folds);
  void literal(std::string_view text);
  void literalHints(std::string_view text);
  void escaped(char32_t c);
  void textBreak(std::string_view character, char32_t c);

  YamlStyle style_;
  std::string out_;
  int indent_ = -1, column_ = 0;
  bool afterBlank_ = true, onlyIndentation_ = true;
};

}  // namespace ingot::json::yaml
