import AlipayPlus
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import Testing

@testable import AlipayPlusServer

/// What wallets have collected and the gateway's books have lost: no acquirer is told that it failed, and two persons have it taken back.
struct LostCollectionTests {
    private static let count = 20

    /// Two nodes, asynchronous. The standby is promoted while twenty wallets collect, and has none of the payments' rows.
    @Test(.enabled(if: PostgreSQLCluster.binaries != nil, "PostgreSQL is not installed"), .timeLimit(.minutes(3)))
    func aFailoverThatLosesCollectedPaymentsTellsNoneOfThemAsFailed() async throws {
        let pair = try PostgreSQLPair()
        let store = try await TestStore { try await pair.open() }
        try await PlusHarness.open(on: store) { gateway async throws in
            gateway.outside.answerPay(of: "c-9", .success)
            let asked = GetPaymentCodeRequest(customerId: "c-9", codeQuantity: Self.count / 2, env: WireEnv(terminalType: .app))
            var shown: [String] = []
            for _ in 0..<2 { shown += try #require(try await gateway.wallet(.gcash, asked).paymentCodes?.map(\.paymentCode)) }
            let codes = shown
            #expect(codes.count == Self.count)
            try pair.detach()
            let gate = Gate(Self.count) { try pair.failOver() }
            gateway.outside.whilePaying { await gate.pass() }
            let told = try await withThrowingTaskGroup(of: PayAnswer.self) { group in
                for (number, code) in codes.enumerated() {
                    group.addTask { try await gateway.acquirer(gateway.payRequest("p-\(number)", scenario: .paymentCode, code: code)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(await gate.problem == nil)
            #expect(told.map(\.result.resultStatus) == Array(repeating: .unknown, count: Self.count))
            #expect(gateway.outside.payments.values.map(\.state) == Array(repeating: .paid, count: Self.count))

            // Neither by our number nor by the acquirer's is anything denied.
            for answer in told {
                let inquiry = try await gateway.acquirer(InquiryPaymentRequest(paymentId: answer.paymentId))
                #expect(inquiry.result.resultStatus == .unknown, "\(inquiry.result)")
            }
            #expect(try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "p-0")).result.resultStatus == .unknown)

            // Wallets tell it again: heard, and one notice each.
            for number in gateway.outside.payments.keys { #expect(try await gateway.tell(.gcash, number).result.isSuccess) }
            let notices = try await gateway.server.notices.unmatchedNotices()
            #expect(notices.count == Self.count)
            #expect(notices.allSatisfy { $0.action == "acquiring-settle-notice" && $0.summary.contains("19.99 SGD") }, "\(notices)")

            let people = try await TwoPersons(settling: gateway.server.notices, in: gateway.store.database, clock: gateway.clock)
            for notice in notices { #expect(try await people.settle(notice, "take-back").state == .done) }
            try await gateway.work()
            #expect(gateway.outside.payments.values.map(\.state) == Array(repeating: .cancelled, count: Self.count))
            #expect(try await gateway.server.notices.unmatchedNotices().isEmpty)
            #expect(try await gateway.balance().isEmpty)
            // Nothing is open any more, and what the acquirer never had a number for is none.
            let unknown = try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "p-never"))
            #expect(unknown.result.resultCode == "ORDER_NOT_EXIST")
        }
        try await store.close()
    }

    @Test(arguments: StoreEngine.available)
    func aNoticeThatTheWalletDoesNotTakeBackIsOpenAgain(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            func tell(_ result: AlipayPlusResult) async throws -> String {
                let price = WireAmount(currency: "SGD", value: "1999")
                let payable = WireAmount(currency: "PHP", value: "87096")
                let notice = WalletNotifyPaymentRequest(
                    paymentResult: result, paymentRequestId: "019a9d2c8c0070008000000000000001", paymentId: "W-1", paymentAmount: price,
                    payToAmount: payable, customerId: "c-1")
                return try await gateway.wallet(.gcash, notice).result.resultCode
            }
            // What was not collected is nobody's money.
            #expect(try await tell(.processFail) == "ORDER_NOT_EXIST")
            for _ in 0..<2 { #expect(try await tell(.success) == "SUCCESS") }
            let notices = try await gateway.server.notices.unmatchedNotices()
            let notice = try #require(notices.first)
            #expect(notices.count == 1 && notice.ways.map(\.name) == ["take-back", "closed"])
            gateway.outside.answerCancel(.cancelWindowExceed)
            let people = try await TwoPersons(settling: gateway.server.notices, in: gateway.store.database, clock: gateway.clock)
            let done = try await people.settle(notice, "take-back")
            #expect(done.state == .done, "\(done.outcome ?? "")")
            try await gateway.work()
            let again = try #require(try await gateway.server.notices.unmatchedNotices().first)
            #expect(again.id == notice.id && again.note.contains("CANCEL_WINDOW_EXCEED"))
            #expect(try await people.settle(again, "closed").state == .done)
            #expect(try await gateway.server.notices.unmatchedNotices().isEmpty)
        }
    }
}
