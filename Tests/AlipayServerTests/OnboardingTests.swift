import Alipay
import BillfoldJSON
import BillfoldServer
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
