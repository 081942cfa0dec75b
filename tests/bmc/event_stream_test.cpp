// Bytes of an event stream (text/event-stream), and what its events are about.
#include "bmc/redfish/event_stream.hpp"

#include <catch2/catch.hpp>

using namespace ingot::bmc::redfish;

using Events = std::vector<std::string>;

TEST_CASE("events end with an empty line, whatever ends a line", "[events]") {
  struct Row {
    std::string bytes;
    Events events;
  };
  const auto row = GENERATE(values<Row>({
      {"", {}},
      {"data: a\n\n", {"a"}},
      {"data:a\r\n\r\n", {"a"}},
      {"data: a\r\rdata: b\r\r", {"a", "b"}},
      {"data: a\n", {}},
      {"data:  a\n\n", {" a"}},
      {"data: {\ndata: }\n\n", {"{\n}"}},
      {": comment\n\n", {}},
      {"id: 7\nevent: x\nretry: 5\ndata: a\n\n", {"a"}},
      {"id: 7\n\ndata: a\n\n", {"a"}},
      {"data:\n\n", {""}},
      {"datax: a\n\n", {}},
      {"\n\n\ndata: a\n\n\n", {"a"}},
  }));
  CAPTURE(row.bytes);
  EventStream whole;
  CHECK(whole.take(row.bytes) == row.events);
  EventStream piecemeal;
  Events events;
  for (const char c : row.bytes)
    for (auto& event : piecemeal.take(std::string(1, c))) events.push_back(std::move(event));
  CHECK(events == row.events);
}

TEST_CASE("of an event that is too long is kept that it was there", "[events]") {
  const std::string piece(EventStream::mostData / 2, 'x');
  EventStream stream;
  Events events;
  SECTION("in one line") {
    static_cast<void>(stream.take("data: "));
    for (int i = 0; i < 5; ++i) CHECK(stream.take(piece).empty());
    events = stream.take("\n\n");
  }
  SECTION("in many lines") {
    for (int i = 0; i < 5; ++i) CHECK(stream.take("data: " + piece + "\n").empty());
    events = stream.take("\n");
  }
  CHECK(events == Events{""});
  CHECK(stream.take("data: a\n\n") == Events{"a"});
}

TEST_CASE("telemetry and signs of life are told from what has happened", "[events]") {
  struct Row {
    std::string data;
    EventKind kind;
  };
  const auto row = GENERATE(values<Row>({
      {R"({"@odata.type":"#Event.v1_7_0.Event","Events":[{"MessageId":"ResourceEvent.1.0.ResourceChanged"}]})",
       EventKind::change},
      {R"({"Alerts":[{"MessageId":"X.1.0.Y"}]})", EventKind::change},
      {R"({"@odata.type":"#MetricReport.v1_4_0.MetricReport","MetricValues":[]})", EventKind::telemetry},
      {R"({"MetricValues":[{"MetricId":"a","MetricValue":"1"}]})", EventKind::telemetry},
      {R"({"Events":[{"MessageId":"HeartbeatEvent.1.0.RedfishServiceFunctional"}]})", EventKind::sign},
      {R"({"Events":[{"MessageId":"HeartbeatEvent.1.0.RedfishServiceFunctional"},{"MessageId":"A.1.0.B"}]})",
       EventKind::change},
      {R"({"Events":[]})", EventKind::sign},
      {R"({"Events":[1,null]})", EventKind::change},
      {R"({"Events":{}})", EventKind::change},
      {R"({"other":1})", EventKind::change},
      {"[]", EventKind::change},
      {"no JSON", EventKind::change},
      {"", EventKind::change},
  }));
  CAPTURE(row.data);
  CHECK(kindOfEvent(row.data) == row.kind);
}
