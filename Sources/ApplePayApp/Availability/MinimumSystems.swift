#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// From which system on a network can be asked for. An app may replace the table.
public struct MinimumSystems: Sendable, Hashable {
    /// One row. A network without a row for a system is not offered there.
    public struct Row: Sendable, Hashable {
        public var network: PKPaymentNetwork
        public var minimum: SystemVersion

        public init(_ network: PKPaymentNetwork, _ minimum: SystemVersion) {
            self.network = network
            self.minimum = minimum
        }
    }

    public var rows: [Row]

    public init(rows: [Row]) { self.rows = rows }

    /// Whether the system has the network: one without a row for the system's name is not there.
    public func allows(_ network: PKPaymentNetwork, on system: SystemVersion) -> Bool {
        rows.contains { $0.network == network && system.isAtLeast($0.minimum) }
    }

    /// China mainland: iOS 9.2, watchOS 2.1 [D]. The other rows are general knowledge [I].
    public static let published = MinimumSystems(
        rows: [
            Row(.chinaUnionPay, SystemVersion(.iOS, 9, 2)), Row(.chinaUnionPay, SystemVersion(.watchOS, 2, 1)),
            Row(.chinaUnionPay, SystemVersion(.macOS, 11)),
            Row(.amex, SystemVersion(.iOS, 8)), Row(.masterCard, SystemVersion(.iOS, 8)), Row(.visa, SystemVersion(.iOS, 8)),
            Row(.discover, SystemVersion(.iOS, 9)), Row(.privateLabel, SystemVersion(.iOS, 9)), Row(.interac, SystemVersion(.iOS, 9, 2)),
            Row(.JCB, SystemVersion(.iOS, 10, 1)), Row(.cartesBancaires, SystemVersion(.iOS, 11, 2)),
            Row(.eftpos, SystemVersion(.iOS, 12)), Row(.electron, SystemVersion(.iOS, 12)), Row(.maestro, SystemVersion(.iOS, 12)),
            Row(.vPay, SystemVersion(.iOS, 12)), Row(.elo, SystemVersion(.iOS, 12, 1, 1)), Row(.mada, SystemVersion(.iOS, 12, 1, 1)),
            Row(.girocard, SystemVersion(.iOS, 14)), Row(.mir, SystemVersion(.iOS, 14, 5)), Row(.dankort, SystemVersion(.iOS, 15, 1)),
            Row(.bancomat, SystemVersion(.iOS, 16)), Row(.bancontact, SystemVersion(.iOS, 16)),
        ]
            + [PKPaymentNetwork.amex, .masterCard, .visa, .discover, .JCB].flatMap {
                [Row($0, SystemVersion(.watchOS, 3)), Row($0, SystemVersion(.macOS, 11))]
            })
}
