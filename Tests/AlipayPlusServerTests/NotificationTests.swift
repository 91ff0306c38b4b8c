import AlipayPlus
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Testing

@testable import AlipayPlusServer

/// What acquirers are told, until they acknowledge it.
struct NotificationTests {
    @Test func anUnacknowledgedNotificationIsRepeatedBySchedule() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.acknowledge(false)
            let payment = try await gateway.paid("p-1")
            try await gateway.work()
            #expect(gateway.outside.told.count == 1)
            var expected = 1
            for wait in NotificationComposer.waits {
                gateway.clock.advance(by: wait + .seconds(-1))
                try await gateway.work()
                #expect(gateway.outside.told.count == expected)
                gateway.clock.advance(by: .seconds(1))
                try await gateway.work()
                expected += 1
                #expect(gateway.outside.told.count == expected)
            }
            #expect(try await gateway.notifications(of: payment).map(\.state) == [.parked])
            #expect(Set(gateway.outside.told.map(\.message)).count == 1, "every attempt says the same")
        }
    }

    @Test func aSignedSuccessSettlesANotification() async throws {
        try await PlusHarness.open { gateway async throws in
            let payment = try await gateway.paid("p-1")
            try await gateway.work()
            #expect(try await gateway.notifications(of: payment).map(\.state) == [.settled])
            let id = try #require(try await gateway.notifications(of: payment).first?.id)
            let attempts = try await gateway.store.database.read {
                try NotificationRecords.deliveries.attempts(of: id, owner: payment.acquirer, in: $0)
            }
            #expect(attempts.map(\.status) == [200])
        }
    }

    @Test func noTraceShowsAPaymentCode() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-9", .success)
            let codes = try await gateway.wallet(.gcash, GetPaymentCodeRequest(customerId: "c-9", env: WireEnv(terminalType: .app)))
            let code = try #require(codes.paymentCodes?.first?.paymentCode)
            _ = try await gateway.acquirer(gateway.payRequest("p-1", scenario: .paymentCode, code: code))
            let told = gateway.recorder.entries.flatMap {
                $0.fields.map(\.value) + Array($0.correlation.values) + [$0.title, $0.problem ?? ""]
            }
            #expect(!told.isEmpty && told.allSatisfy { !$0.contains(code) })
        }
    }
}
