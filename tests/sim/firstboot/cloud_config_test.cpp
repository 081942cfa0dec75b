#include "sim/firstboot/cloud_config.hpp"

#include "base/base64.hpp"
#include "sim/firstboot/error.hpp"
#include "sim/firstboot/gzip.hpp"
#include "sim/firstboot/shell.hpp"

#include <zlib.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::sim::firstboot;
using Catch::Contains;
using Catch::Equals;

namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

CloudConfig config(const std::string& body) { return readCloudConfig("#cloud-config\n" + body); }

}  // namespace

TEST_CASE("write_files unpacks, appends and overwrites in order") {
  const auto packed = base::toBase64(gzipped("packed"));
  const auto files = config(
                         "write_files:\n"
                         "- {path: /plain, content: a}\n"
                         "- {path: /plain, content: b, append: true}\n"
                         "- {path: /coded, content: aGVsbG8=, encoding: b64}\n"
                         "- {path: /packed, encoding: gz+b64, content: " +
                         packed +
                         "}\n"
                         "- {path: /over, content: old}\n"
                         "- {path: /over, content: new}\n"
                         "- {path: /number, content: 17}\n"
                         "- {path: /empty}\n"
                         "- {content: nowhere}\n")
                         .files;
  CHECK(files == std::map<std::string, std::string>{{"/plain", "ab"},
                                                    {"/coded", "hello"},
                                                    {"/packed", "packed"},
                                                    {"/over", "new"},
                                                    {"/number", "17"},
                                                    {"/empty", ""}});
}

TEST_CASE("a file that cannot be unpacked is named") {
  CHECK_THROWS_WITH(config("write_files: [{path: /x, content: '%', encoding: base64}]"),
                    Contains("/x: the content is not base64"));
  CHECK_THROWS_WITH(config("write_files: [{path: /x, content: aGVsbG8=, encoding: gzip+base64}]"),
                    Contains("/x: the content is not gzip"));
  CHECK_THROWS_WITH(config("write_files: [{path: /x, encoding: rot13}]"),
                    Contains("/x: the encoding rot13 is not known"));
  CHECK_FALSE(gunzip(gzipped("whole").substr(0, 12)));
}

TEST_CASE("little user data does not write much") {
  const auto packed = base::toBase64(gzipped(std::string(60u << 20, 'a')));
  const std::string first = "write_files:\n- {path: /x, encoding: gz+b64, content: &a " + packed + "}\n";
  const std::string again = "- {path: /x, encoding: gz+b64, content: *a}\n";
  std::string more;
  for (int i = 0; i < 4; ++i) more += "- {path: /y, append: true, content: " + std::string(1u << 20, 'b') + "}\n";
  CHECK(config(first + more).files.at("/y").size() == 4u << 20);
  CHECK_THROWS_WITH(config(first + again), Contains("/x: the content is not gzip, or too large"));
  CHECK_THROWS_WITH(config(first + more + "- {path: /z, content: c}\n"),
                    Contains("write_files writes more than 64 MiB of text"));
}

TEST_CASE("user data that has lost a piece is told from user data that ends") {
  CHECK_THROWS_WITH(config("runcmd: [a]\n" + std::string(100, '\0')), Contains("a piece of it is missing"));
}

TEST_CASE("runcmd takes lines and lists") {
  const auto commands = config("runcmd:\n- echo a && echo b\n- [kubeadm, init, --config, it's here]\n").commands;
  REQUIRE(commands == std::vector<std::string>{"echo a && echo b", R"('kubeadm' 'init' '--config' 'it'"'"'s here')"});
  CHECK(commandsOf(commands[1]) == std::vector<std::vector<std::string>>{{"kubeadm", "init", "--config", "it's here"}});
}

TEST_CASE("user data of another kind is named") {
  CHECK(readCloudConfig("\n").files.empty());
  CHECK_THROWS_WITH(readCloudConfig("{\"ignition\": {}}"), Equals("the user data does not begin with #cloud-config"));
  CHECK_THROWS_WITH(config("a: [\n"), Contains("not YAML"));
  CHECK_THROWS_WITH(config("runcmd: kubeadm init"), Contains("runcmd of the user data is no list"));
}

TEST_CASE("what a shell is given to run is read too") {
  CHECK(commandsOf("sudo sh -c 'a b; bash -c \"c d\"' && e").size() == 5);
  CHECK(commandsOf("sh -c").size() == 1);
}

TEST_CASE("a shell's line is read word by word") {
  const auto commands = commandsOf("A=1 sudo 'a b' \"c \\\"d\\\"\" e\\ f>g # rest\nif x; then y|| { z & }; fi");
  CHECK(commands == std::vector<std::vector<std::string>>{
                        {"A=1", "sudo", "a b", "c \"d\"", "e f>g"}, {"if", "x"}, {"then", "y"}, {"z"}, {"fi"}});
}
