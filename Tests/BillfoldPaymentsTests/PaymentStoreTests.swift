import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing

@Suite struct PaymentStoreTests {
    @Test(arguments: StoreEngine.available)
    func storedPaymentReadsBack(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let begun = try await fixture.submitted()
            #expect(begun.state == .submitted)
            #expect(try await fixture.payment(begun.id) == begun)
            let settled = try await fixture.apply(.succeeded, to: begun).payment
            #expect(settled.state == .succeeded)
            #expect(try await fixture.payment(begun.id) == settled)
        }
    }

    /// What a caller has read may be out of date by the time it is used: then the row decides, not the caller's copy.
    @Test(arguments: StoreEngine.available)
    func eventAboutAnOldCopyIsAppliedToWhatIsStored(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (store, now, said) = (fixture.store, fixture.clock.now(), EventDetail(actor: "unionpay"))
            let begun = try await fixture.submitted()
            let accepted = try await fixture.apply(.accepted, to: begun).payment
            let applied = try await database.write { tx in try store.apply(.succeeded, to: begun, detail: said, at: now, in: tx) }
            #expect(applied.payment.state == .succeeded)
            #expect(applied.payment.version == accepted.version + 1)
            #expect(try await fixture.payment(begun.id) == applied.payment)
            // A refund does not fit the copy, and fits the row.
            let refunded = try await database.write { tx in
                try store.apply(.refunded(total: 100), to: accepted, detail: said, at: now, in: tx)
            }
            #expect(refunded.payment.state == .partlyRefunded)
            #expect(try await fixture.imbalances().isEmpty)
            // It takes hold of the order again however old the copy is.
            let failed = try await fixture.apply(.declined, to: fixture.submitted()).payment
            try await fixture.apply(.succeeded, to: failed)
            let again = try await database.write { tx in try store.apply(.succeeded, to: failed, detail: said, at: now, in: tx) }
            #expect(again.payment.state == .succeeded && again.alarms.isEmpty)
            let absent = try fixture.draft(for: await fixture.stored(fixture.order()))
            let error = await #expect(throws: PaymentsError.self) {
                _ = try await database.write { tx in try store.apply(.succeeded, to: absent, detail: said, at: now, in: tx) }
            }
            #expect(error?.code == .paymentNotFound)
        }
    }

    @Test(arguments: StoreEngine.available)
    func submittedPaymentOwesItsMessageAndItsQuery(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            let backlog = try await database.read { tx in try OutboxRecords.backlog(at: fixture.clock.now(), in: tx) }
            #expect(backlog.waiting == 1)
            let armed = try await database.read { tx in
                try DeadlineRecords.find(Deadline.paymentQuery, subject: payment.id, merchant: payment.merchant, in: tx)
            }
            #expect(armed?.dueAt == fixture.clock.now().advanced(by: .seconds(1)))
            try await fixture.apply(.succeeded, to: payment)
            let disarmed = try await database.read { tx in
                try DeadlineRecords.find(Deadline.paymentQuery, subject: payment.id, merchant: payment.merchant, in: tx)
            }
            #expect(disarmed == nil)
        }
    }

    @Test(arguments: StoreEngine.available, [[PaymentEvent](), [.accepted], [.unresolved], [.succeeded], [.declined, .succeeded]])
    func secondAttemptIsRefusedWhileTheFirstMayTakeMoney(engine: StoreEngine, events: [PaymentEvent]) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let order = try await fixture.stored(fixture.order())
            let first = try await fixture.begin(fixture.draft(for: order))
            for event in events { try await fixture.apply(event, to: first) }
            await #expect(throws: PaymentsError.self) { _ = try await fixture.begin(fixture.draft(for: order)) }
            let payments = try await database.read { tx in
                try PaymentRecords.find(order: order.id, merchant: order.merchant, in: tx)
            }
            #expect(payments.count == 1)
        }
    }

    @Test(arguments: StoreEngine.available, [[PaymentEvent.declined], [.unresolved, .declined], [.reversed], [.succeeded, .reversed]])
    func secondAttemptIsAllowedOnceTheFirstCannotTakeMoney(engine: StoreEngine, events: [PaymentEvent]) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let order = try await fixture.stored(fixture.order())
            let first = try await fixture.begin(fixture.draft(for: order))
            for event in events { try await fixture.apply(event, to: first) }
            let second = try await fixture.begin(fixture.draft(for: order))
            let stored = try await database.read { tx in try OrderRecords.find(order.id, merchant: order.merchant, in: tx) }
            #expect(stored?.livePayment == second.id)
            #expect(stored?.attempts == 2)
        }
    }

    @Test(arguments: StoreEngine.available)
    func lateSuccessOverridesFailureAndRaisesAnAlarm(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            try await fixture.apply(.declined, to: payment)
            let late = try await fixture.apply(.succeeded, to: payment)
            #expect(late.payment.state == .succeeded)
            #expect(late.payment.alarm == .contradiction)
            #expect(try await fixture.balance(.sales) == -3300)
            let alarms = try await database.read { tx in try PaymentRecords.withAlarms(merchant: payment.merchant, in: tx) }
            #expect(alarms.map(\.id) == [payment.id])
            let order = try await database.read { tx in try OrderRecords.find(payment.order, merchant: payment.merchant, in: tx) }
            #expect(order?.livePayment == payment.id)
        }
    }

    @Test(arguments: StoreEngine.available)
    func lateSuccessBesideALiveAttemptIsCalledPaidTwice(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let order = try await fixture.stored(fixture.order())
            let first = try await fixture.begin(fixture.draft(for: order))
            try await fixture.apply(.declined, to: first)
            let second = try await fixture.begin(fixture.draft(for: order))
            #expect(try await fixture.apply(.succeeded, to: first).payment.alarm == .paidTwice)
            // Neither the decline of the second nor anything else opens the order while the first holds the money.
            try await fixture.apply(.declined, to: second)
            await #expect { _ = try await fixture.begin(fixture.draft(for: order)) } throws: {
                ($0 as? PaymentsError)?.code == .attemptInProgress
            }
            let stored = try await database.read { tx in try OrderRecords.find(order.id, merchant: order.merchant, in: tx) }
            #expect(stored?.livePayment == first.id)
            try await fixture.apply(.reversed, to: first)
            _ = try await fixture.begin(fixture.draft(for: order))
        }
    }

    @Test(arguments: StoreEngine.available)
    func everyAlarmStaysUntilItIsCleared(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let order = try await fixture.stored(fixture.order())
            let first = try await fixture.begin(fixture.draft(for: order))
            try await fixture.apply(.declined, to: first)
            _ = try await fixture.begin(fixture.draft(for: order))
            let applied = try await fixture.apply(.succeeded, to: first, reason: "late")
            #expect(applied.alarms == [.contradiction, .paidTwice])
            let (now, links, merchant) = (fixture.clock.now(), fixture.store.audit, fixture.merchant)
            let clear: @Sendable (PaymentTransition.Alarm) async throws -> Bool = { kind in
                try await database.write { tx in
                    try AlarmRecords.clear(
                        kind, payment: first.id, merchant: merchant, by: "eve", reason: "seen", at: now, linking: links, in: tx)
                }
            }
            let open: @Sendable () async throws -> Set<PaymentTransition.Alarm> = {
                Set(try await database.read { tx in try AlarmRecords.open(merchant, in: tx).map(\.kind) })
            }
            #expect(try await open() == [.contradiction, .paidTwice])
            #expect(try await clear(.paidTwice))
            #expect(try await clear(.paidTwice) == false)
            #expect(try await open() == [.contradiction])
            #expect(try await fixture.payment(first.id)?.alarm == .contradiction)
            #expect(try await clear(.contradiction))
            #expect(try await fixture.payment(first.id)?.alarm == nil)
            let all = try await database.read { tx in try AlarmRecords.find(payment: first.id, merchant: merchant, in: tx) }
            #expect(all.count == 2)
            #expect(all.allSatisfy { $0.note == "late" && $0.clearedBy == "eve" })
            guard case .intact(let head) = try await fixture.auditVerdict("operators") else {
                Issue.record("the operators' chain is broken")
                return
            }
            #expect(head.sequence == 2)
        }
    }

    @Test(arguments: StoreEngine.available)
    func repeatedSuccessBooksOnceAndLeavesANote(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            for _ in 0..<3 { try await fixture.apply(.succeeded, to: payment) }
            #expect(try await fixture.balance(.sales) == -3300)
            #expect(try await fixture.balance(.receivable(from: "unionpay")) == 3300)
            #expect(try await fixture.imbalances().isEmpty)
            guard case .intact(let head) = try await fixture.auditVerdict(payment.auditChain) else {
                Issue.record("the chain is broken")
                return
            }
            #expect(head.sequence == 5)
        }
    }

    @Test(arguments: StoreEngine.available)
    func commandThatDoesNotFitStoresNothing(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            await #expect(throws: PaymentsError.self) { try await fixture.apply(.closed, to: payment) }
            #expect(try await fixture.payment(payment.id) == payment)
        }
    }

    @Test(arguments: StoreEngine.available)
    func orderPastItsExpiryTakesNoAttempt(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let order = try await fixture.stored(fixture.order())
            fixture.clock.advance(by: .seconds(900))
            await #expect { _ = try await fixture.begin(fixture.draft(for: order)) } throws: {
                ($0 as? PaymentsError)?.code == .orderClosed
            }
        }
    }

    @Test(arguments: StoreEngine.available)
    func closedOrderTakesNoAttempt(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let order = try await fixture.stored(fixture.order())
            #expect(try await database.write { tx in try OrderRecords.close(order.id, merchant: order.merchant, in: tx) })
            await #expect { _ = try await fixture.begin(fixture.draft(for: order)) } throws: {
                ($0 as? PaymentsError)?.code == .orderClosed
            }
        }
    }

    @Test(arguments: StoreEngine.available)
    func orderWithALiveAttemptCannotBeClosed(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            #expect(try await database.write { tx in try OrderRecords.close(payment.order, merchant: payment.merchant, in: tx) } == false)
        }
    }

    @Test(arguments: StoreEngine.available)
    func referenceIsTakenForEver(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            try await fixture.stored(fixture.order(reference: "A-1"))
            fixture.clock.advance(by: .seconds(10 * 365 * 86_400))
            await #expect { try await fixture.stored(fixture.order(reference: "A-1")) } throws: {
                ($0 as? PaymentsError)?.code == .referenceTaken
            }
        }
    }

    @Test(arguments: StoreEngine.available)
    func acquirerKeyIsTakenForEver(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let first = try await fixture.submitted()
            var draft = try await fixture.draft(for: fixture.stored(fixture.order()))
            draft.externalKey = first.externalKey
            let second = draft
            await #expect { _ = try await fixture.begin(second) } throws: { ($0 as? PaymentsError)?.code == .externalKeyTaken }
        }
    }

    /// What a transaction stored before it failed is gone with it: a crash between two steps leaves neither.
    @Test(arguments: StoreEngine.available)
    func failureAfterTheTransitionUndoesAllOfIt(engine: StoreEngine) async throws {
        struct Crash: Error {}
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            let (store, now) = (fixture.store, fixture.clock.now())
            await #expect(throws: Crash.self) {
                try await database.write { tx in
                    _ = try store.apply(
                        .succeeded, to: payment.id, merchant: payment.merchant, detail: EventDetail(actor: "unionpay"), at: now, in: tx)
                    throw Crash()
                }
            }
            #expect(try await fixture.payment(payment.id) == payment)
            #expect(try await fixture.balance(.sales) == 0)
            #expect(try await fixture.apply(.succeeded, to: payment).payment.state == .succeeded)
        }
    }

    /// Many writers, one payment, evidence in an order that the scheduler chooses.
    @Test(arguments: StoreEngine.available, 0..<6)
    func concurrentEvidenceEndsWhereThePureMachineEnds(engine: StoreEngine, seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var events: [PaymentEvent] = [.accepted, .unresolved, .succeeded, .succeeded, .accepted]
        if Bool.random(using: &generator) { events.append(.declined) }
        if Bool.random(using: &generator) { events.append(.reversed) }
        events.shuffle(using: &generator)
        let shuffled = events
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for event in shuffled { group.addTask { try await fixture.apply(event, to: payment) } }
                try await group.waitForAll()
            }
            let expected = shuffled.reduce(payment.standing) { $0.apply($1, books: fixture.store.books).standing }
            #expect(try await fixture.payment(payment.id)?.standing == expected, "seed \(seed)")
            #expect(try await fixture.imbalances().isEmpty)
            #expect(try await fixture.balance(.sales) == (expected.state == .reversed ? 0 : -3300), "seed \(seed)")
            guard case .intact = try await fixture.auditVerdict(payment.auditChain) else {
                Issue.record("the chain is broken, seed \(seed)")
                return
            }
        }
    }

    @Test(arguments: StoreEngine.available)
    func evidenceWithUnstorableWordingIsStored(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            let reason = "bad\u{0}\n" + String(repeating: "長", count: 2000)
            #expect(try await fixture.apply(.declined, to: payment, reason: reason).payment.reason?.hasPrefix("bad\n長") == true)
        }
    }
}
