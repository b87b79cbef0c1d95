/// @file
/// The formats that are read and written: one row each in one table, which readers, writers, options and messages go
/// by. docs/add_a_format.md says what a new one takes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "kasen/io/lines/beginning.h"
#include "kasen/io/lines/text.h"

namespace kasen::partition {
struct Partitioning;
}

namespace kasen::io {

/// What a file of a format does not hold, or holds in another way than it was given.
struct Losses {
  bool vertex_ids = false;     ///< It numbers vertices in their order.
  bool labels = false;         ///< of samples
  bool unlabelled = false;     ///< Samples without labels get some.
  bool patterns = false;       ///< Entries without values get some.
  bool lone_vertices = false;  ///< vertices without an edge
  bool names_of_columns = false;
};

/// One format. All readers and writers are collective, and their errors agreed; those that a format lacks are null.
struct Format {
  std::string_view name;                        ///< "edge-list", as --format and --to take it
  std::string_view expected;                    ///< "an edge list", in messages of what a file could have been
  std::string_view looks_like = {};             ///< the same in messages of what a file seems to be; empty: `expected`
  std::vector<std::string_view> endings = {};   ///< of the names of outputs, the usual one first
  std::vector<std::string_view> variants = {};  ///< "gr:uint32": words that say what its files do not say
  bool binary = false;    ///< not lines of text: one file, told by its first bytes, its numbers as a program left them
  bool datasets = false;  ///< A file holds several, by names.

  /// Local. Whether a file is one of these.
  Likeness (*recognise)(const Beginning& beginning) = nullptr;
  /// Local. What a file of this format holds. `asked`: the kind that is wanted, of those that the format has; else it
  /// says itself, or is told by what is in it. @throws InputError
  Content (*look)(const Beginning& beginning, const ReadOptions& options, std::optional<Kind> asked) = nullptr;

  using ReadSparse = SparseData (*)(const comm::Communicator& communicator, const Text& text,
                                    const ReadOptions& options, const ValueRequest& values);
  ReadSparse read_graph = nullptr, read_samples = nullptr;
  DenseData (*read_dense)(const comm::Communicator& communicator, const Text& text,
                          const ReadOptions& options) = nullptr;

  void (*write_sparse)(const comm::Communicator& communicator, const std::string& path, SparseData data) = nullptr;
  void (*write_dense)(const comm::Communicator& communicator, const std::string& path, const DenseData& data) = nullptr;
  /// With a partition (kasen/io/hdf5/prepared.h).
  void (*write_prepared)(const comm::Communicator& communicator, const std::string& path, SparseData data,
                         const partition::Partitioning& partitioning) = nullptr;
  Losses loses = {};

  bool reads(Kind kind) const;
  /// Graphs and samples (`dense` false), or tables.
  bool writes(bool dense) const { return dense ? write_dense != nullptr : write_sparse != nullptr; }
};

/// All of them. Where a file looks as much like one as like another, it is the first of them.
std::span<const Format> formats();

/// The format of this name, which may have one of its variants behind a colon; null: there is none.
const Format* find_format(std::string_view name);

/// What --format takes, "auto" first: the formats that are read, and their variants.
std::vector<std::string> input_format_names();
/// What --to takes, "auto" first: the formats that are written.
std::vector<std::string> output_format_names();

/// "an edge list, Matrix Market or HDF5": the formats that are read so.
std::string formats_that_read(Kind kind);

/// "a, b or c"
std::string one_of(std::span<const std::string_view> words);

}  // namespace kasen::io
