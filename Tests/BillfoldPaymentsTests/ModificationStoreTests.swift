import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing

@Suite struct ModificationStoreTests {
    private func expectRefusal(
        _ code: PaymentsError.Code, _ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) { try await body() } throws: { ($0 as? PaymentsError)?.code == code }
    }

    @Test(arguments: StoreEngine.available)
    func refundsInPartsAddUpToTheCapture(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.paid()
            let first = try await fixture.begin(.refund, of: payment, minorUnits: 1000)
            try await fixture.apply(.succeeded, to: first)
            #expect(try await fixture.payment(payment.id)?.state == .partlyRefunded)
            let second = try await fixture.begin(.refund, of: payment, minorUnits: 2300)
            try await fixture.apply(.accepted, to: second)
            try await fixture.apply(.succeeded, to: second)
            try await fixture.apply(.succeeded, to: second)
            #expect(try await fixture.payment(payment.id)?.state == .refunded)
            #expect(try await fixture.balance(.receivable(from: "unionpay")) == 0)
            #expect(try await fixture.balance(.refunds) == 3300)
            #expect(try await fixture.imbalances().isEmpty)
            await expectRefusal(.wrongState) { _ = try await fixture.begin(.refund, of: payment, minorUnits: 1) }
        }
    }

    @Test(arguments: StoreEngine.available)
    func refundUnderWayCountsAgainstTheCapture(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.paid()
            _ = try await fixture.begin(.refund, of: payment, minorUnits: 3000)
            await expectRefusal(.exceedsCaptured) { _ = try await fixture.begin(.refund, of: payment, minorUnits: 301) }
            _ = try await fixture.begin(.refund, of: payment, minorUnits: 300)
        }
    }

    @Test(arguments: StoreEngine.available)
    func concurrentRefundsNeverExceedTheCapture(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.paid()
            let granted = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { (try? await fixture.begin(.refund, of: payment, minorUnits: 400)) == nil ? 0 : 1 }
                }
                return await group.reduce(0, +)
            }
            #expect(granted == 8)
            #expect(try await fixture.payment(payment.id)?.reserved == 3200)
        }
    }

    @Test(arguments: StoreEngine.available)
    func failedRefundGivesTheMoneyFree(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.paid()
            let refund = try await fixture.begin(.refund, of: payment, minorUnits: 3300)
            try await fixture.apply(.unresolved, to: refund)
            await expectRefusal(.exceedsCaptured) { _ = try await fixture.begin(.refund, of: payment, minorUnits: 1) }
            try await fixture.apply(.declined, to: refund)
            #expect(try await fixture.payment(payment.id)?.reserved == 0)
            _ = try await fixture.begin(.refund, of: payment, minorUnits: 3300)
        }
    }

    @Test(arguments: StoreEngine.available)
    func lateSuccessOfAFailedRefundIsBooked(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.paid()
            let refund = try await fixture.begin(.refund, of: payment, minorUnits: 1000)
            try await fixture.apply(.declined, to: refund)
            #expect(try await fixture.apply(.succeeded, to: refund).state == .succeeded)
            let after = try await fixture.payment(payment.id)
            #expect(after?.state == .partlyRefunded)
            #expect(after?.reserved == 1000)
            #expect(try await fixture.balance(.refunds) == 1000)
        }
    }

    @Test(arguments: StoreEngine.available)
    func voidUndoesTheWholePaymentOnce(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.paid()
            await expectRefusal(.invalidAmount) { _ = try await fixture.begin(.void, of: payment, minorUnits: 3299) }
            let void = try await fixture.begin(.void, of: payment, minorUnits: 3300)
            await expectRefusal(.wrongState) { _ = try await fixture.begin(.void, of: payment, minorUnits: 3300) }
            await expectRefusal(.exceedsCaptured) { _ = try await fixture.begin(.refund, of: payment, minorUnits: 1) }
            try await fixture.apply(.succeeded, to: void)
            #expect(try await fixture.payment(payment.id)?.state == .reversed)
            #expect(try await fixture.balance(.sales) == 0)
        }
    }

    @Test(arguments: StoreEngine.available)
    func voidBesideARefundIsRefused(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.paid()
            _ = try await fixture.begin(.refund, of: payment, minorUnits: 1)
            await expectRefusal(.wrongState) { _ = try await fixture.begin(.void, of: payment, minorUnits: 3300) }
        }
    }

    @Test(arguments: StoreEngine.available)
    func reversalUndoesAPaymentWhoseOutcomeIsUnknown(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            try await fixture.apply(.unresolved, to: payment)
            let reversal = try await fixture.begin(.reversal, of: payment, minorUnits: 3300)
            try await fixture.apply(.succeeded, to: reversal)
            #expect(try await fixture.payment(payment.id)?.state == .reversed)
            // The notification of the payment that was undone arrives late: both are booked, nothing is left.
            try await fixture.apply(.succeeded, to: payment)
            #expect(try await fixture.payment(payment.id)?.state == .reversed)
            #expect(try await fixture.balance(.sales) == 0)
        }
    }

    static let misfits: [(Modification.Kind, [PaymentEvent])] = [
        (.refund, []), (.refund, [.accepted]), (.refund, [.unresolved]), (.refund, [.declined]), (.refund, [.reversed]),
        (.void, []), (.void, [.unresolved]), (.void, [.declined]), (.void, [.reversed]),
        (.reversal, [.succeeded]), (.reversal, [.declined]), (.reversal, [.reversed]),
    ]

    @Test(arguments: StoreEngine.available, misfits.indices)
    func modificationThatDoesNotFitThePaymentIsRefused(engine: StoreEngine, index: Int) async throws {
        let (kind, events) = Self.misfits[index]
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            for event in events { try await fixture.apply(event, to: payment) }
            await expectRefusal(.wrongState) { _ = try await fixture.begin(kind, of: payment, minorUnits: 3300) }
            #expect(try await fixture.payment(payment.id)?.reserved == 0)
        }
    }

    @Test(arguments: StoreEngine.available, [0, -1] as [Int64])
    func refundOfNothingIsRefused(engine: StoreEngine, minorUnits: Int64) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.paid()
            await expectRefusal(.invalidAmount) { _ = try await fixture.begin(.refund, of: payment, minorUnits: minorUnits) }
        }
    }
}
