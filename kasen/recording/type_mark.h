/// @file
/// Marks by which C++ types are told apart within a process.
#pragma once

namespace kasen::recording {

/// A mark whose address stands for a list of types. A type that one source file alone knows (of an anonymous namespace,
/// or a lambda of a static function) has an address of its own, whatever other files call theirs; a type of a header
/// that several files include has one. Nothing that comes of a program depends on the order of addresses. Not constant,
/// as linkers may fold equal constants. A shared library with hidden symbols has its own marks: its own types are
/// unlike all others.
template <class... T>
inline char type_mark = 0;

}  // namespace kasen::recording
