#include "tests/vectors/vector_runner.hpp"

namespace ingot::vectors {

std::map<std::string, Run>& runners() {
  static std::map<std::string, Run> all;
  return all;
}

Registration::Registration(std::string file, Run run) { runners().emplace(std::move(file), std::move(run)); }

std::string answerText(const json::Value& out, const std::optional<std::string>& error) {
  const std::string text = out.is_string() ? std::string(out.get_string()) : json::serializeSorted(out);
  return (error ? "error: " + *error : "no error") + ", out: " + text;
}

Outcome compare(const Line& line, const json::Value& out, const std::optional<std::string>& error) {
  if (error == line.error && json::equal(out, line.out)) return std::nullopt;
  return Difference{.want = answerText(line.out, line.error), .got = answerText(out, error)};
}

}  // namespace ingot::vectors
