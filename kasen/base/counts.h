/// @file
/// Counts of what a plan does to memory and network: one list of fields for numbers and formulas.
#pragma once

#include <array>
#include <cstdint>

namespace kasen {

/// Accesses, bytes and messages. "Elements" are array elements and matrix index, value and pointer entries. T is a
/// number, or a formula for one.
template <class T>
struct Costs {
  T elements_read{};
  T elements_written{};
  T elements_initialised{};  ///< elements of outputs that are set to what they start from, mostly the identity
  T bytes_read{};
  T bytes_written{};
  T bytes_sent{};    ///< payload to other workers
  T messages{};      ///< directed pairs of workers with payload, per exchange
  T buffer_bytes{};  ///< obtained for vectors and for packing

  struct Field {
    const char* name;
    T Costs::*member;
  };
  /// All fields, in the order of reports.
  static constexpr std::array<Field, 8> fields() {
    return {{{"elements_read", &Costs::elements_read},
             {"elements_written", &Costs::elements_written},
             {"elements_initialised", &Costs::elements_initialised},
             {"bytes_read", &Costs::bytes_read},
             {"bytes_written", &Costs::bytes_written},
             {"bytes_sent", &Costs::bytes_sent},
             {"messages", &Costs::messages},
             {"buffer_bytes", &Costs::buffer_bytes}}};
  }

  Costs& operator+=(const Costs& other) {
    for (const Field& field : fields()) this->*field.member += other.*field.member;
    return *this;
  }
  Costs times(std::uint64_t n) const {
    Costs product = *this;
    for (const Field& field : fields()) product.*field.member *= n;
    return product;
  }
  bool operator==(const Costs&) const = default;
};

using Counts = Costs<std::uint64_t>;

/// Runs of a sweep that did not go over all of its index space: how many, over how many elements, with how many
/// non-zeros. Of a sweep over batches of a matrix: all runs, and the non-zeros of the batches. Of a sparse exchange:
/// how many elements it has sent, and bytes that say which.
struct PartialRuns {
  std::uint64_t runs = 0;  ///< as many on all workers
  std::uint64_t elements = 0, entries = 0;
  PartialRuns& operator+=(const PartialRuns& other) {
    runs += other.runs;
    elements += other.elements;
    entries += other.entries;
    return *this;
  }
};

/// How often a sweep has gone another way than over all.
struct Activity {
  PartialRuns pushed;          ///< active elements, instead of walking the matrix; or a batch, or by a sparse exchange
  PartialRuns delta;           ///< in delta iterations: active elements of a product, revisited ones of element work
  std::uint64_t in_order = 0;  ///< of the latter, elements of tiles that were visited in order
  /// In pushing runs, which are counted above: elements that a product went on from, or told what they are connected
  /// with, and how often it has found out what is connected.
  PartialRuns settled;
  std::uint64_t known = 0;  ///< runs over all: of a product after such an iteration, of element work that notes changes
  Activity& operator+=(const Activity& other) {
    pushed += other.pushed;
    delta += other.delta;
    in_order += other.in_order;
    settled += other.settled;
    known += other.known;
    return *this;
  }
  std::uint64_t partial_runs() const { return pushed.runs + delta.runs; }
};

}  // namespace kasen
