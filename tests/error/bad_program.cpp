/// @file
/// Programs that end with an error: how is the first argument, the others are options. The line at fault is marked with
/// it.
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kasen/kasen.h"

using namespace kasen;

namespace {

double no_seven(double a) {
  if (a == 7) throw std::runtime_error("no seven");
  return a;
}

void run(const std::string& how, Session& session) {
  const auto x = map([](GlobalIndex i) { return static_cast<double>(i); }, iota(12));
  const Shared<double> s = reduce(plus, x);
  if (how == "element") {
    const auto y = map([](double a) { return no_seven(a); }, x);  // element
    reduce(plus, y).get();
  }
  if (how == "far elements") {
    const auto far = map([](GlobalIndex i) { return static_cast<double>(i % 50'000); }, iota(100'000));
    const auto y = map([](double a) { return no_seven(a); }, far);  // far elements
    reduce(plus, y).get();
  }
  if (how == "exit far away") {
    const auto y =
        map([](GlobalIndex i) { return i == 99'990 ? std::exit(4), i : i; }, iota(100'000));  // exit far away
    reduce(plus, y).get();
  }
  if (how == "get far away") {
    const auto y = map([&](GlobalIndex i) { return i == 99'990 ? s.get() : 0; }, iota(100'000));  // get far away
    reduce(plus, y).get();
  }
  if (how == "key of one worker") {
    const auto key = map([](GlobalIndex i) { return i == 11 ? 12 : -i; }, iota(12));
    reduce(plus, reduce_by_key(plus, key, x, 12)).get();  // key of one worker
  }
  if (how == "keys of all") {
    const auto key = map([](GlobalIndex i) { return static_cast<std::uint8_t>(i + 5); }, iota(12));
    reduce(plus, take(constant(5, 1.0), key)).get();  // keys of all
  }
  if (how == "key far away") {
    const auto key = map([](GlobalIndex i) { return i < 99'990 ? i % 8 : i; }, iota(100'000));
    reduce(plus, reduce_by_key(plus, key, iota(100'000), 8)).get();  // key far away
  }
  if (how == "no such batch") {
    Shared<GlobalIndex> b = 0;
    const auto all = batches(x, 5);
    Shared<double> total = 0.0;
    while_([&] { return b < 3; },
           [&] {
             total += reduce(plus, batch(all, b));  // no such batch
             ++b;
           });
    total.get();
  }
  if (how == "keys of another length") {
    reduce_by_key(plus, iota(11), x, 12);  // keys of another length
  }
  if (how == "locals") {
    const auto y = map(  // locals
        [](double a) {
          const std::vector<double> powers{a, a * a};
          return no_seven(powers[0]) + powers[1];
        },
        x);
    reduce(plus, y).get();
  }
  if (how == "apply") {
    const auto y = apply([](double a) { return no_seven(a - 59); }, s);  // apply
    y.get();
  }
  if (how == "reduction") {
    const auto sum = [](double a, double b) { return no_seven(a) + b; };
    const auto all = reduce(sum, constant(40, 7.0));  // reduction
    all.get();
  }
  if (how == "thrown text") {
    const auto y = apply([](double a) { return a > 0 ? throw "no Error" : a; }, s);  // thrown text
    y.get();
  }
  if (how == "exit in a function") {
    const auto y = map([](double a) { return a == 7 ? std::exit(4), a : a; }, x);  // exit in a function
    reduce(plus, y).get();
  }
  if (how == "nothing") return;
  if (how == "exit") std::exit(4);
  if (how == "exit alone") {
    if (session.rank() == session.workers() - 1 || session.rank() == 1) std::exit(4);
    reduce(plus, x).get();
  }
  const bool last = session.rank() == session.workers() - 1;
  if (how == "exit at the end" && last) std::exit(4);
  if (how == "exit after finish") {
    session.finish();
    if (last) std::exit(4);
  }
  if (how == "caught outside") {
    if (last) throw std::runtime_error("of my own");
    reduce(plus, x).get();
  }
  if (how == "caught by all") throw std::runtime_error("of us all");
  if (how == "get") {
    const auto y = map([&](double a) { return a * s.get(); }, x);  // get
    reduce(plus, y).get();
  }
  if (how == "record") {
    const auto y = map([](double a) { return a * constant(3, a).get()[0]; }, x);  // record
    reduce(plus, y).get();
  }
  if (how == "second") Session second(session.options());  // second
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  if (how == "none") constant(4, 1.0);  // none
  std::optional<Vector<double>> outlives;
  try {
    Session session(argc > 1 ? argc - 1 : argc, argc > 1 ? argv + 1 : argv);
    if (how == "outlives") outlives = constant(4, 1.0);
    run(how, session);
  } catch (const std::runtime_error&) {
    if (!how.starts_with("caught ")) throw;
    return 5;
  }
}
