// What a bundle holds so far, and what it could not be given. Whatever goes in is redacted here.
#pragma once

#include "cli/bundle/archive.hpp"
#include "cli/bundle/redaction.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::cli::bundle {

class Contents {
 public:
  // Both outlive this.
  Contents(Archive& archive, const Redaction& redaction) : archive_(archive), redaction_(redaction) {}

  [[nodiscard]] Spool spool() const { return Spool(archive_.path()); }
  [[nodiscard]] const Redaction& redaction() const { return redaction_; }

  // A text of lines. `about`: what it is, for the index.
  void add(const std::string& name, std::string_view about, std::string_view text);
  // One whose parts were redacted before they were spooled. Nothing where it is empty.
  void addRedacted(const std::string& name, std::string_view about, const Spool& text);

  // What is not in it, and why: a line of errors.txt.
  void missing(std::string_view what, std::string_view why);
  // The same of what this server does not have at all: told there and nowhere else.
  void absent(std::string_view what);
  // What is worth knowing all the same: a line of index.txt.
  void remark(std::string_view line);

  [[nodiscard]] std::size_t files() const { return files_.size(); }
  // Without what is absent.
  [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
  [[nodiscard]] std::string firstError() const;

  // The index and the errors.
  void close(std::string_view head);

 private:
  [[nodiscard]] std::string nameFor(const std::string& name);

  Archive& archive_;
  const Redaction& redaction_;
  std::vector<std::string> files_;  // lines of the index
  std::vector<std::string> errors_, absent_, remarks_;
  std::set<std::string, std::less<>> names_;
};

// A name that others have given, as part of a path.
[[nodiscard]] std::string pathWord(std::string_view name);

}  // namespace ingot::cli::bundle
