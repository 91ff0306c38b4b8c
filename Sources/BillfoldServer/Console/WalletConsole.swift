package import BillfoldWeb

/// A wallet's alarms.
package struct WalletConsole: ConsoleDesk {
    private let wallet: any WalletAlarms

    package init(_ wallet: any WalletAlarms) { self.wallet = wallet }

    package var raisesAlarms: Bool { true }

    package func report(to list: inout AlarmList) async throws { list.walletPayments = try await wallet.alarms() }

    package func clear(_ alarm: String, of payment: String, remark: String, by person: String) async throws -> Bool {
        guard alarm == AlarmList.WalletPayment.contradictionAlarm else { return false }
        return try await wallet.clearContradiction(of: payment, remark: remark, by: person)
    }
}
