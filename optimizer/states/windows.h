/// @file
/// Class Windows: short pieces of the blocks of a program as programs of their own, to see what a change in them costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "kasen/base/program.h"
#include "optimizer/plan/plan.h"
#include "optimizer/states/find_states.h"

namespace kasen::optimizer {

/// A statement of a block, or its beginning, where arguments are made, or its end, where it yields.
struct Spot {
  static constexpr std::size_t kBegin = ~std::size_t{0};
  std::uint32_t block = 0;
  std::size_t position = kBegin;  ///< of a statement; kBegin; of the end: their number
};

/// Who reads a vector, and for a block's yield, as what it goes on.
struct Reader {
  Spot spot;
  ValueId as = kNone<ValueId>;
};

/// A piece of a block: all statements that a plan has in some consecutive steps.
struct Window {
  std::uint32_t block = 0;
  std::size_t first = 0, last = 0;  ///< steps
  auto operator<=>(const Window&) const = default;
};

class Windows {
 public:
  /// @param program has to outlive this.
  explicit Windows(const Program& program);

  /// From now on, windows are of the steps of this plan of the whole program.
  void cut_by(const Plan& plan);

  const Spot& made(ValueId value) const { return _made[index_of(value)]; }
  const std::vector<Reader>& readers(ValueId value) const { return _readers[index_of(value)]; }
  /// The statement; null at the beginning or end of a block.
  const Statement* statement(const Spot& spot) const;
  /// The number of loops around a block's statements.
  int loops(std::uint32_t block) const { return _blocks[block].loops; }
  bool any_loops() const;
  std::size_t last_step(std::uint32_t block) const { return _blocks[block].last_step; }
  /// The number of statements in all blocks.
  std::size_t size() const { return _size; }

  /// The smallest windows that have all of the spots, and so many steps before and after, up to loops and branches of
  /// many statements: they do not overlap.
  std::vector<Window> around(const std::vector<Spot>& spots, std::size_t margin) const;
  /// The number of statements in a window, nested ones included.
  std::size_t size(const Window& window) const;

  /// A window as a program: what it reads is live on entry, what is read after it lives on.
  struct Piece {
    Program program;
    std::vector<ValueId> values;     ///< by ValueId of the piece: of the whole program; ascending
    std::vector<char> synchronised;  ///< by ValueId of the piece: whether its transitions belong to the window
  };
  Piece piece(const Window& window) const;

 private:
  struct BlockAt {
    const Block* block = nullptr;
    Spot around;  ///< the statement that it belongs to; not of the top
    int loops = 0;
    std::vector<std::size_t> sizes;     ///< by statement: how many it is, with those within
    std::vector<std::size_t> steps;     ///< by statement
    std::vector<std::size_t> in_order;  ///< statements by step
    std::vector<std::size_t> large;     ///< steps of large loops and branches, ascending
    std::size_t last_step = 0;
  };

  void visit(const Block& block, const Spot& around, int loops);
  void note_steps(const std::vector<Step>& steps, std::uint32_t block);
  std::size_t step_of(const Spot& spot) const;
  bool holds(const Window& window, const Spot& spot) const;
  /// The window's statements, by step.
  std::span<const std::size_t> statements(const Window& window) const;
  /// The statement of the block that the spot is in; kBegin if it is not within the block.
  std::size_t position_in(std::uint32_t block, Spot spot) const;
  bool read_after(const Window& window, ValueId value) const;
  /// Whether element work alone reads a source, so that it is made again wherever it is read.
  bool remade(ValueId value) const;

  const Program& _program;
  std::vector<BlockAt> _blocks;
  std::map<std::tuple<std::uint32_t, std::size_t, std::size_t>, std::uint32_t> _regions;  ///< of statements
  std::vector<Spot> _made;                                                                ///< by ValueId
  std::vector<std::vector<Reader>> _readers;                                              ///< by ValueId
  std::vector<char> _lives_on;                                                            ///< by ValueId: live-outs
  std::size_t _size = 0;
};

}  // namespace kasen::optimizer
