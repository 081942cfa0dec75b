#include "agent/erasure_records.hpp"

#include "agent/host_file.hpp"
#include "base/file.hpp"
#include "base/utf8.hpp"
#include "json/describe.hpp"

#include <filesystem>

namespace ingot::agent {

ErasureRecords::ErasureRecords(base::Runtime runtime, std::string folder)
    : runtime_(std::move(runtime)), folder_(std::move(folder)) {
  if (!folder_.empty()) base::makeFolder(folder_, 0700);
}

std::optional<bmc::ErasureRecord> ErasureRecords::find(const std::string& host) {
  if (const auto found = inMemory_.find(host); found != inMemory_.end()) return found->second;
  if (folder_.empty()) return std::nullopt;
  if (!isHostFileName(host)) return std::nullopt;
  const auto file = fileOf(host);
  std::optional<std::string> text;
  try {
    text = base::readFileIfExists(file);
  } catch (const base::Error& error) {  // that may pass
    runtime_.log.error("the record of an erasure cannot be read", {{"file", file}, {"error", error.what()}});
  }
  if (!text) return std::nullopt;
  try {
    return json::decode<bmc::ErasureRecord>(json::parse(*text));
  } catch (const base::Error& error) {
    runtime_.log.error("the record of an erasure is damaged; it is set aside and the drives are erased again",
                       {{"file", file}, {"error", error.what()}});
    std::error_code unmoved;  // the next record takes its place then
    std::filesystem::rename(file, file + ".damaged", unmoved);
    return std::nullopt;
  }
}

void ErasureRecords::save(const std::string& host, const bmc::ErasureRecord& record) {
  if (folder_.empty()) {
    inMemory_[host] = record;
    return;
  }
  requireHostFileName(host);
  try {
    write(host, record);
  } catch (const base::Error& error) {
    if (inMemory_.insert_or_assign(host, record).second)
      runtime_.log.error("the record of an erasure cannot be written",
                         {{"file", fileOf(host)}, {"error", error.what()}});
    throw;
  }
  if (inMemory_.erase(host) > 0)
    runtime_.log.info("the record of an erasure is written again", {{"file", fileOf(host)}});
}

void ErasureRecords::write(const std::string& host, const bmc::ErasureRecord& record) {
  keepFormer(host, record.job);
  // It repeats texts of BMCs, and bytes that are no UTF-8 could not be read back.
  base::writeFileAtomically(fileOf(host), base::toUtf8(json::serialize(json::encode(record))), 0600);
}

// The record of an erasure that has ended is its certificate here.
void ErasureRecords::keepFormer(const std::string& host, const std::string& job) {
  if (current_[host] == job) return;
  if (const auto former = find(host); former && former->job != job && isHostFileName(former->job)) {
    std::error_code unmoved;  // then the new one takes its place
    std::filesystem::rename(fileOf(host), fmt::format("{}/{}.{}.json", folder_, host, former->job), unmoved);
  }
  current_[host] = job;
}

std::string ErasureRecords::fileOf(const std::string& host) const { return folder_ + "/" + host + ".json"; }

}  // namespace ingot::agent
