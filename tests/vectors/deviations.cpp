#include "tests/vectors/deviations.hpp"

#include "json/config.hpp"
#include "tests/vectors/files.hpp"

namespace ingot::vectors {

namespace {

struct Entry : Deviation {
  static void describe(auto& v) {
    v.field("name", &Entry::name);
    v.field("errorContains", &Entry::errorContains);
    v.field("ours", &Entry::ours);
    v.field("reason", &Entry::reason);
  }
};

struct Listing {
  std::map<std::string, std::vector<Entry>> files;
  static void describe(auto& v) { v.field("deviations", &Listing::files); }
};

}  // namespace

Deviations Deviations::read(const std::string& path) {
  const auto listing = json::loadConfig<Listing>(readFile(path), path);
  Deviations out;
  for (const auto& [file, entries] : listing.files) {
    for (const auto& entry : entries) {
      if (entry.reason.empty() || entry.name.empty() == entry.errorContains.empty())
        throw base::InvalidInput(path, file + ": an entry has a reason, and either a name or errorContains");
      out.byFile_[file].push_back(entry);
    }
  }
  return out;
}

const Deviation* Deviations::find(const std::string& file, const Line& line, const std::string& difference) const {
  const auto all = byFile_.find(file);
  if (all == byFile_.end()) return nullptr;
  for (const auto& d : all->second) {
    const bool byName = !d.name.empty() && d.name == line.name;
    const bool byError =
        !d.errorContains.empty() && line.error && line.error->find(d.errorContains) != std::string::npos;
    if ((byName || byError) && (difference.empty() || difference.find(d.ours) != std::string::npos)) return &d;
  }
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
