#include "code-reader.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#define ZX_USE_UTF8
#include <ZXing/ReadBarcode.h>

namespace {

struct Unref {
    void operator()(gpointer object) const {
        if (object != nullptr) g_object_unref(object);
    }
};
using Loader = std::unique_ptr<GdkPixbufLoader, Unref>;
using Pixels = std::unique_ptr<GdkPixbuf, Unref>;

// Codes are found in far fewer pixels than cameras make: a larger picture is read at a smaller size.
constexpr double useful_pixels = 4e6;

struct Size {
    uint64_t maximum_pixels;
    bool is_too_large;
};

// Called as soon as the picture's head is read, before there are pixels.
void on_size(GdkPixbufLoader *loader, int width, int height, gpointer data) {
    auto *size = static_cast<Size *>(data);
    const auto pixels = static_cast<uint64_t>(width) * static_cast<uint64_t>(height);
    if (pixels > size->maximum_pixels) {
        size->is_too_large = true;
        // Nothing is unpacked.
        gdk_pixbuf_loader_set_size(loader, 0, 0);
        return;
    }
    const double scale = std::min(1.0, useful_pixels / static_cast<double>(std::max<uint64_t>(pixels, 1)));
    if (scale < 1) {
        const double side = __builtin_sqrt(scale);
        gdk_pixbuf_loader_set_size(loader, std::max(1, static_cast<int>(width * side)), std::max(1, static_cast<int>(height * side)));
    }
}

// The formats of cameras, screens and tests, by how they begin. The library has more, some without a mark by which they are known: they are
// tried on anything, and unpack before anybody has judged the size.
const char *format(const uint8_t *picture, size_t length) {
    const auto begins = [&](const char *mark, size_t size) { return length > size && std::memcmp(picture, mark, size) == 0; };
    if (begins("\x89PNG\r\n\x1a\n", 8)) return "png";
    if (begins("\xff\xd8\xff", 3)) return "jpeg";
    if (begins("GIF87a", 6) || begins("GIF89a", 6)) return "gif";
    if (begins("P5", 2) || begins("P6", 2)) return "pnm";
    return nullptr;
}

billfold_codes_status unpack(const uint8_t *picture, size_t length, uint64_t maximum_pixels, Pixels &pixels) {
    const char *type = format(picture, length);
    if (type == nullptr) return billfold_codes_no_picture;
    Loader loader(gdk_pixbuf_loader_new_with_type(type, nullptr));
    if (!loader) return billfold_codes_failed;
    Size size{maximum_pixels, false};
    g_signal_connect(loader.get(), "size-prepared", G_CALLBACK(on_size), &size);
    bool is_whole = true;
    constexpr size_t step = 65536;
    for (size_t start = 0; is_whole && !size.is_too_large && start < length; start += step) {
        is_whole = gdk_pixbuf_loader_write(loader.get(), picture + start, std::min(step, length - start), nullptr);
    }
    // A loader must be closed, whatever came before.
    is_whole = gdk_pixbuf_loader_close(loader.get(), nullptr) && is_whole;
    if (size.is_too_large) return billfold_codes_too_large;
    GdkPixbuf *found = is_whole ? gdk_pixbuf_loader_get_pixbuf(loader.get()) : nullptr;
    if (found == nullptr) return billfold_codes_no_picture;
    // What is transparent is shown on white.
    pixels.reset(
        gdk_pixbuf_get_has_alpha(found)
            ? gdk_pixbuf_composite_color_simple(
                  found, gdk_pixbuf_get_width(found), gdk_pixbuf_get_height(found), GDK_INTERP_NEAREST, 255, 8, 0xffffff, 0xffffff)
            : static_cast<GdkPixbuf *>(g_object_ref(found)));
    return pixels ? billfold_codes_read : billfold_codes_failed;
}

// A picture's brightness, which may be painted on.
struct Grey {
    int width, height;
    std::vector<uint8_t> pixels;

    Grey(int width, int height) : width(width), height(height), pixels(static_cast<size_t>(width) * height) {}

    explicit Grey(const GdkPixbuf *picture) : Grey(gdk_pixbuf_get_width(picture), gdk_pixbuf_get_height(picture)) {
        const int channels = gdk_pixbuf_get_n_channels(picture), stride = gdk_pixbuf_get_rowstride(picture);
        const uint8_t *data = gdk_pixbuf_read_pixels(picture);
        for (int y = 0; y < height; y++) {
            const uint8_t *pixel = data + static_cast<size_t>(y) * stride;
            // ITU-R BT.601.
            for (int x = 0; x < width; x++, pixel += channels) {
                row(y)[x] = static_cast<uint8_t>((306 * pixel[0] + 601 * pixel[1] + 117 * pixel[2] + 512) >> 10);
            }
        }
    }

    uint8_t *row(int y) { return pixels.data() + static_cast<size_t>(y) * width; }

    // With rows for columns.
    Grey turned() {
        Grey result(height, width);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) result.row(x)[y] = row(y)[x];
        }
        return result;
    }
};

using Texts = std::vector<std::pair<ZXing::BarcodeFormat, std::string>>;

// The bar codes whose bars stand upright, band by band, one at a time: what was found is painted over. Asked for several at once, this
// version of the library ends the process where it sees a bar code twice (an assertion in ZXing::Result::operator==), and it sees one
// twice in every photograph that it looks at in two sizes.
void add_bar_codes(Grey picture, ZXing::DecodeHints hints, Texts &texts) {
    constexpr int bands = 24, rows = 16, most = 8;
    hints.setTryRotate(false).setTryDownscale(false).setMaxNumberOfSymbols(1);
    const int height = std::max(rows, (picture.height + bands - 1) / bands);
    for (int top = 0; top < picture.height; top += height) {
        const int bottom = std::min(picture.height, top + height);
        const int step = std::max(1, (bottom - top) / rows);
        for (int count = 0; count < most; count++) {
            const ZXing::ImageView band(
                picture.row(top), picture.width, (bottom - top) / step, ZXing::ImageFormat::Lum, picture.width * step);
            const auto code = ZXing::ReadBarcode(band, hints);
            if (!code.isValid()) break;
            const std::pair<ZXing::BarcodeFormat, std::string> text(code.format(), code.text());
            if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
            int left = picture.width, right = 0;
            for (const auto &corner : code.position()) {
                left = std::clamp(corner.x, 0, left);
                right = std::clamp(corner.x + 1, right, picture.width);
            }
            for (int y = top; y < bottom && left < right; y++) std::fill(picture.row(y) + left, picture.row(y) + right, 255);
        }
    }
}

}  // namespace

billfold_codes_status billfold_read_codes(
    const uint8_t *picture, size_t length, uint64_t maximum_pixels, void *context, billfold_code_found found) try {
    Pixels pixels;
    const auto status = unpack(picture, length, maximum_pixels, pixels);
    if (status != billfold_codes_read) return status;
    using ZXing::BarcodeFormat;
    Grey grey(pixels.get());
    const auto matrices = BarcodeFormat::QRCode | BarcodeFormat::DataMatrix | BarcodeFormat::Aztec;
    const auto hints = ZXing::DecodeHints().setTryHarder(true);
    const ZXing::ImageView view(grey.row(0), grey.width, grey.height, ZXing::ImageFormat::Lum);
    for (const auto &code : ZXing::ReadBarcodes(view, ZXing::DecodeHints(hints).setFormats(matrices).setTryRotate(true))) {
        if (!code.isValid()) continue;
        const std::string text = code.text();
        found(context, text.data(), text.size(), true);
    }
    Texts texts;
    const auto linear = ZXing::DecodeHints(hints).setFormats(BarcodeFormat::LinearCodes);
    add_bar_codes(grey, linear, texts);
    add_bar_codes(grey.turned(), linear, texts);
    for (const auto &text : texts) found(context, text.second.data(), text.second.size(), false);
    return billfold_codes_read;
} catch (...) {
    return billfold_codes_failed;
}
