// Logs for machines: one JSON object a line, under the names of Kubernetes' component-base.
#include "base/json_log.hpp"

#include <boost/json.hpp>

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

// Keeps what was logged as it would be written.
class JsonMemory final : public base::LogSink {
 public:
  void write(const base::LogEntry& entry) override {
    lines.push_back(base::formatJsonEntry(entry, base::WallTime(1769853600123ms + 456us)));
  }
  [[nodiscard]] bool enabled(base::Level) const override { return true; }

  std::vector<std::string> lines;
};

struct JsonLogged {
  std::shared_ptr<JsonMemory> sink = std::make_shared<JsonMemory>();
  base::Log log{sink, "coordinator"};
  [[nodiscard]] boost::json::object last() const { return boost::json::parse(sink->lines.back()).as_object(); }
  // Of the last line: a text as it is, anything else as JSON; "absent" when it is not there.
  [[nodiscard]] std::string at(const std::string& key) const {
    const auto line = last();
    const auto* value = line.if_contains(key);
    if (value == nullptr) return "absent";
    return value->is_string() ? std::string(std::string_view(value->get_string())) : boost::json::serialize(*value);
  }
};

}  // namespace

TEST_CASE("a JSON line has time, logger, message, verbosity, level and fields, context first", "[log][json]") {
  const JsonLogged to;
  to.log.with("host", "metal3/a").info("registered", {{"seconds", 3}, {"ok", true}});
  CHECK(to.sink->lines.back() ==
        R"({"ts":1769853600123.456,"logger":"coordinator","msg":"registered","v":0,"level":"info",)"
        R"("host":"metal3/a","seconds":"3","ok":"true"})");
}

TEST_CASE("levels are told as component-base tells them, and by their names", "[log][json]") {
  const JsonLogged to;
  to.log.debug("d");
  CHECK(to.at("v") == "4");
  to.log.warn("w", {{"error", "no route"}});
  CHECK(to.at("v") == "0");
  CHECK(to.at("level") == "warn");
  CHECK(to.at("err") == "no route");
  to.log.error("e", {{"error", "no route"}});
  CHECK(to.at("v") == "absent");
  CHECK(to.at("level") == "error");
  CHECK(to.at("err") == "no route");
  to.log.info("i", {{"error", "none"}});
  CHECK(to.at("error") == "none");
}

TEST_CASE("whatever comes from outside stays one valid line", "[log][json]") {
  const JsonLogged to;
  const std::string all = "quote \" back \\ line\nfeed \x01\x7f \xff\xc3( Grüße\t";
  to.log.info(all, {{"by \"key\"\n", all}, {"empty", ""}});
  CHECK(to.sink->lines.back().find('\n') == std::string::npos);
  const std::string seen = "quote \" back \\ line\nfeed \x01\x7f \xef\xbf\xbd\xef\xbf\xbd( Grüße\t";
  CHECK(to.at("msg") == seen);
  CHECK(to.at("by \"key\"\n") == seen);
  CHECK(to.at("empty").empty());
}

TEST_CASE("a key comes once, and none of ours is lost to a field of its name", "[log][json]") {
  const JsonLogged to;
  to.log.with("host", "a").warn("m", {{"host", "b"}, {"msg", "c"}, {"ts", "d"}, {"error", "e"}, {"err", "f"}});
  CHECK(to.at("host") == "a");
  CHECK(to.at("host_") == "b");
  CHECK(to.at("msg") == "m");
  CHECK(to.at("msg_") == "c");
  CHECK(to.at("ts_") == "d");
  CHECK(to.at("err") == "e");
  CHECK(to.at("err_") == "f");
  CHECK(to.last().size() == 5 + 6);
}
