/// A system's name and version, such as iOS 9.2.
public struct SystemVersion: Sendable, Hashable, CustomStringConvertible {
    /// The systems that the tables tell apart.
    public enum System: String, Sendable, Hashable, CaseIterable { case iOS, watchOS, macOS }

    public var system: System
    public var major: Int
    public var minor: Int
    public var patch: Int

    public init(_ system: System, _ major: Int, _ minor: Int = 0, _ patch: Int = 0) {
        self.system = system
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads `18`, `18.2` or `18.2.1`; refuses anything else (`version-malformed`).
    public init(_ system: System, text: String) throws(ApplePayAppError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        var numbers: [Int] = []
        for part in parts {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part) else { break }
            numbers.append(number)
        }
        guard (1...3).contains(parts.count), numbers.count == parts.count else {
            throw ApplePayAppError(code: .versionMalformed, reason: "\(text.prefix(20)) is no system version")
        }
        numbers += [0, 0]
        self.init(system, numbers[0], numbers[1], numbers[2])
    }

    /// Whether this system is at least `other`. Different systems are never comparable.
    public func isAtLeast(_ other: SystemVersion) -> Bool {
        system == other.system && (major, minor, patch) >= (other.major, other.minor, other.patch)
    }

    public var description: String { "\(system.rawValue) \(major).\(minor)" + (patch == 0 ? "" : ".\(patch)") }
}
