// A small file of what is worth knowing after a restart, and no harm when it is lost.
#pragma once

#include "base/offload.hpp"
#include "base/runtime.hpp"

#include <functional>
#include <memory>
#include <string>

namespace ingot::bmc {

class KeptFile {
 public:
  // `file`: "" for none. `what` names it in the log: "the list of …". `disk` writes it: a disk that stalls holds nobody
  // up; nullptr: the loop does.
  KeptFile(base::Runtime runtime, std::string file, std::string what, std::function<std::string()> content,
           std::shared_ptr<base::Offload> disk = nullptr);
  ~KeptFile();  // what has not been written yet is, at the latest when the disk's offload ends
  KeptFile(const KeptFile&) = delete;
  KeptFile& operator=(const KeptFile&) = delete;

  // Passes the text on, if there is a file. What cannot be read (base::Error of `use`, too) is logged.
  void read(const std::function<void(const std::string& text)>& use);

  // It is written within five seconds: many changes come together. What cannot be written is logged, and tried again
  // each minute.
  void changed() { writeAfter(std::chrono::seconds(5)); }

 private:
  void writeAfter(base::Duration time);
  void write();
  void startWriting(base::Offload::Done done);
  void ended(const std::exception_ptr& failure);

  base::Runtime runtime_;
  std::string file_, what_;
  std::function<std::string()> content_;
  std::unique_ptr<base::Alarm> writing_;  // not null: it will be written
  bool isFailing_ = false;
  bool isUnderWay_ = false;  // a write; what changes meanwhile is written after it …
  bool isDueAgain_ = false;  // … at once
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
  std::shared_ptr<base::Offload> disk_;
};

}  // namespace ingot::bmc
