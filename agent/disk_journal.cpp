#include "agent/disk_journal.hpp"

#include "agent/host_file.hpp"
#include "agent/journal_file.hpp"
#include "base/file.hpp"
#include "base/sync.hpp"
#include "base/utf8.hpp"

#include <charconv>
#include <filesystem>

namespace ingot::agent {

namespace {

constexpr std::string_view formerSuffix = ".json";
constexpr std::uint64_t leastToRewrite = 1u << 20;  // bytes
constexpr std::uint64_t mostOutdated = 4;           // times what is needed

std::optional<HostJournal> parsed(const std::string& text) {
  try {
    return json::decode<HostJournal>(json::parse(text));
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

void copyAside(const std::string& path) {
  std::error_code unreadable;  // then there is nothing to keep
  std::filesystem::copy_file(path, path + ".damaged", std::filesystem::copy_options::overwrite_existing, unreadable);
}

class DiskJournal final : public JournalStore {
 public:
  DiskJournal(base::Executor executor, std::string folder, std::unique_ptr<base::Offload> offload)
      : executor_(executor),
        folder_(std::move(folder)),
        file_(folder_ + "/journal"),
        written_(executor),
        offload_(std::move(offload)) {
    base::makeFolder(folder_, 0700);
  }
  ~DiskJournal() override {
    offload_.reset();
    if (isWriting_) isWhole_ = false;  // nobody has told how that ended
    try {
      flush();
    } catch (const base::Error&) {  // as after a crash: what was to be on the disk was waited for
    }
  }

  std::map<std::string, HostJournal> load() override {
    std::map<std::string, HostJournal> hosts;
    readFormer(hosts);
    auto content = file_.read();
    for (auto& [host, text] : content.records) take(hosts, host, text);
    if (content.isDamaged) {
      copyAside(folder_ + "/journal");
      damaged_.emplace_back(everyHost);
    }
    for (const auto& [host, journal] : hosts) all_[host] = textOf(journal);
    return hosts;
  }

  std::vector<std::string> damaged() const override { return damaged_; }

  void save(const std::string& host, const HostJournal& journal) override {
    if (host != everyHost) requireHostFileName(host);
    auto text = textOf(journal);
    all_[host] = text;
    note(host, std::move(text));
  }

  void remove(const std::string& host) override {
    all_.erase(host);
    note(host, std::nullopt);
  }

  base::Task<void> synced() override {
    const auto wanted = saved_;
    const auto failures = failures_;
    startBatch();
    while (durable_ < wanted) {
      if (failures_ > failures && failed_ >= wanted) throw base::Error(trouble_);
      co_await written_.wait();
    }
  }

  void flush() override {
    if (durable_ == saved_) return;
    write(isRewriteDue(), std::exchange(batch_, {}), all_);
    isWhole_ = true;
    durable_ = saved_;
  }

  std::int64_t loadTerm() override {
    const auto text = base::readFileIfExists(termFile());
    if (!text) return 0;
    std::int64_t term = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), term);
    if (error != std::errc() || end != text->data() + text->size())
      throw base::Error(termFile() + ": not a number; restore it, or remove it once the coordinator has a new term");
    return term;
  }

  base::Task<void> saveTerm(std::int64_t term) override {
    co_await base::carriedOut(executor_, *offload_, [file = termFile(), text = std::to_string(term)] {
      base::writeFileAtomically(file, text, 0600);
    });
  }

 private:
  // The journal repeats texts of BMCs, and bytes that are no UTF-8 could not be read back.
  static std::string textOf(const HostJournal& journal) { return base::toUtf8(json::serialize(json::encode(journal))); }

  [[nodiscard]] std::string termFile() const { return folder_ + "/term"; }

  void take(std::map<std::string, HostJournal>& hosts, const std::string& host, const std::string& text) {
    auto journal = parsed(text);
    if (!journal) return damaged_.push_back(host);
    const auto found = hosts.find(host);  // by an earlier version, maybe after this one
    if (found == hosts.end() || found->second.highest <= journal->highest) hosts[host] = std::move(*journal);
  }

  void readFormer(std::map<std::string, HostJournal>& hosts) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const auto name = entry.path().filename().string();
      if (!name.ends_with(formerSuffix)) continue;
      const auto host = name.substr(0, name.size() - formerSuffix.size());
      if (!isHostFileName(host) || entry.is_directory()) continue;  // somebody else's
      former_.push_back(entry.path().string());
      try {
        take(hosts, host, base::readFile(entry.path().string()));
      } catch (const base::Error&) {
        damaged_.push_back(host);
      }
      if (std::ranges::count(damaged_, host) > 0) copyAside(entry.path().string());
    }
  }

  void note(const std::string& host, std::optional<std::string> text) {
    batch_[host] = std::move(text);
    ++saved_;
    if (isStarted_) startBatch();
  }

  [[nodiscard]] bool isRewriteDue() const {
    std::uint64_t needed = 0;
    if (isWhole_ && file_.size() < leastToRewrite) return false;
    for (const auto& [host, text] : all_) needed += text.size();
    return !isWhole_ || file_.size() > mostOutdated * needed;
  }

  void startBatch() {
    isStarted_ = true;
    const bool isOwed = !isWhole_ && durable_ < saved_;  // what the disk did not take the last time
    if (isWriting_ || (batch_.empty() && !isOwed)) return;
    isWriting_ = true;
    const bool rewrites = isRewriteDue();
    offload_->start([this, rewrites, batch = std::exchange(batch_, {}),
                     all = rewrites ? all_ : JournalFile::Records{}] { write(rewrites, batch, all); },
                    [this, end = saved_, here = std::weak_ptr(here_)](const std::exception_ptr& failure) {
                      if (!here.expired()) ended(end, failure);
                    });
  }

  // Away from the loop, one at a time.
  void write(bool rewrites, const JournalFile::Batch& batch, const JournalFile::Records& all) {
    if (!rewrites) return file_.append(batch);
    file_.rewrite(all);
    for (const auto& path : std::exchange(former_, {})) {
      std::error_code tooLate;  // the later of both counts
      std::filesystem::remove(path, tooLate);
    }
  }

  void ended(std::uint64_t end, const std::exception_ptr& failure) {
    isWriting_ = false;
    isWhole_ = failure == nullptr;
    if (isWhole_)
      durable_ = end;
    else
      noteFailure(end, failure);
    written_.notifyAll();
    if (!batch_.empty()) startBatch();  // a disk that is full is tried again with what comes next
  }

  void noteFailure(std::uint64_t end, const std::exception_ptr& failure) {
    failed_ = end;
    ++failures_;
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      trouble_ = error.what();
    }
  }

  base::Executor executor_;
  std::string folder_;
  JournalFile file_;
  std::vector<std::string> damaged_, former_;
  JournalFile::Records all_;
  JournalFile::Batch batch_;  // what is to be written next
  std::uint64_t saved_ = 0, durable_ = 0, failed_ = 0, failures_ = 0;
  std::string trouble_;
  bool isStarted_ = false;  // what is decided at a start is written by flush()
  bool isWriting_ = false;
  bool isWhole_ = false;  // the file holds what it is taken to
  base::Notifier written_;
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
  std::unique_ptr<base::Offload> offload_;
};

}  // namespace

std::unique_ptr<JournalStore> diskJournal(base::Executor executor, std::string folder,
                                          std::unique_ptr<base::Offload> offload) {
  return std::make_unique<DiskJournal>(std::move(executor), std::move(folder), std::move(offload));
}

std::unique_ptr<JournalStore> diskJournal(base::Executor executor, std::string folder) {
  auto offload = base::inLineOffload(executor);
  return diskJournal(std::move(executor), std::move(folder), std::move(offload));
}

}  // namespace ingot::agent
