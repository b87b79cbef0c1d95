/// @file
/// Checks, in programs that link kasen::checked, of the laws by which a plan runs functions on partial results (rules
/// 10, 11, 14, 15): tried on elements of the vectors at hand, on 0, 1, -1, the identity and middling magnitudes; and of
/// reducing functions: tried on elements at hand and the identity; and of the steps of folds: tried on elements at
/// hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kasen/runtime/access.h"
#include "kasen/runtime/kernel.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

struct RunContext;

#ifdef KASEN_CHECKED
inline constexpr bool kCheckLaws = true;
#else
inline constexpr bool kCheckLaws = false;
#endif

/// A law to try, of `kernel` at its vector `argument`, with respect to `reducer`.
struct LawClaim {
  bool pushes_down = false;  ///< F(R(a,b),..) = R(F(a,..),b); else R(F(a,..),F(b,..))
  std::size_t argument = 0;
  std::vector<std::uint32_t> element_bytes;  ///< of each vector
  const ElementKernel* kernel = nullptr;
  const Reducer* reducer = nullptr;
};

/// A counter-example in words, with the other vectors' elements and the Shareds from `tile`; none if the law stands.
/// Values that differ by no more than a small fraction of what they were computed from are equal (1e-6 for double, 1e-3
/// for float), and where the whole is not defined (NaN; infinite, but for minimum and maximum; sums and products of
/// integers that overflow) nothing is claimed.
/// Elements that are structs are not examined.
std::optional<std::string> counter_example(const LawClaim& claim, const Tile& tile);

/// The same for a function that is to reduce these elements: whether it is commutative, associative, leaves an
/// element as it is when the other one is its identity, and is idempotent where it is said to be. The last alone is
/// tried on structs.
std::optional<std::string> reducer_counter_example(const Reducer& reducer, const void* elements, std::uint32_t n);

/// The same for a product's function that is said to keep the identity: whether, pushed with their entries, elements
/// from `first` on that are the reducer's identity leave the product as it is.
/// @param outputs length of the product, replicas included
std::optional<std::string> identity_counter_example(const MatrixKernel& kernel, const Reducer& reducer,
                                                    const Compressed& matrix, LocalIndex first, std::uint32_t n,
                                                    std::uint64_t outputs);

/// The same for a fold: for its reducer, of what a step makes of each element of the tile, and for the step, whether
/// all of them together make what these make merged.
/// @param vectors bytes of an element of each. Accumulators that are structs are not examined.
std::optional<std::string> step_counter_example(const FoldKernel& kernel, const Reducer& reducer,
                                                const std::vector<std::uint32_t>& vectors, const Tile& tile);

/// The checks of one sweep: every launch by a law, and every one that reduces, is tried on its first tile.
class LawCheck {
 public:
  LawCheck(const optimizer::Sweep& sweep, const RunContext& context);

  void see(std::size_t launch, const Tile& tile);
  /// Tries a launch that reduces, on elements that it reads or has made.
  void see_reduced(std::size_t launch, const void* elements, std::uint32_t n);
  /// Tries a fold, on elements that it reads.
  void see_folded(std::size_t launch, const Tile& tile);
  /// Tries all products, on what they have made on masters.
  void see_products();
  /// Collective, once per sweep of a run that has such launches. @throws on all workers, if a law is broken on any: the
  /// function, its line, the law and a counter-example.
  void agree();

 private:
  const optimizer::Sweep& _sweep;
  const RunContext& _context;
  std::vector<char> _pending;  ///< by launch: its law is yet to be tried
  std::string _broken;
  bool _agreed = true;
};

}  // namespace kasen::runtime
