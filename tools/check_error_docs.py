#!/usr/bin/env python3
"""docs/common-errors.md: every row names tests that exist, and quotes texts that these tests assert.

A row's last cell holds the test's place in `backticks` (a file or folder below tests/) and its name in "quotes" (none
for data and programs). The third cell quotes the text in `backticks`; "…" and words in CAPITALS stand for anything; "–"
quotes none. A piece of ten letters or more of each quoted text (of a shorter one: all of it) must stand in an assertion of one of the named tests: in a
CHECK or REQUIRE (or a call of a helper check…) of the TEST_CASE or SECTION of that name, or in the value of what it
mentions; in the step of that name in a shell script; where no name is given, in the file. Each named test asserts something,
and so does each test method of a Python file that a row names: itself, or what it calls on itself, inherited or not.
"""
import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "common-errors.md"
SHORTEST = 10
SOURCES = {".cpp", ".hpp", ".py", ".sh", ".jsonl", ".yaml"}
TEST_CASE = re.compile(r"^(?:TEST_CASE\w*\((?:\w+,\s*)?|  SECTION\()", re.MULTILINE)
ASSERTION = re.compile(r"\b(?:CHECK|REQUIRE|check)\w*\(")
PYTHON_ASSERTION = re.compile(r"assert\w*$|within$|wait_for$")
DEFINITION = re.compile(r"\b(\w+)(?:\[\])?\s*=[^=]|for \([^;()]*?\b(\w+)\s*:|for \([^;()]*?\[([\w, ]+)\]\s*:")
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
RAW_STRING = re.compile(r'R"(\w*)\((.*?)\)\1"', re.DOTALL)
SHELL_STEP = re.compile(r"^\s*(?:step|refused) (['\"])(.+?)\1", re.MULTILINE)


def rows(page):
    for number, line in enumerate(page.splitlines(), 1):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and cells[0] != "What is wrong" and not set(cells[0]) <= set("-"):
            yield number, cells


def files_of(place):
    path = ROOT / place
    found = sorted(path.rglob("*")) if path.is_dir() else [path] if path.is_file() else []
    return [file for file in found if file.suffix in SOURCES]


def one_line_strings(source):
    """C++ with its literals joined, as the compiler does, and raw ones written plainly."""
    source = RAW_STRING.sub(lambda raw: '"' + raw[2].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"', source)
    return re.sub(r'(?<!\\)"\s*\n\s*"', "", source)


def blanked(source):
    """The same length, without what the literals say: brackets and semicolons in them do not count."""
    return STRING.sub(lambda text: '"' + " " * len(text[1]) + '"', source)


def statements(pattern, source):
    """(match, text) of each statement that begins with the pattern, up to the semicolon or block that ends it."""
    plain = blanked(source)
    for found in pattern.finditer(plain):
        depth, at = 0, found.start()
        while at < len(plain):
            depth += (plain[at] in "([{") - (plain[at] in ")]}")
            at += 1
            if depth < 0 or (depth == 0 and plain[at - 1] in ";)" and plain[at:at + 1] != "."):
                break
        end = plain.find(";", at - 1)
        yield found, source[found.start():max(at, end)]


def definitions_in(source):
    """Name → the statements that give it a value."""
    out = {}
    for found, text in statements(DEFINITION, source):
        for name in re.findall(r"\w+", found[1] or found[2] or found[3]):
            out.setdefault(name, []).append(text)
    return out


def with_what_it_mentions(assertion, definitions, depth=2):
    texts = [assertion]
    for name in set(re.findall(r"[A-Za-z_]\w*", blanked(assertion))) & definitions.keys() if depth else ():
        for text in definitions[name]:
            texts += with_what_it_mentions(text, definitions, depth - 1)
    return texts


def unescaped(text):
    return text.replace('\\"', '"')


def cpp_tests(source):
    """(name, [assertions]) of each TEST_CASE and SECTION. A TEST_CASE asserts what its sections do."""
    source = one_line_strings(source)
    begins = list(TEST_CASE.finditer(source))
    cases = [found.start() for found in begins if found[0].startswith("TEST_CASE")] + [len(source)]
    prelude = definitions_in(source[:cases[0]])
    for found, follower in zip(begins, [*begins[1:], None]):
        name = STRING.match(source, found.end())
        if not name:
            continue
        end = next(at for at in cases if at > found.start())
        if not found[0].startswith("TEST_CASE") and follower:
            end = min(end, follower.start())
        body = source[name.end():end]
        definitions = {**prelude, **definitions_in(body)}
        asserted = [text for _, statement in statements(ASSERTION, body)
                    for text in with_what_it_mentions(statement, definitions)]
        yield unescaped(name[1]), [unescaped(text) for text in asserted]


def shell_steps(source):
    for line in source.splitlines():
        if found := SHELL_STEP.match(line):
            yield found[2], [line]


def python_functions(source):
    """Name → (source of its assertions, names that it calls on itself)."""
    out = {}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef):
            continue
        inside = [part for part in ast.walk(node) if part is not node]
        calls = [part for part in inside if isinstance(part, ast.Call)]
        asserted = [part for part in calls if PYTHON_ASSERTION.match(getattr(part.func, "attr", getattr(part.func, "id", "")))]
        asserted += [part for part in inside if isinstance(part, ast.Assert)]
        mine = {part.func.attr for part in calls if isinstance(part.func, ast.Attribute)
                and isinstance(part.func.value, ast.Name) and part.func.value.id == "self"}
        out[node.name] = ([ast.get_source_segment(source, part) for part in asserted], mine)
    return out


def python_tests(source, beside=lambda module: None):
    """(name, [assertions]) of each test method. `beside` gives the source of a module that lies beside the file, if one does."""
    functions = {}
    imported = [name for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Import, ast.ImportFrom))
                for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])]
    for text in [*filter(None, map(beside, imported)), source]:
        functions.update(python_functions(text))
    for name in python_functions(source):
        if not name.startswith("test_"):
            continue
        reached, texts = [name], []
        for one in reached:
            asserted, called = functions[one]
            texts += asserted
            reached += sorted((called & functions.keys()) - set(reached))
        yield name.removeprefix("test_").replace("_", " "), texts


def module_beside(file):
    def source(name):
        path = file.parent / f"{name}.py"
        return path.read_text() if path.is_file() else None
    return source


def tests_in(file):
    """(name, [assertions]) of each test of the file; one without a name for data and for programs."""
    source = file.read_text(errors="replace")
    if file.suffix == ".cpp":
        return list(cpp_tests(source))
    if file.suffix == ".sh":
        return list(shell_steps(source))
    if file.suffix == ".py" and file.stem.endswith("_test"):
        return list(python_tests(source, module_beside(file)))
    return []


def idle_python_tests(files):
    """What is wrong with the Python files that a row names: none of their tests may assert nothing."""
    for file in files:
        found = tests_in(file)
        if not found:
            yield f"{file.name} has no test"
        yield from (f'{file.name}: "{name}" asserts nothing' for name, texts in found if not texts)


def pieces(text):
    found = [piece.strip() for piece in re.split(r"…|\b[A-Z]+(?:[/.][A-Z]+)*\b", text)]
    return [piece for piece in found if len(piece) >= SHORTEST or [piece] == found]


def named_tests(names, files):
    """Name → its assertions. A name may stand for a longer one."""
    known = [test for file in files for test in tests_in(file)]
    return {name: [text for title, texts in known if name in title for text in texts] for name in names
            if any(name in title for title, _ in known)}


def problems_of(cells):
    places = re.findall(r"`([^`]+)`", cells[4])
    names = re.findall(r'"([^"]+)"', cells[4])
    files = [file for place in places for file in files_of(place)]
    missing = [place for place in places if not files_of(place)]
    if missing or not files:
        return ["no such test: " + (", ".join(missing) or cells[4])]
    found = named_tests(names, files)
    problems = [f'no test is called "{name}" there' for name in names if name not in found]
    problems += [f'"{name}" asserts nothing' for name, texts in found.items() if not texts]
    problems += idle_python_tests([ROOT / place for place in places if place.endswith(".py")])
    asserted = "\n".join(text for texts in found.values() for text in texts)
    if not names:
        asserted = "\n".join(unescaped(file.read_text(errors="replace")) for file in files)
    for text in re.findall(r"`([^`]+)`", cells[2]):
        if pieces(text) and not any(piece in asserted for piece in pieces(text)):
            problems.append(f"no named test asserts: {text}")
    if not re.search(r"`[^`]+`", cells[2]) and cells[2] != "–":
        problems.append("the row quotes no text")
    return problems


def main():
    bad = [f"{PAGE.name}:{number}: {cells[0]}: {problem}" for number, cells in rows(PAGE.read_text()) for problem in problems_of(cells)]
    print("\n".join(bad) if bad else f"{PAGE.name}: every row has its test")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
