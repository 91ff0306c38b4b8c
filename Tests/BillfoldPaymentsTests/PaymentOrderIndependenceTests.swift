import BillfoldPayments
import BillfoldTestSupport
import Testing

/// Evidence arrives in any order and any number of times; the payment ends in the same state with the same books.
@Suite struct PaymentOrderIndependenceTests {
    let books = PaymentBooks(acquirer: "unionpay")

    /// Balances by account after a sequence, and the standing.
    private func run(_ events: [PaymentEvent]) throws -> (PaymentStanding, [String: Int64]) {
        var standing = PaymentStanding(amount: 1000, evidence: [.authorised, .submitted])
        var balances: [String: Int64] = [:]
        for event in events {
            let transition = standing.apply(event, books: books)
            #expect(transition.disposition != .refused)
            standing = transition.standing
            for entry in transition.postings {
                for leg in try entry.template.filled(amount: entry.amount) { balances[leg.account.name, default: 0] += leg.amount }
            }
            #expect(balances.values.reduce(0, +) == 0)
        }
        return (standing, balances)
    }

    /// The store refuses to ask for a void beside a refund, and yet both may be confirmed: a decline is no promise.
    private func evidence(_ generator: inout SeededGenerator) -> [PaymentEvent] {
        var events = [PaymentEvent.accepted, .unresolved, .declined, .succeeded].filter { _ in Bool.random(using: &generator) }
        if Bool.random(using: &generator) { events.append(.reversed) }
        var total: Int64 = 0
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            total += Int64.random(in: 1...333, using: &generator)
            events.append(.refunded(total: total))
        }
        return events
    }

    @Test(arguments: 0..<400)
    func shuffledAndRepeatedEvidenceEndsInTheSameState(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let legal = evidence(&generator)
        let expected = try run(legal)
        for _ in 0..<20 {
            var noisy = legal
            for event in legal where Bool.random(using: &generator) { noisy.append(event) }
            noisy.shuffle(using: &generator)
            let outcome = try run(noisy)
            #expect(outcome.0 == expected.0, "seed \(seed): \(noisy)")
            #expect(outcome.1.filter { $0.value != 0 } == expected.1.filter { $0.value != 0 }, "seed \(seed): \(noisy)")
        }
    }

    @Test(arguments: 0..<200)
    func withoutADeclineNothingFails(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 77)
        let events = evidence(&generator).filter { $0 != .declined }
        #expect(try run(events).0.state != .failed, "seed \(seed)")
    }

    @Test func successIsNeverLost() throws {
        for events in [[PaymentEvent.declined, .succeeded], [.succeeded, .declined]] {
            let (standing, balances) = try run(events)
            #expect(standing.state == .succeeded)
            #expect(standing.isContradicted)
            #expect(balances["receivable:unionpay"] == 1000)
        }
    }
}
