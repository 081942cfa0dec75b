#include "api/conversion/error.hpp"
#include "api/kinds/kinds.hpp"
#include "cli/check/admission.hpp"
#include "cli/check/our_kinds.hpp"
#include "cli/check/structure.hpp"
#include "cli/run/offline.hpp"
#include "cli/run/sources.hpp"
#include "json/yaml.hpp"

namespace ingot::cli {

namespace {

std::string asYaml(const std::vector<json::Value>& objects) {
  std::string out;
  for (const json::Value& object : objects) out += (out.empty() ? "" : "---\n") + json::toYaml(object);
  return out;
}

std::string asJson(std::vector<json::Value> objects) {
  if (objects.size() == 1) return json::serializePretty(objects.front()) + "\n";
  json::Array items(std::make_move_iterator(objects.begin()), std::make_move_iterator(objects.end()));
  return json::serializePretty(json::Object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}}) +
         "\n";
}

class Conversion {
 public:
  Conversion(Terminal& terminal, const ConvertCommand& command) : terminal_(terminal), version_(command.version) {}

  void take(const Manifest& manifest) {
    if (const auto problem = kinds_.unknown(manifest)) {
      complain(manifest, *problem);
    } else if (const api::KindRow* kind = api::rowOf(manifest.object); kind && kind->convert) {
      move(manifest, *kind);
    } else {
      objects_.push_back(manifest.object);
    }
  }

  void failed(const Failure& failure) {
    terminal_.error(failure.what());
    code_ = together(code_, failure.code());
  }

  ExitCode finish(Format format) {
    if (code_ == ExitCode::done) terminal_.out(format == Format::json ? asJson(std::move(objects_)) : asYaml(objects_));
    return code_;
  }

 private:
  void move(const Manifest& manifest, const api::KindRow& kind) {
    try {
      objects_.push_back(kind.convert(manifest.object, version_));
      if (!manifest.apiVersion().ends_with("/" + version_)) tellLost(manifest);
    } catch (const api::ConversionError& bad) {
      complain(manifest, conversionComplaint(bad.what()));
    }
  }

  // Only what the structs know is carried over, as on a server.
  void tellLost(const Manifest& manifest) {
    for (const std::string& line :
         complaintLines(manifest, unknownMembers(*kinds_.find(manifest)->schema, manifest.object)))
      terminal_.note("warning: " + line + " (left out)");
  }

  void complain(const Manifest& manifest, const Complaint& complaint) {
    for (const std::string& line : complaintLines(manifest, {complaint})) terminal_.error(line);
    code_ = together(code_, ExitCode::failed);
  }

  Terminal& terminal_;
  std::string version_;
  OurKinds kinds_;
  std::vector<json::Value> objects_;
  ExitCode code_ = ExitCode::done;
};

}  // namespace

ExitCode convert(Terminal& terminal, const ConvertCommand& command) {
  Conversion conversion(terminal, command);
  for (const Source& source : sourcesOf(terminal, command.files, command.recursive)) {
    try {
      for (const Manifest& manifest : parseManifests(source)) conversion.take(manifest);
    } catch (const Failure& broken) {
      conversion.failed(broken);
    }
  }
  return conversion.finish(command.format);
}

}  // namespace ingot::cli
