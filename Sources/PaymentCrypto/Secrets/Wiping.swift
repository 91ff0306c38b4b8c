import Foundation

/// Overwrites memory in a way that the compiler does not leave out.
enum Wiping {
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        #if canImport(Darwin)
            memset_s(start, bytes.count, 0, bytes.count)
        #else
            explicit_bzero(start, bytes.count)
        #endif
    }
}

extension Array where Element == UInt8 {
    /// Overwrites the elements with zeros. Reaches the memory only while no other copy of the array shares it.
    package mutating func wipe() { withUnsafeMutableBytes { Wiping.wipe($0) } }
}
