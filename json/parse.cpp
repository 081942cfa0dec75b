#include "json/value.hpp"

namespace ingot::json {

ParseError::ParseError(const std::string& problem, std::size_t line, std::size_t column, std::size_t offset)
    : Error(line == 0 ? problem : fmt::format("{} at line {}, column {}", problem, line, column)),
      line_(line), column_(column), offset_(offset) {}

namespace {

ParseError errorAt(std::string_view text, std::size_t offset, const std::string& problem) {
  const auto before = text.substr(0, std::min(offset, text.size()));
  const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  const auto lineStart = before.rfind('\n');
  const auto column = before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1) + 1;
  return {problem, line, column, before.size()};
}

// After the document only white space may follow.
void expectEnd(std::string_view text, std::size_t from) {
  const auto rest = text.find_first_not_of(" \t\r\n", from);
  if (rest != std::string_view::npos) throw errorAt(text, rest, "extra data after the document");
}

}  // namespace

Value parse(std::string_view text, ParseLimits limits) {
  if (text.size() > limits.bytes)
    throw ParseError(fmt::format("document of {} bytes is over the limit of {}", text.size(), limits.bytes), 0, 0, 0);
  boost::json::parse_options options;
  options.max_depth = limits.depth;
  boost::json::stream_parser parser({}, options);
  boost::system::error_code problem;
  const std::size_t used = parser.write_some(text.data(), text.size(), problem);
  if (problem) throw errorAt(text, used, problem.message());
  expectEnd(text, used);
  parser.finish(problem);
  if (problem) throw errorAt(text, text.size(), "unexpected end of the document");
  return parser.release();
}

}  // namespace ingot::json
