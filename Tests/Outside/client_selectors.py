"""What an Objective-C runtime does with selectors, written out, because Linux has none.

`@objc` is taken away, `#selector(name)` becomes the name, and each class gets a method that calls the one of a name. Nothing else of a file changes,
and a file that names no selector does not change at all.
"""
import re

SELECTOR = re.compile(r"#selector\(\s*(?:[\w.]+\.)?(\w+)(?:\(([\w:]*)\))?\s*\)")
METHOD = re.compile(r"@objc(?:\([\w:]*\))?\s+(?:@\w+\s+)*((?:private|fileprivate|internal|public|open|final|override|dynamic)\s+)*func\s+(\w+)\s*\(([^)]*)\)")
CLASS = re.compile(r"^(?:@\w+\s+)*(?:(?:public|open|final|private|fileprivate|internal)\s+)*(?:class|extension)\s+(\w+)", re.MULTILINE)


def lowered(text):
    """The file with its selectors written out; nothing where it has none."""
    if not re.search(r"#selector\(|@objc\b", text):
        return None
    classes = [(found.start(), found.group(1)) for found in CLASS.finditer(text)]
    calls = {}
    for method in METHOD.finditer(text):
        owner = [name for start, name in classes if start < method.start()]
        if owner:
            calls.setdefault(owner[-1], []).append((method.group(2), method.group(3)))
    receivers = "".join(receiver(name, methods) for name, methods in calls.items())
    text = SELECTOR.sub(lambda found: f'Selector("{found.group(1)}")', text)
    text = re.sub(r"@objcMembers\b|@objc(?:\([\w:]*\))?(?=\s)", "", text)
    return text + receivers


def receiver(name, methods):
    cases = "".join(
        f'        case "{method}": {called(method, parameters)}\n            return true\n' for method, parameters in methods)
    return (f"\nextension {name}: SelectorReceiver {{\n    func receive(_ selector: Selector, from sender: Any?) -> Bool {{\n"
            f"        switch selector.description {{\n{cases}        default: return false\n        }}\n    }}\n}}\n")


def called(method, parameters):
    """The call, with the sender for the only parameter that a method may have."""
    parts = re.match(r"\s*(\w+)(?:\s+\w+)?\s*:\s*(.+?)\s*$", parameters)
    if not parts:
        return f"{method}()"
    label = "" if parts.group(1) == "_" else f"{parts.group(1)}: "
    kind = parts.group(2)
    sent = "sender as Any" if kind == "Any" else "sender" if kind == "Any?" else f"sender as! {kind}"
    return f"{method}({label}{sent})"
