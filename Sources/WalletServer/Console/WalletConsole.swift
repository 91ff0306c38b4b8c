package import BillfoldServer
package import BillfoldWeb

/// A wallet's alarms.
package struct WalletConsole: ConsoleDesk {
    private let wallet: any WalletAlarms

    package init(_ wallet: any WalletAlarms) { self.wallet = wallet }

    package var pages: PageSet? { .wallet }
    package var raisesAlarms: Bool { true }

    package func alarms(for reader: ConsoleReader) async throws -> [AlarmSection] {
        let payments = try await wallet.alarms().map { $0.model(mayAsk: reader.mayRequest, mayClear: reader.isOperator) }
        return [AlarmSection("console/wallet-alarms", ["walletPayments": payments, "hasWalletPayments": !payments.isEmpty])]
    }

    package func clear(_ alarm: String, of payment: String, remark: String, by person: String) async throws -> Bool {
        guard alarm == WalletPaymentAlarm.contradictionAlarm else { return false }
        return try await wallet.clearContradiction(of: payment, remark: remark, by: person)
    }
}
