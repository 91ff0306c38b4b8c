import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import Foundation

/// The acquirer's and the wallets' own books of the payment sheet, read as a stranger would, and their comparison.
enum PlusBooks {
    struct Money: Sendable, Hashable, Decodable {
        var amount: String
        var currency: String
    }

    struct Acquirer: Sendable, Decodable {
        struct Entry: Sendable, Hashable, Decodable {
            var order: String
            var kind: String
            /// `paymentId`, or `refundId`.
            var number: String
            var payment: String
            /// `paymentRequestId`, or `refundRequestId`.
            var request: String
            /// The wallet's own number of the payment.
            var walletNumber: String?
            var amount: Money
            var settlement: Money
            var fee: Money
            var psp: String
            /// Milliseconds since 1970.
            var at: Int64

            /// The same as a row of a report.
            var row: ReportTransaction {
                get throws {
                    func read(_ money: Money) throws -> Amount { try Amount(money.amount, currency: Currency(money.currency)) }
                    return ReportTransaction(
                        transactionTime: AlipayPlusTime(millisecondsSince1970: at), isRefund: kind == "refund", transactionId: number,
                        transactionRequestId: request, paymentId: payment, referenceOrderId: order, counterParticipantId: psp,
                        transactionAmount: try read(amount), settlementAmount: try read(settlement), fee: try read(fee))
                }
            }
        }
        var entries: [Entry]
    }

    struct Wallet: Sendable, Hashable, Decodable {
        struct Entry: Sendable, Hashable, Decodable {
            var request: String
            /// The wallet's own number: `mppPaymentId`.
            var number: String
            var order: String
            var kind: String
            /// What the wallet owes Alipay+ for it, or gets back.
            var amount: Money
            /// What its customer paid, or got back.
            var customer: Money
        }
        var entries: [Entry]
        /// Whether every account is what its entries come to.
        var balanced: Bool
        var accounts: [String: Money]
    }

    /// Every difference between what the acquirer believes and what the wallets do, in words: each payment and each refund is booked
    /// equally often on both sides, under the wallet's own number and for the same order.
    static func differences(acquirer: [Acquirer.Entry], wallets: [Wallet.Entry]) -> [String] {
        func lines(_ entries: some Sequence<(kind: String, number: String, order: String)>) -> [String: Int] {
            Dictionary(entries.map { ("\($0.kind) under \($0.number) of \($0.order)", 1) }, uniquingKeysWith: +)
        }
        let ours = lines(acquirer.map { ($0.kind, $0.walletNumber ?? "no number", $0.order) })
        let theirs = lines(wallets.map { ($0.kind, $0.number, $0.order) })
        return Set(ours.keys).union(theirs.keys).sorted().filter { ours[$0] != theirs[$0] }.map {
            "\($0): booked \(ours[$0] ?? 0) times by the acquirer, \(theirs[$0] ?? 0) times by a wallet"
        }
    }
}
