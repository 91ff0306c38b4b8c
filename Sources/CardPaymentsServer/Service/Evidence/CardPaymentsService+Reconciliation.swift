import ApplePay
import BillfoldArchive
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Foundation
import UnionPay

extension CardPaymentsService {
    /// One of our transactions with the row it came from.
    private enum Booked: Sendable {
        case payment(Payment)
        case modification(Modification)

        var kind: String {
            switch self {
            case .payment: "payment"
            case .modification(let modification): modification.kind.rawValue
            }
        }

        var id: TimeOrderedID {
            switch self {
            case .payment(let payment): payment.id
            case .modification(let modification): modification.id
            }
        }

        var payment: TimeOrderedID {
            switch self {
            case .payment(let payment): payment.id
            case .modification(let modification): modification.payment
            }
        }
    }

    /// Compares a settlement day's books with the acquirer's file, stores the classes, books fees, and applies what the file
    /// proves: the file is the last judge of what became of a payment (apple-pay.md#reconciliation-file).
    ///
    /// Running it again replaces the day's rows and books nothing twice.
    func reconcile(_ dayText: String, merchant: MerchantProfile) async throws -> ReconciledDay {
        let day = try settlementDate(dayText)
        let file = try await file(day, merchant: merchant)
        let currency = try Currency("CNY")
        // Late success first, so that what the file proves is in the books when they are compared.
        try await applyEvidence(of: file.details, day: day, currency: currency, merchant: merchant)
        let rows = try await compare(file.details, day: day, currency: currency, merchant: merchant) + file.adjustments.map(Self.row)
        let now = context.clock.now()
        let (context, dayName) = (context, day.description)
        try await context.database.writeRepeatably { tx in
            try CardPaymentsRecords.replace(rows, day: dayName, merchant: merchant.id, at: now, in: tx)
            for row in rows where row.kind == "payment" {
                guard let fee = row.fee, fee != 0, let subject = row.subject, row.class == .matched || row.class == .feeDiffers else {
                    continue
                }
                let booking = try LedgerRecords.booking(
                    context.store.books.fee, merchant: merchant.id, source: TimeOrderedID(text: subject), amount: 0, fee: fee,
                    currency: currency, at: now)
                try tx.execute(booking.sql + " ON CONFLICT DO NOTHING", booking.bindings)
            }
            try AuditRecords.append(
                to: "reconciliation", by: "merchant", action: "reconcile", object: dayName, result: "\(rows.count) lines", at: now,
                merchant: merchant.id, linking: context.store.audit, in: tx)
        }
        for row in rows where row.class != .matched { context.metrics.alarm("reconciliation-\(row.class.rawValue)") }
        return ReconciledDay(day: day, rows: rows, currency: currency)
    }

    /// Reads `MMDD`, meaning the latest such day, or `yyyyMMdd`.
    private func settlementDate(_ text: String) throws -> SettlementDate {
        do throws(UnionPayError) {
            return text.utf8.count == 8
                ? try SettlementDate(text) : SettlementDate(try SettlementDay(text), latestAt: context.clock.now().beijing)
        } catch {
            throw RequestReader.malformed("settleDate", "is not a day written MMDD or yyyyMMdd")
        }
    }

    private func file(
        _ day: SettlementDate, merchant: MerchantProfile
    ) async throws -> (details: [DetailRecord], adjustments: [AdjustmentRecord]) {
        let message = try context.messages.file(day.day, merchant: merchant, at: context.clock.now())
        let answer = await context.connection.post(
            message, to: context.configuration.endpoints.file, title: "fileTransfer", about: ["settlement-day": day.description],
            maximumAnswerBytes: 64 * 1_048_576)
        guard case .fields(let fields) = answer else {
            throw CardPaymentsError(code: .acquirerUnavailable, reason: "the acquirer did not answer")
        }
        do {
            let reply = try Unverified<FileTransferReply>(fields).verified(by: merchant.verifier, at: context.clock.now().date)
                .bound(to: merchant.acquirerID, day.day)
            guard let content = reply.fileContent else {
                throw CardPaymentsError(
                    code: reply.code == .fileMissing ? .fileMissing : .acquirerUnavailable, reason: "the acquirer answered \(reply.code)")
            }
            let archive = try ZipArchive(ZlibStream.decompressed(content))
            // Details are named …ZM…; …ZME… holds adjustments.
            let adjustments = archive.entries.filter { $0.name.contains("ZME") }
            let details = archive.entries.filter { $0.name.contains("ZM") && !$0.name.contains("ZME") }
            return (
                try details.flatMap { try DetailRecord.parse($0.bytes) }
                    .filter { $0[.merchantID].isEmpty || $0[.merchantID] == merchant.acquirerID.description },
                try adjustments.flatMap { try AdjustmentRecord.parse($0.bytes) }
            )
        } catch let error as CardPaymentsError {
            throw error
        } catch {
            context.trace.note("file refused", about: ["settlement-day": day.description], problem: "\(error)")
            throw CardPaymentsError(code: .acquirerUnavailable, reason: "the acquirer's file cannot be believed or read")
        }
    }

    /// Applies a line that names a transaction of ours which is not booked as done.
    private func applyEvidence(
        of records: [DetailRecord], day: SettlementDate, currency: Currency, merchant: MerchantProfile
    ) async throws {
        let now = context.clock.now()
        for record in records {
            guard let id = try? TimeOrderedID(text: record[.orderID].lowercased()) else { continue }
            let amount = try record.amount(in: currency)
            let said = EventDetail(
                actor: "unionpay-file", reason: "settled on \(day)", acquirerReference: record[.queryID].isEmpty ? nil : record[.queryID],
                settlementDay: day.description)
            let type = record[.transactionType]
            let context = context
            let taken = try await context.database.writeRepeatably { tx -> Taken? in
                if let payment = try PaymentRecords.find(id, merchant: merchant.id, in: tx) {
                    guard type == TransactionType.consume.rawValue || type.isEmpty, payment.amount == amount,
                        !payment.standing.evidence.contains(.succeeded) || payment.settlementDay == nil,
                        // What was reversed and settled all the same is booked by nobody but a person.
                        try !Self.isReversed(payment, in: tx)
                    else { return nil }
                    return try context.take(.succeeded, about: payment, merchant: merchant, detail: said, at: now, in: tx)
                }
                guard let modification = try ModificationRecords.find(id, merchant: merchant.id, in: tx), modification.amount == amount,
                    modification.state != .succeeded || modification.settlementDay == nil
                else { return nil }
                return try context.take(.succeeded, aboutModification: id, merchant: merchant, detail: said, at: now, in: tx)
            }
            context.tell(taken)
        }
    }

    /// Whether a reversal undid the payment. Unlike what a void undoes, it does not settle at all.
    private static func isReversed(_ payment: Payment, in tx: any Transaction) throws -> Bool {
        guard payment.standing.evidence.contains(.reversed) else { return false }
        return try ModificationRecords.find(payment: payment.id, merchant: payment.merchant, in: tx)
            .contains { $0.kind == .reversal && $0.state == .succeeded }
    }

    private func compare(
        _ records: [DetailRecord], day: SettlementDate, currency: Currency, merchant: MerchantProfile
    ) async throws -> [ReconciliationRow] {
        let named = Set(records.compactMap { try? TimeOrderedID(text: $0[.orderID].lowercased()) })
        let (booked, reversed) = try await context.database.read { tx -> ([Booked], Set<TimeOrderedID>) in
            var payments = try PaymentRecords.find(settlementDay: day.description, merchant: merchant.id, in: tx)
                .filter { $0.standing.evidence.contains(.succeeded) }
            // What the file names and the books do not have on this day: undecided still, or reversed.
            for id in named.subtracting(payments.map(\.id)) {
                guard let payment = try PaymentRecords.find(id, merchant: merchant.id, in: tx),
                    payment.settlementDay ?? day.description == day.description
                else { continue }
                payments.append(payment)
            }
            let reversed = try payments.filter { try Self.isReversed($0, in: tx) }.map(\.id)
            let modifications = try ModificationRecords.find(settlementDay: day.description, merchant: merchant.id, in: tx)
                .filter { $0.state == .succeeded && $0.kind != .reversal }
            return (payments.map(Booked.payment) + modifications.map(Booked.modification), Set(reversed))
        }
        var byKey: [String: Booked] = [:]
        var transactions: [BookedTransaction] = []
        for item in booked {
            let transaction = try transaction(item, merchant)
            byKey[transaction.key.description] = item
            transactions.append(transaction)
        }
        var rows: [ReconciliationRow] = []
        for result in try Reconciliation.match(books: transactions, file: records, currency: currency) {
            let (kind, ours, theirs): (ReconciliationRow.Class, BookedTransaction?, DetailRecord?) =
                switch result {
                case .matched(let ours, let theirs): (.matched, ours, theirs)
                case .amountDiffers(let ours, let theirs): (.amountDiffers, ours, theirs)
                case .feeDiffers(let ours, let theirs): (.feeDiffers, ours, theirs)
                case .oursOnly(let ours): (.oursOnly, ours, nil)
                case .theirsOnly(let theirs): (.theirsOnly, nil, theirs)
                }
            let item = ours.flatMap { byKey[$0.key.description] }
            let isReversed = item.map { reversed.contains($0.id) } ?? false
            // A reversed payment is rightly absent.
            if isReversed, theirs == nil { continue }
            let row = try row(isReversed ? .reversedButSettled : kind, ours: ours, theirs: theirs, booked: item, in: currency)
            if let item, let alarm = row.class.alarm {
                try await context.raise(alarm, on: item.payment, merchant: merchant, reason: "the settlement file of \(day)")
            }
            rows.append(row)
        }
        return rows
    }

    /// A line of the error file. Which transaction it adjusts is not told by a confirmed column.
    private static func row(_ adjustment: AdjustmentRecord) -> ReconciliationRow {
        ReconciliationRow(class: .adjustment, kind: "adjustment", filed: Int64(adjustment.amountText))
    }

    private func transaction(_ booked: Booked, _ merchant: MerchantProfile) throws -> BookedTransaction {
        switch booked {
        case .payment(let payment):
            return BookedTransaction(
                key: try TransactionKey(externalKey: payment.externalKey), queryID: payment.acquirerReference.flatMap { try? QueryID($0) },
                type: .consume, amount: payment.amount,
                fee: try merchant.expectedFeeRate.map { try payment.amount.multiplied(by: $0, rounding: context.configuration.rounding) })
        case .modification(let modification):
            return BookedTransaction(
                key: try TransactionKey(externalKey: modification.externalKey),
                queryID: modification.acquirerReference.flatMap { try? QueryID($0) }, type: modification.kind == .void ? .void : .refund,
                amount: modification.amount)
        }
    }

    private func row(
        _ kind: ReconciliationRow.Class, ours: BookedTransaction?, theirs: DetailRecord?, booked: Booked?, in currency: Currency
    ) throws -> ReconciliationRow {
        let type = theirs.flatMap { TransactionType(rawValue: $0[.transactionType]) }
        return ReconciliationRow(
            class: kind, kind: booked?.kind ?? (type == .refund ? "refund" : type == .void ? "void" : "payment"),
            subject: booked?.id.description, acquirerReference: ours?.queryID?.description ?? theirs.map { $0[.queryID] },
            acquirerOrder: ours?.key.order.description ?? theirs.map { $0[.orderID] }, booked: ours?.amount.minorUnits,
            filed: try theirs?.amount(in: currency).minorUnits, fee: theirs.flatMap { try? $0.fee(in: currency).minorUnits })
    }

    // MARK: Books

    /// A page of the payments of a settlement day, or of the last 24 hours, with the trial balance on the first one: its sum runs
    /// over the whole ledger.
    ///
    /// - Parameter last: The last payment of the page before.
    func books(
        settlementDay: String?, after last: TimeOrderedID?, limit: Int, merchant: MerchantProfile
    ) async throws -> BooksPage {
        let day = try settlementDay.map(settlementDate)
        let listing: PaymentRecords.Listing =
            day.map { .settlementDay($0.description) } ?? .begunFrom(context.clock.now().advanced(by: .seconds(-86_400)))
        return try await context.database.read { tx in
            let trial = try last == nil ? LedgerRecords.trialBalance(merchant.id, in: tx) : nil
            // One more than is shown tells whether there is a next page.
            let payments = try PaymentRecords.page(of: listing, after: last, limit: limit + 1, merchant: merchant.id, in: tx)
            let shown = payments.prefix(limit)
            return BooksPage(
                settlementDay: day, trial: trial,
                payments: try shown.map { ($0, try ModificationRecords.find(payment: $0.id, merchant: merchant.id, in: tx)) },
                next: payments.count > limit ? shown.last?.id : nil)
        }
    }
}

/// What the comparison of a settlement day found.
struct ReconciledDay: Sendable {
    var day: SettlementDate
    var rows: [ReconciliationRow]
    var currency: Currency
}

/// Some of the payments of a settlement day or of the last 24 hours, each with what was done to it.
struct BooksPage: Sendable {
    var settlementDay: SettlementDate?
    /// Over the whole ledger; on the first page only.
    var trial: TrialBalance?
    var payments: [(Payment, [Modification])]
    /// The last payment, where another page follows.
    var next: TimeOrderedID?
}
