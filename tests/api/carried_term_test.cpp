// docs/decisions/0034: what a host that is moved says of the terms that its agents obey.
#include "api/bmh/carried_term.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using api::CarriedTerm;
using api::Carrying;

namespace {

const std::string kLabel = "ingot.dev/term";
const std::string kHere = "3f2a9c1e-0000", kElsewhere = "77aa88bb-0000";

kube::ObjectMeta labelled(const std::string& value) {
  kube::ObjectMeta host;
  host.labels[kLabel] = value;
  return host;
}

}  // namespace

TEST_CASE("a host carries the term and whose it is", "[carried]") {
  kube::ObjectMeta host;
  const Carrying ours = CarriedTerm::of(7, kHere);
  CHECK_FALSE(api::carriesTerm(host, ours));
  api::carryTerm(host, ours);
  CHECK(host.labels == decltype(host.labels){{kLabel, "7.3f2a9c1e"}});
  CHECK(api::carriesTerm(host, ours));
  CHECK(CarriedTerm::on(host) == ours);
  api::carryTerm(host, CarriedTerm::of(8, kHere));  // of the next leader
  CHECK(host.labels[kLabel] == "8.3f2a9c1e");
  api::dropTerm(host, CarriedTerm::of(8, kHere));
  CHECK(host.labels.empty());
}

TEST_CASE("where no agents are served a host's label is left alone", "[carried]") {
  auto host = labelled("7.77aa88bb");
  CHECK(api::carriesTerm(host, std::nullopt));
  api::carryTerm(host, std::nullopt);
  api::dropTerm(host, std::nullopt);
  CHECK(host.labels[kLabel] == "7.77aa88bb");
}

TEST_CASE("what is no term of ours is none", "[carried]") {
  const auto text = GENERATE(values<std::string>({"", ".", "seven", "7x", "-1", "-1.3f2a9c1e", ".3f2a9c1e",
                                                  "99999999999999999999", "2147483647.3f2a9c1e", "7 .a"}));
  CAPTURE(text);
  auto host = labelled(text);
  CHECK_FALSE(CarriedTerm::on(host));
  const Carrying ours = CarriedTerm::of(3, kHere);
  CHECK_FALSE(api::carriesTerm(host, ours));
  api::carryTerm(host, ours);
  CHECK(host.labels[kLabel] == "3.3f2a9c1e");
}

TEST_CASE("a term of elsewhere stays on its host until ours is far above it", "[carried]") {
  struct Row {
    std::string carried;
    std::int64_t ours;
    bool mustYield;
  };
  const auto row = GENERATE(values<Row>({{"7.3f2a9c1e", 6, true},  // the same Lease: a later leader's
                                         {"7.3f2a9c1e", 7, false},
                                         {"7.3f2a9c1e", 8, false},
                                         {"7.77aa88bb", 3, true},
                                         {"7.77aa88bb", 8, true},  // another one may lead there by now
                                         {"7.77aa88bb", 1006, true},
                                         {"7.77aa88bb", 1007, false},
                                         {"7", 1006, true}}));
  CAPTURE(row.carried, row.ours);
  auto host = labelled(row.carried);
  const Carrying ours = CarriedTerm::of(row.ours, kHere);
  CHECK(ours->mustYieldTo(CarriedTerm::on(host).value()) == row.mustYield);
  api::dropTerm(host, ours);
  CHECK(host.labels.contains(kLabel) == row.mustYield);
  host = labelled(row.carried);
  api::carryTerm(host, ours);
  CHECK(host.labels[kLabel] == (row.mustYield ? row.carried : std::to_string(row.ours) + ".3f2a9c1e"));
}

TEST_CASE("the least term is what the guard is content with", "[carried]") {
  const auto carried = GENERATE(CarriedTerm::of(7, kHere), CarriedTerm::of(7, kElsewhere));
  const auto least = carried.least(kHere);
  CHECK_FALSE(CarriedTerm::of(least, kHere).mustYieldTo(carried));
  const bool isEnough = carried.installation == "3f2a9c1e";  // a leader that begins later has more
  CHECK(CarriedTerm::of(least - (isEnough ? 2 : 1), kHere).mustYieldTo(carried));
}
