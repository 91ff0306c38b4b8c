"""Pictures of codes, made outside the program, and a camera that sees them."""
import io

import barcode
import segno
from barcode.writer import ImageWriter
from PIL import Image


def qr_code(text):
    """A PNG of a QR code."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="png", scale=8, border=4)
    return out.getvalue()


def bar_code(digits):
    """A PNG of an EAN-13, whose check digit is put behind the twelve digits."""
    out = io.BytesIO()
    barcode.get("ean13", digits, writer=ImageWriter()).write(out, options={"write_text": False, "module_width": 0.4})
    return out.getvalue()


def nothing():
    """A PNG without a code."""
    out = io.BytesIO()
    Image.new("RGB", (320, 240), "white").save(out, "PNG")
    return out.getvalue()


def camera(path, picture, frames=8, size=(640, 480)):
    """Writes what Chromium takes for a camera: JPEGs one after the other, each with the picture in its middle."""
    sheet = Image.new("RGB", size, "white")
    shown = Image.open(io.BytesIO(picture)).convert("RGB")
    shown.thumbnail((size[0] - 80, size[1] - 80))
    sheet.paste(shown, ((size[0] - shown.width) // 2, (size[1] - shown.height) // 2))
    out = io.BytesIO()
    sheet.save(out, "JPEG", quality=92, subsampling="4:2:0")
    path.write_bytes(out.getvalue() * frames)
