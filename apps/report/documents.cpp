#include "apps/report/documents.h"

#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/io/bytes/input_file.h"

namespace apps {
namespace {

using kasen::optimizer::Json;
using kasen::optimizer::JsonReader;

void require_numbers(const JsonReader& object, std::initializer_list<const char*> names) {
  for (const char* name : names) object[name].real();
}

/// @param workers of how many there is a number; the list may be missing in reports of earlier versions
void require_list_by_worker(const JsonReader& object, const char* name, std::uint64_t workers) {
  if (!object.has(name)) return;
  const std::vector<JsonReader> numbers = object[name].list();
  if (numbers.size() != workers)
    object[name].fail("there are " + std::to_string(numbers.size()) + " numbers for " + std::to_string(workers) +
                      " workers");
  for (const JsonReader& number : numbers) number.real();
}

void check_report(const JsonReader& report) {
  report["program"].text();
  const std::uint64_t workers = report["workers"].number();
  require_numbers(report, {"threads", "iterations", "seconds_total", "seconds_total_predicted", "seconds_per_iteration",
                           "seconds_per_iteration_predicted", "seconds_planning", "plans", "runs"});
  report["options"]["partition"].text();
  for (const char* counts : {"predicted", "measured", "model"})
    require_numbers(report[counts], {"bytes_read", "bytes_written", "bytes_sent", "messages", "buffer_bytes"});
  for (const JsonReader& space : report["index_spaces"].list()) {
    space["name"].text();
    require_numbers(space, {"length", "replicas"});
    require_list_by_worker(space, "masters_by_worker", workers);
    require_list_by_worker(space, "replicas_by_worker", workers);
  }
  for (const JsonReader& matrix : report["matrices"].list()) {
    require_numbers(matrix, {"rows", "columns", "nonzeros", "imbalance"});
    require_list_by_worker(matrix, "nonzeros_by_worker", workers);
  }
  for (const JsonReader& step : report["steps"].list()) {
    step["kind"].text();
    step["text"].text();
    for (const JsonReader& line : step["details"].list()) line.text();
    require_numbers(step, {"operations", "entered", "seconds", "seconds_predicted"});
    require_list_by_worker(step, "seconds_by_worker", workers);
  }
  report["series"];
}

void check_analysis(const JsonReader& analysis) {
  analysis["program"].text();
  analysis["sizes"].text();
  for (const JsonReader& program : analysis["programs"].list()) {
    program["workers"].number();
    program["decisions"].list();
    for (const char* plan : {"before", "after"}) {
      for (const JsonReader& block : program[plan]["blocks"].list()) {
        block["name"].text();
        for (const JsonReader& step : block["steps"].list()) step["kind"].text();
      }
      program[plan]["tree"]["steps"].list();
    }
    program["what_if"]["workers"].list();
  }
  require_numbers(analysis["network"], {"message_picoseconds", "reduction_picoseconds", "bytes_per_second"});
}

void check_trace(const JsonReader& trace) {
  for (const JsonReader& event : trace["traceEvents"].list()) {
    if (event["ph"].text() != "X") continue;
    event["name"].text();
    require_numbers(event, {"pid", "tid", "ts", "dur"});
  }
}

struct Kind {
  const char* name;
  const char* sign;  ///< a field that no other kind has
  void (*check)(const JsonReader& content);
};
constexpr Kind kKinds[] = {
    {"report", "measured", check_report}, {"analysis", "sizes", check_analysis}, {"trace", "traceEvents", check_trace}};

}  // namespace

Document read_document(const std::string& path) {
  const std::string text = kasen::io::content(path);
  Document document{path, {}, {}};
  try {
    document.content = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw kasen::InputError(path + ": no JSON, or not all of it: byte " + std::to_string(error.byte));
  }
  for (const Kind& kind : kKinds) {
    if (!document.content.is_object() || !document.content.contains(kind.sign)) continue;
    document.kind = kind.name;
    try {
      kind.check(JsonReader(document.content, ""));
    } catch (const kasen::InputError& error) {
      throw kasen::InputError(path + ": " + error.what());
    }
    return document;
  }
  throw kasen::InputError(
      path + ": is neither a run report (--report), nor a trace (--trace), nor an analysis (kasen-analyze --json)");
}

Document analysis_document(std::string name, Json analysis) {
  return {std::move(name), "analysis", std::move(analysis)};
}

}  // namespace apps
