import AlipayPlus
import AlipayPlusValues
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import Testing

@testable import AlipayPlusServer

/// Two acquirers at one gateway, of whom one is ahead of everybody.
struct OwnTimeTests {
    private static let other = (client: "SANDBOX_ACQUIRER2", id: "1022188000000002")

    @Test(arguments: StoreEngine.available) func aPaymentEndsByItsAcquirersTimeAlone(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine, spaces: MemorySpaces([PlusHarness.acquirerID])) { gateway in
            let clock = try #require(gateway.ownTime)
            let another = String(decoding: PlusHarness.registration(gateway.keys), as: UTF8.self)
                .replacing(PlusHarness.client, with: Self.other.client).replacing(PlusHarness.acquirerID, with: Self.other.id)
            _ = try await gateway.server.onboarding.registerAcquirer(Array(another.utf8))
            _ = try await gateway.begin("ours")
            let theirs = gateway.payRequest("theirs")
            _ = try await gateway.send(PayRequest.path, theirs.body, client: Self.other.client, key: gateway.keys.acquirer)
            let end = try await gateway.payment("ours").expiresAt
            let wait = Duration.microseconds(end.microseconds - gateway.clock.now().microseconds) + .seconds(60)
            try await clock.advance(PlusHarness.acquirerID, by: wait)
            try await gateway.work()
            #expect(try await gateway.payment("ours").state != .processing)
            let id = try MerchantID(Self.other.id)
            let left = try await gateway.store.database.read { try AcquirerPaymentRecords.find(requestID: "theirs", acquirer: id, in: $0) }
            #expect(left?.state == .processing)
            // The console says whose time it was.
            let rows = try await gateway.server.backOffice.overview(nil).payments
            let shown = try #require(rows.first { $0.requestID == "ours" })
            #expect(shown.space?.name == PlusHarness.acquirerID && shown.space?.ahead != nil)
            #expect(rows.contains { $0.requestID == "theirs" && $0.space == nil })
            // Messages are as fresh as everybody's clock says, and what is begun now is as long open as ever.
            try await gateway.paid("next")
        }
    }

    /// An expiry that lies behind by the clock that its acquirer moved is refused, whatever the real clock says.
    @Test func anExpiryIsComparedWithTheTimeThatItsAcquirerMoved() async throws {
        try await PlusHarness.open(
            .sqlite, spaces: MemorySpaces([PlusHarness.acquirerID]), change: { $0.clientsClock = HandClock() }
        ) { gateway in
            var request = gateway.payRequest("p-1")
            let start = gateway.clock.now().alipayPlusTime
            request.paymentExpiryTime = start.adding(seconds: 600)
            try await #require(gateway.ownTime).advance(PlusHarness.acquirerID, by: .seconds(3_600))
            let refused = try await gateway.acquirer(request).result
            #expect(refused.isFailure && refused.resultCode == "PARAM_ILLEGAL", "\(refused)")
            #expect(refused.resultMessage?.contains("lies behind: here it is") == true, "\(refused)")
            request.paymentExpiryTime = start.adding(seconds: 4_200)
            #expect(try await gateway.acquirer(request).result.resultCode == "PAYMENT_IN_PROCESS")
        }
    }
}
