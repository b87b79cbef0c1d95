#include "tests/fuzz/printer.h"

#include <iterator>
#include <set>
#include <sstream>

#include "tests/fuzz/operations.h"

namespace kasen::tests::fuzz {

extern const char* const kPreamble;  // made by CMake: the text of preamble.inc

namespace {

const char* name_of(Type type) {
  static constexpr const char* kNames[] = {"std::int32_t",  "std::int64_t", "double",        "bool",
                                           "Pair",          "std::int8_t",  "std::uint16_t", "std::uint32_t",
                                           "std::uint64_t", "float",        "Color",         "Wide"};
  static_assert(std::size(kNames) == kTypes);
  return kNames[static_cast<std::size_t>(type)];
}

const char* name_of(Entries type) {
  return type == Entries::pattern ? "kasen::Pattern" : type == Entries::real ? "double" : "std::int32_t";
}

std::string number(Type type, double value) {
  std::ostringstream text;
  text << std::setprecision(17);
  if (type == Type::flag) return value != 0 ? "true" : "false";
  if (type == Type::pair) {
    text << "Pair{" << value << ", " << static_cast<int>(value) << "}";
  } else if (type == Type::color) {
    const int part = static_cast<int>(value);
    text << "Color{" << part << ", " << part << ", " << part << "}";
  } else if (type == Type::wide) {
    text << "wide_of(" << value << ")";
  } else if (type == Type::real || type == Type::real32) {
    text << name_of(type) << "(" << value << ")";
  } else {
    text << name_of(type) << "{" << static_cast<std::int64_t>(value) << "}";
  }
  return text.str();
}

class Printer {
 public:
  explicit Printer(const Program& program) : _program(program) {}

  std::string print(const std::string& how) {
    std::istringstream lines(how);
    for (std::string line; std::getline(lines, line);) _out << "// " << line << "\n";
    _out << "#include <kasen/kasen.h>\n\n#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include "
            "<cstring>\n#include "
            "<iomanip>\n#include <limits>\n#include <sstream>\n"
            "#include <string>\n#include <utility>\n#include <vector>\n\n"
         << kPreamble
         << "\n/// The part of the entries that this worker gives.\n"
            "template <class T>\n"
            "kasen::Matrix<T> matrix(kasen::Space rows, kasen::Space columns, std::vector<kasen::Entry<T>> all) {\n"
            "  std::vector<kasen::Entry<T>> mine;\n"
            "  const auto& session = kasen::Session::current();\n"
            "  for (auto k = static_cast<std::size_t>(session.rank()); k < all.size(); k += session.workers()) {\n"
            "    mine.push_back(all[k]);\n"
            "  }\n"
            "  return kasen::make_matrix<T>(rows, columns, std::span<const kasen::Entry<T>>(mine),\n"
            "                               kasen::EqualEntries::meant);\n"
            "}\n\n"
            "int main(int argc, char** argv) {\n"
            "  kasen::Session session(argc, argv);\n";
    for (std::size_t k = 0; k < _program.spaces.size(); ++k) space(k);
    _indent = 1;
    const std::vector<char> late = late_matrices(_program);
    for (std::size_t k = 0; k < late.size(); ++k) {
      if (!late[k]) matrix(k);
    }
    std::set<int> used;
    for_each_statement(_program.body, [&](const Statement& s, int) { used.insert(s.batches); });
    for (std::size_t k = 0; k < _program.batches.size(); ++k) {
      if (used.contains(static_cast<int>(k))) batches(k);
    }
    block(_program.body);
    _out << "}\n";
    return _out.str();
  }

 private:
  using Kind = Statement::Kind;

  void space(std::size_t k) {
    const SpaceOf& space = _program.spaces[k];
    _out << "  const kasen::Space space" << k << " = "
         << (space.separate ? "kasen::separate_space(" + std::to_string(space.length) + ", \"apart\")"
                            : "kasen::Space(" + std::to_string(space.length) + ")")
         << ";\n";
    if (space.owners == 0) return;
    _out << "  kasen::partition_by(space" << k << ", [](kasen::GlobalIndex i, int parts) { return owner_of("
         << space.owners << "u, i, parts); });\n";
  }

  void matrix(std::size_t k) {
    const MatrixOf& matrix = _program.matrices[k];
    const std::string rows =
        matrix.batches > 0 ? std::to_string(height_of(matrix, _program)) + "u" : "space" + std::to_string(matrix.rows);
    _out << "  const auto m" << k << " = " << (matrix.batches > 0 ? "kasen::batches(" : "") << "matrix<"
         << name_of(matrix.type) << ">(" << rows << ", space" << matrix.columns << ", {";
    int on_line = 0;
    for (const NonZero& entry : matrix.entries) {
      _out << (on_line++ % 12 == 0 ? "\n      " : " ") << "{"
           << (matrix.batches > 0 ? entry.row * matrix.batches + entry.batch : entry.row) << ", " << entry.column;
      if (matrix.type == Entries::real) _out << ", " << entry.value / 4.0;
      if (matrix.type == Entries::int32) _out << ", " << entry.value;
      _out << "},";
    }
    for (int more = 0; more < matrix.more; ++more)
      _out << " {" << height_of(matrix, _program) - 1 - more << ", 0" << (matrix.type == Entries::pattern ? "" : ", 0")
           << "},";
    _out << "})" << (matrix.batches > 0 ? ", space" + std::to_string(matrix.rows) + ".length())" : "") << ";\n";
  }

  void batches(std::size_t k) {
    const BatchesOf& all = _program.batches[k];
    const int size = _program.spaces[static_cast<std::size_t>(all.space)].length;
    _out << "  const auto b" << k << " = kasen::batches(" << (all.width > 0 ? "rows" : "numbers") << "_of_batches<"
         << name_of(all.type) << ">(" << size * all.count + all.more;
    if (all.width > 0) _out << ", " << all.width;
    _out << "), " << size << ");\n";
  }

  const Variable& about(Place place) const { return _program.variables[static_cast<std::size_t>(place.variable)]; }

  std::string name(Place place) const {
    const Variable& variable = about(place);
    std::string text = (variable.elements > 0 ? "a" : variable.vector ? "v" : "s") + std::to_string(place.variable);
    return place.element < 0 ? text : text + "[" + std::to_string(place.element) + "]";
  }

  std::string operand(const Operand& operand, Type type) const {
    if (operand.kind == Operand::Kind::place) return name(operand.place);
    if (operand.kind == Operand::Kind::literal) return number(type, operand.literal);
    return std::string("static_cast<") + name_of(type) + ">(k" + std::to_string(operand.counter) + ")";
  }

  std::string operands(const Statement& s, std::size_t count) const {
    const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
    std::string text;
    for (std::size_t k = 0; k < count; ++k) {
      const auto [kind, type] = called.parameters[k];
      const std::string given = operand(s.operands[k], type);
      if (!s.temporaries || kind != Parameter::Kind::vector) {
        text += ", " + given;
      } else if (!s.declares && s.operands[k].place == s.target) {
        text += ", std::move(" + given + ")";
      } else {
        text += std::string(", kasen::Vector<") + name_of(type) + ">(" + given + ")";
      }
    }
    return text;
  }

  std::string batch(const std::string& all, const Operand& number) const {
    return "kasen::batch(" + all + ", " +
           (number.kind == Operand::Kind::place ? "number_within(" + name(number.place) + ", " + all + ".count())"
                                                : std::to_string(static_cast<int>(number.literal))) +
           ")";
  }
  /// The matrix, or the batch of it, that the statement is about.
  std::string matrix(const Statement& s) const {
    const std::string all = "m" + std::to_string(s.matrix);
    return _program.matrices[static_cast<std::size_t>(s.matrix)].batches > 0 ? batch(all, s.batch) : all;
  }

  std::string call(const Statement& s) const {
    const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
    const std::size_t count = called.parameters.size();
    switch (called.kind) {
      case Operation::Kind::reduce:
        return "kasen::reduce(" + called.text + operands(s, 1) + ")";
      case Operation::Kind::fold:
        return "kasen::fold(" + called.text + operands(s, count) + ")";
      case Operation::Kind::product:
      case Operation::Kind::ends: {
        const std::string function = called.instead.empty() ? s.transposed ? "kasen::mxvt" : "kasen::mxv"
                                                            : called.instead + (s.transposed ? "<true>" : "<false>");
        return function + "(" + called.text + ", " + matrix(s) + operands(s, count) + ")";
      }
      case Operation::Kind::entries:
        return "kasen::reduce_entries(" + called.text + ", " + matrix(s) + operands(s, 2) + ")";
      case Operation::Kind::keyed:
        if (!called.instead.empty())
          return called.instead + "(" + operands(s, 2).substr(2) + ", space" + std::to_string(s.space) + ")";
        return "kasen::reduce_by_key(" + called.text + operands(s, 2) + ", space" + std::to_string(s.space) + ")";
      case Operation::Kind::taken:
        return (called.instead.empty() ? "kasen::take" : called.instead) + "(" + operands(s, 3).substr(2) + ")";
      case Operation::Kind::apply:
        return "kasen::apply(" + called.text + operands(s, count) + ")";
      case Operation::Kind::direct:
        return called.text + "(" + operands(s, count).substr(2) + ")";
      case Operation::Kind::infix:
        return operand(s.operands[0], called.parameters[0].type) + " " + called.text + " " +
               operand(s.operands[1], called.parameters[1].type);
      case Operation::Kind::element:
        break;
    }
    if (called.made) {
      return "kasen::map((" + called.text + ")(" + operand(s.operands.back(), called.parameters.back().type) + ")" +
             operands(s, count - 1) + ")";
    }
    const bool single = count < 2 || called.parameters[1].kind != Parameter::Kind::vector;
    if (single) return "kasen::map(" + called.text + operands(s, count) + ")";
    if (count <= 6) return "kasen::zip_with(" + called.text + operands(s, count) + ")";
    return "kasen::zip_with(" + called.text + ", std::forward_as_tuple(" + operands(s, count).substr(2) + "))";
  }

  std::string value(const Statement& s) const {
    const std::string space = "space" + std::to_string(s.space);
    switch (s.kind) {
      case Kind::constant:
        return "kasen::constant(" + space + ", " + number(about(s.target).type, s.operands[0].literal) + ")";
      case Kind::iota:
        return "kasen::iota(" + space + ")";
      case Kind::random:
        return "kasen::random(" + space + ", " + std::to_string(s.seed) + "u" +
               (s.operands.empty() ? "" : ", " + name(s.operands[0].place)) + ")";
      case Kind::batch: {
        const std::string made = batch("b" + std::to_string(s.batches), s.operands[0]);
        const bool of_rows = _program.batches[static_cast<std::size_t>(s.batches)].width > 0;
        return of_rows ? "ends_of_rows(" + made + ")" : made;
      }
      case Kind::value:
        return std::string("kasen::Shared<") + name_of(about(s.target).type) + ">(" +
               number(about(s.target).type, s.operands[0].literal) + ")";
      case Kind::copy:
        return name(s.operands[0].place);
      default:
        return call(s);
    }
  }

  std::ostream& line() { return _out << std::string(2 * _indent, ' '); }

  void block(const Block& block) {
    for (const Statement& s : block) statement(s);
  }
  void inner(const Block& statements) {
    ++_indent;
    block(statements);
    --_indent;
  }

  void statement(const Statement& s) {
    switch (s.kind) {
      case Kind::array: {
        line() << "std::vector<kasen::Vector<" << name_of(about(s.target).type) << ">> "
               << name({s.target.variable, -1}) << "{";
        for (std::size_t k = 0; k < s.operands.size(); ++k) _out << (k > 0 ? ", " : "") << name(s.operands[k].place);
        _out << "};\n";
        return;
      }
      case Kind::swap:
        line() << "std::swap(" << name(s.target) << ", " << name(s.operands[0].place) << ");\n";
        return;
      case Kind::rotate: {
        const std::string array = name(s.target);
        line() << "std::rotate(" << array << ".begin(), " << array << ".begin() + 1, " << array << ".end());\n";
        return;
      }
      case Kind::matrix:
        return matrix(static_cast<std::size_t>(s.matrix));
      case Kind::attempt:
        line() << "try {\n";
        inner(s.body);
        line() << "  session.print(\"false\\n\");\n";
        line() << "} catch (const kasen::Error&) {\n";
        line() << "  session.print(\"true\\n\");\n";
        line() << "}\n";
        return;
      case Kind::probe:
        line() << "try {\n  ";
        read(s);
        line() << "} catch (const kasen::Error&) {\n";
        line() << "  session.print(\"lost\\n\");\n";
        line() << "}\n";
        return;
      case Kind::read:
        return read(s);
      case Kind::loop:
        return loop(s);
      case Kind::counted: {
        const std::string k = "k" + std::to_string(s.counter);
        line() << "for (int " << k << " = 0; " << k << " < " << s.times << "; ++" << k << ") {\n";
        inner(s.body);
        line() << "}\n";
        return;
      }
      case Kind::branch:
        return branch(s);
      default:
        line() << (s.declares ? "auto " : "") << name(s.target) << " = " << value(s) << ";\n";
    }
  }

  void read(const Statement& s) {
    line() << "session.print(shown(" << name(s.operands[0].place) << ".get()) + \"\\n\");\n";
  }

  void loop(const Statement& s) {
    if (s.native) {
      line() << "for (;;) {\n";
      inner(s.condition);
      line() << "  if (!" << name(s.test) << ".get()) break;\n";
      inner(s.body);
      line() << "}\n";
      return;
    }
    line() << "kasen::while_(" << (s.likely ? "kasen::likely(" : "") << "[&] {\n";
    inner(s.condition);
    line() << "  return " << name(s.test) << ";\n";
    line() << (s.likely ? "})" : "}") << ", [&] {\n";
    inner(s.body);
    line() << "});\n";
  }

  void branch(const Statement& s) {
    line() << (s.native ? "if (" : "kasen::if_(") << name(s.test) << (s.native ? ".get()) {\n" : ", [&] {\n");
    inner(s.body);
    if (!s.otherwise.empty()) {
      line() << (s.native ? "} else {\n" : "}, [&] {\n");
      inner(s.otherwise);
    }
    line() << (s.native ? "}\n" : "});\n");
  }

  const Program& _program;
  std::ostringstream _out;
  std::size_t _indent = 0;
};

}  // namespace

std::string cpp(const Program& program, const std::string& how) { return Printer(program).print(how); }

Plain plain(const Value& value) {
  return std::visit(
      [](const auto& v) -> Plain {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, Color>) {
          return v;
        } else if constexpr (std::is_same_v<T, PairOfNumbers>) {
          return Pair{v.x.value, v.n.value};
        } else if constexpr (std::is_same_v<T, WideOfNumbers>) {
          Wide wide;
          for (std::size_t k = 0; k < v.x.size(); ++k) wide.x[k] = v.x[k].value;
          return wide;
        } else {
          return v.value;
        }
      },
      value);
}

std::string printed(const std::vector<Expected>& results) {
  std::string text;
  for (const Expected& result : results) {
    std::string line;
    if (result.lost) {
      text += "?\n";
      continue;
    }
    for (const Value& value : result.values) {
      line += (result.vector ? " " : "") + std::visit([](const auto& v) { return shown(v); }, plain(value));
    }
    text += (result.vector ? "[" + line + " ]" : line) + "\n";
  }
  return text;
}

}  // namespace kasen::tests::fuzz
