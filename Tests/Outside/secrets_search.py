"""Looks for secrets in files of any kind: as they are, and in the forms in which they might have got somewhere."""
import base64
import mmap
import re


class Secret:
    """A value that may be found nowhere. `short` ones are too likely to turn up by chance inside longer numbers and words."""

    def __init__(self, name, value, short=False):
        self.name, self.value, self.short = name, value, short

    def forms(self):
        """Each form's name and bytes; base64 three times, for where in a longer text the value may begin."""
        value = self.value
        yield "plain", value
        yield "hexadecimal", value.hex().encode()
        yield "upper-case hexadecimal", value.hex().upper().encode()
        yield "UTF-16 LE", b"".join(bytes([each, 0]) for each in value)
        yield "UTF-16 BE", b"".join(bytes([0, each]) for each in value)
        for shift in range(3):
            # The letters at both ends hold bits of the neighbours too, and are left out.
            letters = base64.b64encode(bytes(shift) + value)
            whole = letters[(0, 2, 3)[shift]:(shift + len(value)) * 8 // 6]
            yield f"base64 at {shift}", whole
            other = whole.replace(b"+", b"-").replace(b"/", b"_")
            if other != whole:
                yield f"base64url at {shift}", other
        if value.isdigit() and len(value) % 2 == 0 and not self.short:
            yield "binary-coded decimal", bytes.fromhex(value.decode())

    def pattern(self, form, found):
        if not self.short or form.startswith("base64"):
            return None
        before, after = (rb"(?<![0-9A-Za-z.])", rb"(?![0-9A-Za-z])")
        if form.startswith("UTF-16"):
            before, after = rb"(?<![0-9A-Za-z.]\x00)(?<!\x00[0-9A-Za-z.])", rb"(?!\x00?[0-9A-Za-z])"
        return re.compile(before + re.escape(found) + after)


class Search:
    def __init__(self, secrets):
        self.wanted = [
            (secret, form, found, secret.pattern(form, found))
            for secret in secrets for form, found in secret.forms()]

    def run(self, place, content):
        """Returns one line for each secret and form that `content` holds; the value itself is not in it."""
        found = []
        for secret, form, wanted, pattern in self.wanted:
            at = content.find(wanted)
            if at >= 0 and pattern:
                match = pattern.search(content)
                at = match.start() if match else -1
            if at >= 0:
                found.append(f"{secret.name} as {form} in {place} at {at}")
        return found

    def run_file(self, place, path):
        if path.stat().st_size == 0:
            return []
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return self.run(place, content)
