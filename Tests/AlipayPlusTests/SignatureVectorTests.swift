import AlipayPlus
import AlipayPlusValues
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

/// One case of `signature-vectors.json`.
struct SignatureVector: Decodable, Sendable, CustomTestStringConvertible {
    var id: String
    var kind: String
    var path: String
    var clientId: String
    var time: String
    var bodyBase64: Data
    var expectedStringToSignBase64: Data
    var signatureHeader: String
    var verifyWith: String
    var expect: String
    var cause: String?

    var testDescription: String { id }
    var body: [UInt8] { [UInt8](bodyBase64) }

    struct KeyPair: Decodable {
        var privatePkcs8Pem: String
        var publicPem: String
    }

    private struct File: Decodable {
        var keys: [String: KeyPair]
        var cases: [SignatureVector]
    }

    static let folder = "alipay-plus-acquirer"
    static var areThere: Bool { Vectors.available(folder) }
    private static var file: File? { try? Vectors.json("\(folder)/signature-vectors.json") }
    static var all: [SignatureVector] { file?.cases ?? [] }

    static func pair(_ name: String) throws -> KeyPair { try #require(file?.keys[name]) }
    static func privateKey(_ name: String) throws -> RSAPrivateKey { try RSAPrivateKey(pem: pair(name).privatePkcs8Pem) }
    static func keys(_ name: String) throws -> AlipayPlusKeyVersions {
        try AlipayPlusKeyVersions([1: PublicKey(pem: pair(name).publicPem)])
    }

    func message(target: String? = nil) throws -> AlipayPlusMessage {
        try AlipayPlusMessage(target: target ?? path, clientID: clientId, timeText: time, body: body)
    }
}

@Suite(.enabled(if: SignatureVector.areThere))
struct SignatureVectorTests {
    @Test func everyCaseIsThere() { #expect(SignatureVector.all.count == 13) }

    @Test(arguments: SignatureVector.all)
    func stringToSignIsRebuiltAndTheVerdictAgrees(vector: SignatureVector) throws {
        let message = try vector.message()
        #expect(message.stringToSign == [UInt8](vector.expectedStringToSignBase64))
        let unverified = UnverifiedAlipayPlusMessage(message, signature: try AlipayPlusSignature(header: vector.signatureHeader))
        let keys = try SignatureVector.keys(vector.verifyWith)
        if vector.expect == "valid" {
            #expect(try unverified.verified(by: keys).body == vector.body)
        } else {
            let code: AlipayPlusError.Code = vector.cause == "unknown-key-version" ? .unknownKeyVersion : .signatureMismatch
            #expect(throws: AlipayPlusError(code: code, reason: "")) { try unverified.verified(by: keys) }
        }
    }

    @Test(arguments: SignatureVector.all.filter { $0.expect == "valid" })
    func validSignaturesAreReproducedByteForByte(vector: SignatureVector) throws {
        let made = try vector.message().signed(by: SignatureVector.privateKey(vector.verifyWith))
        #expect(made == (try AlipayPlusSignature(header: vector.signatureHeader)))
        let isStrict =
            !vector.signatureHeader.contains(", ") && !vector.signatureHeader.contains("+") && vector.signatureHeader.contains("%")
        if isStrict { #expect(made.description == vector.signatureHeader) }
    }

    @Test(arguments: SignatureVector.all.filter { $0.expect == "valid" })
    func absoluteTargetIsReducedToItsPath(vector: SignatureVector) throws {
        for target in ["https://gateway.example:8443\(vector.path)?a=b", "HTTP://127.0.0.1\(vector.path)"] {
            #expect(try vector.message(target: target) == vector.message())
        }
    }

    @Test(arguments: SignatureVector.all.filter { $0.expect == "valid" })
    func oneFlippedBitAnywhereIsRefused(vector: SignatureVector) throws {
        let signature = try AlipayPlusSignature(header: vector.signatureHeader)
        let keys = try SignatureVector.keys(vector.verifyWith)
        for index in stride(from: 0, to: vector.body.count, by: 17) {
            var body = vector.body
            body[index] ^= 1
            let message = try AlipayPlusMessage(target: vector.path, clientID: vector.clientId, timeText: vector.time, body: body)
            #expect(throws: AlipayPlusError(code: .signatureMismatch, reason: "")) {
                try UnverifiedAlipayPlusMessage(message, signature: signature).verified(by: keys)
            }
        }
    }
}

/// A request as a released client sent it, with its headers in their order and letter case.
struct CapturedRequest: Decodable, Sendable {
    var requestLine: String
    var headers: [[String]]
    var bodyUtf8: String
    var pathInStringToSign: String

    private struct File: Decodable { var requests: [CapturedRequest] }
    static var all: [CapturedRequest] {
        (try? Vectors.json("\(SignatureVector.folder)/captured-client-requests.json", as: File.self))?.requests ?? []
    }

    func unverified() throws -> UnverifiedAlipayPlusMessage {
        try UnverifiedAlipayPlusMessage(
            .request, target: String(requestLine.split(separator: " ")[1]), body: Array(bodyUtf8.utf8)
        ) { name in headers.first { $0[0].lowercased() == name }?[1] }
    }
}

@Suite(.enabled(if: SignatureVector.areThere))
struct CapturedRequestTests {
    @Test(arguments: CapturedRequest.all)
    func releasedClientsRequestIsVerifiedAsItIs(request: CapturedRequest) throws {
        let verified = try request.unverified().verified(by: SignatureVector.keys("acqp"))
        #expect(verified.path == request.pathInStringToSign)
    }

    @Test func bothRequestsAreRead() throws {
        let requests = CapturedRequest.all
        try #require(requests.count == 2)
        let keys = try SignatureVector.keys("acqp")
        let pay = try requests[0].unverified().verified(by: keys).read(PayRequest.self)
        #expect(pay.paymentAmount == WireAmount(currency: "KRW", value: "1500"))
        #expect(pay.paymentFactor?.scenario == .cashier)
        #expect(pay.paymentFactor?.presentmentMode == .unified)
        #expect(pay.order.merchant?.merchantAddress?.region == "SG")
        #expect(pay.order.env?.osType == .ios)
        let inquiry = try requests[1].unverified().verified(by: keys).read(InquiryPaymentRequest.self)
        #expect(inquiry.paymentRequestId == pay.paymentRequestId)
    }
}
