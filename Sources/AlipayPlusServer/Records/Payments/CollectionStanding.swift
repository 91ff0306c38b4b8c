package import BillfoldStorage

/// The part of a payment that its state machine decides by: values only.
package struct CollectionStanding: Sendable, Hashable, Codable {
    /// Where a payment stands for the acquirer.
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case processing
        /// Paid: a final success.
        case success
        /// Not paid, and never will be.
        case failed
        /// The acquirer cancelled it; it stays cancelled whatever a wallet says later (alipay-plus.md#cancelpayment [D]).
        case cancelled

        package var isFinal: Bool { self != .processing }
    }

    package var state: State
    /// Its time has ended; it fails as soon as the wallets have confirmed that nothing was collected.
    package var isClosing: Bool
    /// Why it failed: a documented result's code.
    package var failure: String?
    /// Minor units of the payment's currency.
    package var amount: Int64
    /// What goes or went back of it.
    package var refunded: Int64
    /// In the order in which the wallets came. The last is the one that the payer wants.
    package var legs: [CollectionLeg]

    /// So many wallets may be tried for one payment.
    package static let maximumLegs = 16

    package init(
        state: State = .processing, isClosing: Bool = false, failure: String? = nil, amount: Int64, refunded: Int64 = 0,
        legs: [CollectionLeg] = []
    ) {
        self.state = state
        self.isClosing = isClosing
        self.failure = failure
        self.amount = amount
        self.refunded = refunded
        self.legs = legs
    }

    package func leg(_ id: TimeOrderedID) -> CollectionLeg? { legs.first { $0.id == id } }
    /// The leg that was booked.
    package var paidLeg: CollectionLeg? { legs.first { $0.state == .paid } }

    /// What the event makes of the payment. Pure: no clock, no store, nothing random.
    package func apply(_ event: CollectionEvent) -> CollectionTransition {
        switch event {
        case .walletChosen(let id, let wallet): chosen(id, wallet)
        case .collected(let id): collected(id)
        case .refused(let id, let code): refused(id, code)
        case .legCancelled(let id): ended(id, as: .cancelled)
        case .cancelTooLate(let id): tooLate(id)
        case .legReturned(let id): ended(id, as: .returned)
        case .givenUp(let id): givenUp(id)
        case .retried(let id, let isGivingBack): retried(id, isGivingBack)
        case .expired: expired()
        case .cancelled(let inWindow): cancelled(inWindow)
        case .refundReserved(let part): refund(part)
        case .refundReleased(let part): release(part)
        }
    }

    // MARK: Wallets

    private func chosen(_ id: TimeOrderedID, _ wallet: String) -> CollectionTransition {
        guard state == .processing, !isClosing else { return refusal("ORDER_IS_CLOSED") }
        guard leg(id) == nil else { return unchanged }
        guard legs.count < Self.maximumLegs else { return refusal("PAYMENT_COUNT_EXCEED_LIMIT") }
        var change = Change(self)
        change.dropLegs()
        let isFree = !change.standing.legs.contains { $0.state.holdsOthers }
        change.standing.legs.append(CollectionLeg(id: id, wallet: wallet, state: isFree ? .requested : .waiting))
        if isFree { change.commands.append(.pay(id)) }
        return change.done
    }

    private func collected(_ id: TimeOrderedID) -> CollectionTransition {
        guard let leg = leg(id) else { return unchanged }
        var change = Change(self)
        switch leg.state {
        case .requested where state == .processing:
            change.set(id, .paid)
            change.standing.state = .success
            change.standing.isClosing = false
            change.money = .capture(leg: id)
            change.notifies = true
        // The cancel that is under way gives it back.
        case .cancelling, .paid, .returning, .returned, .stuck: return unchanged
        // Confirmed cancelled, refused, or never asked, and collected all the same: what nobody wants any more goes back.
        case .cancelled, .failed, .waiting, .requested:
            change.set(id, .returning)
            change.commands.append(.giveBack(id))
        }
        return change.done
    }

    private func refused(_ id: TimeOrderedID, _ code: String) -> CollectionTransition {
        guard let leg = leg(id) else { return unchanged }
        switch leg.state {
        case .requested:
            var change = Change(self)
            change.set(id, .failed)
            if state == .processing { change.fail(code) }
            return change.done
        // What was refused needs no cancelling.
        case .cancelling: return ended(id, as: .cancelled)
        default: return unchanged
        }
    }

    private func ended(_ id: TimeOrderedID, as end: CollectionLeg.State) -> CollectionTransition {
        guard let leg = leg(id) else { return unchanged }
        switch (leg.state, end) {
        case (.cancelling, _), (.returning, _), (.stuck, _): break
        // The wallet ended of itself what it was asked to collect.
        case (.requested, .cancelled): return refused(id, "PROCESS_FAIL")
        default: return unchanged
        }
        var change = Change(self)
        change.set(id, end)
        change.goOn()
        return change.done
    }

    private func tooLate(_ id: TimeOrderedID) -> CollectionTransition {
        guard leg(id)?.state == .cancelling else { return unchanged }
        var change = Change(self)
        change.set(id, .returning)
        change.commands.append(.giveBack(id))
        return change.done
    }

    private func givenUp(_ id: TimeOrderedID) -> CollectionTransition {
        guard let leg = leg(id), leg.state == .cancelling || leg.state == .returning else { return unchanged }
        var change = Change(self)
        change.set(id, .stuck)
        change.alarm = id
        return change.done
    }

    private func retried(_ id: TimeOrderedID, _ isGivingBack: Bool) -> CollectionTransition {
        guard leg(id)?.state == .stuck else { return unchanged }
        var change = Change(self)
        change.set(id, isGivingBack ? .returning : .cancelling)
        return change.done
    }

    // MARK: Time and acquirer

    private func expired() -> CollectionTransition {
        guard state == .processing, !isClosing else { return unchanged }
        var change = Change(self)
        change.standing.isClosing = true
        change.dropLegs()
        change.goOn()
        return change.done
    }

    private func cancelled(_ inWindow: Bool) -> CollectionTransition {
        switch state {
        case .cancelled, .failed: return unchanged
        case .processing, .success: break
        }
        guard inWindow else { return refusal("CANCEL_WINDOW_EXCEED") }
        // A cancel is of the whole amount; of what is refunded in part, the rest is refunded (alipay-plus.md#cancelpayment [D]).
        guard refunded == 0 else { return refusal("BUSINESS_NOT_SUPPORT") }
        var change = Change(self)
        if let paid = paidLeg {
            change.money = .reverse(leg: paid.id)
            change.set(paid.id, .cancelling)
            change.commands.append(.cancel(paid.id))
        }
        change.standing.state = .cancelled
        change.standing.isClosing = false
        change.dropLegs()
        return change.done
    }

    private func refund(_ part: Int64) -> CollectionTransition {
        switch state {
        case .processing: return refusal("PAYMENT_IN_PROCESS")
        case .failed, .cancelled: return refusal("ORDER_IS_CLOSED")
        case .success: break
        }
        guard part > 0, part <= amount - refunded else { return refusal("REFUND_AMOUNT_EXCEED") }
        var change = Change(self)
        change.standing.refunded += part
        return change.done
    }

    private func release(_ part: Int64) -> CollectionTransition {
        guard part > 0, part <= refunded else { return unchanged }
        var change = Change(self)
        change.standing.refunded -= part
        return change.done
    }

    private var unchanged: CollectionTransition { CollectionTransition(standing: self, disposition: .unchanged) }
    private func refusal(_ code: String) -> CollectionTransition {
        CollectionTransition(standing: self, disposition: .refused(code))
    }
}

extension CollectionStanding {
    /// What one event comes to, as it is put together.
    private struct Change {
        var standing: CollectionStanding
        var commands: [CollectionTransition.Command] = []
        var money: CollectionTransition.Money?
        var notifies = false
        var alarm: TimeOrderedID?

        init(_ standing: CollectionStanding) { self.standing = standing }

        mutating func set(_ id: TimeOrderedID, _ state: CollectionLeg.State) {
            guard let index = standing.legs.firstIndex(where: { $0.id == id }) else { return }
            standing.legs[index].state = state
        }

        mutating func fail(_ code: String) {
            standing.state = .failed
            standing.failure = standing.isClosing ? "ORDER_IS_CLOSED" : code
            standing.isClosing = false
            notifies = true
            dropLegs()
        }

        /// Takes back what wallets were asked for, and what they would have been asked for.
        mutating func dropLegs() {
            for leg in standing.legs {
                switch leg.state {
                case .requested:
                    set(leg.id, .cancelling)
                    commands.append(.cancel(leg.id))
                case .waiting: set(leg.id, .cancelled)
                default: break
                }
            }
        }

        /// Once no earlier wallet can collect any more, the one that waits is asked; or what is to be closed is closed.
        mutating func goOn() {
            guard standing.state == .processing, !standing.legs.contains(where: { $0.state.holdsOthers }) else { return }
            if standing.isClosing {
                fail("ORDER_IS_CLOSED")
            } else if let next = standing.legs.last(where: { $0.state == .waiting }) {
                set(next.id, .requested)
                commands.append(.pay(next.id))
            }
        }

        var done: CollectionTransition {
            CollectionTransition(
                standing: standing, disposition: .advanced, commands: commands, money: money, notifies: notifies, alarm: alarm)
        }
    }
}
