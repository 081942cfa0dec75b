#include "json/go_names.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

struct Disk {
  std::string name;
  std::int64_t sizeBytes = 0;

  static void describe(auto& v) {
    v.field("name", &Disk::name);
    v.field("sizeBytes", &Disk::sizeBytes);
  }
};

struct Machine {
  std::string hostname;
  std::vector<Disk> storage;
  std::map<std::string, Disk> byPath;

  static void describe(auto& v) {
    v.field("hostname", &Machine::hostname);
    v.field("storage", &Machine::storage);
    v.field("byPath", &Machine::byPath);
  }
};

std::string folded(std::string_view text) {
  return json::serialize(json::withGoNames<Machine>(json::parse(std::string(text))));
}

}  // namespace

TEST_CASE("names are matched as Go does it: exactly, else but for their case, at every level", "[json][go]") {
  CHECK(folded(R"({"HostName":"a"})") == R"({"hostname":"a"})");
  CHECK(folded(R"({"STORAGE":[{"NAME":"sda","sizebytes":1}]})") == R"({"storage":[{"name":"sda","sizeBytes":1}]})");
  CHECK(folded(R"({"bypath":{"Pci-1":{"Name":"sda"}}})") == R"({"byPath":{"Pci-1":{"name":"sda"}}})");
  CHECK(folded(R"({"hostname":"a","HOSTNAME":"b"})") == R"({"hostname":"b"})");
  CHECK(folded(R"({"host_name":"a"})") == R"({"host_name":"a"})");  // unknown stays unknown
  CHECK(folded("[1]") == "[1]");
  CHECK(folded("null") == "null");
}
