public import Foundation

/// An address that a mini program handed over, taken apart as text before any parser could read it in two ways.
///
/// Refused, each for a published trick (mini-programs.md#what-may-be-opened): control characters and blanks (`java⇥script:`), backslashes,
/// users (`good@evil`), escapes in the host, escapes that end in a control character or in a part of a path, escaped escapes, dot segments,
/// hosts that are not plain ASCII names, and more text than is read. What is left means the same to every reader.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
    /// The longest address that is read.
    public static let maximumLength = 2_048
    /// Schemes that run or read something instead of opening it. No allow-list brings them back.
    public static let dangerousSchemes: Set<String> = [
        "javascript", "vbscript", "data", "file", "filesystem", "blob", "about", "content", "intent", "view-source", "jar", "ws", "wss",
    ]

    /// As given.
    public let text: String
    /// In lower case.
    public let scheme: String
    /// In lower case, without a port; empty where there is no authority.
    public let host: String
    public let port: Int?
    public let url: URL

    /// Nil for what is refused; ``problem(of:)`` says why.
    public init?(_ text: String) {
        guard case .success(let parts) = Self.parts(of: text), let url = URL(string: text) else { return nil }
        // Two readers that disagree are the trick itself.
        guard (url.scheme ?? "").lowercased() == parts.scheme, (url.host() ?? "").lowercased() == parts.host, url.user() == nil else {
            return nil
        }
        self.text = text
        (scheme, host, port) = (parts.scheme, parts.host, parts.port)
        self.url = url
    }

    /// Why the text is no address here; nil when it is one.
    public static func problem(of text: String) -> String? {
        if case .failure(let problem) = parts(of: text) { return problem.reason }
        return WebAddress(text) == nil ? "two readers disagree about it" : nil
    }

    /// Whether it is an http address on this machine, which only tests may take.
    public var isLoopback: Bool { scheme == "http" && (host == "127.0.0.1" || host == "localhost") }

    public var description: String { text }

    private struct Problem: Error { var reason: String }

    private struct Parts {
        var scheme: String
        var host = ""
        var port: Int?
    }

    private static func parts(of text: String) -> Result<Parts, Problem> {
        do throws(Problem) { return .success(try read(text)) } catch { return .failure(error) }
    }

    private static func read(_ text: String) throws(Problem) -> Parts {
        guard text.utf8.count <= maximumLength else { throw Problem(reason: "is longer than \(maximumLength) bytes") }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Problem(reason: "has a blank, a control character or a character that is not ASCII")
        }
        guard !text.utf8.contains(where: { "\\<>\"{}|^`".utf8.contains($0) }) else {
            throw Problem(reason: "has a character that no address has")
        }
        guard let colon = text.firstIndex(of: ":") else { throw Problem(reason: "has no scheme") }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.utf8.first, (0x61...0x7a).contains(first), scheme.utf8.allSatisfy(isSchemeByte) else {
            throw Problem(reason: "has no plain scheme")
        }
        var parts = Parts(scheme: scheme)
        var rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { throw Problem(reason: "has nothing behind its scheme that can be held against a list") }
        rest = rest.dropFirst(2)
        let authority = rest.prefix { !"/?#".contains($0) }
        (parts.host, parts.port) = try host(of: authority)
        rest = rest.dropFirst(authority.count)
        try checkPath(rest.prefix { !"?#".contains($0) })
        try checkEscapes(rest)
        return parts
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || "+.-".utf8.contains(byte)
    }

    private static func host(of authority: Substring) throws(Problem) -> (String, Int?) {
        guard !authority.contains("@") else { throw Problem(reason: "names a user before its host") }
        let halves = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let host = halves[0].lowercased()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = host.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x2e }
        guard isPlain, !host.isEmpty, labels.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 63 }) else {
            throw Problem(reason: "has no plain host")
        }
        guard halves.count == 2 else { return (host, nil) }
        guard let port = Int(halves[1]), (1...65_535).contains(port), String(port) == halves[1] else {
            throw Problem(reason: "has no plain port")
        }
        return (host, port)
    }

    private static func checkPath(_ path: Substring) throws(Problem) {
        let lower = path.lowercased()
        guard !["%2f", "%5c", "%2e", "%25"].contains(where: lower.contains) else {
            throw Problem(reason: "hides a part of its path in escapes")
        }
        guard !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else { throw Problem(reason: "has dot segments") }
    }

    /// An address in a parameter is escaped once more, which is honest; thrice is not.
    private static func checkEscapes(_ rest: Substring) throws(Problem) {
        var letters = Array(rest.utf8)
        for depth in 1...3 {
            guard let (decoded, found) = unescaped(letters) else { throw Problem(reason: "has a broken escape") }
            guard found else { return }
            guard depth < 3 else { throw Problem(reason: "is escaped three times") }
            guard decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { throw Problem(reason: "hides a control character in an escape") }
            letters = decoded
        }
    }

    /// The bytes behind the escapes, and whether there were any; nil for a broken one. Inner texts may hold a bare percent sign.
    private static func unescaped(_ letters: [UInt8]) -> ([UInt8], Bool)? {
        var result: [UInt8] = []
        var (index, found) = (0, false)
        while index < letters.count {
            if letters[index] == UInt8(ascii: "%") {
                guard index + 2 < letters.count,
                    let byte = UInt8(String(decoding: letters[index + 1...index + 2], as: UTF8.self), radix: 16)
                else { return nil }
                result.append(byte)
                index += 3
                found = true
            } else {
                result.append(letters[index])
                index += 1
            }
        }
        return (result, found)
    }
}
