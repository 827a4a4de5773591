#include <gtest/gtest.h>

#include "base/strings.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/internal/test_expressions.h"

namespace tintype::tables {
namespace {

using internal::BadFunction;
using internal::CheckFilter;
using internal::Count;
using internal::kRedundant;
using internal::Misplaced;
using internal::NeedsPath;
using internal::OperandType;
using internal::Reserved;
using internal::Same;
using internal::Syntax;
using internal::UndefinedName;
using internal::UndefinedValue;

// The token that stops the parser, and its neighbours, in conditions.
TEST(ConditionSyntaxTest, ReportsTheTokenAndItsNeighbours) {
  CheckFilter({
      {"things are not gonna be ok", "{}", Syntax("are", "things are not")},
      {"a > 4", "{}", Syntax("4", "> 4")},
      {"a-b", "{}", Syntax("-", "a-b")},
      {"a", "{}", Syntax("<EOF>", "a")},
      {"(a)", "{}", Syntax("<EOF>", ")")},
      {":v", "{$v: 1}", Syntax("<EOF>", ":v")},
      {"NOT a", "{}", Syntax("<EOF>", "a")},
      {"a AND b = :v", "{$v: 1}", Syntax("AND", "a AND b")},
      {"a = :v AND", "{$v: 1}", Syntax("<EOF>", "AND")},
      {"a = :v AND b", "{$v: 1}", Syntax("<EOF>", "b")},
      {"a = :v b", "{$v: 1}", Syntax("b", ":v b")},
      {"a = = :v", "{$v: 1}", Syntax("=", "= = :v")},
      {"= a", "{}", Syntax("=", "= a")},
      {"a != :v", "{$v: 1}", Syntax("!", "a !=")},
      {"attribute_not_exists(", "{}", Syntax("<EOF>", "(")},
      {"contains (themes, :theme", "{$theme: 1}", Syntax("<EOF>", ":theme")},
      {"f()", "{}", Syntax(")", "()")},
      {"attribute_exists(Pictures-RearView)", "{}", Syntax("-", "Pictures-RearView")},
      {"attribute_exists(\"a.b\")", "{}", Syntax("\"", "(\"a")},
      {"attribute_exists(a..b)", "{}", Syntax(".", "..b")},
      {"attribute_exists(a#b.c)", "{}", Syntax("#b", "a#b.")},
      {"attribute_exists(asdf[a])", "{}", Syntax("a", "[a]")},
      {"attribute_exists(l[01])", "{}", Syntax("1", "01]")},
      {"attribute_exists(l[-1])", "{}", Syntax("-", "[-1")},
      {"tenantAgent:abc123-x", "{$abc123: 1}", Syntax(":abc123", "tenantAgent:abc123-")},
      {"a in b, c", "{}", Syntax("b", "in b,")},
      {"a in ()", "{}", Syntax(")", "()")},
      {"a in (b,c,)", "{}", Syntax(")", ",)")},
      {"a > between", "{}", Syntax("between", "> between")},
      {"set = :v", "{$v: 1}", Syntax("set", "set =")},
      {"a BETWEEN b", "{}", Syntax("<EOF>", "b")},
      {"a BETWEEN b OR c", "{}", Syntax("OR", "b OR c")},
      {"(a)between(b.(c.d))and(c)", "{}", Syntax("(", ".(c")},
      {"(a)between(b.c.d)and((c)", "{}", Syntax("<EOF>", ")")},
      {"#$.b > a", "{}", Syntax("#", "#$")},
      {"# = a", "{}", Syntax("#", "# =")},
      {": = a", "{}", Syntax(":", ": =")},
      {"a > :things.stuff", "{$things: 1}", Syntax(".", ":things.stuff")},
      {"a.:v = b", "{$v: 1}", Syntax(":v", ".:v =")},
      {"b[:a] > a", "{}", Syntax(":a", "[:a]")},
      {"b[#_] > a", "{}", Syntax("#_", "[#_]")},
      {"\xC3\xBC > a", "{}", Syntax("\xC3\xBC", "\xC3\xBC >")},
      {"a > \xE2\x82\xAC", "{}", Syntax("\xE2\x82\xAC", "> \xE2\x82\xAC")},
      {"_a > b", "{}", Syntax("_", "_a")},
      {"(a)between(b.c[4.5].#d)and(:a)", "{}", Syntax(".", "4.5")},
      {"size(a).b > a", "{}", Syntax(".", ").b")},
      {"(size(a)).b > a", "{}", Syntax(".", ").b")},
      {"size(a)[0] > a", "{}", Syntax("[", ")[0")},
      {"(a = :v) = b", "{$v: 1}", Syntax("=", ") = b")},
      {"(a = :v) AND (b", "{$v: 1}", Syntax("<EOF>", "b")},
      {"a = :v)", "{$v: 1}", Syntax(")", ":v)")},
      {"(a = :v", "{$v: 1}", Syntax("<EOF>", ":v")},
      {"contains(a = b, c)", "{}", Syntax("=", "a = b")},
      {"a = (b AND c)", "{}", Syntax("AND", "b AND c")},
      {"a + b = :v", "{$v: 1}", Syntax("+", "a + b")},
      {"   ", "{}", Syntax("<EOF>", "   ")},
  });
}

// White space, parentheses and placeholders wherever the grammar has room for them.
TEST(ConditionSyntaxTest, Accepts) {
  CheckFilter({
      {"a=:v", "{$v: 1}", "ok"},
      {"\t a\r\n=\n:v ", "{$v: 1}", "ok"},
      {"a_1.B2[10].#c <> :v", "{#c: 'c', $v: 1}", "ok"},
      {"(a) = (:v)", "{$v: 1}", "ok"},
      {"((a) = (:v))", "{$v: 1}", "ok"},
      {"(a)between(b.c.d)and(c)", "{}", "ok"},
      {"(a = :v) AND (b = :v)", "{$v: 1}", "ok"},
      {"((a = :v) AND (NOT (b = :v)))", "{$v: 1}", "ok"},
      {"(contains(a, b)) OR (size(c)) > :v", "{$v: 1}", "ok"},
      {"NOT NOT (NOT a = :v)", "{$v: 1}", "ok"},
      {"contains((a), (:v))", "{$v: 1}", "ok"},
      {":v = :v", "{$v: 1}", "ok"},
      {"a = b", "{}", "ok"},
      {"size = :v", "{$v: 1}", Reserved("size")},
      {"contains = :v", "{$v: 1}", "ok"},
      {"#4g = :9", "{#4g: 'x', $9: 1}", "ok"},
      {"#_ = :_", "{#_: 'x', $_: 1}", "ok"},
      {"a.b = a.c", "{}", "ok"},
      {"a[2147483647] = :v", "{$v: 1}", "ok"},
  });
}

// One pair around anything is fine, two are not.
TEST(ConditionSyntaxTest, RedundantParentheses) {
  CheckFilter({
      {"((a = :v))", "{$v: 1}", kRedundant},
      {"a=:v and a > ((views))", "{$v: 1}", kRedundant},
      {"((a)) = :v", "{$v: 1}", kRedundant},
      {"(a)between(((b)))and(c)", "{}", kRedundant},
      {"a > whatever((:things), ((a)))", "{}", kRedundant},
      {"a=b AND ((a=b AND a=b)) AND a=b", "{}", kRedundant},
      {"a=b OR ((a=b OR (a=b OR a=b)))", "{}", kRedundant},
      {"((contains(a, b)))", "{}", kRedundant},
      // Reported as soon as it is read, before what follows.
      {"((a = :v)) nonsense", "{}", kRedundant},
  });
}

// Names, places and operand counts of functions.
TEST(ConditionChecksTest, Functions) {
  CheckFilter({
      {"a=b and whatever((:things)) > a", "{}", BadFunction("whatever")},
      {"attRIbute_exIsts((views), #a)", "{}", BadFunction("attRIbute_exIsts")},
      {"list_append(a, b) = c", "{}",
       "The function is not allowed in a condition expression; function: list_append"},
      {"a=b and attribute_exists((views), (#a)) > b", "{}", Misplaced("attribute_exists")},
      {"attribute_not_exists(things) > b", "{}", Misplaced("attribute_not_exists")},
      {"attribute_type(things, :a) > b", "{}", Misplaced("attribute_type")},
      {"begins_with(things, a) > b", "{}", Misplaced("begins_with")},
      {"contains(:things, c) > b", "{}", Misplaced("contains")},
      {"size(contains(a, b)) > a", "{}", Misplaced("contains")},
      {"size(things)", "{}", Misplaced("size")},
      {"(size(things))", "{}", Misplaced("size")},
      {"NOT size(things)", "{}", Misplaced("size")},
      {"a = b OR size(things)", "{}", Misplaced("size")},
      {"a between b and attribute_exists(things)", "{}", Misplaced("attribute_exists")},
      {"a in (b, attribute_exists(things))", "{}", Misplaced("attribute_exists")},
      {"attribute_exists(things, a) and a=b", "{}", Count("attribute_exists", 2)},
      {"attribute_not_exists(things, b)", "{}", Count("attribute_not_exists", 2)},
      {"attribute_type(things)", "{}", Count("attribute_type", 1)},
      {"begins_with(things)", "{}", Count("begins_with", 1)},
      {"begins_with(things, size(a), b)", "{}", Count("begins_with", 3)},
      {"contains(things)", "{}", Count("contains", 1)},
      {"size(things, a) > b", "{}", Count("size", 2)},
      {"attribute_exists(:a) and a=b", "{$a: 's'}", NeedsPath("attribute_exists")},
      {"attribute_not_exists(size(:a))", "{$a: 's'}", NeedsPath("attribute_not_exists")},
  });
}

// Types of literals are checked before any item is seen.
TEST(ConditionChecksTest, OperandTypes) {
  CheckFilter({
      {"attribute_type(a, size(a)) and a=:a", "{$a: 1}", OperandType("attribute_type", "N")},
      {"attribute_type(a, b)", "{}",
       OperandType("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")},
      {"attribute_type(a, :a)", "{$a: 1}", OperandType("attribute_type", "N")},
      {"attribute_type(a, :a)", "{$a: b'x'}", OperandType("attribute_type", "B")},
      {"attribute_type(a, :a)", "{$a: true}", OperandType("attribute_type", "BOOL")},
      {"attribute_type(a, :a)", "{$a: <'1'>}", OperandType("attribute_type", "SS")},
      {"attribute_type(a, :a)", "{$a: 'STRING'}",
       "Invalid attribute type name found; type: STRING, valid types: "
       "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
      {"attribute_type(a, :a)", "{$a: 's'}",
       "Invalid attribute type name found; type: s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
      {"begins_with(a, size(a)) and a=:a", "{$a: 1}", OperandType("begins_with", "N")},
      {"begins_with(a, :a)", "{$a: 1}", OperandType("begins_with", "N")},
      {"begins_with(a, :a)", "{$a: null}", OperandType("begins_with", "NULL")},
      {"begins_with(a, :a)", "{$a: []}", OperandType("begins_with", "L")},
      {"begins_with(a, :a)", "{$a: {}}", OperandType("begins_with", "M")},
      {"begins_with(a, :a)", "{$a: <1>}", OperandType("begins_with", "NS")},
      {"begins_with(:a, a)", "{$a: <b'x'>}", OperandType("begins_with", "BS")},
      {"begins_with(a, :a)", "{$a: b'x'}", "ok"},
      {"size(size(a)) > :a", "{$a: 1}", OperandType("size", "N")},
      {"size(:a) > a", "{$a: true}", OperandType("size", "BOOL")},
      {"size(:a) > a", "{$a: null}", OperandType("size", "NULL")},
      {"attribute_not_exists(size(:a))", "{$a: 1}", OperandType("size", "N")},
      {"a < :a", "{$a: true}", OperandType("<", "BOOL")},
      {"a >= :a", "{$a: [1]}", OperandType(">=", "L")},
      {":a > a", "{$a: <1>}", OperandType(">", "NS")},
      {"a = :a", "{$a: [1]}", "ok"},
      {"a <> :a", "{$a: null}", "ok"},
      {"a BETWEEN :a AND :b", "{$a: true, $b: 1}", OperandType("BETWEEN", "BOOL")},
      {"a BETWEEN :a AND :b", "{$a: 1, $b: 'a'}",
       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound "
       "operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"},
      {"a BETWEEN :a AND :b", "{$a: 'b', $b: 'a'}",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
       "lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"},
      {"a BETWEEN :a AND :b", "{$a: 10, $b: 9}",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
       "lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:9}"},
      {"a BETWEEN :a AND :b", "{$a: -10, $b: 9}", "ok"},
      {"a BETWEEN :a AND :a", "{$a: 1}", "ok"},
      {"a BETWEEN :a AND b", "{$a: 1}", "ok"},
  });
}

// A path compared with itself is refused, however it is spelled.
TEST(ConditionChecksTest, OperandsMustBeDistinct) {
  CheckFilter({
      {"a = a AND b = c", "{}", Same("=", "[a]")},
      {"#a <> a", "{#a: 'a'}", Same("<>", "[a]")},
      {"a > #a", "{#a: 'a'}", Same(">", "[a]")},
      {"((a=a) OR (a=a))", "{}", Same("=", "[a]")},
      {"contains(ab.bc[1].a, ab.bc[1].#a)", "{#a: 'a'}", Same("contains", "[ab, bc, [1], a]")},
      {"begins_with(a, a)", "{}", Same("begins_with", "[a]")},
      {"a BETWEEN b AND a", "{}", Same("BETWEEN", "[a]")},
      {"a IN (b, a)", "{}", Same("IN", "[a]")},
      {"a = a.b", "{}", "ok"},
      {"size(a) = a", "{}", "ok"},
      {"a IN (b, b)", "{}", "ok"},
  });
}

// Reserved words and undefined placeholders, and which of them is reported.
TEST(ConditionChecksTest, NamesAndValues) {
  CheckFilter({
      {":a < abOrT", "{}", Reserved("abOrT")},
      {"status = :a", "{$a: 1}", Reserved("status")},
      {"a.b.Name[1] = :a", "{$a: 1}", Reserved("Name")},
      {"begins_with(Pictures.#RearView, b)", "{}", UndefinedName("#RearView")},
      {"(#P between :lo and :hi) and (#PC in (:cat1, :cat2))", "{}", UndefinedName("#P")},
      {"#4g > a", "{}", UndefinedName("#4g")},
      {"(a)between(b.c[45].#d)and(:a)", "{}", UndefinedName("#d")},
      {":a < :b", "{}", UndefinedValue(":a")},
      {"a < :b", "{$a: 1}", UndefinedValue(":b")},
      {":_ > a", "{}", UndefinedValue(":_")},
      // Placeholders are case-sensitive.
      {"#A = :v", "{#a: 'a', $v: 1}", UndefinedName("#A")},
      // A reserved word hides undefined placeholders; a syntax error hides both.
      {"#x = :y AND status = :v", "{}", Reserved("status")},
      {"#x = :y AND status = ", "{}", Syntax("<EOF>", "= ")},
      // Of two undefined ones the first is named.
      {"a = :x AND #y = :z", "{}", UndefinedValue(":x")},
  });
}

}  // namespace
}  // namespace tintype::tables
