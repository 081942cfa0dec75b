// A reader of Prometheus' text format, as strict as a scraper.
#pragma once

#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ingot::tests {

class Exposition {
 public:
  explicit Exposition(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) take(line);
    if (!text.empty() && text.back() != '\n') problems_.emplace_back("the last line does not end");
  }

  // Of the series with exactly these labels, `a="1",b="2"`. Throws when there is none.
  [[nodiscard]] double value(const std::string& name, const std::string& labels = "") const {
    const auto found = samples_.find(labels.empty() ? name : name + "{" + labels + "}");
    if (found == samples_.end()) throw std::out_of_range("no series " + name + "{" + labels + "}");
    return found->second;
  }
  [[nodiscard]] std::string type(const std::string& family) const {
    const auto found = types_.find(family);
    return found == types_.end() ? "" : found->second;
  }
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  void take(const std::string& line) {
    static const std::regex help("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)"),
        type("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)"),
        sample(
            R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\.)*"(?:,[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\.)*")*\})? (\S+))re");
    std::smatch part;
    if (std::regex_match(line, part, help)) {
      if (!helped_.insert(part[1].str()).second) problems_.push_back("told twice: " + line);
    } else if (std::regex_match(line, part, type)) {
      if (!types_.emplace(part[1].str(), part[2].str()).second) problems_.push_back("typed twice: " + line);
      family_ = part[1].str();
    } else if (std::regex_match(line, part, sample)) {
      takeSample(part[1].str(), part[2].str(), part[3].str());
    } else {
      problems_.push_back("not understood: " + line);
    }
  }

  void takeSample(const std::string& name, const std::string& labels, const std::string& number) {
    const bool isPart = types_[family_] == "histogram" &&
                        (name == family_ + "_bucket" || name == family_ + "_sum" || name == family_ + "_count");
    if (name != family_ && !isPart) problems_.push_back(name + " stands below " + family_);
    if (!helped_.contains(family_)) problems_.push_back(family_ + " is not explained");
    if (!samples_.emplace(name + labels, std::stod(number)).second) problems_.push_back("twice: " + name + labels);
  }

  std::string family_;
  std::set<std::string> helped_;
  std::map<std::string, std::string> types_;
  std::map<std::string, double> samples_;
  std::vector<std::string> problems_;
};

}  // namespace ingot::tests
