/// A named list of legs, with symbols in place of amounts. Postings come from templates only.
///
/// Every leg is a linear form over the symbols. The legs sum to zero for *all* amounts exactly when the coefficients of each
/// symbol sum to zero, which ``isBalanced`` checks; a test runs it over every template.
public struct PostingTemplate: Sendable, Hashable {
    /// An amount that is filled in when the template is used.
    public enum Symbol: Int, Sendable, Hashable, CaseIterable {
        /// What the shopper pays or gets back.
        case amount
        /// What the acquirer keeps.
        case fee
    }

    /// One account's share, in symbols.
    public struct Leg: Sendable, Hashable {
        public let account: LedgerAccount
        /// How often each symbol enters the leg, with its sign, by the symbol's raw value.
        let coefficients: [Int64]

        /// The symbol once, positive.
        public static func debit(_ account: LedgerAccount, _ symbol: Symbol) -> Leg { Leg(account, symbol: symbol, sign: 1) }
        /// The symbol once, negative.
        public static func credit(_ account: LedgerAccount, _ symbol: Symbol) -> Leg { Leg(account, symbol: symbol, sign: -1) }

        private init(_ account: LedgerAccount, symbol: Symbol, sign: Int64) {
            self.account = account
            coefficients = Symbol.allCases.map { $0 == symbol ? sign : 0 }
        }

        private init(account: LedgerAccount, coefficients: [Int64]) {
            self.account = account
            self.coefficients = coefficients
        }

        /// Adds another symbol to the leg: `debit(bank, .amount).less(.fee)`.
        public func less(_ symbol: Symbol) -> Leg {
            var changed = coefficients
            changed[symbol.rawValue] -= 1
            return Leg(account: account, coefficients: changed)
        }
    }

    /// Stands in every posting; never renamed.
    public let name: String
    public let legs: [Leg]

    public init(_ name: String, _ legs: [Leg]) {
        self.name = name
        self.legs = legs
    }

    /// True when the legs sum to zero whatever the amounts are.
    public var isBalanced: Bool {
        Symbol.allCases.allSatisfy { symbol in legs.reduce(0) { $0 + $1.coefficients[symbol.rawValue] } == 0 }
    }

    /// Fills in the amounts, in minor units. Throws ``PaymentsError/Code/overflow`` where a leg does not fit 64 bits, and
    /// refuses legs that do not sum to zero, even though no balanced template can make them.
    public func filled(amount: Int64, fee: Int64 = 0) throws(PaymentsError) -> [(account: LedgerAccount, amount: Int64)] {
        var total: Int128 = 0
        var result: [(account: LedgerAccount, amount: Int64)] = []
        result.reserveCapacity(legs.count)
        for leg in legs {
            let exact = Int128(leg.coefficients[0]) * Int128(amount) + Int128(leg.coefficients[1]) * Int128(fee)
            guard let value = Int64(exactly: exact) else {
                throw PaymentsError(code: .overflow, reason: "a leg of \(name) does not fit 64 bits")
            }
            total += exact
            result.append((leg.account, value))
        }
        guard total == 0 else { throw PaymentsError(code: .unbalancedPostings, reason: "\(name) is out of balance by \(total)") }
        return result
    }
}
