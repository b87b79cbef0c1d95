/// @file
/// The partitioner by METIS, which only metis_partitioner.cpp includes.
#pragma once

#include <memory>

#include "partition/partitioner.h"

namespace kasen::partition {

/// A partitioner by METIS's k-way partitioning, once for the least communication volume, which is the number of
/// replicas, and once for the least cut of edges, from which METIS often gets to fewer replicas all the same; whichever
/// of the two has fewer is taken, the first one where equal. Every part gets about as many non-zeros and as many
/// elements as every other (5 % more at most, if METIS finds a way). Non-zeros go with their rows or with their
/// columns, whichever have the shorter longest line.
///
/// Graph: one space: its elements, joined where either of the two entries is a non-zero. Two spaces: rows and columns
/// as the two sides of a bipartite graph, where only the side that is replicated has a volume. Elements of a space
/// whose owners are fixed cannot be placed anew: then the other one is hashed. Up to 20 elements a part are in blocks.
/// Local; deterministic: the seed is fixed, and the order of entries is of no account.
/// partition() needs the whole pattern and throws InputError if METIS cannot count it: as Debian builds it, elements
/// and twice the non-zeros must stay below 2^31. Cost: twice METIS's own time (seconds for some million non-zeros), a
/// tally of both, and 32 bytes a non-zero beside the pattern.
std::unique_ptr<Partitioner> metis_partitioner();

}  // namespace kasen::partition
