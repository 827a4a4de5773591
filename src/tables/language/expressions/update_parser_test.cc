#include <gtest/gtest.h>

#include "base/strings.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/internal/test_expressions.h"

namespace tintype::tables {
namespace {

using internal::BadFunction;
using internal::CheckUpdate;
using internal::Conflict;
using internal::Count;
using internal::kRedundant;
using internal::NeedsPath;
using internal::OperandType;
using internal::Overlap;
using internal::Reserved;
using internal::Same;
using internal::Syntax;
using internal::UndefinedName;
using internal::UndefinedValue;

// The token that stops the parser, and its neighbours, in updates.
TEST(UpdateSyntaxTest, ReportsTheTokenAndItsNeighbours) {
  CheckUpdate({
      {"INVALID SYNTAX HERE", "{}", Syntax("INVALID", "INVALID SYNTAX")},
      {"whatever", "{}", Syntax("whatever", "whatever")},
      {"SET", "{}", Syntax("<EOF>", "SET")},
      {"SET a", "{}", Syntax("<EOF>", "a")},
      {"SET a = ", "{}", Syntax("<EOF>", "= ")},
      {"SET a = :v,", "{$v: 1}", Syntax("<EOF>", ",")},
      {"add a", "{}", Syntax("<EOF>", "a")},
      {"delete a", "{}", Syntax("<EOF>", "a")},
      {"set a=set", "{}", Syntax("set", "=set")},
      {"remove a = b", "{}", Syntax("=", "a = b")},
      {"add a = b", "{}", Syntax("=", "a = b")},
      {"delete a b", "{}", Syntax("b", "a b")},
      {"add a if_not_exist(b)", "{}", Syntax("if_not_exist", "a if_not_exist(")},
      {"remove a b", "{}", Syntax("b", "a b")},
      {"set a b", "{}", Syntax("b", "a b")},
      {"set :a = b", "{}", Syntax(":a", "set :a =")},
      {"remove :a", "{}", Syntax(":a", "remove :a")},
      {"set a = b / c", "{}", Syntax("/", "b / c")},
      {"set a = b * c", "{}", Syntax("*", "b * c")},
      {"set a[1] = \"eight\"", "{}", Syntax("\"", "= \"eight")},
      {"set a[1] = 1", "{}", Syntax("1", "= 1")},
      {"SET a = if_not_exists(a, 100)", "{}", Syntax("100", ", 100)")},
      {"SET if_not_exists(a, b) = a", "{}", Syntax("(", "if_not_exists(a")},
      {"set (a = (b + c))", "{}", Syntax("(", "set (a")},
      {"set a = (b.c).d + e", "{}", Syntax(".", ").d")},
      {"set a = b + c + d", "{}", Syntax("+", "c + d")},
      {"set a = (b + c) + d", "{}", Syntax("+", ") + d")},
      {"set a = b + (c + d)", "{}", Syntax("+", "c + d")},
      {"SET book-price = :v", "{$v: 1}", Syntax("-", "book-price")},
      {"SET _123 = :v", "{$v: 1}", Syntax("_", "SET _123")},
      {"SET a = :v b = :v", "{$v: 1}", Syntax("b", ":v b =")},
      {"SET a = :v;", "{$v: 1}", Syntax(";", ":v;")},
      {"SET a > :v", "{$v: 1}", Syntax(">", "a > :v")},
      {"SET a = :v AND b = :v", "{$v: 1}", Syntax("AND", ":v AND b")},
      {"SET add = :v", "{$v: 1}", Syntax("add", "SET add =")},
  });
}

// Clauses in any order and case; one sum, in one pair of parentheses.
TEST(UpdateSyntaxTest, Accepts) {
  CheckUpdate({
      {"  sEt   b=:v  ", "{$v: 1}", "ok"},
      {"SET a = :v REMOVE b ADD c :v DELETE d :s", "{$v: 1, $s: <1>}", "ok"},
      {"DELETE d :s ADD c :v, e :s REMOVE b SET a = :v", "{$v: 1, $s: <1>}", "ok"},
      {"SET a = ((b.c.d)+(e))", "{}", "ok"},
      {"SET a = (b)", "{}", "ok"},
      {"SET a = if_not_exists(a.b, :v)-list.x", "{$v: 1}", Reserved("list")},
      {"SET a.b[1].#c = if_not_exists(a.b[1].#c, :v) - :v", "{#c: 'c', $v: 1}", "ok"},
      {"SET a = a + :v", "{$v: 1}", "ok"},
      {"SET a = ((b))", "{}", kRedundant},
      {"SET a = ((b + c))", "{}", kRedundant},
  });
}

// Reserved words, functions, repeated clauses and undefined placeholders, in order of importance.
TEST(UpdateChecksTest, NamesFunctionsAndSections) {
  CheckUpdate({
      {"set #c = :c set abOrt = :d", "{}", Reserved("abOrt")},
      {"remove Absolute", "{}", Reserved("Absolute")},
      {"SET status = :v", "{$v: 1}", Reserved("status")},
      {"set #c = if_not_exist(:c) set c = d", "{}", BadFunction("if_not_exist")},
      {"set c = size(d)", "{}",
       "The function is not allowed in an update expression; function: size"},
      {"set a = #c set c = :d", "{}",
       "The \"SET\" section can only be used once in an update expression;"},
      {"remove #d set a = b remove e", "{}",
       "The \"REMOVE\" section can only be used once in an update expression;"},
      {"add #d :e set a = b add e :f", "{}",
       "The \"ADD\" section can only be used once in an update expression;"},
      {"delete #d :e set a = b delete #e :f", "{}",
       "The \"DELETE\" section can only be used once in an update expression;"},
      {"SET #c = if_not_exists(:c)", "{}", UndefinedName("#c")},
      {"SET a = if_not_exists(:c)", "{}", UndefinedValue(":c")},
      {"SET a = :v", "{}", UndefinedValue(":v")},
      {"ADD a :v", "{}", UndefinedValue(":v")},
      {"SET a = :x, b = #y", "{}", UndefinedName("#y")},
      // The last action is checked first.
      {"SET a = :x, b = :y", "{}", UndefinedValue(":y")},
  });
}

// No two actions may write in the same place, or disagree on what a place is.
TEST(UpdateChecksTest, OverlappingPaths) {
  CheckUpdate({
      {"SET a = :v, a = :v", "{$v: 1}", Overlap("[a]", "[a]")},
      {"SET #v = :v, a = :v", "{#v: 'a', $v: 1}", Overlap("[a]", "[a]")},
      {"SET a = :v REMOVE a", "{$v: 1}", Overlap("[a]", "[a]")},
      {"REMOVE a.b ADD a :v", "{$v: 1}", Overlap("[a, b]", "[a]")},
      {"set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)", "{#c: 'c'}",
       Overlap("[c, [1], a]", "[c]")},
      {"set #c[3].#d = a, #c[3] = a", "{#c: 'c', #d: '[3]'}", Overlap("[c, [3], [3]]", "[c, [3]]")},
      {"set #c[3].#d = a, #c.#d[3] = if_not_exists(a)", "{#c: 'c', #d: '[3]'}",
       Conflict("[c, [3], [3]]", "[c, [3], [3]]")},
      {"remove a.#c set a[1] = #d", "{#c: 'c', #d: 'd'}", Conflict("[a, c]", "[a, [1]]")},
      {"SET a.b = :v, a.c = :v, a.d[0] = :v, a.d[1] = :v", "{$v: 1}", "ok"},
      {"SET a = b, b = a", "{}", "ok"},
      // Before undefined values, after undefined names of written paths.
      {"SET a = :x, a = :y", "{}", Overlap("[a]", "[a]")},
      {"SET a = :x, a = :y, #z = :x", "{}", UndefinedName("#z")},
  });
}

// Types of literals are checked before any item is seen.
TEST(UpdateChecksTest, OperandTypes) {
  const auto members = [](std::string_view clause, std::string_view type) {
    return StrCat("Incorrect operand type for operator or function; operator: ", clause,
                  ", operand type: ", type, ", typeSet: ALLOWED_FOR_", clause, "_OPERAND");
  };
  CheckUpdate({
      {"add a.b :a", "{$a: 's'}", members("ADD", "STRING")},
      {"add a.b :a", "{$a: null}", members("ADD", "NULL")},
      {"add a.b :a", "{$a: true}", members("ADD", "BOOLEAN")},
      {"add a.b :a", "{$a: b'x'}", members("ADD", "BINARY")},
      {"add a.b :a", "{$a: {}}", members("ADD", "MAP")},
      {"add a.b :a", "{$a: [1]}", members("ADD", "LIST")},
      {"delete a.b :a", "{$a: 1}", members("DELETE", "NUMBER")},
      {"delete a.b :a", "{$a: 's'}", members("DELETE", "STRING")},
      {"delete a.b :a", "{$a: [1]}", members("DELETE", "LIST")},
      {"set a = if_not_exists(c)", "{}", Count("if_not_exists", 1)},
      {"set a = list_append(c)", "{}", Count("list_append", 1)},
      {"set a = list_append(c, d, e)", "{}", Count("list_append", 3)},
      {"set a = if_not_exists(:a, c)", "{$a: 1}", NeedsPath("if_not_exists")},
      {"set a = if_not_exists(if_not_exists(a, b), c)", "{}", NeedsPath("if_not_exists")},
      {"set a = if_not_exists(b, b)", "{}", Same("if_not_exists", "[b]")},
      {"set a = list_append(a, a)", "{}", "ok"},
      {"set a = list_append(:a, a)", "{$a: 's'}", OperandType("list_append", "S")},
      {"set a = list_append(a, :a)", "{$a: 1}", OperandType("list_append", "N")},
      {"set a = list_append(:a, a)", "{$a: {}}", OperandType("list_append", "M")},
      {"set a = list_append(:a, a)", "{$a: <1>}", OperandType("list_append", "NS")},
      {"set a = a + :a", "{$a: 's'}", OperandType("+", "S")},
      {"set a = :a + a", "{$a: b'x'}", OperandType("+", "B")},
      {"set a = a - :a", "{$a: true}", OperandType("-", "BOOL")},
      {"set a = a - :a", "{$a: []}", OperandType("-", "L")},
  });
}

}  // namespace
}  // namespace tintype::tables
