/// A version: `1.0.1`, or as the platform writes it with a time stamp, `1.0.1.20261122093000` (mini-programs.md#opening-a-program).
///
/// Compared number by number: 1.10.0 is newer than 1.9.0. Of two that differ in the stamp alone, the later is newer.
public struct MiniProgramVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var major: Int
    public var minor: Int
    public var patch: Int
    /// Digits of the platform's own; nil without.
    public var stamp: Int64?

    public init(_ major: Int, _ minor: Int, _ patch: Int, stamp: Int64? = nil) {
        (self.major, self.minor, self.patch, self.stamp) = (major, minor, patch, stamp)
    }

    /// Reads three or four plain numbers; nil for anything else, also for leading zeros.
    public init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count) else { return nil }
        var numbers: [Int64] = []
        for part in parts {
            guard let number = Int64(part), number >= 0, String(number) == part else { return nil }
            numbers.append(number)
        }
        guard numbers[..<3].allSatisfy({ $0 <= 999_999 }) else { return nil }
        self.init(Int(numbers[0]), Int(numbers[1]), Int(numbers[2]), stamp: numbers.count == 4 ? numbers[3] : nil)
    }

    public var description: String { "\(major).\(minor).\(patch)" + (stamp.map { ".\($0)" } ?? "") }

    public static func < (left: Self, right: Self) -> Bool {
        (left.major, left.minor, left.patch, left.stamp ?? -1) < (right.major, right.minor, right.patch, right.stamp ?? -1)
    }
}

/// What versions are asked for: `*`, `1.*`, `1.2.*` or one version (mini-programs.md#updates).
public struct VersionRequest: Sendable, Hashable, CustomStringConvertible {
    private enum Form: Hashable {
        case any
        case major(Int)
        case minor(Int, Int)
        case exact(MiniProgramVersion)
    }

    private let form: Form
    public let description: String

    /// `malformed-version`.
    public init(_ text: String) throws(MiniProgramError) {
        description = text
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.prefix { $0 != "*" }.map { part in Int(part).flatMap { String($0) == part && $0 >= 0 ? $0 : nil } }
        if parts.last == "*", numbers.count == parts.count - 1, !numbers.contains(nil), parts.count <= 3 {
            switch numbers.compactMap({ $0 }) {
            case let found where found.isEmpty: form = .any
            case let found where found.count == 1: form = .major(found[0])
            case let found: form = .minor(found[0], found[1])
            }
        } else if let version = MiniProgramVersion(text: text) {
            form = .exact(version)
        } else {
            throw MiniProgramError(code: .malformedVersion, reason: "\(MiniProgramError.quoted(text)) is no version")
        }
    }

    /// Whether the version is one of those asked for. One asked for without a stamp is every build of it.
    public func matches(_ version: MiniProgramVersion) -> Bool {
        switch form {
        case .any: true
        case .major(let major): version.major == major
        case .minor(let major, let minor): (version.major, version.minor) == (major, minor)
        // A version asked for without its stamp is every build of it.
        case .exact(let wanted):
            wanted.stamp == nil
                ? (wanted.major, wanted.minor, wanted.patch) == (version.major, version.minor, version.patch) : wanted == version
        }
    }
}
