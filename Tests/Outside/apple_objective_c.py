"""The Objective-C half: headers, one of the documented selectors and one that the compiler makes of our Swift, and calls checked against them."""
import json
import pathlib
import re
import subprocess

from apple_platforms import ROOT

FOLDER = ROOT / "Tests/ApplePlatforms/ObjectiveC"
LIST = ROOT / "Tests/ApplePlatforms/selectors.json"
CLANG = ["clang", "-fsyntax-only", "-x", "objective-c", "-fblocks", "-fobjc-arc", "-fobjc-runtime=macosx", "-Werror", "-Wno-unused-value",
         "-Wno-objc-root-class", "-fno-modules"]


def documented():
    return json.loads(LIST.read_text())


def selector(declaration):
    """Of a method, or of a property what reads it."""
    if declaration.startswith("@property"):
        return re.search(r"(\w+);$", declaration)[1]
    rest = re.sub(r"^[-+] \([^)]*\)", "", declaration).rstrip(";")
    while re.search(r"\([^()]*\)", rest):
        rest = re.sub(r"\([^()]*\)", "", rest)
    return "".join(re.findall(r"\w+:", rest)) or rest.strip()


def listed_header(types):
    """The header that the list stands for."""
    names = "".join(f"@{'protocol' if each['kind'] == 'protocol' else 'class'} {each['name']};\n" for each in types)
    parts = ["@protocol {name}\n" if each["kind"] == "protocol" else "@interface {name} : NSObject\n" for each in types]
    for place, each in enumerate(types):
        parts[place] = parts[place].format(**each) + "\n".join(member["declaration"] for member in each["members"]) + "\n@end\n"
    # A class may name a protocol, and a protocol a class.
    return names + "\n".join(parts)


def made_header(header):
    """What the compiler made of our Swift, without what Apple's own headers would have given: the interfaces and protocols, by Apple's names."""
    lines = [line for line in header.splitlines() if not line.startswith(("#", "@import"))]
    start = next((number for number, line in enumerate(lines) if re.match(r"(@protocol|@class|SWIFT_|@interface|typedef SWIFT_)", line)), len(lines))
    text = "\n".join(lines[start:])
    # A class of Foundation has its Swift name here.
    text = re.sub(r"\b_TtC10Foundation\d+(NS\w+)\b", r"\1", text)
    text = re.sub(r"\b_Tt[CP]\w*?\d+(NS[A-Z]\w+)\b", r"\1", text)
    text = re.sub(r"SWIFT_(CLASS|PROTOCOL)(_NAMED)?\([^)]*\)|SWIFT_WARN_UNUSED_RESULT|OBJC_DESIGNATED_INITIALIZER|SWIFT_UNAVAILABLE(_MSG\(.*?\))?", "", text)
    text = re.sub(r"SWIFT_CLASS_PROPERTY\((.*)\)$", r"\1", text, flags=re.MULTILINE)
    text = re.sub(r"SWIFT_EXTENSION\(\w+\)", "", text)
    text = re.sub(r"^SWIFT_ENUM_FWD_DECL\((\w+), (\w+)\)$", r"enum \2 : \1;", text, flags=re.MULTILINE)
    # The compiler's macro for an enumeration gives it its name as a type before.
    return re.sub(r"^typedef SWIFT_ENUM\((\w+), (\w+), \w+\) \{", r"typedef enum \2 : \1 \2;\nenum \2 : \1 {", text, flags=re.MULTILINE)


def check(header, calls, folder):
    """What clang says of calls against a header."""
    path = pathlib.Path(folder) / "calls.m"
    path.write_text('#include "Apple.h"\n' + header + "\n" + calls)
    ran = subprocess.run([*CLANG, "-I", str(FOLDER), str(path)], capture_output=True, text=True, timeout=60, check=False)
    return [line for line in ran.stderr.splitlines() if re.search(r"(error|warning):", line)]


def declared_selectors(header):
    """Of each type of the compiler's header, what can be sent to it."""
    found = {}
    for kind, name, body in re.findall(r"@(interface|protocol) (\w+)[^\n;]*\n(.*?)@end", header, re.DOTALL):
        known = found.setdefault(name, set())
        for line in body.splitlines():
            if line.startswith(("-", "+")):
                known.add(selector(re.sub(r"\^ ?_N\w+", "^", re.sub(r" ?SWIFT_\w+(\(.*\))?|__attribute__.*", "", line)).strip()))
            elif line.startswith("@property"):
                known.add(re.search(r"(\w+);$", line)[1])
                if "readonly" not in line:
                    property_name = re.search(r"(\w+);$", line)[1]
                    known.add(f"set{property_name[0].upper()}{property_name[1:]}:")
    return found
