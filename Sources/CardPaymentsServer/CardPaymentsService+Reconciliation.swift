import BillfoldArchive
import BillfoldMoney
import BillfoldPayments
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
    }

    /// Compares a settlement day's books with the acquirer's file, stores the classes, books fees, and applies what the file
    /// proves: the file is the last judge of what became of a payment (reference section 8.8).
    ///
    /// Running it again replaces the day's rows and books nothing twice.
    func reconcile(_ dayText: String, merchant: MerchantProfile) async throws -> ReconciliationView {
        let day: SettlementDay
        do throws(UnionPayError) { day = try SettlementDay(dayText) } catch {
            throw RequestReader.malformed("settleDate", "is not a day written MMDD")
        }
        let records = try await file(day, merchant: merchant)
        let currency = try Currency("CNY")
        // Late success first, so that what the file proves is in the books when they are compared.
        try await applyEvidence(of: records, day: day, currency: currency, merchant: merchant)
        let rows = try await compare(records, day: day, currency: currency, merchant: merchant)
        let now = context.clock.now()
        let (context, dayName) = (context, day.description)
        try await context.database.write { tx in
            try CardPaymentsRecords.replace(rows, day: dayName, merchant: merchant.id, at: now, in: tx)
            for row in rows where row.kind == "payment" {
                guard let fee = row.fee, fee != 0, let subject = row.subject, row.class != .amountDiffers else { continue }
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
        return ReconciliationView(day: dayName, rows: rows, currency: currency)
    }

    private func file(_ day: SettlementDay, merchant: MerchantProfile) async throws -> [DetailRecord] {
        let body = try context.messages.file(day, merchant: merchant, at: context.clock.now())
        let answer = await context.connection.post(
            body, to: context.configuration.endpoints.file, title: "fileTransfer", about: ["settlement-day": day.description],
            maximumAnswerBytes: 64 * 1_048_576)
        guard case .fields(let fields) = answer else {
            throw CardPaymentsError(code: .acquirerUnavailable, reason: "the acquirer did not answer")
        }
        do {
            let reply = try Unverified<FileTransferReply>(fields).verified(by: merchant.verifier, at: context.clock.now().date)
            guard let content = reply.fileContent else {
                throw CardPaymentsError(
                    code: reply.code == .fileMissing ? .fileMissing : .acquirerUnavailable, reason: "the acquirer answered \(reply.code)")
            }
            let archive = try ZipArchive(ZlibStream.decompressed(content))
            // Details are named …ZM…; …ZME… holds adjustments.
            let details = archive.entries.filter { $0.name.contains("ZM") && !$0.name.contains("ZME") }
            return try details.flatMap { try DetailRecord.parse($0.bytes) }
                .filter { $0[.merchantID].isEmpty || $0[.merchantID] == merchant.acquirerID.description }
        } catch let error as CardPaymentsError {
            throw error
        } catch {
            context.trace.note("file refused", about: ["settlement-day": day.description], problem: "\(error)")
            throw CardPaymentsError(code: .acquirerUnavailable, reason: "the acquirer's file cannot be believed or read")
        }
    }

    /// Applies a line that names a transaction of ours which is not booked as done.
    private func applyEvidence(
        of records: [DetailRecord], day: SettlementDay, currency: Currency, merchant: MerchantProfile
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
            let applied = try await context.database.write { tx -> PaymentStore.Applied? in
                if let payment = try PaymentRecords.find(id, merchant: merchant.id, in: tx) {
                    guard type == TransactionType.consume.rawValue || type.isEmpty, payment.amount == amount,
                        !payment.standing.evidence.contains(.succeeded) || payment.settlementDay == nil
                    else { return nil }
                    return try context.store.apply(.succeeded, to: id, merchant: merchant.id, detail: said, at: now, in: tx)
                }
                if let modification = try ModificationRecords.find(id, merchant: merchant.id, in: tx), modification.amount == amount,
                    modification.state != .succeeded || modification.settlementDay == nil
                {
                    _ = try context.store.apply(
                        .succeeded, toModification: id, merchant: merchant.id, detail: said, at: now, in: tx)
                }
                return nil
            }
            if let applied { context.note(applied) }
        }
    }

    private func compare(
        _ records: [DetailRecord], day: SettlementDay, currency: Currency, merchant: MerchantProfile
    ) async throws -> [ReconciliationRow] {
        let booked = try await context.database.read { tx -> [Booked] in
            let payments = try PaymentRecords.find(settlementDay: day.description, merchant: merchant.id, in: tx)
                .filter { $0.standing.evidence.contains(.succeeded) }
            let modifications = try ModificationRecords.find(settlementDay: day.description, merchant: merchant.id, in: tx)
                .filter { $0.state == .succeeded && $0.kind != .reversal }
            return payments.map(Booked.payment) + modifications.map(Booked.modification)
        }
        var byKey: [String: Booked] = [:]
        var transactions: [BookedTransaction] = []
        for item in booked {
            let transaction = try transaction(item, merchant)
            byKey[transaction.key.description] = item
            transactions.append(transaction)
        }
        return try Reconciliation.match(books: transactions, file: records, currency: currency).map { result in
            switch result {
            case .matched(let ours, let theirs): try row(.matched, ours, theirs, byKey, currency)
            case .amountDiffers(let ours, let theirs): try row(.amountDiffers, ours, theirs, byKey, currency)
            case .feeDiffers(let ours, let theirs): try row(.feeDiffers, ours, theirs, byKey, currency)
            case .oursOnly(let ours): try row(.oursOnly, ours, nil, byKey, currency)
            case .theirsOnly(let theirs): try row(.theirsOnly, nil, theirs, byKey, currency)
            }
        }
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
        _ kind: ReconciliationRow.Class, _ ours: BookedTransaction?, _ theirs: DetailRecord?, _ byKey: [String: Booked],
        _ currency: Currency
    ) throws -> ReconciliationRow {
        let booked = ours.flatMap { byKey[$0.key.description] }
        let type = theirs.flatMap { TransactionType(rawValue: $0[.transactionType]) }
        return ReconciliationRow(
            class: kind, kind: booked?.kind ?? (type == .refund ? "refund" : type == .void ? "void" : "payment"),
            subject: booked?.id.description, acquirerReference: ours?.queryID?.description ?? theirs.map { $0[.queryID] },
            acquirerOrder: ours?.key.order.description ?? theirs.map { $0[.orderID] }, booked: ours?.amount.minorUnits,
            filed: try theirs?.amount(in: currency).minorUnits, fee: theirs.flatMap { try? $0.fee(in: currency).minorUnits })
    }

    // MARK: Books

    /// The trial balance, and the payments of a settlement day, or of the last 24 hours.
    func books(settlementDay: String?, merchant: MerchantProfile) async throws -> BooksView {
        if let settlementDay {
            do throws(UnionPayError) { _ = try SettlementDay(settlementDay) } catch {
                throw RequestReader.malformed("settleDate", "is not a day written MMDD")
            }
        }
        let now = context.clock.now()
        return try await context.database.read { tx in
            let trial = try LedgerRecords.trialBalance(merchant.id, in: tx)
            let payments =
                try settlementDay.map { try PaymentRecords.find(settlementDay: $0, merchant: merchant.id, in: tx) }
                ?? PaymentRecords.find(
                    createdFrom: now.advanced(by: .seconds(-86_400)), until: now.advanced(by: .seconds(1)), merchant: merchant.id, in: tx)
            return BooksView(
                settlementDay: settlementDay, balanced: try trial.imbalances().isEmpty,
                accounts: trial.accounts.map {
                    .init(account: $0.account, currency: $0.balance.currency.alphabeticCode, balance: $0.balance.text)
                },
                payments: try payments.map {
                    PaymentReport($0, try ModificationRecords.find(payment: $0.id, merchant: merchant.id, in: tx))
                })
        }
    }
}
