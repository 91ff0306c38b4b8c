#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Texts by their bytes.
package enum ExactText {
    /// Equal bytes are equal texts, which is asked first because nearly every answer is no, and quickly.
    package static func equal(_ left: String, _ right: String) -> Bool { left == right && compare(left, right) == 0 }

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
