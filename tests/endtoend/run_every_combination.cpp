/// @file
/// The programs of this folder under every combination of options.
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {

INSTANTIATE_TEST_SUITE_P(Every, EndToEnd, testing::ValuesIn(every_combination()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace kasen::tests
