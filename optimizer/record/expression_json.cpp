#include "optimizer/record/expression_json.h"

#include <iterator>
#include <utility>

namespace kasen::optimizer {
namespace {

/// By Operator.
constexpr const char* kOperators[] = {
    "element",    "entry",    "shared",     "plain",       "literal",     "cast",       "negate",   "add",
    "subtract",   "multiply", "divide",     "remainder",   "minimum",     "maximum",    "absolute", "less",
    "less_equal", "equal",    "not_equal",  "logical_not", "logical_and", "logical_or", "bit_not",  "bit_and",
    "bit_or",     "bit_xor",  "shift_left", "shift_right", "select",      "floor",      "ceil",     "square_root",
    "power",      "exp",      "expm1",      "log",         "log1p",       "sin",        "cos",      "tan",
    "asin",       "acos",     "atan",       "tanh",        "erf",         "erfc"};
static_assert(std::size(kOperators) == static_cast<std::size_t>(Operator::erfc) + 1);
/// By ScalarType.
constexpr const char* kTypes[] = {"boolean", "int8",  "uint8",  "int16",   "uint16", "int32",
                                  "uint32",  "int64", "uint64", "float32", "float64"};
static_assert(std::size(kTypes) == static_cast<std::size_t>(ScalarType::float64) + 1);

}  // namespace

Json to_json(const Expression& expression) {
  Json json = Json::array();
  for (const Node& node : expression.nodes) {
    Json entry{{"op", kOperators[static_cast<std::size_t>(node.op)]},
               {"type", kTypes[static_cast<std::size_t>(node.type)]}};
    Json operands = Json::array();
    for (const std::uint32_t operand : node.in) {
      if (operand != Node::kNothing) operands.push_back(operand);
    }
    if (!operands.empty()) entry["in"] = std::move(operands);
    if (node.position != 0) entry["position"] = node.position;
    if (node.bits != 0) entry["bits"] = node.bits;
    json.push_back(std::move(entry));
  }
  return json;
}

Expression expression_from_json(const JsonReader& json) {
  constexpr std::uint64_t kMostOperands = 0xffff;
  Expression expression;
  for (const JsonReader& entry : json.list()) {
    Node node;
    node.op = entry["op"].word<Operator>(kOperators);
    node.type = entry["type"].word<ScalarType>(kTypes);
    std::size_t operands = 0;
    for (const JsonReader& operand : entry.list_or_empty("in")) {
      if (operands == node.in.size() || expression.nodes.empty()) operand.fail("is one operand too many");
      node.in[operands++] = static_cast<std::uint32_t>(operand.number(expression.nodes.size() - 1));
    }
    if (operands != static_cast<std::size_t>(operands_of(node.op))) entry.fail("has the wrong number of operands");
    node.position = static_cast<std::uint32_t>(entry.has("position") ? entry["position"].number(kMostOperands) : 0);
    node.bits = entry.number_or("bits", 0);
    expression.nodes.push_back(node);
  }
  if (expression.nodes.empty()) json.fail("is an expression without nodes");
  return expression;
}

}  // namespace kasen::optimizer
