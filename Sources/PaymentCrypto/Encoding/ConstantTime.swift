public import Foundation

/// Comparison whose time tells nothing about the contents.
public enum ConstantTime {
    /// Says whether two byte strings are equal. Their lengths are not secret; which byte differs is.
    public static func equal(_ left: some ContiguousBytes, _ right: some ContiguousBytes) -> Bool {
        left.withUnsafeBytes { a in
            right.withUnsafeBytes { b in
                guard a.count == b.count else { return false }
                var difference: UInt8 = 0
                for index in 0..<a.count { difference |= a[index] ^ b[index] }
                return difference == 0
            }
        }
    }

    /// Says whether two texts have the same bytes in UTF-8.
    public static func equal(_ left: String, _ right: String) -> Bool { equal(Array(left.utf8), Array(right.utf8)) }
}
