#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// GBK text, which Chinese payment protocols still carry beside UTF-8.
///
/// Nothing is replaced or guessed: what one side cannot say gives nil.
package enum GBK {
    package static func encode(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        return isASCII(bytes) ? bytes : convert(bytes, from: "UTF-8", to: "GBK")
    }

    package static func decode(_ bytes: [UInt8]) -> String? {
        isASCII(bytes)
            ? String(decoding: bytes, as: UTF8.self)
            : convert(bytes, from: "GBK", to: "UTF-8").flatMap { String(utf8: $0) }
    }

    private static func isASCII(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 < 0x80 } }

    #if canImport(Glibc)
        private static func convert(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8]? {
            guard let converter = iconv_open(target, source), Int(bitPattern: converter) != -1 else { return nil }
            defer { iconv_close(converter) }
            var input = bytes.map { CChar(bitPattern: $0) }
            // Neither direction grows by more than a half: two GBK bytes become three UTF-8 bytes.
            var output = [CChar](repeating: 0, count: bytes.count * 2 + 4)
            let capacity = output.count
            let written: Int? = input.withUnsafeMutableBufferPointer { source in
                output.withUnsafeMutableBufferPointer { target in
                    var sourcePointer = source.baseAddress
                    var targetPointer = target.baseAddress
                    var sourceLeft = bytes.count
                    var targetLeft = capacity
                    let result = iconv(converter, &sourcePointer, &sourceLeft, &targetPointer, &targetLeft)
                    // A positive result counts characters that were replaced: not a faithful conversion.
                    return result == 0 && sourceLeft == 0 ? capacity - targetLeft : nil
                }
            }
            return written.map { output[..<$0].map { UInt8(bitPattern: $0) } }
        }
    #else
        private static func convert(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8]? {
            let gbk = String.Encoding(
                rawValue: CFStringConvertEncodingToNSStringEncoding(CFStringEncoding(CFStringEncodings.GB_18030_2000.rawValue)))
            return String(bytes: bytes, encoding: source == "GBK" ? gbk : .utf8)?.data(using: target == "GBK" ? gbk : .utf8)
                .map { Array($0) }
        }
    #endif
}
