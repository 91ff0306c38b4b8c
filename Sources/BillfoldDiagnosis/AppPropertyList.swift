public import Foundation

/// What an app's `Info.plist` says of URL schemes: those that open it, and those of other apps that it may ask for.
public struct AppPropertyList: Sendable, Hashable {
    /// Systems read this many query schemes and no more (iOS 15 and later).
    public static let querySchemeLimit = 50

    /// `CFBundleURLSchemes` of all `CFBundleURLTypes`, as written, repetitions included.
    public let registeredSchemes: [String]
    /// `LSApplicationQueriesSchemes`, as written.
    public let queriedSchemes: [String]

    /// Reads a property list, as XML or binary; nil for what is no property list of an app.
    public init?(_ bytes: Data) {
        guard
            Self.isMeant(by: Array(bytes.prefix(1_024))), let root = try? PropertyListSerialization.propertyList(from: bytes, format: nil),
            let entries = root as? [String: Any]
        else { return nil }
        let types = entries["CFBundleURLTypes"] as? [[String: Any]] ?? []
        registeredSchemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
        queriedSchemes = entries["LSApplicationQueriesSchemes"] as? [String] ?? []
    }

    /// Whether a file is a property list, readable or not: by its first bytes.
    public static func isMeant(by bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array("bplist00".utf8)) || String(decoding: bytes.prefix(1_024), as: UTF8.self).contains("<plist")
    }

    /// How often a scheme is registered. Systems do not tell upper case from lower.
    public func registrations(of scheme: String) -> Int {
        registeredSchemes.count { $0.lowercased() == scheme.lowercased() }
    }

    /// Those of `schemes` that the system answers "not installed" for, whatever is installed, because the list does not name them
    /// within the limit.
    public func unaskable(_ schemes: [String]) -> [String] {
        let read = Set(queriedSchemes.prefix(Self.querySchemeLimit).map { $0.lowercased() })
        return schemes.filter { !read.contains($0.lowercased()) }
    }
}
