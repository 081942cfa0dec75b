// Journals of hosts in one file, `journal` of the folder (journal_file.hpp). What is saved while the disk is at work is
// its next batch: a rack that is switched on at once costs a few syncs.
#pragma once

#include "agent/journal.hpp"
#include "base/offload.hpp"

namespace ingot::agent {

// Makes the folder. Files of one host each, as earlier versions wrote them, are read too, and go with the first write.
[[nodiscard]] std::unique_ptr<JournalStore> diskJournal(base::Executor executor, std::string folder,
                                                        std::unique_ptr<base::Offload> offload);

// For who only looks at it.
[[nodiscard]] std::unique_ptr<JournalStore> diskJournal(base::Executor executor, std::string folder);

}  // namespace ingot::agent
