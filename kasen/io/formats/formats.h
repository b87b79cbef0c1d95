/// @file
/// Table of the formats that are read and written, a row each, by which readers, writers, options and messages go.
/// docs/add_a_format.md says what a new one takes.
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

/// Data that a file of a format does not hold, or holds in another way than it was given.
struct Losses {
  bool vertex_ids = false;     ///< It numbers vertices in their order.
  bool labels = false;         ///< of samples
  bool unlabelled = false;     ///< Samples without labels get some.
  bool patterns = false;       ///< Entries without values get some.
  bool lone_vertices = false;  ///< vertices without an edge
  bool last_columns = false;   ///< those behind the last entry
  bool names_of_columns = false;
};

/// One format. All readers and writers are collective, and their errors agreed; those that a format lacks are null.
struct Format {
  std::string_view name;                        ///< "edge-list", as --format and --to take it
  std::string_view expected;                    ///< "an edge list", in messages of what a file could have been
  std::string_view looks_like = {};             ///< the same in messages of what a file seems to be; empty: `expected`
  std::vector<std::string_view> endings = {};   ///< of the names of outputs, the usual one first
  std::vector<std::string_view> variants = {};  ///< "gr:uint32": words that say what its files do not say
  bool binary = false;  ///< not lines of text: one file, told by its first bytes, its numbers as a program left them
  std::vector<std::string_view> options = {};  ///< "--ids": of those that not all formats heed, the ones it does

  /// Local. How much a file looks like one of this format.
  Likeness (*recognise)(const Beginning& beginning) = nullptr;
  /// Local. What a file of this format holds. `asked`: the kind that is wanted, of those that the format has; if none,
  /// the file says it, or it is told by what is in it. @throws InputError
  Content (*look)(const Beginning& beginning, const ReadOptions& options, std::optional<Kind> asked) = nullptr;

  using ReadSparse = SparseData (*)(const comm::Communicator& communicator, const Text& text,
                                    const ReadOptions& options, const ValueRequest& values);
  ReadSparse read_graph = nullptr, read_samples = nullptr;
  DenseData (*read_dense)(const comm::Communicator& communicator, const Text& text,
                          const ReadOptions& options) = nullptr;

  void (*write_sparse)(const comm::Communicator& communicator, const std::string& path, SparseData data) = nullptr;
  void (*write_dense)(const comm::Communicator& communicator, const std::string& path, const DenseData& data) = nullptr;
  /// Writes a file with a partition (kasen/io/hdf5/prepared.h).
  void (*write_prepared)(const comm::Communicator& communicator, const std::string& path, SparseData data,
                         const partition::Partitioning& partitioning) = nullptr;
  Losses loses = {};

  bool reads(Kind kind) const;
  /// Whether the format writes tables (`dense`), or graphs and samples.
  bool writes(bool dense) const { return dense ? write_dense != nullptr : write_sparse != nullptr; }
};

/// All formats. Where a file looks as much like one as like another, it is taken for the first of them.
std::span<const Format> formats();

/// The format of this name, which may have one of its variants behind a colon; null if there is none.
const Format* find_format(std::string_view name);

/// The words that --format takes, "auto" first: the formats that are read as any of these kinds, and their variants.
std::vector<std::string> input_format_names(std::span<const Kind> kinds);
/// The words that --to takes, "auto" first: the formats that are written.
std::vector<std::string> output_format_names();

/// The formats that are read as this kind, in words: "an edge list, Matrix Market or HDF5".
std::string formats_that_read(Kind kind);

/// The words as a list in a sentence: "a, b or c".
std::string one_of(std::span<const std::string_view> words);

}  // namespace kasen::io
