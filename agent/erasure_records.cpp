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

ErasureRecords::ErasureRecords(base::Runtime runtime, std::string folder, std::shared_ptr<base::Offload> disk)
    : runtime_(std::move(runtime)),
      folder_(std::move(folder)),
      disk_(disk ? std::move(disk) : base::inLineOffload(runtime_.executor)) {
  if (!folder_.empty()) base::makeFolder(folder_, 0700);
}

std::optional<bmc::ErasureRecord> ErasureRecords::find(const std::string& host) {
  if (const auto found = unwritten_.find(host); found != unwritten_.end()) return found->second.record;
  if (folder_.empty()) return std::nullopt;
  if (!isHostFileName(host)) return std::nullopt;
  const auto file = fileOf(host);
  const auto text = base::readFileIfExists(file);
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

base::Task<void> ErasureRecords::save(std::string host, bmc::ErasureRecord record) {
  if (!folder_.empty()) requireHostFileName(host);
  const auto number = ++saves_;
  const auto job = record.job;
  // It repeats texts of BMCs, and bytes that are no UTF-8 could not be read back.
  auto text = base::toUtf8(json::serialize(json::encode(record)));
  auto& unwritten = unwritten_[host];
  unwritten.record = std::move(record);
  unwritten.number = number;
  if (folder_.empty()) co_return;
  const bool isNew = current_[host] != job;
  auto write = [folder = folder_, host, job, isNew, text = std::move(text)] {
    if (isNew) setFormerAside(folder, host, job);
    base::writeFileAtomically(fmt::format("{}/{}.json", folder, host), text, 0600);
  };
  co_await base::carriedOut(runtime_.executor, *disk_, std::move(write),
                            [this, here = std::weak_ptr(here_), host, job, number](const std::exception_ptr& failure) {
                              if (!here.expired()) ended(host, job, number, failure);
                            });
}

void ErasureRecords::ended(const std::string& host, const std::string& job, std::uint64_t number,
                           const std::exception_ptr& failure) {
  auto& unwritten = unwritten_[host];
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    if (!std::exchange(unwritten.isRefused, true))
      runtime_.log.error("the record of an erasure cannot be written",
                         {{"file", fileOf(host)}, {"error", error.what()}});
    return;
  }
  current_[host] = job;
  if (std::exchange(unwritten.isRefused, false))
    runtime_.log.info("the record of an erasure is written again", {{"file", fileOf(host)}});
  if (unwritten.number == number) unwritten_.erase(host);
}

std::string ErasureRecords::fileOf(const std::string& host) const { return folder_ + "/" + host + ".json"; }

}  // namespace ingot::agent
