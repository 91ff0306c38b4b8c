import AlipayPlus
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AlipayPlusServer

/// Automatic debit: from the consent to the last payment.
struct AuthorizationTests {
    private func location(_ gateway: PlusHarness, _ url: String?) async throws -> String? {
        let path = try #require(url?.replacing("http://gateway.test", with: ""))
        return try await gateway.http.execute(uri: path, method: .get, headers: [:], body: nil) { $0.headers[.location] }
    }

    private func request(_ agreement: String) -> PrepareRequest {
        PrepareRequest(
            authClientId: PlusHarness.merchant, authClientName: "Corner Tea", scopes: ["AGREEMENT_PAY"],
            authRedirectUrl: "http://127.0.0.1:9300/consented", authState: "mine", referenceAgreementId: agreement,
            paymentMethodType: "GCASH", terminalType: .app, osType: .ios)
    }

    /// The person consents, and the acquirer redeems the code.
    private func consent(_ gateway: PlusHarness, _ agreement: String) async throws -> (code: String, tokens: ApplyTokenAnswer) {
        let prepared = try await gateway.acquirer(request(agreement))
        let page = try #require(try await location(gateway, prepared.normalUrl))
        let state = String(try #require(page.split(separator: "=").last))
        let told = try await gateway.wallet(
            .gcash,
            AuthNotifyRequest(
                authorizationNotifyType: .authCodeCreated, authCode: "wallet-code", authState: state, customerId: "c-7"))
        #expect(told.result.isSuccess)
        let back = try #require(try await location(gateway, "http://gateway.test/authorized/\(state)"))
        #expect(back.hasPrefix("http://127.0.0.1:9300/consented?authCode=") && back.hasSuffix("&authState=mine"))
        #expect(!back.contains("wallet-code"))
        let code = String(try #require(back.split(separator: "=").dropFirst().first?.split(separator: "&").first))
        return (
            code,
            try await gateway.acquirer(
                ApplyTokenRequest(grantType: .authorizationCode, authClientId: PlusHarness.merchant, authCode: code))
        )
    }

    private func debit(_ gateway: PlusHarness, _ id: String, _ token: String) async throws -> PayAnswer {
        var request = gateway.payRequest(id)
        request.paymentMethod = WirePaymentMethod(
            paymentMethodType: "GCASH", paymentMethodId: token, paymentMethodMetaData: .init(authClientId: PlusHarness.merchant))
        request.paymentFactor = WirePaymentFactor(isAgreementPayment: true)
        return try await gateway.acquirer(request)
    }

    @Test func theAcquirerIsToldOfTheConsentItsTokenAndItsEnd() async throws {
        try await PlusHarness.open { gateway async throws in
            let (code, tokens) = try await consent(gateway, "agreement-1")
            try await gateway.work()
            let told = gateway.outside.consents
            let (granted, given) = (
                told.first { $0.authorizationNotifyType == .authCodeCreated }, told.first { $0.authorizationNotifyType == .tokenCreated }
            )
            #expect(told.count == 2)
            #expect(granted?.authCode == code && granted?.authState == "mine" && granted?.authClientId == PlusHarness.merchant)
            #expect(given?.customerId == "c-7" && given?.tokenExpiryTime == tokens.accessTokenExpiryTime)
            #expect(told.allSatisfy { $0.accessToken == nil && $0.acquirerId == PlusHarness.acquirerID })
            // The customer ends it in the wallet.
            let prepared = try await gateway.acquirer(request("agreement-1"))
            let reference = String(try #require(prepared.normalUrl?.split(separator: "/").last))
            let ended = AuthNotifyRequest(authorizationNotifyType: .tokenCanceled, authState: reference, customerId: "c-7")
            for _ in 0..<2 { #expect(try await gateway.wallet(.gcash, ended).result.isSuccess) }
            try await gateway.work()
            #expect(gateway.outside.consents.map(\.authorizationNotifyType).dropFirst(2) == [.tokenCanceled])
            #expect(try await debit(gateway, "d-1", tokens.accessToken ?? "").result.resultCode == "INVALID_TOKEN")
        }
    }

    @Test func noCodeOfAConsentIsStoredWithTheNewsOfIt() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.acknowledge(false)
            let (code, _) = try await consent(gateway, "agreement-1")
            try await gateway.work()
            let id = try MerchantID(PlusHarness.acquirerID)
            let rows = try await gateway.store.database.read { tx in
                try NotificationRecords.latest(id, limit: 10, in: tx).map { row in
                    try OutboxRecords.find(row.id, merchant: id, in: tx).map { String(decoding: $0.body, as: UTF8.self) } ?? ""
                }
            }
            #expect(rows.count == 2 && rows.allSatisfy { !$0.isEmpty && !$0.contains(code) })
        }
    }

    @Test func aTokenPaysWithoutThePersonUntilItIsCancelled() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-7", .success)
            let (_, tokens) = try await consent(gateway, "agreement-1")
            let token = try #require(tokens.accessToken)
            #expect(tokens.result.isSuccess && tokens.customerId == "c-7" && !token.contains("wallet"))
            #expect(try await debit(gateway, "d-1", token).result.isSuccess)
            #expect(gateway.outside.debitedBy == ["wallet-access-1"])
            for _ in 0..<2 { #expect(try await gateway.acquirer(CancelTokenRequest(accessToken: token)).result.isSuccess) }
            #expect(try await debit(gateway, "d-2", token).result.resultCode == "INVALID_TOKEN")
        }
    }

    @Test func aCodeRedeemedTwiceGivesTheSameTokensAndARefreshGivesNewOnes() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-7", .success)
            let (code, first) = try await consent(gateway, "agreement-1")
            let again = try await gateway.acquirer(
                ApplyTokenRequest(grantType: .authorizationCode, authClientId: PlusHarness.merchant, authCode: code))
            #expect(again.accessToken == first.accessToken)
            let next = try await gateway.acquirer(
                ApplyTokenRequest(grantType: .refreshToken, authClientId: PlusHarness.merchant, refreshToken: first.refreshToken))
            #expect(next.result.isSuccess && next.accessToken != first.accessToken)
            #expect(try await debit(gateway, "d-1", try #require(first.accessToken)).result.resultCode == "INVALID_TOKEN")
            #expect(try await debit(gateway, "d-2", try #require(next.accessToken)).result.isSuccess)
            #expect(gateway.outside.debitedBy == ["wallet-access-2"])
        }
    }

    @Test func aRepeatedPrepareIsTheSameConsentAndAnotherContentIsRefused() async throws {
        try await PlusHarness.open { gateway async throws in
            let first = try await gateway.acquirer(request("agreement-1"))
            #expect(try await gateway.acquirer(request("agreement-1")).normalUrl == first.normalUrl)
            var other = request("agreement-1")
            other.authState = "other"
            #expect(try await gateway.acquirer(other).result.resultCode == "REPEAT_REQ_INCONSISTENT")
        }
    }

    @Test func aTokenThatHasEndedIsRefused() async throws {
        try await PlusHarness.open { gateway async throws in
            let (_, tokens) = try await consent(gateway, "agreement-1")
            gateway.clock.advance(by: .seconds(366 * 86_400))
            #expect(try await debit(gateway, "d-1", try #require(tokens.accessToken)).result.resultCode == "EXPIRED_ACCESS_TOKEN")
        }
    }

    @Test func noErrandHoldsAWalletsToken() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-7", .success)
            let (_, tokens) = try await consent(gateway, "agreement-1")
            _ = try await debit(gateway, "d-1", try #require(tokens.accessToken))
            let bodies = try await gateway.store.database.read { tx in
                try tx.query("SELECT body FROM outbox", []).map { String(decoding: try $0.blob(0), as: UTF8.self) }
            }
            #expect(!bodies.isEmpty && bodies.allSatisfy { !$0.contains("wallet-access") })
        }
    }
}
