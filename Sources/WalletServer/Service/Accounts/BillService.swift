import BillfoldMoney
import BillfoldStorage

/// One line of a customer's history.
struct BillEntry: Sendable {
    enum Kind: Sendable {
        case payment(Hold)
        case refund(CustomerRefund)
        case transfer(CustomerTransfer)
        case alipayPlus(AlipayPlusPayment)
        case alipayPlusRefund(AlipayPlusRefund)
    }

    let kind: Kind

    var id: TimeOrderedID {
        switch kind {
        case .payment(let hold): hold.id
        case .refund(let refund): refund.id
        case .transfer(let transfer): transfer.id
        case .alipayPlus(let payment): payment.id
        case .alipayPlusRefund(let refund): refund.id
        }
    }

    var amount: Amount {
        switch kind {
        case .payment(let hold): hold.amount
        case .refund(let refund): refund.amount
        case .transfer(let transfer): transfer.amount
        case .alipayPlus(let payment): payment.amount
        case .alipayPlusRefund(let refund): refund.amount
        }
    }

    var at: Timestamp {
        switch kind {
        case .payment(let hold): hold.createdAt
        case .refund(let refund): refund.at
        case .transfer(let transfer): transfer.at
        case .alipayPlus(let payment): payment.paidAt ?? payment.createdAt
        case .alipayPlusRefund(let refund): refund.at
        }
    }

    /// Whether the customer has more afterwards.
    var isCredit: Bool {
        switch kind {
        case .payment, .alipayPlus: false
        case .refund, .alipayPlusRefund: true
        case .transfer(let transfer): transfer.kind == .topUp
        }
    }
}

/// Some of a customer's history, the newest first.
struct BillPage: Sendable {
    var entries: [BillEntry]
    /// Where the next page begins; `nil` after the last entry.
    var older: TimeOrderedID?
}

/// Reads what a customer paid, got back, and moved.
struct BillService: Sendable {
    let context: WalletContext

    func page(of account: WalletAccount, before last: TimeOrderedID? = nil, size: Int = 20) async throws -> BillPage {
        try await context.database.read { tx in
            let entries =
                try HoldRecords.list(account.id, before: last, limit: size + 1, in: tx).map { BillEntry(kind: .payment($0)) }
                + RefundRecords.list(account.id, before: last, limit: size + 1, in: tx).map { BillEntry(kind: .refund($0)) }
                + RefundRecords.transfers(account.id, before: last, limit: size + 1, in: tx).map { BillEntry(kind: .transfer($0)) }
                + AlipayPlusPaymentRecords.list(account.id, before: last, limit: size + 1, in: tx).map { BillEntry(kind: .alipayPlus($0)) }
                + AlipayPlusPaymentRecords.refunds(account.id, before: last, limit: size + 1, in: tx)
                .map { BillEntry(kind: .alipayPlusRefund($0)) }
            let newest = entries.sorted { $0.id > $1.id }.prefix(size)
            return BillPage(entries: Array(newest), older: entries.count > size ? newest.last?.id : nil)
        }
    }
}
