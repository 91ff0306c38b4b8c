import Crypto
import PaymentCrypto

/// What a container answers for a promotion code's address (mini-programs.md#promotion-codes: `GRVURLContentDecodeResponse` [D]).
public struct DecodedURLContent: Sendable, Hashable {
    /// Of a mini program or of an HTML5 page; nil on a failure.
    public var decodedURL: String?
    public var success: Bool
    public var errorCode: String?
    public var errorMessage: String?

    public init(decodedURL: String) { (self.decodedURL, success) = (decodedURL, true) }

    public init(errorCode: String, errorMessage: String) {
        (self.errorCode, self.errorMessage, success) = (errorCode, errorMessage, false)
    }
}

/// Decodes promotion codes: addresses that cannot be opened as they are.
public protocol PromotionCodeDecoding: Sendable {
    /// Says by its form alone whether an address is a promotion code of this kind.
    func canDecodeURLContent(_ url: String) -> Bool
    /// Where the code leads. What is no code, or is damaged, is answered with an error and not thrown.
    func decodeURLContent(_ url: String) -> DecodedURLContent
}

/// This platform's own promotion codes: `https://<host>/p/<base64url of the target>.<check>`.
///
/// The encoding of Alipay+ is not public; this one is ours [I], and another can take its place. The check finds damage, not forgery: where
/// a target leads is held against lists when it is opened.
public struct PromotionCode: PromotionCodeDecoding {
    /// In lower case.
    public let host: String

    public init(host: String) { self.host = host.lowercased() }

    /// Makes a code's text.
    public func text(for target: String) -> String { "https://\(host)/p/\(Self.encoded(target)).\(Self.check(target))" }

    public func canDecodeURLContent(_ url: String) -> Bool {
        guard let parts = try? LinkText.parts(url) else { return false }
        return parts.scheme == "https" && parts.host == host && parts.path.hasPrefix("/p/")
    }

    public func decodeURLContent(_ url: String) -> DecodedURLContent {
        guard canDecodeURLContent(url), let parts = try? LinkText.parts(url) else {
            return DecodedURLContent(errorCode: "NOT_A_PROMOTION_CODE", errorMessage: "the address is no promotion code")
        }
        let halves = parts.path.dropFirst("/p/".count).split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count == 2, let target = Self.decoded(halves[0]), halves[1] == Self.check(target) else {
            return DecodedURLContent(errorCode: "DAMAGED_CODE", errorMessage: "the promotion code is damaged")
        }
        return DecodedURLContent(decodedURL: target)
    }

    private static func encoded(_ text: String) -> String {
        StrictBase64.encode(Array(text.utf8)).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func decoded(_ text: Substring) -> String? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return (try? StrictBase64.decode(padded)).flatMap { String(utf8: $0) }
    }

    private static func check(_ text: String) -> String {
        Hexadecimal.encode(Array(SHA256.hash(data: Array(text.utf8)).prefix(4)))
    }
}

/// An ordinary address that opens a mini program: same scheme and host, a path below, parameters that begin so
/// (mini-programs.md#promotion-codes [D]).
public struct LinkRule: Sendable, Hashable {
    /// In lower case.
    public var host: String
    /// The path, or one that it lies below; whole parts count: `/a` takes `/a/b` and not `/ab`.
    public var path: String
    /// Names, with what their values must begin with.
    public var parameters: [String: String]
    public var appID: String
    public var page: String?

    public init(host: String, path: String, parameters: [String: String] = [:], appID: String, page: String? = nil) {
        self.host = host.lowercased()
        self.path = path
        self.parameters = parameters
        self.appID = appID
        self.page = page
    }

    /// How special it is: a longer path before more parameters before longer prefixes.
    private var weight: [Int] { [path.utf8.count, parameters.count, parameters.values.reduce(0) { $0 + $1.utf8.count }] }

    /// The most specific of the rules that take an https address, with the whole address as parameter `q` of the page.
    public static func link(for text: String, by rules: [LinkRule]) -> MiniProgramLink? {
        guard let parts = try? LinkText.parts(text), parts.scheme == "https", let raw = try? LinkText.raw(parts.query) else { return nil }
        let fitting = rules.filter { rule in
            let stem = rule.path.hasSuffix("/") ? rule.path : rule.path + "/"
            return rule.host == parts.host && (parts.path == rule.path || parts.path.hasPrefix(stem))
                && rule.parameters.allSatisfy { raw[$0.key]?.hasPrefix($0.value) == true }
        }
        guard let rule = fitting.max(by: { $0.weight.lexicographicallyPrecedes($1.weight) }) else { return nil }
        return try? MiniProgramLink(appID: rule.appID, page: rule.page, pageQuery: [.init("q", text)])
    }
}

/// What a scanner should do with a text (mini-programs.md#scanned-texts [I]).
public enum ScannedText: Sendable, Hashable {
    /// A promotion code's target is what was read, once.
    case payment(String)
    case miniProgram(MiniProgramLink)
    /// A plain https address: opened with a warning.
    case webPage(String)
    /// Anything else, also addresses with tricks in them: shown and never opened.
    case text(String)

    /// Routes a text.
    /// - Parameters:
    ///   - text: What was read.
    ///   - promotion: What decodes promotion codes.
    ///   - rules: Ordinary addresses that open mini programs.
    ///   - isPaymentCode: Says whether a text is a merchant's payment code of a scheme that the wallet knows.
    ///   - read: Reads a text as a link to a mini program, in the forms that this platform takes.
    public init(
        _ text: String, promotion: [any PromotionCodeDecoding] = [], rules: [LinkRule] = [], isPaymentCode: (String) -> Bool,
        read: (String) throws -> MiniProgramLink
    ) {
        var text = text
        // One step only: a promotion code within another could go on for ever.
        if let decoder = promotion.first(where: { $0.canDecodeURLContent(text) }) {
            guard let target = decoder.decodeURLContent(text).decodedURL else {
                self = .text(text)
                return
            }
            text = target
        }
        if isPaymentCode(text) {
            self = .payment(text)
        } else if let link = try? read(text) {
            self = .miniProgram(link)
        } else if let link = LinkRule.link(for: text, by: rules) {
            self = .miniProgram(link)
        } else if let parts = try? LinkText.parts(text), parts.scheme == "https", !parts.host.isEmpty {
            self = .webPage(text)
        } else {
            self = .text(text)
        }
    }
}
