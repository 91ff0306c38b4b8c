public import Foundation

/// Secret bytes that cannot print themselves and are overwritten when their last reference goes.
///
/// For what must not stay in freed memory: a payload with a card number, a derived key. Whoever copies the bytes out, by
/// ``reveal()`` or by a library that takes an array, has a copy to answer for.
public final class SecretBytes: Sendable, ContiguousBytes {
    // Written in the initialisers alone and freed by the last reference, so any thread may read it.
    private nonisolated(unsafe) let buffer: UnsafeMutableRawBufferPointer

    /// Makes `count` zero bytes and lets `fill` write them.
    public init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        buffer = .allocate(byteCount: count, alignment: 1)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        fill(buffer)
    }

    /// Copies bytes that the caller goes on holding.
    public convenience init(_ bytes: some ContiguousBytes) {
        let copy = bytes.withUnsafeBytes { source in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 1)
            copy.copyMemory(from: source)
            return copy
        }
        self.init(owning: copy)
    }

    private init(owning buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    /// Copies parts one after another.
    public convenience init(joining parts: [any ContiguousBytes]) {
        self.init(count: parts.reduce(0) { sum, part in sum + part.withUnsafeBytes { $0.count } }) { target in
            var offset = 0
            for part in parts {
                part.withUnsafeBytes { source in
                    UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: source)
                    offset += source.count
                }
            }
        }
    }

    /// Takes bytes over: the array is overwritten.
    public convenience init(taking bytes: inout [UInt8]) {
        self.init(bytes)
        bytes.wipe()
    }

    /// Copies the UTF-8 of a text.
    public convenience init(utf8 text: String) { self.init(Array(text.utf8)) }

    public var count: Int { buffer.count }

    /// Lends the bytes for the time of the call, without a copy. The pointer is no good afterwards.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(buffer))
    }

    /// Hands out a copy. Every call site is a place where a secret can leak: search for `reveal(` to audit them.
    public func reveal() -> [UInt8] { Array(buffer) }

    deinit {
        Wiping.wipe(buffer)
        buffer.deallocate()
    }
}

extension SecretBytes: Hashable {
    /// Takes the same time wherever the bytes differ.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool { ConstantTime.equal(left, right) }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(buffer)) }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "‹secret›" }
    public var debugDescription: String { "‹secret›" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
