package import BillfoldServer
package import BillfoldWeb

/// A wallet's alarms.
package struct WalletConsole: ConsoleDesk {
    private let wallet: any WalletAlarms

    package init(_ wallet: any WalletAlarms) { self.wallet = wallet }

    package var pages: PageSet? { .wallet }
    package var raisesAlarms: Bool { true }

    package func alarms(for reader: ConsoleReader) async throws -> [AlarmSection] {
        let payments = Payments(walletPayments: try await wallet.alarms(), mayAsk: reader.mayRequest, mayClear: reader.isOperator)
        return [AlarmSection("console/wallet-alarms", payments)]
    }

    private struct Payments {
        var walletPayments: [WalletPaymentAlarm]
        var mayAsk: Bool
        var mayClear: Bool
        var alarm = WalletPaymentAlarm.contradictionAlarm
    }

    package func clear(_ alarm: String, of payment: String, remark: String, by person: String) async throws -> Bool {
        guard alarm == WalletPaymentAlarm.contradictionAlarm else { return false }
        return try await wallet.clearContradiction(of: payment, remark: remark, by: person)
    }
}
