#include "apiserver/protobuf/decode.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::apiserver;

namespace {

std::string field(int number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}
std::string number(int id, char value) { return {static_cast<char>(id << 3), value}; }
std::string envelope(const std::string& apiVersion, const std::string& kind, const std::string& raw) {
  return std::string("k8s\0", 4) + field(1, field(1, apiVersion) + field(2, kind)) + field(2, raw);
}
std::string read(const std::string& body) { return json::serializeSorted(decodeProtobuf(body).value()); }

}  // namespace

TEST_CASE("a Secret's bytes become base64, its zero values nothing", "[protobuf]") {
  const std::string meta = field(1, field(1, "s") + field(3, "") + field(8, ""));
  CHECK(read(envelope("v1", "Secret", meta + field(2, field(1, "k") + field(2, "v")) + field(3, ""))) ==
        R"({"apiVersion":"v1","data":{"k":"dg=="},"kind":"Secret","metadata":{"name":"s"}})");
}

TEST_CASE("a Lease keeps its zeros and its microseconds", "[protobuf]") {
  const std::string time = number(1, 1) + std::string("\x10\xc0\x84\x3d", 4);  // 1 s and 1 000 000 ns
  CHECK(
      read(envelope("coordination.k8s.io/v1", "Lease", field(2, field(1, "") + field(4, time) + number(5, 0)))) ==
      R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","spec":{"holderIdentity":"","leaseTransitions":0,"renewTime":"1970-01-01T00:00:01.001000Z"}})");
}

TEST_CASE("a time that no clock can tell is refused", "[protobuf]") {
  const std::string most = "\x08" + std::string(8, '\xff') + "\x7f";                // INT64_MAX
  const std::string least = "\x08" + std::string(9, '\x80') + std::string("\x01");  // INT64_MIN
  for (const auto& time : {most, least})
    CHECK_THROWS_AS(decodeProtobuf(envelope("coordination.k8s.io/v1", "Lease", field(2, field(4, time)))),
                    ProtobufError);
}

TEST_CASE("DeleteOptions are read for every group", "[protobuf]") {
  CHECK(
      read(envelope("meta.k8s.io/v1", "DeleteOptions", field(2, field(1, "u")) + field(4, "Background"))) ==
      R"({"apiVersion":"meta.k8s.io/v1","kind":"DeleteOptions","preconditions":{"uid":"u"},"propagationPolicy":"Background"})");
}

TEST_CASE("unknown fields are skipped, unknown kinds are not read", "[protobuf]") {
  CHECK(read(envelope("v1", "ConfigMap", field(15, "future") + field(1, field(1, "c")))) ==
        R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}})");
  CHECK_FALSE(decodeProtobuf(envelope("v1", "Pod", "")));
}

TEST_CASE("damaged bytes are refused", "[protobuf]") {
  CHECK_THROWS_AS(decodeProtobuf("k8s"), ProtobufError);
  const std::string whole = envelope("v1", "ConfigMap", field(1, field(1, "c")));
  for (std::size_t size = 5; size < whole.size(); ++size) {
    try {
      (void)decodeProtobuf(whole.substr(0, size));
    } catch (const ProtobufError&) {
    }
  }
  CHECK_THROWS_AS(decodeProtobuf(std::string("k8s\0\x0f", 5)), ProtobufError);
}
