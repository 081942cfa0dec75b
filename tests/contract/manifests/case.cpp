#include "tests/contract/manifests/case.hpp"

#include "base/file.hpp"

#include <charconv>

namespace ingot::contract {

namespace {

constexpr std::string_view kHere = "@here@";  // stands for the text of a new value

json::Value& step(json::Value& v, const Path::value_type& part) {
  if (const auto* name = std::get_if<std::string>(&part)) return v.at(*name);
  return v.at(std::get<std::size_t>(part));
}

void replaceAll(std::string& text, std::string_view what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

// ["n#"]*3 gives ["n0","n1","n2"]; #.# counts as the last two numbers of an address do.
std::string repeated(std::string_view one, std::size_t times) {
  const bool text = one.front() == '"';
  const std::string inner(one.substr(1, one.size() - 2));
  std::string out;
  for (std::size_t i = 0; i < times; ++i) {
    std::string copy = inner;
    if (!text) {
      replaceAll(copy, "#.#", fmt::format("{}.{}", i / 256, i % 256));
      replaceAll(copy, "#", std::to_string(i));
      if (i > 0) out += ',';
    }
    out += copy;
  }
  return one.front() + out + one.back();
}

std::string valueText(const std::string& with) {
  const auto star = with.rfind('*');
  if (star == std::string::npos || star == 0 || (with[star - 1] != '"' && with[star - 1] != ']')) return with;
  std::size_t times = 0;
  const auto end = std::from_chars(with.data() + star + 1, with.data() + with.size(), times);
  if (end.ptr != with.data() + with.size() || end.ptr == with.data() + star + 1) return with;
  return repeated(std::string_view(with).substr(0, star), times);
}

std::vector<std::string> columns(const std::string& line) {
  std::vector<std::string> out;
  std::size_t from = 0;
  for (auto tab = line.find('\t'); tab != std::string::npos; tab = line.find('\t', from)) {
    out.push_back(line.substr(from, tab - from));
    from = tab + 1;
  }
  out.push_back(line.substr(from));
  return out;
}

}  // namespace

Path pathOf(std::string_view text) {
  Path out;
  while (!text.empty()) {
    if (text.front() == '.') text.remove_prefix(1);
    if (text.front() == '[') {
      const auto end = text.find(']');
      std::size_t index = 0;
      std::from_chars(text.data() + 1, text.data() + end, index);
      out.emplace_back(index);
      text.remove_prefix(end + 1);
    } else {
      const auto end = std::min(text.find_first_of(".["), text.size());
      out.emplace_back(std::string(text.substr(0, end)));
      text.remove_prefix(end);
    }
  }
  return out;
}

std::string Case::applied(json::Value document) const {
  Path path = pathOf(where);
  const auto last = path.back();
  path.pop_back();
  json::Value* parent = &document;
  for (const auto& part : path) parent = &step(*parent, part);
  if (with == "-") {
    parent->as_object().erase(std::get<std::string>(last));
    return json::serialize(document);
  }
  if (with == "twice") {
    json::Array& list = step(*parent, last).as_array();
    list.push_back(json::Value(list.front()));
    return json::serialize(document);
  }
  if (const auto* name = std::get_if<std::string>(&last))
    parent->as_object()[*name] = kHere;
  else
    step(*parent, last) = kHere;
  std::string out = json::serialize(document);
  replaceAll(out, "\"" + std::string(kHere) + "\"", valueText(with));
  return out;
}

std::string Case::text() const { return fmt::format("{} {} {}", breaks, where, with.substr(0, 60)); }

std::vector<Case> readCases(const std::string& file) {
  std::vector<Case> out;
  const std::string text = base::readFile(file);
  for (std::size_t from = 0, end = 0; from < text.size(); from = end + 1) {
    end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    if (line.empty() || line.starts_with('#')) continue;
    auto cells = columns(line);
    if (cells.size() != 4) throw base::InvalidInput(file, "four columns are wanted: " + line);
    out.push_back({std::move(cells[0]), std::move(cells[1]), std::move(cells[2]), std::move(cells[3])});
  }
  return out;
}

}  // namespace ingot::contract
