import BillfoldServer
import BillfoldTestSupport
import Testing

@testable import ProvisioningServer

struct TokenStateTests {
    private static func snapshot(_ sequence: Int64, _ state: TokenState, _ by: Suspender...) -> TokenSnapshot {
        TokenSnapshot(sequence: sequence, state: state, suspendedBy: Set(by))
    }

    private static func end(of told: [TokenSnapshot]) -> TokenSnapshot? {
        told.reduce(nil as TokenSnapshot?) { TokenTransition(taking: $1, after: $0).snapshot }
    }

    @Test func effectsSayWhatWasNews() {
        let active = Self.snapshot(2, .active)
        func effect(_ told: TokenSnapshot, _ known: TokenSnapshot?) -> TokenTransition.Effect {
            TokenTransition(taking: told, after: known).effect
        }
        #expect(effect(active, nil) == .appeared)
        #expect(effect(active, active) == .stale)
        #expect(effect(Self.snapshot(1, .inactive), active) == .stale)
        #expect(effect(Self.snapshot(3, .active), active) == .confirmed)
        #expect(effect(Self.snapshot(3, .suspended, .issuer), active) == .moved)
        #expect(effect(Self.snapshot(3, .suspended, .issuer, .cardholder), Self.snapshot(2, .suspended, .issuer)) == .moved)
        #expect(effect(Self.snapshot(9, .active), Self.snapshot(3, .deleted)) == .contradictsDeletion)
        #expect(effect(Self.snapshot(1, .active), Self.snapshot(3, .deleted)) == .stale)
        #expect(effect(Self.snapshot(1, .deleted), Self.snapshot(3, .active)) == .moved, "deletion is final, however late it is heard of")
    }

    /// Whatever the order and however often each is told: the end is the same.
    @Test(arguments: 0..<40)
    func orderAndRepetitionDoNotMatter(_ run: UInt64) throws {
        var generator = SeededGenerator(seed: StoreEngine.seed &+ run, label: "states")
        let suspenders: [Suspender] = [.issuer, .cardholder, .tokenRequestor, .mobilePINLocked]
        let story = (1...Int64.random(in: 2...9, using: &generator)).map { sequence -> TokenSnapshot in
            // Now and then two stories have one number, as only a faulty network tells them.
            let number = Bool.random(using: &generator) ? sequence : max(1, sequence - 1)
            switch UInt8.random(in: 0..<8, using: &generator) {
            case 0: return TokenSnapshot(sequence: number, state: .deleted)
            case 1, 2, 3:
                let by = suspenders.filter { _ in Bool.random(using: &generator) }
                return TokenSnapshot(sequence: number, state: .suspended, suspendedBy: Set(by.isEmpty ? [.issuer] : by))
            case 4: return TokenSnapshot(sequence: number, state: .inactive)
            default: return TokenSnapshot(sequence: number, state: .active)
            }
        }
        let expected = try #require(Self.end(of: story))
        for _ in 0..<50 {
            let told = (story + story.filter { _ in Bool.random(using: &generator) }).shuffled(using: &generator)
            #expect(Self.end(of: told) == expected)
        }
    }

    @Test func anActionIsAskedForOnlyWhereItCanDoSomething() {
        let (inactive, active) = (Self.snapshot(1, .inactive), Self.snapshot(2, .active))
        let (ours, theirs) = (Self.snapshot(3, .suspended, .issuer), Self.snapshot(3, .suspended, .cardholder))
        let deleted = Self.snapshot(4, .deleted)
        let table: [(ProvisioningAction, TokenSnapshot, ActionObstacle?)] = [
            (.activate, inactive, nil), (.activate, active, .alreadyDone), (.activate, ours, .alreadyDone),
            (.activate, deleted, .tokenDeleted),
            (.suspend, inactive, .notActive), (.suspend, active, nil), (.suspend, ours, .alreadyDone), (.suspend, theirs, nil),
            (.suspend, deleted, .tokenDeleted),
            (.resume, inactive, .notActive), (.resume, active, .alreadyDone), (.resume, ours, nil), (.resume, theirs, .alreadyDone),
            (.resume, deleted, .tokenDeleted),
            (.delete, inactive, nil), (.delete, active, nil), (.delete, theirs, nil), (.delete, deleted, .tokenDeleted),
        ]
        for (action, state, obstacle) in table { #expect(action.obstacle(in: state) == obstacle, "\(action) \(state)") }
    }

    @Test func aResumeTakesAwayOnesOwnSuspensionAlone() {
        let both = Self.snapshot(3, .suspended, .issuer, .cardholder)
        let left = ProvisioningAction.resume.applied(to: both)
        #expect(left.state == .suspended && left.suspendedBy == [.cardholder])
        #expect(ProvisioningAction.resume.applied(to: Self.snapshot(3, .suspended, .issuer)).state == .active)
    }

    @Test func whatHappensToACardDecidesAboutItsTokens() {
        let policy = CardEventPolicy()
        #expect(policy.step(after: .blocked) == .act(.suspend, .other))
        #expect(policy.step(after: .unblocked) == .release(.other))
        #expect(policy.step(after: .lost) == .keep)
        #expect(policy.step(after: .stolen) == .keep)
        #expect(policy.step(after: .replaced) == .moveToNewNumber)
        #expect(policy.step(after: .expiryChanged) == .moveToNewNumber)
        #expect(policy.step(after: .closed) == .act(.delete, .closed))
        #expect(policy.step(after: .fraudClosure) == .act(.delete, .fraud))
    }

    @Test func differencesBetweenBooksAreTold() {
        func booked(_ reference: String, _ snapshot: TokenSnapshot, account: String = "V-1", suffix: String? = "1234") -> BookedToken {
            BookedToken(
                reference: reference, primaryAccountIdentifier: account, snapshot: snapshot, deviceAccountSuffix: suffix, secureElement: nil
            )
        }
        let active = Self.snapshot(2, .active)
        let ours = [
            booked("a", active), booked("b", active), booked("c", active), booked("d", Self.snapshot(3, .suspended, .issuer)),
            booked("e", active), booked("f", active), booked("g", active, suffix: nil),
        ]
        #expect(TokenBooks.differences(ours: ours, theirs: ours.reversed()).isEmpty)
        let theirs = [
            booked("a", Self.snapshot(7, .active)), booked("c", Self.snapshot(3, .deleted)),
            booked("d", Self.snapshot(3, .suspended, .cardholder)), booked("e", active, account: "V-2"),
            booked("f", active, suffix: "9999"), booked("g", active), booked("h", active),
        ]
        let found = TokenBooks.differences(ours: ours, theirs: theirs)
        #expect(
            found.map { "\($0.token) \($0.kind.rawValue)" } == [
                "b ours-only", "c state-differs", "d suspenders-differ", "e account-differs", "f device-differs", "h theirs-only",
            ])
        #expect(found.first { $0.token == "c" }?.theirs == "deleted (3)")
    }
}
