import BillfoldPayments
import Testing

@testable import WalletServer

struct StateTests {
    @Test func moneyIsBookedWhenAHoldIsSettledAndNeverAgain() {
        #expect(HoldState.held.apply(.accepted) == .move(.captured, booking: .capture))
        #expect(HoldState.held.apply(.refused) == .move(.released, booking: .release))
        for (state, event) in [(HoldState.captured, HoldState.Event.accepted), (.released, .refused)] {
            #expect(state.apply(event) == .known)
        }
        for (state, event) in [(HoldState.captured, HoldState.Event.refused), (.released, .accepted)] {
            #expect(state.apply(event) == .contradiction)
        }
    }

    @Test func aSubmittedCheckoutIsEndedByItsResultAlone() {
        let table: [CheckoutState: [CheckoutState.Event: CheckoutState]] = [
            .open: [.submitted: .submitted, .settled: .ended, .closed: .ended], .submitted: [.settled: .ended], .ended: [:],
        ]
        for state in CheckoutState.allCases {
            for event in CheckoutState.Event.allCases { #expect(state.apply(event) == table[state]?[event], "\(state) \(event)") }
        }
    }

    @Test func everyEntryIsInBalance() {
        for posting in WalletPostings.allCases { #expect(posting.template(customer: "2088000000000017").isBalanced, "\(posting)") }
    }
}
