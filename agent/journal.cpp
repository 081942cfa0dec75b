#include "agent/journal.hpp"

#include "base/file.hpp"

#include <filesystem>

namespace ingot::agent {

namespace {

constexpr std::size_t mostUnacknowledged = 16;  // per host; older ones are worth nothing once newer ones exist
constexpr std::string_view suffix = ".json";
constexpr std::string_view termFile = "/term";

void requireFileName(const std::string& host) {
  const bool plain = !host.empty() && host.size() <= 64 &&
                     std::ranges::all_of(host, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
  if (!plain) throw base::InvalidInput("host uid", "must be letters, digits and dashes, at most 64");
}

class DiskJournal final : public JournalStore {
 public:
  explicit DiskJournal(std::string folder) : folder_(std::move(folder)) { base::makeFolder(folder_, 0700); }

  std::map<std::string, HostJournal> load() override {
    std::map<std::string, HostJournal> hosts;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const auto name = entry.path().filename().string();
      if (!name.ends_with(suffix)) continue;
      hosts[name.substr(0, name.size() - suffix.size())] = read(entry.path().string());
    }
    return hosts;
  }

  void save(const std::string& host, const HostJournal& journal) override {
    requireFileName(host);
    base::writeFileAtomically(folder_ + "/" + host + std::string(suffix), json::serialize(json::encode(journal)), 0600);
  }

  void remove(const std::string& host) override {
    requireFileName(host);
    std::filesystem::remove(folder_ + "/" + host + std::string(suffix));
  }

  std::int64_t loadTerm() override {
    const auto text = base::readFileIfExists(folder_ + std::string(termFile));
    if (!text) return 0;
    std::int64_t term = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), term);
    if (error != std::errc() || end != text->data() + text->size())
      throw base::Error(folder_ + std::string(termFile) + ": not a number; restore it, or remove it once the " +
                        "coordinator has a new term");
    return term;
  }

  void saveTerm(std::int64_t term) override {
    base::writeFileAtomically(folder_ + std::string(termFile), std::to_string(term), 0600);
  }

 private:
  static HostJournal read(const std::string& path) {
    try {
      return json::decode<HostJournal>(json::parse(base::readFile(path)));
    } catch (const base::Error& error) {
      throw base::Error(
          fmt::format("{}: {}; without it old commands could be obeyed again: restore it, or remove it once "
                      "the coordinator has a new term",
                      path, error.what()));
    }
  }

  std::string folder_;
};

void keepNewest(std::vector<wire::CommandResult>& results) {
  if (results.size() > mostUnacknowledged) results.erase(results.begin(), results.end() - mostUnacknowledged);
}

wire::CommandResult cutShort(const std::string& host, const HostJournal& journal) {
  wire::CommandResult result{.host = host, .token = journal.highest, .action = journal.running};
  if (journal.untouched) {
    result.outcome = "refused";
    result.errorCode = "not-asked";
    result.error = fmt::format("the agent stopped before it asked the BMC for '{}'", journal.running);
  } else {
    result.outcome = "unknown";
    result.error = fmt::format("the agent stopped while it carried out '{}'", journal.running);
  }
  return result;
}

}  // namespace

std::unique_ptr<JournalStore> diskJournal(std::string folder) {
  return std::make_unique<DiskJournal>(std::move(folder));
}

Journal::Journal(JournalStore& store) : store_(store), hosts_(store.load()), term_(store.loadTerm()) {
  settleCutShort();
  prune();
}

void Journal::settleCutShort() {
  for (auto& [host, journal] : hosts_) {
    if (journal.running.empty()) continue;
    journal.unacknowledged.push_back(cutShort(host, journal));
    keepNewest(journal.unacknowledged);
    journal.running.clear();
    journal.untouched = false;
    store_.save(host, journal);
  }
}

void Journal::prune() {
  const auto present = highestTerm();
  std::erase_if(hosts_, [&](const auto& entry) {
    const bool worthless = entry.second.unacknowledged.empty() && entry.second.highest.term < present;
    if (worthless) store_.remove(entry.first);
    return worthless;
  });
}

bool Journal::begin(const std::string& host, const wire::Token& token, const std::string& action) {
  HostJournal next = hosts_[host];
  if (token <= next.highest) return false;
  next.highest = token;
  next.running = action;
  next.untouched = true;
  store_.save(host, next);
  hosts_[host] = std::move(next);
  return true;
}

void Journal::asking(const std::string& host, const MachineTime& time) {
  HostJournal& journal = hosts_[host];
  if (!journal.untouched) return;
  HostJournal next = journal;
  next.untouched = false;
  next.asked = {.token = next.highest, .boot = time.boot, .ms = time.ms()};
  store_.save(host, next);
  journal = std::move(next);
}

bool Journal::hasAsked(const std::string& host) const {
  const auto found = hosts_.find(host);
  return found != hosts_.end() && !found->second.running.empty() && !found->second.untouched;
}

void Journal::finish(const wire::CommandResult& result) {
  HostJournal& journal = hosts_[result.host];
  journal.running.clear();
  journal.untouched = false;
  journal.unacknowledged.push_back(result);
  keepNewest(journal.unacknowledged);
  store_.save(result.host, journal);
}

void Journal::acknowledge(const std::string& host, const wire::Token& token) {
  const auto found = hosts_.find(host);
  if (found == hosts_.end()) return;
  const auto before = found->second.unacknowledged.size();
  std::erase_if(found->second.unacknowledged, [&](const auto& result) { return result.token == token; });
  if (found->second.unacknowledged.size() != before) store_.save(host, found->second);
}

wire::CommandResult Journal::dated(wire::CommandResult result, const MachineTime& time) const {
  const auto found = hosts_.find(result.host);
  if (found == hosts_.end()) return result;
  const AskedAt& asked = found->second.asked;
  const bool sameClock = !time.boot.empty() && asked.boot == time.boot && asked.ms <= time.ms();
  if (asked.token == result.token && sameClock) result.askedAgoMs = time.ms() - asked.ms;
  return result;
}

std::vector<wire::CommandResult> Journal::unacknowledged() const {
  std::vector<wire::CommandResult> all;
  for (const auto& [host, journal] : hosts_)
    all.insert(all.end(), journal.unacknowledged.begin(), journal.unacknowledged.end());
  return all;
}

bool Journal::owesResult(const std::string& host) const {
  const auto found = hosts_.find(host);
  return found != hosts_.end() && !found->second.unacknowledged.empty();
}

std::vector<std::string> Journal::owing() const {
  std::vector<std::string> hosts;
  for (const auto& [host, journal] : hosts_)
    if (!journal.unacknowledged.empty()) hosts.push_back(host);
  return hosts;
}

std::optional<wire::CommandResult> Journal::settle(const std::string& host, const wire::Token& token) {
  HostJournal next = hosts_[host];
  const auto told = std::ranges::find(next.unacknowledged, token, &wire::CommandResult::token);
  if (told != next.unacknowledged.end()) return *told;
  if (token == next.highest && !next.running.empty()) return std::nullopt;
  wire::CommandResult result{.host = host, .token = token};
  if (token <= next.highest) {
    result.outcome = "unknown";
    result.error = "the result of this command was told before";
    return result;
  }
  next.highest = token;
  store_.save(host, next);
  hosts_[host] = std::move(next);
  result.outcome = "refused";
  result.errorCode = "not-received";
  result.error = "the command never reached the agent";
  return result;
}

void Journal::raiseTerm(std::int64_t term) {
  if (term <= term_) return;
  store_.saveTerm(term);
  term_ = term;
}

std::int64_t Journal::highestTerm() const {
  std::int64_t term = term_;
  for (const auto& [host, journal] : hosts_) term = std::max(term, journal.highest.term);
  return term;
}

wire::Token Journal::highest(const std::string& host) const {
  const auto found = hosts_.find(host);
  return found == hosts_.end() ? wire::Token{} : found->second.highest;
}

}  // namespace ingot::agent
