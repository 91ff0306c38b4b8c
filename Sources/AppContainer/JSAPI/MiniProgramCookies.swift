import BillfoldConcurrency
public import Foundation

/// The cookies of servers that mini programs ask, apart for every pair of user and mini program: what a server knows of a person in one
/// mini program it does not learn in another, though both ask the same server (mini-programs.md#isolation).
///
/// A cookie goes back to the very host that set it: a `Domain` attribute is passed over, since nobody here knows whose domains are whose.
public final class MiniProgramCookies: Sendable {
    private struct Cookie {
        var host: String
        var name: String
        var value: String
        var path: String
        var isSecure: Bool
        /// Milliseconds since 1970; nil until the partition is cleared.
        var expiry: Double?
    }

    private let jars = Locked<[MiniProgramIdentity.Partition: [Cookie]]>([:])

    /// Of one partition, and bytes of one cookie.
    static let limit = 300
    static let byteLimit = 4_096

    public init() {}

    /// Takes the values of an answer's `Set-Cookie` headers. What breaks their grammar is passed over.
    ///
    /// - Parameters:
    ///   - headers: The headers' values, one cookie in each.
    ///   - address: Where the request went: its host is the cookies'. `Secure` ones are taken over `https` only.
    ///   - now: Milliseconds since 1970.
    ///   - partition: The user and mini program that asked; no other is shown the cookies.
    public func take(_ headers: [String], from address: URL, at now: Double, for partition: MiniProgramIdentity.Partition) {
        guard let host = address.host()?.lowercased() else { return }
        let isSecure = address.scheme?.lowercased() == "https"
        for header in headers {
            guard let cookie = Self.cookie(header, host: host, requestPath: address.path(), at: now), isSecure || !cookie.isSecure else {
                continue
            }
            jars.withLock { jars in
                var jar = jars[partition] ?? []
                jar.removeAll { $0.host == host && $0.name == cookie.name && $0.path == cookie.path }
                if cookie.expiry.map({ $0 > now }) ?? true { jar.append(cookie) }
                // The oldest goes first.
                jars[partition] = jar.suffix(Self.limit)
            }
        }
    }

    /// The `Cookie` header for an address; nil where there is none to send.
    public func header(for address: URL, at now: Double, of partition: MiniProgramIdentity.Partition) -> String? {
        guard let host = address.host()?.lowercased() else { return nil }
        let path = address.path().isEmpty ? "/" : address.path()
        let isSecure = address.scheme?.lowercased() == "https"
        let found = jars.withLock { $0[partition] ?? [] }.filter { cookie in
            cookie.host == host && (isSecure || !cookie.isSecure) && (cookie.expiry.map { $0 > now } ?? true)
                && (path == cookie.path || path.hasPrefix(cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/"))
        }
        return found.isEmpty ? nil : found.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Forgets everything of one user and mini program: when the user signs out, or the mini program is removed.
    public func clear(_ partition: MiniProgramIdentity.Partition) { jars.withLock { $0[partition] = nil } }

    private static func cookie(_ header: String, host: String, requestPath: String, at now: Double) -> Cookie? {
        guard header.utf8.count <= byteLimit, header.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        let parts = header.split(separator: ";").map { part in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return (name: halves[0], value: halves.count == 2 ? halves[1] : nil)
        }
        guard let first = parts.first, !first.name.isEmpty, let value = first.value else { return nil }
        let parent = requestPath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        var cookie = Cookie(host: host, name: first.name, value: value, path: parent.isEmpty ? "/" : parent, isSecure: false)
        for (name, value) in parts.dropFirst() {
            switch name.lowercased() {
            case "path": if let value, value.hasPrefix("/") { cookie.path = value }
            case "secure": cookie.isSecure = true
            // It counts above Expires (RFC 6265, section 5.3).
            case "max-age": if let seconds = value.flatMap({ Double($0) }), seconds.isFinite { cookie.expiry = now + seconds * 1_000 }
            case "expires": if cookie.expiry == nil { cookie.expiry = value.flatMap(milliseconds) }
            default: break
            }
        }
        return cookie
    }

    /// A date such as `Thu, 01 Jan 1970 00:00:00 GMT`, in milliseconds since 1970.
    private static func milliseconds(_ text: String) -> Double? {
        let words = text.split { !$0.isLetter && !$0.isNumber }
        guard words.count >= 7, let day = Int(words[1]), let year = Int(words[3]), let hour = Int(words[4]), let minute = Int(words[5]),
            let second = Int(words[6]),
            let month = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
                .firstIndex(of: words[2].lowercased())
        else { return nil }
        let parts = DateComponents(
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: year, month: month + 1, day: day, hour: hour, minute: minute,
            second: second)
        return parts.date.map { $0.timeIntervalSince1970 * 1_000 }
    }
}
