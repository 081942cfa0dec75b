#include "bmc/kept_file.hpp"

#include "base/file.hpp"

namespace ingot::bmc {

namespace {

constexpr base::Duration triedAgain = std::chrono::minutes(1);

}  // namespace

KeptFile::KeptFile(base::Runtime runtime, std::string file, std::string what, std::function<std::string()> content)
    : runtime_(std::move(runtime)), file_(std::move(file)), what_(std::move(what)), content_(std::move(content)) {}

KeptFile::~KeptFile() {
  if (writing_) write();
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
  try {
    base::writeFileAtomically(file_, content_(), 0600);
    if (std::exchange(isFailing_, false)) runtime_.log.info(what_ + " is written again", {{"file", file_}});
  } catch (const base::Error& error) {
    if (!std::exchange(isFailing_, true))
      runtime_.log.warn(what_ + " cannot be written", {{"file", file_}, {"error", error.what()}});
    writeAfter(triedAgain);
  }
}

}  // namespace ingot::bmc
