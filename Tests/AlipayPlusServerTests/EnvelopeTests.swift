import AlipayPlus
import AlipayPlusValues
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PaymentCrypto
import Testing

@testable import AlipayPlusServer

/// Who is let in, and how refusals are answered.
struct EnvelopeTests {
    private func code(_ answer: PlusHarness.Answer) throws -> String {
        #expect(answer.status == 200)
        return try PlainAnswer(body: answer.bytes).result.resultCode
    }

    @Test func aRefusalOfAKnownClientIsSigned() async throws {
        try await PlusHarness.open { gateway async throws in
            let answer = try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "nothing"))
            #expect(answer.result.resultCode == "ORDER_NOT_EXIST")
        }
    }

    @Test func aForeignKeyAClientThatNobodyKnowsAndAnUnknownVersionAreRefused() async throws {
        try await PlusHarness.open { gateway async throws in
            let (path, body) = (InquiryPaymentRequest.path, InquiryPaymentRequest(paymentRequestId: "p").body)
            let (client, key) = (PlusHarness.client, gateway.keys.acquirer)
            #expect(try code(try await gateway.send(path, body, client: client, key: gateway.keys.stranger)) == "INVALID_SIGNATURE")
            #expect(try code(try await gateway.send(path, body, client: "SANDBOX_NOBODY", key: key)) == "INVALID_CLIENT")
            #expect(try code(try await gateway.send(path, body, client: client, key: key, version: 2)) == "KEY_NOT_FOUND")
            let other = try await gateway.send(path, body, client: client, key: key, signedPath: PayRequest.path)
            #expect(try code(other) == "INVALID_SIGNATURE")
        }
    }

    /// Whoever knows a client's id has nothing signed for it: no text of its own choice, and no work.
    @Test func aCallThatIsNotVerifiedIsRefusedUnsigned() async throws {
        try await PlusHarness.open { gateway async throws in
            let (path, body) = (InquiryPaymentRequest.path, InquiryPaymentRequest(paymentRequestId: "p").body)
            func isSigned(_ path: String, key: RSAPrivateKey? = nil, version: Int = 1, type: String? = nil) async throws -> Bool {
                let answer = try await gateway.send(
                    path, body, client: PlusHarness.client, key: key ?? gateway.keys.acquirer, version: version,
                    type: type ?? "application/json")
                return ["signature", "response-time", "client-id"].contains { HTTPField.Name($0).flatMap { answer.headers[$0] } != nil }
            }
            #expect(try await isSigned(path, key: gateway.keys.stranger) == false)
            #expect(try await isSigned(AlipayPlusPath.base + "of/the/strangers/choice", key: gateway.keys.stranger) == false)
            #expect(try await isSigned(path, version: 2) == false)
            #expect(try await isSigned(path, type: "text/plain") == false)
            // What is verified is answered under a signature, refusals too.
            #expect(try await isSigned(path))
            #expect(try await isSigned(AlipayPlusPath.base + "payments/nothing"))
        }
    }

    @Test func strangersCallsDoNotCountAgainstAClient() async throws {
        try await PlusHarness.open(change: { $0.callRate = RateLimit(perSecond: 1, burst: 3) }) { gateway async throws in
            let (path, body) = (InquiryPaymentRequest.path, InquiryPaymentRequest(paymentRequestId: "p").body)
            func call(by key: RSAPrivateKey) async throws -> String {
                try code(try await gateway.send(path, body, client: PlusHarness.client, key: key))
            }
            for _ in 0..<8 { #expect(try await call(by: gateway.keys.stranger) == "INVALID_SIGNATURE") }
            for _ in 0..<3 { #expect(try await call(by: gateway.keys.acquirer) == "ORDER_NOT_EXIST") }
            #expect(try await call(by: gateway.keys.acquirer) == "REQUEST_TRAFFIC_EXCEED_LIMIT")
        }
    }

    @Test func aTimeThatIsFarOffIsRefusedAndTheDriftIsNamed() async throws {
        try await PlusHarness.open { gateway async throws in
            let body = InquiryPaymentRequest(paymentRequestId: "p").body
            for seconds in [-3_600, 3_600] as [Int64] {
                let answer = try await gateway.send(
                    InquiryPaymentRequest.path, body, client: PlusHarness.client, key: gateway.keys.acquirer,
                    time: gateway.clock.now().alipayPlusTime.adding(seconds: seconds))
                #expect(try code(answer) == "PARAM_ILLEGAL")
                #expect(answer.text.contains("3600 s"))
            }
        }
    }

    @Test func theOtherSidesAPIIsDeniedAndAnUnknownOneIsNone() async throws {
        try await PlusHarness.open { gateway async throws in
            func call(_ api: String) async throws -> String {
                try code(
                    try await gateway.send(
                        AlipayPlusPath.base + api, Array("{}".utf8), client: PlusHarness.client, key: gateway.keys.acquirer))
            }
            #expect(try await call("codes/getPaymentCode") == "ACCESS_DENIED")
            #expect(try await call("payments/nothing") == "NO_INTERFACE_DEF")
            #expect(try await call("customs/declare") == "BUSINESS_NOT_SUPPORT")
            #expect(try await call("payments/inquiryPayment") == "PARAM_ILLEGAL")
        }
    }

    @Test func anotherMethodOrMediaTypeIsRefused() async throws {
        try await PlusHarness.open { gateway async throws in
            let got = try await gateway.http.execute(uri: PayRequest.path, method: .get, headers: [:], body: nil) { response in
                (Int(response.status.code), Array(response.body.readableBytesView))
            }
            #expect(got.0 == 200)
            #expect(try PlainAnswer(body: got.1).result.resultCode == "METHOD_NOT_SUPPORTED")
            let form = try await gateway.send(
                PayRequest.path, Array("a=b".utf8), client: PlusHarness.client, key: gateway.keys.acquirer,
                type: "application/x-www-form-urlencoded")
            #expect(try code(form) == "MEDIA_TYPE_NOT_ACCEPTABLE")
        }
    }

    @Test func aRequestThatBreaksARuleStoresNothing() async throws {
        try await PlusHarness.open { gateway async throws in
            var hostile = gateway.payRequest("p-1")
            hostile.paymentNotifyUrl = "http://10.0.0.1/notify"
            #expect(try await gateway.acquirer(hostile).result.resultCode == "PARAM_ILLEGAL")
            var point = gateway.payRequest("p-1")
            point.paymentAmount.value = "19.99"
            #expect(try await gateway.acquirer(point).result.resultCode == "PARAM_ILLEGAL")
            #expect(try await gateway.acquirer(gateway.payRequest("p-1", "1050", "IDR")).result.resultCode == "PARAM_ILLEGAL")
            // The id is free: nothing of the above was stored.
            #expect(try await gateway.acquirer(gateway.payRequest("p-1")).result.resultCode == "PAYMENT_IN_PROCESS")
        }
    }

    private static func wish(_ gateway: PlusHarness, _ client: String, _ id: String) -> [UInt8] {
        let key = StrictBase64.encode(gateway.keys.stranger.publicKey.subjectPublicKeyInfo)
        return Array(
            """
            {"clientId":"\(client)","acquirerId":"\(id)","name":"Other","keys":[{"version":1,"publicKey":"\(key)"}],
            "settlementCurrency":"SGD","agreementId":"AG-2","merchants":[{"id":"M","name":"M","mcc":"5411"}]}
            """.utf8)
    }

    @Test func aSandboxClientIDSaysSo() async throws {
        try await PlusHarness.open { gateway async throws in
            for (client, id, code) in [
                ("ACQUIRER2", "1022188000000002", AlipayPlusServerError.Code.malformedRequest),
                ("SANDBOX_2", PlusHarness.acquirerID, .identityTaken),
            ] {
                await #expect {
                    _ = try await gateway.server.onboarding.registerAcquirer(Self.wish(gateway, client, id))
                } throws: {
                    ($0 as? AlipayPlusServerError)?.code == code
                }
            }
        }
    }

    /// Documents show 19 digits, and letters among 18; nothing says that there are 16.
    @Test(arguments: [
        ("1022188000000000001", true), ("5Y00000ABCDEF00000", true), ("7", true), (String(repeating: "9", count: 64), true),
        (String(repeating: "9", count: 65), false), ("1022 188", false), ("１０２２", false), ("a/b", false),
    ])
    func anAcquirersIDHasUpTo64LettersAndDigits(id: String, isTaken: Bool) async throws {
        try await PlusHarness.open { gateway async throws in
            let wish = Self.wish(gateway, "SANDBOX_2", id)
            if isTaken {
                _ = try await gateway.server.onboarding.registerAcquirer(wish)
            } else {
                await #expect { _ = try await gateway.server.onboarding.registerAcquirer(wish) } throws: {
                    ($0 as? AlipayPlusServerError)?.code == .malformedRequest
                }
            }
        }
    }

    @Test func anAmountsZerosInFrontSayNothing() async throws {
        try await PlusHarness.open { gateway async throws in
            let wish = gateway.payRequest("p-1", "01999")
            #expect(try await gateway.acquirer(wish).result.resultCode == "PAYMENT_IN_PROCESS")
            let asked = try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "p-1"))
            #expect(try asked.paymentAmount?.amount().minorUnits == 1_999)
        }
    }

    /// Rates are held in memory, and seen at once by whom they were not published through.
    @Test(arguments: StoreEngine.available) func aRateHoldsFromItsInstantOn(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway in
            func price() async throws -> String? {
                try await gateway.wallet(.gcash, InquireQuoteRequest(sellCurrency: "USD", buyCurrency: "PHP")).quote?.quotePrice
            }
            // As another process of this installation would.
            let elsewhere = Quotes(database: gateway.store.database)
            let now = gateway.clock.now()
            #expect(try await price() == "58.710000")
            try await elsewhere.publish([.php: "60"], at: now.advanced(by: .seconds(60)))
            #expect(try await price() == "58.710000")
            try await elsewhere.publish([.php: "59"], at: now.advanced(by: .seconds(30)))
            gateway.clock.advance(by: .seconds(59))
            #expect(try await price() == "59.000000")
            gateway.clock.advance(by: .seconds(1))
            #expect(try await price() == "60.000000")
            // A dollar costs a dollar, whatever is published of it; and what holds is not published anew.
            try await elsewhere.publish([.usd: "2", .php: "61"], at: now.advanced(by: .seconds(60)))
            #expect(try await price() == "60.000000")
        }
    }

    /// So are parties: a key that was taken back, a contract and a wallet.
    @Test(arguments: StoreEngine.available) func aPartyIsWhatItWasMadeElsewhere(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway in
            func offered(_ id: String) async throws -> [String] {
                let answer = try await gateway.acquirer(gateway.payRequest(id))
                return try PaymentData(try #require(answer.paymentData, "\(answer.result)")).wallets.compactMap(\.brandName).sorted()
            }
            #expect(try await offered("p-1") == ["ALIPAY_HK", "DANA", "GCASH", "KAKAOPAY"])
            // As another process of this installation would.
            let elsewhere = PartyRegister(database: gateway.store.database)
            var acquirer = try #require(try await elsewhere.acquirer(MerchantID(PlusHarness.acquirerID)))
            var wallet = try #require(try await elsewhere.wallet("GCASH")).wallet
            acquirer.wallets = ["GCASH", "DANA"]
            wallet.brand = "GCash"
            let (contract, brand) = (acquirer, wallet)
            let now = gateway.clock.now()
            try await gateway.store.database.writeRepeatably { tx in
                try AlipayPlusPartyRecords.put(
                    try JSONDocument.encode(contract), clientID: contract.clientID, side: .acquirer, name: contract.id.description, at: now,
                    in: tx)
                try AlipayPlusPartyRecords.put(
                    try JSONDocument.encode(brand), clientID: brand.clientID, side: .wallet, name: brand.type, at: now, in: tx)
            }
            #expect(try await offered("p-2") == ["DANA", "GCash"])
            acquirer.keys = [PartyKey(version: 1, subjectPublicKeyInfo: gateway.keys.stranger.publicKey.subjectPublicKeyInfo)]
            let renewed = acquirer
            try await gateway.store.database.writeRepeatably { tx in
                try AlipayPlusPartyRecords.put(
                    try JSONDocument.encode(renewed), clientID: renewed.clientID, side: .acquirer, name: renewed.id.description, at: now,
                    in: tx)
            }
            let body = gateway.payRequest("p-3").body
            let old = try await gateway.send(PayRequest.path, body, client: PlusHarness.client, key: gateway.keys.acquirer)
            #expect(old.text.contains("INVALID_SIGNATURE"))
            let new = try await gateway.send(PayRequest.path, body, client: PlusHarness.client, key: gateway.keys.stranger)
            #expect(new.text.contains("PAYMENT_IN_PROCESS"), "\(new.text)")
        }
    }

    @Test func quotesAreTheSameForBothDirectionsOfAPair() async throws {
        try await PlusHarness.open { gateway async throws in
            let answer = try await gateway.wallet(.gcash, InquireQuoteRequest(sellCurrency: "USD", buyCurrency: "PHP"))
            #expect(answer.quote?.quoteCurrencyPair == "USD/PHP" && answer.quote?.quotePrice == "58.710000")
            let unknown = try await gateway.wallet(.gcash, InquireQuoteRequest(sellCurrency: "USD", buyCurrency: "CHF"))
            #expect(unknown.result.resultCode == "CURRENCY_NOT_SUPPORT")
        }
    }
}
