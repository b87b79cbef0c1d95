/// @file
/// Tools over the steps of a plan that several passes share: what a step reads and defines, and walking over all steps.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <vector>

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// The values that the step, with all it contains, reads but does not define: ascending, each once.
std::vector<ValueId> reads_of(const Step& step);

/// The values the step itself defines for its block of statements: outputs, results, what moves.
std::vector<ValueId> defined_by(const Step& step);

/// All values that the steps, or steps within them, write; arguments of loops included.
std::set<ValueId> defined_within(const std::vector<Step>& steps);

/// The kind of a step in one word: sweep, exchange, scalar, loop or branch.
const char* kind_of(const Step& step);
/// Whether it is a loop or a branch: what it does are the steps in it, which run reports list in its place.
bool holds_steps(const Step& step);

/// The vectors that the sweep's MxVs read through its matrix, at the other ends of non-zeros.
std::set<ValueId> read_through_matrix(const Sweep& sweep);
/// The vectors that the sweep reads all through the walk, not just where a tile is: those, and those keys lead into.
std::set<ValueId> read_at_random(const Sweep& sweep);
/// Of values that die with the sweep, those whose buffers its outputs may take over while it runs.
std::vector<ValueId> replaceable(const Sweep& sweep, std::span<const ValueId> dies);

/// The vector that says which elements of its MxV's vector are active; none if the MxV always takes all.
ValueId active_of(const Sweep& sweep);
/// The Shared that says which batch of its matrix the sweep walks; none if it walks a whole one, or none.
ValueId batch_of(const Sweep& sweep);
bool is_of_batch(const Step& step);
/// A vector that a sparse exchange sends: all have elements of one size.
const Move& sent_sparsely(const Exchange& exchange);

/// Whether all of its element work runs on masters and reads these alone: keys lead to replicas, of which wholes have
/// some.
bool touches_masters_alone(const Sweep& sweep);

/// Whether runs of the sweep may be those of a delta iteration.
bool in_delta_loop(const Sweep& sweep);

/// Whether the product goes on from what it improves, which it does in delta loops only.
bool settles(const Launch& launch);
bool settles(const Sweep& sweep);
/// Whether the sweep is of a product that settles by what its non-zeros connect; and whether it is the one of its loop
/// that finds this, once each time that the loop is entered.
bool connects(const Sweep& sweep);
bool finds_connected(const Sweep& sweep);
/// Has the sweep of a product that will connect if its loop has delta iterations be one that does: the least it costs.
void connect_if_it_may(Sweep& sweep);

/// The side of its matrix that the sweep walks, which its MxVs agree on.
Role::Side walked_side(const Sweep& sweep);
/// Whether an MxV, or several as one launch, can go by stencils where it pulls all elements: its vectors are of one
/// end, of numbers or structs.
bool may_go_by_stencils(const Operation& product, const std::vector<Value>& values);

/// Whether its vectors are of elements of a word at most, as numbers are.
bool are_numbers(const Operation& product, const std::vector<Value>& values);

/// Whether the sweep holds nothing but MxVs that pull.
bool only_pulls(const Sweep& sweep);

/// Whether any of its MxVs pushes, so that several elements add to one output.
bool pushes(const Sweep& sweep);
/// The fewest elements of the walked side, of so many, that a part of a sweep has which pushes through a dense matrix:
/// what a part does for its results by themselves is little beside its products, and several threads get some.
std::uint64_t least_pushed(std::uint64_t elements);

/// Whether the launch multiplies rows by rows, so that each element adds to all results: a keyed sum without keys.
bool is_cross(const Operation& operation, const std::vector<Value>& values);
/// The fewest elements of a part of a sweep with one: what a part does for its results takes as long as some twenty do.
inline constexpr std::uint64_t kLeastOfCross = 256;
/// Numbers of 8 bytes of the longest element that the sweep reads or makes one by one, as of rows: at least 1.
std::uint64_t numbers_of_element(const Sweep& sweep, const std::vector<Value>& values);

/// Turns a launch that pulls into one that pushes.
void push_instead(Launch& launch, MatrixId matrix);

/// Calls `visit` for every step, containing steps first, in order.
void for_each_step(std::vector<Step>& steps, const std::function<void(Step&)>& visit);
void for_each_step(const std::vector<Step>& steps, const std::function<void(const Step&)>& visit);

}  // namespace kasen::optimizer
