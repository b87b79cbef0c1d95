/// @file
/// Reading of labelled samples from any format that holds them, and of the classes that labels stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kasen/kasen.h"

namespace apps {

/// The file to read, and how.
struct SampleFile {
  std::string path;
  std::string label;  ///< the column of labels of a table, by name or number from 0; else empty
  kasen::ReadOptions options;
  bool constant = false;  ///< whether a last feature is added that is 1 in all samples
};

struct LabelledSamples {
  kasen::Matrix<double> X;  ///< a row a sample
  kasen::Vector<double> labels;
};

/// Collective. Reads samples, with so many features if their number is given: sparse samples may have fewer, and
/// features beyond are left out, as no weight is known for them; tables must have as many. The constant is not counted.
/// @throws InputError (by all workers) if there are no samples or no labels.
LabelledSamples read_labelled(const SampleFile& file, std::optional<std::uint64_t> features = {});

/// The lines of a table without the column of their labels.
struct LabelledRows {
  kasen::Rows<double> X;
  kasen::Vector<double> labels;
};

/// Collective. As read_labelled, of a table. @pre file.label is given
LabelledRows read_labelled_rows(const SampleFile& file);

/// Collective. The labels that occur, ascending. Cost: a sweep over the labels for each.
/// @throws InputError (by all workers) "FILE: ..." if there are fewer than two, or more than kMostClasses
std::vector<double> classes_of(const kasen::Vector<double>& labels, const std::string& path);

inline constexpr std::size_t kMostClasses = 1000;

}  // namespace apps
