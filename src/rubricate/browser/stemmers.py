"""Snowball's stemmers as JavaScript, from the installed package snowballstemmer: the same algorithm, statement by statement.

    try: A; except lab0: pass        lab0_1: { A }
    raise lab0()                     break lab0_1;
    self.__r_Step_1a()               this.r_Step_1a()

What they are made of (cursor, groups of characters, endings) is `page/stemmer.js`. The generated Python uses few forms of
statements and expressions; one that is not among them is refused, so that no page stems otherwise than Python does.
"""

from __future__ import annotations

import ast
import json
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path

from ..errors import InvalidSetting

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.RShift: ">>"}
COMPARISONS = {ast.Eq: "===", ast.NotEq: "!==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def stemmer_script(language: str) -> str:
    """JavaScript that defines `makeStemmer`; `page/stemmer.js` comes before it."""
    module = import_module(f"snowballstemmer.{language}_stemmer")
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name.endswith("Stemmer")]
    try:
        (stemmer,) = classes
        return f"{licence()}{Translation(stemmer).script}const makeStemmer = () => new {stemmer.name}();\n"
    except (TypeError, ValueError) as problem:
        raise InvalidSetting(
            f"no page: the {language} stemmer of this version of snowballstemmer cannot be translated ({problem})"
        ) from None


def licence() -> str:
    """Snowball's, which asks to be handed on, as comments."""
    text = (
        distribution("snowballstemmer").read_text("licenses/COPYING")
        or "BSD 3-clause licence: https://snowballstem.org/"
    )
    return "".join(f"// {line}".rstrip() + "\n" for line in ["The stemmer is Snowball's:", *text.splitlines()])


class Translation:
    """A class of the generated Python, translated."""

    def __init__(self, stemmer: ast.ClassDef) -> None:
        self.labels: list[str] = []  # of the blocks around a statement, innermost last
        self.blocks = 0
        methods, constants, variables = [], [], []
        for node in stemmer.body:
            match node:
                case ast.FunctionDef():
                    methods.append(self.method(node))
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.startswith(("g_", "a_", "as_")):
                    constants.append(f"{stemmer.name}.{name} = {self.constant(name, value)};\n")
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    variables.append(f"  {name} = {self.expression(value)};\n")
                case ast.Expr(value=ast.Constant()):
                    pass  # the docstring
                case _:
                    raise TypeError(type(node).__name__)
        body = "".join([*variables, *methods])
        self.script = f"class {stemmer.name} extends BaseStemmer {{\n{body}}}\n{''.join(constants)}"

    def method(self, function: ast.FunctionDef) -> str:
        nodes = [node for statement in function.body for node in ast.walk(statement)]
        local = sorted({node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)})
        declared = f"let {', '.join(local)}; " if local else ""
        arguments = ", ".join(argument.arg for argument in function.args.args[1:])
        return f"  {method_name(function.name)}({arguments}) {{ {declared}{self.block(function.body)} }}\n"

    def constant(self, name: str, value: ast.expr) -> str:
        """A group of characters as a set; endings as `among` takes them."""
        if name.startswith("a_"):
            return f"among({json.dumps([self.ending(row) for row in elements(value)])})"
        characters = ast.literal_eval(value)
        if name.startswith("g_"):
            ordered = list(characters) if isinstance(characters, str) else sorted(characters)
            return f"new Set({json.dumps(ordered)})"
        return json.dumps(characters)

    def ending(self, row: ast.expr) -> list[str | int]:
        """An `Among`: its text, its result, and the method that must hold, if there is one. The place of a shorter one, which
        comes between, is not needed: `find` tries all from the longest."""
        if not isinstance(row, ast.Call):
            raise TypeError(type(row).__name__)
        text, _, result, *method = [*row.args, *(keyword.value for keyword in row.keywords)]
        names = [node.attr if isinstance(node, ast.Attribute) else self.expression(node) for node in method]
        return [ast.literal_eval(text), ast.literal_eval(result), *map(method_name, names)]

    # -- statements

    def block(self, body: list[ast.stmt]) -> str:
        return " ".join(self.statement(node) for node in body)

    def statement(self, node: ast.stmt) -> str:
        match node:
            case ast.Pass():
                return ""
            case ast.Expr(value=value):
                return f"{self.expression(value)};"
            case ast.Assign(targets=[target], value=value):
                return f"{self.expression(target)} = {self.expression(value)};"
            case ast.AugAssign(target=target, op=operator, value=value):
                return f"{self.expression(target)} {OPERATORS[type(operator)]}= {self.expression(value)};"
            case ast.If(test=test, body=body, orelse=[]):
                return f"if ({self.expression(test)}) {{ {self.block(body)} }}"
            case ast.If(test=test, body=body, orelse=other):
                return f"if ({self.expression(test)}) {{ {self.block(body)} }} else {{ {self.block(other)} }}"
            case ast.While(test=test, body=body, orelse=[]):
                return f"while ({self.expression(test)}) {{ {self.block(body)} }}"
            case ast.For(target=ast.Name(id=name), iter=times, body=body, orelse=[]):
                return f"{self.loop(name, times)} {{ {self.block(body)} }}"
            case ast.Try(body=body, handlers=[ast.ExceptHandler(type=ast.Name(id=label), body=[ast.Pass()])]):
                return self.labelled(label, body)
            case ast.Raise(exc=ast.Call(func=ast.Name(id=label))):
                return f"break {next(name for name in reversed(self.labels) if name.startswith(f'{label}_'))};"
            case ast.Return(value=None):
                return "return;"
            case ast.Return(value=ast.expr() as value):
                return f"return {self.expression(value)};"
            case ast.Break():
                return "break;"
            case ast.Continue():
                return "continue;"
        raise TypeError(type(node).__name__)

    def labelled(self, label: str, body: list[ast.stmt]) -> str:
        self.blocks += 1
        self.labels.append(f"{label}_{self.blocks}")
        inner = self.block(body)
        return f"{self.labels.pop()}: {{ {inner} }}"

    def loop(self, name: str, times: ast.expr) -> str:
        match times:
            case ast.Call(func=ast.Name(id="range"), args=[first, end, ast.UnaryOp(op=ast.USub(), operand=step)]):
                start, stop, by = (self.expression(part) for part in (first, end, step))
                return f"for ({name} = {start}; {name} > {stop}; {name} -= {by})"
            case ast.Call(func=ast.Name(id="range"), args=[end]):
                return f"for ({name} = 0; {name} < {self.expression(end)}; {name}++)"
            case ast.Call(func=ast.Name(id="range"), args=[first, end]):
                return f"for ({name} = {self.expression(first)}; {name} < {self.expression(end)}; {name}++)"
            case ast.Tuple(elts=parts):  # for _ in 0, 0: so many times
                return f"for ({name} = 0; {name} < {len(parts)}; {name}++)"
        raise TypeError("for")

    # -- expressions

    def expression(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=None | bool() | str() | int() as value):
                return json.dumps(value)
            case ast.Name(id="self"):
                return "this"
            case ast.Name(id=name):
                return name
            case ast.Attribute(value=value, attr=name):
                return f"{self.expression(value)}.{method_name(name)}"
            case ast.Call(func=ast.Name(id="len"), args=[value]):
                return f"[...{self.expression(value)}].length"
            case ast.Call(func=function, args=arguments, keywords=[]):
                return f"{self.expression(function)}({', '.join(map(self.expression, arguments))})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"!({self.expression(operand)})"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"-{self.expression(operand)}"
            case ast.BoolOp(op=operator, values=values):
                return (
                    "(" + (" && " if isinstance(operator, ast.And) else " || ").join(map(self.expression, values)) + ")"
                )
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
                return f"({self.expression(left)} {OPERATORS[type(operator)]} {self.expression(right)})"
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in COMPARISONS:
                return f"({self.expression(left)} {COMPARISONS[type(operator)]} {self.expression(right)})"
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as operator], comparators=[right]):
                holds = f"{self.expression(right)}.has({self.expression(left)})"
                return holds if isinstance(operator, ast.In) else f"!{holds}"
            case ast.Set(elts=parts):
                return f"new Set([{', '.join(map(self.expression, parts))}])"
            case ast.Subscript(value=value, slice=ast.expr() as place) if not isinstance(place, ast.Slice):
                return f"{self.expression(value)}[{self.expression(place)}]"
        raise TypeError(ast.unparse(node)[:60])


def elements(value: ast.expr) -> list[ast.expr]:
    if not isinstance(value, ast.List | ast.Tuple):
        raise TypeError(type(value).__name__)
    return value.elts


def method_name(name: str) -> str:
    """`__r_Step_1a`, which Python makes private to its class, is `r_Step_1a`."""
    return name.removeprefix("__")
