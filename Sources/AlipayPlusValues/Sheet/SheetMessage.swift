import BillfoldJSON

/// What a payment sheet's page tells the app around it: one JSON object by the bridge ``handlerName``.
///
/// `{"event":"show"}`, `{"event":"select","walletName":"GCASH","links":{…}}`, `{"event":"cancel"}`, `{"event":"error","message":"…"}`. Ours,
/// as is the page [I]. In a browser without an app around it the page opens the wallet itself.
public enum SheetMessage: Sendable, Hashable {
    /// The page is drawn and can be used.
    case shown
    /// A wallet was chosen and Pay Now tapped.
    case selected(Selection)
    /// Close was tapped.
    case cancelled
    /// The page cannot go on; the text is for engineers.
    case failed(String)

    /// The wallet that the person pays with, and the ways into it.
    public struct Selection: Sendable, Hashable {
        public var walletName: String
        /// Empty where those of the payment data still hold.
        public var links: WalletLinks
        /// For an app that has the Alipay SDK linked, and only of Alipay: the order string that the SDK pays.
        public var orderString: String?

        public init(walletName: String, links: WalletLinks = WalletLinks(), orderString: String? = nil) {
            self.walletName = walletName
            self.links = links
            self.orderString = orderString
        }
    }

    /// `window.webkit.messageHandlers.alipayPlusSheet.postMessage(text)`.
    public static let handlerName = "alipayPlusSheet"
    /// The most bytes that are read.
    public static let maximumLength = 16_384

    /// `sheet-message-malformed` for everything but the four messages.
    public init(_ text: String) throws(AlipayPlusError) {
        guard let object = try? JSONReader.readObject(Array(text.utf8), maximumBytes: Self.maximumLength) else {
            throw Self.malformed("is no JSON object")
        }
        switch object["event"]?.string {
        case "show": self = .shown
        case "select":
            guard let name = object["walletName"]?.string, !name.isEmpty else { throw Self.malformed("selects no wallet") }
            self = .selected(
                Selection(walletName: name, links: WalletLinks(object["links"]), orderString: object["orderString"]?.string))
        case "cancel": self = .cancelled
        case "error": self = .failed(object["message"]?.string ?? "")
        default: throw Self.malformed("names no event")
        }
    }

    public var text: String {
        switch self {
        case .shown: return JSONValue.texts(["event": "show"]).text
        case .cancelled: return JSONValue.texts(["event": "cancel"]).text
        case .failed(let message): return JSONValue.texts(["event": "error", "message": message]).text
        case .selected(let selection):
            var object = JSONObject([.init("event", "select"), .init("walletName", .string(selection.walletName))])
            object["links"] = selection.links.json
            object["orderString"] = selection.orderString.map(JSONValue.string)
            return JSONValue.object(object).text
        }
    }

    private static func malformed(_ problem: String) -> AlipayPlusError {
        AlipayPlusError(code: .sheetMessageMalformed, reason: "the sheet's message \(problem)")
    }
}
