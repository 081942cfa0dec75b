// A small file of what is worth knowing after a restart, and no harm when it is lost.
#pragma once

#include "base/runtime.hpp"

#include <functional>
#include <memory>
#include <string>

namespace ingot::bmc {

class KeptFile {
 public:
  // `file`: "" for none. `what` names it in the log: "the list of …".
  KeptFile(base::Runtime runtime, std::string file, std::string what, std::function<std::string()> content);
  ~KeptFile();  // writes what has not been written yet
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

  base::Runtime runtime_;
  std::string file_, what_;
  std::function<std::string()> content_;
  std::unique_ptr<base::Alarm> writing_;  // not null: it will be written
  bool isFailing_ = false;
};

}  // namespace ingot::bmc
