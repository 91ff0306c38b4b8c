import AlipayPlus
import AlipayPlusValues
import BillfoldJSON
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Where a party takes the gateway's signed messages and answers them under its own signature.
struct AlipayPlusIntake: Sendable {
    let party: Party
    let identity: AlipayPlusIdentity
    let registration: AlipayPlusRegistration
    let surroundings: PartySurroundings
    /// How far a time may be from the clock; no tolerance is published [I].
    private static let toleranceSeconds: Int64 = 600

    /// A message that is verified, with whether its sender reports the exchange.
    struct Taken: Sendable {
        var message: VerifiedAlipayPlusMessage
        var isReported: Bool
    }

    /// Reads and verifies a message. Throws `AlipayPlusError` for what is not the gateway's, for us and of now.
    func take(_ request: Request) async throws -> Taken {
        do { return try await verified(request) } catch {
            if error is AlipayPlusError { await registration.disbelieve() }
            throw error
        }
    }

    private func verified(_ request: Request) async throws -> Taken {
        let body: [UInt8]
        do { body = Array(try await request.body.collect(upTo: 65_536).readableBytesView) } catch {
            throw AlipayPlusError(code: .tooLarge, reason: "the body is too large")
        }
        let unverified = try UnverifiedAlipayPlusMessage(.request, target: request.uri.path, body: body) { name in
            HTTPField.Name(name).flatMap { request.headers[$0] }
        }
        guard ExactText.equal(unverified.clientID, identity.clientID) else {
            throw AlipayPlusError(code: .signatureMismatch, reason: "the message is for another client")
        }
        let message = try unverified.verified(by: await registration.gatewayKeys())
        try message.requireFresh(at: surroundings.clock.now().alipayPlusTime, toleranceSeconds: Self.toleranceSeconds)
        return Taken(
            message: message, isReported: Exchange.isName(HTTPField.Name(Exchange.headerName).flatMap { request.headers[$0] }))
    }

    /// The signed answer to a message that came to a path.
    func answer(_ body: [UInt8], to path: String, damaged: Bool = false) throws -> Response {
        let signed = try SignedAlipayPlusMessage(
            .answer, target: path, clientID: identity.clientID, time: surroundings.clock.now().alipayPlusTime, body: body,
            by: identity.key, keyVersion: AlipayPlusIdentity.keyVersion)
        var fields: HTTPFields = [.cacheControl: "no-store"]
        for header in damaged ? AlipayPlusDamage.signature(in: signed.headers) : signed.headers {
            if let name = HTTPField.Name(header.name) { fields[name] = header.value }
        }
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// The answer to what was not verified: unsigned, as errors about signature or client may be [O].
    func refusal(_ result: AlipayPlusResult) -> Response {
        Response(
            status: .ok, headers: [.contentType: AlipayPlusHeaders.contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: PlainAnswer(result: result).body)))
    }
}

extension Party {
    static let alipayPlus: Party = "alipay-plus"
    static let acquirer: Party = "acquirer"
    /// Each wallet has a line of its own.
    static func mobileWallet(_ type: String) -> Party { Party(rawValue: "wallet:\(type)") }
}

/// The namespaces of the ids that tie messages to a payment's story, as the gateway names them.
enum AlipayPlusTrace {
    static let payment = "alipay-plus.payment"
    static let request = "alipay-plus.request"
    static let sheet = "alipay-plus.sheet"
    static let walletRequest = "alipay-plus.wallet-request"
    static let order = "alipay-plus.order"
    static let authorization = "alipay-plus.authorization"
}

extension Timestamp {
    var alipayPlusTime: AlipayPlusTime { AlipayPlusTime(millisecondsSince1970: microseconds / 1_000) }
}
