// Functions of one of two source files that have some of the same names.
#include <limits>

namespace kasen::tests::fuzz {
namespace {
constexpr bool kFirst = true;
#include "tests/fuzz/twins.inc"
}  // namespace
}  // namespace kasen::tests::fuzz

#include "tests/fuzz/twin_operations.h"

namespace kasen::tests::fuzz {

void add_first_twins(std::vector<Operation>& table) { add_twins(table); }

}  // namespace kasen::tests::fuzz
