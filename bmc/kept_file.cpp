#include "bmc/kept_file.hpp"

#include "base/file.hpp"

namespace ingot::bmc {

namespace {

constexpr base::Duration triedAgain = std::chrono::minutes(1);

}  // namespace

KeptFile::KeptFile(base::Runtime runtime, std::string file, std::string what, std::function<std::string()> content,
                   std::shared_ptr<base::Offload> disk)
    : runtime_(std::move(runtime)),
      file_(std::move(file)),
      what_(std::move(what)),
      content_(std::move(content)),
      disk_(disk ? std::move(disk) : base::inLineOffload(runtime_.executor)) {}

KeptFile::~KeptFile() {
  if (writing_ || isDueAgain_) startWriting([](const std::exception_ptr&) {});
}

void KeptFile::read(const std::function<void(const std::string& text)>& use) {
  if (file_.empty()) return;
  try {
    if (const auto text = base::readFileIfExists(file_)) use(*text);
  } catch (const base::Error& error) {
    runtime_.log.warn(what_ + " cannot be read", {{"file", file_}, {"error", error.what()}});
  }
}

void KeptFile::writeAfter(base::Duration time) {
  if (file_.empty() || writing_) return;
  writing_ = runtime_.clock.alarm(runtime_.executor, runtime_.clock.now() + time, [this] { write(); });
}

void KeptFile::write() {
  writing_.reset();
  isDueAgain_ = isUnderWay_;
  if (std::exchange(isUnderWay_, true)) return;
  startWriting([this, here = std::weak_ptr(here_)](const std::exception_ptr& failure) {
    if (!here.expired()) ended(failure);
  });
}

void KeptFile::startWriting(base::Offload::Done done) {
  disk_->start([file = file_, content = content_()] { base::writeFileAtomically(file, content, 0600); },
               std::move(done));
}

void KeptFile::ended(const std::exception_ptr& failure) {
  isUnderWay_ = false;
  try {
    if (failure) std::rethrow_exception(failure);
    if (std::exchange(isFailing_, false)) runtime_.log.info(what_ + " is written again", {{"file", file_}});
  } catch (const std::exception& error) {
    if (!std::exchange(isFailing_, true))
      runtime_.log.warn(what_ + " cannot be written", {{"file", file_}, {"error", error.what()}});
    writeAfter(triedAgain);
  }
  if (std::exchange(isDueAgain_, false) && !writing_) write();
}

}  // namespace ingot::bmc
