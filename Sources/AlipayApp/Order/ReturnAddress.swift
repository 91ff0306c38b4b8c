import Foundation

/// Where the wallet comes back to: a scheme of the app and, where the app has one, a universal link.
public struct ReturnAddress: Sendable, Hashable, Codable {
    public var scheme: String
    /// Such as `https://shop.example/app/`; what comes back begins with it.
    public var universalLink: String?

    public init(scheme: String, universalLink: String? = nil) {
        self.scheme = scheme
        self.universalLink = universalLink
    }

    /// Refuses an address that no wallet could come back to.
    func check() throws(AlipayAppError) {
        if let mistake = SchemeMistake(of: scheme) {
            throw AlipayAppError(code: .returnAddressUnusable, reason: mistake.cause(scheme))
        }
        guard let universalLink else { return }
        guard let url = URL(string: universalLink), url.scheme == "https", url.host != nil else {
            throw AlipayAppError(code: .returnAddressUnusable, reason: "a universal link is an https address")
        }
    }

    /// Whether a URL came back to this address. Systems may change the case of a scheme.
    func takes(_ url: String) -> Bool {
        if isLink(url) { return true }
        let scheme = url.prefix { $0 != ":" }
        return scheme.lowercased() == self.scheme.lowercased()
    }

    func isLink(_ url: String) -> Bool { universalLink.map(url.hasPrefix) ?? false }
}

/// Why a wallet never comes back to a scheme (alipay.md#schemes [O]).
enum SchemeMistake: String, CaseIterable {
    case empty, malformed, underscore, reserved

    init?(of scheme: String) {
        if scheme.isEmpty {
            self = .empty
        } else if scheme.contains("_") {
            self = .underscore
        } else if scheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) == nil {
            self = .malformed
        } else if Self.others.contains(scheme.lowercased()) {
            self = .reserved
        } else {
            return nil
        }
    }

    /// What belongs to the wallet, or to the system.
    static let others: Set<String> = ["alipay", "alipays", "alipayqr", "http", "https", "file", "tel", "mailto", "sms"]

    func cause(_ scheme: String) -> String {
        switch self {
        case .empty: "No scheme is given to come back to."
        case .malformed: "A scheme begins with a letter and holds letters, digits, `+`, `-` and `.` only; \(scheme) does not."
        case .underscore: "The scheme \(scheme) holds an underscore: the wallet never comes back to it."
        case .reserved: "The scheme \(scheme) is not the app's own: it opens the wallet, a browser or the system."
        }
    }
}
