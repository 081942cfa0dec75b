#include "sim/firstboot/template.hpp"

#include "sim/firstboot/error.hpp"
#include "sim/firstboot/instance_data.hpp"
#include "tests/sim/firstboot/user_data.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::sim::firstboot;
using Catch::Contains;

namespace {

std::string rendered(const std::string& body) {
  return render("## template: jinja\n" + body, instanceData(tests::drive("").metaData));
}

}  // namespace

TEST_CASE("names of the meta data are put in, however they are written") {
  const std::pair<std::string, std::string> rows[] = {
      {"{{ ds.meta_data.uuid }}", "u-1"},
      {"{{ds.meta_data.local_hostname}}", "edge-abc"},
      {"{{ ds.meta_data['local-hostname'] }}", "edge-abc"},
      {"{{ ds['meta_data'][\"uuid\"] }}", "u-1"},
      {"{{ ds.meta_data.nested.zone_name }}", "a"},
      {"{{ ds.meta_data.nested.list[1] }} {{ ds.meta_data.nested.list.0 }}", "y x"},
      {"{{ ds.meta_data.nested.list }}", "['x', 'y']"},
      {"{{ v1.local_hostname }} {{ local_hostname }}", "edge-abc edge-abc"},
      {"{{ v1.instance_id }} {{ ds.meta_data.instance_id }}", "u-1 u-1"},
      {"a {{- ds.meta_data.uuid -}} b", "au-1b"},
      {"{# what #}x", "x"},
      {"{% raw %}{{ kept }}{% endraw %}\n{ \"json\": {} }", "{{ kept }}{ \"json\": {} }"},
      {"{{ ds.meta_data.uuid | upper }}", "U-1"},
      {"{{ ds.meta_data.none | default('x') }}", "x"},
      {"{{ ds.meta_data.uuid | replace('-', '_') }}", "u_1"},
  };
  for (const auto& [body, text] : rows) {
    INFO(body);
    CHECK(rendered(body) == text);
  }
}

TEST_CASE("an unknown name leaves what cloud-init leaves") {
  CHECK(rendered("a={{ ds.meta_data.providerId }}") == "a=CI_MISSING_JINJA_VAR/providerId");
  CHECK(rendered("{{ nothing }}") == "CI_MISSING_JINJA_VAR/nothing");
}

TEST_CASE("what Jinja refuses is refused, with its line") {
  const std::pair<std::string, std::string> rows[] = {
      {"a\n{{ ds.nothing.uuid }}", "line 3: {{ ds.nothing.uuid }}: 'nothing' is undefined"},
      {"{{ ds.meta_data.local-hostname }}", "the minus is a subtraction"},
      {"{{ ds.meta_data. }}", "a name is missing"},
      {"{{ ds.meta_data.uuid", "{{ has no }}"},
      {"{% if x %}", "{% if x %}: statements are not known here"},
      {"{% raw %} x", "has no {% endraw %}"},
      {"{{ ds | tojson }}", "the filter tojson is not known"},
      {"{{ " + std::string(100, '(') + " }}", "too many brackets"},
  };
  for (const auto& [body, words] : rows) {
    INFO(body);
    CHECK_THROWS_WITH(rendered(body), Contains(words));
  }
}

TEST_CASE("a little template does not make much text") {
  const auto grown = [](int times) {
    std::string text = "'a'";
    for (int i = 0; i < times; ++i) text += "|replace('a','aaaaaaaaaa')";
    return text;
  };
  std::string swept;
  for (int i = 0; i < 20; ++i) swept += "{{ " + grown(6) + "|replace('a','') }}";
  CHECK(rendered("{{ " + grown(6) + " }}").size() == 1'000'000);
  for (const auto& body : {"{{ " + grown(12) + " }}", swept}) {
    INFO(body);
    CHECK_THROWS_WITH(rendered(body), Contains("line 2: ") && Contains("the template makes more than 16 MiB of text"));
  }
}

TEST_CASE("only the header makes a template") {
  CHECK(isTemplate("## template: jinja\n#cloud-config\n"));
  CHECK(isTemplate("\n## Template: Jinja\n"));
  CHECK_FALSE(isTemplate("#cloud-config\n## template: jinja\n"));
  CHECK(render("## template: jinja", {}).empty());
}

TEST_CASE("meta data without a uuid is none to cloud-init") {
  CHECK_THROWS_WITH(instanceData({{"name", "x"}}), Contains("has no uuid"));
}

TEST_CASE("the machine's name is the first label of its host name") {
  CHECK(localHostname({{"local-hostname", "a.example"}}) == "a");
  CHECK(localHostname({{"local-hostname", "a"}, {"hostname", "b"}}) == "b");
  CHECK(localHostname({}).empty());
}
