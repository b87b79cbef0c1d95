#include "optimizer/states/rules.h"

#include <algorithm>
#include <array>

#include "kasen/base/error.h"

namespace kasen::optimizer {
namespace {

constexpr auto kP = State::Kind::partitioned;
constexpr auto kC = State::Kind::consistent;
constexpr auto kPR = State::Kind::pre_reduced;
constexpr std::optional<State::Kind> kNo = std::nullopt;
constexpr std::optional<Law::Kind> kLawless = std::nullopt;

// Rules 0, 8/9 and 12/13 differ only in the state; rules 1 and 2, the transitions, are rows of their own.
constexpr std::array kRules = {
    Rule{0, Op::source, false, kNo, kNo, kP, kLawless, false, Reach::everywhere, "source -> P or C"},
    Rule{1, Op::gather, false, kPR, kNo, kP, kLawless, false, Reach::masters, "V: PR(R) -gather-> P -scatter-> C"},
    Rule{2, Op::all_reduce, false, kPR, kNo, kC, kLawless, false, Reach::masters, "S: PR(R) -gather-> P -scatter-> C"},
    Rule{3, Op::apply, false, kNo, kNo, kC, kLawless, false, Reach::masters, "apply: C, C, ... -> C"},
    Rule{4, Op::reduce, false, kP, kNo, kPR, kLawless, false, Reach::masters, "reduce(F): P -> PR(F)"},
    Rule{5, Op::reduce, false, kPR, kNo, kPR, kLawless, true, Reach::everywhere, "reduce(F): PR(F) -> PR(F)"},
    Rule{6, Op::mxv, false, kC, kC, kPR, kLawless, false, Reach::everywhere, "mxv: C, ..., M_P -> PR(F_R)"},
    Rule{7, Op::mxvt, false, kC, kC, kPR, kLawless, false, Reach::everywhere, "mxvt: C, ..., M_P -> PR(F_R)"},
    Rule{8, Op::element, false, kP, kNo, kP, kLawless, false, Reach::masters, "map: P -> P"},
    Rule{9, Op::element, false, kC, kNo, kC, kLawless, false, Reach::everywhere, "map: C -> C"},
    Rule{10, Op::element, false, kPR, kNo, kPR, Law::Kind::exchange, false, Reach::everywhere,
         "map: PR(R) -> PR(R) by the exchange law"},
    Rule{11, Op::element, false, kPR, kNo, kPR, Law::Kind::pushdown, false, Reach::masters,
         "map: PR(R) -> PR(R) by the pushdown law, masters only"},
    Rule{12, Op::element, true, kP, kP, kP, kLawless, false, Reach::masters, "zip_with: P, P -> P"},
    Rule{13, Op::element, true, kC, kC, kC, kLawless, false, Reach::everywhere, "zip_with: C, C -> C"},
    Rule{14, Op::element, true, kPR, kC, kPR, Law::Kind::distributive, false, Reach::everywhere,
         "zip_with: PR(R), C -> PR(R) by the distributive law"},
    Rule{15, Op::element, true, kPR, kP, kPR, Law::Kind::pushdown, false, Reach::masters,
         "zip_with: PR(R), P -> PR(R) by the pushdown law, masters only"},
    Rule{16, Op::element, false, kPR, kNo, kPR, Law::Kind::affine, false, Reach::everywhere,
         "map: PR(plus) -> PR(plus), c*x + d as its exchange part (10), then its pushdown part (11)"},
    Rule{17, Op::fold, false, kP, kP, kPR, kLawless, false, Reach::masters, "fold(F, G): P, P, ... -> PR(G)"},
    Rule{18, Op::reduce_by_key, true, kP, kP, kPR, kLawless, false, Reach::masters, "reduce_by_key(F): P, P -> PR(F)"},
    Rule{19, Op::reduce_by_key, true, kPR, kC, kPR, kLawless, true, Reach::everywhere,
         "reduce_by_key(F): C, PR(F) -> PR(F)"},
    Rule{20, Op::take, true, kC, kP, kP, kLawless, false, Reach::masters, "take: C, P -> P"},
    Rule{21, Op::with_wholes, true, kC, kP, kP, kLawless, false, Reach::masters, "map, zip_with: P, ..., whole C -> P"},
};

bool is_row_of(const Rule& row, const Statement& statement) {
  return row.op == statement.op && (row.op != Op::element || row.several == (statement.in.size() > 1));
}

}  // namespace

std::span<const Rule> rules() { return kRules; }

const Rule& rule(int number) {
  const Rule& row = kRules.at(static_cast<std::size_t>(number));
  if (row.number != number) throw InternalError("Table 1 is out of order");
  return row;
}

std::vector<RuleChoice> choices(const Statement& statement) {
  std::vector<RuleChoice> result;
  for (const Rule& row : kRules) {
    if (!is_row_of(row, statement)) continue;
    if (statement.on_masters && row.one && *row.one != State::Kind::partitioned) continue;
    if (!row.law) {
      const bool of_values = row.op == Op::reduce_by_key;  // which come behind their keys
      if (of_values && row.same_reducer && statement.in[0] == statement.in[1]) continue;  // in two states at once
      result.push_back({row.number, static_cast<std::uint8_t>(of_values ? 1 : 0)});
      continue;
    }
    for (std::size_t k = 0; k < statement.in.size(); ++k) {
      const bool twice = std::count(statement.in.begin(), statement.in.end(), statement.in[k]) > 1;
      const bool lawful = std::any_of(statement.laws.begin(), statement.laws.end(),
                                      [&](const Law& law) { return law.kind == *row.law && law.argument == k; });
      if (lawful && !twice) result.push_back({row.number, static_cast<std::uint8_t>(k)});
    }
  }
  return result;
}

RuleChoice on_masters(const Statement& statement) { return {statement.in.size() > 1 ? 12 : 8, 0}; }

State::Kind input_kind(const RuleChoice& choice, std::size_t position) {
  const Rule& row = rule(choice.rule);
  return position == choice.argument ? *row.one : *row.others;
}

State::Kind read_kind(const Statement& statement, const RuleChoice& choice, std::size_t position) {
  if (chooses_rule(statement.op)) return input_kind(choice, position);
  if (!reads_wholes(statement.op)) return State::Kind::consistent;
  return reads_whole(statement, position) ? *rule(kTakeRule).one : *rule(kTakeRule).others;
}

bool law_holds(const Statement& statement, const RuleChoice& choice, ReducerId reducer) {
  const Rule& row = rule(choice.rule);
  if (row.same_reducer) return statement.reducer == reducer;
  if (!row.law) return true;
  return std::find(statement.laws.begin(), statement.laws.end(), Law{*row.law, reducer, choice.argument}) !=
         statement.laws.end();
}

}  // namespace kasen::optimizer
