// Searches: loops in which what is known of the vertices of a graph spreads along its edges, by products over an
// idempotent reducer. Products take a frontier, which is the reducer's identity at most vertices, or all that is known.
// Beside them stands element work of most kinds that delta iterations allow, and of some that they do not.
#include <algorithm>

#include "tests/fuzz/program_maker.h"

namespace kasen::tests::fuzz {

namespace {

/// Rounds of a loop over so many elements that the interpreter has the time for.
int most_rounds(int elements) { return std::clamp(2400 / std::max(elements, 1) + 6, 6, 60); }

}  // namespace

/// A search, its variables and what stands in its loops.
struct ProgramMaker::Search {
  const Family* family = nullptr;
  int space = -1;
  std::vector<int> matrices;
  Place self, known, front, fixed, mark;         ///< vectors: indices, what spreads, ...
  Place one, other;                              ///< vectors that the loop may change in any way
  Place round, sum, most, value, changed, zero;  ///< Shareds
  bool wild = false;                             ///< also with what no delta iteration allows

  Type type() const { return family->type; }
  /// Known as such by what chooses them, which is a black box over structs.
  bool has_frontiers() const { return type() != Type::pair; }
};

void ProgramMaker::searches(Block& block) {
  auto s = new_search();
  if (!s) return;
  declare_search(block, *s);
  const int rounds = most_rounds(length(s->space));
  const int style = _draw.below(10);
  if (style < 5) {
    search_loop(block, *s, rounds);
  } else if (style < 7) {
    search_loop(block, *s, rounds / 2);
    if (_recorded == 0 && _draw.chance(30)) read(block, _draw.of(vectors(s->type(), s->space)));
    begin_again(block, *s);
    search_loop(block, *s, rounds / 2);
  } else if (style < 9 || _recorded > 0) {
    loop(
        block, false, _draw.between(2, 3), [](Statement&) {},
        [&](bool native) { return search_again(*s, native, rounds / 3); });
    block.back().likely = _draw.chance(50);
  } else {
    Statement outer;
    outer.kind = StatementKind::counted;
    outer.times = _draw.between(2, 3);
    outer.counter = _program.counters++;
    outer.body = search_again(*s, true, rounds / 3);
    block.push_back(std::move(outer));
  }
  _latest = s->known;
  if (_recorded > 0) return;
  for (const Place place : {s->known, s->one, s->other, s->front, s->mark, s->sum, s->most, s->value, s->round}) {
    if (_draw.chance(30)) read(block, place);
  }
}

/// Over a square matrix there is.
std::optional<ProgramMaker::Search> ProgramMaker::new_search() {
  if (_words.families.empty()) return std::nullopt;
  Search s;
  s.family = &_draw.of(_words.families);
  s.wild = _draw.chance(30);
  for (int tries = 0; tries < 10 && s.matrices.empty(); ++tries) {
    s.space = _program.matrices[static_cast<std::size_t>(_draw.of(_made))].rows;
    std::copy_if(_made.begin(), _made.end(), std::back_inserter(s.matrices), [&](int number) {
      const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(number)];
      return matrix.rows == s.space && matrix.columns == s.space && matrix.type != Entries::real;
    });
  }
  if (s.matrices.empty() || length(s.space) == 0) return std::nullopt;
  return s;
}

/// Some of the vectors begin as one; some have another handle that is kept.
void ProgramMaker::declare_search(Block& block, Search& s) {
  const auto place_of = [&](Statement made, Variable like) {
    made.declares = true;
    made.target = {add(like), -1};
    block.push_back(made);
    return block.back().target;
  };
  const auto number = [&](Type type, double literal) {
    Statement made;
    made.kind = StatementKind::value;
    made.operands = {Operand::number(literal)};
    return place_of(made, {false, type});
  };
  Statement index;
  index.kind = StatementKind::iota;
  index.space = s.space;
  s.self = place_of(index, {true, Type::int64, s.space});
  s.round = number(Type::int64, 0), s.sum = number(Type::int64, 0), s.most = number(Type::int64, 0);
  s.changed = number(Type::int64, 1), s.zero = number(Type::int64, 0);
  s.value = call(block, of_part(s, Part::next_value), {Operand::of(value(block, s.type())), Operand::of(s.round)});
  const auto source = [&] { return make_part(block, s, Part::source, {s.self}); };
  const Place begin = _draw.chance(70) ? source() : make_part(block, s, Part::join, {source(), source()});
  s.known = declare_copy(block, begin);
  s.one = _draw.chance(40) ? declare_copy(block, begin) : source();
  s.other = _draw.chance(30) ? declare_copy(block, s.one) : source();
  s.front = _draw.chance(50) ? declare_copy(block, begin) : source();
  s.fixed = make_part(block, s, _draw.chance(50) ? Part::everywhere : Part::source, {s.self});
  s.mark = declare_copy(block, s.self);
  if (_draw.chance(30)) declare_copy(block, s.known);
  if (_draw.chance(30)) declare_copy(block, s.one);
}

int ProgramMaker::of_part(const Search& s, Part part) {
  const auto found = s.family->of.find(part);
  return found == s.family->of.end() ? -1 : _draw.of(found->second);
}

/// Calls a function with vectors, then others, and Shareds of the search. @return its result, a new variable
Place ProgramMaker::make_call(Block& block, const Search& s, int operation, const std::vector<Place>& vectors) {
  const Operation& called = operations()[static_cast<std::size_t>(operation)];
  Statement made;
  made.operation = operation;
  std::size_t given = 0;
  for (const auto [kind, type] : called.parameters) {
    if (kind == Parameter::Kind::plain) {
      made.operands.push_back(Operand::number(_draw.below(length(s.space))));
    } else if (kind == Parameter::Kind::shared) {
      const bool round = type != s.type() || (type == Type::int64 && _draw.chance(50));
      made.operands.push_back(Operand::of(round ? s.round : s.value));
    } else if (given < vectors.size() && about(vectors[given]).type == type) {
      made.operands.push_back(Operand::of(vectors[given++]));
    } else if (type == s.type() && (type != Type::int64 || _draw.chance(50))) {
      made.operands.push_back(Operand::of(_draw.of(this->vectors(type, s.space))));
    } else {
      made.operands.push_back(Operand::of(_draw.chance(70) ? s.self : s.mark));
    }
  }
  made.declares = true;
  const bool vector = called.kind == Operation::Kind::element;
  made.target = {add(vector ? Variable{true, called.out, s.space} : Variable{false, called.out}), -1};
  block.push_back(made);
  return made.target;
}

/// By a function of the part, or of another with the same result where the family has none.
Place ProgramMaker::make_part(Block& block, const Search& s, Part part, const std::vector<Place>& vectors) {
  int operation = of_part(s, part);
  if (operation < 0) operation = of_part(s, Part::reached);
  return make_call(block, s, operation, vectors);
}

/// What was found is forgotten, or the search goes on from elsewhere.
void ProgramMaker::begin_again(Block& block, const Search& s) {
  const auto set = [&](Place place, double literal) {
    Statement made;
    made.kind = StatementKind::value;
    made.operands = {Operand::number(literal)};
    made.target = place;
    block.push_back(made);
  };
  if (_draw.chance(70)) set(s.round, 0);
  if (_draw.chance(80)) set(s.changed, 1);
  if (_draw.chance(70)) assign(block, s.front, make_part(block, s, Part::moving_source, {s.self}));
  if (_draw.chance(30)) assign(block, s.known, make_part(block, s, Part::moving_source, {s.self}));
  if (_draw.chance(20)) assign(block, s.other, s.one);
}

/// The body of a loop in which there is a search each time.
Block ProgramMaker::search_again(const Search& s, bool native, int rounds) {
  const std::size_t visible = _visible.size();
  _recorded += native ? 0 : 1;
  Block body;
  const bool before = _draw.chance(50);
  if (before) begin_again(body, s);
  search_loop(body, s, std::max(rounds, 3));
  if (!before) begin_again(body, s);
  if (_recorded == 0 && _draw.chance(50)) read(body, _draw.chance(50) ? s.known : s.sum);
  _recorded -= native ? 0 : 1;
  _visible.resize(visible);
  return body;
}

void ProgramMaker::search_loop(Block& block, const Search& s, int most) {
  const bool stops = _draw.chance(40);
  const auto condition = [&](Statement& made) {
    if (!stops) return;
    const Place more = call(made.condition, _words.above, {Operand::of(s.changed), Operand::of(s.zero)});
    made.test = call(made.condition, _words.both, {Operand::of(made.test), Operand::of(more)});
  };
  loop(block, _draw.chance(5), _draw.between(std::max(2, most / 3), most), condition,
       [&](bool native) { return search_body(s, native); });
  block.back().likely = !block.back().native && _draw.chance(75);
}

/// The interpreter refuses what does not end. What ends the loop is left as it is when a program is made smaller.
void ProgramMaker::fixpoint(Block& block) {
  auto s = new_search();
  if (!s) return;
  declare_search(block, *s);
  Statement made;
  made.kind = StatementKind::loop;
  made.native = _recorded == 0 && _draw.chance(5);
  made.likely = !made.native && _draw.chance(75);
  const bool by_flag = s->family->of.contains(Part::any_changes) && _draw.chance(30);
  if (by_flag) {
    made.test = value(block, Type::flag);
    block.back().operands[0].literal = 1;
  }
  const std::size_t visible = _visible.size();
  _recorded += made.native ? 0 : 1;
  if (!by_flag && _draw.chance(85)) {
    made.test = call(made.condition, _words.above_number, {Operand::of(s->changed), Operand::number(0)});
  } else if (!by_flag) {
    made.test = call(made.condition, _words.above, {Operand::of(s->changed), Operand::of(s->zero)});
  }
  _recorded -= made.native ? 0 : 1;
  _visible.resize(visible);
  made.body = fixpoint_body(*s, by_flag ? made.test : s->changed, made.native);
  block.push_back(std::move(made));
  _latest = s->known;
  if (_recorded > 0) return;
  for (const Place place : {s->known, s->round, s->changed}) {
    if (_draw.chance(50)) read(block, place);
  }
}

/// @param test what says whether anything has changed: a flag or a number
Block ProgramMaker::fixpoint_body(const Search& s, Place test, bool native) {
  const std::size_t visible = _visible.size();
  _recorded += native ? 0 : 1;
  Block body;
  const auto suits = [&](const Statement& product, bool with_entries) {
    const Operation& called = operations()[static_cast<std::size_t>(product.operation)];
    const bool monotone = called.text.find("laws") == std::string::npos && called.text.find("[](") == std::string::npos;
    return monotone && (!with_entries || called.entries != Entries::pattern);
  };
  const bool with_entries = _draw.chance(60);  // which improve values more than once
  const bool connects = _draw.chance(25);      // by first, mostly both ways
  const auto wanted = [&](const Statement& product, int tries) {
    const Operation& called = operations()[static_cast<std::size_t>(product.operation)];
    if (connects) return called.text.find("kasen::first") != std::string::npos;
    return suits(product, with_entries && tries < 12);
  };
  Statement product = product_of(s, true);
  for (int tries = 0; tries < 24 && !wanted(product, tries); ++tries) product = product_of(s, true);
  Place reached = search_product(body, s, product, s.known);
  if (_draw.chance(connects ? 75 : 25)) {
    product.transposed = !product.transposed;
    reached = make_part(body, s, Part::join, {reached, search_product(body, s, product, s.known)});
  }
  if (_draw.chance(10)) reached = make_part(body, s, Part::join, {reached, _draw.chance(50) ? s.fixed : s.one});
  const Place next = make_part(body, s, Part::join, {s.known, reached});
  Place changed;
  if (about(test).type == Type::flag) {
    changed = search_sum(body, Type::flag, "kasen::logical_or", make_part(body, s, Part::any_changes, {next, s.known}));
  } else {
    changed = search_sum(body, Type::int64, _draw.chance(80) ? "kasen::plus" : "kasen::max",
                         make_part(body, s, Part::changes, {next, s.known}));
  }
  if (_draw.chance(20)) {  // seen from outside
    Statement count;
    count.operation = _words.add_number;
    count.operands = {Operand::of(s.round), Operand::number(1)};
    count.target = s.round;
    body.push_back(count);
  }
  if (_draw.chance(10)) assign(body, s.other, next);
  assign(body, test, changed);
  assign(body, s.known, next);
  for (Statement& statement : body) statement.essential = true;
  _recorded -= native ? 0 : 1;
  _visible.resize(visible);
  return body;
}

/// A product of another vector.
Place ProgramMaker::search_product(Block& block, const Search& s, Statement product, Place from) {
  product.operands = {Operand::of(from)};
  product.declares = true;
  product.target = {add({true, s.type(), s.space}), -1};
  block.push_back(product);
  return product.target;
}

/// Of a frontier by a function that keeps the identity, mostly; of what grows by any.
Statement ProgramMaker::product_of(const Search& s, bool grows) {
  Statement made;
  const auto fits = [&](int tries) {
    const Operation& called = operations()[static_cast<std::size_t>(made.operation)];
    if (called.entries != _program.matrices[static_cast<std::size_t>(made.matrix)].type) return false;
    const bool keeps_identity = called.text.find("keeps_identity") != std::string::npos;
    return grows || called.entries == Entries::pattern || keeps_identity || tries > 20;
  };
  int tries = 0;
  do {
    made.matrix = _draw.of(s.matrices);
    made.operation = of_part(s, Part::product);
  } while (!fits(++tries));
  made.transposed = _draw.chance(40);
  return made;
}

Block ProgramMaker::search_body(const Search& s, bool native) {
  const std::size_t visible = _visible.size();
  _recorded += native ? 0 : 1;
  Block body;
  const auto make = [&](Part part, const std::vector<Place>& vectors) { return make_part(body, s, part, vectors); };
  const bool grows = _draw.chance(s.has_frontiers() ? 35 : 90);
  const Place from = !grows ? s.front : _draw.chance(50) ? s.known : make(Part::entered, {s.known});
  const Statement product = product_of(s, grows);
  Place reached = search_product(body, s, product, from);
  if (_draw.chance(30)) {
    Statement back = product;
    back.transposed = !back.transposed;
    const Place more = search_product(body, s, _draw.chance(60) ? back : product_of(s, grows), from);
    reached = make(grows || _draw.chance(70) ? Part::join : Part::reached, {reached, more});
  }
  if (!grows && _draw.chance(40)) reached = make(Part::reached, {reached, s.known});
  const bool joins = (grows && !s.wild) || _draw.chance(70);
  Place next = make(joins ? Part::join : Part::change, {s.known, reached});
  if (grows && _draw.chance(20)) next = make(Part::join, {next, s.one});
  if (grows && !s.wild) reached = _draw.chance(60) ? make(Part::frontier, {next, s.known}) : next;  // else it is all
  const std::vector<Place> all{s.known, s.one, s.other, s.fixed, reached, next, next, reached};

  std::vector<std::pair<Place, Place>> assigned{{s.known, next}};
  assigned.emplace_back(s.front, search_front(body, s, reached, next, all));
  for (const Place place : {s.one, s.other}) {
    if (_draw.chance(50)) assigned.emplace_back(place, search_change(body, s, place, assigned[1].second, all));
  }
  if (s.family->of.contains(Part::mark) && _draw.chance(40))
    assigned.emplace_back(s.mark, make(Part::mark, {s.mark, reached}));
  const Place differences = make(Part::changes, {next, s.known});
  assigned.emplace_back(s.changed, search_sum(body, Type::int64, "kasen::plus", differences));
  search_sums(body, s, reached, next, all);
  if (_draw.chance(20)) {
    const Place vector = _draw.chance(50) ? assigned[1].second : make(Part::frontier, {next, s.known});
    assigned.emplace_back(s.value, make_part(body, s, Part::total, {vector}));
  } else if (_draw.chance(60)) {
    Statement step;
    step.operation = of_part(s, Part::next_value);
    step.operands = {Operand::of(s.value), Operand::of(s.round)};
    step.target = s.value;
    body.push_back(step);
  }
  if (s.wild && _draw.chance(15)) branch(body);
  if (s.wild && _draw.chance(25)) {
    const Block more = nested(false, 1);
    body.insert(body.end(), more.begin(), more.end());
  }
  for (auto& [to, value] : assigned) {  // what is assigned is what was there before
    if (std::any_of(assigned.begin(), assigned.end(), [&, from = value](const auto& a) { return a.first == from; }))
      value = declare_copy(body, value);
  }
  while (!assigned.empty()) {
    const auto at = assigned.begin() + _draw.below(static_cast<int>(assigned.size()));
    assign(body, at->first, at->second);
    assigned.erase(at);
  }
  Statement count;
  count.operation = _words.add_number;
  count.operands = {Operand::of(s.round), Operand::number(1)};
  count.target = s.round;
  body.insert(_draw.chance(25) ? body.begin() : body.end(), count);
  _recorded -= native ? 0 : 1;
  _visible.resize(visible);
  return body;
}

/// From where the next round goes on.
Place ProgramMaker::search_front(Block& body, const Search& s, Place reached, Place next,
                                 const std::vector<Place>& all) {
  switch (_draw.below(s.wild ? 9 : 6)) {
    case 0:
    case 1:
      return make_part(body, s, Part::reached, {reached, _draw.of(all)});
    case 2:
    case 3:
      return make_part(body, s, Part::frontier, {next, s.known, _draw.of(all)});
    case 4:
      return make_part(body, s, Part::frontier, {next, _draw.of(all), _draw.of(all)});
    case 5:
      return make_part(body, s, Part::marked, {next, s.mark});
    case 6:
      return make_part(body, s, Part::entered, {reached, s.self});
    case 7:
      return make_part(body, s, Part::change, {reached, s.front});
    default:
      return reached;
  }
}

/// The next value of a vector.
Place ProgramMaker::search_change(Block& body, const Search& s, Place old, Place front, const std::vector<Place>& all) {
  const Place any = _draw.of(all), reached = all.back();
  switch (_draw.below(s.wild ? 11 : 6)) {
    case 0:
      return make_part(body, s, Part::join, {old, any});
    case 1:
      return make_part(body, s, Part::reached, {reached, any});
    case 2:
    case 3:
      return make_part(body, s, Part::change, {old, reached});
    case 4:
      return front;
    case 5:
      return any;
    case 6:
      return make_part(body, s, Part::change, {old, any});
    case 7:
      return make_part(body, s, Part::change, {any, old});
    default:
      return make_part(body, s, Part::following, {old, reached});
  }
}

/// Of all elements, by a function of that text. @return a new Shared
Place ProgramMaker::search_sum(Block& body, Type type, const std::string& reducer, Place vector) {
  const auto found = std::find_if(_words.reduces.begin(), _words.reduces.end(), [&](int k) {
    const Operation& called = operations()[static_cast<std::size_t>(k)];
    return called.text == reducer && called.out == type;
  });
  return call(body, *found, {Operand::of(vector)});
}

/// Reductions in the loop.
void ProgramMaker::search_sums(Block& body, const Search& s, Place reached, Place next, const std::vector<Place>& all) {
  const auto has = [&](Part part) { return s.family->of.contains(part); };
  const auto add_up = [&](Place term) {
    Statement sum;
    sum.operation = _words.add;
    sum.operands = {Operand::of(s.sum), Operand::of(term)};
    sum.target = s.sum;
    body.push_back(sum);
  };
  const auto total = [&](const std::string& reducer, Place vector) {
    return search_sum(body, Type::int64, reducer, vector);
  };
  if (_draw.chance(15)) add_up(total("kasen::plus", make_part(body, s, Part::changes, {_draw.of(all), _draw.of(all)})));
  if (_draw.chance(10)) add_up(total("kasen::plus", s.mark));
  if (_draw.chance(10)) assign(body, s.most, total("kasen::bit_or", s.mark));
  if (has(Part::count) && _draw.chance(25)) {
    const Place terms = make_part(body, s, Part::count, {s.wild ? _draw.of(all) : reached, s.self});
    add_up(total(_draw.chance(80) ? "kasen::plus" : "kasen::bit_xor", terms));
  }
  if (has(Part::most) && _draw.chance(20))
    assign(body, s.most, total("kasen::max", make_part(body, s, Part::most, {reached, s.self})));
  if (has(Part::least) && _draw.chance(10))
    assign(body, s.most, total("kasen::min", make_part(body, s, Part::least, {reached, s.self})));
  if (has(Part::any_changes) && _draw.chance(10)) {
    const Place differ = make_part(body, s, Part::any_changes, {next, _draw.of(all)});
    const bool any = _draw.chance(50);
    assign(body, _draw.of(shareds(Type::flag)),
           search_sum(body, Type::flag, any ? "kasen::logical_or" : "kasen::logical_and", differ));
  }
  if (!has(Part::chance) || !_draw.chance(15)) return;
  Statement random;
  random.kind = StatementKind::random;
  random.space = s.space;
  random.seed = static_cast<std::uint64_t>(_draw.below(1000));
  if (s.wild && _draw.chance(50)) random.operands = {Operand::of(s.round)};
  random.declares = true;
  random.target = {add({true, Type::real, s.space}), -1};
  body.push_back(random);
  add_up(total("kasen::plus", make_part(body, s, Part::chance, {reached, random.target})));
}

}  // namespace kasen::tests::fuzz
