/// @file
/// Class DeltaState: what the sweeps of a delta loop tell each other about where something has changed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "kasen/runtime/connected_elements.h"
#include "kasen/runtime/element_set.h"
#include "kasen/runtime/listed_set.h"
#include "kasen/runtime/pending_set.h"
#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

class ActiveSweep;
struct MatrixKernel;

/// One delta loop of one run, on this worker. Products fill in what they have reached; the element work after them
/// visits that, and notes where the next iteration has to look. Memory: two bits an element, three more and a
/// SettlingOrder where products settle, or one more and ConnectedElements where these connect, and one for each vector
/// of active elements.
class DeltaState {
 public:
  /// @param settles, connects whether the loop's products do (Operation::settles, Operation::connects)
  DeltaState(const optimizer::Sweep& update, bool settles, bool connects, RunContext& context);

  /// That of the loop whose steps are made. @throws InternalError outside of delta loops
  static DeltaState& of(const RunContext& context);

  /// To be called before the first and after the last iteration. Nothing is known at first; in the end, buffers go back
  /// to the plan.
  void enter();
  void leave();

  // ---- for products ----

  /// Whether the iteration before was a delta iteration: all masters of products are where delta iterations start them,
  /// and it is known which elements are active.
  bool follows() const { return _follows; }
  const ListedSet& active(std::uint32_t product) const { return _active[_active_of[product]]; }
  /// Gives the output the buffer that it had before. Returns whether there is one.
  bool place(std::uint32_t product, ValueId out);
  /// The product walks its whole matrix.
  void walk(std::uint32_t product);
  /// The product pushes elements of so many non-zeros; `kept`: the sum of kept() over all workers.
  void push(std::uint64_t entries, std::uint64_t kept);
  /// Whether the loop has walked matrices so often that products which settle are to do so in any case.
  bool settles_anyway() const;
  /// Whether a product that has so many non-zeros of active elements pushes these: if they are fewer than `whole_from`,
  /// or as it settles in any case. Where elements may have been put off, the second product goes the way of the first:
  /// of these nothing is pushed, and all is forgotten if a matrix is walked.
  bool pushes(bool settles, std::uint64_t entries, std::uint64_t whole_from) const;
  /// Whether masters that are pushed to are to be inserted into reached(): if this may become a delta iteration.
  bool marks() const;
  ElementSet& reached() { return _reached; }
  std::uint64_t kept() const { return _kept_elements; }
  /// Where products settle: masters that this worker has pushed as the iteration makes them, as far as other workers
  /// add nothing, or has put off. If they do not, these masters are not active here in the next iteration.
  ElementSet& settled() { return _settled; }
  /// Masters that this worker has not pushed as they are, and will push in an iteration to come. Other workers have
  /// what they are.
  ElementSet& put_off() { return _put_off; }
  /// Masters that are to be pushed on next.
  PendingSet& pending() { return _pending; }
  /// Whether what has not had its turn by the end of this iteration may be put off: not before the first delta
  /// iteration, which may turn out to be none.
  bool puts_off() const { return _settles && _follows; }
  /// Whether the product that now pushes is the first of this iteration that reaches out.
  bool is_first() const { return _pushed == 1; }
  bool is_last(std::uint32_t product) const { return product + 1 == _delta.products.size(); }
  /// Where products pass elements on to all that is connected with them: what is, for all products.
  ConnectedElements& connected() { return *_connected; }
  /// The SettlingOrder of all products, which the first one of them makes.
  void* order(const MatrixKernel& product);
  /// The first of two products has been pushed, of which all that it improved waits: the last one settles both.
  void settle_with_last(ActiveSweep& first) { _pushed_before = &first; }
  /// That product of this iteration; null if there is none.
  ActiveSweep* pushed_before() const { return _pushed_before; }

  // ---- for the element work ----

  enum class Visits : std::uint8_t { all_untracked, all, changed };
  /// Which elements are to be visited, the same on all workers. `in_place`: whether outputs are in the buffers of what
  /// they replace.
  Visits next(bool in_place);
  /// What is to be visited because it was in the iteration before.
  ElementSet& kept_set() { return _kept; }
  ListedSet& active_set(std::size_t k) { return _active[k]; }
  bool settles() const { return _settles; }
  /// By position among DeltaUpdate::carried: the number of its active_set, or kNoDelta.
  std::uint32_t set_of_output(std::size_t carried) const { return _set_of_output[carried]; }
  /// Ends the iteration. @param tracked whether the sets say what is to be visited next, `kept` of them
  void end(bool tracked, std::uint64_t kept);

  // ---- for boundaries between iterations ----

  /// Calls save(), meanwhile what was put off is active in the vectors: a run that goes on from them knows of no sets.
  void save_with_put_off(const std::function<void()>& save);

 private:
  bool few_entries() const;

  const optimizer::DeltaUpdate& _delta;
  RunContext& _context;
  ElementSet _reached, _kept;
  const bool _settles;
  ElementSet _settled, _put_off;
  PendingSet _pending;
  std::optional<ConnectedElements> _connected;
  const LocalIndex _masters;
  std::shared_ptr<void> _order;
  ActiveSweep* _pushed_before = nullptr;
  std::vector<ListedSet> _active;
  std::vector<std::uint32_t> _active_of, _set_of_output;
  std::vector<BufferRef> _buffers;  ///< by product, while no value is in it
  bool _follows = false;
  std::uint64_t _walks = 0;  ///< of the whole matrix, since the loop was entered
  // Of this iteration:
  std::uint32_t _pushed = 0;
  bool _all_pushed = true;
  std::uint64_t _entries = 0, _kept_everywhere = 0;
  std::uint64_t _kept_elements = 0;
  // Attempts that found too much changed are repeated after ever longer pauses.
  bool _first_attempt = false;
  std::uint64_t _pause = 0, _wait = 0;
};

}  // namespace kasen::runtime
