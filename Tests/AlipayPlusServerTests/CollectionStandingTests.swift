import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import AlipayPlusServer

/// The pure state machine of payments and of the wallets that are tried for them.
struct CollectionStandingTests {
    private static func id(_ number: Int64) -> TimeOrderedID { TimeOrderedID(lowestAt: Timestamp(microseconds: number * 1_000_000)) }
    private let a = id(1)
    private let b = id(2)

    private func standing(_ events: [CollectionEvent], amount: Int64 = 1_000) -> CollectionStanding {
        events.reduce(CollectionStanding(amount: amount)) { $0.apply($1).standing }
    }

    @Test func aChosenWalletIsAskedToPay() {
        let done = CollectionStanding(amount: 1_000).apply(.walletChosen(leg: a, wallet: "GCASH"))
        #expect(done.commands == [.pay(a)])
        #expect(done.standing.state == .processing)
        #expect(!done.notifies)
    }

    @Test func whatTheWalletCollectedIsBookedAndTold() {
        let done = standing([.walletChosen(leg: a, wallet: "GCASH")]).apply(.collected(leg: a))
        #expect(done.standing.state == .success)
        #expect(done.money == .capture(leg: a))
        #expect(done.notifies)
        #expect(done.standing.apply(.collected(leg: a)).disposition == .unchanged)
    }

    @Test func aRefusalOfTheOnlyWalletFailsThePayment() {
        let done = standing([.walletChosen(leg: a, wallet: "GCASH")]).apply(.refused(leg: a, code: "USER_BALANCE_NOT_ENOUGH"))
        #expect(done.standing.state == .failed)
        #expect(done.standing.failure == "USER_BALANCE_NOT_ENOUGH")
        #expect(done.notifies)
        #expect(done.money == nil)
    }

    @Test func aSecondWalletWaitsUntilTheFirstHasConfirmedItsCancel() {
        let taken = standing([.walletChosen(leg: a, wallet: "GCASH")]).apply(.walletChosen(leg: b, wallet: "DANA"))
        #expect(taken.commands == [.cancel(a)])
        #expect(taken.standing.leg(b)?.state == .waiting)
        let freed = taken.standing.apply(.legCancelled(leg: a))
        #expect(freed.commands == [.pay(b)])
        #expect(freed.standing.apply(.collected(leg: b)).standing.state == .success)
    }

    @Test func aSuccessWhileTheCancelIsUnderWayIsNotBooked() {
        let taken = standing([.walletChosen(leg: a, wallet: "GCASH"), .walletChosen(leg: b, wallet: "DANA")])
        let late = taken.apply(.collected(leg: a))
        #expect(late.disposition == .unchanged)
        #expect(late.standing.state == .processing)
    }

    @Test func aSuccessAfterAConfirmedCancelIsGivenBack() {
        let taken = standing([.walletChosen(leg: a, wallet: "GCASH"), .walletChosen(leg: b, wallet: "DANA"), .legCancelled(leg: a)])
        let late = taken.apply(.collected(leg: a))
        #expect(late.commands == [.giveBack(a)])
        #expect(late.money == nil)
        #expect(!late.notifies)
        #expect(late.standing.apply(.legReturned(leg: a)).standing.leg(a)?.state == .returned)
    }

    @Test func whatCanNeitherBeCancelledNorRefundedRaisesAnAlarm() {
        let taken = standing([.walletChosen(leg: a, wallet: "GCASH"), .walletChosen(leg: b, wallet: "DANA")])
        let tooLate = taken.apply(.cancelTooLate(leg: a))
        #expect(tooLate.commands == [.giveBack(a)])
        let stuck = tooLate.standing.apply(.givenUp(leg: a))
        #expect(stuck.alarm == a)
        #expect(stuck.standing.leg(b)?.state == .waiting, "the other wallet must not collect as long as the first may have")
    }

    @Test func timeAloneFailsAPaymentThatNobodyWasAskedFor() {
        let done = CollectionStanding(amount: 1_000).apply(.expired)
        #expect(done.standing.state == .failed)
        #expect(done.standing.failure == "ORDER_IS_CLOSED")
        #expect(done.notifies)
    }

    @Test func timeDoesNotFailWhatAWalletMayHaveCollected() {
        let closing = standing([.walletChosen(leg: a, wallet: "GCASH")]).apply(.expired)
        #expect(closing.standing.state == .processing)
        #expect(closing.commands == [.cancel(a)])
        #expect(!closing.notifies)
        #expect(closing.standing.apply(.walletChosen(leg: b, wallet: "DANA")).disposition == .refused("ORDER_IS_CLOSED"))
        let closed = closing.standing.apply(.legCancelled(leg: a))
        #expect(closed.standing.state == .failed)
        #expect(closed.notifies)
    }

    @Test func aCancelStaysWhateverTheWalletSaysLater() {
        let cancelled = standing([.walletChosen(leg: a, wallet: "GCASH")]).apply(.cancelled(inWindow: true))
        #expect(cancelled.standing.state == .cancelled)
        #expect(cancelled.commands == [.cancel(a)])
        #expect(!cancelled.notifies)
        let late = cancelled.standing.apply(.collected(leg: a)).standing.apply(.legCancelled(leg: a)).standing
        #expect(late.state == .cancelled)
        #expect(late.apply(.collected(leg: a)).commands == [.giveBack(a)])
    }

    @Test func aPaidPaymentIsCancelledWholeInItsWindowOnly() {
        let paid = standing([.walletChosen(leg: a, wallet: "GCASH"), .collected(leg: a)])
        #expect(paid.apply(.cancelled(inWindow: false)).disposition == .refused("CANCEL_WINDOW_EXCEED"))
        let done = paid.apply(.cancelled(inWindow: true))
        #expect(done.money == .reverse(leg: a))
        #expect(done.commands == [.cancel(a)])
        let refunded = paid.apply(.refundReserved(1)).standing
        #expect(refunded.apply(.cancelled(inWindow: true)).disposition == .refused("BUSINESS_NOT_SUPPORT"))
    }

    @Test func refundsCumulateUpToTheAmount() {
        let paid = standing([.walletChosen(leg: a, wallet: "GCASH"), .collected(leg: a), .refundReserved(600)])
        #expect(paid.apply(.refundReserved(401)).disposition == .refused("REFUND_AMOUNT_EXCEED"))
        #expect(paid.apply(.refundReserved(400)).disposition == .advanced)
        #expect(paid.apply(.refundReleased(600)).standing.refunded == 0)
        #expect(standing([]).apply(.refundReserved(1)).disposition == .refused("PAYMENT_IN_PROCESS"))
    }

    /// Events in any order, repeated and late: at most one capture and one reversal, a capture before it, no final state left again except
    /// a success that is cancelled, never more refunded than paid, and no wallet asked while another may still collect.
    @Test func noOrderOfEventsBooksTwice() {
        var generator = SeededGenerator(seed: StoreEngine.seed, label: "standings")
        for _ in 0..<4_000 {
            var now = CollectionStanding(amount: 100)
            var (captures, reversals, told) = (0, 0, 0)
            for _ in 0..<30 {
                let leg = Self.id(Int64.random(in: 1...4, using: &generator))
                let event: CollectionEvent =
                    switch Int.random(in: 0..<12, using: &generator) {
                    case 0, 1, 2: .walletChosen(leg: leg, wallet: "W")
                    case 3, 4: .collected(leg: leg)
                    case 5: .refused(leg: leg, code: "PROCESS_FAIL")
                    case 6, 7: .legCancelled(leg: leg)
                    case 8: .cancelTooLate(leg: leg)
                    case 9: .legReturned(leg: leg)
                    case 10: Bool.random(using: &generator) ? .expired : .cancelled(inWindow: true)
                    default: .refundReserved(Int64.random(in: 1...60, using: &generator))
                    }
                let before = now
                let done = now.apply(event)
                now = done.standing
                if case .capture? = done.money { captures += 1 }
                if case .reverse? = done.money { reversals += 1 }
                if done.notifies { told += 1 }
                #expect(!before.state.isFinal || now.state == before.state || (before.state == .success && now.state == .cancelled))
                #expect(now.refunded <= 100)
                for case .pay(let id) in done.commands {
                    #expect(now.legs.allSatisfy { $0.id == id || !$0.state.holdsOthers })
                }
                #expect(now.legs.filter { $0.state == .paid }.count <= 1)
            }
            #expect(captures <= 1 && reversals <= captures && told <= 1)
        }
    }
}
