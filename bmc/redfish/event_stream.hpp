// text/event-stream, as servers push it (WHATWG HTML, server-sent events). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingot::bmc::redfish {

// Bytes in, the data of whole events out. Ids, names and comments are skipped. Of an event that is longer than mostData
// nothing is kept but that it was there: its data is empty.
class EventStream {
 public:
  static constexpr std::size_t mostData = 256u << 10;

  [[nodiscard]] std::vector<std::string> take(std::string_view bytes);

 private:
  void endLine(std::vector<std::string>& events);

  std::string line_, data_;
  bool hasData_ = false;
  bool isTooLong_ = false;
  bool sawReturn_ = false;  // a line ended in \r: a \n that follows belongs to it
};

// What an event is about, by its document. Whatever it says, it is no fact: what it concerns is read.
enum class EventKind {
  change,     // something has happened; also what cannot be read
  telemetry,  // a MetricReport
  sign,       // a sign of life: nothing has happened
};
[[nodiscard]] EventKind kindOfEvent(const std::string& data);

}  // namespace ingot::bmc::redfish
