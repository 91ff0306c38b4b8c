// Finds QR and bar codes in a picture: GdkPixbuf reads it, ZXing-C++ looks for codes.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    billfold_codes_read = 0,
    /// The bytes are no picture, or are damaged or cut short.
    billfold_codes_no_picture,
    /// The picture says that it has more pixels than the limit. Nothing of it was unpacked.
    billfold_codes_too_large,
    /// Memory did not suffice, or a library gave up.
    billfold_codes_failed,
} billfold_codes_status;

/// Is told of each code: its text, which is UTF-8 without an end mark, and whether it is one of two dimensions.
typedef void (*billfold_code_found)(void *context, const char *text, size_t length, bool is_matrix);

billfold_codes_status billfold_read_codes(
    const uint8_t *picture, size_t length, uint64_t maximum_pixels, void *context, billfold_code_found found);

#ifdef __cplusplus
}
#endif
