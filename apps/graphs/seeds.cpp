#include "apps/graphs/seeds.h"

#include <algorithm>
#include <unordered_map>

#include "apps/common/vertex_lines.h"
#include "apps/graphs/program.h"
#include "kasen/base/error.h"
#include "kasen/io/lines/fields.h"

namespace apps {

namespace {

/// Distinct ones, ascending.
std::vector<std::string> classes_of(const std::vector<VertexLine>& lines) {
  std::vector<std::string> classes;
  for (const VertexLine& line : lines) classes.push_back(line.value);
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  if (std::all_of(classes.begin(), classes.end(), [](const auto& word) { return as_integer(word); })) {
    std::stable_sort(classes.begin(), classes.end(),
                     [](const auto& a, const auto& b) { return as_integer(a) < as_integer(b); });
  }
  return classes;
}

}  // namespace

Seeds read_seeds(const std::string& path, const VertexNames& ids) {
  const std::vector<VertexLine> lines = read_vertex_lines(path, 2, "a class");
  if (lines.empty()) throw kasen::InputError(path + ": no seeds");
  std::vector<std::string> names;
  for (const VertexLine& line : lines) names.push_back(line.vertex);
  const std::vector<kasen::GlobalIndex> vertices = kasen::vertices(*ids, names);
  std::vector<std::string> classes = classes_of(lines);
  std::unordered_map<std::string, std::int32_t> place;
  for (std::size_t c = 0; c < classes.size(); ++c) place[classes[c]] = static_cast<std::int32_t>(c);

  const kasen::Space space(ids->length());
  const kasen::BlockRange mine = kasen::block_of(space);
  std::vector<std::int32_t> block(mine.count, -1);
  std::unordered_map<kasen::GlobalIndex, std::uint64_t> given_in;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto refuse = [&](const std::string& expected) {
      throw kasen::InputError(fmt::format("{}:{}:1: found {}, expected {}", path, lines[k].number,
                                          kasen::io::quoted(lines[k].vertex), expected));
    };
    if (vertices[k] < 0) refuse("a vertex of the graph");
    const auto [before, first] = given_in.emplace(vertices[k], lines[k].number);
    if (!first) refuse(fmt::format("a vertex that line {} has not given already", before->second));
    const auto at = static_cast<std::uint64_t>(vertices[k] - mine.first);
    if (vertices[k] >= mine.first && at < mine.count) block[at] = place[lines[k].value];
  }
  return {kasen::make_vector<std::int32_t>(space, block), std::move(classes), lines.size()};
}

}  // namespace apps
