import Alipay
import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import HTTPTypes
import PaymentCrypto
import Testing

@testable import AlipayServer

struct OnboardingTests {
    @Test(arguments: StoreEngine.available) func registeringAgainKeepsTheGatewaysKeys(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let key = StrictBase64.encode(gateway.keys.stranger.publicKey.subjectPublicKeyInfo)
            func register(_ name: String) async throws -> OrderGatewayHarness.Answer {
                try await gateway.send(
                    .post, "/onboarding/v1/merchants",
                    #"{"partner":"2088000000000404","name":"\#(name)","applications":[{"appID":"2021000000000404","rsa2":"\#(key)"}]}"#,
                    bearer: OrderGatewayHarness.onboardingKey)
            }
            let first = try await register("Tea")
            #expect(first.status == 200, "\(first.body)")
            let again = try await register("Better Tea")
            #expect(again.json?["applications"]?.array?.first?["gatewayKey"]?.string != nil)
            #expect(again.bytes == first.bytes)
            let known = try #require(try await gateway.server.context.merchants.application("2021000000000404"))
            #expect(known.merchant.name == "Better Tea")
            #expect(known.keys.rsa2 == gateway.keys.stranger.publicKey)
        }
    }

    /// The real gateway has the general code alone; the reason says what it hides, and never of a key that nobody had registered.
    @Test func aKeyThatHasEndedIsToldFromAStrangers() async throws {
        try await OrderGatewayHarness.open { gateway in
            let keys = gateway.keys
            func text(_ key: LegacyRSAPrivateKey) -> String { StrictBase64.encode(key.publicKey.subjectPublicKeyInfo) }
            func register(_ body: String) async throws {
                let answer = try await gateway.send(.post, "/onboarding/v1/merchants", body, bearer: OrderGatewayHarness.onboardingKey)
                #expect(answer.status == 200, "\(answer.body)")
            }
            let before = try OrderGatewayHarness.merchants(keys)[0]
            let after = before.replacing(text(keys.partner), with: text(keys.stranger))
                .replacing(text(keys.application), with: text(keys.stranger))
            func reason(_ order: String) async throws -> String {
                let answer = try await gateway.show(order)
                #expect(answer.status == 403 && answer.errorCode == "ALI40247", "\(answer.body)")
                return answer.json?["error"]?["reason"]?.string ?? ""
            }
            let ended = "a key that ended at \(ChinaTime.text(gateway.clock.now())), GMT+8"
            try await register(after)
            // The same registration once more ends nothing.
            try await register(after)
            #expect(try await reason(try await gateway.legacyOrder("E_1")).contains(ended))
            #expect(try await reason(try await gateway.modernOrder("E_2")).contains(ended))
            let call = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"E_2"}"#)
            let node = try await gateway.send(.get, "/gateway.do?\(call)").json?["alipay_trade_query_response"]
            #expect(node?["sub_code"]?.string == "isv.invalid-signature" && node?["sub_msg"]?.string?.contains(ended) == true)
            let stranger = try await reason(try await gateway.legacyOrder("E_3", key: keys.gatewayPartners))
            #expect(!stranger.isEmpty && !stranger.contains("ended"), "\(stranger)")
            let altered = try await gateway.legacyOrder("E_4").replacing(#"total_fee="10.00""#, with: #"total_fee="1.00""#)
            #expect(try await !reason(altered).contains("ended"))
            // Registered again, a key is none of an earlier time.
            try await register(before)
            #expect(try await gateway.show(try await gateway.legacyOrder("E_5")).status == 200)
            #expect(try await reason(try await gateway.legacyOrder("E_6", key: keys.stranger)).contains("ended"))
        }
    }

    @Test func fewFormerKeysAreKept() {
        let now = Timestamp(microseconds: 1_000_000)
        var kept: [FormerKey] = []
        for number in 0..<20 as Range<UInt8> {
            kept = kept.following([[number], nil], until: [[number + 1], nil], at: now) ?? []
        }
        #expect(kept.map(\.key) == [[16], [17], [18], [19]])
        #expect([FormerKey]().following([[1], [1]], until: [[1], nil], at: now) == nil)
    }

    @Test(arguments: [
        (#"{"partner":"1234","name":"a"}"#, "malformed-request"), (#"{"partner":"2088000000000404"}"#, "malformed-request"),
        (#"{"partner":"2088000000000404","name":"a","extra":1}"#, "malformed-request"),
        (#"{"partner":"2088000000000404","name":"a","currency":"CNY"}"#, "malformed-request"),
        (#"{"partner":"2088000000000404","name":"a","rsa":"AAAA"}"#, "unusable-key"),
        (#"{"partner":"2088000000000404","name":"a","feePercent":"-1"}"#, "malformed-request"),
        (#"{"partner":"2088000000000404","name":"a","applications":[{"appID":"2021000000000101"}]}"#, "identity-taken"),
    ])
    func aWrongRegistrationIsRefused(_ body: String, _ code: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            let answer = try await gateway.send(.post, "/onboarding/v1/merchants", body, bearer: OrderGatewayHarness.onboardingKey)
            #expect(answer.errorCode == code, "\(answer.body)")
        }
    }

    @Test func onlyTheOnboardingKeyOpens() async throws {
        try await OrderGatewayHarness.open { gateway in
            let answer = try await gateway.send(.post, "/onboarding/v1/merchants", "{}", bearer: OrderGatewayHarness.walletKey)
            #expect(answer.status == 401)
        }
        try await OrderGatewayHarness.open(
            change: { $0.onboardingKey = nil },
            body: { gateway in
                let answer = try await gateway.send(.post, "/onboarding/v1/merchants", "{}", bearer: OrderGatewayHarness.onboardingKey)
                #expect(answer.status == 404)
            })
    }

    @Test func productionIsHeldToItsRules() async throws {
        await #expect(throws: AlipayServerError.self) {
            try await OrderGatewayHarness.open(change: { $0.mode = .production }, body: { _ in })
        }
    }
}
