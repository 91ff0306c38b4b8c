import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import HTTPTypes
import Testing
import WalletServer

@testable import AlipayServer

/// The money path between gateway and wallet: whatever the wire does to a message, money moves once and both books say the same.
@Suite(.serialized) struct BothSidesTests {
    static let wireFaults: [LossyLink.Fault] = [.requestLost, .answerLost, .doubled, .late, .notSent]

    @Test(arguments: StoreEngine.available, wireFaults)
    func aPaymentSurvivesTheWire(_ engine: StoreEngine, _ fault: LossyLink.Fault) async throws {
        try await BothSides.open(engine) { sides in
            sides.toGateway.next("POST payments", fault)
            let paid = try await sides.pay("P_1")
            #expect(try await sides.wallet.balance() == WalletSide.customer.balance - 1_000)
            // The question about it is lost as well.
            sides.toGateway.next("GET payments", fault)
            try await sides.pass()
            #expect(try await sides.wallet.status(paid.token) == "9000")
            #expect(try await sides.status(paid.trade) == "TRADE_SUCCESS")
            try await sides.toGateway.arrive()
            try await sides.pass(2)
            #expect(try await sides.expectEqualBooks().map(\.amount.value) == ["10.00"])
        }
    }

    @Test(arguments: StoreEngine.available, wireFaults)
    func aRefundSurvivesTheWire(_ engine: StoreEngine, _ fault: LossyLink.Fault) async throws {
        try await BothSides.open(engine) { sides in
            let paid = try await sides.pay("R_1")
            sides.toWallet.next("POST refunds", fault, fault)
            #expect(try await sides.refund(paid.trade, "4.00", "r-1") == "10000")
            #expect(try await sides.refund(paid.trade, "1.50", "r-2") == "10000")
            try await sides.pass()
            try await sides.toWallet.arrive()
            try await sides.pass(2)
            #expect(try await sides.wallet.balance() == WalletSide.customer.balance - 450)
            #expect(try await sides.expectEqualBooks().map(\.amount.value).sorted() == ["1.50", "10.00", "4.00"])
        }
    }

    @Test(arguments: StoreEngine.available)
    func aPaymentThatWasGivenBackBeforeTheWalletHeardOfItIsSettled(_ engine: StoreEngine) async throws {
        try await BothSides.open(engine) { sides in
            sides.toGateway.next("POST payments", .answerLost)
            let paid = try await sides.pay("G_1")
            #expect(try await sides.refund(paid.trade, "10.00", "all") == "10000")
            #expect(try await sides.status(paid.trade) == "TRADE_CLOSED")
            try await sides.pass()
            #expect(try await sides.wallet.status(paid.token) == "9000")
            #expect(try await sides.wallet.balance() == WalletSide.customer.balance)
            #expect(try await sides.expectEqualBooks().count == 2)
        }
    }

    /// An answer that judges nothing is not a refusal, and not a reason to send anything new.
    @Test(
        arguments: [
            (401, "unauthorized"), (408, nil), (409, "request-id-reused"), (425, nil), (429, "rate-limited"), (500, "internal"), (502, nil),
            (503, "request-running"),
        ] as [(Int, String?)])
    func anAnswerThatJudgesNothingKeepsTheHold(_ status: Int, _ code: String?) async throws {
        try await BothSides.open { sides in
            sides.toGateway.all("POST payments", .answered(status, code))
            let paid = try await sides.pay("N_1")
            try await sides.pass(4, of: .seconds(70))
            #expect(try await sides.wallet.waiting() == 1)
            #expect(try await sides.wallet.status(paid.token) == "8000")
            sides.toGateway.heal()
            try await sides.pass(2)
            #expect(try await sides.wallet.status(paid.token) == "9000")
            #expect(try await sides.expectEqualBooks().map(\.amount.value) == ["10.00"])
        }
    }

    /// What the gateway does not even take is sent twice and then withdrawn: the customer has the money back, and no late copy is taken.
    @Test(arguments: [(400, "malformed-request"), (403, "forbidden"), (404, "not-found"), (413, "body-too-large"), (422, "unprocessable")])
    func aCopyThatIsNotTakenIsWithdrawnForGood(_ status: Int, _ code: String) async throws {
        try await BothSides.open { sides in
            sides.toGateway.next("POST payments", .answered(status, code), .late)
            let paid = try await sides.pay("W_1")
            sides.toGateway.all("POST payments", .answered(status, code))
            try await sides.pass(4)
            #expect(try await sides.wallet.status(paid.token) == "4000")
            #expect(try await sides.wallet.balance() == WalletSide.customer.balance)
            #expect(sides.toGateway.count("DELETE payments") == 1)
            sides.toGateway.heal()
            try await sides.toGateway.arrive()
            #expect(try await sides.status(paid.trade) == "WAIT_BUYER_PAY")
            #expect(try await sides.expectEqualBooks().isEmpty)
            // The customer may try again.
            let again = try await sides.pay("W_1")
            #expect(again.trade == paid.trade)
            #expect(try await sides.wallet.status(again.token) == "9000")
            #expect(try await sides.expectEqualBooks().map(\.amount.value) == ["10.00"])
        }
    }

    @Test func aDamagedCopyIsSentAgain() async throws {
        try await BothSides.open { sides in
            sides.toGateway.next("POST payments", .answered(400, "malformed-request"))
            let paid = try await sides.pay("D_1")
            try await sides.pass(2)
            #expect(try await sides.wallet.status(paid.token) == "9000")
            #expect(sides.toGateway.count("DELETE payments") == 0)
            #expect(try await sides.expectEqualBooks().map(\.amount.value) == ["10.00"])
        }
    }

    @Test(arguments: [LossyLink.Fault.requestLost, .answerLost, .doubled, .late])
    func aWithdrawalSurvivesTheWire(_ fault: LossyLink.Fault) async throws {
        try await BothSides.open { sides in
            sides.toGateway.all("POST payments", .requestLost)
            let paid = try await sides.pay("V_1")
            sides.toGateway.next("DELETE payments", fault)
            // Nothing arrives for longer than the wallet's patience.
            try await sides.pass(12)
            try await sides.toGateway.arrive()
            try await sides.pass(4)
            #expect(try await sides.wallet.status(paid.token) == "4000")
            #expect(try await sides.expectEqualBooks().isEmpty)
        }
    }

    /// The payment was taken a moment before it is withdrawn: it stays taken.
    @Test func aPaymentThatWasTakenIsNotWithdrawn() async throws {
        try await BothSides.open { sides in
            sides.toGateway.next("POST payments", .answered(400, "malformed-request"), .answerLost)
            let paid = try await sides.pay("T_1")
            // The gateway says that it never had it, and has it a moment later.
            sides.toGateway.next("GET payments", .answered(404, "payment-unknown"), .answered(404, "payment-unknown"))
            try await sides.pass(6)
            #expect(sides.toGateway.count("DELETE payments") == 1)
            #expect(try await sides.wallet.status(paid.token) == "9000")
            #expect(try await sides.expectEqualBooks().map(\.amount.value) == ["10.00"])
        }
    }

    @Test func aGatewayThatDoesNotJudgeLeavesTheHoldToAPerson() async throws {
        try await BothSides.open { sides in
            for kind in ["POST payments", "GET payments", "DELETE payments"] { sides.toGateway.all(kind, .answered(403, "forbidden")) }
            let paid = try await sides.pay("A_1")
            try await sides.pass(20)
            #expect(try await sides.wallet.waiting() == 1)
            let alarm = try #require(try await sides.wallet.alarms().first)
            #expect(alarm.kind == .unsettled && alarm.trade == paid.trade && alarm.note.contains("403 forbidden"))
            #expect(try await sides.wallet.status(paid.token) == "8000")
            // The operators mend the link: nothing was sent to the gateway, which says so.
            sides.toGateway.heal()
            try await sides.pass(4)
            #expect(try await sides.wallet.status(paid.token) == "4000")
            #expect(try await sides.wallet.alarms().isEmpty)
            #expect(try await sides.expectEqualBooks().isEmpty)
        }
    }

    /// Two persons agree with the gateway's operators.
    @Test func peopleSettleWhatTheGatewayDoesNotJudge() async throws {
        try await BothSides.open { sides in
            for kind in ["POST payments", "GET payments", "DELETE payments"] { sides.toGateway.all(kind, .answered(403, "forbidden")) }
            let (taken, refused) = (try await sides.pay("H_1"), try await sides.pay("H_2", amount: "2.50"))
            try await sides.pass(20)
            let alarms = try await sides.wallet.alarms()
            let first = try #require(alarms.first { $0.trade == taken.trade }?.id)
            let second = try #require(alarms.first { $0.trade == refused.trade }?.id)
            #expect(try await sides.wallet.settle(first, .captured))
            #expect(try await !sides.wallet.settle(first, .captured))
            #expect(try await sides.wallet.settle(second, .released))
            await #expect(throws: (any Error).self) { _ = try await sides.wallet.settle(second, .captured) }
            await #expect(throws: (any Error).self) { _ = try await sides.wallet.settle("no-payment", .captured) }
            #expect(try await sides.wallet.balance() == WalletSide.customer.balance - 1_000)
            #expect(try await sides.wallet.owed() == 1_000)
            #expect(try await sides.wallet.status(taken.token) == "8000")
            #expect(try await sides.wallet.status(refused.token) == "4000")
            #expect(try await sides.wallet.alarms().isEmpty)
            #expect(try await sides.wallet.waiting() == 0)
        }
    }

    /// The merchant has taken its MD5 key away: the result cannot be signed, and the money has moved all the same.
    @Test func aPaymentWhoseResultCannotBeSignedIsSettled() async throws {
        try await BothSides.open { sides in
            sides.toGateway.next("POST payments", .answerLost)
            let order = try await sides.gateway.legacyOrder("U_1", signer: AlipayMD5Signer(key: Secret(OrderGatewayHarness.md5)))
            let paid = try await sides.pay("U_1", order: order)
            let wish = try #require(try OrderGatewayHarness.merchants(sides.gateway.keys).first)
            let without = wish.replacing(#""md5":"\#(OrderGatewayHarness.md5)","#, with: "")
            _ = try await sides.gateway.server.onboarding.register(Array(without.utf8))
            try await sides.pass()
            #expect(try await sides.wallet.status(paid.token) == "8000")
            #expect(try await sides.expectEqualBooks().map(\.amount.value) == ["10.00"])
        }
    }

    @Test(arguments: StoreEngine.available) func aRefusedPaymentGivesTheHoldBack(_ engine: StoreEngine) async throws {
        try await BothSides.open(engine) { sides in
            let begun = try await sides.wallet.begin(try await sides.gateway.modernOrder("C_1"))
            _ = try await sides.gateway.modern("alipay.trade.close", #"{"trade_no":"\#(begun.trade)"}"#)
            sides.toGateway.next("POST payments", .late)
            try await sides.wallet.confirm(begun.token)
            try await sides.pass(3)
            #expect(try await sides.wallet.status(begun.token) == "4000")
            try await sides.toGateway.arrive()
            try await sides.pass(2)
            #expect(try await sides.expectEqualBooks().isEmpty)
        }
    }

    /// A wallet that was down for days finds the refund still offered.
    @Test func aRefundIsOfferedUntilTheWalletTakesIt() async throws {
        try await BothSides.open { sides in
            let paid = try await sides.pay("O_1")
            sides.toWallet.all("POST refunds", .notSent)
            #expect(try await sides.refund(paid.trade, "4.00", "r-1") == "10000")
            try await sides.pass(70, of: .seconds(3_600))
            #expect(sides.toWallet.count("POST refunds") > 60)
            sides.toWallet.heal()
            try await sides.pass(2, of: .seconds(3_600))
            #expect(try await sides.expectEqualBooks().count == 2)
        }
    }

    @Test(arguments: StoreEngine.available) func aWithdrawnRequestIsNeverTaken(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let begun = try await gateway.begin(try await gateway.modernOrder("X_1"))
            let withdrawn = try await gateway.link(.delete, "payments/w-1")
            #expect(withdrawn.status == 409 && withdrawn.errorCode == "withdrawn")
            #expect(try await gateway.link(.get, "payments/w-1").errorCode == "withdrawn")
            #expect(try await gateway.pay(begun.tradeNo, "10.00", request: "w-1").status == 409)
            #expect(try await gateway.balance(OrderGatewayHarness.domestic) == [:])
            let paid = try await gateway.pay(begun.tradeNo, "10.00", request: "w-2")
            #expect(paid.status == 200)
            #expect(try await gateway.link(.delete, "payments/w-2").bytes == paid.bytes)
            #expect(try await gateway.link(.delete, "payments/\(String(repeating: "x", count: 300))").status == 404)
            #expect(try await gateway.send(.delete, "/link/v1/payments/w-3", bearer: "wrong").status == 401)
        }
    }

    @Test(arguments: StoreEngine.available) func onlyOneOfPayAndWithdrawWins(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            for round in 0..<10 {
                let begun = try await gateway.begin(try await gateway.modernOrder("Y_\(round)"))
                async let paying = gateway.pay(begun.tradeNo, "10.00", request: "y-\(round)")
                async let withdrawing = gateway.link(.delete, "payments/y-\(round)")
                let answers = try await [paying, withdrawing]
                let last = try await gateway.link(.get, "payments/y-\(round)")
                for answer in answers where answer.status != 503 {
                    #expect(answer.status == last.status || answer.errorCode == "request-id-reused", "\(answer.body) \(last.body)")
                }
                // No payment stays whose request was decided otherwise.
                let trade = try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(begun.tradeNo)"}"#)
                #expect(trade["trade_status"]?.string == (last.status == 200 ? "TRADE_SUCCESS" : "WAIT_BUYER_PAY"))
            }
        }
    }

    /// What the gateway keeps of requests may be thrown away; what it keeps of trades is not.
    @Test func aPaymentIsKnownByItsTradeWhereItsRequestIsForgotten() async throws {
        try await OrderGatewayHarness.open { gateway in
            let begun = try await gateway.begin(try await gateway.modernOrder("Z_1"))
            #expect(try await gateway.pay(begun.tradeNo, "10.00", request: "z-1").status == 200)
            let later = gateway.clock.now().advanced(by: .seconds(1))
            _ = try await gateway.store.database.write { try IdempotencyRecords.forget(before: later, in: $0) }
            #expect(try await gateway.pay(begun.tradeNo, "10.00", request: "z-1").status == 200)
            #expect(try await gateway.balance(OrderGatewayHarness.domestic)["wallet:ALIPAY_CN CNY"] == "10.00")
        }
    }
}
