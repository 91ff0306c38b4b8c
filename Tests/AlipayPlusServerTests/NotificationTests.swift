import AlipayPlus
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import BillfoldWeb
import Synchronization
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

    /// What came of one notification: its state, and why its first attempt did not count.
    private static func told(
        _ how: PlusOutside.Acknowledgement, registered more: String = ""
    ) async throws -> (state: DeliveryRecords.State, attempt: DeliveryRecords.Attempt) {
        let told = Mutex<(DeliveryRecords.State, DeliveryRecords.Attempt)?>(nil)
        try await PlusHarness.open { gateway async throws in
            _ = try await gateway.server.onboarding.registerAcquirer(PlusHarness.registration(gateway.keys, more: more))
            gateway.outside.acknowledge(how)
            let payment = try await gateway.paid("p-1")
            try await gateway.work()
            let row = try #require(try await gateway.notifications(of: payment).first)
            let attempts = try await gateway.store.database.read {
                try NotificationRecords.deliveries.attempts(of: row.id, owner: payment.acquirer, in: $0)
            }
            let first = try #require(attempts.first)
            told.withLock { $0 = (row.state, first) }
        }
        return try #require(told.withLock { $0 })
    }

    @Test(arguments: [
        (PlusOutside.Acknowledgement.signed, DeliveryRecords.Reason?.none), (.unsigned, .unsigned), (.forged, .badSignature),
        (.refused, .refused), (.otherShape, .wrongAnswer), (.page, .wrongStatus),
    ])
    func everyAnswerThatDoesNotCountSaysWhy(_ how: PlusOutside.Acknowledgement, _ reason: DeliveryRecords.Reason?) async throws {
        let (state, attempt) = try await Self.told(how)
        #expect(state == (reason == nil ? .settled : .waiting))
        #expect(attempt.reason == reason && attempt.note.isEmpty == (reason == nil), "\(attempt.note)")
        #expect(attempt.took != nil && attempt.status == (how == .page ? 419 : 200))
        if how == .unsigned { #expect(attempt.note.hasPrefix("right answer, but unsigned")) }
    }

    @Test(arguments: [
        (PlusOutside.Acknowledgement.page, "somebody in front of the receiver"), (.loginPage, "it is a page"),
        (.redirection, "redirections are not followed"), (.noContent, "the status is 204: 200 is due"),
        (.word, "the word that another protocol asks for"), (.marked, "a byte order mark"), (.smallLetters, "malformed-field"),
        (.requestsTime, "the reply's signature does not count"),
    ])
    func anAnswerThatReceiversWereSeenToGiveIsKnownForWhatItIs(_ how: PlusOutside.Acknowledgement, _ said: String) async throws {
        for registered in ["", #","acknowledgement":"unsigned""#] {
            let (state, attempt) = try await Self.told(how, registered: registered)
            #expect(state == .waiting && attempt.note.contains(said), "\(attempt.note)")
        }
    }

    @Test(arguments: [PlusOutside.Acknowledgement.capitals, .more, .lineEnd])
    func whatIsUnusualAndRightSettles(_ how: PlusOutside.Acknowledgement) async throws {
        let (state, attempt) = try await Self.told(how)
        #expect(state == .settled && attempt.reason == nil, "\(attempt.note)")
    }

    /// Documents differ on it: the acquirer's registration names the rule.
    @Test(arguments: [
        (PlusOutside.Acknowledgement.unsigned, DeliveryRecords.Reason?.none), (.signed, nil), (.forged, .badSignature),
        (.otherShape, .wrongAnswer),
    ])
    func anAcquirerMayBeRegisteredForUnsignedAcknowledgements(
        _ how: PlusOutside.Acknowledgement, _ reason: DeliveryRecords.Reason?
    ) async throws {
        let (state, attempt) = try await Self.told(how, registered: #","acknowledgement":"unsigned""#)
        #expect(state == (reason == nil ? .settled : .waiting) && attempt.reason == reason, "\(attempt.note)")
    }

    @Test func aRuleThatThereIsNotIsRefused() async throws {
        try await PlusHarness.open { gateway async throws in
            await #expect(throws: AlipayPlusServerError.self) {
                try await gateway.server.onboarding.registerAcquirer(
                    PlusHarness.registration(gateway.keys, more: #","acknowledgement":"sometimes""#))
            }
        }
    }

    @Test func theConsoleShowsWhyAndWhenNext() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.acknowledge(.unsigned)
            let payment = try await gateway.paid("p-1")
            try await gateway.work()
            let view = try #require(try await gateway.server.backOffice.payment(payment.paymentID))
            let told = try #require(view.notifications.first)
            #expect(told.attempts.map(\.reason) == ["unsigned"] && told.attempts.first?.took == "0 ms")
            #expect(told.nextAttempt != nil)
            gateway.outside.acknowledge(.signed)
            gateway.clock.advance(by: .seconds(3_600))
            try await gateway.work()
            let later = try #require(try await gateway.server.backOffice.payment(payment.paymentID)?.notifications.first)
            #expect(later.attempts.map(\.reason) == ["unsigned", ""] && later.nextAttempt == nil)
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
