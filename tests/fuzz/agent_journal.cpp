// A journal of an agent that somebody or something has written to: it is read, or called damaged; what was read can be
// written and is then read again.
#include "agent/journal.hpp"
#include "agent/journal_file.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace ingot;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& [host, record] : agent::readJournalText(text).records) {
    if (host.empty() && record.empty()) continue;
    try {
      const auto journal = json::decode<agent::HostJournal>(json::parse(record));
      const auto written = json::serialize(json::encode(journal));
      if (json::serialize(json::encode(json::decode<agent::HostJournal>(json::parse(written)))) != written)
        std::abort();
    } catch (const base::Error&) {
    }
  }
  return 0;
}
