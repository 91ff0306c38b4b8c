import AlipayPlusDiagnosis
import BillfoldDiagnosis
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

/// A signed request, made at random by code of its own, so that the doctor is not tested by the library that it stands on; one mistake or two
/// are then made on purpose.
struct PlusCase {
    /// Making RSA keys is slow: each case draws from a pool that every run makes anew.
    static let keys = (0..<10).compactMap { _ in try? LegacyRSAPrivateKey(bits: 2048) }

    /// One that has smaller units, and those that have not or must end in 00.
    enum Money: String, CaseIterable {
        case jpy = "JPY"
        case krw = "KRW"
        case vnd = "VND"
        case clp = "CLP"
        case idr = "IDR"
        case usd = "USD"
        case hkd = "HKD"
    }

    var generator: SeededGenerator
    let client: LegacyRSAPrivateKey
    let gateway: LegacyRSAPrivateKey
    let stranger: LegacyRSAPrivateKey
    /// The client's next key, for rotation.
    let spare: LegacyRSAPrivateKey

    var host = "open-sea-global.alipayplus.com"
    var path = "/aps/api/v1/payments/pay"
    /// As it is sent; nil is the path.
    var target: String?
    var clientID: String
    /// Seconds since 1970.
    let seconds: Int64
    var time: String
    let requestID: String
    let merchant: String
    var currency: Money
    /// Of one piece of what is bought.
    var unit: Int64
    let quantity: Int64
    var hasGoods = true
    var orderValue: String
    var payCurrency: String
    var payValue: String
    var description: String

    // What goes wrong.
    /// What is signed in place of each part.
    var signedPath: String?
    var signedClient: String?
    var signedTime: String?
    var signedBody: @Sendable (String) -> String = { $0 }
    var lineEnd = "\n"
    var dots = (first: ".", second: ".")
    var isBodyOnly = false
    var isTextChanged = false
    var signer: LegacyRSAPrivateKey
    var hash = LegacyRSAHash.sha256
    var algorithm = "RSA256"
    /// Behind the first.
    var date: String?
    /// What the Signature header names.
    var keyVersion = 1
    /// Public keys by their files' names.
    var keyFiles: [(name: String, key: LegacyRSAPrivateKey)]
    enum Header { case right, missing, empty, twice, blanks, cut, rubbish }
    var header = Header.right
    /// Messages and data that lie beside it.
    var others: [Artifact] = []
    /// What the finding's evidence must hold.
    var evidence: String?

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let keys = Self.keys.shuffled(using: &generator)
        (client, gateway, stranger, signer) = (keys[0], keys[1], keys[2], keys[0])
        (keyFiles, spare) = ([("acqp.pem", keys[0]), ("gateway.pem", keys[1])], keys[3])
        func text(_ letters: String, _ count: Int, _ generator: inout SeededGenerator) -> String {
            String((0..<count).map { _ in letters.randomElement(using: &generator) ?? "0" })
        }
        // A word in capitals and small letters, so that its other forms are other words.
        clientID = "SANDBOX_Ab" + text("0123456789", 8, &generator)
        seconds = 1_767_225_600 + Int64.random(in: 0..<31_000_000, using: &generator)
        time = Self.iso(seconds)
        requestID = "P" + text("0123456789abcdef", 20, &generator)
        merchant = "M" + text("0123456789", 6, &generator)
        currency = Money.allCases.randomElement(using: &generator) ?? .jpy
        // Prices of the size that the currency's people pay: millions of won, tens of millions of dong, millions of rupiah.
        let scales: [Money: Int64] = [.krw: 10, .clp: 10, .vnd: 100, .idr: 1_000]
        unit = Int64.random(in: 1...900, using: &generator) * 100 * (scales[currency] ?? 1)
        quantity = Int64.random(in: 1...9, using: &generator)
        orderValue = String(unit * quantity)
        (payCurrency, payValue) = (currency.rawValue, orderValue)
        description = ["green tea", "茶葉一斤", "Tasse bleue", "two \\\"cups\\\""].randomElement(using: &generator) ?? "tea"
    }

    static func iso(_ seconds: Int64, zone hours: Int64 = 8, as suffix: String = "+08:00") -> String {
        let clock = Date(timeIntervalSince1970: TimeInterval(seconds + hours * 3_600)).ISO8601Format()
        return clock.dropLast() + suffix
    }

    static func httpDate(_ seconds: Int64) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    private var goods: String {
        guard hasGoods else { return "" }
        return """
            "goods":[{"goodsUnitAmount":{"currency":"\(currency.rawValue)","value":"\(unit)"},"goodsQuantity":"\(quantity)"}],
            """
    }

    var body: String {
        let code = currency.rawValue
        return """
            {"paymentRequestId":"\(requestID)","order":{"referenceOrderId":"A1","orderDescription":"\(description)","orderAmount":\
            {"currency":"\(code)","value":"\(orderValue)"},\(goods)"merchant":{"referenceMerchantId":"\(merchant)"}},"paymentAmount":{"currency":"\(payCurrency)",\
            "value":"\(payValue)"},"paymentMethod":{"paymentMethodType":"CONNECT_WALLET"}}
            """
    }

    var signedText: String {
        let body = signedBody(body)
        if isTextChanged { return "something else than \(description)" }
        if isBodyOnly { return body }
        return "POST \(signedPath ?? path)\(lineEnd)\(signedClient ?? clientID)\(dots.first)\(signedTime ?? time)\(dots.second)\(body)"
    }

    func artifact(_ name: String = "pay.http") throws -> Artifact {
        let base64 = StrictBase64.encode(try signer.signature(over: Array(signedText.utf8), hash: hash))
        func percent(_ text: String) -> String {
            text.replacing("%", with: "%25").replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        }
        let value: String? =
            switch header {
            case .right: percent(base64)
            case .missing: nil
            case .empty: ""
            case .twice: percent(percent(base64))
            case .blanks: base64.replacing("+", with: " ")
            case .cut: String(base64.prefix(64))
            case .rubbish: "***" + base64
            }
        var lines = [
            "POST \(target ?? path) HTTP/1.1", "Host: \(host)", "Client-Id: \(clientID)", "Request-Time: \(time)",
        ]
        if let date { lines.append("Date: \(date)") }
        if let value { lines.append("Signature: algorithm=\(algorithm),keyVersion=\(keyVersion),signature=\(value)") }
        return Artifact(name: name, bytes: Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    }

    static let notifyPath = "/hooks/notifyPayment"

    /// The payment's news, as Alipay+ posts it to the client's own address.
    func notification(by key: LegacyRSAPrivateKey, clientID: String? = nil) throws -> Artifact {
        let id = clientID ?? self.clientID
        let body =
            #"{"paymentResult":{"resultStatus":"S","resultCode":"SUCCESS"},"acquirerId":"1022188000000888","paymentRequestId":"\#(requestID)"}"#
        let head = "POST \(Self.notifyPath) HTTP/1.1\r\nHost: acq.example\r\nClient-Id: \(id)\r\nRequest-Time: \(time)\r\n"
        let signature = try header(over: "POST \(Self.notifyPath)\n\(id).\(time).\(body)", key)
        return Artifact(name: "notify.http", bytes: Array("\(head)Signature: \(signature)\r\n\r\n\(body)".utf8))
    }

    /// A success, signed over its request's path; without a key unsigned.
    func answer(to path: String, by key: LegacyRSAPrivateKey?, clientID: String? = nil, said: String = "result") throws -> Artifact {
        let (body, id) = (#"{"\#(said)":{"resultStatus":"S","resultCode":"SUCCESS"}}"#, clientID ?? self.clientID)
        var head = "HTTP/1.1 200 OK\r\nclient-id: \(id)\r\n"
        if let key {
            head += "response-time: \(time)\r\nsignature: \(try header(over: "POST \(path)\n\(id).\(time).\(body)", key))\r\n"
        }
        return Artifact(name: "answer.http", bytes: Array("\(head)\r\n\(body)".utf8))
    }

    private func header(over text: String, _ key: LegacyRSAPrivateKey) throws -> String {
        let base64 = StrictBase64.encode(try key.signature(over: Array(text.utf8), hash: .sha256))
        let value = base64.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        return "algorithm=RSA256,keyVersion=1,signature=\(value)"
    }

    /// Whether the signature has a plus, which a form's decoder would turn into a blank.
    var hasPlus: Bool {
        get throws { StrictBase64.encode(try signer.signature(over: Array(signedText.utf8), hash: hash)).contains("+") }
    }

    func artifacts() throws -> [Artifact] {
        let keys = keyFiles.map { name, key in Artifact(name: name, bytes: Array(key.publicKey.pem.utf8)) }
        return [try artifact()] + others + keys
    }

    func findings() throws -> [Finding] {
        AlipayPlusDiagnostician(recovery: OpenSSLOperation()).examine(try artifacts()).findings
    }
}
