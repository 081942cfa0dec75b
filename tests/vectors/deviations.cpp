#include "tests/vectors/deviations.hpp"

#include "json/config.hpp"
#include "tests/vectors/files.hpp"

namespace ingot::vectors {

namespace {

struct Entry : Deviation {
  static void describe(auto& v) {
    v.field("name", &Entry::name);
    v.field("errorContains", &Entry::errorContains);
    v.field("inContains", &Entry::inContains);
    v.field("outContains", &Entry::outContains);
    v.field("ours", &Entry::ours);
    v.field("reason", &Entry::reason);
  }
};

struct Listing {
  std::map<std::string, std::vector<Entry>> files;
  static void describe(auto& v) { v.field("deviations", &Listing::files); }
};

bool selectsOnce(const Entry& entry) {
  const std::array selectors{&entry.name, &entry.errorContains, &entry.inContains, &entry.outContains};
  return std::ranges::count_if(selectors, [](const std::string* text) { return !text->empty(); }) == 1;
}

bool isPart(const std::string& wanted, std::string_view text) { return !wanted.empty() && text.contains(wanted); }

bool selects(const Deviation& d, const Line& line) {
  if (d.name == line.name || isPart(d.errorContains, line.error.value_or(""))) return true;
  if (line.out.is_string() && isPart(d.outContains, line.out.get_string())) return true;
  return !d.inContains.empty() && isPart(d.inContains, json::serialize(line.in));
}

}  // namespace

Deviations Deviations::read(const std::string& path) {
  const auto listing = json::loadConfig<Listing>(readFile(path), path);
  Deviations out;
  for (const auto& [file, entries] : listing.files) {
    for (const auto& entry : entries) {
      if (entry.reason.empty() || !selectsOnce(entry))
        throw base::InvalidInput(
            path, file + ": an entry has a reason, and one of name, errorContains, inContains, outContains");
      out.byFile_[file].push_back(entry);
    }
  }
  return out;
}

const Deviation* Deviations::find(const std::string& file, const Line& line, const std::string& difference) const {
  const auto all = byFile_.find(file);
  if (all == byFile_.end()) return nullptr;
  for (const auto& d : all->second)
    if (selects(d, line) && (difference.empty() || difference.contains(d.ours))) return &d;
  return nullptr;
}

std::vector<std::string> Deviations::namesFor(const std::string& file) const {
  std::vector<std::string> out;
  if (const auto all = byFile_.find(file); all != byFile_.end())
    for (const auto& d : all->second)
      if (!d.name.empty()) out.push_back(d.name);
  return out;
}

}  // namespace ingot::vectors
