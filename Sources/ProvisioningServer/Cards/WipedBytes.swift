import Foundation

/// Bytes that are overwritten before their memory is given back, and that cannot print themselves.
public final class WipedBytes: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
    // Immutable between `init` and `deinit`, which alone write: sharing it among threads is sound.
    private let memory: UnsafeMutableBufferPointer<UInt8>

    public init(_ bytes: some Collection<UInt8>) {
        memory = .allocate(capacity: bytes.count)
        _ = memory.initialize(from: bytes)
    }

    /// Copies `bytes` and overwrites them where they were, when nobody else shares them.
    public init(taking bytes: inout [UInt8]) {
        memory = .allocate(capacity: bytes.count)
        _ = memory.initialize(from: bytes)
        bytes.wipe()
    }

    deinit {
        UnsafeMutableRawBufferPointer(memory).wipe()
        memory.deallocate()
    }

    public var count: Int { memory.count }

    /// Lends the bytes for the time of a call. They must not be kept.
    public func withBytes<Result, Failure: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result
    {
        try body(UnsafeBufferPointer(memory))
    }

    public var description: String { "‹secret›" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension UnsafeMutableRawBufferPointer {
    /// Overwrites the memory; the compiler may not leave it out, though nobody reads the zeros.
    func wipe() {
        guard let baseAddress else { return }
        #if canImport(Darwin)
            memset_s(baseAddress, count, 0, count)
        #else
            explicit_bzero(baseAddress, count)
        #endif
    }
}

extension [UInt8] {
    /// Overwrites the bytes where they lie. An array that somebody else holds too is copied first, and the other copy stays.
    mutating func wipe() { withUnsafeMutableBytes { $0.wipe() } }
}
