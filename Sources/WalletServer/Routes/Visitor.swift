import BillfoldPayments
import BillfoldServer
import BillfoldWeb
import HTTPTypes
import Hummingbird

/// Whoever asks for a page: a browser with its cookie, and the customer who is logged in with it.
struct Visitor: Sendable {
    /// `__Host-` makes browsers refuse the cookie without `Secure`, with a `Domain`, or from any path but `/`. `Lax`: the way from a
    /// merchant's app or page leads here by a link, which must find the customer logged in; a post from elsewhere must not.
    static let cookieName = "__Host-wallet"
    static let languageCookieName = "wallet-language"

    /// The browser's token: a session's, or one that stands for nobody.
    let token: String
    /// Whether the browser does not have the token yet.
    let isNew: Bool
    let customer: WalletAccount?
    let texts: WalletTexts

    /// The token of a form: only the browser that the page was made for can send it, and only for this scope.
    func csrf(_ scope: String, _ context: WalletContext) -> String {
        context.hash("\(token)\u{0}\(scope)", "csrf").bytes.prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 2 ? digits : "0" + digits
        }.joined()
    }

    static func cookie(token: String) -> String { "\(cookieName)=\(token); Path=/; Secure; HttpOnly; SameSite=Lax" }

    static func languageCookie(_ language: WalletLanguage) -> String {
        "\(languageCookieName)=\(language.rawValue); Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
    }

    static func cookie(_ name: String, of request: Request) -> String? {
        Cookies.value(of: name, in: request.headers[values: .cookie])
    }

    static func isToken(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
