#include "agent/erasure_records.hpp"

#include "agent/host_file.hpp"
#include "base/file.hpp"
#include "base/utf8.hpp"
#include "json/describe.hpp"

#include <filesystem>

namespace ingot::agent {

namespace {

std::optional<std::string> jobIn(const std::string& text) {
  try {
    return json::decode<bmc::ErasureRecord>(json::parse(text)).job;
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

bool isOver(const bmc::ErasureRecord& record) { return record.endedAt && !bmc::isUnderWay(record); }

// The record of an erasure that has ended is its certificate here. Throws base::Error.
void setFormerAside(const std::string& folder, const std::string& host, const std::string& job) {
  const auto file = fmt::format("{}/{}.json", folder, host);
  const auto text = base::readFileIfExists(file);
  const auto former = text ? jobIn(*text) : std::nullopt;
  if (!former || *former == job || !isHostFileName(*former)) return;
  std::error_code unmoved;  // then the new one takes its place
  std::filesystem::rename(file, fmt::format("{}/{}.{}.json", folder, host, *former), unmoved);
}

}  // namespace

// What is none of these is not there.
struct ErasureRecords::Reading {
  std::optional<bmc::ErasureRecord> record = std::nullopt;
  std::string damage = {};    // it was set aside
  std::string obstacle = {};  // why it could not be read
};

ErasureRecords::ErasureRecords(base::Runtime runtime, std::string folder, std::shared_ptr<base::Offload> disk)
    : runtime_(std::move(runtime)),
      folder_(std::move(folder)),
      disk_(disk ? std::move(disk) : base::inLineOffload(runtime_.executor)) {
  if (folder_.empty()) return;
  base::makeFolder(folder_, 0700);
  try {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const auto host = entry.path().stem().string();
      if (entry.path().extension() == ".json" && isHostFileName(host)) take(host, read(fileOf(host)));
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw base::Error(fmt::format("the records of erasures cannot be read: {}", error.what()));
  }
}

std::optional<bmc::ErasureRecord> ErasureRecords::find(const std::string& host) const {
  if (const auto unread = unread_.find(host); unread != unread_.end()) throw base::Error(unread->second);
  const auto found = records_.find(host);
  return found == records_.end() ? std::nullopt : std::optional(*found->second);
}

base::Task<void> ErasureRecords::readAgain(std::string host) {
  if (unread_.contains(host)) take(host, co_await readOnDisk(host));
}

base::Task<std::optional<bmc::ErasureRecord>> ErasureRecords::readEnded(std::string host) {
  auto reading = co_await readOnDisk(host);
  if (!reading.obstacle.empty()) throw base::Error(reading.obstacle);
  tellDamage(host, reading);
  co_return std::move(reading.record);
}

base::Task<ErasureRecords::Reading> ErasureRecords::readOnDisk(std::string host) {
  const auto reading = std::make_shared<Reading>();
  co_await base::carriedOut(runtime_.executor, *disk_, [reading, file = fileOf(host)] { *reading = read(file); });
  co_return std::move(*reading);
}

// Away from the loop, but for those that are there at the start.
ErasureRecords::Reading ErasureRecords::read(const std::string& file) {
  std::optional<std::string> text;
  try {
    text = base::readFileIfExists(file);
  } catch (const base::Error& error) {
    return {.obstacle = error.what()};
  }
  if (!text) return {};
  try {
    return {.record = json::decode<bmc::ErasureRecord>(json::parse(*text))};
  } catch (const base::Error& error) {
    std::error_code unmoved;  // the next record takes its place then
    std::filesystem::rename(file, file + ".damaged", unmoved);
    return {.damage = error.what()};
  }
}

void ErasureRecords::take(const std::string& host, Reading reading) {
  unread_.erase(host);
  if (!reading.obstacle.empty()) unread_[host] = std::move(reading.obstacle);
  tellDamage(host, reading);
  if (reading.record && isOver(*reading.record))
    onDisk_.insert(host);
  else if (reading.record)
    records_[host] = std::make_shared<bmc::ErasureRecord>(std::move(*reading.record));
}

void ErasureRecords::tellDamage(const std::string& host, const Reading& reading) {
  if (!reading.damage.empty())
    runtime_.log.error("the record of an erasure is damaged; it is set aside and the drives are erased again",
                       {{"file", fileOf(host)}, {"error", reading.damage}});
}

base::Task<void> ErasureRecords::save(std::string host, bmc::ErasureRecord record) {
  if (!folder_.empty()) requireHostFileName(host);
  static_cast<void>(find(host));  // nothing is written over one that could not be read
  // It repeats texts of BMCs, and bytes that are no UTF-8 could not be read back.
  auto text = base::toUtf8(json::serialize(json::encode(record)));
  const auto kept = std::make_shared<const bmc::ErasureRecord>(std::move(record));
  records_[host] = kept;
  onDisk_.erase(host);
  if (folder_.empty()) co_return;
  const bool isNew = current_[host] != kept->job;
  auto write = [folder = folder_, host, job = kept->job, isNew, text = std::move(text)] {
    if (isNew) setFormerAside(folder, host, job);
    base::writeFileAtomically(fmt::format("{}/{}.json", folder, host), text, 0600);
  };
  co_await base::carriedOut(runtime_.executor, *disk_, std::move(write),
                            [this, here = std::weak_ptr(here_), host, kept](const std::exception_ptr& failure) {
                              if (!here.expired()) ended(host, kept, failure);
                            });
}

void ErasureRecords::ended(const std::string& host, const Kept& written, const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    if (refused_.insert(host).second)
      runtime_.log.error("the record of an erasure cannot be written",
                         {{"file", fileOf(host)}, {"error", error.what()}});
    return;
  }
  current_[host] = written->job;
  const auto held = records_.find(host);
  if (isOver(*written) && held != records_.end() && held->second == written) {  // or it was changed since
    records_.erase(held);
    current_.erase(host);
    onDisk_.insert(host);
  }
  if (refused_.erase(host) > 0)
    runtime_.log.info("the record of an erasure is written again", {{"file", fileOf(host)}});
}

std::string ErasureRecords::fileOf(const std::string& host) const { return folder_ + "/" + host + ".json"; }

}  // namespace ingot::agent
