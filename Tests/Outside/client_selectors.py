"""What an Objective-C runtime does with selectors, written out, because Linux has none.

`@objc`, `@IBAction` and `@IBOutlet` are taken away, `#selector(name)` becomes the name, and each class gets a method that calls the one of a name.
`#keyPath(Type.name)` becomes the name that the property has in Objective-C.
Nothing else of a file changes, and a file that names no selector, action or outlet does not change at all.
"""
import re

SELECTOR = re.compile(r"#selector\(\s*(?:[\w.]+\.)?(\w+)(?:\(([\w:]*)\))?\s*\)")
KEY_PATH = re.compile(r"#keyPath\(\s*(?:\w+\.)*(\w+)\s*\)")
METHOD = re.compile(r"@(?:objc(?:\([\w:]*\))?|IBAction)\s+(?:@\w+\s+)*((?:private|fileprivate|internal|public|open|final|override|dynamic)\s+)*func\s+(\w+)\s*\(([^)]*)\)")
CLASS = re.compile(
    r"^(?:@\w+\s+)*(?:(?:public|open|final|private|fileprivate|internal)\s+)*(?:class|extension)\s+(\w+)(?:\s*:\s*(\w+))?", re.MULTILINE)


def lowered(text):
    """The file with its selectors written out; nothing where it has none."""
    if not re.search(r"#selector\(|#keyPath\(|@objc(?:Members)?\b|@IB(?:Action|Outlet)\b", text):
        return None
    classes = [(found.start(), found.group(1)) for found in CLASS.finditer(text)]
    above = {found.group(1): found.group(2) for found in CLASS.finditer(text) if not found.group().lstrip().startswith("extension")}
    calls = {}
    for method in METHOD.finditer(text):
        owner = [name for start, name in classes if start < method.start()]
        # A control sends itself and no event.
        if owner and "," not in method.group(3):
            calls.setdefault(owner[-1], []).append((method.group(2), method.group(3)))
    receivers = "".join(receiver(name, calls, above) for name in calls)
    text = SELECTOR.sub(lambda found: f'Selector("{found.group(1)}")', text)
    text = KEY_PATH.sub(lambda found: f'"{key(found.group(1))}"', text)
    text = re.sub(r"@objcMembers\b|@IB(?:Action|Outlet|Designable|Inspectable)\b|@objc(?:\([\w:]*\))?(?=\s)", "", text)
    return text + receivers


def key(name):
    """What a property of UIKit or WebKit is called in Objective-C: `isLoading` is `loading` there, and `url` is `URL`."""
    if name == "url":
        return "URL"
    return name[2].lower() + name[3:] if re.match(r"is[A-Z]", name) else name


def ancestors(name, above):
    """The classes of the file that a class derives from, the nearest first."""
    found = []
    while (name := above.get(name)) and name not in found:
        found.append(name)
    return found


def receiver(name, calls, above):
    """What calls a class's methods. A class that derives from one that has it already is asked by that one: an extension can't override."""
    cases = "".join(
        f'        case "{method}": {called(method, parameters)}\n            return true\n' for method, parameters in calls[name])
    below = [other for other in calls if name in ancestors(other, above)]
    others = "".join(f" || (self as? {other})?.receiveIn{other}(selector, from: sender) ?? false" for other in below)
    derives = any(other in calls for other in ancestors(name, above))
    head = f"extension {name} {{\n    func receiveIn{name}" if derives else f"extension {name}: SelectorReceiver {{\n    func receive"
    return (f"\n{head}(_ selector: Selector, from sender: Any?) -> Bool {{\n"
            f"        switch selector.description {{\n{cases}        default: return false{'' if derives else others}\n        }}\n    }}\n}}\n")


def called(method, parameters):
    """The call, with the sender for the only parameter that a method may have."""
    parts = re.match(r"\s*(\w+)(?:\s+\w+)?\s*:\s*(.+?)\s*$", parameters)
    if not parts:
        return f"{method}()"
    label = "" if parts.group(1) == "_" else f"{parts.group(1)}: "
    kind = parts.group(2).rstrip("!")
    sent = ("sender as Any" if kind == "Any" else "sender" if kind == "Any?" else
            f"sender as? {kind[:-1]}" if kind.endswith("?") else f"sender as! {kind}")
    return f"{method}({label}{sent})"
