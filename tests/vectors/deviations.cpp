#include "tests/vectors/deviations.hpp"

#include "api/conversion/move.hpp"
#include "json/config.hpp"
#include "tests/vectors/files.hpp"

namespace ingot::vectors {

namespace {

struct Entry : Deviation {
  static void describe(auto& v) {
    v.field("name", &Entry::name);
    v.field("nameBegins", &Entry::nameBegins);
    v.field("errorContains", &Entry::errorContains);
    v.field("inContains", &Entry::inContains);
    v.field("outContains", &Entry::outContains);
    v.field("ours", &Entry::ours);
    v.field("reason", &Entry::reason);
    v.field("leavesOut", &Entry::leavesOut);
  }
};

struct Listing {
  std::map<std::string, std::vector<Entry>> files;
  static void describe(auto& v) { v.field("deviations", &Listing::files); }
};

bool isComplete(const Entry& entry) {
  const std::array selectors{&entry.name, &entry.nameBegins, &entry.errorContains, &entry.inContains,
                             &entry.outContains};
  const auto selecting = std::ranges::count_if(selectors, [](const std::string* text) { return !text->empty(); });
  if (entry.reason.empty()) return false;
  return entry.leavesOut.empty() ? selecting == 1 && !entry.ours.empty() : selecting == 0 && entry.ours.empty();
}

bool isPart(const std::string& wanted, std::string_view text) { return !wanted.empty() && text.contains(wanted); }

bool selects(const Deviation& d, const Line& line) {
  if (!d.leavesOut.empty()) return true;
  if (d.name == line.name || (!d.nameBegins.empty() && line.name.starts_with(d.nameBegins))) return true;
  if (isPart(d.errorContains, line.error.value_or(""))) return true;
  if (line.out.is_string() && isPart(d.outContains, line.out.get_string())) return true;
  return !d.inContains.empty() && isPart(d.inContains, json::serialize(line.in));
}

json::Value without(const decltype(Deviation::leavesOut)& members, json::Value out) {
  for (const auto& [path, values] : members)
    api::conversion::visitObjects(out, path, [&](json::Object& object) {
      for (const auto& [name, value] : values)
        if (const auto* member = object.if_contains(name); member && json::equal(*member, value)) object.erase(name);
    });
  return out;
}

bool excuses(const Deviation& d, const Line& line, const Difference& difference) {
  if (!d.leavesOut.empty()) return answerText(without(d.leavesOut, line.out), line.error) == difference.got;
  return difference.got.contains(d.ours) && !difference.want.contains(d.ours);
}

bool standsFor(std::string_view named, std::string_view file) {
  return named.ends_with('*') ? file.starts_with(named.substr(0, named.size() - 1)) : named == file;
}

}  // namespace

Deviations Deviations::read(const std::string& path) {
  const auto listing = json::loadConfig<Listing>(readFile(path), path);
  Deviations out;
  for (const auto& [file, entries] : listing.files) {
    for (const auto& entry : entries) {
      if (!isComplete(entry))
        throw base::InvalidInput(path, file +
                                           ": an entry has a reason and either leavesOut, or what is ours and one of "
                                           "name, nameBegins, errorContains, inContains, outContains");
      out.byFile_[file].push_back(entry);
    }
  }
  return out;
}

std::vector<const Deviation*> Deviations::find(const std::string& file, const Line& line,
                                               const Outcome& difference) const {
  std::vector<const Deviation*> out;
  for (const auto& [named, entries] : byFile_) {
    if (!standsFor(named, file)) continue;
    for (const auto& d : entries)
      if (difference ? selects(d, line) && excuses(d, line, *difference) : d.name == line.name) out.push_back(&d);
  }
  return out;
}

std::vector<const Deviation*> Deviations::all() const {
  std::vector<const Deviation*> out;
  for (const auto& [file, entries] : byFile_)
    for (const auto& d : entries) out.push_back(&d);
  return out;
}

}  // namespace ingot::vectors
