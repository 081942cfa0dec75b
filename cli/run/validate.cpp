#include "cli/check/admission.hpp"
#include "cli/check/our_kinds.hpp"
#include "cli/check/structure.hpp"
#include "cli/run/offline.hpp"
#include "cli/run/sources.hpp"

namespace ingot::cli {

namespace {

std::string count(std::size_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

class Validation {
 public:
  Validation(Terminal& terminal, std::string namespace_) : terminal_(terminal), namespace_(std::move(namespace_)) {}

  void take(Manifest manifest) {
    if (const auto problem = kinds_.unknown(manifest)) {
      ++judged_;
      return refuse(manifest, {*problem});
    }
    const OurKind* kind = kinds_.find(manifest);
    if (!kind) {
      ++foreign_;
      return;
    }
    ++judged_;
    std::vector<Complaint> errors = metadataComplaints(manifest.object);
    if (kind->namespaced) manifest.defaultNamespace(namespace_);
    tellRepeated(manifest, *kind);
    judge(manifest, *kind->schema, std::move(errors));
  }

  void broken(const Failure& failure) {
    terminal_.error(failure.what());
    code_ = together(code_, failure.code());
  }

  ExitCode finish() {
    if (judged_ + foreign_ == 0 && code_ == ExitCode::done) throw Failure(ExitCode::failed, "the files hold no object");
    if (foreign_ > 0)
      terminal_.note(fmt::format("not judged: {} of kinds that are not Ingot's", count(foreign_, "object")));
    if (refused_ > 0) terminal_.note(fmt::format("{} of {} would be refused", refused_, count(judged_, "object")));
    if (code_ == ExitCode::done) terminal_.out(fmt::format("valid: {}\n", count(judged_, "object")));
    return code_;
  }

 private:
  void judge(const Manifest& manifest, const kube::Schema& schema, std::vector<Complaint> errors) {
    std::ranges::move(structureComplaints(schema, manifest.object), std::back_inserter(errors));
    Admission said = admission(manifest.object);
    for (auto* list : {&said.errors, &said.warnings})
      for (Complaint& one : *list) one.field = fieldAsWritten(schema, one.field);
    addNew(errors, std::move(said.errors));
    if (!errors.empty()) refuse(manifest, inOrderOfLines(manifest, std::move(errors)));
    for (const std::string& line : complaintLines(manifest, said.warnings)) terminal_.note("warning: " + line);
  }

  static std::vector<Complaint> inOrderOfLines(const Manifest& manifest, std::vector<Complaint> errors) {
    std::multimap<std::size_t, Complaint> byLine;
    for (Complaint& one : errors) byLine.emplace(manifest.lineOf(one.field), std::move(one));
    std::vector<Complaint> sorted;
    for (auto& one : byLine) sorted.push_back(std::move(one.second));
    return sorted;
  }

  // Each field is reported once: what the schema says of it comes first.
  static void addNew(std::vector<Complaint>& into, std::vector<Complaint> more) {
    const std::size_t before = into.size();
    for (Complaint& one : more) {
      const auto first = std::span(into).first(before);
      const bool isTold = !one.field.empty() && std::ranges::find(first, one.field, &Complaint::field) != first.end();
      if (!isTold) into.push_back(std::move(one));
    }
  }

  void refuse(const Manifest& manifest, const std::vector<Complaint>& errors) {
    for (const std::string& line : complaintLines(manifest, errors)) terminal_.error(line);
    ++refused_;
    code_ = together(code_, ExitCode::failed);
  }

  void tellRepeated(const Manifest& manifest, const OurKind& kind) {
    const std::string id = fmt::format("{} {}/{}", kind.kind, manifest.namespace_(), manifest.name());
    const auto [first, isNew] = seen_.emplace(kind.group + " " + id, manifest.place());
    if (!isNew)
      terminal_.note(fmt::format("warning: {}: a second {}; the first is at {}, the later one wins",
                                 manifest.place("metadata.name"), id, first->second));
  }

  Terminal& terminal_;
  std::string namespace_;
  OurKinds kinds_;
  std::map<std::string, std::string> seen_;  // place of each object
  std::size_t judged_ = 0, foreign_ = 0, refused_ = 0;
  ExitCode code_ = ExitCode::done;
};

}  // namespace

ExitCode validate(Terminal& terminal, const ValidateCommand& command) {
  Validation validation(terminal, command.namespace_);
  for (const Source& source : sourcesOf(terminal, command.files, command.recursive)) {
    try {
      for (Manifest& manifest : parseManifests(source)) validation.take(std::move(manifest));
    } catch (const Failure& broken) {
      validation.broken(broken);
    }
  }
  return validation.finish();
}

}  // namespace ingot::cli
