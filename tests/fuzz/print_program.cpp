// Prints a random program as C++, or what it should print.
//
// Usage: fuzz_print [--results] [--rounded | --searches] SEED
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/fuzz/generator.h"
#include "tests/fuzz/printer.h"

int main(int argc, char** argv) {
  using namespace kasen::tests::fuzz;
  bool results = false;
  Kind kind{.errors = true};
  std::uint64_t seed = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--results") == 0) {
      results = true;
    } else if (std::strcmp(argv[i], "--rounded") == 0) {
      kind.exact = false;
    } else if (std::strcmp(argv[i], "--searches") == 0) {
      kind = {.searches = true};
    } else {
      seed = std::stoull(argv[i]);
    }
  }
  const Program program = generate(seed, kind);
  const std::string text =
      results ? printed(Interpreter(program).run()) : cpp(program, "Random program, seed " + std::to_string(seed));
  std::fputs(text.c_str(), stdout);
}
