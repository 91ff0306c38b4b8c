import ApplePay
import BillfoldJSON
import BillfoldServer
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import CardPaymentsServer

/// Apple's session endpoint by script: it keeps what it was asked.
private final class SessionStub: HTTPSender {
    private let answer: Result<OutgoingAnswer, SendFailure>
    private let asked = Mutex<[OutgoingRequest]>([])
    var requests: [OutgoingRequest] { asked.withLock { $0 } }

    init(_ answer: Result<OutgoingAnswer, SendFailure>) { self.answer = answer }

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        asked.withLock { $0.append(request) }
        return try answer.get()
    }
}

/// `POST /v1/apple-pay/sessions` and the file that proves a domain.
@Suite struct WebSessionTests {
    private static let path = "/v1/apple-pay/sessions"
    private static let sandbox = "https://apple-pay-gateway-cert.apple.com/paymentservices/startSession"
    private static let session = #"{"epochTimestamp":1, "opaque" : "kept as it came"}"#

    private func withShop(
        _ answer: Result<OutgoingAnswer, SendFailure> = .success(.init(status: .ok, headers: [:], body: Array(session.utf8))),
        body: @Sendable @escaping (Shop, @Sendable () -> [OutgoingRequest]) async throws -> Void
    ) async throws {
        let stub = SessionStub(answer)
        try await Shop.open(
            change: { configuration in
                configuration.testSessionOrigin = "https://127.0.0.1:8443"
                configuration.merchants[0].displayName = "Two Leaves 茶"
                configuration.merchants[0].domains = ["shop.example"]
                configuration.merchants[0].domainAssociation = Array("proof\n".utf8)
                configuration.merchants[0].walletSessions = stub
            }
        ) { shop in try await body(shop, { stub.requests }) }
    }

    private func ask(_ shop: Shop, _ url: String = sandbox, domain: String = "shop.example", bearer: String? = Shop.apiKey) async throws
        -> Shop.Answer
    {
        let body = #"{"validationURL":"\#(url)","domain":"\#(domain)"}"#
        return try await shop.send(.post, Self.path, Array(body.utf8), bearer: bearer)
    }

    @Test func sessionIsHandedOnUntouched() async throws {
        try await withShop { shop, requests in
            let answer = try await ask(shop)
            #expect(answer.status == 200)
            #expect(answer.body == Self.session)
            let request = try #require(requests().first)
            #expect(request.url == Self.sandbox)
            #expect(request.maximumAnswerBytes == 65_536)
            let sent = try JSONReader.readObject(request.body, maximumBytes: 4_096)
            #expect(sent["merchantIdentifier"]?.string == "merchant.example.shop")
            #expect(sent["displayName"]?.string == "Two Leaves 茶")
            #expect(sent["initiative"]?.string == "web")
            #expect(sent["initiativeContext"]?.string == "shop.example")
            #expect(sent.members.count == 4)
            // Used once: nothing is kept, so the next one is asked for again.
            #expect(try await ask(shop, "https://127.0.0.1:8443/paymentservices/paymentSession").status == 200)
            #expect(requests().count == 2)
        }
    }

    @Test(arguments: [
        "http://apple-pay-gateway-cert.apple.com/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com/paymentservices/startSession",
        "https://evil.example/paymentservices/startSession",
        "https://apple-pay-gateway-cert.apple.com.evil.example/paymentservices/startSession",
        "https://apple-pay-gateway.evil-cert.apple.com/paymentservices/startSession",
        "https://evil-apple-pay-gateway-cert.apple.com/paymentservices/startSession",
        "https://apple-pay-gateway-cert.apple.com:444/paymentservices/startSession",
        "https://evil.example@apple-pay-gateway-cert.apple.com/paymentservices/startSession",
        "https://evil.example#.apple.com/paymentservices/startSession",
        "https://evil.example/.apple.com/paymentservices/startSession",
        "https://apple-pay-gateway-cert.apple.com/paymentservices/startSession?to=evil",
        "https://apple-pay-gateway-cert.apple.com/paymentservices/../startSession",
        "https://apple-pay-gateway-cert.apple.com/", "https://apple-pay-gateway-cert.apple.com", "https:///paymentservices/startSession",
        "https://127.0.0.1:8444/paymentservices/startSession", "https://127.0.0.1:8443/paymentservices/other",
        "https://127.0.0.1:84432/paymentservices/startSession",
    ])
    func addressThatIsNotApplesIsNotCalled(url: String) async throws {
        try await withShop { shop, requests in
            let answer = try await ask(shop, url)
            #expect(answer.status == 422)
            #expect(answer.errorCode == "validation-url-refused")
            #expect(requests().isEmpty)
        }
    }

    @Test func strangersAndForeignDomainsGetNothing() async throws {
        try await withShop { shop, requests in
            let anonymous = try await ask(shop, bearer: nil)
            #expect(anonymous.errorCode == "unauthorized")
            let foreign = try await ask(shop, domain: "shop.example.evil")
            #expect(foreign.errorCode == "domain-unknown")
            let numeric = try await ask(shop, domain: "127.0.0.1")
            #expect(numeric.errorCode == "domain-unknown")
            let more = #"{"validationURL":"\#(Self.sandbox)","domain":"shop.example","more":1}"#
            let unknownField = try await shop.send(.post, Self.path, Array(more.utf8), bearer: Shop.apiKey)
            #expect(unknownField.errorCode == "malformed-request")
            #expect(requests().isEmpty)
        }
    }

    @Test(
        arguments: [
            .success(OutgoingAnswer(status: .movedPermanently, headers: [.location: "https://evil.example/"], body: [1])),
            .success(OutgoingAnswer(status: .ok, headers: [:], body: [])),
            .success(OutgoingAnswer(status: .badRequest, headers: [:], body: [1])),
            .failure(SendFailure(code: .timedOut, reason: "", mayHaveArrived: true)),
            .failure(SendFailure(code: .answerTooLarge, reason: "", mayHaveArrived: true)),
        ] as [Result<OutgoingAnswer, SendFailure>])
    func anythingButASessionIsUnavailable(answer: Result<OutgoingAnswer, SendFailure>) async throws {
        try await withShop(answer) { shop, requests in
            let refused = try await ask(shop)
            #expect(refused.status == 502)
            #expect(refused.errorCode == "session-unavailable")
            #expect(requests().count == 1)
        }
    }

    @Test func merchantWithoutIdentityIsToldSo() async throws {
        try await Shop.open(change: { $0.merchants[0].domains = ["shop.example"] }) { shop in
            let unconfigured = try await ask(shop)
            #expect(unconfigured.errorCode == "session-not-configured")
        }
    }

    @Test(arguments: [
        ("apple-pay-gateway.apple.com", true), ("cn-apple-pay-gateway.apple.com", true), ("apple-pay-gateway-nc-pod3.apple.com", true),
        ("cn-apple-pay-gateway-sh-pod1.apple.com", true), ("apple-pay-gateway-cert.apple.com", false),
        ("cn-apple-pay-gateway-cert.apple.com", false), ("127.0.0.1:8443", false), ("apple-pay-gatewayevil.apple.com", false),
    ])
    func productionCallsProductionHostsAlone(host: String, isTaken: Bool) {
        let url = "https://\(host)/paymentservices/paymentSession"
        let address = SessionAddress(mode: .production, testOrigin: "https://127.0.0.1:8443")
        #expect((try? address.checked(url)) == (isTaken ? url : nil))
    }

    /// Requests of this client carry the host `localhost`.
    @Test(arguments: ["", ".txt"]) func domainIsProvedToApple(suffix: String) async throws {
        let path = "/.well-known/apple-developer-merchantid-domain-association\(suffix)"
        try await withShop { shop, _ in
            let unproved = try await shop.send(.get, path)
            #expect(unproved.errorCode == "domain-association-missing")
        }
        try await Shop.open(change: { configuration in
            configuration.merchants[0].domains = ["localhost"]
            configuration.merchants[0].domainAssociation = Array("proof\n".utf8)
        }) { shop in
            let answer = try await shop.send(.get, path)
            #expect(answer.status == 200)
            #expect(answer.body == "proof\n")
        }
    }

    @Test func testOriginDoesNotExistInProduction() async throws {
        try await Shop.open(change: { configuration in
            var other = configuration
            other.mode = .production
            other.tokenTrust = .production
            other.testSessionOrigin = "https://127.0.0.1:8443"
            let production = other
            let error = #expect(throws: CardPaymentsError.self) { try production.validate() }
            #expect(error?.reason.contains("web sessions") == true)
        }) { _ in }
    }
}
