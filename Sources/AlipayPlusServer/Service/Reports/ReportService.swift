package import AlipayPlus
import AlipayPlusValues
import BillfoldJSON
import BillfoldMoney
package import BillfoldPayments
package import BillfoldStorage

/// An acquirer's reports of a day, made from the ledger: detail, summary, fees, and on business days the settlement
/// (alipay-plus.md#reports [D]).
///
/// A clearing cycle is a day in UTC+8. Its batch is named `C` and the day, a settlement `S` and its value date [I].
package struct ReportService: Sendable {
    let database: any Database

    package init(database: any Database) { self.database = database }

    package struct File: Sendable, Hashable {
        package var name: ReportFileName
        /// Where it lies for the acquirer: begins with a slash.
        package var path: String
        package var bytes: [UInt8]
    }

    /// So many rows of one cycle fit into one report.
    private static let mostRows = 1_000_000

    /// The acquirers that reports are made for, by their ids.
    package func acquirers() async throws -> [MerchantID] {
        try await database.read { tx in
            try AlipayPlusPartyRecords.all(.acquirer, in: tx).map { try JSONDocument.decode(Acquirer.self, $0.document).id }
        }
    }

    /// The successful payments and refunds of a cycle, in the order of time, with the amounts that the ledger has of them. Cancelled
    /// payments are not among them. Refuses with `books-differ` what the ledger says otherwise than the payment.
    package func transactions(of id: MerchantID, in cycle: ClearingCycle) async throws -> [ReportTransaction] {
        try await database.read { tx in try Self.transactions(of: Self.acquirer(id, in: tx), in: cycle, in: tx) }
    }

    /// The files of a cycle: one set for each currency that was settled in, and that of the contract in any case. The settlement's file
    /// goes with the last cycle that it pays out. Refuses with `reports-not-ready` before 08:00 of the next day: until 00:15 of it a
    /// payment can still be cancelled.
    package func files(of id: MerchantID, in cycle: ClearingCycle, at now: Timestamp, isSandbox: Bool) async throws -> [File] {
        guard now.alipayPlusTime >= cycle.filesReady else {
            throw AlipayPlusServerError(code: .reportsNotReady, reason: "the reports of \(cycle.day) are there from \(cycle.filesReady) on")
        }
        return try await database.read { tx in
            let acquirer = try Self.acquirer(id, in: tx)
            let rows = try Self.transactions(of: acquirer, in: cycle, in: tx)
            var files: [File] = []
            for currency in Self.currencies(rows, acquirer) {
                let report = Self.report(rows, in: currency, of: acquirer, cycle: cycle)
                for (name, bytes) in try report.files() {
                    files.append(File(name: name, path: name.path(on: cycle.next.day, isSandbox: isSandbox), bytes: bytes))
                }
            }
            guard cycle.next.valueDay != cycle.valueDay else { return files }
            return try files + Self.settlements(upTo: cycle, of: acquirer, isSandbox: isSandbox, in: tx)
        }
    }

    /// Where files and the books of a cycle disagree.
    ///
    /// - Parameters:
    ///   - files: By name alone, without their folder.
    ///   - made: What ``files(of:in:at:isSandbox:)`` made of the same cycle; without it a missing or strange file, and most of a
    ///     settlement, is not judged.
    package func differences(
        in files: [(name: String, bytes: [UInt8])], made: [File]? = nil, of id: MerchantID, in cycle: ClearingCycle
    ) async throws -> [ReportDifference] {
        ReportChecker.differences(
            in: files, books: try await transactions(of: id, in: cycle), made: made?.map { ($0.name.description, $0.bytes) })
    }

    /// Where an acquirer's files of a cycle lie, and nothing else: those of the clearing, and a settlement's where one is due.
    package static func folders(of id: MerchantID, in cycle: ClearingCycle, isSandbox: Bool) -> [String] {
        [ReportKind.detail, .settlement].map { $0.folder(of: id.description, on: cycle.next.day, isSandbox: isSandbox) }
    }

    // MARK: Parts

    private static func acquirer(_ id: MerchantID, in tx: any Transaction) throws -> Acquirer {
        guard let acquirer = try AlipayPlusPartyRecords.acquirer(id, in: tx) else {
            throw AlipayPlusServerError(code: .notFound, reason: "no acquirer has that id")
        }
        return acquirer
    }

    private static func currencies(_ rows: [ReportTransaction], _ acquirer: Acquirer) -> [Currency] {
        let used = Set(rows.map(\.settlementAmount.currency)).union([acquirer.settlementCurrency])
        return used.sorted { $0.alphabeticCode < $1.alphabeticCode }
    }

    private static func report(
        _ rows: [ReportTransaction], in currency: Currency, of acquirer: Acquirer, cycle: ClearingCycle
    ) -> ClearingReport {
        ClearingReport(
            participantId: acquirer.id.description, settlementCurrency: currency.alphabeticCode, clearingBatchId: "C\(cycle.day)",
            participantAgreementId: acquirer.agreementID, cycle: cycle,
            transactions: rows.filter { $0.settlementAmount.currency == currency })
    }

    /// What is paid out of the cycles whose value date is that of the last one.
    private static func settlements(
        upTo last: ClearingCycle, of acquirer: Acquirer, isSandbox: Bool, in tx: any Transaction
    ) throws -> [File] {
        let valueDay = last.valueDay
        var cycles = [last]
        while let first = cycles.first, first.previous.valueDay == valueDay { cycles.insert(first.previous, at: 0) }
        let days = try cycles.map { (cycle: $0, rows: try transactions(of: acquirer, in: $0, in: tx)) }
        return try currencies(days.flatMap { $0.rows }, acquirer).map { currency in
            let name = try ReportFileName(
                .settlement, participantId: acquirer.id.description, settlementCurrency: currency.alphabeticCode, batchId: "S\(valueDay)",
                participantAgreementId: acquirer.agreementID)
            let batches = try days.map { day in
                let report = report(day.rows, in: currency, of: acquirer, cycle: day.cycle)
                let totals = try ReportTotals(of: report.transactions, in: currency)
                return SettlementReport.Batch(
                    clearingBatchId: report.clearingBatchId, clearingDate: day.cycle.day, totalCount: totals.totalCount,
                    netTotal: totals.netTotal.minorUnits)
            }
            let settlement = try SettlementReport(name: name, valueDate: valueDay, batches: batches)
            return File(name: name, path: name.path(on: valueDay, isSandbox: isSandbox), bytes: settlement.bytes())
        }
    }

    private static func transactions(
        of acquirer: Acquirer, in cycle: ClearingCycle, in tx: any Transaction
    ) throws -> [ReportTransaction] {
        let time = Timestamp(cycle.start)..<Timestamp(cycle.end)
        var wallets: [String: String] = [:]
        func counterpart(_ type: String) throws -> String {
            if let known = wallets[type] { return known }
            let id = try AlipayPlusPartyRecords.wallet(type, in: tx)?.pspID ?? type
            wallets[type] = id
            return id
        }
        var rows: [ReportTransaction] = []
        for payment in try AcquirerPaymentRecords.paid(acquirer.id, in: time, limit: mostRows, in: tx) where payment.state == .success {
            guard let leg = payment.settledLeg, let money = payment.settledMoney, let paidAt = payment.paidAt else { continue }
            rows.append(
                try row(
                    payment, at: paidAt, id: payment.id, requestID: payment.requestID, part: money.whole, isRefund: false,
                    counterpart: counterpart(leg.wallet), in: tx))
        }
        for refund in try AcquirerRefundRecords.done(acquirer.id, in: time, limit: mostRows, in: tx) {
            guard let payment = try AcquirerPaymentRecords.find(refund.payment, acquirer: acquirer.id, in: tx),
                let leg = payment.settledLeg, let doneAt = refund.doneAt
            else { throw PaymentsError(code: .corruptRecord, reason: "a refund without its payment") }
            rows.append(
                try row(
                    payment, at: doneAt, id: refund.id, requestID: refund.requestID, part: refund.part, isRefund: true,
                    counterpart: counterpart(leg.wallet), in: tx))
        }
        return rows.sorted { ($0.transactionTime, $0.transactionId) < ($1.transactionTime, $1.transactionId) }
    }

    private static func row(
        _ payment: AcquirerPayment, at time: Timestamp, id: TimeOrderedID, requestID: String, part: CollectionMoney.Part, isRefund: Bool,
        counterpart: String, in tx: any Transaction
    ) throws -> ReportTransaction {
        let currency = payment.terms.settlementCurrency
        let (owed, fees) = (CollectionBooks.acquirer(payment.acquirer).name, CollectionBooks.fees.name)
        var (net, fee) = (Int64(0), Int64(0))
        for posting in try LedgerRecords.postings(of: id, merchant: payment.acquirer, in: tx) where posting.amount.currency == currency {
            // Credits are negative: what we owe grows by them, and so does our fee.
            if posting.account == owed { net -= posting.amount.minorUnits }
            if posting.account == fees { fee -= posting.amount.minorUnits }
        }
        let settled = isRefund ? -(net + fee) : net + fee
        guard settled == part.settlement, fee == (isRefund ? -part.fee : part.fee) else {
            throw AlipayPlusServerError(code: .booksDiffer, reason: "the ledger has other amounts of \(id) than its payment")
        }
        return ReportTransaction(
            transactionTime: time.alipayPlusTime, isRefund: isRefund, transactionId: id.description, transactionRequestId: requestID,
            paymentId: payment.paymentID, referenceOrderId: payment.terms.order.referenceOrderId, counterParticipantId: counterpart,
            transactionAmount: Amount(minorUnits: part.price, currency: payment.terms.amount.currency),
            settlementAmount: Amount(minorUnits: settled, currency: currency), fee: Amount(minorUnits: fee, currency: currency))
    }
}

extension ClearingCycle {
    var next: ClearingCycle { ClearingCycle(of: end) }
    var previous: ClearingCycle { ClearingCycle(of: start.adding(seconds: -1)) }

    /// The day on which its money moves, `yyyyMMdd`: the next that is no Saturday or Sunday. Public holidays are not known here [I].
    var valueDay: String {
        var day = next
        while day.isWeekend { day = day.next }
        return day.day
    }

    private var isWeekend: Bool {
        // In UTC+8; the first of January 1970 was a Thursday.
        let days = (start.millisecondsSince1970 + 8 * 3_600_000) / 86_400_000
        return [0, 6].contains((days + 4) % 7)
    }
}
