#include "kasen/track.h"

#include <memory>

#include "kasen/recording/recorder.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"

namespace kasen::detail {
namespace {

/// A function of a Shared that writes it down. Its result is true, and nobody reads it.
struct Note {
  Progress::Series* series;
  double (*read)(const void*);
  static void run(const void* context, const void* const* in, void* out) {
    const auto& note = *static_cast<const Note*>(context);
    note.series->values.push_back(note.read(in[0]));
    *static_cast<bool*>(out) = true;
  }
};

}  // namespace

void track(const std::string& name, recording::SlotId value, double (*read)(const void*), SourceLine where) {
  recording::Recorder& recorder = recording::recorder(where);
  recording::Call call;
  call.op = Op::apply;
  call.primitive = "track";
  call.function = name;
  call.where = where;
  call.shareds = {&value, 1};
  call.out = recording::type_of<bool>();
  call.effect = true;
  call.kernel = runtime::ApplyKernel{
      std::make_shared<const Note>(Note{&Session::current().engine().progress().series(name), read}), &Note::run};
  recorder.drop(recorder.record(std::move(call)));
}

}  // namespace kasen::detail
