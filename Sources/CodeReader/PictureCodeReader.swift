public import BillfoldDiagnosis
import CCodeReader
public import WalletAPI

/// Reads QR and bar codes from photographs and pictures of an album: ZXing-C++ behind GdkPixbuf, for JPEG, PNG, GIF and Netpbm's pixmaps.
///
/// Codes may be turned, and several may be in one picture. A picture of more than four megapixels is read at a smaller size.
public struct PictureCodeReader: CodeDecoding {
    /// In bytes, of an encoded picture.
    public var maximumBytes: Int
    /// In pixels, as the picture's head says. Nothing beyond it is unpacked.
    public var maximumPixels: Int

    public init(maximumBytes: Int = 16 << 20, maximumPixels: Int = 40_000_000) {
        self.maximumBytes = maximumBytes
        self.maximumPixels = maximumPixels
    }

    /// The codes found; none is no error. Refuses with ``CodeReaderError``.
    public func codes(in picture: CodePicture) throws(CodeReaderError) -> [DecodedCode] {
        guard picture.bytes.count <= maximumBytes else {
            throw CodeReaderError(code: .tooLarge, reason: "the picture has more than \(maximumBytes) bytes")
        }
        let found = Found()
        let status = billfold_read_codes(
            picture.bytes, picture.bytes.count, UInt64(max(0, maximumPixels)), Unmanaged.passUnretained(found).toOpaque()
        ) { context, text, length, isMatrix in
            guard let context, let text else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: length)
            Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().codes
                .append(DecodedCode(text: String(decoding: bytes, as: UTF8.self), type: isMatrix ? .qrCode : .barCode))
        }
        switch status {
        case billfold_codes_read: return found.codes
        case billfold_codes_too_large:
            throw CodeReaderError(code: .tooLarge, reason: "the picture has more than \(maximumPixels) pixels")
        case billfold_codes_no_picture: throw CodeReaderError(code: .noPicture, reason: "the bytes are no picture, or not all of one")
        default: throw CodeReaderError(code: .failed, reason: "the picture could not be searched")
        }
    }

    /// What the search calls back into; it lives on one thread for one call.
    private final class Found {
        var codes: [DecodedCode] = []
    }
}

/// Why a picture was not searched for codes.
public struct CodeReaderError: CodedError {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// The bytes are no picture of a known format, or are damaged or cut short.
        public static let noPicture = Self("no-picture")
        /// Too many bytes, or too many pixels. Nothing was unpacked.
        public static let tooLarge = Self("picture-too-large")
        /// A library could not do its work, for example for want of memory.
        public static let failed = Self("failed")
    }

    public var code: Code
    public var reason: String
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }
}
