import AlipayPlus
import AlipayPlusValues
import Foundation
import NIOCore
import PaymentCrypto
import PaymentCryptoOpenSSL

/// What the acquiring gateway's process is told: its acquirers, all made for one run, and its wallets.
struct SheetPaymentSetup: Codable {
    /// An acquirer with one merchant.
    struct Acquirer: Codable {
        var clientID: String
        var id: String
        /// PKCS#8 of the key that signs its requests.
        var key: Data
    }

    static let merchant = "MER-0001"
    /// Payment method type, brand, region, currency, and the digits that its codes begin with.
    static let wallets = [
        ("ALIPAY_HK", "AlipayHK", "HK", "HKD", "281001"), ("GCASH", "GCash", "PH", "PHP", "281002"),
        ("KAKAOPAY", "Kakao Pay", "KR", "KRW", "281003"), ("TNG", "Touch 'n Go eWallet", "MY", "MYR", "281004"),
    ]

    var acquirers: [Acquirer]
    /// PKCS#8 of the key that all wallets sign with.
    var walletKey: Data

    init(acquirers count: Int) throws {
        acquirers = try (0..<count).map { number in
            Acquirer(
                clientID: "SANDBOX_BENCH\(1_000 + number)", id: "102218800000\(1_000 + number)",
                key: Data(try RSAPrivateKey(bits: 2048).pkcs8))
        }
        walletKey = Data(try RSAPrivateKey(bits: 2048).pkcs8)
    }

    private static func spki(_ key: Data) throws -> String {
        StrictBase64.encode(try RSAPrivateKey(der: Array(key)).publicKey.subjectPublicKeyInfo)
    }

    /// What the acquirers register with, one JSON object each.
    func acquirerRegistrations() throws -> [[UInt8]] {
        try acquirers.map { acquirer in
            Array(
                """
                {"clientId":"\(acquirer.clientID)","acquirerId":"\(acquirer.id)","name":"Acquirer \(acquirer.id)",\
                "keys":[{"version":1,"publicKey":"\(try Self.spki(acquirer.key))"}],"origins":["http://127.0.0.1:9"],\
                "notifyUrl":"http://127.0.0.1:9/notify","settlementCurrency":"SGD","agreementId":"AG-1","feePercent":"0.8",\
                "merchants":[{"id":"\(Self.merchant)","name":"Corner Tea","mcc":"5411"}]}
                """.utf8)
        }
    }

    /// What the wallets register with.
    func walletRegistrations() throws -> [[UInt8]] {
        let key = try Self.spki(walletKey)
        return Self.wallets.map { type, brand, region, currency, issuer in
            Array(
                """
                {"clientId":"SANDBOX_\(type)","pspId":"1022\(issuer)","paymentMethodType":"\(type)","brand":"\(brand)","region":"\(region)",\
                "currency":"\(currency)","scenarios":["cashier"],"keys":[{"version":1,"publicKey":"\(key)"}],\
                "origin":"http://127.0.0.1:9","links":{"normal":"http://127.0.0.1:9/pay","applink":"http://127.0.0.1:9/app",\
                "appIdentifier":"example.\(type.lowercased())"},"codeIssuer":"\(issuer)"}
                """.utf8)
        }
    }

    /// Requests to pay as the acquirers' servers sign them, each with a number of its own.
    func payments(_ numbers: Range<Int>, port: Int, at now: Date) throws -> [ByteBuffer] {
        let signers = try acquirers.map { try OpenSSLRSAKey(der: Array($0.key)) }
        let time = AlipayPlusTime(millisecondsSince1970: Int64(now.timeIntervalSince1970) * 1_000)
        return try numbers.map { number in
            let index = number % acquirers.count
            let amount = #"{"currency":"SGD","value":"1999"}"#
            let body = """
                {"paymentRequestId":"bench-\(1_000_000 + number)","paymentAmount":\(amount),"order":{"referenceOrderId":"order-\(number)",\
                "orderDescription":"Longjing 明前 #1","orderAmount":\(amount),"env":{"terminalType":"APP","osType":"IOS"},\
                "buyer":{"referenceBuyerId":"buyer-\(number)"},"merchant":{"referenceMerchantId":"\(Self.merchant)",\
                "merchantMCC":"5411","merchantName":"Corner Tea"}},"paymentMethod":{"paymentMethodType":"CONNECT_WALLET"},\
                "paymentFactor":{"isCashierPayment":true,"presentmentMode":"UNIFIED"},"userRegion":"SG",\
                "paymentNotifyUrl":"http://127.0.0.1:9/notify","paymentRedirectUrl":"http://127.0.0.1:9/return"}
                """
            let signed = try SignedAlipayPlusMessage(
                .request, target: PayRequest.path, clientID: acquirers[index].clientID, time: time, body: Array(body.utf8),
                by: signers[index])
            return HTTPBytes.request(
                "POST", PayRequest.path, port: port, headers: signed.headers.map { ($0.name, $0.value) }, body: signed.body)
        }
    }
}
