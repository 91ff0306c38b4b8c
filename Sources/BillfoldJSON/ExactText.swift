#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A text that equals another only where their bytes do: an identifier, a key's name, a number that a partner gave.
///
/// `String` takes two texts for equal that Unicode calls canonically equivalent: the Kelvin sign and `K`, `é` in one scalar and in two.
/// Signatures cover bytes and stores compare bytes, so an identifier compared as a `String` could name what nobody signed or stored.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: Self, right: Self) -> Bool { equal(left.text, right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Equal bytes are equal texts, which is asked first because nearly every answer is no, and quickly.
    package static func equal(_ left: String, _ right: String) -> Bool { left == right && compare(left, right) == 0 }

    /// Likewise for texts that may be absent: nothing equals nothing alone.
    package static func equal(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): equal(left, right)
        case (nil, nil): true
        default: false
        }
    }

    package static func precedes(_ left: String, _ right: String) -> Bool { compare(left, right) < 0 }

    private static func compare(_ left: String, _ right: String) -> Int {
        // A string of this language's own has its bytes in one place.
        let found = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                guard let one = left.baseAddress, let other = right.baseAddress else { return left.count - right.count }
                let first = Int(memcmp(one, other, min(left.count, right.count)))
                return first == 0 ? left.count - right.count : first
            }
        }
        if case let found?? = found { return found }
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }
}
