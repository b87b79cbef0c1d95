#include "tests/fuzz/generator.h"

#include "tests/fuzz/bounds.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/program_maker.h"
#include "tests/fuzz/vocabulary.h"

namespace kasen::tests::fuzz {

Program generate(std::uint64_t seed, Kind kind) {
  const Vocabulary vocabulary(kind);
  const Draw draw = Draw(seed).split(kind.searches ? 3 : kind.exact ? 1 : 2);
  for (std::uint64_t attempt = 0;; ++attempt) {
    Program program = ProgramMaker(draw.split(attempt), kind, vocabulary).make();
    program.seed = seed;
    if (keep_within_bounds(program)) return program;
  }
}

}  // namespace kasen::tests::fuzz
