/// One message on its way between two parties, for a proxy that changes it.
struct ProxiedMessage: Sendable {
    enum Side: Sendable, Hashable {
        case request
        case answer
    }

    var method: String
    var path: String
    var requestBody: [UInt8]
}

/// Which message of the tour is to be damaged: `--flip PARTY:MESSAGE`, named after the party that sends it.
struct Flip: Sendable, Hashable {
    /// The two parties a proxy stands between, named caller first.
    enum Link: String, Sendable, Hashable, CaseIterable {
        case phoneToMerchant
        case shopToMerchant
        case merchantToUnionPay
        case unionPayToMerchant
    }

    let name: String
    let link: Link
    let side: ProxiedMessage.Side
    /// What is changed, for the report.
    let what: String
    private let method: String
    private let pathEnding: String
    /// A field that the form must hold, so that messages on one path are told apart.
    private let formField: String?
    /// The text after which the changed byte lies; the middle of the body where it does not occur.
    private let anchor: String?

    private init(
        _ name: String, _ link: Link, _ side: ProxiedMessage.Side, _ method: String, _ pathEnding: String, form: String? = nil,
        anchor: String? = nil, _ what: String
    ) {
        self.name = name
        self.link = link
        self.side = side
        self.method = method
        self.pathEnding = pathEnding
        formField = form
        self.anchor = anchor
        self.what = what
    }

    static let all: [Flip] = [
        Flip(
            "phone:payment", .phoneToMerchant, .request, "POST", "/payments", anchor: #""paymentData":""#,
            "the sealed token on its way to the merchant's server"),
        Flip(
            "merchant:consume", .merchantToUnionPay, .request, "POST", "/backTransReq.do", form: "txnType=01", anchor: "signature=",
            "the signed deduct on its way to the gateway"),
        Flip(
            "unionpay:consume", .merchantToUnionPay, .answer, "POST", "/backTransReq.do", form: "txnType=01", anchor: "signature=",
            "the gateway's signed answer to the deduct"),
        Flip(
            "unionpay:notification", .unionPayToMerchant, .request, "POST", "/unionpay/notify", anchor: "signature=",
            "the gateway's signed notification"),
        Flip(
            "merchant:refund", .merchantToUnionPay, .request, "POST", "/backTransReq.do", form: "txnType=04", anchor: "signature=",
            "the signed refund on its way to the gateway"),
        Flip(
            "unionpay:refund", .merchantToUnionPay, .answer, "POST", "/backTransReq.do", form: "txnType=04", anchor: "signature=",
            "the gateway's signed answer to the refund"),
        Flip(
            "merchant:file-request", .merchantToUnionPay, .request, "POST", "", form: "txnType=76", anchor: "signature=",
            "the signed request for the settlement file"),
        Flip(
            "unionpay:file", .merchantToUnionPay, .answer, "POST", "", form: "txnType=76", anchor: "fileContent=",
            "the settlement file"),
    ]

    /// Refuses a name that no message has, listing those there are.
    init(_ text: String) throws {
        guard let flip = Self.all.first(where: { $0.name == text }) else {
            throw CommandFailure(
                .usage, code: "unknown-message",
                reason: "'\(text)' is no message of the tour; the messages are \(Self.all.map(\.name).joined(separator: ", "))")
        }
        self = flip
    }

    func matches(_ message: ProxiedMessage) -> Bool {
        guard message.method == method, message.path.split(separator: "?").first?.hasSuffix(pathEnding) ?? false else { return false }
        guard let formField else { return true }
        return String(decoding: message.requestBody, as: UTF8.self).split(separator: "&").contains { $0 == formField }
    }

    /// The body with one byte changed, and its length kept.
    ///
    /// The changed byte lies a few letters behind the anchor. It stays a letter or digit, so that what fails is what guards the
    /// content and not the outermost syntax.
    func changed(_ body: [UInt8]) -> [UInt8] {
        guard !body.isEmpty else { return body }
        var body = body
        var position = body.count / 2
        if let anchor, let found = Self.firstIndex(of: Array(anchor.utf8), in: body) {
            position = min(found + anchor.utf8.count + 40, body.count - 1)
        }
        while position < body.count - 1, !Self.isLetter(body[position]) { position += 1 }
        body[position] = body[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return body
    }

    /// A letter that no percent escape begins or holds.
    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "G")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "g")...UInt8(ascii: "z")).contains(byte)
    }

    private static func firstIndex(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        guard !pattern.isEmpty, bytes.count >= pattern.count else { return nil }
        return (0...(bytes.count - pattern.count)).first { bytes[$0..<($0 + pattern.count)].elementsEqual(pattern) }
    }
}
