/// @file
/// The programs of this folder under a spread of options.
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {

INSTANTIATE_TEST_SUITE_P(Spread, EndToEnd, testing::ValuesIn(spread()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace kasen::tests
