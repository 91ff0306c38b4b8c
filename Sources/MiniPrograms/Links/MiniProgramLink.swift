import Foundation
import PaymentCrypto

/// Which mini program to open, where, and with what: the one value behind every form of link and code (mini-programs.md#link-forms).
public struct MiniProgramLink: Sendable, Hashable {
    /// Which build is meant. Trial and develop are for listed users, and need a token.
    public enum Environment: String, Sendable, Hashable, CaseIterable {
        case release
        case trial
        case develop
    }

    public var appID: String
    /// A route without a slash at its beginning; nil for home.
    public var page: String?
    /// What `Page.onLoad` gets, percent-decoded once.
    public var pageQuery: [QueryItem]
    /// What `App.onLaunch` and `App.onShow` get.
    public var query: [QueryItem]
    public var environment: Environment
    public var version: MiniProgramVersion?
    /// From where it was opened, such as a code's id.
    public var source: String?
    /// Of trial and develop links. Short-lived; the platform checks it.
    public var token: String?

    /// A name and a value for the page, decoded.
    public struct QueryItem: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// `malformed-field` for an app id or a page that is none.
    public init(
        appID: String, page: String? = nil, pageQuery: [QueryItem] = [], query: [QueryItem] = [], environment: Environment = .release,
        version: MiniProgramVersion? = nil, source: String? = nil, token: String? = nil
    ) throws(MiniProgramError) {
        guard PackageManifest.isAppID(appID) else { throw MiniProgramError(code: .malformedField, reason: "the link's app id is none") }
        if let page {
            guard page.utf8.count <= 256, ConfigurationPath.isSafe(page), page.utf8.allSatisfy(Self.isPageByte) else {
                throw MiniProgramError(code: .malformedField, reason: "the link's page \(MiniProgramError.quoted(page)) is no route")
            }
        }
        self.appID = appID
        self.page = page
        self.pageQuery = pageQuery
        self.query = query
        self.environment = environment
        self.version = version
        self.source = source
        self.token = token
    }

    private static func isPageByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isNameByte(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "~")
    }

    /// The text of items, percent-encoded: `a=1&b=%E4%BD%A0`.
    public static func text(of items: [QueryItem]) -> String {
        items.map { "\(PercentEncoding.encode($0.name.utf8))=\(PercentEncoding.encode($0.value.utf8))" }.joined(separator: "&")
    }

    /// Reads a query. Real ones have bare names and values that are not ASCII [O]; a broken escape, a control character and more than 64
    /// items are refused: `unsafe-link`.
    public static func items(of text: some StringProtocol) throws(MiniProgramError) -> [QueryItem] {
        var items: [QueryItem] = []
        for part in text.split(separator: "&") {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try LinkText.decoded(halves[0], "query")
            items.append(QueryItem(name, halves.count == 2 ? try LinkText.decoded(halves[1], "query") : ""))
        }
        guard items.count <= 64 else { throw MiniProgramError(code: .unsafeLink, reason: "the query has more than 64 items") }
        return items
    }
}

/// The rules of link texts.
enum LinkText {
    static let maximumLength = 2_048

    /// Takes a link's text apart. `unsafe-link`, `not-a-link`.
    static func parts(_ text: String) throws(MiniProgramError) -> (scheme: String, host: String, path: String, query: String) {
        guard text.utf8.count <= maximumLength else {
            throw MiniProgramError(code: .unsafeLink, reason: "the link has more than \(maximumLength) bytes")
        }
        guard
            text.unicodeScalars.allSatisfy({
                $0.value > 0x20 && $0.value != 0x7f && $0 != "\\" && !$0.properties.isDefaultIgnorableCodePoint
            })
        else {
            throw MiniProgramError(code: .unsafeLink, reason: "the link has a blank, a backslash or a character that is not shown")
        }
        guard let separator = text.range(of: "://"), !text[..<separator.lowerBound].isEmpty else {
            throw MiniProgramError(code: .notALink, reason: "the text is no link")
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        let rest = text[separator.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@"), !authority.contains("%") else {
            throw MiniProgramError(code: .unsafeLink, reason: "the link's host hides another")
        }
        let path = rest.dropFirst(authority.count).prefix { $0 != "?" }
        let lower = path.lowercased()
        guard !["%2f", "%2e", "%5c", "%25", "//"].contains(where: lower.contains),
            !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else { throw MiniProgramError(code: .unsafeLink, reason: "the link's path hides another") }
        return (scheme, authority.lowercased(), String(path), String(rest.dropFirst(authority.count + path.count).dropFirst()))
    }

    /// Percent-decodes once. `unsafe-link` for a broken escape, bytes that are no UTF-8, and control characters.
    static func decoded(_ text: some StringProtocol, _ what: String) throws(MiniProgramError) -> String {
        guard let bytes = PercentEncoding.decode(Array(text.utf8)[...], plusIsSpace: false),
            let result = String(utf8: bytes),
            result.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else { throw MiniProgramError(code: .unsafeLink, reason: "the link's \(what) has a broken escape or a control character") }
        return result
    }

    /// The raw values of a query by name; the first of each counts, and a second is refused, since readers disagree about it.
    static func raw(_ query: String) throws(MiniProgramError) -> [String: String] {
        var result: [String: String] = [:]
        for part in query.split(separator: "&") {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard result.updateValue(halves.count == 2 ? String(halves[1]) : "", forKey: String(halves[0])) == nil else {
                throw MiniProgramError(code: .unsafeLink, reason: "the link names \(MiniProgramError.quoted(halves[0])) twice")
            }
        }
        return result
    }
}
