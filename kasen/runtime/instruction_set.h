/// @file
/// For which processors the library's own kernels are.
#pragma once

#include <string_view>

#include "comm/communicator.h"

namespace kasen::runtime {

/// The highest level of the x86-64 psABI, such as "x86-64-v3", all of whose instructions the library's kernels may use:
/// those that this process has loaded, where there are some for several levels (KASEN_HWCAPS). Empty on other
/// processors. Local.
std::string_view instruction_set();

/// Collective. Kernels of different levels round differently, so that workers would decide differently; `mine` is what
/// this worker's are for. Cost: one small all-reduce, and one broadcast. @throws AgreedError where two workers differ.
void require_one_instruction_set(const comm::Communicator& workers, std::string_view mine = instruction_set());

}  // namespace kasen::runtime
