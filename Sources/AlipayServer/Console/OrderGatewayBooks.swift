/// A day's books of the order gateway and of one wallet, side by side.
///
/// Payments stand under the gateway's instant in both; a refund stands in the gateway's under the instant at which it was booked, in the
/// wallet's under that at which the customer had it.
package struct OrderGatewayBooks: Sendable, Hashable, Encodable {
    /// What comparing one transaction came to.
    package enum Verdict: String, Sendable, Hashable, Encodable, CaseIterable {
        /// Both have it, alike.
        case equal
        /// Both have it, alike, and one of them under another day.
        case otherDay = "other-day"
        /// A refund that the gateway booked and that the wallet has not confirmed yet.
        case underWay = "under-way"
        /// Both have it, and the amount or the trade differs.
        case differs
        case gatewayAlone = "gateway-alone"
        case walletAlone = "wallet-alone"

        /// Whether a person has to find out why.
        package var isDifference: Bool {
            switch self {
            case .equal, .otherDay, .underWay: false
            case .differs, .gatewayAlone, .walletAlone: true
            }
        }
    }

    /// One side's entry.
    package struct Entry: Sendable, Hashable, Encodable {
        package var tradeNo: String
        /// Major units with the currency's minor digits.
        package var value: String
        /// Alphabetic.
        package var currency: String
        /// Milliseconds since 1970.
        package var at: Int64

        package init(tradeNo: String, value: String, currency: String, at: Int64) {
            self.tradeNo = tradeNo
            self.value = value
            self.currency = currency
            self.at = at
        }
    }

    /// One payment or refund, as each side has it.
    package struct Line: Sendable, Hashable, Encodable {
        /// `payment` or `refund`.
        package var kind: String
        /// By which both sides know it.
        package var requestId: String
        package var gateway: Entry?
        package var wallet: Entry?
        package var verdict: Verdict

        package init(kind: String, requestId: String, gateway: Entry?, wallet: Entry?, verdict: Verdict) {
            self.kind = kind
            self.requestId = requestId
            self.gateway = gateway
            self.wallet = wallet
            self.verdict = verdict
        }
    }

    /// What one side's entries of the day come to, in CNY.
    package struct Total: Sendable, Hashable, Encodable {
        package var party: String
        package var payments: Int
        package var paid: String
        package var refunds: Int
        package var givenBack: String

        package init(party: String, payments: Int, paid: String, refunds: Int, givenBack: String) {
            self.party = party
            self.payments = payments
            self.paid = paid
            self.refunds = refunds
            self.givenBack = givenBack
        }
    }

    /// In China, `yyyy-MM-dd`.
    package var day: String
    package var wallet: String
    /// Every wallet that can be asked.
    package var wallets: [String]
    package var lines: [Line]
    package var totals: [Total]
    /// Why the wallet's books could not be read: then nothing is known of them, and no line says anything.
    package var problem: String?
    package var differences: Int
    /// Where the next part of the lines begins, while there is one.
    package var next: Int?

    /// So many lines are in a part: an answer stays far below a megabyte.
    package static let partLength = 1_000

    /// The same with a part of its lines. Totals and differences stay the day's.
    package func part(from first: Int) -> OrderGatewayBooks {
        var part = self
        part.lines = Array(lines.dropFirst(first).prefix(Self.partLength))
        part.next = lines.count - first > Self.partLength ? first + Self.partLength : nil
        return part
    }

    package init(day: String, wallet: String, wallets: [String], lines: [Line], totals: [Total], problem: String? = nil) {
        self.day = day
        self.wallet = wallet
        self.wallets = wallets
        self.lines = lines
        self.totals = totals
        self.problem = problem
        differences = lines.count { $0.verdict.isDifference }
    }
}
