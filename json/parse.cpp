#include "json/value.hpp"

namespace ingot::json {

ParseError::ParseError(const std::string& problem, std::size_t line, std::size_t column, std::size_t offset)
    : Error(line == 0 ? problem : fmt::format("{} at line {}, column {}", problem, line, column)),
      line_(line),
      column_(column),
      offset_(offset) {}

// One document at the beginning of a text.
class DocumentParser {
 public:
  DocumentParser(std::string_view text, ParseLimits limits) : text_(text) {
    if (text.size() > limits.bytes)
      throw ParseError(fmt::format("document of {} bytes is over the limit of {}", text.size(), limits.bytes), 0, 0, 0);
    boost::json::parse_options options;
    options.max_depth = limits.depth;
    std::array<unsigned char, 4096> scratch;  // what most documents need while they are put together
    boost::json::stream_parser parser({}, options, scratch.data(), scratch.size());
    boost::system::error_code problem;
    end_ = parser.write_some(text.data(), text.size(), problem);
    if (problem) throw errorAt(end_, problem.message());
    if (!parser.done()) parser.finish(problem);
    if (problem) {
      ParseError error = errorAt(text.size(), "unexpected end of the document");
      error.endedEarly_ = true;
      throw error;
    }
    value_ = parser.release();
  }

  // After the document only white space may follow.
  void expectEnd() const {
    const auto rest = text_.find_first_not_of(" \t\r\n", end_);
    if (rest != std::string_view::npos) throw errorAt(rest, "extra data after the document");
  }

  [[nodiscard]] Value take() { return std::move(value_); }

 private:
  [[nodiscard]] ParseError errorAt(std::size_t offset, const std::string& problem) const {
    const auto before = text_.substr(0, std::min(offset, text_.size()));
    const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
    const auto lineStart = before.rfind('\n');
    const auto column = before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1) + 1;
    return {problem, line, column, before.size()};
  }

  std::string_view text_;
  std::size_t end_ = 0;
  Value value_;
};

Value parse(std::string_view text, ParseLimits limits) {
  DocumentParser document(text, limits);
  document.expectEnd();
  return document.take();
}

Value parseFirst(std::string_view text, ParseLimits limits) { return DocumentParser(text, limits).take(); }

}  // namespace ingot::json
